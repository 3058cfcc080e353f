"""heed/_indexing.py - x[1, ..., None, 2:5, indices], as in NumPy: views, except that a list of indices or a mask
copies."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, Tuple

import numpy

import heed
from heed import _functions as F

END = 2**63 - 1


def given(arguments: Tuple[Any, ...]) -> Any:
    """x.reshape(2, 3) is x.reshape((2, 3))."""
    return arguments[0] if len(arguments) == 1 and hasattr(arguments[0], "__iter__") else arguments


def is_list(part: Any) -> bool:
    return isinstance(part, (list, numpy.ndarray)) or isinstance(part, heed.Tensor) and (part.ndim > 0 or part.dtype == "bool")


def axes_of(part: Any) -> int:
    """The number of axes of x that one entry of an index covers."""
    if part is None or part is Ellipsis:
        return 0
    return numpy.ndim(part) if is_list(part) and numpy.asarray(part).dtype == bool else 1


def whole(x: Any, index: Any) -> Tuple[Any, ...]:
    """The index with its ellipsis expanded: an entry per axis, and None for every new axis."""
    parts = index if isinstance(index, tuple) else (index,)
    count = sum(axes_of(part) for part in parts)
    if count > x.ndim:
        raise IndexError(f"{count} indices for a tensor of shape {x.shape}")
    places = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index has at most one ellipsis")
    place = places[0] if places else len(parts)
    return (*parts[:place], *[slice(None)] * (x.ndim - count), *parts[place + 1:])


def sliced(x: Any, axis: int, part: slice) -> Any:
    if part == slice(None):
        return x
    step = 1 if part.step is None else part.step
    if step < 0:
        found = range(*part.indices(x.shape[axis]))
        return F.flip(F.slice(x, axis, found[-1], found[0] + 1, -step), (axis,)) if found else F.slice(x, axis, 0, 0, 1)
    return F.slice(x, axis, 0 if part.start is None else part.start, END if part.stop is None else part.stop, step)


def taken(x: Any, axis: int, part: Any) -> Tuple[Any, int]:
    """The slices that a list of indices or a mask selects, and the number of axes that these have become."""
    if isinstance(part, numpy.ma.MaskedArray) and numpy.any(part.mask):
        raise ValueError("an index has masked entries: fill them")
    array = numpy.asarray(part)
    if array.dtype == bool:
        if array.shape != x.shape[axis:axis + array.ndim]:
            raise IndexError(f"a mask of shape {array.shape} for the axes {axis} .. of a tensor of shape {x.shape}")
        x, array = x.reshape(x.shape[:axis] + (-1,) + x.shape[axis + array.ndim:]), numpy.flatnonzero(array)
    elif array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"indices are {array.dtype}: must be integers")
    numbers = array.astype(numpy.int64)
    numbers[numbers < 0] += x.shape[axis]
    found = F.index_select(x, axis, heed.tensor(numbers.ravel()))
    return found.reshape(x.shape[:axis] + array.shape + x.shape[axis + 1:]), array.ndim


def joined(x: Any, parts: Tuple[Any, ...]) -> Any:
    """x and its index with one list instead of several: x[rows, columns] takes from the axis of both."""
    places = [i for i, part in enumerate(parts) if is_list(part)]
    if len(places) < 2:
        return x, parts
    first, count = places[0], len(places)
    if places != list(range(first, first + count)):
        raise TypeError("lists of indices must follow one another: write x[:, rows, columns] instead of x[rows, :, columns]")
    axis = sum(part is not None for part in parts[:first])
    if any(numpy.asarray(part).dtype == bool for part in parts[first:first + count]):
        raise TypeError("a mask cannot be combined with a second list of indices: use numpy.flatnonzero(mask)")
    sizes = x.shape[axis:axis + count]
    lists = numpy.broadcast_arrays(*(counted(part, axis + i, n) for i, (part, n) in enumerate(zip(parts[first:first + count], sizes))))
    flat = numpy.ravel_multi_index(lists, sizes) if all(sizes) else lists[0]
    x = x.reshape(x.shape[:axis] + (int(numpy.prod(sizes)),) + x.shape[axis + count:])
    return x, parts[:first] + (flat,) + parts[first + count:]


def counted(part: Any, axis: int, size: int) -> Any:
    """Indices of an axis of that size, counted from its beginning."""
    array = numpy.asarray(part)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"indices are {array.dtype}: must be integers")
    wrong = array[(array < -size) | (array >= size)]
    if wrong.size:
        raise IndexError(f"index {wrong.flat[0]} for axis {axis} of size {size}")
    return numpy.where(array < 0, array + size, array).astype(numpy.int64)


def put(x: Any, index: Any, value: Any) -> None:
    """x[index] = value, written to the memory of x."""
    parts = index if isinstance(index, tuple) else (index,)
    number = heed._operators.number_of(value)
    if number is not None and x.dtype[0] == "f":
        value = heed._operators.scalar(x, number)
    value = value if isinstance(value, heed.Tensor) else heed.tensor(value, x.dtype)
    if not any(is_list(part) or isinstance(part, slice) and (part.step or 1) < 0 for part in parts):
        get(x, index).copy_(value)
        return
    if heed._handles.grad_enabled() and (x.requires_grad or value.requires_grad):
        raise ValueError("x[indices] = value: x or the value requires a gradient, which writing would lose: use heed.where, heed.scatter or "
                         "heed.index_copy, or write in heed.no_grad()")
    get(F.detach(x), index)  # checks the index
    one = x[tuple(slice(0, 1) for _ in x.shape)]
    one.copy_(F.clone(F.detach(one)))  # refuses memory that must not be written to, and counts as a write
    index = tuple(part.numpy() if isinstance(part, heed.Tensor) else part for part in parts)
    heed._arrays.numpy_of(F.detach(x))[index] = heed._arrays.numpy_of(F.detach(value))


def get(x: Any, index: Any) -> Any:
    """x[index]. A bool that is not a mask is not an index, though Python takes it for an int."""
    if type(index) is int:
        return F.select(x, 0, index)
    axis = 0
    x, parts = joined(x, whole(x, index))
    for part in parts:
        if part is None:
            x, axis = F.unsqueeze(x, axis), axis + 1
        elif isinstance(part, slice):
            x, axis = sliced(x, axis, part), axis + 1
        elif is_list(part):
            x, more = taken(x, axis, part)
            axis += more
        elif isinstance(part, (bool, float, str)):
            raise TypeError(f"an index is {part!r}: must be an int, a slice, ..., None, or a list, array or tensor of indices")
        else:
            x = F.select(x, axis, part)
    return x
