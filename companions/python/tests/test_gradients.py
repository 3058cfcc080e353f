#!/usr/bin/env python3
"""companions/python/tests/test_gradients.py - gradients against finite differences; Python functions that C calls."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import threading
import unittest

import setting
import heed
import numpy


def numeric(function, a, h=1e-6):
    """d function / d a by central differences, in NumPy."""
    found = numpy.zeros_like(a)
    for i in numpy.ndindex(a.shape):
        step = numpy.zeros_like(a)
        step[i] = h
        found[i] = (function(a + step) - function(a - step)) / (2 * h)
    return found


class Backward(setting.Case):
    def test_against_finite_differences(self):
        a = numpy.random.default_rng(0).normal(size=(3, 4))
        for ours, theirs in ((lambda x: (x * x).sum(), lambda p: (p * p).sum()),
                             (lambda x: heed.tanh(x[1:, ::2] / 2).sum(), lambda p: numpy.tanh(p[1:, ::2] / 2).sum()),
                             (lambda x: (2 / (x * x + 1)).mean(), lambda p: (2 / (p * p + 1)).mean()),
                             (lambda x: (x[[0, 0, 2]] ** 3).sum(), lambda p: (p[[0, 0, 2]] ** 3).sum()),
                             (lambda x: (x @ x.T).max(), lambda p: (p @ p.T).max())):
            x = heed.tensor(a, copy=True, requires_grad=True)
            ours(x).backward()
            self.same(x.grad, numeric(theirs, a), 1e-6)

    def test_grad_of_leaves(self):
        x = heed.tensor([1.0, 2.0], requires_grad=True)
        self.assertIsNone(x.grad)
        for _ in range(2):
            (x * x).sum().backward()
        self.same(x.grad, [4, 8])
        x.grad = heed.ones(2)
        self.same(x.grad, [1, 1])
        x.grad = None
        self.assertIsNone(x.grad)
        y = x * 2
        self.assertEqual((x.requires_grad, x.is_leaf, y.requires_grad, y.is_leaf, x.detach().requires_grad),
                         (True, True, True, False, False))
        y.backward(heed.tensor([1.0, 10.0]))
        self.same(x.grad, [2, 20])
        self.raises(heed.Error, "backward", y.backward, heed.ones(2))
        self.raises(ValueError, "backward", (x * x).backward)

    def test_grad(self):
        x, y = heed.tensor([3.0], requires_grad=True), heed.tensor([2.0], requires_grad=True)
        z = x**3 * y
        dx, dy = heed.grad(z, [x, y], create_graph=True)
        self.same(dx, [54])
        self.same(dy, [27])
        self.same(heed.grad(dx, x, heed.tensor([2.0])), [72])
        self.assertIsNone(heed.grad(x * 2, [x, y], allow_unused=True)[1])
        self.raises(heed.Error, "grad", heed.grad, x * 2, y)
        self.raises(ValueError, "2 grad_outputs for 1 outputs", heed.grad, x * 2, x, [x, x])
        self.raises(TypeError, "inputs must be a tensor or a sequence of tensors, not int 3", heed.grad, x, 3)
        self.raises(TypeError, "inputs contains None", heed.grad, x * 2, [x, None])

    def test_modes(self):
        x = heed.tensor([1.0], requires_grad=True)
        with heed.no_grad():
            self.assertFalse((x * 2).requires_grad)
            with heed.enable_grad():
                self.assertTrue((x * 2).requires_grad)
            self.assertFalse(heed.grad_enabled())
            x += 1
        both = heed.no_grad()
        with both, both:
            self.assertFalse(heed.grad_enabled())
        self.assertTrue((x * 2).requires_grad)
        self.same(x.detach(), [2])
        self.raises(heed.Error, "copy_", x.__iadd__, 1)

        @heed.no_grad()
        def double(t):
            return t * 2
        self.assertFalse(double(x).requires_grad)

        def generator():
            with heed.no_grad():
                yield 1
        suspended = generator()
        next(suspended)
        self.same(x * 2, [4])
        suspended.close()
        self.assertTrue(heed.grad_enabled())

    def test_modes_belong_to_threads(self):
        x, seen = heed.tensor([1.0], requires_grad=True), []
        with heed.no_grad():
            thread = threading.Thread(target=lambda: seen.append((x * 2).requires_grad))
            thread.start()
            thread.join()
        self.assertEqual(seen, [True])


class Functions(setting.Case):
    def setUp(self):
        self.a = numpy.array([0.5, -1.0, 2.0])
        self.x = heed.tensor(self.a, copy=True, requires_grad=True)

    def tearDown(self):
        del self.x

    def test_derivatives(self):
        y, jacobian = heed.jacobian(lambda x: x * x, self.x)
        self.same(y, self.a**2)
        self.same(jacobian, numpy.diag(2 * self.a))
        _, hessian = heed.hessian(lambda x: (x**3).sum(), self.x)
        self.same(hessian, numpy.diag(6 * self.a))
        _, rows = heed.hessian(lambda x, w: (x * w).sum(), [self.x, self.x.detach()])
        self.same(rows[0][1], numpy.eye(3))
        self.assertEqual((len(rows), len(rows[1])), (2, 2))
        _, product = heed.vjp(lambda x: x * x, self.x, heed.ones(3, "f64"))
        self.same(product, 2 * self.a)
        _, product = heed.jvp(lambda x: x * x, self.x, heed.tensor([1.0, 0, 0], "f64"))
        self.same(product, [1, 0, 0])
        _, (product,) = heed.hvp(lambda x: (x**3).sum(), [self.x], [heed.ones(3, "f64")])
        self.same(product, 6 * self.a)
        self.raises(ValueError, "2 vectors for 1 inputs", heed.jvp, lambda x: x, self.x, [self.x, self.x])

    def test_gradcheck(self):
        result = heed.gradcheck(lambda x, y: (x * y).sum(), [self.x, heed.ones(3, "f64")])
        self.assertTrue(result.passed)
        self.assertGreater(result.compared, 2)
        self.assertTrue(heed.gradgradcheck(lambda x: (x**3).sum(), self.x).passed)
        self.raises(heed.Error, "gradcheck", heed.gradcheck, lambda x: (x.detach() * x).sum(), self.x)

    def test_what_a_function_raises_comes_through(self):
        def wrong(_):
            raise ZeroDivisionError("of mine")
        for call in (lambda: heed.jacobian(wrong, self.x), lambda: heed.gradcheck(wrong, self.x),
                     lambda: heed.linear_activated(self.x.reshape(1, 3), heed.ones((1, 3), "f64"), None, wrong)):
            self.raises(ZeroDivisionError, "of mine", call)
        self.raises(KeyboardInterrupt, "", heed.hessian, lambda x: self.interrupted(), self.x)
        self.raises(TypeError, "the function returned NoneType: must return a heed.Tensor", heed.jacobian, lambda x: None, self.x)
        self.raises(ValueError, "softmax", heed.jacobian, lambda x: heed.softmax(x, 5), self.x)
        self.raises(TypeError, "positional argument", heed.jacobian, lambda: None, self.x)
        self.same(self.x + 0, self.a)  # and no error is pending

    def interrupted(self):
        raise KeyboardInterrupt()

    def test_calls_may_nest(self):
        _, j = heed.jacobian(lambda x: heed.jacobian(lambda y: (y**2), x, create_graph=True)[1].sum(0) + x * 0, self.x)
        self.same(j, 2 * numpy.eye(3))

    def test_generating(self):
        def step(tokens, rows):
            return heed.one_hot((tokens[:, -1] + 1) % 5, 5) * 10
        self.assertEqual(heed.generate(step, heed.tensor([[1], [3]]), 4, end=0).tolist(), [[2, 3, 4, 0], [4, 0, 0, 0]])
        sequences, scores = heed.beam_search(step, heed.tensor([[1]]), 3, end=0, beams=2)
        self.assertEqual((sequences.shape, scores.shape, sequences[0, 0].tolist()), ((1, 2, 3), (1, 2), [2, 3, 4]))
        once = heed.generate(step, heed.tensor([[1]]), 4, repetition_penalty=100.0, history=heed.tensor([[3]]))
        self.assertEqual(once.tolist(), [[2, 3, 4, 0]])  # a repeated token has logit 0.1, and every other one 0
        self.assertEqual(heed.generate(step, heed.tensor([[1]]), 2, temperature=1.0, min_p=0.5).tolist(), [[2, 3]])
        _, less = heed.beam_search(step, heed.tensor([[1]]), 3, beams=1, repetition_penalty=2.0, history=heed.tensor([[2]]))
        self.assertLess(less.item(), heed.beam_search(step, heed.tensor([[1]]), 3, beams=1)[1].item())
        self.raises(TypeError, "must return a heed.Tensor", heed.generate, lambda t, r: 3, heed.tensor([[1]]), 3)


if __name__ == "__main__":
    unittest.main()
