#!/usr/bin/env python3
"""companions/python/tests/test_axes.py - every function that takes an axis, for every axis, by position and by name, against
NumPy; and the order of arguments against NumPy and PyTorch."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import inspect
import itertools
import unittest

import setting
import heed
import numpy

A = numpy.random.default_rng(4).permutation(24).reshape(2, 3, 4) / 3.0
B = A[::-1] * A[:, ::-1]
TRUTHS = A > 3
EVEN = numpy.concatenate([A, A[:, :1]], 1)  # (2, 4, 4)


def softmax(a, axis):
    e = numpy.exp(a - a.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def gated(a, b):
    return a / (1 + numpy.exp(-b))


def indices(axis):
    shape = [2 if i == axis % 3 else n for i, n in enumerate(A.shape)]
    return numpy.random.default_rng(1).integers(0, 2, shape)


def scattered(axis):
    found, where = numpy.zeros((9, 9, 9)), numpy.indices(A.shape)
    where[axis] = places(axis)
    numpy.add.at(found, tuple(where), A)
    return found


def places(axis):
    return numpy.random.default_rng(2).integers(0, 9, A.shape)


def summed(axis):
    found = numpy.zeros([5 if i == axis % 3 else n for i, n in enumerate(A.shape)])
    numpy.add.at(numpy.moveaxis(found, axis, 0), [3] + [1] * (A.shape[axis] - 1), numpy.moveaxis(A, axis, 0))
    return found


def unsliced(axis):
    found = numpy.zeros([2 * n if i == axis % 3 else n for i, n in enumerate(A.shape)])
    numpy.moveaxis(found, axis, 0)[1::2] = numpy.moveaxis(A, axis, 0)
    return found


def diagonal(a, axis, other):
    return numpy.diagonal(a, 0, axis, other)


def cosine(axis):
    return (A * B).sum(axis) / numpy.sqrt((A * A).sum(axis) * (B * B).sum(axis))


def joined(parts, axis):
    return [p for p in numpy.split(A, parts, axis)]


X, Y, T = heed.tensor(A, copy=True), heed.tensor(numpy.ascontiguousarray(B)), heed.tensor(TRUTHS, copy=True)
# By function: the arguments before the axis, the arguments after it, by their names, and NumPy's result for an axis.
ONE_AXIS = {
    "argsort": ([X], {}, lambda k: A.argsort(k)),
    "chunk": ([X, 1], {}, lambda k: [A]),
    "concat": ([[X, Y]], {}, lambda k: numpy.concatenate([A, B], k)),
    "cosine_similarity": ([X, Y], {}, cosine),
    "cumprod": ([X], {}, lambda k: A.cumprod(k)),
    "cumsum": ([X], {}, lambda k: A.cumsum(k)),
    "dim": ([X], {}, lambda k: A.shape[k]),
    "gather": ([X], lambda k: {"index": heed.tensor(indices(k))}, lambda k: numpy.take_along_axis(A, indices(k), k)),
    "glu": ([heed.tensor(EVEN, copy=True)], {}, lambda k: gated(*numpy.split(EVEN, 2, k))),
    "index_copy": ([X], lambda k: {"index": heed.tensor([1, 0]), "src": heed.tensor(A.take([0, 1], k))},
                   lambda k: numpy.concatenate([A.take([1, 0], k), A.take(range(2, A.shape[k]), k)], k)),
    "index_select": ([X], {"index": heed.tensor([1, 0])}, lambda k: A.take([1, 0], k)),
    "index_sum": ([X], lambda k: {"index": heed.tensor([3] + [1] * (A.shape[k] - 1)), "size": 5}, summed),
    "log_softmax": ([X], {}, lambda k: numpy.log(softmax(A, k))),
    "logsumexp": ([X], {}, lambda k: numpy.log(numpy.exp(A).sum(k))),
    "median": ([X], {}, lambda k: numpy.sort(A, k).take((A.shape[k] - 1) // 2, k)),
    "narrow": ([X], {"start": 1, "length": 1}, lambda k: A.take([1], k)),
    "quantile": ([X, heed.tensor(0.25, "f64")], {}, lambda k: numpy.quantile(A, 0.25, k)),
    "repeat_interleave": ([X, 2], {}, lambda k: A.repeat(2, k)),
    "roll": ([X, 1], {}, lambda k: numpy.roll(A, 1, k)),
    "scatter": ([X], lambda k: {"index": heed.tensor(indices(k)), "src": heed.tensor(numpy.take_along_axis(A, indices(k), k))},
                lambda k: A),
    "scatter_sum": ([X], lambda k: {"index": heed.tensor(places(k)), "shape": (9, 9, 9)}, None),
    "select": ([X], {"index": 1}, lambda k: A.take(1, k)),
    "slice": ([X], {"start": 1, "stop": 2, "step": 1}, lambda k: A.take([1], k)),
    "softmax": ([X], {}, lambda k: softmax(A, k)),
    "sort": ([X], {}, lambda k: numpy.sort(A, k)),
    "sort_axis": ([X], {}, lambda k: numpy.sort(A, k)),
    "split": ([X, 1], {}, lambda k: numpy.split(A, A.shape[k], k)),
    "squeeze": ([X[:1, :1, :1]], {}, lambda k: A[:1, :1, :1].squeeze(k)),
    "stack": ([[X, Y]], {}, lambda k: numpy.stack([A, B], k)),
    "stride": ([X], {}, lambda k: A.strides[k] // 8),
    "topk": ([X, 2], {}, lambda k: numpy.flip(numpy.sort(A, k), k).take([0, 1], k)),
    "trapezoid": ([X, Y], {}, lambda k: getattr(numpy, "trapezoid", getattr(numpy, "trapz", None))(A, B, axis=k)),
    "unbind": ([X], {}, lambda k: list(numpy.moveaxis(A, k, 0))),
    "unslice": ([X], lambda k: {"start": 1, "step": 2, "size": 2 * A.shape[k]}, unsliced),
    "unsqueeze": ([X], {}, lambda k: numpy.expand_dims(A, k)),
}
# Functions of one axis, of several axes, and of all axes.
SEVERAL = {"sum": A.sum, "mean": A.mean, "prod": A.prod, "max": A.max, "min": A.min, "any": TRUTHS.any, "all": TRUTHS.all,
           "nansum": lambda axis: numpy.nansum(A, axis), "nanmean": lambda axis: numpy.nanmean(A, axis),
           "var": lambda axis: A.var(axis, ddof=1), "std": lambda axis: A.std(axis, ddof=1),
           "norm": lambda axis: numpy.sqrt((A * A).sum(axis)), "argmax": A.argmax, "argmin": A.argmin,
           "flip": lambda axis: numpy.flip(A, axis)}
TWO_AXES = {"transpose": (lambda i, j: A.swapaxes(i, j), "axis_a", "axis_b"),
            "diagonal": (lambda i, j: diagonal(A, i, j), "axis_a", "axis_b"),
            "flatten": (lambda i, j: A.reshape(A.shape[:i] + (-1,) + A.shape[j + 1:]), "start_axis", "end_axis")}
ORDERS = {"permute": lambda order: A.transpose(order)}
WORDS = ("axis", "axes", "order", "axis_a", "axis_b", "start_axis", "end_axis")


def functions():
    for name, function in vars(heed).items():
        if inspect.isfunction(function) and not name.startswith("_") and set(inspect.signature(function).parameters) & set(WORDS):
            yield name, function


def bare(name):
    return name.removesuffix("_axes").removesuffix("_axis") if name not in ONE_AXIS else name


class Axes(setting.Case):
    def same(self, ours, theirs):
        if isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs))
            for one, other in zip(ours, theirs):
                super().same(one, other, 1e-12)
        else:
            super().same(ours if isinstance(ours, heed.Tensor) else numpy.asarray(ours), theirs, 1e-12)

    def test_the_list_is_complete(self):
        names = {bare(name) for name, _ in functions()} - set(heed._habits.FUNCTIONS) | {"dim", "squeeze"}
        self.assertGreater(len(names), 40)
        self.assertEqual(names, set(ONE_AXIS) | set(SEVERAL) | set(TWO_AXES) | set(ORDERS))
        for name in names & set(dir(heed.Tensor)):
            self.assertIs(getattr(heed.Tensor, name), getattr(heed, name)) if name != "permute" else None

    def test_one_axis(self):
        for name, (before, after, expected) in ONE_AXIS.items():
            function = getattr(heed, name)
            by_name = inspect.signature(function).parameters["axis"].kind is inspect.Parameter.KEYWORD_ONLY
            for k in range(-3, 3):
                with self.subTest(f"{name}, axis {k}"):
                    given = after(k) if callable(after) else after
                    wanted = scattered(k) if expected is None else expected(k)
                    self.same(function(*before, axis=k, **given), wanted)
                    if not by_name:
                        self.same(function(*before, k, **given), wanted)
                    self.same(function(*before, axis=numpy.int64(k), **given), wanted)
            self.refused(name, lambda k: function(*before, axis=k, **(after(0) if callable(after) else after)))

    def refused(self, name, call):
        for wrong in (True, False, numpy.bool_(True), 1.0, "0", [True]):
            with self.subTest(f"{name}, axis {wrong!r}"):
                self.assertRaises(TypeError, call, wrong)
        for wrong in (3, -4 if name not in ("unsqueeze", "stack") else -5, 2**40):
            with self.subTest(f"{name}, axis {wrong!r}"):
                if (name, wrong) not in (("unsqueeze", 3), ("stack", 3)):
                    self.assertRaises(ValueError, call, wrong)

    def test_one_axis_or_several(self):
        several = [*range(-3, 3), (0,), (0, 1), (2, 0), (-1, -2), [1, 2], (0, 1, 2)]
        for name, function in functions():
            expected = SEVERAL.get(bare(name))
            x = T if bare(name) in ("any", "all") else X
            before = [x, 2.0] if bare(name) == "norm" else [x]
            word = next((w for w in ("axis", "axes") if expected and w in inspect.signature(function).parameters), "")
            for axis in several if expected else ():
                if name.startswith("arg") and not isinstance(axis, int):
                    continue
                with self.subTest(f"{name}, axis {axis}"):
                    wanted = expected(axis if isinstance(axis, int) else tuple(axis))
                    self.same(function(*before, axis), wanted)
                    self.same(function(*before, **{word: axis}), wanted)
                    if "keepdim" in inspect.signature(function).parameters:
                        self.assertEqual(function(*before, axis, keepdim=True).ndim, 3)
            if expected and name == bare(name) and name != "flip":
                self.same(function(*before), expected(None))
                self.same(function(*before, axis=None), expected(None))
            if expected:
                self.refused(name, lambda axis: function(*before, axis))

    def test_two_axes(self):
        for name, (expected, first, second) in TWO_AXES.items():
            function = getattr(heed, name)
            for i, j in itertools.permutations(range(3), 2):
                if name == "flatten" and i > j:
                    continue
                before = [X, 0] if name == "diagonal" else [X]
                self.same(function(*before, i, j), expected(i, j))
                named = {"x": X, "offset": 0} if name == "diagonal" else {"x": X}
                self.same(function(**named, **{first: i, second: j}), expected(i, j))
                self.assertRaises(TypeError, function, *before, bool(i), j)
        for order in itertools.permutations(range(3)):
            self.same(heed.permute(X, order), A.transpose(order))
            self.same(heed.permute(X, order=order), A.transpose(order))
            self.same(X.permute(*order), A.transpose(order))

    def test_none_flattens(self):
        self.same(heed.roll(X, 5), numpy.roll(A, 5))
        self.same(heed.repeat_interleave(X, 2), A.repeat(2))


# The names of arguments in NumPy and PyTorch, by their names here.
SAME = {"x": {"input", "a", "m", "x", "y", "ary", "A", "arr", "array", "p"}, "axis": {"axis", "dim", "dims"}, "shift": {"shift", "shifts"},
        "k": {"k", "diagonal"}, "repeats": {"repeats", "reps", "dims"}, "size": {"split_size_or_sections", "indices_or_sections", "size"},
        "n": {"chunks", "N", "n", "num", "steps"}, "p": {"p", "ord"}, "axes": {"dims", "axis"}, "low": {"low", "min", "a_min"},
        "high": {"high", "max", "a_max"}, "mean": {"mean", "loc"}, "std": {"std", "scale"}, "shape": {"size", "shape", "newshape"}}


def order_of(text):
    """The positional arguments in the first line of a PyTorch docstring."""
    inside = text.strip().split("\n")[0].partition("(")[2].partition(") ->")[0]
    names = [part.split("=")[0].split(":")[0].split()[-1].strip("*") for part in inside.split(",") if part.strip()]
    return names[:names.index("")] if "" in names else names


class Orders(unittest.TestCase):
    def test_against_peers(self):
        """Arguments that PyTorch also has come in the same order."""
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        compared = 0
        for name in sorted(set(heed._functions.__all__) | set(heed._lists.__all__)):
            ours = [p.name for p in inspect.signature(getattr(heed, name)).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
            peer = getattr(torch, name, None)
            if peer is None or not (peer.__doc__ or "").strip().startswith(name):
                continue
            theirs = order_of(peer.__doc__)
            common = [n for n in ours if any(t in SAME.get(n, {n}) for t in theirs)]
            places = [next(i for i, t in enumerate(theirs) if t in SAME.get(n, {n})) for n in common]
            compared += len(common) > 1
            with self.subTest(f"{name}: {ours}, PyTorch {theirs}"):
                self.assertEqual(places, sorted(places))
        self.assertGreater(compared, 20)

    def test_as_numpy_and_torch_read_them(self):
        numbers = heed.tensor(A)
        self.assertEqual(heed.roll(numbers, 1, 2).tolist(), numpy.roll(A, 1, 2).tolist())
        self.assertEqual(heed.topk(numbers, 2, 1).tolist(), numpy.flip(numpy.sort(A, 1), 1)[:, :2].tolist())
        self.assertEqual(heed.repeat_interleave(numbers, 3, 1).tolist(), A.repeat(3, 1).tolist())
        self.assertEqual(heed.argsort(numbers, 0, True).tolist(), heed.argsort(numbers, 0, descending=True).tolist())
        self.assertEqual((heed.normal(0, 1, 3).shape, heed.Generator(1).normal(0.0, 1.0, (2, 2)).shape), ((3,), (2, 2)))
        for call in (lambda: heed.exponential(2, 3), lambda: heed.trapezoid(numbers, numbers, 1), lambda: heed.kl_div(numbers, numbers, True),
                     lambda: heed.instance_norm(numbers, numbers, numbers),
                     lambda: heed.smooth_l1_loss(numbers, numbers, 1.0), lambda: heed.searchsorted(numbers, numbers, True)):
            self.assertRaises(TypeError, call)


if __name__ == "__main__":
    unittest.main()
