"""heed/data.py - datasets, loaders, scalers and categories."""

from heed._classes import Categories, Dataset, Loader, Scaler

__all__ = ["Categories", "Dataset", "Loader", "Scaler"]
