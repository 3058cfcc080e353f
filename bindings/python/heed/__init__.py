"""heed from Python: kernel regression for data, heed.np."""

from heed import np
from heed._library import Error

__all__ = ["Error", "np"]
