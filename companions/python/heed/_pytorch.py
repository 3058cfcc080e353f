"""heed/_pytorch.py - PyTorch's signatures, and some of NumPy's, of functions whose arguments differ here in more than names
(heed/_spelling.py). A call that does not fit the function of heed is a call of the function with this name."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, List, Tuple

import numpy

import heed
from heed import _functions as F, _lists as L
from heed._handles import Tensor
from heed._promotion import Unfit


def refuse(name: str, what: str) -> Any:
    raise TypeError(f"{name}: {what}")


# -- Axes and shapes ------------------------------------------------------------------------------------------------------


def joined(x: Any, dim: Any) -> Tuple[Any, List[int]]:
    """x with the axes in `dim` (None or (): all) as one last axis, and the shape of a reduction that keeps these axes."""
    if not x.ndim:
        return F.reshape(x, 1), []
    axes = list(range(x.ndim)) if dim is None or dim == () else [dim] if not hasattr(dim, "__iter__") else list(dim)
    axes = [axis + x.ndim if axis < 0 else axis for axis in axes]
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    size = int(numpy.prod([x.shape[axis] for axis in axes if axis < x.ndim]))
    flat = F.reshape(F.permute(x, rest + axes), [x.shape[axis] for axis in rest] + [size])
    return flat, [1 if axis in axes else n for axis, n in enumerate(x.shape)]


def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    flat, kept = joined(input, dim)
    y = F.logsumexp(flat, -1)
    return F.reshape(y, kept) if keepdim else y


def quantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    if dim is not None and input.ndim:
        return F.quantile(input, q, dim, keepdim, interpolation)
    y = F.quantile(F.reshape(input, -1), q, 0, False, interpolation)
    return F.reshape(y, list(y.shape) + [1] * input.ndim) if keepdim else y


def median(input: Any, dim: Any = None, keepdim: bool = False, *, return_indices: bool = False) -> Any:
    if dim is None:
        return F.median(F.reshape(input, -1), 0)
    return F.median(input, dim, keepdim, return_indices=return_indices)


def extreme(name: str) -> Any:
    def of_two(input: Any, other: Any) -> Any:
        if not isinstance(other, Tensor):
            raise Unfit
        return getattr(F, f"{name}imum")(input, other)
    return of_two


max, min = extreme("max"), extreme("min")


def whole(n: Any) -> Any:
    return int(n) if n == int(n) else n


def var(input: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None) -> Any:
    if isinstance(dim, (bool, numpy.bool_)):
        refuse("var", f"axis is {dim}: a bool is no axis: write correction={int(dim)}")
    return L.var(input, dim, correction=whole(unbiased if correction is None else correction), keepdim=keepdim)


def std(input: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None) -> Any:
    if isinstance(dim, (bool, numpy.bool_)):
        refuse("std", f"axis is {dim}: a bool is no axis: write correction={int(dim)}")
    return L.std(input, dim, correction=whole(unbiased if correction is None else correction), keepdim=keepdim)


def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False) -> Any:
    return L.norm(input, 2.0 if p in ("fro", None) else p, dim, keepdim=keepdim)


def sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False, *, return_indices: bool = False) -> Any:
    return F.sort_axis(input, dim, descending=descending, return_indices=return_indices)


def argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return F.argsort(input, dim, descending=descending)


def topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, return_indices: bool = False) -> Any:
    return F.topk(input, k, dim, largest, return_indices=return_indices)


def unique(input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None) -> Any:
    if dim is None:
        return F.unique(input, return_inverse=return_inverse, return_counts=return_counts)
    options: Any = dict(return_inverse=return_inverse, return_counts=return_counts, axis=dim)
    found: Any = numpy.unique(input.numpy(), **options)
    if not return_inverse and not return_counts:
        return heed.tensor(found)
    return tuple(heed.tensor(part.reshape(-1) if i else part) for i, part in enumerate(found))


def stride(input: Any, dim: Any = None) -> Any:
    return F.stride(input, dim) if dim is not None else tuple(F.stride(input, axis) for axis in range(input.ndim))


def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    return F.diagonal(input, offset, dim1, dim2)


def slice(input: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    return F.slice(input, dim, 0 if start is None else start, heed._indexing.END if end is None else end, step)


def squeeze(input: Any, dim: Any = None) -> Any:
    if dim is not None and not hasattr(dim, "__iter__"):
        return F.squeeze(input, dim)
    axes = [i for i, n in enumerate(input.shape) if n == 1] if dim is None else [i + input.ndim if i < 0 else i for i in dim]
    for axis in sorted(axes, reverse=True):
        input = F.squeeze(input, axis)
    return input


def expand(input: Any, *sizes: Any) -> Any:
    shape = list(heed._indexing.given(sizes))
    known = [None] * (len(shape) - input.ndim) + list(input.shape)
    return F.expand(input, [k if n == -1 and k is not None else n for n, k in zip(shape, known)])


def roll(input: Any, shifts: Any, dims: Any) -> Any:
    if not hasattr(shifts, "__iter__") or not hasattr(dims, "__iter__"):
        return L.roll(input, shifts, dims)
    if len(shifts) != len(dims):
        raise ValueError(f"roll: shifts has {len(shifts)} numbers and dims {len(dims)}: they must be equal in number")
    for shift, dim in zip(shifts, dims):
        input = F.roll(input, shift, dim)
    return input


def repeat_interleave(input: Any, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Any:
    if dim is None:
        input, dim = F.reshape(input, -1), 0
    if isinstance(repeats, Tensor):
        counts = numpy.broadcast_to(repeats.numpy(), input.shape[dim])
        return F.index_select(input, dim, heed.tensor(numpy.repeat(numpy.arange(input.shape[dim]), counts)))
    return F.repeat_interleave(input, repeats, dim)


def meshgrid(*tensors: Any, indexing: str = "ij") -> Any:
    vectors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return L.meshgrid(*(F.reshape(t, 1) if isinstance(t, Tensor) and not t.ndim else t for t in vectors), indexing=indexing)


def einsum(equation: str, *operands: Any) -> Any:
    return F.einsum(equation, list(operands[0] if isinstance(operands[0], (list, tuple)) else operands))


# NumPy's functions without an axis.


def cumsum(a: Any, axis: Any = None) -> Any:
    return F.cumsum(F.reshape(a, -1) if axis is None else a, 0 if axis is None else axis)


def cumprod(a: Any, axis: Any = None) -> Any:
    return F.cumprod(F.reshape(a, -1) if axis is None else a, 0 if axis is None else axis)


def flip(m: Any, axis: Any = None) -> Any:
    return F.flip(m, tuple(range(m.ndim)) if axis is None else axis)


def transpose(a: Any, axes: Any = None) -> Any:
    return F.permute(a, tuple(reversed(range(a.ndim))) if axes is None else axes)


# -- New tensors ----------------------------------------------------------------------------------------------------------


def sized(name: str) -> Any:
    """zeros(2, 3)."""
    def make(*size: Any, dtype: Any = "f32") -> Any:
        if not all(hasattr(n, "__index__") for n in size[len(size) == 1:]):
            raise Unfit
        return getattr(F, name)(heed._indexing.given(size), dtype or "f32")
    return make


zeros, ones, empty, rand, randn = map(sized, ("zeros", "ones", "empty", "rand", "randn"))


def like(name: str) -> Any:
    """zeros_like(x, dtype="f64")."""
    def make(input: Any, *, dtype: Any = None) -> Any:
        return getattr(F, name)(input.shape, dtype or input.dtype)
    return make


zeros_like, ones_like, rand_like, randn_like = map(like, ("zeros", "ones", "rand", "randn"))


def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    return F.full(input.shape, fill_value, dtype or input.dtype)


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    return L.arange(start, end, step, dtype)


def linspace(start: Any, end: Any, steps: int, *, dtype: Any = "f32") -> Any:
    """As in PyTorch and NumPy, whole numbers are the rounded numbers towards 0."""
    if heed._kinds.kind_of("enum.heed_dtype").from_param(dtype).value != heed._kinds.DTYPES.index("i64"):
        return F.linspace(start, end, steps, dtype)
    if float(start) % 1 or float(end) % 1:
        raise ValueError(f"linspace: {start} and {end} must be whole numbers for i64: "
                         "write heed.to_dtype(heed.linspace(...), 'i64')")
    return F.to_dtype(F.linspace(start, end, steps, "f64"), "i64")


def randint(*limits: Any, low: int = 0, high: Any = None, size: Any = None, dtype: Any = None) -> Any:
    """randint(high, size) or randint(low, high, size)."""
    given = list(limits) + [value for value in (high, size) if value is not None]
    first = given[:-2] or [low]
    found = F.randint(*first, *given[-2:])
    return found if dtype is None else F.to_dtype(found, dtype)


def normal(mean: Any, std: Any = 1.0, size: Any = None, *, dtype: Any = "f32") -> Any:
    if size is not None:
        return F.normal(mean, std, size, dtype or "f32")
    shape = numpy.broadcast_shapes(*(t.shape if isinstance(t, Tensor) else () for t in (mean, std)))
    one = mean if isinstance(mean, Tensor) else std
    with heed.no_grad():
        return mean + std * F.randn(shape, one.dtype)


def bernoulli(input: Any) -> Any:
    return F.to_dtype(F.rand_like(input) < input, input.dtype)


# -- Arithmetic -----------------------------------------------------------------------------------------------------------


def scaled(other: Any, alpha: Any) -> Any:
    if isinstance(alpha, bool) and isinstance(other, Tensor) and other.dtype == "bool":
        return F.logical_and(other, alpha)
    return other if alpha == 1 else other * alpha


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return F.add(input, scaled(other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return F.sub(input, scaled(other, alpha))


def div(input: Any, other: Any, *, rounding_mode: Any = None) -> Any:
    if rounding_mode is None:
        return F.div(input, other)
    if rounding_mode == "floor":
        return F.floor_divide(input, other)
    if rounding_mode != "trunc":
        raise ValueError(f"div: rounding_mode is {rounding_mode!r}: must be None, 'trunc' or 'floor'")
    quotient = F.div(input, other)
    if "f" in input.dtype or isinstance(other, float) or isinstance(other, Tensor) and "f" in other.dtype:
        return F.sign(quotient) * F.floor(F.abs(quotient))
    sign = F.sign(input) * (F.sign(other) if isinstance(other, Tensor) else 1 - 2 * (other < 0))
    return F.floor_divide(F.abs(input), abs(other)) * sign


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        raise ValueError("clamp: min and max are None: one of them must be a number or a tensor")
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return F.clamp(input, -numpy.inf if min is None else min, numpy.inf if max is None else max)
    low = input if min is None else F.maximum(input, min)
    return low if max is None else F.minimum(low, max)


def lerp(input: Any, end: Any, weight: Any) -> Any:
    return F.lerp(input, end, weight) if isinstance(weight, Tensor) else F.lerp_scalar(input, end, weight)


def round(input: Any, *, decimals: int = 0) -> Any:
    return F.round(input) if decimals == 0 else F.round(input * 10.0**decimals) / 10.0**decimals


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    value = F.to_dtype(value, input.dtype) if isinstance(value, Tensor) else heed._operators.scalar(input, value)
    return F.where(mask, value, input)


def searchsorted(sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False, side: Any = None,
                 sorter: Any = None) -> Any:
    if out_int32:
        refuse("searchsorted", "out_int32 is True: heed has no i32: the indices are i64")
    if side not in (None, "left", "right") or side == "left" and right:
        raise ValueError(f"searchsorted: side is {side!r} and right {right}: side must be 'left' or 'right'")
    if sorter is not None:
        sorted_sequence = F.gather(sorted_sequence, -1, sorter)
    return F.searchsorted(sorted_sequence, values, right=right or side == "right")


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    found = F.nonzero(F.reshape(input, 1) if as_tuple and not input.ndim else input)
    return tuple(F.select(found, 1, i) for i in range(found.shape[1])) if as_tuple else found


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """where(condition) is nonzero as in both libraries, x.where(condition, other) is PyTorch's method."""
    if input is None and other is None:
        return nonzero(heed._convert.as_tensor(condition), as_tuple=True)
    if getattr(condition, "dtype", "bool") != "bool" and getattr(input, "dtype", "") == "bool":
        return F.where(input, condition, other)
    return F.where(condition, input, other)


def within(src: Any, index: Any) -> Any:
    """The first elements of src, in the shape of the index."""
    for axis, n in enumerate(index.shape):
        src = F.narrow(src, axis, 0, n)
    return src


def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
    if reduce not in (None, "add"):
        refuse("scatter", f"reduce is {reduce!r}: must be None or 'add'")
    number = value if src is None else src
    src = within(number, index) if isinstance(number, Tensor) else F.full(index.shape, number, input.dtype)
    if reduce == "add":
        return input + F.scatter_sum(src, dim, index, input.shape)
    return F.scatter(input, dim, index, src)


def embedding(input: Any, weight: Any, padding_idx: Any = None) -> Any:
    if padding_idx is None:
        return F.embedding(input, weight)
    return F.embedding_padded(input, weight, padding_idx + weight.shape[0] if padding_idx < 0 else padding_idx)


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    return F.one_hot(tensor, int(L.max(tensor).item()) + 1 if num_classes == -1 else num_classes)


def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    return F.solve_triangular(A, B, upper=upper, right=not left, unit_diagonal=unitriangular)


def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    return F.cdist(x1, x2, p)  # compute_mode chooses between algorithms, not between results


# -- Activations and layers -----------------------------------------------------------------------------------------------


def softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    y = input * beta
    return F.where(y > threshold, input, F.softplus(y) / beta)


def gelu(input: Any, approximate: str = "none") -> Any:
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: approximate is {approximate!r}: must be 'none' or 'tanh'")
    return F.gelu(input) if approximate == "none" else F.gelu_tanh(input)


def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
               momentum: float = 0.1, eps: float = 1e-5) -> Any:
    """With training, also moves the running statistics towards those of the batch, in place."""
    if not training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, eps=eps)
    of_the_batch: Any = None
    y, found = F.batch_norm(input, of_the_batch, of_the_batch, weight, bias, eps=eps, return_statistics=True)
    n = F.numel(input) // input.shape[1]
    for running, of_batch, factor in ((running_mean, found[0], 1.0), (running_var, found[1], n / (n - 1))):
        if running is not None:
            running.copy_(running * (1 - momentum) + of_batch * (momentum * factor))
    return y


def instance_norm(input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
                  use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5) -> Any:
    if not use_input_stats:
        return F.batch_norm(input, running_mean, running_var, weight, bias, eps=eps)
    if running_mean is not None or running_var is not None:
        refuse("instance_norm", "it updates no running statistics: leave out running_mean and running_var, on which the result "
                                "does not depend")
    return F.instance_norm(input, weight=weight, bias=bias, eps=eps)


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    two = (pair(n) for n in (kernel_size, stride, padding, dilation))
    kernel, stride, padding, dilation = two
    return F.unfold(input, kernel, stride=stride, padding=padding, dilation=dilation)


def pair(n: Any) -> Any:
    return (n, n) if not hasattr(n, "__iter__") else n


def interpolate(input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None,
                recompute_scale_factor: Any = None) -> Any:
    axes = input.ndim - 2
    factors = scale_factor if hasattr(scale_factor, "__iter__") else (scale_factor,) * axes
    size = size if size is None or hasattr(size, "__iter__") else (size,) * axes
    if recompute_scale_factor and size is None:
        size = [int(n * factor) for n, factor in zip(input.shape[2:], factors)]
    if size is not None:
        return F.interpolate(input, size=size, mode=mode, align_corners=bool(align_corners))
    return F.interpolate(input, scale_factor=factors[0], scale_factor_w=factors[-1] if axes == 2 else 0.0, mode=mode,
                         align_corners=bool(align_corners))


# -- Losses ---------------------------------------------------------------------------------------------------------------


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    if eps != 1e-8:
        refuse("cosine_similarity", f"eps is {eps}: the function needs no eps: leave it out")
    return F.cosine_similarity(x1, x2, dim)


def kl_div(input: Any, target: Any, *, reduction: str = "mean", log_target: bool = False) -> Any:
    if reduction != "batchmean":
        return F.kl_div(input, target, reduction=reduction, log_target=log_target)
    return F.kl_div(input, target, reduction="sum", log_target=log_target) / (input.shape[0] if input.ndim else 1)


def poisson_nll_loss(input: Any, target: Any, log_input: bool = True, full: bool = False, *, eps: float = 1e-8,
                     reduction: str = "mean") -> Any:
    return F.poisson_nll_loss(input, target, reduction=reduction, no_log_input=not log_input, full=full,
                              eps=0.0 if log_input else eps)


def gaussian_nll_loss(input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> Any:
    shape = numpy.broadcast_shapes(input.shape, target.shape)
    if isinstance(var, Tensor):
        if var.shape != input.shape and var.shape == input.shape[:-1]:
            var = F.unsqueeze(var, -1)
        var = F.expand(var, shape)
    else:
        var = F.full(shape, var, input.dtype)
    return F.gaussian_nll_loss(F.expand(input, shape), F.expand(target, shape), var, reduction=reduction, full=full, eps=eps)
