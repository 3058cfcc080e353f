"""heed/_setup.py - settings, memory counters, and the methods of tensors."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
from ctypes import c_char_p, c_void_p
from typing import Any, NamedTuple

from heed import _classes, _functions, _habits, _spelling
from heed._arrays import NUMPY_OF
from heed._call import C, explained
from heed._classes import Generator
from heed._handles import Handle, Tensor, generator_default, memory_stats
from heed._library import declared, QUICK, text
from heed._module import Module

__version__: str = text(declared(QUICK, "heed_version", c_char_p)())
f32, f64, i64, bool_ = NUMPY_OF  # the names of the dtypes


class Memory(NamedTuple):
    """The library's use of memory (heed/memory.h)."""

    live_objects: int
    live_bytes: int
    peak_objects: int
    peak_bytes: int
    cached_bytes: int
    system_calls: int


def memory() -> Memory:
    """The library's use of memory now, and its peak."""
    stats = memory_stats()
    return Memory(*(getattr(stats, name) for name in Memory._fields))


def default_generator() -> Generator:
    """The generator of all draws outside `with generator:`; heed.manual_seed restarts it."""
    return Generator._of(c_void_p(generator_default()))


def set_matmul_precision(precision: str) -> None:
    """Sets the precision of f32 products in this thread: "highest", "high" or "medium" (heed/precision.h)."""
    function = C.heed_set_matmul_precision  # outside a scope, whose end would undo it
    try:
        function.take(function(precision))
    except ctypes.ArgumentError as wrong:
        raise explained(function, wrong) from None


for _name in [*_functions.METHODS, "split", "chunk", "unbind", *_habits.METHODS]:
    if _name not in dir(Tensor):
        setattr(Tensor, _name, _habits.METHODS.get(_name) or _spelling.FUNCTIONS[_name])
for _name, _method in _habits.MODULE_METHODS.items():
    setattr(Module, _name, _method)
for _class in vars(_classes).values():
    if isinstance(_class, type) and issubclass(_class, (Handle, Module)) and "__init__" in vars(_class):
        setattr(_class, "__init__", _spelling.named(vars(_class)["__init__"]))
