"""heed/_library.py - the C library: where it is, who owns what it returns, what becomes of its texts and errors."""

import ctypes
import ctypes.util
import os
from ctypes import c_int, c_int64, c_void_p
from typing import Any, Dict, Type

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]


class Error(RuntimeError):
    """The library failed; the text begins with the function that did."""


# By heed_status. Others are an Error.
EXCEPTIONS: Dict[int, Type[Exception]] = {1: ValueError, 2: ValueError, 3: TypeError, 4: IndexError, 5: MemoryError}


class Shape(ctypes.Structure):
    _fields_ = [("rank", c_int), ("dims", c_int64 * 8)]


def path_of_library() -> str:
    """$HEED_LIBRARY, or what the linker finds."""
    path = os.environ.get("HEED_LIBRARY") or ctypes.util.find_library("heed")
    if not path:
        raise ImportError("libheed.so was not found: install heed, or set HEED_LIBRARY to its path")
    return path


# What computes runs without the interpreter's lock; what only looks keeps it, which is quicker.
C = ctypes.CDLL(path_of_library())
QUICK = ctypes.PyDLL(path_of_library())


def declared(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


def text(of_c: bytes) -> str:
    """A text of C's as a str. A byte that is not part of UTF-8 becomes \\xff: a message may quote whatever a file contains."""
    return of_c.decode("utf-8", "backslashreplace")


class Uncopied:
    """A Python object that owns something of the library's. A copy would own it a second time, and another process does not have
    it, so copy.copy, copy.deepcopy and pickle raise a TypeError."""

    __slots__ = ()
    _instead = "make another one"

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} is not copied or pickled: {self._instead}")


class Owned(Uncopied, c_void_p):
    """An address that the library has given to Python, and that is freed with this object.

    ctypes makes the object before the call of the C function returns, and its end calls C without any Python code. So an interrupt,
    which Python raises between two steps of its own code, neither loses the address nor frees it twice. Setting `value` to None
    gives the address away. `kept` is what must live as long as the address."""

    kept: Any = None


_bound_to_instances = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(("PyInstanceMethod_New", ctypes.pythonapi))
_owned: Dict[str, Type[Owned]] = {}


def owned_by(name: str, free: Any) -> Type[Owned]:
    """The class of addresses that `free`, a C function that ignores NULL, frees."""
    return type(name, (Owned,), {"__del__": _bound_to_instances(free)})


def owned(free: str) -> Type[Owned]:
    """The same by the C function's name."""
    if free not in _owned:
        _owned[free] = owned_by(free, declared(ctypes.CDLL(path_of_library()), free, None, c_void_p))
    return _owned[free]
