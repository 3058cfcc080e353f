"""heed/_arrays.py - tensors from data and from other libraries, and to them, without a copy where that can be: DLPack."""

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p, py_object
from typing import Any, Optional, Tuple

import numpy

from heed import _functions as F
from heed._handles import C, Tensor, declared, error, own, retain, scope_begin, scope_end
from heed._kinds import DTYPES, NUMPY_DTYPES, kind_of

NUMPY_OF = {word: numpy.dtype(name) for name, word in NUMPY_DTYPES.items()}


class Managed(ctypes.Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64), ("context", c_void_p), ("deleter", ctypes.CFUNCTYPE(None, c_void_p))]


from_dlpack_of = declared(C, "heed_from_dlpack", c_void_p, c_void_p)
to_dlpack_of = declared(C, "heed_to_dlpack", c_void_p, c_void_p)
from_array_of = declared(C, "heed_from_array", c_void_p, c_int, kind_of("shape").c, c_void_p, c_int64)

Python = ctypes.pythonapi
capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", Python))
capsule_rename = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_SetName", Python))
Destructor = ctypes.PYFUNCTYPE(None, c_void_p)
capsule_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, Destructor)(("PyCapsule_New", Python))
# The same two of a capsule that is being freed, which must not become a Python object again.
dying_is = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", Python))
dying_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", Python))
NEW, USED = b"dltensor", b"used_dltensor"  # capsules keep the address


def _give_back(capsule: int) -> None:
    """Of a capsule that nobody has taken."""
    if dying_is(capsule, NEW):
        pointer = dying_pointer(capsule, NEW)
        Managed.from_address(pointer).deleter(pointer)


_destructor = Destructor(_give_back)
for _kept in (_destructor, NEW, USED):  # a capsule may be the last to go
    Python.Py_IncRef(py_object(_kept))


def managed_of(t: Tensor) -> int:
    scope = scope_begin()
    try:
        pointer: Optional[int] = to_dlpack_of(F.detach(t))
        if pointer is None:
            raise error()
        return pointer
    finally:
        scope_end(scope)


def capsule_of(t: Tensor) -> Any:
    """For __dlpack__."""
    if F.requires_grad(t):
        raise BufferError("a tensor that requires a gradient is not handed to others: hand over x.detach()")
    return capsule_new(managed_of(t), NEW, _destructor)


class Memory:
    """A tensor's memory, for as long as an array is on it."""

    def __init__(self, t: Tensor) -> None:
        self.pointer = managed_of(t)
        view = Managed.from_address(self.pointer)
        self.deleter = view.deleter
        dtype = NUMPY_OF[t.dtype]
        strides = tuple(n * dtype.itemsize for n in view.strides[:view.ndim])
        shape = tuple(view.shape[:view.ndim])
        alone = all(stride or size == 1 for stride, size in zip(strides, shape))
        readonly = F.requires_grad(t) or not alone
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "strides": strides,
                                    "data": ((view.data or 0) + view.byte_offset, readonly)}

    def __del__(self) -> None:
        if hasattr(self, "deleter"):
            self.deleter(self.pointer)


def numpy_of(t: Tensor) -> Any:
    if not F.numel(t):
        return numpy.empty(t.shape, NUMPY_OF[t.dtype])
    return numpy.asarray(Memory(t))


def from_dlpack(other: Any) -> Tensor:
    """A tensor on the memory of another library's array, which shares what is written on either side."""
    if not hasattr(other, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type(other).__name__} has no __dlpack__")
    capsule = other.__dlpack__()
    scope = scope_begin()
    try:
        pointer = from_dlpack_of(capsule_pointer(capsule, NEW))
        if pointer is None:
            raise error()
        capsule_rename(capsule, USED)
        return own(retain(pointer))
    finally:
        scope_end(scope)


def copied(array: Any) -> Tensor:
    flat = numpy.ascontiguousarray(array)
    scope = scope_begin()
    try:
        shape = kind_of("shape").from_param(array.shape)
        pointer = from_array_of(DTYPES.index(NUMPY_DTYPES[array.dtype.name]), shape, flat.ctypes.data, flat.size)
        if pointer is None:
            raise error()
        return own(retain(pointer))
    finally:
        scope_end(scope)


def shared(data: Any, wanted: Optional[str]) -> Tuple[Optional[Tensor], str]:
    """A tensor on the memory of the data; None, and why not."""
    if isinstance(data, Tensor):
        return (data, "") if wanted in (None, data.dtype) else (None, f"its dtype is {data.dtype}")
    if not isinstance(data, numpy.ndarray) and not hasattr(data, "__dlpack__"):
        return None, "it is no array"
    if isinstance(data, numpy.ndarray):
        if data.dtype.name not in NUMPY_DTYPES or wanted not in (None, NUMPY_DTYPES[data.dtype.name]) or not data.dtype.isnative:
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
        raise TypeError(f"tensor: no dtype of heed's holds {array.dtype}: there are {', '.join(DTYPES)}")
    if wanted is None:
        own_floats = not hasattr(data, "dtype") and array.dtype.kind == "f"
        wanted = ("f32" if own_floats or array.dtype == numpy.float16 else NUMPY_DTYPES.get(array.dtype.name)
                  or ("f64" if array.dtype.kind == "f" else "i64"))
    if array.dtype == numpy.uint64 and wanted == "i64" and (array >= 2**63).any():
        raise ValueError(f"tensor: {array.max()} is more than i64 holds")
    return array if array.dtype == NUMPY_OF[wanted] else array.astype(NUMPY_OF[wanted])


def tensor(data: Any, dtype: Any = None, *, copy: Optional[bool] = None, requires_grad: bool = False) -> Tensor:
    """A tensor of a number, a list, a NumPy array, or what has __dlpack__ or __array__.

    It shares the memory of a NumPy array, or of another library's, that can be written to and has one of heed's dtypes, whatever
    its strides: what is written on one side shows on the other, and backward does not notice it. All else is copied. copy=True
    copies always, copy=False never: it raises a ValueError that says why a copy is needed. A tensor is returned as it is, or as a
    clone. dtype: "f32", "f64", "i64", "bool" or NumPy's; of Python's own floats f32 unless you say otherwise."""
    wanted = None if dtype is None else DTYPES[kind_of("enum.heed_dtype").from_param(dtype).value]
    made, why = (None, "") if copy else shared(data, wanted)
    if made is None:
        if copy is False:
            raise ValueError(f"tensor: the data must be copied: {why}")
        if isinstance(data, Tensor):
            made = F.clone(data) if wanted in (None, data.dtype) else F.to_dtype(data, wanted)
        else:
            made = copied(supported(data, wanted))
    return F.set_requires_grad(F.detach(made), True) if requires_grad else made


def unpickled(array: Any, requires_grad: bool) -> Tensor:
    return tensor(array, copy=True, requires_grad=requires_grad)


__all__ = ["from_dlpack", "numpy_of", "tensor"]
