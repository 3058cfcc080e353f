"""heed/_arrays.py - converts tensors from and to data and arrays of other libraries, without a copy if possible:
DLPack."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import operator as operators
from decimal import Decimal
from numbers import Real
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p, py_object
from typing import Any, Iterator, Optional, Tuple

import numpy
from numpy.ma import MaskedArray

from heed import _functions as F
from heed._call import C as CALLED, call
from heed._callbacks import on_unraisable, watch_unraisable
from heed._handles import SCOPES, Tensor, error, grad_enabled, own, retain, scope_end
from heed._kinds import DTYPES, NUMPY_DTYPES, kind_of
from heed._library import C, declared, Uncopied

NUMPY_OF = {word: numpy.dtype(name) for name, word in NUMPY_DTYPES.items()}
WORD_OF = {dtype: word for word, dtype in NUMPY_OF.items()}  # in the machine's byte order


class Managed(ctypes.Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64), ("context", c_void_p), ("deleter", ctypes.CFUNCTYPE(None, c_void_p))]


from_dlpack_of = declared(C, "heed_from_dlpack", c_void_p, c_void_p)
_export = declared(C, "heed_to_dlpack", c_void_p, c_void_p)
from_array_of = declared(C, "heed_from_array", c_void_p, c_int, kind_of("shape").c, c_void_p, c_int64)

Python = ctypes.pythonapi
capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", Python))
capsule_rename = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_SetName", Python))
Destructor = ctypes.PYFUNCTYPE(None, c_void_p)
capsule_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, Destructor)(("PyCapsule_New", Python))
# The same two functions for a capsule being freed, which must not become a Python object again.
dying_is = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", Python))
dying_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", Python))
NEW, USED = b"dltensor", b"used_dltensor"  # capsules keep the address


@on_unraisable
def _give_back(capsule: int) -> None:
    """The destructor of a capsule that no library has consumed."""
    if dying_is(capsule, NEW):
        pointer = dying_pointer(capsule, NEW)
        Managed.from_address(pointer).deleter(pointer)


watch_unraisable()
_destructor = Destructor(_give_back)
for _kept in (_destructor, NEW, USED):  # a capsule may outlive everything else
    Python.Py_IncRef(py_object(_kept))


def exported(t: Tensor) -> Iterator[int]:
    """The address of one DLManagedTensor for a loop as with SCOPES: no interrupt arrives before the loop's body."""
    return map(_export, (t,))


def _deleter() -> Any:
    """The function that frees a DLManagedTensor of the library: the same one for all."""
    for pointer in exported(F.zeros(1)):
        deleter: Any = ctypes.CFUNCTYPE(None, c_void_p)(ctypes.cast(Managed.from_address(pointer).deleter, c_void_p).value or 0)
        deleter(pointer)
    return deleter


free_exported = _deleter()


def capsule_of(t: Tensor) -> Any:
    """The implementation of __dlpack__."""
    if F.requires_grad(t):
        raise BufferError("a tensor that requires a gradient cannot be exported: export x.detach()")
    for pointer in exported(t):
        if pointer is not None:
            return capsule_new(pointer, NEW, _destructor)
    raise error()


class Memory(Uncopied):
    """A tensor's memory, kept alive while an array uses it."""

    def __init__(self, t: Tensor) -> None:
        self.tensor, readonly = F.detach(t), F.requires_grad(t)
        for pointer in exported(self.tensor):
            if pointer is None:
                raise error()
            try:
                self.__array_interface__ = _interface(Managed.from_address(pointer), NUMPY_OF[t.dtype], readonly)
            finally:
                free_exported(pointer)


def _interface(view: Managed, dtype: Any, readonly: bool) -> Any:
    """NumPy's description of the elements. Elements that several indices share are read-only."""
    strides = tuple(n * dtype.itemsize for n in view.strides[:view.ndim])
    shape = tuple(view.shape[:view.ndim])
    alone = all(stride or size == 1 for stride, size in zip(strides, shape))
    return {"version": 3, "shape": shape, "typestr": dtype.str, "strides": strides,
            "data": ((view.data or 0) + view.byte_offset, readonly or not alone)}


def numpy_of(t: Tensor) -> Any:
    if not F.numel(t):
        return numpy.empty(t.shape, NUMPY_OF[t.dtype])
    return numpy.asarray(Memory(t))


def from_dlpack(other: Any) -> Tensor:  # type: ignore[return]  # SCOPES never ends
    """A tensor that shares the memory of an array of a different library."""
    if not hasattr(other, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type(other).__name__} has no __dlpack__")
    capsule = other.__dlpack__()
    for scope in SCOPES:
        try:
            for pointer in map(from_dlpack_of, (capsule_pointer(capsule, NEW),)):  # a loop as with SCOPES
                if pointer is None:
                    raise error()
                capsule_rename(capsule, USED)
                return own(retain(pointer))
        finally:
            scope_end(scope)


def copied(array: Any) -> Tensor:  # type: ignore[return]  # SCOPES never ends
    flat = numpy.ascontiguousarray(array)
    for scope in SCOPES:
        try:
            shape = kind_of("shape").from_param(array.shape)
            pointer = from_array_of(DTYPES.index(NUMPY_DTYPES[array.dtype.name]), shape, flat.ctypes.data, flat.size)
            if pointer is None:
                raise error()
            return own(retain(pointer))
        finally:
            scope_end(scope)


def shared(data: Any, wanted: Optional[str]) -> Tuple[Optional[Tensor], str]:
    """Returns a tensor on the memory of the data and "", or None and the reason why the memory cannot be shared."""
    if isinstance(data, Tensor):
        return (data, "") if wanted in (None, data.dtype) else (None, f"its dtype is {data.dtype}")
    if not isinstance(data, numpy.ndarray) and not hasattr(data, "__dlpack__"):
        return None, "it is not an array"
    if isinstance(data, numpy.ndarray):
        dtype = WORD_OF.get(data.dtype)
        if dtype is None or wanted not in (None, dtype):
            return None, f"its dtype is {data.dtype}"
        if not data.flags.writeable or not data.size:
            return None, "it is empty" if not data.size else "it is read-only"
    try:
        made = from_dlpack(data)
    except (BufferError, RuntimeError, TypeError, ValueError) as why:
        return None, str(why)
    return (made, "") if wanted in (None, made.dtype) else (None, f"its dtype is {made.dtype}")


def supported(data: Any, wanted: Optional[str]) -> Any:
    """The data as an array of one of the four dtypes. Python's own floats become f32, as in PyTorch."""
    array = numpy.asarray(data)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"tensor: heed has no dtype for {array.dtype}: only {', '.join(DTYPES)}")
    if wanted is None:
        own_floats = not hasattr(data, "dtype") and array.dtype.kind == "f"
        wanted = ("f32" if own_floats or array.dtype == numpy.float16 else NUMPY_DTYPES.get(array.dtype.name)
                  or ("f64" if array.dtype.kind == "f" else "i64"))
    if array.dtype == numpy.uint64 and wanted == "i64" and (array >= 2**63).any():
        raise ValueError(f"tensor: {array.max()} is too large for i64")
    return array if array.dtype == NUMPY_OF[wanted] else array.astype(NUMPY_OF[wanted])


def tensor(data: Any, dtype: Any = None, *, copy: Optional[bool] = None, requires_grad: bool = False) -> Tensor:
    """A tensor of a number, a list, a NumPy array, or an object with __dlpack__ or __array__.

    It shares the memory of a writable array of NumPy, or of a different library, that has one of heed's dtypes, with
    any strides: array and tensor see writes to the memory, and backward does not detect them. All other data are
    copied. copy=True always copies; copy=False never does: it raises a ValueError with the reason why a copy is
    needed. A tensor is returned as it is, or as a clone. dtype: "f32", "f64", "i64", "bool" or NumPy's; the default
    for Python floats is f32."""
    wanted = None if dtype is None else DTYPES[kind_of("enum.heed_dtype").from_param(dtype).value]
    if isinstance(data, MaskedArray):
        own_dtype = WORD_OF.get(data.dtype) or ("f64" if data.dtype.kind == "f" else "i64")
        data = unmasked(data, wanted or own_dtype)
    made, why = (None, "") if copy else shared(data, wanted)
    if made is None:
        if copy is False:
            raise ValueError(f"tensor: the data must be copied: {why}")
        if isinstance(data, Tensor):
            made = F.clone(data) if wanted in (None, data.dtype) else F.to_dtype(data, str(wanted))
        else:
            refuse_graphs(data)
            made = copied(supported(data, wanted))
    return F.set_requires_grad(F.detach(made), True) if requires_grad else made


def unmasked(array: Any, dtype: str) -> Any:
    """Replaces masked entries of a numpy.ma array by NaN."""
    if not numpy.any(array.mask):
        return array.data
    if dtype[0] != "f":
        raise ValueError(f"tensor: the data has masked entries, and {dtype} has no NaN: fill them, or use f32 or f64")
    return array.astype(NUMPY_OF[dtype]).filled(numpy.nan)


def numbers_of(values: Any, name: str) -> Any:
    """Numbers as an array of f32, f64 or i64 in C's order, without a copy if possible. Masked entries become NaN."""
    array = numpy.asanyarray(values)
    if array.dtype.kind == "O":
        array = numpy.array([_float_of(value, name) for value in array.ravel()]).reshape(array.shape)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} is {array.dtype}: must be numbers")
    if isinstance(array, MaskedArray):
        array = unmasked(array, "f64")
    if array.dtype.name == "uint64" and (array > 2**53).any():
        raise ValueError(f"{name} contains {array.max()}, which a double may not represent exactly")
    if array.dtype not in NUMPY_OF.values() or array.dtype == bool:
        array = array.astype(numpy.float64)
    return numpy.require(numpy.asarray(array), requirements=("C", "A"))


def _float_of(value: Any, name: str) -> float:
    """The conversion of an element of an object array. None is a missing number."""
    if value is None:
        return numpy.nan
    if not isinstance(value, (Real, Decimal, numpy.bool_)):
        raise TypeError(f"{name} contains {value!r}: must contain only numbers")
    return float(value)


def on_memory_of(array: Any) -> Tensor:
    """A tensor for one call, on the array's own memory, which may be read-only."""
    memory = (ctypes.c_char * 1).from_address(array.ctypes.data)
    dtype = WORD_OF[array.dtype]
    t: Tensor = call(CALLED.heed_from_buffer, dtype, array.shape, memory, array.size, None, None)
    t._as_parameter_.kept = array
    return t


# The operators of tensors by the names of NumPy's functions that arrays call for them: array + tensor is a tensor.
UFUNCS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv", "floor_divide": "floordiv",
          "remainder": "mod", "power": "pow", "matmul": "matmul", "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor",
          "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}


def by_ufunc(ufunc: Any, method: str, inputs: Any, keywords: Any) -> Any:
    """An operator of an array and a tensor, or NumPy's function on the tensors' memory: numpy.exp(t)."""
    name = UFUNCS.get(ufunc.__name__)
    if name is None or method != "__call__" or keywords or len(inputs) != 2:
        return by_numpy(getattr(ufunc, method), ufunc.__name__, inputs, keywords)
    x, y = (part if isinstance(part, Tensor) else tensor(part, like_of(part, inputs)) for part in inputs)
    return getattr(operators, name)(x, y)


def like_of(part: Any, inputs: Any) -> Any:
    """The dtype of a tensor among the inputs for a NumPy scalar, which counts as a number; None for arrays."""
    return next(t.dtype for t in inputs if isinstance(t, Tensor)) if isinstance(part, numpy.generic) else None


def by_numpy(function: Any, name: str, arguments: Any, keywords: Any) -> Any:
    """A function of NumPy on the memory of tensors. The result is NumPy's."""
    def array_of(x: Any) -> Any:
        if isinstance(x, Tensor):
            if grad_enabled() and F.requires_grad(x):
                raise TypeError(f"numpy.{name} of a tensor that requires a gradient would lose the gradient: use a function of "
                                "heed, or x.detach()")
            return numpy_of(x)
        if isinstance(x, (list, tuple)):
            return type(x)(map(array_of, x)) if type(x) in (list, tuple) else x
        return x
    return function(*map(array_of, arguments), **{key: array_of(value) for key, value in keywords.items()})


def refuse_graphs(data: Any) -> None:
    """Raises an exception for a list with a tensor that requires a gradient: its numbers would lose the gradient."""
    if isinstance(data, (list, tuple)):
        types = set(map(type, data))
        if Tensor in types and grad_enabled() and any(isinstance(x, Tensor) and F.requires_grad(x) for x in data):
            raise ValueError("tensor: a tensor in the list requires a gradient, which a copy would lose: use "
                             "heed.stack, or its item() or detach()")
        if list in types or tuple in types:
            for part in data:
                refuse_graphs(part)


def unpickled(array: Any, requires_grad: bool) -> Tensor:
    return tensor(array, copy=True, requires_grad=requires_grad)


__all__ = ["from_dlpack", "numpy_of", "tensor"]
