"""heed/_convert.py - conversion of data to tensors: arrays, tensors of other libraries, numbers and lists."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, Iterator, Optional

import numpy

import heed
from heed._kinds import TENSOR, List, Struct, Structs

NUMBERS = (bool, int, float, numpy.bool_, numpy.integer, numpy.floating)


def is_data(x: Any) -> bool:
    """Whether x is data for heed.tensor."""
    return isinstance(x, (*NUMBERS, list, tuple)) or hasattr(x, "__dlpack__") or hasattr(x, "__array__")


def has_floats(x: Any) -> bool:
    return any(map(has_floats, x)) if isinstance(x, (list, tuple)) else isinstance(x, (float, numpy.floating))


def dtype_for(x: Any, like: Optional[str]) -> Optional[str]:
    """The dtype of a number or a list, which have none themselves. It is `like`, the dtype of a tensor in the same
    expression, if the conversion is exact: [1, 2] stays i64, because it may be indices."""
    if isinstance(x, NUMBERS):
        fits = like in ("f32", "f64") or like == "i64" and not isinstance(x, (float, numpy.floating))
        return like if fits and not isinstance(x, (bool, numpy.bool_)) else None
    return like if isinstance(x, (list, tuple)) and like in ("f32", "f64") and has_floats(x) else None


def as_tensor(x: Any, like: Optional[str] = None) -> Any:
    """The data as a tensor, on the memory of an array if possible. Other objects are returned as they are."""
    if isinstance(x, heed.Tensor) or not is_data(x):
        return x
    return heed.tensor(x, dtype_for(x, like))


def at(function: Any, name: str, wrong: Exception) -> Exception:
    """The exception with the names of the function and the argument that could not be converted."""
    return type(wrong)(f"{function.__name__.replace('heed_', '')}: {name}: {wrong}")


def tensors_in(x: Any) -> Iterator[Any]:
    if isinstance(x, heed.Tensor):
        yield x
    elif isinstance(x, (list, tuple, dict)):
        for part in x.values() if isinstance(x, dict) else x:
            yield from tensors_in(part)


def changed(before: Any, after: Any) -> Any:
    """`after`, or `before` if they have the same elements."""
    return before if all(a is b for a, b in zip(before, after)) else after


def convert(kind: Any, x: Any, like: Optional[str]) -> Any:
    """The argument x of that kind, with its data converted to tensors; x itself if it has none."""
    if kind is TENSOR:
        return as_tensor(x, like)
    if isinstance(kind, List) and kind.kind is TENSOR and isinstance(x, (list, tuple, numpy.ndarray)):
        return changed(x, [as_tensor(part, like) for part in x]) if getattr(x, "shape", None) != () else x
    if isinstance(kind, Struct) and isinstance(x, dict):
        made = {name: convert(kind.kinds.get(name), value, like) for name, value in x.items()}
        return x if all(made[name] is x[name] for name in x) else made
    if isinstance(kind, Structs) and isinstance(x, (list, tuple)):
        return changed(x, [convert(kind.struct, part, like) for part in x])
    return x


def arguments_of(function: Any, arguments: Any) -> Any:
    """The arguments of a C function that ctypes has refused, with their data converted to tensors, or None if they have
    no data."""
    dtypes = sorted({t.dtype for t in tensors_in(list(arguments))} - {"bool"}, key="f32 f64 i64".index)
    like = dtypes[0] if dtypes else "f32" if any(map(has_floats, arguments)) else None
    made = []
    for kind, name, x in zip(function.argtypes, function.names, arguments):
        try:
            made.append(convert(kind, x, like))
        except (TypeError, ValueError) as wrong:
            raise at(function, name, wrong) from None
    found = changed(arguments, made)
    return None if found is arguments else tuple(found)
