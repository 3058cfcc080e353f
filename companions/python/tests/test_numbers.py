#!/usr/bin/env python3
"""companions/python/tests/test_numbers.py - numbers that C cannot hold: they arrive exactly or are refused."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import unittest

import setting
import heed
import numpy
from heed import nn, np as hnp, optim
from heed._prototypes import FUNCTIONS

X = numpy.array([0.0, 1, 2, 3, 4, 5])
Y = numpy.array([0.0, 1, 0, 2, 1, 3])


def fit(x=X, y=Y, **options):
    return hnp.fit(x, y, **{"bandwidths": [1.0], **options})


class Fits(setting.Case):
    def test_integers_out_of_range(self):
        """Every integer of the interface, one below and one above C's range."""
        made = fit()
        for name, low, high, call in (
                ("degree", -2**31, 2**31, lambda n: fit(degree=n)), ("robust", -2**31, 2**31, lambda n: fit(robust=n)),
                ("starts", -2**31, 2**31, lambda n: hnp.fit(X, Y, starts=n)), ("draws", -2**31, 2**31, lambda n: made.bootstrap(X, draws=n)),
                ("max_evaluations", -2**31, 2**31, lambda n: hnp.fit(X, Y, max_evaluations=n)),
                ("starts", -2**31, 2**31, lambda n: hnp.density(X, starts=n)),
                ("starts", -2**31, 2**31, lambda n: hnp.classes(X, Y > 1, starts=n)),
                ("seed", 0, 2**64, lambda n: made.bootstrap(X, seed=n)), ("seed", 0, 2**64, lambda n: made.predict(X, seed=n)),
                ("seed", 0, 2**64, lambda n: made.significance(0, seed=n)), ("column", -2**31, 2**31, made.significance),
                ("draws", -2**31, 2**31, lambda n: made.significance(0, draws=n))):
            for wrong in (low - 1, high, high + 1, -2**70, 2**70):
                with self.subTest(f"{name} {wrong}"):
                    self.raises(ValueError, f"{name} is {wrong}: must be in", call, wrong)
            self.raises(TypeError, f"{name} must be an int", call, 1.5)

    def test_kinds_of_data(self):
        times = numpy.array(["2020-01-01", "NaT", "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-06"], "M8[D]")
        made = fit()
        for wrong in (X + 1j, times, times - times[0], X.astype(str), X.astype(bytes), [*X[:5], 1j], [*X[:5], "5"],
                      [*X[:5], numpy.complex64(1)]):
            for call in (lambda w: fit(x=w), lambda w: fit(y=w), lambda w: fit(weights=w), made.predict, made.bootstrap,
                         lambda w: made.quantile(w, 0.5), hnp.density, lambda w: hnp.classes(w, Y > 1),
                         lambda w: fit(bandwidths=w)):
                self.assertRaises(TypeError, call, wrong)
        self.raises(ValueError, "contains 18446744073709551615, which a double may not represent exactly", fit, numpy.uint64([2**64 - 1] * 6))

    def test_what_is_missing(self):
        masked = numpy.ma.array(X, mask=[0, 0, 1, 0, 0, 0])
        for call in (lambda: fit(x=masked), lambda: fit(y=masked), lambda: fit(y=numpy.ma.array(X.astype(int), mask=masked.mask)),
                     lambda: fit(weights=masked), lambda: fit().predict(masked), lambda: hnp.density(masked)):
            self.raises(ValueError, "nan", call)
        self.raises(ValueError, "nan", fit, y=[0, 1, None, 2, 1, 3])
        self.assertEqual(fit(y=numpy.ma.array(Y)).rows, 6)
        nothing = float("nan")
        for labels in ([0, 1, nothing, 1, 0, 1], numpy.ma.array([0, 1, 0, 1, 0, 1], mask=masked.mask), ["a", "b", None, "a", "b", "b"],
                       ["a", "b", nothing, "a", "b", "b"], numpy.array(["2020", "2021", "NaT", "2020", "2021", "2020"], "M8[Y]")):
            labels = numpy.array(labels, dtype=object) if isinstance(labels, list) and None in labels else labels
            if isinstance(labels, list) and "a" in labels:
                labels = numpy.array(labels, dtype=object)
            self.raises(ValueError, "the label of row 2 is missing", hnp.classes, X, labels)
        self.raises(ValueError, "1 axis", hnp.classes, X, [[1], [0], [1], [0], [1], [0]])

    def test_objects_that_are_numbers(self):
        from decimal import Decimal
        from fractions import Fraction
        self.assertEqual(fit(y=[Decimal("0.5"), Fraction(1, 2), 1, 2.0, numpy.float32(1), True]).rows, 6)


class Scalars(setting.Case):
    """A whole number is exact or refused, in every place that C takes as a double."""

    LARGE = 2**53 + 1

    def test_operators_of_i64(self):
        for value in (1, 5, -7):
            x = heed.tensor([value])
            for c in (self.LARGE, -self.LARGE, 2**53 - 1, 2**62 + 3, numpy.int64(self.LARGE)):
                n = int(c)
                self.assertEqual((x + c).item(), value + n)
                self.assertEqual((c + x).item(), value + n)
                self.assertEqual((x - c).item(), value - n)
                self.assertEqual((c - x).item(), n - value)
                if abs(value * n) < 2**63:
                    self.assertEqual((x * c).item(), value * n)
                self.assertEqual((x // c).item(), value // n)
                self.assertEqual((c % x).item(), n % value)
        x = heed.tensor([2**53, self.LARGE])
        self.assertEqual((x == self.LARGE).tolist(), [False, True])
        self.assertEqual((x == 2**53).tolist(), [True, False])
        self.assertEqual((x < self.LARGE).tolist(), [True, False])
        self.assertEqual((x >= self.LARGE).tolist(), [False, True])
        self.assertNotIn(2**53 + 3, x)
        self.assertEqual((heed.tensor([10]) - numpy.uint8(5)).item(), 5)
        for wrong in (2**63, -2**70):
            for call in (lambda w: x + w, lambda w: x == w, lambda w: x * w):
                with self.assertRaises((ValueError, OverflowError, TypeError)):
                    call(wrong)

    def test_operators_of_floats(self):
        x = heed.tensor([1.0], "f64")
        for call in (lambda: x * self.LARGE, lambda: x + self.LARGE, lambda: self.LARGE - x, lambda: x == self.LARGE, lambda: x**self.LARGE,
                     lambda: x // self.LARGE, lambda: x < numpy.int64(self.LARGE), lambda: x / numpy.array(self.LARGE)):
            self.raises(ValueError, "9007199254740993, which a double does not represent exactly", lambda: call())
        self.assertEqual((x * 2**70).item(), 2.0**70)
        self.raises(ValueError, "out of the range of a double", lambda: x * 10**400)

    def test_every_function(self):
        """All C functions that take a double: the kind of this argument refuses other numbers."""
        kind = heed._kinds.KINDS["f64"]
        self.assertGreater(sum(":f64" in arguments for arguments in FUNCTIONS.values()), 40)
        for wrong in (self.LARGE, -self.LARGE, numpy.int64(self.LARGE), numpy.uint64(2**64 - 1), heed.tensor(self.LARGE), 10**400,
                      numpy.array(self.LARGE)):
            self.assertRaises(ValueError, kind.from_param, wrong)
        for wrong in ("1", 1j, numpy.complex64(1), numpy.datetime64("NaT"), numpy.timedelta64(1), None, [1.0], numpy.ones(1), b"1"):
            self.assertRaises(TypeError, kind.from_param, wrong)
        for right in (1, 2**53, 0.1, numpy.float32(0.5), numpy.int8(3), True, heed.tensor(2.5), numpy.array(1.5)):
            self.assertEqual(kind.from_param(right).value, float(right))
        x = heed.tensor([1])
        for call in (lambda: heed.full(1, self.LARGE, "i64"), lambda: heed.full_like(x, self.LARGE), lambda: heed.fill_(x, self.LARGE),
                     lambda: heed.masked_fill(x.to_dtype("f64"), x > 0, self.LARGE), lambda: heed.arange(0, self.LARGE, 2**52, "i64"),
                     lambda: heed.clamp(x, 0, self.LARGE), lambda: heed.pad(x, (1, 1), "constant", self.LARGE),
                     lambda: optim.SGD(nn.Linear(1, 1), lr=self.LARGE),
                     lambda: heed.plot.lines([dict(y=heed.ones(2))], "x.svg", xlim=(0, self.LARGE))):
            self.raises(ValueError, "9007199254740993, which a double does not represent exactly", lambda: call())

        self.assertEqual(heed.masked_fill(x, x > 0, self.LARGE).tolist(), [self.LARGE])

    def test_writing_to_parts(self):
        x = heed.tensor([1, 2])
        x[0] = self.LARGE
        self.assertEqual(x.tolist(), [self.LARGE, 2])
        y = heed.zeros(2, "f64")
        self.raises(ValueError, "which a double does not represent exactly", y.__setitem__, 0, self.LARGE)
        y[...] = 2**53
        self.assertEqual(y.tolist(), [2.0**53] * 2)

    def test_a_checkpoint_counts_exactly(self):
        run = heed.Checkpoint()
        for name in ("step", "epoch"):
            setattr(run, name, 2**63)
            self.raises(ValueError, f"{name} is 9223372036854775808", run.save, "run.heed")
            setattr(run, name, 0)


class Masks(setting.Case):
    def test_tensors(self):
        a = numpy.ma.array([1.0, 2, 3], mask=[0, 1, 0])
        self.assertEqual(repr(heed.tensor(a).tolist()), "[1.0, nan, 3.0]")
        self.assertEqual(repr(heed.tensor(numpy.ma.array([1, 2], mask=[0, 1]), "f32").tolist()), "[1.0, nan]")
        self.raises(ValueError, "masked", heed.tensor, numpy.ma.array([1, 2], mask=[0, 1]))
        self.assertEqual(heed.tensor(numpy.ma.array([1, 2])).tolist(), [1, 2])
        self.raises(ValueError, "masked", heed.ones(3).__getitem__, numpy.ma.array([True, False, True], mask=[0, 0, 1]))


class Graphs(setting.Case):
    """Tensors in a graph for arguments that are numbers in C: the gradient would be lost."""

    def test_every_function(self):
        v = heed.tensor(2.0, requires_grad=True)
        kind = heed._kinds.KINDS["f64"]
        for t in (v, v * 2):
            self.raises(ValueError, "requires a gradient, which a number would lose", kind.from_param, t)
        with heed.no_grad():
            self.assertEqual(kind.from_param(v).value, 2)
        self.assertEqual(kind.from_param(v.detach()).value, 2)
        self.assertEqual(kind.from_param(v.item()).value, 2)

    def test_some(self):
        v, x = heed.tensor(2.0, requires_grad=True), heed.ones(3)
        for call in (lambda: heed.full(3, v), lambda: heed.full_like(x, v),
                     lambda: heed.pad(x, (1, 1), "constant", v), lambda: heed.leaky_relu(x, v), lambda: x.pow_scalar(v),
                     lambda: heed.huber_loss(x, x, delta=v), lambda: heed.linspace(0, v, 3), lambda: heed.layer_norm(x, 3, eps=v),
                     lambda: optim.SGD(nn.Linear(1, 1), lr=v), lambda: heed.cross_entropy(heed.ones((1, 2)), heed.tensor([0]), label_smoothing=v)):
            self.raises(ValueError, "requires a gradient", lambda: call())
        self.raises(ValueError, "a tensor in the list requires a gradient", heed.tensor, [v, 1.0])
        self.raises(ValueError, "a tensor in the list requires a gradient", heed.tensor, [[v], (v,)])
        self.raises(ValueError, "a tensor in the list requires a gradient", x.__setitem__, 0, [v])
        for call in (lambda: x.__setitem__(0, v), lambda: x.__iadd__(v), lambda: x.__imul__(v * 2), lambda: x.copy_(x * v)):
            self.raises(ValueError, "copy_: the source requires a gradient", lambda: call())
        with heed.no_grad():
            x[0] = v
        x[1:] = v.detach()
        self.assertEqual(x.tolist(), [2, 2, 2])
        y = heed.where(x > 0, v, x)
        y.sum().backward()
        self.assertEqual(v.grad.item(), 3)


if __name__ == "__main__":
    unittest.main()
