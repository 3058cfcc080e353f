"""heed/_indexing.py - x[1, ..., None, 2:5, indices], as in NumPy: views, except that a list of indices or a mask
copies."""

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
    return parts[:place] + (slice(None),) * (x.ndim - count) + parts[place + 1:]


def sliced(x: Any, axis: int, part: slice) -> Any:
    if part == slice(None):
        return x
    step = 1 if part.step is None else part.step
    if step < 1:
        raise ValueError(f"a slice's step is {step}: must be at least 1 (heed.flip reverses an axis)")
    return F.slice(x, axis, 0 if part.start is None else part.start, END if part.stop is None else part.stop, step)


def taken(x: Any, axis: int, part: Any) -> Tuple[Any, int]:
    """The slices that a list of indices or a mask selects, and the number of axes that these have become."""
    if numpy.ma.is_masked(part):
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


def get(x: Any, index: Any, views_only: bool = False) -> Any:
    """x[index]. A bool that is not a mask is not an index, though Python takes it for an int."""
    if type(index) is int:
        return F.select(x, 0, index)
    axis, lists = 0, 0
    for part in whole(x, index):
        if part is None:
            x, axis = F.unsqueeze(x, axis), axis + 1
        elif isinstance(part, slice):
            x, axis = sliced(x, axis, part), axis + 1
        elif is_list(part):
            lists += 1
            if views_only or lists > 1:
                raise TypeError("only a view can be written to: use ints, slices, ... and None" if views_only else
                                "an index has at most one list of indices or mask")
            x, more = taken(x, axis, part)
            axis += more
        elif isinstance(part, (bool, float, str)):
            raise TypeError(f"an index is {part!r}: must be an int, a slice, ..., None, or a list, array or tensor of indices")
        else:
            x = F.select(x, axis, part)
    return x
