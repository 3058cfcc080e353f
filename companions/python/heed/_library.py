"""heed/_library.py - the C library: its path, the ownership of addresses, its texts and error codes."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import ctypes.util
import os
from ctypes import c_int, c_int64, c_void_p
from typing import Any, Dict, Type

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]


class Error(RuntimeError):
    """An error of the library; the text begins with the name of the failing function."""


# By heed_status. Other statuses are an Error.
EXCEPTIONS: Dict[int, Type[Exception]] = {1: ValueError, 2: ValueError, 3: TypeError, 4: IndexError, 5: MemoryError}


class Shape(ctypes.Structure):
    _fields_ = [("rank", c_int), ("dims", c_int64 * 8)]


def path_of_library() -> str:
    """$HEED_LIBRARY, the library that was built with this package, or the library that the linker finds."""
    built = os.path.join(os.path.dirname(__file__), "libheed.so")
    path = os.environ.get("HEED_LIBRARY") or (built if os.path.exists(built) else ctypes.util.find_library("heed"))
    if not path:
        raise ImportError("libheed.so was not found: install the package from a clone of heed, install heed, or set HEED_LIBRARY to "
                          "the library's path")
    return path


# Functions that compute run without the interpreter's lock. Functions that only read keep it, which is faster.
C = ctypes.CDLL(path_of_library())
QUICK = ctypes.PyDLL(path_of_library())


def declared(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


def text(of_c: bytes) -> str:
    """A text of C as a str. Invalid UTF-8 becomes escapes such as \\xff: messages quote files."""
    return of_c.decode("utf-8", "backslashreplace")


class Uncopied:
    """A Python object that owns an object of the library. A copy would free that object a second time, and other
    processes do not have it. Therefore copy.copy, copy.deepcopy and pickle raise a TypeError."""

    __slots__ = ()
    _instead = "make a new one"

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: {self._instead}")


class ByValue(Uncopied):
    """An Uncopied object with copies by value if it has a recipe: the method and the arguments that made it."""

    __slots__ = ()
    _recipe: Any = None

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._reduced() if self._copyable() else super().__reduce_ex__(protocol)

    def _copyable(self) -> bool:
        return self._recipe is not None

    def _reduced(self) -> Any:
        raise NotImplementedError


class Owned(Uncopied, c_void_p):
    """An address that Python has received from the library, freed together with this object.

    ctypes makes the object before the call of the C function returns, and the end of the object calls C without any
    Python code. Python raises an interrupt between two steps of its own code. So an interrupt neither loses the
    address nor frees it twice. Setting `value` to None gives the address away. `kept` holds the objects that must
    outlive the address."""

    kept: Any = None


_bound_to_instances = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(("PyInstanceMethod_New", ctypes.pythonapi))
_owned: Dict[str, Type[Owned]] = {}


def owned_by(name: str, free: Any) -> Type[Owned]:
    """The class of addresses freed by `free`, a C function that ignores NULL."""
    return type(name, (Owned,), {"__del__": _bound_to_instances(free)})


def owned(free: str) -> Type[Owned]:
    """The same by the C function's name."""
    if free not in _owned:
        _owned[free] = owned_by(free, declared(ctypes.CDLL(path_of_library()), free, None, c_void_p))
    return _owned[free]
