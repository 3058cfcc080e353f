#!/usr/bin/env python3
"""companions/python/tests/test_hooks.py - hooks of tensors: PyTorch's results, the lifetime of the functions, errors."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import copy
import gc
import unittest

import setting
import heed

try:
    import torch
except ImportError:
    torch = None


class Here:
    leaf = staticmethod(lambda values: heed.tensor(values, requires_grad=True))
    grad = staticmethod(heed.grad)


class Theirs:
    leaf = staticmethod(lambda values: torch.tensor(values, requires_grad=True))
    grad = staticmethod(lambda y, x, **options: torch.autograd.grad(y, [x], **options)[0])


def of_results(library):
    """Hooks of a leaf and of a result that is used twice; one is removed before the second pass."""
    seen, a, b = [], library.leaf([1.0, 2.0, 3.0]), library.leaf([2.0, -1.0, 0.5])
    c = a * b
    first = c.register_hook(lambda g: seen.append(("c", g.tolist())))
    c.register_hook(lambda g: g * 2)
    a.register_hook(lambda g: seen.append(("a", g.tolist())))
    y = (c * c + c).sum()
    y.backward(retain_graph=True)
    seen.append((a.grad.tolist(), b.grad.tolist()))
    first.remove()
    first.remove()
    y.backward()
    return seen + [(a.grad.tolist(), b.grad.tolist())]


def of_a_leaf(library):
    """A hook changes the gradient before it is accumulated; as a context manager, only in the `with` block."""
    w = library.leaf([1.0, 2.0])
    with w.register_hook(lambda g: -g):
        (w * w + w).sum().backward()
    (w * 3).sum().backward()
    return w.grad.tolist()


def second_order(library):
    """The hook is part of the graph of a pass with create_graph."""
    a = library.leaf([1.0, 2.0, 3.0])
    c = a * a
    c.register_hook(lambda g: g * g)
    g = library.grad((c * a).sum(), a, create_graph=True)
    return g.tolist(), library.grad(g.sum(), a).tolist()


def retained(library):
    """The .grad of a result, over two passes and after a reset."""
    a = library.leaf([1.0, 2.0])
    c = a * a
    c.retain_grad()
    c.retain_grad()
    y = (c * 3).sum()
    y.backward(retain_graph=True)
    seen = [c.grad.tolist(), c.retains_grad, a.retains_grad]
    y.backward(retain_graph=True)
    seen.append(c.grad.tolist())
    c.grad = None
    y.backward()
    return seen + [c.grad.tolist(), a.grad.tolist()]


EXPECTED = {  # by PyTorch
    of_results: [("c", [5.0, -3.0, 4.0]), ("a", [20.0, 6.0, 4.0]), ([20.0, 6.0, 4.0], [10.0, -12.0, 24.0]), ("a", [20.0, 6.0, 4.0]),
                 ([40.0, 12.0, 8.0], [20.0, -24.0, 48.0])],
    of_a_leaf: [0.0, -2.0],
    second_order: ([3.0, 20.0, 63.0], [8.0, 28.0, 60.0]),
    retained: [[3.0, 3.0], True, False, [6.0, 6.0], [3.0, 3.0], [18.0, 36.0]]}


class Hooks(setting.Case):
    def test_results(self):
        for script, expected in EXPECTED.items():
            with self.subTest(script.__name__):
                self.assertEqual(script(Here), expected)

    @unittest.skipIf(torch is None, "there is no PyTorch (python3-torch)")
    def test_results_of_pytorch(self):
        for script, expected in EXPECTED.items():
            with self.subTest(script.__name__):
                self.assertEqual(script(Theirs), expected)

    def test_retained_gradients_are_the_changed_ones(self):
        """As in PyTorch 2.0 and later, whichever call comes first."""
        a = Here.leaf([1.0, 2.0])
        c = a * a
        c.retain_grad()
        c.register_hook(lambda g: g * 10)
        c.sum().backward()
        self.assertEqual(c.grad.tolist(), [10, 10])

    def test_after_accumulation(self):
        """An optimizer in the backward pass, as PyTorch 2.1 and later allow."""
        net = heed.nn.Linear(2, 1)
        before, calls = net.bias.item(), []

        def step(p):
            calls.append(p.grad.tolist())
            with heed.no_grad():
                p.copy_(p - 0.5 * p.grad)
            p.grad = None
        hooks = [p.register_post_accumulate_grad_hook(step) for p in net.parameters()]
        net(heed.ones(1, 2)).sum().backward()
        self.assertEqual(sorted(calls, key=str), [[1.0], [[1.0, 1.0]]])
        self.assertIsNone(net.bias.grad)
        self.assertAlmostEqual(net.bias.item(), before - 0.5, 6)
        heed.grad(net(heed.ones(1, 2)).sum(), net.bias)  # accumulates nothing
        for hook in hooks:
            hook.remove()
        net(heed.ones(1, 2)).sum().backward()
        self.assertEqual(len(calls), 2)


class Lifetimes(setting.Case):
    def tearDown(self):
        gc.collect()
        self.assertEqual(heed._derivatives.HOOKS, {})

    def test_a_hook_outlives_the_python_object(self):
        w = Here.leaf([1.0, 2.0])

        def loss():
            y = w * 3
            y.register_hook(lambda g: g * 10)
            return y.sum()
        y = loss()
        gc.collect()
        y.backward()
        self.assertEqual(w.grad.tolist(), [30, 30])

    def test_a_function_is_dropped_with_the_graph(self):
        w = Here.leaf([1.0, 2.0])
        kept = heed.ones(2)
        y = w * 3
        hook = y.register_hook(lambda g: g * kept)
        y.sum().backward()
        del y
        gc.collect()
        self.assertEqual(heed._derivatives.HOOKS, {})
        self.assertEqual(repr(hook), "<TensorHook: removed>")
        hook.remove()

    def test_hooks_of_a_parameter_are_removed_for_good(self):
        net = heed.nn.Linear(2, 1)
        for _ in range(50):
            net.weight.register_hook(lambda g: g).remove()
        self.assertEqual(heed._derivatives.HOOKS, {})

    def test_a_hook_that_removes_itself(self):
        w, calls = Here.leaf([1.0]), []

        def once(g):
            calls.append(g.item())
            hook.remove()
        hook = w.register_hook(once)
        self.assertEqual(repr(hook), "<TensorHook: once>")
        for _ in range(2):
            (w * 2).sum().backward()
        self.assertEqual(calls, [2])


class Refusals(setting.Case):
    def test_hooks_that_fail(self):
        w = Here.leaf([1.0])

        def fail(g):
            raise KeyError("mine")
        for hook, kind, text in ((fail, KeyError, "mine"), (lambda g: heed.ones(3), ValueError, "a hook returned a gradient of shape (3)"),
                                 (lambda g: 3, TypeError, "the function returned int: must return a heed.Tensor"),
                                 (lambda g: g.mul_(2), heed.Error, "a hook wrote to the gradient")):
            with w.register_hook(hook):
                self.raises(kind, text, lambda: (w * 2).sum().backward())
            self.assertIsNone(w.grad)

    def test_tensors_without_hooks(self):
        w = Here.leaf([1.0])
        for call, kind, text in ((lambda: heed.ones(2).register_hook(print), heed.Error, "register_hook: the tensor requires no gradient: call x.requires_grad_()"),
                                 (lambda: heed.ones(2).retain_grad(), heed.Error, "retain_grad: the tensor requires no gradient"),
                                 (lambda: w.register_hook(3), TypeError, "register_hook: hook must be a function of the gradient, not int 3"),
                                 (lambda: (w * 2).register_post_accumulate_grad_hook(print), heed.Error, "not a leaf: write register_hook"),
                                 (lambda: copy.copy(w.register_hook(print)), TypeError, "cannot be copied or pickled")):
            self.raises(kind, text, call)


if __name__ == "__main__":
    unittest.main()
