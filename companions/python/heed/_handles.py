"""heed/_handles.py - ownership: a Python object owns one reference to an object of the library, and releases it.

The library's functions lend their results to the innermost scope (heed/scope.h). heed/_call.py opens a scope around
every call and retains the results that Python receives. Any thread can free a Python object, and so can the
interpreter when it ends."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Dict, Protocol, Sequence, Type, TypeVar, Union

import numpy

import heed
from heed._library import ByValue, C, EXCEPTIONS, QUICK, Error, Owned, Shape, Uncopied, declared, owned, text
from heed._operators import Operators

Pointer = owned("heed_release")  # of a tensor
scope_end = declared(C, "heed_scope_end", c_int, c_void_p)
scope_return = declared(C, "heed_scope_return", c_void_p, c_void_p, c_void_p)
scope_begin = declared(QUICK, "heed_scope_begin", c_void_p)
# `for scope in SCOPES:` opens a scope. Python runs signal handlers after a call, so an interrupt between
# `scope_begin()` and the `try` that follows would leave the scope open. Python runs no signal handler between a step of
# a loop and the loop's body.
SCOPES = iter(scope_begin, object())
retain = declared(QUICK, "heed_retain", Pointer, c_void_p)
error_code = declared(QUICK, "heed_error_code", c_int)
error_message = declared(QUICK, "heed_error_message", c_char_p)
error_clear = declared(QUICK, "heed_error_clear", None)
shape_of = declared(QUICK, "heed_shape_of", Shape, c_void_p)
dtype_of = declared(QUICK, "heed_dtype_of", c_int, c_void_p)
numel_of = declared(QUICK, "heed_numel", c_int64, c_void_p)
item_of = declared(QUICK, "heed_item", c_double, c_void_p)
item_i64_of = declared(QUICK, "heed_item_i64", c_int64, c_void_p)
format_of = declared(QUICK, "heed_format", c_size_t, c_void_p, c_char_p, c_size_t)
grad_enabled = declared(QUICK, "heed_grad_enabled", c_bool)
requires_grad_of = declared(QUICK, "heed_requires_grad", c_bool, c_void_p)
set_grad_enabled = declared(QUICK, "heed_set_grad_enabled", c_bool, c_bool)


class MemoryStats(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in ("live_objects", "live_bytes", "peak_objects", "peak_bytes", "cached_bytes",
                                             "system_calls")]


memory_stats = declared(QUICK, "heed_memory_get_stats", MemoryStats)
generator_default = declared(QUICK, "heed_generator_default", c_void_p)
generator_use = declared(QUICK, "heed_generator_use", c_void_p, c_void_p)


# Repairs in the library's messages, and their names here.
REPAIRS = (("write inside heed_no_grad_begin()", "write in heed.no_grad()"), ("(heed_detach)", "(x.detach())"),
           ("or set retain_graph in", "or set retain_graph=True in"), ("backward_with: ", "backward: "))


def error() -> Exception:
    """The pending error of this thread, as an exception. Clears it first, so that no later call reports it again."""
    code, message = error_code(), text(error_message())
    error_clear()
    if code == 3:  # HEED_ERR_DTYPE
        message = message.removesuffix(" (heed_to_dtype converts)") + " (t.to_dtype(dtype) converts)"
    for in_c, here in REPAIRS:
        message = message.replace(in_c, here)
    return EXCEPTIONS.get(code, Error)(message)


class Tensor(Operators):
    """A tensor: an array of one dtype with up to 8 axes, and the graph to differentiate it. heed.tensor and the
    functions of heed make tensors. Operators, indexing and attributes follow NumPy and PyTorch."""

    __slots__ = ("_as_parameter_", "_retained", "__weakref__")
    _as_parameter_: Owned

    def __new__(cls, *_: Any, **__: Any) -> "Tensor":
        raise TypeError("heed.Tensor cannot be constructed: call heed.tensor(data), heed.zeros(shape) or a similar function")


class Exported(Protocol):
    """An array of a different library."""

    def __dlpack__(self) -> Any:
        ...


Data = Union[Tensor, Exported, "numpy.ndarray[Any, Any]", float, Sequence[Any]]  # what heed.tensor takes


def own(pointer: Owned, new: Any = object.__new__) -> Tensor:
    """The Python object of a tensor whose reference the caller gives up: own(retain(t))."""
    tensor: Tensor = new(Tensor)
    tensor._as_parameter_ = pointer
    return tensor


Made = TypeVar("Made", bound="Handle")


class Handle(Uncopied):
    """An object of the library, freed together with this object: a generator, an optimizer, a dataset. Keeps the
    objects that it was made from."""

    _C = ""
    _as_parameter_: Any = None
    _classes: Dict[str, Type["Handle"]] = {}  # by C's name
    _instead = "make a new one"
    _recipe: Any = None

    def __init_subclass__(cls) -> None:
        if "_C" in cls.__dict__:
            Handle._classes[cls._C] = cls

    def _adopt(self, pointer: c_void_p, kept: Any) -> None:
        pointer.kept = kept  # type: ignore[attr-defined]
        self._as_parameter_ = pointer

    def _make(self, function: Any, *arguments: Any) -> None:
        self._recipe = "_make", (function.__name__, *arguments)
        self._adopt(heed._call.call(function, *arguments), arguments)

    def __repr__(self) -> str:
        return heed._show.handle_text(self)

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            raise heed._habits.lacking(type(self).__name__, name, dir(type(self)))

    @classmethod
    def _of(cls: Type[Made], pointer: c_void_p, *kept: Any) -> Made:
        made = cls.__new__(cls)
        made._adopt(pointer, kept)
        return made


class ByState(ByValue, Handle):
    """A Handle whose copies follow from its state alone."""

    def _copyable(self) -> bool:
        return bool(self._as_parameter_)
