"""heed/data.py - samples, and the order in which a training run sees them."""

from heed._classes import Categories, Dataset, Loader, Scaler

__all__ = ["Categories", "Dataset", "Loader", "Scaler"]
