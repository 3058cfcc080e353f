"""heed/_kinds.py - the kinds of arguments that heed/_prototypes.py names. A kind checks a value (TypeError, ValueError)
and converts it for C; as a field of a struct it has the ctypes type `c`."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import operator
import os
from ctypes import c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Dict, Sequence

import numpy

from heed._handles import Handle, Tensor, grad_enabled, requires_grad_of
from heed._library import Shape
from heed._prototypes import ENUMS, STRUCTS

DTYPES: Sequence[str] = ENUMS["heed_dtype"]
BOOLS = frozenset((bool, numpy.bool_))
NUMPY_DTYPES = dict(zip(("float32", "float64", "int64", "bool"), DTYPES))


def refused(x: Any, what: str) -> TypeError:
    part = x[:20] if isinstance(x, (str, bytes, list, tuple)) else x  # the whole may be long
    shown = f"{x.dtype} of shape {x.shape}" if isinstance(x, numpy.ndarray) else repr(part).partition("\n")[0]
    return TypeError(f"must be {what}, not {type(x).__name__} {shown if len(shown) < 60 else shown[:57] + '...'}")


# Made by this package: addresses, arrays, C functions.
RAW = (ctypes.Structure, ctypes.Array, ctypes._CFuncPtr, type(ctypes.byref(c_int())))  # type: ignore[attr-defined]


class Kind:
    """An argument that C takes as a pointer, without a specific type: ctypes' own objects."""

    c: Any = c_void_p
    zero: Any = None  # the value of zero bytes in C, the default of an option

    def from_param(self, x: Any) -> Any:
        if x is None or isinstance(x, RAW):
            return x
        raise refused(x, "None")

    def field(self, x: Any) -> Any:
        given = self.from_param(x)
        if isinstance(given, (ctypes.Array, ctypes._CFuncPtr)):  # type: ignore[attr-defined]
            return ctypes.cast(given, c_void_p)
        return getattr(given, "value", given)


class Instance(Kind):
    """An object that Python owns: a tensor, a module, a generator. None is NULL, which the library refuses if it needs
    a value."""

    def __init__(self, cls: type, what: str) -> None:
        self.cls, self.what = cls, what

    def from_param(self, x: Any) -> Any:
        if x is None or isinstance(x, self.cls):
            return x
        raise refused(x, self.what)

    def field(self, x: Any) -> Any:
        return self.from_param(x)._as_parameter_


class HandleOf(Instance):
    def __init__(self, name: str) -> None:
        super().__init__(Handle, f"a {name.replace('heed_', '')}")
        self.name = name

    def from_param(self, x: Any) -> Any:
        if x is not None and getattr(x, "_C", "") != self.name:
            raise refused(x, self.what)
        return x


class Integer(Kind):
    zero = 0

    def __init__(self, c: Any, low: int, high: int) -> None:
        self.c, self.low, self.high = c, low, high

    def from_param(self, x: Any) -> Any:
        if type(x) is int and self.low <= x <= self.high:
            return self.c(x)
        try:
            number = operator.index(x)
        except TypeError:
            raise refused(x, "an int") from None
        if not self.low <= number <= self.high:
            raise ValueError(f"is {number}: must be in {self.low} .. {self.high}")
        return self.c(number)


class Axis(Integer):
    """The number of an axis. operator.index takes True for 1, but a bool is not an axis."""

    def from_param(self, x: Any) -> Any:
        if type(x) is int and self.low <= x <= self.high:
            return self.c(x)
        if type(x) in BOOLS:
            raise refused(x, "an int")
        return super().from_param(x)


class Real(Kind):
    """A double. Refuses numbers that lose an imaginary part, a gradient or a digit."""

    c = c_double
    zero = 0.0

    def from_param(self, x: Any) -> Any:
        if type(x) is float or type(x) is int and -2**53 <= x <= 2**53:
            return c_double(x)
        number = self.plain(x)
        try:
            real = c_double(number)
        except TypeError:
            raise refused(x, "a number") from None
        except OverflowError:
            raise ValueError(f"is {number}, which is out of the range of a double") from None
        if isinstance(number, int) and int(real.value) != number:
            raise ValueError(f"is {number}, which a double does not represent exactly")
        return real

    def plain(self, x: Any) -> Any:
        """Converts a Python number."""
        if isinstance(x, Tensor):
            if grad_enabled() and requires_grad_of(x):
                raise ValueError("is a tensor that requires a gradient, which a number would lose: compute with tensors "
                                 "(heed.where for masked_fill, heed.maximum for clamp), or pass its item()")
            return x.item()
        if isinstance(x, (numpy.generic, numpy.ndarray)):
            if x.dtype.kind not in "fiub" or x.ndim:
                raise refused(x, "a number")
            return float("nan") if x is numpy.ma.masked else x.item()
        return x


class Bool(Kind):
    c = c_bool
    zero = False

    def from_param(self, x: Any) -> Any:
        if isinstance(x, (bool, numpy.bool_)):
            return c_bool(bool(x))
        raise refused(x, "True or False")


class Enum(Kind):
    c = c_int

    def __init__(self, words: Sequence[str]) -> None:
        self.numbers, self.zero = {word: c_int(number) for number, word in enumerate(words)}, words[0]

    def from_param(self, x: Any) -> Any:
        number = self.numbers.get(x) if isinstance(x, str) else None
        if number is not None:
            return number
        words = ", ".join(map(repr, self.numbers))
        if isinstance(x, str):
            raise ValueError(f"is {x!r}: must be one of {words}")
        raise refused(x, f"one of {words}")


class DType(Enum):
    """A dtype by heed's name, or in any form that numpy.dtype understands."""

    def from_param(self, x: Any) -> Any:
        if isinstance(x, str) and x in self.numbers:
            return self.numbers[x]
        if type(x).__module__ == "torch":
            x = str(x).rpartition(".")[2]
        if isinstance(x, (str, type, numpy.dtype)):
            try:
                x = NUMPY_DTYPES.get(numpy.dtype(x).name, str(x))
            except TypeError:
                pass  # Enum lists the valid names
        return super().from_param(x)


class ShapeKind(Kind):
    """One int, or a sequence of up to 8."""

    c = Shape

    def from_param(self, x: Any) -> Any:
        if type(x) is int and -2**63 <= x < 2**63:
            return Shape(1, (c_int64 * 8)(x))
        given = tuple(x) if hasattr(x, "__iter__") else (x,)
        try:
            sizes = [operator.index(n) for n in given if type(n) not in BOOLS]
        except TypeError:
            raise refused(x, "an int or a sequence of ints") from None
        if len(sizes) < len(given):
            raise refused(x, "an int or a sequence of ints")
        if len(sizes) > 8:
            raise ValueError(f"has {len(sizes)} axes: must have at most 8")
        for size in sizes:
            if not -2**63 <= size < 2**63:
                raise ValueError(f"contains {size}: must fit into 64 bits")
        return Shape(len(sizes), (c_int64 * 8)(*sizes))


class Text(Kind):
    c = c_char_p

    def bytes_of(self, x: Any) -> bytes:
        if not isinstance(x, str):
            raise refused(x, "a str")
        return x.encode()

    def from_param(self, x: Any) -> Any:
        if x is None or isinstance(x, c_char_p):  # a permanent one (heed/_module.py)
            return x
        text = self.bytes_of(x)
        if b"\0" in text:
            raise ValueError(f"is {x!r}: must not contain NUL")
        return c_char_p(text)


class Path(Text):
    def bytes_of(self, x: Any) -> bytes:
        try:
            return os.fsencode(x)
        except TypeError:
            raise refused(x, "a path") from None


class Char(Kind):
    c = c_char

    def from_param(self, x: Any) -> Any:
        if not isinstance(x, str) or len(x.encode()) != 1:
            raise refused(x, "one character")
        return c_char(x.encode())


class List(Kind):
    """A sequence, passed as an array. Its length is a separate argument."""

    def __init__(self, kind: Kind, what: str) -> None:
        self.kind, self.what = kind, what

    def from_param(self, x: Any) -> Any:
        if x is None or isinstance(x, ctypes.Array):
            return x
        if isinstance(x, (str, bytes, dict, Tensor)) or not hasattr(x, "__iter__") or not hasattr(x, "__len__"):
            raise refused(x, f"a sequence {self.what}")
        items = [self.kind.field(item) if item is not None else None for item in x]
        if None in items and not isinstance(self.kind, Text):
            raise TypeError(f"contains None: must be a sequence {self.what}")
        return (self.kind.c * len(items))(*items)

    def field(self, x: Any) -> Any:
        return ctypes.cast(self.from_param(x), c_void_p)


class Numbers(Kind):
    """An array field of a struct, which needs exactly `count` values."""

    def __init__(self, count: int) -> None:
        self.count, self.c = count, c_double * count

    def field(self, x: Any) -> Any:
        if len(x) != self.count:
            raise ValueError(f"has {len(x)} numbers: must have {self.count}")
        return self.c(*(REAL.field(number) for number in x))


class Struct(Kind):
    """Options, from a dict: a missing option, or None, is zero, the default."""

    def __init__(self, name: str) -> None:
        self.kinds: Dict[str, Kind] = {}
        for field in STRUCTS[name].split():
            self.kinds[field.partition(":")[0]] = kind_of(field.partition(":")[2])
        fields = [(field, kind.c) for field, kind in self.kinds.items()] + [("reserved", c_int64 * 4)]
        self.struct = type(name, (ctypes.Structure,), {"_fields_": fields})
        self.zeros = {field: kind.zero for field, kind in self.kinds.items() if f"has_{field}" not in self.kinds}

    def build(self, x: Any) -> Any:
        if not isinstance(x, dict):
            raise refused(x, "a dict")
        struct = self.struct()
        kept: Any = []
        struct.kept = kept
        for name, value in x.items():
            kind = self.kinds.get(name)
            if kind is None or kind is LENGTH:
                known = ", ".join(n for n, k in self.kinds.items() if k is not LENGTH)
                raise TypeError(f"has an unknown key {name!r}: must be one of {known}")
            zero = self.zeros.get(name)
            if value is not None and not (type(value) is type(zero) and value == zero):  # the default
                self.set(struct, name, kind, value, kept)
        return struct

    def set(self, struct: Any, name: str, kind: Kind, value: Any, kept: Any) -> None:
        try:
            given = kind.field(value)
        except (TypeError, ValueError) as wrong:
            raise type(wrong)(f"{name} {wrong}") from None
        kept.append(given)
        setattr(struct, name, given)
        if f"has_{name}" in self.kinds:
            setattr(struct, f"has_{name}", True)
        if f"{name[:-1]}_count" in self.kinds:  # xticks, xtick_count
            setattr(struct, f"{name[:-1]}_count", len(value))

    def from_param(self, x: Any) -> Any:
        return None if x is None else ctypes.byref(self.build(x))

    def field(self, x: Any) -> Any:
        struct = self.build(x)
        pointer: Any = c_void_p(ctypes.addressof(struct))
        pointer.kept = struct
        return pointer


class Structs(Kind):
    """A sequence of dicts as an array of structs."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def from_param(self, x: Any) -> Any:
        if not isinstance(x, (list, tuple)):
            raise refused(x, "a list of dicts")
        items = [self.struct.build(item) for item in x]
        array = (self.struct.struct * len(items))(*items)
        array.kept = items
        return array


REAL = Real()
TENSOR = Instance(Tensor, "a heed.Tensor")
LENGTH = Integer(c_int, 0, 2**31 - 1)  # the length of a list in the same struct, set with it
SIZE = Integer(c_size_t, 0, 2**(8 * ctypes.sizeof(c_size_t)) - 1)
INT64 = Integer(c_int64, -2**63, 2**63 - 1)
KINDS: Dict[str, Kind] = {
    "tensor": TENSOR, "i32": Integer(c_int, -2**31, 2**31 - 1), "i64": INT64,
    "count": Integer(c_int, 0, 2**31 - 1), "count64": Integer(c_int64, 0, 2**63 - 1), "length": LENGTH, "bytes_size": SIZE,
    "size": SIZE, "u64": Integer(c_uint64, 0, 2**64 - 1),
    "u32": Integer(c_uint32, 0, 2**32 - 1), "f64": REAL, "axis": Axis(c_int, -2**31, 2**31 - 1), "bool": Bool(),
    "shape": ShapeKind(),
    "text": Text(), "path": Path(), "char": Char(), "tensors": List(TENSOR, "of tensors"),
    "texts": List(Text(), "of texts"), "i64s": List(INT64, "of ints"), "handles": List(Instance(Handle, "a handle"), "of handles"),
    "enum.heed_dtype": DType(DTYPES), "f64*2": Numbers(2)}


# Kinds with a parameter after the point.
GROUPS: Dict[str, Callable[[str], Kind]] = {
    "enum": lambda of: Enum(ENUMS[of]), "options": Struct, "handle": HandleOf, "module": HandleOf, "out": lambda _: KINDS["out"],
    "structs": lambda of: Structs(kind_of(f"options.{of}"))}


def kind_of(name: str) -> Kind:
    """The kind of that name; kinds of structs and enums are made on first use."""
    if name not in KINDS:
        group, _, of = name.partition(".")
        KINDS[name] = GROUPS[group](of) if group in GROUPS else Kind()
    return KINDS[name]
