"""heed/_library.py - the C library: where it is, how its functions are called, what becomes of its errors."""

import ctypes
import ctypes.util
import os
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, List, Sequence, Tuple, Type

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]

# By heed_dtype.
DTYPES = {numpy.dtype(numpy.float32): 0, numpy.dtype(numpy.float64): 1, numpy.dtype(numpy.int64): 2}


class Error(RuntimeError):
    """The library failed; the text begins with the function that did."""


# By heed_status. Others are an Error.
EXCEPTIONS: dict[int, Type[Exception]] = {1: ValueError, 2: ValueError, 3: TypeError, 4: IndexError, 5: MemoryError}


class Shape(ctypes.Structure):
    _fields_ = [("rank", c_int), ("dims", c_int64 * 8)]


class Progress(ctypes.Structure):
    _fields_ = [("start", c_int), ("starts", c_int), ("evaluations", c_int), ("best", c_double),
                ("bandwidths", POINTER(c_double))]


ProgressFunction = ctypes.CFUNCTYPE(c_bool, POINTER(Progress), c_void_p)


class Options(ctypes.Structure):
    _fields_ = [("degree", c_int), ("kernel", c_int), ("columns", POINTER(c_int)), ("labels", c_int), ("criterion", c_int),
                ("bandwidths", POINTER(c_double)), ("weights", c_void_p), ("nearest", c_double), ("robust", c_int),
                ("starts", c_int), ("max_evaluations", c_int), ("progress", ProgressFunction), ("user", c_void_p), ("comm", c_void_p),
                ("reserved", c_int64 * 4)]


class Report(ctypes.Structure):
    _fields_ = [("rows", c_int64), ("weighted", c_int64), ("columns", c_int), ("criterion", c_double), ("r2", c_double),
                ("rss", c_double), ("sigma", c_double), ("trace", c_double), ("trace_squared", c_double),
                ("evaluations", c_int), ("minima", c_int), ("stopped", c_bool), ("undefined", c_int64)]


class PredictOptions(ctypes.Structure):
    _fields_ = [("band", c_int), ("level", c_double), ("local", c_bool), ("corrected", c_bool), ("seed", c_uint64),
                ("reserved", c_int64 * 4)]


class Prediction(ctypes.Structure):
    _fields_ = [*((name, c_void_p) for name in ("mean", "se", "lower", "upper", "slopes", "slope_se")),
                ("undefined", c_int64)]


class BootstrapOptions(ctypes.Structure):
    _fields_ = [("resampling", c_int), ("draws", c_int), ("seed", c_uint64), ("comm", c_void_p),
                ("reserved", c_int64 * 4)]


class SignificanceOptions(ctypes.Structure):
    _fields_ = [("draws", c_int), ("seed", c_uint64), ("reserved", c_int64 * 4)]


# The C structs of which these are, for the test that compares their layouts.
STRUCTS = {"heed_shape": Shape, "heed_np_progress": Progress, "heed_np_options": Options, "heed_np_report": Report,
           "heed_np_predict_options": PredictOptions, "heed_np_prediction": Prediction,
           "heed_np_bootstrap_options": BootstrapOptions, "heed_np_significance_options": SignificanceOptions}

FUNCTIONS: dict[str, Tuple[Any, Sequence[Any]]] = {
    "heed_error_code": (c_int, []),
    "heed_error_message": (c_char_p, []),
    "heed_error_clear": (None, []),
    "heed_scope_begin": (c_void_p, []),
    "heed_scope_end": (c_int, [c_void_p]),
    "heed_retain": (c_void_p, [c_void_p]),
    "heed_release": (None, [c_void_p]),
    "heed_from_buffer": (c_void_p, [c_int, Shape, c_void_p, c_int64, c_void_p, c_void_p]),
    "heed_shape_of": (Shape, [c_void_p]),
    "heed_data_f64": (c_void_p, [c_void_p]),
    "heed_np_fit": (c_void_p, [c_void_p, c_void_p, POINTER(Options)]),
    "heed_np_fit_density": (c_void_p, [c_void_p, POINTER(Options)]),
    "heed_np_fit_classes": (c_void_p, [c_void_p, c_void_p, POINTER(Options)]),
    "heed_np_classify": (c_void_p, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "heed_np_bootstrap": (c_void_p, [c_void_p, c_void_p, POINTER(BootstrapOptions)]),
    "heed_np_quantile": (c_void_p, [c_void_p, c_void_p, c_double]),
    "heed_np_significance": (c_double, [c_void_p, c_int, POINTER(SignificanceOptions)]),
    "heed_np_free": (None, [c_void_p]),
    "heed_np_get_report": (Report, [c_void_p]),
    "heed_np_bandwidths": (c_int, [c_void_p, POINTER(c_double), c_int]),
    "heed_np_minimum": (c_double, [c_void_p, c_int, POINTER(c_double), c_int]),
    "heed_np_fitted": (c_void_p, [c_void_p]),
    "heed_np_residuals": (c_void_p, [c_void_p]),
    "heed_np_leverages": (c_void_p, [c_void_p]),
    "heed_np_robust_weights": (c_void_p, [c_void_p]),
    "heed_np_predict": (c_int, [c_void_p, c_void_p, POINTER(PredictOptions), POINTER(Prediction)]),
}


def path_of_library() -> str:
    """$HEED_LIBRARY, or what the linker finds."""
    path = os.environ.get("HEED_LIBRARY") or ctypes.util.find_library("heed")
    if not path:
        raise ImportError("libheed.so was not found: install heed, or set HEED_LIBRARY to its path")
    return path


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(path_of_library())
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


C = _load()


def check() -> None:
    """Raises what is pending in this thread, and clears it."""
    code = C.heed_error_code()
    if code:
        text = C.heed_error_message().decode()
        C.heed_error_clear()
        raise EXCEPTIONS.get(code, Error)(text)


class Scope:
    """What the library makes in between is released at the end; an error of the library becomes an exception."""

    def __enter__(self) -> "Scope":
        self.arrays: List[Any] = []
        self.scope = C.heed_scope_begin()
        check()
        return self

    def __exit__(self, *_: object) -> None:
        C.heed_scope_end(self.scope)
        self.arrays.clear()

    def tensor(self, values: Any, name: str, rank: Tuple[int, ...]) -> int:
        """A tensor of this scope on the array's own memory, where the library knows its kind, or else on that of a copy."""
        array = numpy.asarray(values)
        if array.dtype not in DTYPES:
            array = array.astype(numpy.float64)
        array = numpy.require(array, requirements=("C", "A"))
        if array.ndim not in rank:
            raise ValueError(f"{name} has the shape {array.shape}: it must have {' or '.join(map(str, rank))} axes")
        self.arrays.append(array)  # until the tensor is gone
        shape = Shape(array.ndim, (c_int64 * 8)(*array.shape))
        tensor = C.heed_from_buffer(DTYPES[array.dtype], shape, array.ctypes.data, array.size, None, None)
        check()
        return int(tensor)


class Memory:
    """The memory of a tensor of f64, which lives until no array is on it any more."""

    def __init__(self, tensor: int, shape: Tuple[int, ...]) -> None:
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": numpy.dtype(numpy.float64).str,
                                    "data": (C.heed_data_f64(tensor), False)}
        weakref.finalize(self, C.heed_release, C.heed_retain(tensor)).atexit = False  # arrays may live longer


def array_of(tensor: Any) -> Array:
    """What is in a tensor, without a copy."""
    check()
    shape = C.heed_shape_of(tensor)
    return numpy.asarray(Memory(tensor, tuple(shape.dims[:shape.rank])))


def doubles(values: Any) -> Any:
    array = numpy.ascontiguousarray(values, dtype=numpy.float64).ravel()
    return (c_double * array.size)(*array)


Callback = Callable[[Progress], bool]
