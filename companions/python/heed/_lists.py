"""heed/_lists.py - functions whose results are lists, functions of one or several axes for which C has separate
functions, and functions with a default that depends on a different argument."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import builtins
from typing import Any, List, Optional

import numpy

from heed import _functions as F
from heed._call import C, LIST, call_list, length
from heed._handles import Tensor

Axes = Any  # an int, a sequence of ints, or None for all


def every(axis: Axes) -> Axes:
    """The axes for C, which reduces all axes if the list is empty."""
    return () if axis is None else axis


def over(name: str) -> Any:
    """Makes the function NAME(x, axis=None, keepdim=False) from NAME_axes or, without one, from NAME."""
    whole, parts = getattr(F, name), getattr(F, f"{name}_axes", None)

    def reduce(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Tensor:
        if isinstance(axis, Tensor):
            raise TypeError(f"{name}: axis must be an int or a sequence of ints, not a tensor")
        if parts is None or axis is not None or keepdim:
            result: Tensor = (parts or whole)(x, every(axis), keepdim)
            return result
        return whole(x)  # type: ignore[no-any-return]
    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = whole.__doc__ + (f"\n\nWith an axis, or several:\n\n{parts.__doc__}" if parts else "")
    return reduce


sum, mean, prod, max, min, any, all, nansum, nanmean = (
    over(name) for name in ("sum", "mean", "prod", "max", "min", "any", "all", "nansum", "nanmean"))


def eye(n: int, m: Optional[int] = None, dtype: Any = None) -> Tensor:
    """The n x m matrix with ones on the diagonal; m is n and dtype f32 by default.
    torch: torch.eye   numpy: numpy.eye"""
    return F.eye(n, n if m is None else m, dtype or "f32")


def argmax(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Tensor:
    """The indices of the largest elements along the axis. Axis None gives the index in the flattened tensor."""
    return F.argmax(F.reshape(x, -1), 0) if axis is None and not keepdim else F.argmax(x, axis, keepdim)


def argmin(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Tensor:
    """The indices of the smallest elements along the axis. Axis None gives the index in the flattened tensor."""
    return F.argmin(F.reshape(x, -1), 0) if axis is None and not keepdim else F.argmin(x, axis, keepdim)


def var(x: Tensor, axis: Axes = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance, divided by n - correction; of all elements, or along an axis or several."""
    return F.var(x, every(axis), correction, keepdim)


def std(x: Tensor, axis: Axes = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation, the square root of var's result."""
    return F.std(x, every(axis), correction, keepdim)


def norm(x: Tensor, p: float = 2.0, axis: Axes = None, keepdim: bool = False) -> Tensor:
    """The p-norm of all elements, or along an axis or several."""
    return F.norm(x, p, every(axis), keepdim)


def trapezoid(y: Tensor, x: Any = None, *, dx: Optional[float] = None, axis: int = -1) -> Tensor:
    """The integral of y along the axis by the trapezoidal rule, for points at the positions x, or at distance dx, by
    default 1."""
    distance = dx if dx is not None else 0.0 if x is not None else 1.0
    return F.trapezoid(y, x, distance, axis=axis)


def arange(start: float, stop: Optional[float] = None, step: float = 1, dtype: Any = None) -> Tensor:
    """start, start + step, ... below stop. arange(stop) begins with 0. dtype None is i64 for whole numbers, else f32."""
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        dtype = "i64" if builtins.all(hasattr(n, "__index__") for n in (start, stop, step)) else "f32"
    return F.arange(start, stop, step, dtype)


def ones_like(x: Tensor) -> Tensor:
    """A tensor of ones with x's dtype and shape, which requires no gradient."""
    return full_like(x, 1)


def full(shape: Any, value: float, dtype: Any = None) -> Tensor:
    """A tensor whose elements all equal `value`. dtype None is i64 for an int, bool for a bool, else f32.
    torch: torch.full   numpy: numpy.full"""
    if dtype is None:
        whole = hasattr(value, "__index__") and not isinstance(value, Tensor)
        dtype = "bool" if isinstance(value, (bool, numpy.bool_)) else "i64" if whole else "f32"
    return F.full(shape, value, dtype)


def full_like(x: Tensor, value: float) -> Tensor:
    """A tensor with x's dtype and shape whose elements all equal `value`, which requires no gradient."""
    return F.full(x.shape, value, x.dtype)


def rms_norm(x: Tensor, shape: Any, weight: Optional[Tensor] = None, eps: Optional[float] = None) -> Tensor:
    """x / sqrt(mean of x^2 + eps) weight over the last axes of x, which must be `shape`; weight has that shape, or is None. As in
    PyTorch, eps None is the machine epsilon of x's dtype: 2^-23 for f32, 2^-52 for f64.
    torch: torch.nn.functional.rms_norm"""
    if eps is None:
        eps = 2.0 ** (-52 if getattr(x, "dtype", None) == "f64" else -23)
    return F.rms_norm(x, shape, weight, eps)


def sort(x: Tensor, axis: int = -1, *, descending: bool = False, return_indices: bool = False) -> Any:
    """x sorted along the axis, NaN last (descending: first); with return_indices (values, indices)."""
    return F.sort_axis(x, axis, descending=descending, return_indices=return_indices)


def roll(x: Tensor, shift: int, axis: Optional[int] = None) -> Tensor:
    """x with every slice of the axis moved by `shift`; the last slices wrap to the front. Axis None rolls the flattened
    elements."""
    return F.roll(x, shift, axis) if axis is not None else F.reshape(F.roll(F.reshape(x, -1), shift, 0), x.shape)


def repeat_interleave(x: Tensor, repeats: int, axis: Optional[int] = None) -> Tensor:
    """x with every slice of the axis repeated `repeats` times in a row. Axis None repeats the flattened elements."""
    if axis is None:
        return F.repeat_interleave(F.reshape(x, -1), repeats, 0)
    return F.repeat_interleave(x, repeats, axis)


def split(x: Tensor, size: Any, axis: int = 0) -> List[Tensor]:
    """Consecutive views of x on the axis, all `size` long except the last; or with the lengths of a list of sizes."""
    if not hasattr(size, "__iter__"):
        if size < 1:
            raise ValueError(f"split: size is {size}: must be at least 1")
        whole = F.dim(x, axis)
        size = [size] * (whole // size) + [whole % size] * (whole % size > 0 or whole == 0)
    return list(call_list(C.heed_split, len(size), x, axis, size, LIST, length(size)))


def chunk(x: Tensor, n: int, axis: int = 0) -> List[Tensor]:
    """n consecutive views of x on the axis, all of one length except the last. ValueError if there would be fewer."""
    return list(call_list(C.heed_split, n if n > 0 else 0, x, axis, None, LIST, n))


def unbind(x: Tensor, axis: int = 0) -> List[Tensor]:
    """The views x[..., i, ...] of the axis."""
    return [F.select(x, axis, i) for i in range(F.dim(x, axis))]


def meshgrid(*vectors: Tensor, indexing: str = "ij") -> List[Tensor]:
    """For n vectors, n views (n_0, n_1, ...): the i-th varies on axis i only. indexing="xy" swaps the first two axes."""
    if indexing not in ("ij", "xy"):
        raise ValueError(f"meshgrid: indexing is {indexing!r}: must be 'ij' or 'xy'")
    function = C.heed_meshgrid if indexing == "ij" else C.heed_meshgrid_xy
    return list(call_list(function, len(vectors), list(vectors), len(vectors), LIST))


__all__ = ["all", "any", "arange", "argmax", "argmin", "chunk", "eye", "full", "full_like", "max", "mean", "meshgrid", "min", "nanmean", "nansum", "norm",
           "ones_like", "prod", "repeat_interleave", "rms_norm", "roll", "sort", "split", "std", "sum", "trapezoid", "unbind",
           "var"]
