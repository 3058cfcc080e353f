"""heed/data.py - datasets, loaders, scalers and categories."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from heed._classes import Categories, Dataset, Loader, Scaler

__all__ = ["Categories", "Dataset", "Loader", "Scaler"]
