"""heed/data.py - samples, and their order in a training run."""

from heed._classes import Categories, Dataset, Loader, Scaler

__all__ = ["Categories", "Dataset", "Loader", "Scaler"]
