"""heed/_lists.py - functions whose results are lists, functions of one or several axes for which C has separate
functions, and functions with a default that depends on a different argument."""

from typing import Any, List, Optional

from heed import _functions as F
from heed._call import C, LIST, call_list, length
from heed._handles import Tensor

Axes = Any  # an int, a sequence of ints, or None for all


def every(axis: Axes) -> Axes:
    """The axes for C, which reduces all axes if the list is empty."""
    return () if axis is None else axis


def over(name: str) -> Any:
    """Makes the function NAME(x, axis=None, keepdim=False) from NAME and NAME_axes or NAME_axis."""
    whole = getattr(F, name)
    parts = getattr(F, f"{name}_axes", None) or getattr(F, f"{name}_axis")

    def reduce(x: Tensor, axis: Axes = None, *, keepdim: bool = False) -> Tensor:
        if axis is not None or keepdim:
            result: Tensor = parts(x, every(axis), keepdim)
            return result
        return whole(x)  # type: ignore[no-any-return]
    reduce.__name__ = name
    reduce.__doc__ = f"{whole.__doc__}\n\nWith an axis, or several:\n\n{parts.__doc__}"
    return reduce


sum, mean, prod, max, min, any, all = (over(name) for name in ("sum", "mean", "prod", "max", "min", "any", "all"))
argmax, argmin = over("argmax"), over("argmin")


def var(x: Tensor, axis: Axes = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance, divided by n - correction; of all elements, or along an axis or several."""
    return F.var(x, correction) if axis is None and not keepdim else F.var_axes(x, every(axis), correction, keepdim)


def std(x: Tensor, axis: Axes = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation, the square root of var's result."""
    return F.std(x, correction) if axis is None and not keepdim else F.std_axes(x, every(axis), correction, keepdim)


def norm(x: Tensor, p: float = 2.0, axis: Axes = None, *, keepdim: bool = False) -> Tensor:
    """The p-norm of all elements, or along an axis or several."""
    return F.norm(x, p) if axis is None and not keepdim else F.norm_axes(x, p, every(axis), keepdim)


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
    return F.roll(x, shift, axis) if axis is not None else F.roll(F.reshape(x, -1), shift, 0).reshape(x.shape)


def repeat_interleave(x: Tensor, repeats: int, axis: Optional[int] = None) -> Tensor:
    """x with every slice of the axis repeated `repeats` times in a row. Axis None repeats the flattened elements."""
    if axis is None:
        return F.repeat_interleave(F.reshape(x, -1), repeats, 0)
    return F.repeat_interleave(x, repeats, axis)


def split(x: Tensor, size: Any, axis: int = 0) -> List[Tensor]:
    """Consecutive views of x on the axis, all `size` long except the last; or with the lengths of a list of sizes."""
    if hasattr(size, "__iter__"):
        return list(call_list(C.heed_split_sizes, len(size), x, axis, size, LIST, length(size)))
    count = -(-F.dim(x, axis) // size) if size > 0 else 0
    return list(call_list(C.heed_split, count, x, axis, size, LIST, count))


def chunk(x: Tensor, n: int, axis: int = 0) -> List[Tensor]:
    """n consecutive views of x on the axis, all of one length except the last. ValueError if there would be fewer."""
    return list(call_list(C.heed_chunk, n if n > 0 else 0, x, axis, LIST, n))


def unbind(x: Tensor, axis: int = 0) -> List[Tensor]:
    """The views x[..., i, ...] of the axis."""
    count = F.dim(x, axis)
    return list(call_list(C.heed_unbind, count, x, axis, LIST, count))


def meshgrid(*vectors: Tensor) -> List[Tensor]:
    """For n vectors, n views (n_0, n_1, ...): the i-th varies on axis i only. NumPy's indexing="ij"."""
    return list(call_list(C.heed_meshgrid, len(vectors), list(vectors), len(vectors), LIST))


__all__ = ["all", "any", "argmax", "argmin", "chunk", "max", "mean", "meshgrid", "min", "norm", "prod",
           "repeat_interleave", "rms_norm", "roll", "sort", "split", "std", "sum", "unbind", "var"]
