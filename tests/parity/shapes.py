"""tests/parity/shapes.py - reference results of reductions, ops that change shapes, and ops of order and indices."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import sys
from functools import partial

import torch
import torch.nn.functional as F

from case import booleans, case, integers, lengths, number, real, reals, reference, references

# -- Reductions -----------------------------------------------------------------------------------------------------


def reductions(function, shapes):
    """Cases of function(x, axes, keepdim), over all axes, then over some axes."""
    for shape in shapes:
        yield case(lambda x: function(x, tuple(range(x.dim())), False), [real(*shape)])
    for shape, axes, keepdim in (((2, 3), [0], False), ((2, 3), [-1], True), ((2, 3, 4), [0, 2], False),
                                 ((2, 1, 4), [1], False), ((3, 2, 2), [2, 0, 1], True), ((0, 3), [1], False)):
        yield case(lambda x: function(x, axes, keepdim), [real(*shape)], axes=axes, keepdim=keepdim)


def over(function):
    return lambda x, axes, keepdim: function(x, dim=axes, keepdim=keepdim) if axes != () else function(x)


@reference("sum")
def sum_():
    yield from reductions(over(torch.sum), [(), (1,), (5,), (3, 4), (0,), (0, 3)])
    yield case(lambda x: x.sum(0), [real(0, 3)], axes=[0])
    yield case(torch.sum, [integers(3, 4, low=-9, high=10)])
    yield case(lambda x: x.sum(1), [integers(3, 4, low=-9, high=10)], axes=[1])
    yield case(lambda x: x.sum(0), [booleans(5, 3)], axes=[0])


@reference("mean")
def mean():
    yield from reductions(over(torch.mean), [(), (1,), (5,), (3, 4), (0,)])


def without_nan(function):
    for shape in ((), (1,), (5,), (3, 4), (0,)):
        yield case(function, [real(*shape)], axes=[])
    for shape, axes, keepdim in (((2, 3), [0], False), ((2, 3), [-1], True), ((2, 3, 4), [0, 2], False), ((0, 3), [1], False)):
        yield case(lambda x: function(x, axes, keepdim), [real(*shape)], axes=axes, keepdim=keepdim)
    nan = float("nan")
    yield case(lambda x: function(x, 1), [reals(1, nan, 2, nan, -1, nan, -1, 4, 0.5).reshape(3, 3)], axes=[1])
    # The gradient of a row of NaN is 0, as at every NaN, not NaN.
    yield case(lambda x: function(x, 1), [reals(1, nan, nan, nan).reshape(2, 2)], gradient=False, axes=[1])
    yield case(lambda x: function(x, 0), [reals(nan, float("inf"), 1, nan)], axes=[0])


@reference("nansum")
def nansum():
    yield from without_nan(torch.nansum)
    yield case(lambda x: torch.nansum(x, 1), [integers(3, 4, low=-9, high=10)], axes=[1])


references["nanmean"] = partial(without_nan, torch.nanmean)


def extremes(function):
    yield from reductions(over(function), [(), (1,), (5,), (3, 4)])
    yield case(lambda x: function(x, 1), [reals(1.0, 3.0, 3.0, 2.0, 2.0, 2.0).reshape(2, 3)], axes=[1])  # equal numbers
    yield case(lambda x: function(x, 0), [integers(3, 4, low=-9, high=10)], axes=[0])


for key, find in (("max", torch.amax), ("min", torch.amin)):
    references[key] = partial(extremes, find)


def indices(function):
    for shape in ((1,), (5,)):
        yield case(function, [real(*shape)], axis=0)
    for shape, axis, keepdim in (((2, 3), 0, False), ((2, 3), -1, True), ((2, 3, 4), 1, False), ((0, 3), 1, False)):
        yield case(lambda x: function(x, axis, keepdim), [real(*shape)], axis=axis, keepdim=keepdim)
    yield case(lambda x: function(x, 0), [integers(4, 2, low=-9, high=9)], axis=0)


def of_masks(function):
    for shape in ((), (1,), (5,), (3, 4), (0,)):
        yield case(function, [booleans(*shape)], axes=[])
    for shape, axis, keepdim in (((2, 3), 0, False), ((2, 3), -1, True), ((2, 3, 4), 1, False), ((0, 3), 0, False)):
        yield case(lambda x: function(x, axis, keepdim), [booleans(*shape)], axes=[axis], keepdim=keepdim)


for key in ("argmax", "argmin"):
    references[key] = partial(indices, getattr(torch, key))
for key in ("any", "all"):
    references[key] = partial(of_masks, getattr(torch, key))


def spread(function):
    for shape, correction in (((5,), 1), ((3, 4), 0), ((2, 2), 2)):
        yield case(lambda x: function(x, list(range(x.dim())), correction=correction), [real(*shape)], axes=[],
                   correction=correction)
    for shape, axes, correction, keepdim in (((2, 3), [0], 0, False), ((2, 3), [-1], 1, True),
                                             ((2, 3, 4), [0, 2], 1, False), ((0, 3), [1], 1, False)):
        yield case(lambda x: function(x, axes, correction=correction, keepdim=keepdim), [real(*shape)], axes=axes,
                   correction=correction, keepdim=keepdim)


@reference("var")
def var():
    yield from spread(torch.var)


@reference("std")
def std():
    yield from spread(torch.std)
    yield case(lambda x: torch.std(x, 1), [reals(1, 2, 4, 3, 3, 3).reshape(2, 3)], axes=[1], correction=1)  # 0


@reference("norm")
def norm():
    for p in (1.0, 2.0, 3.0, 0.5, 1.5, 0.0, float("inf"), float("-inf")):
        written = p if abs(p) < 9 else str(p)
        yield case(lambda x: torch.linalg.vector_norm(x, p), [real(3, 4)], p=written, axes=[])
        yield case(lambda x: torch.linalg.vector_norm(x, p, 0, True), [real(3, 4)], p=written, axes=[0], keepdim=True)
        zeros = reals(0, 0, 0, 0, -2, 1).reshape(2, 3)
        if p >= 0:
            yield case(lambda x: torch.linalg.vector_norm(x, p, 1), [zeros], p=written, axes=[1])
    for p in (-1.0, -2.0):
        yield case(lambda x: torch.linalg.vector_norm(x, p), [real(3, 4)], p=p, axes=[])
        yield case(lambda x: torch.linalg.vector_norm(x, p, 1), [reals(0, 1, 2, 3, -2, 1).reshape(2, 3)], p=p, axes=[1])
    yield case(lambda x: torch.linalg.vector_norm(x, 0.0), [reals(float("nan"), 1, 0)], p=0.0, axes=[], gradient=False)
    yield case(lambda x: torch.linalg.vector_norm(x, 2.0, 0), [real(0, 3)], p=2.0, axes=[0])


@reference("prod")
def prod():
    for shape in ((), (1,), (5,), (3, 4), (0,)):
        yield case(torch.prod, [real(*shape)], axes=[])
    for shape, axis, keepdim in (((2, 3), 0, False), ((2, 3), -1, True), ((2, 7, 2), 1, False), ((0, 3), 0, False)):
        yield case(lambda x: torch.prod(x, axis, keepdim), [real(*shape)], axes=[axis], keepdim=keepdim)
    yield case(lambda x: torch.prod(x, 1), [reals(1, 2, 3, 1, 0, 3, 0, 2, 0).reshape(3, 3)], axes=[1])
    yield case(lambda x: torch.prod(x, 0), [integers(4, 2, low=-9, high=9)], axes=[0])


@reference("median")
def median():
    for shape, axis, keepdim in (((5,), 0, False), ((6,), 0, True), ((3, 4), 0, False), ((3, 4), -1, True), ((2, 5, 2), 1, False),
                                 ((0, 3), 1, False)):
        x = torch.randperm(math.prod(shape), generator=torch.Generator().manual_seed(1)).reshape(shape).double() / 4
        yield case(lambda x: torch.median(x, axis, keepdim), [x], axis=axis, keepdim=keepdim)
    nan, inf = float("nan"), float("inf")
    yield case(lambda x: torch.median(x, 1), [reals(3, nan, 1, nan, inf, -inf, 1, 0).reshape(2, 4)], axis=1)
    yield case(lambda x: torch.median(x, 0), [lengths(7, -3, 9, 5)], axis=0)


@reference("quantile")
def quantile():
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        for shape, q, axis, keepdim in (((5,), (), 0, False), ((6,), (3,), 0, True), ((3, 4), (2,), 0, False),
                                        ((2, 5, 2), (), -2, True), ((2, 5, 2), (3,), 1, False)):
            levels = real(*q, low=0.0, high=1.0)
            yield case(lambda x, q: torch.quantile(x, q, axis, keepdim, interpolation=mode), [real(*shape), levels],
                       axis=axis, keepdim=keepdim, interpolation=mode)
        yield case(lambda x, q: torch.quantile(x, q, 0, interpolation=mode), [real(5), reals(0, 0.25, 0.5, 1)], axis=0,
                   interpolation=mode)
        yield case(lambda x, q: torch.quantile(x, q, 1, interpolation=mode),
                   [reals(3, float("nan"), 1, 4, 2, float("nan"), 1, 0, 5).reshape(3, 3), reals(0.3)], axis=1, interpolation=mode)


@reference("trapezoid")
def trapezoid():
    for shape, x, axis in (((5,), (5,), 0), ((3, 4), (4,), -1), ((3, 4), (3, 4), 1), ((2, 3), (1, 3), 1)):
        yield case(lambda y, x: torch.trapezoid(y, x, dim=axis), [real(*shape), real(*x)], dx=0.0, axis=axis)
    for shape, dx, axis in (((5,), 0.5, 0), ((3, 4), -2.0, 0), ((2, 3, 4), 0.25, 1), ((2, 1), 1.0, 1)):
        yield case(lambda y: torch.trapezoid(y, dx=dx, dim=axis), [real(*shape)], dx=dx, axis=axis)


# -- Ops of one tensor and arguments --------------------------------------------------------------------------------


def slice_(x, axis, start, stop, step):
    return x.movedim(axis, 0)[start:stop:step].movedim(0, axis)


def unslice(x, axis, start, step, size):
    whole = list(x.shape)
    whole[axis] = size
    stop = start + step * (x.shape[axis] - 1) + 1 if x.shape[axis] else start
    return torch.slice_scatter(torch.zeros(whole, dtype=x.dtype), x, axis, start, stop, step)


END = sys.maxsize

# name: the function, the names of its arguments, and one row per case: a shape, or a function that returns the input, and
# the arguments.
WITH_ARGUMENTS = {
    "cumsum": (torch.cumsum, ["axis"], [
        ((5,), 0), ((3, 4), 0), ((3, 4), -1), ((2, 3, 2), 1), ((0, 3), 0), ((1,), 0),
        (partial(integers, 7, low=-9, high=9), 0)]),
    "cumprod": (torch.cumprod, ["axis"], [
        ((5,), 0), ((3, 4), 0), ((3, 4), -1), ((2, 3, 2), 1), ((0, 3), 0), ((1,), 0),
        (partial(reals, 2, 0, 3, 0, -1.5), 0), (partial(integers, 7, low=-9, high=9), 0)]),
    "sum_to": (torch.Tensor.sum_to_size, ["shape"], [
        ((2, 3), [1, 3]), ((2, 3), [3]), ((2, 3, 4), [3, 1]), ((4,), []), ((2, 2), [2, 2]), ((0, 3), [1, 3]), ((1, 1), [1])]),
    "reshape": (torch.reshape, ["shape"], [
        ((2, 3), [3, 2]), ((2, 3), [-1]), ((6,), [1, -1, 2]), ((1,), []), ((), [1, 1]), ((0, 3), [3, 0]),
        (partial(integers, 4, high=9), [2, 2])]),
    "transpose": (torch.transpose, ["axis_a", "axis_b"], [
        ((2, 3), 0, 1), ((2, 3, 4), -1, 0), ((1, 5), 0, 1), ((2, 2), 1, 1), ((0, 3), 0, 1)]),
    "permute": (torch.permute, ["order"], [
        ((2, 3), [1, 0]), ((2, 3, 4), [2, 0, 1]), ((2, 1, 3, 2), [-1, 1, 0, 2]), ((), []), ((0, 3, 1), [2, 1, 0])]),
    "movedim": (torch.movedim, ["source", "destination"], [
        ((2, 3), [0], [-1]), ((2, 3, 4), [0, 1], [1, 2]), ((2, 1, 3, 2), [-1, 1], [0, -1]), ((0, 3, 1), [2], [0])]),
    "squeeze": (torch.squeeze, ["axis"], [((2, 1), 1), ((1, 3), 0), ((1,), -1), ((2, 1, 3), -2), ((0, 1), 1)]),
    "unsqueeze": (torch.unsqueeze, ["axis"], [((3,), 0), ((3,), -1), ((2, 3), 1), ((), 0), ((2, 3), -2), ((0,), 1)]),
    "flatten": (torch.flatten, ["start_axis", "end_axis"], [
        ((2, 3, 4), 1, -1), ((2, 3), 0, 0), ((2, 1, 3, 2), -3, 2), ((), 0, -1), ((0, 3), 0, 1)]),
    "pixel_shuffle": (torch.pixel_shuffle, ["factor"], [
        ((4, 2, 3), 2), ((1, 9, 1, 2), 3), ((2, 8, 1, 2), 2), ((2, 1, 3), 1), (partial(integers, 4, 2, 2, high=9), 2)]),
    "pixel_unshuffle": (torch.pixel_unshuffle, ["factor"], [
        ((1, 4, 6), 2), ((2, 2, 3, 3), 3), ((1, 2, 2, 4), 2), ((2, 1, 3), 1)]),
    "expand": (torch.Tensor.expand, ["shape"], [
        ((3,), [2, 3]), ((2, 1), [2, 4]), ((), [2, 2]), ((1, 3, 1), [2, 3, 2]), ((1, 3), [0, 3]), ((2, 2), [2, 2])]),
    "slice": (slice_, ["axis", "start", "stop", "step"], [
        ((5,), 0, 1, 4, 1), ((3, 5), 1, 0, 5, 2), ((3, 5), -1, -3, -1, 1), ((4,), 0, -9, 99, 3), ((4, 2), 0, 3, 1, 1),
        ((7,), 0, 2, END, 2), ((0, 2), 0, 0, 1, 1)]),
    "unslice": (unslice, ["axis", "start", "step", "size"], [
        ((3,), 0, 1, 1, 5), ((2, 3), 1, 0, 2, 5), ((2, 3), -2, 1, 3, 6), ((1,), 0, 0, 1, 1), ((0, 2), 0, 1, 1, 3)]),
    "select": (torch.select, ["axis", "index"], [
        ((3,), 0, 1), ((2, 3), 1, -1), ((2, 3, 2), 0, 0), ((2, 3, 2), -2, 2), ((3, 0), 0, 1)]),
    "narrow": (torch.narrow, ["axis", "start", "length"], [
        ((3,), 0, 1, 2), ((2, 3), 1, -2, 1), ((2, 3, 2), -2, 0, 3), ((3, 0), 0, 1, 1), ((4,), 0, 4, 0)]),
    "repeat_interleave": (torch.repeat_interleave, ["repeats", "axis"], [
        ((3,), 2, 0), ((2, 3), 3, 1), ((2, 3), 1, 0), ((2, 2), 0, 0), ((2, 1, 2), 2, -2), ((0, 2), 2, 0)]),
    "tile": (torch.tile, ["repeats"], [
        ((3,), [2]), ((2, 3), [2, 1]), ((2,), [3, 2]), ((2, 1, 2), [2, 2]), ((), [3]), ((2, 2), [0, 2]), ((0,), [2])]),
    "flip": (torch.flip, ["axes"], [
        ((4,), [0]), ((2, 3), [1]), ((2, 3, 2), [0, -1]), ((1,), [0]), ((0, 2), [1]), ((2, 3), [])]),
    "roll": (lambda x, axis, shift: torch.roll(x, shift, axis), ["axis", "shift"], [
        ((4,), 0, 1), ((2, 3), -1, -2), ((2, 3, 2), 1, 5), ((3,), 0, 0), ((0, 2), 0, 1)]),
    "tril": (torch.tril, ["diagonal"], [
        ((3, 3), 0), ((2, 4), 1), ((4, 2), -2), ((2, 3, 2), 0), ((2, 3), 9), ((0, 3), 0), (partial(booleans, 3, 3), 0)]),
    "triu": (torch.triu, ["diagonal"], [
        ((3, 3), 0), ((2, 4), 1), ((4, 2), -2), ((2, 3, 2), 0), ((2, 3), 9), ((0, 3), 0),
        (partial(integers, 3, 3, high=9), 1)]),
    "diagonal": (torch.diagonal, ["offset", "axis_a", "axis_b"], [
        ((3, 3), 0, 0, 1), ((2, 4), 2, 0, 1), ((4, 2), -1, 0, 1), ((2, 3, 4), 1, 0, 2), ((2, 3, 2, 3), 0, -1, 1),
        ((2, 3), 5, 0, 1), ((0, 3), 0, 0, 1)]),
    "diag": (torch.diag, ["offset"], [((3,), 0), ((2,), 1), ((2,), -2), ((2, 3), 1), ((3, 2), -1), ((3, 3), 0)]),
}


def with_arguments(name):
    function, names, rows = WITH_ARGUMENTS[name]
    for shape, *values in rows:
        x = shape() if callable(shape) else real(*shape)
        yield case(lambda x: function(x, *values), [x], **dict(zip(names, values)))


for key in WITH_ARGUMENTS:
    references[key] = partial(with_arguments, key)

# -- Other shapes ---------------------------------------------------------------------------------------------------


@reference("concat")
def concat():
    for shapes, axis in ((((2, 3), (1, 3)), 0), (((2, 3), (2, 1), (2, 2)), -1), (((3,),), 0), (((0, 2), (1, 2)), 0),
                         (((2, 1, 2), (2, 3, 2)), 1)):
        yield case(lambda *t: torch.cat(t, axis), [real(*s) for s in shapes], axis=axis)


@reference("stack")
def stack():
    for shape, count, axis in (((2, 3), 2, 0), ((2, 3), 3, -1), ((), 3, 0), ((3,), 1, 1), ((0, 2), 2, 1)):
        yield case(lambda *t: torch.stack(t, axis), [real(*shape) for _ in range(count)], axis=axis)


@reference("pad")
def pad():
    for shape, pads, value in (((3,), [1, 2], 0.0), ((2, 3), [0, 1, 2, 0], -1.5), ((2, 3), [-1, 2], 2.0),
                               ((2, 1, 2), [1, 0, -1, 1, 0, 2], 0.25), ((0, 2), [1, 1, 1, 0], 3.0), ((2, 2), [], 0.0)):
        yield case(lambda x: F.pad(x, pads, "constant", value), [real(*shape)], pads=pads, mode="constant",
                   value=value)
    for mode in ("reflect", "replicate", "circular"):
        for shape, pads in (((1, 2, 4), [2, 1]), ((1, 1, 3, 3), [1, 2, 0, 1]), ((2, 1, 2, 3), [0, 2, 1, 1])):
            yield case(lambda x: F.pad(x, pads, mode), [real(*shape)], pads=pads, mode=mode, value=0.0)


# -- Order and indices ----------------------------------------------------------------------------------------------


@reference("sort")
def sort():
    yield case(lambda x: torch.sort(x)[0], [real(2, 7)])
    for shape, axis, descending in (((7,), 0, False), ((3, 4), 0, True), ((3, 4), -1, False), ((2, 3, 2), 1, True),
                                    ((1,), 0, False), ((0, 3), 0, False)):
        yield case(lambda x: torch.sort(x, dim=axis, descending=descending, stable=True), [real(*shape)], axis=axis,
                   descending=descending)
    for descending in (False, True):  # equal numbers, NaN and infinities
        x = reals(1, 0, 1, float("nan"), 0, float("-inf"), float("inf"), 1)
        yield case(lambda x: torch.sort(x, dim=0, descending=descending, stable=True), [x], axis=0,
                   descending=descending)
    yield case(lambda x: torch.sort(x, dim=0, stable=True), [integers(9, low=-3, high=3)], axis=0, descending=False)


@reference("argsort")
def argsort():
    for shape, axis, descending in (((7,), 0, False), ((3, 4), 0, True), ((2, 3, 2), 1, True), ((0, 3), 0, False)):
        yield case(lambda x: torch.sort(x, dim=axis, descending=descending, stable=True)[1], [real(*shape)],
                   axis=axis, descending=descending)
    x = reals(1, float("nan"), 0, float("-inf"), float("inf"), 1)
    yield case(lambda x: torch.sort(x, dim=0, descending=True, stable=True)[1], [x], axis=0, descending=True)


@reference("topk")
def topk():
    for shape, axis, k, largest in (((7,), 0, 3, True), ((7,), 0, 7, False), ((3, 4), 0, 2, True), ((3, 5), -1, 1, False),
                                    ((2, 3, 2), 1, 2, True), ((4,), 0, 0, True), ((0, 3), 1, 2, True)):
        x = torch.randperm(math.prod(shape), generator=torch.Generator().manual_seed(1)).reshape(shape).double() / 4
        yield case(lambda x: torch.topk(x, k, dim=axis, largest=largest), [x], axis=axis, k=k, largest=largest)
    x = reals(1, float("nan"), 0, float("-inf"), float("inf"))
    yield case(lambda x: torch.topk(x, 2, dim=0), [x], axis=0, k=2, largest=True)
    yield case(lambda x: torch.topk(x, 4, dim=0, largest=False), [x], axis=0, k=4, largest=False)


@reference("unique")
def unique():
    def function(x):
        return torch.unique(x, return_inverse=True, return_counts=True)
    for x in (integers(9, low=-2, high=3), integers(2, 3, 2, high=3), real(3, 2), reals(1, 0, 1, 0, 0.5), booleans(5),
              integers(high=5), integers(0, high=1)):
        yield case(function, [x], gradient=False)
        yield case(lambda x: function(x)[0], [x], gradient=False)


@reference("searchsorted")
def searchsorted():
    for shape, values, right in (((5,), (3,), False), ((5,), (2, 3), True), ((2, 4), (2, 3), False), ((2, 4), (2, 0), True),
                                 ((0,), (2,), False)):
        row = torch.sort(integers(*shape, high=4).double() / 2)[0]
        yield case(lambda s, v: torch.searchsorted(s, v, right=right), [row, integers(*values, high=8).double() / 4],
                   gradient=False, right=right)
        row = torch.sort(integers(*shape, high=4))[0]
        yield case(lambda s, v: torch.searchsorted(s, v, right=right), [row, integers(*values, high=5)], right=right)
    special = [reals(float("-inf"), 0, 1, float("inf")), reals(float("inf"), 0, float("-inf"))]  # without NaN, where torch is wrong
    for right in (False, True):
        yield case(lambda s, v: torch.searchsorted(s, v, right=right), special, gradient=False, right=right)


@reference("bincount")
def bincount():
    for count, high, least in ((7, 4, 0), (3, 2, 6), (0, 1, 0), (0, 1, 3)):
        yield case(lambda x: torch.bincount(x, minlength=least), [integers(count, high=high)], min_length=least)
        yield case(lambda x, w: torch.zeros(max([least, *(x + 1).tolist()]), dtype=w.dtype).index_add(0, x, w),
                   [integers(count, high=high), real(count)], min_length=least)


@reference("masked_fill")
def masked_fill():
    for shape, mask, value in (((3,), (3,), 0.0), ((2, 3), (3,), -1.5), ((2, 3, 2), (3, 1), float("-inf")), ((), (), 2.0),
                               ((0, 2), (1,), 1.0)):
        yield case(lambda x, m: x.masked_fill(m, value), [real(*shape), booleans(*mask)], value=number(value))


@reference("nonzero")
def nonzero():
    for x in (integers(7, low=-1, high=2), integers(2, 3, 2, high=2), booleans(3, 4), reals(0, float("nan"), -0.0, 2), integers(0, 3, high=2),
              integers(high=5)):
        yield case(torch.nonzero, [x], gradient=False)


@reference("masked_select")
def masked_select():
    for shape, mask in (((5,), (5,)), ((2, 3), (3,)), ((2, 3, 2), (3, 1)), ((3,), (2, 3)), ((), ()), ((0, 2), (2,))):
        yield case(torch.masked_select, [real(*shape), booleans(*mask)])


@reference("gather")
def gather():
    for shape, axis, index in (((4,), 0, integers(6, high=4)), ((3, 2), 0, integers(4, 2, high=3)),
                               ((3, 4), 1, integers(2, 3, high=4)), ((2, 3, 2), -1, integers(2, 3, 1, high=2)),
                               ((3, 2), 0, integers(0, 2, high=1))):
        yield case(lambda x, i: x.gather(axis, i), [real(*shape), index], axis=axis)


@reference("scatter_sum")
def scatter_sum():
    for index, axis, shape in ((integers(6, high=4), 0, [4]), (integers(4, 2, high=3), 0, [3, 2]),
                               (integers(2, 3, high=4), 1, [3, 4]), (integers(2, 3, 1, high=2), -1, [2, 3, 2]),
                               (integers(0, 2, high=1), 0, [3, 2])):
        yield case(lambda x, i: torch.zeros(shape, dtype=x.dtype).scatter_add(axis, i, x),
                   [real(*index.shape), index], axis=axis, shape=shape)


def distinct(*shape, axis, size):
    """Indices of which no row along the axis has the same one twice."""
    rows = torch.rand(*shape[:axis], size, *shape[axis + 1:], generator=torch.Generator().manual_seed(1)).argsort(axis)
    return rows.narrow(axis, 0, shape[axis])


@reference("scatter")
def scatter():
    for shape, axis, index in (((4,), 0, distinct(3, axis=0, size=4)), ((3, 2), 0, distinct(2, 2, axis=0, size=3)),
                               ((3, 4), 1, distinct(2, 3, axis=1, size=4)), ((2, 3, 2), 2, distinct(2, 2, 1, axis=2, size=2)),
                               ((3, 2), 0, integers(0, 2, high=1))):
        yield case(lambda x, i, s: x.scatter(axis, i, s), [real(*shape), index, real(*index.shape)], axis=axis)
    yield case(lambda x, i, s: x.scatter(0, i, s), [integers(4, high=9), lengths(3, 1), integers(2, high=9)], axis=0)


@reference("index_copy")
def index_copy():
    for shape, axis, count in (((4,), 0, 3), ((3, 2), 0, 2), ((2, 3), -1, 1), ((2, 3, 2), 1, 3), ((2, 3), 0, 0)):
        slices = list(shape)
        slices[axis] = count
        yield case(lambda x, i, s: x.index_copy(axis, i, s),
                   [real(*shape), distinct(count, axis=0, size=shape[axis]), real(*slices)], axis=axis)


@reference("index_select")
def index_select():
    for shape, axis, count in (((4,), 0, 6), ((3, 2), 0, 4), ((2, 3), -1, 1), ((2, 3, 2), 1, 5), ((2, 3), 0, 0)):
        yield case(lambda x, i: x.index_select(axis, i), [real(*shape), integers(count, high=shape[axis])], axis=axis)


@reference("index_sum")
def index_sum():
    for shape, axis, size in (((6,), 0, 4), ((4, 2), 0, 3), ((2, 1), -1, 3), ((2, 5, 2), 1, 3), ((0, 3), 0, 2)):
        def function(x, index):
            whole = list(x.shape)
            whole[axis] = size
            return torch.zeros(whole, dtype=x.dtype).index_add(axis, index, x)
        yield case(function, [real(*shape), integers(shape[axis], high=size)], axis=axis, size=size)


@reference("embedding")
def embedding():
    for indices, rows in ((integers(3, high=4), 4), (integers(2, 3, high=2), 2), (integers(high=5), 5),
                          (integers(2, 1, 2, high=3), 3), (integers(0, high=1), 3)):
        yield case(F.embedding, [indices, real(rows, 3)])
    for padding in (0, 2, -1, -3):
        yield case(lambda i, w: F.embedding(i, w, padding_idx=padding), [integers(2, 4, high=3), real(3, 2)],
                   padding_idx=padding)


@reference("one_hot")
def one_hot():
    types = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64, "bool": torch.bool}
    for (name, dtype), shape, classes in zip(types.items(), ((3,), (2, 3), (), (2, 1)), (4, 3, 2, 5)):
        yield case(lambda i: F.one_hot(i, classes).to(dtype), [integers(*shape, high=classes)], kinds=[name],
                   classes=classes, dtype=name)
    yield case(lambda i: torch.zeros(0, 3, dtype=torch.int64), [lengths()], kinds=["i64"], classes=3, dtype="i64")
