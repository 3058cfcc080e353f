#!/usr/bin/env python3
"""companions/python/tests/test_tensor.py - tensors from Python: values against NumPy, shared memory, errors, threads."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import copy
import gc
import pickle
import subprocess
import sys
import threading
import unittest

import setting
import heed
import numpy


def array(*shape, dtype=numpy.float64):
    return numpy.arange(numpy.prod(shape), dtype=dtype).reshape(shape)


class Making(setting.Case):
    def test_dtypes(self):
        for data, dtype in ((1.5, "f32"), ([1, 2], "i64"), ([True], "bool"), ([[1.0], [2.0]], "f32"), (array(2, 3), "f64"),
                            (numpy.float16([1]), "f32"), (numpy.uint8([255]), "i64"), (numpy.int32([-1]), "i64")):
            with self.subTest(data):
                self.assertEqual(heed.tensor(data).dtype, dtype)
                self.same(heed.tensor(data), data)
        self.assertEqual(heed.tensor([1.5], numpy.float64).dtype, "f64")
        self.assertEqual(heed.tensor([1, 0], bool).tolist(), [True, False])
        self.assertEqual(heed.zeros((2, 3)).shape, (2, 3))
        self.same(heed.full((2,), 7, "i64"), numpy.array([7, 7]))
        self.same(heed.eye(2, 3, "f64"), numpy.eye(2, 3))

    def test_data_that_is_none(self):
        self.raises(TypeError, "heed has no dtype for", heed.tensor, ["a"])
        self.raises(TypeError, "heed has no dtype for", heed.tensor, [1j])
        self.raises(TypeError, "heed has no dtype for", heed.tensor, object())
        self.raises(ValueError, "is too large for i64", heed.tensor, numpy.uint64([2**64 - 1]))
        self.raises(ValueError, "dtype is 'f16': must be one of", heed.zeros, 2, "f16")
        self.raises(TypeError, "heed.tensor(data)", heed.Tensor, [1])

    def test_looking(self):
        x = heed.tensor(array(2, 3))
        self.assertEqual((x.shape, x.ndim, x.dtype, len(x), x.numel()), ((2, 3), 2, "f64", 2, 6))
        self.assertEqual(repr(heed.tensor([1, 2])), "tensor([1, 2], shape=(2), dtype=i64)")
        self.assertEqual([row.tolist() for row in x], array(2, 3).tolist())
        self.assertEqual((float(x[1, 2]), int(x[1, 2]), bool(x[0, 0])), (5.0, 5, False))
        self.assertEqual([10, 20, 30][heed.tensor(2)], 30)
        self.assertEqual(heed.tensor(2**62 + 1).item(), 2**62 + 1)
        self.assertIs(heed.tensor(True).item(), True)
        self.assertIn(5, x)
        self.assertNotIn(6, x)
        self.raises(ValueError, "item", x.item)
        self.raises(TypeError, "no length", len, heed.tensor(1))
        self.raises(TypeError, "is not an index", [1].__getitem__, heed.tensor(1.0))

    def test_copies(self):
        x = heed.tensor(array(2, 3), requires_grad=True)
        for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            self.same(twin, array(2, 3))
            self.assertTrue(twin.requires_grad)
            self.assertFalse(heed.shares_storage(x, twin))


class Sharing(setting.Case):
    def test_both_sides_write(self):
        for a in (array(2, 3), array(2, 3, dtype=numpy.float32), array(2, 3, dtype=numpy.int64), array(4, 3)[::2], array(3, 2).T,
                  array(6)[::-1]):
            x = heed.tensor(a, copy=False)
            a[0] = 17
            self.same(x, a)
            x[-1] = 23
            self.same(x, a)
            x.numpy()[...] = 1
            self.assertTrue((a == 1).all())

    def test_what_must_be_copied(self):
        readonly = array(3)
        readonly.flags.writeable = False
        for data, why in ((readonly, "read-only"), (numpy.int32([1]), "dtype is int32"), ([1.0], "not an array"), (1, "not an array"),
                          (array(2).astype(">f8"), "dtype is >f8"), (array(0), "empty")):
            with self.subTest(data):
                self.raises(ValueError, why, heed.tensor, data, copy=False)
                self.same(heed.tensor(data), data)
        self.raises(ValueError, "dtype is float64", heed.tensor, array(2), "f32", copy=False)
        a = array(2)
        x = heed.tensor(a, copy=True)
        a[0] = 5
        self.same(x, [0, 1])

    def test_memory_lives_as_long_as_either_side(self):
        x = heed.tensor(array(1000))
        gc.collect()
        self.same(x, array(1000))
        view = (x + 1).numpy()
        del x
        gc.collect()
        self.same(view, array(1000) + 1)

    def test_layouts_come_out_as_they_are(self):
        x = heed.tensor(array(2, 3, 4))
        self.same(x.permute(2, 0, 1), array(2, 3, 4).transpose(2, 0, 1))
        self.same(x[:, 1:, ::2], array(2, 3, 4)[:, 1:, ::2])
        wide = heed.tensor([[1.0], [2.0]]).expand(2, 3).numpy()
        self.same(wide, [[1, 1, 1], [2, 2, 2]])
        self.assertFalse(wide.flags.writeable)
        self.assertFalse(heed.tensor([1.0], requires_grad=True).numpy().flags.writeable)
        self.assertTrue(heed.ones(2).numpy().flags.writeable)
        self.assertEqual(heed.zeros((0, 3)).numpy().shape, (0, 3))

    def test_dlpack(self):
        x = heed.tensor(array(2, 3), copy=True)
        y = numpy.from_dlpack(x)
        x[0, 0] = 9
        self.same(y, x.numpy())
        x.__dlpack__()  # without a consumer
        class Copied:
            def __dlpack__(self):
                return x.__dlpack__(copy=True)
        self.assertFalse(heed.shares_storage(heed.from_dlpack(Copied()), x))
        self.assertFalse(numpy.shares_memory(heed.from_dlpack(Copied()).numpy(), x.numpy()))
        self.assertTrue(numpy.shares_memory(heed.from_dlpack(x).numpy(), x.numpy()))
        z = heed.from_dlpack(x)
        self.assertTrue((z == x).all())
        z[0, 0] = 3
        self.assertEqual(x[0, 0].item(), 3)
        with self.assertRaises(BufferError):
            heed.tensor([1.0], requires_grad=True).__dlpack__()
        self.raises(TypeError, "has no __dlpack__", heed.from_dlpack, 3)

    def test_array(self):
        x = heed.ones(3)
        self.assertEqual(numpy.asarray(x, dtype=numpy.float64).dtype, numpy.float64)
        self.same(numpy.add(numpy.asarray(x), 1), [2, 2, 2])
        self.raises(ValueError, "without a copy", x.__array__, numpy.float64, copy=False)
        self.assertFalse(numpy.shares_memory(x.__array__(copy=True), x.numpy()))


class Expressions(setting.Case):
    def test_operators(self):
        a, b = array(2, 3) + 1, array(3) + 2
        x, y = heed.tensor(a), heed.tensor(b)
        for f in (lambda p, q: p + q, lambda p, q: p - q, lambda p, q: p * q, lambda p, q: p / q, lambda p, q: p // q,
                  lambda p, q: p % q, lambda p, q: p < q, lambda p, q: p >= q, lambda p, q: p == q, lambda p, q: p != q,
                  lambda p, q: p @ q, lambda p, q: (p > 2) & (q > 2), lambda p, q: (p > 2) ^ (q > 2), lambda p, q: ~(p > 2) | (q > 3),
                  lambda p, q: -p + abs(q), lambda p, q: p**2 + q**0.5):
            self.same(f(x, y), f(a, b), 1e-12)
        for f in (lambda p: p + 2, lambda p: 2 - p, lambda p: p - 2, lambda p: 2 * p, lambda p: p / 3, lambda p: 3 / p,
                  lambda p: p // 2, lambda p: 7 // p, lambda p: p % 2, lambda p: 7 % p, lambda p: p < 3, lambda p: 3 < p, lambda p: p == 3):
            self.same(f(x), f(a), 1e-12)
        self.same(heed.tensor([7, 8]) // 2, numpy.array([3, 4]))

    def test_in_place(self):
        a = array(3)
        x = heed.tensor(a)
        y = x
        x += 1
        x *= heed.tensor(numpy.array([1.0, 2.0, 3.0]))
        x -= 1
        x /= 2
        self.assertIs(x, y)
        self.same(a, ((array(3) + 1) * [1, 2, 3] - 1) / 2)

    def test_what_does_not_go(self):
        x = heed.ones((2, 3))
        for f in (lambda: x + "a", lambda: x ** "a", lambda: "a" ** x, lambda: x < "a", lambda: x + None):
            with self.assertRaises(TypeError):
                f()
        self.assertEqual(((x + numpy.ones(3)).dtype, (numpy.ones(3) + x).dtype), ("f64", "f64"))
        self.assertFalse(x == "a")
        self.assertTrue(x != None)  # noqa: E711
        self.assertEqual(len({x, x}), 1)

    def test_indices(self):
        a = array(2, 3, 4)
        x = heed.tensor(a)
        mask = numpy.array([[True, False, True], [False, True, False]])
        for i in (0, -1, (1, 2), (1, -1, 0), slice(1), (slice(None), slice(-2, None)), (..., 1), (0, ..., 1), None,
                  (slice(None), None, 2), (..., None), [0, 1, 0], (slice(None), [2, -1]), (1, [[0, 1], [2, 2]]), numpy.array([1, 0]), mask, (mask, 1),
                  (slice(None), numpy.array([True, False, True])), (Ellipsis, [1, 2]), (), [], (slice(0, 0),), slice(None, None, -1),
                  (slice(None), slice(-1, 0, -2)), (..., slice(0, 3, -1)), ([0, 1, -1], [2, 0, -3]), (slice(None), [[0], [2]], [1, 2]),
                  (None, [0], [1], 2), (0, [1, 2], numpy.array([0, -1]))):
            with self.subTest(i):
                self.same(x[i], a[i if not isinstance(i, list) or i else numpy.array([], int)])
        self.same(x[heed.tensor([1, 0])], a[[1, 0]])
        self.same(x[x[:, :, 0] > 4], a[a[:, :, 0] > 4])
        self.same(x.T, a.T)

    def test_bad_indices(self):
        x = heed.zeros((2, 3))
        self.raises(IndexError, "select", lambda: x[2])
        self.raises(IndexError, "3 indices for a tensor of shape (2, 3)", lambda: x[0, 0, 0])
        self.raises(IndexError, "at most one ellipsis", lambda: x[..., 0, ...])
        self.raises(IndexError, "a mask of shape (3,)", lambda: x[numpy.array([True] * 3)])
        self.raises(IndexError, "index_select", lambda: x[[5]])
        self.raises(IndexError, "index 3 for axis 1 of size 3", lambda: x[[0], [3]])
        self.raises(TypeError, "must follow one another", lambda: heed.zeros((2, 3, 4))[[0], :, [0]])
        self.raises(TypeError, "numpy.flatnonzero(mask)", lambda: x[numpy.array([True, False]), [0]])
        self.raises(TypeError, "an index is 'a'", lambda: x["a"])
        self.raises(TypeError, "an index is 1.5", lambda: x[1.5])
        self.raises(TypeError, "an index is True", lambda: x[True])
        self.raises(TypeError, "indices are float64", lambda: x[[0.5]])

    def test_writing_to_parts(self):
        a, x = array(2, 3), heed.tensor(array(2, 3))
        for i, v in ((0, 5), ((1, 2), -1), ((slice(None), 1), [7, 8]), (..., numpy.ones(3))):
            a[i] = v
            x[i] = v
            self.same(x, a)
        x[0] = x[1]
        a[0] = a[1]
        for i, v in (([0], 7), (a > 4, -2), (numpy.array([1, 0]), a + 1), ((slice(None), [0, 2]), [[1, 2], [3, 4]]),
                     (([0, 1], [1, 2]), [8, 9]), ((slice(None), slice(None, None, -1)), [1, 2, 3]), (numpy.zeros((2, 3), bool), 5)):
            a[i] = v
            x[heed.tensor(i) if isinstance(i, numpy.ndarray) else i] = v
            self.same(x, a)
        y = heed.tensor(array(2, 3), requires_grad=True)
        self.raises(ValueError, "requires a gradient", lambda: y.__setitem__([0], 1))
        self.raises(ValueError, "requires a gradient", lambda: x.__setitem__([0], y[0]))
        with heed.no_grad():
            y[y > 3] = 0
        self.same(y.detach(), numpy.where(array(2, 3) > 3, 0, array(2, 3)))
        z = y * y
        loss = (z * z).sum()
        z.detach()[[0, 1]] = 1
        self.raises(heed.Error, "backward", loss.backward)
        self.raises(IndexError, "index", lambda: x.__setitem__([5], 1))
        self.raises(ValueError, "copy_", lambda: x.__setitem__(0, [1, 2]))

    def test_reductions_and_lists(self):
        a = array(2, 3, 4)
        x = heed.tensor(a)
        for name in ("sum", "mean", "max", "min", "prod"):
            for axis in (None, 1, (0, 2), -1):
                for keepdim in (False, True):
                    self.same(getattr(x, name)(axis, keepdim=keepdim), getattr(a, name)(axis, keepdims=keepdim))
        self.same(heed.std(x, 1), a.std(1, ddof=1))
        self.same(x.var(correction=0), a.var())
        self.same(heed.norm(x, 2, (0, 1)), numpy.sqrt((a * a).sum((0, 1))))
        self.same(x.argmax(2), a.argmax(2))
        values, where = heed.sort(-x, return_indices=True)
        self.same(values, numpy.sort(-a))
        self.same(where, numpy.argsort(-a))
        self.same(heed.topk(x, 2, -1, True), a[..., :1:-1])
        self.assertEqual([p.shape for p in x.split(2, 2)], [(2, 3, 2), (2, 3, 2)])
        self.assertEqual([p.shape for p in heed.split(x, [1, 3], 2)], [(2, 3, 1), (2, 3, 3)])
        self.assertEqual([p.shape for p in x.chunk(2, 1)], [(2, 2, 4), (2, 1, 4)])
        self.assertEqual([p.shape for p in x.unbind(1)], [(2, 4)] * 3)
        for indexing in ("ij", "xy"):
            grids = heed.meshgrid(heed.arange(0, 2, 1), heed.arange(0, 3, 1), indexing=indexing)
            for ours, theirs in zip(grids, numpy.meshgrid([0, 1], [0, 1, 2], indexing=indexing)):
                self.same(ours, theirs)
        self.raises(ValueError, "meshgrid: indexing is 'yx'", lambda: heed.meshgrid(x, indexing="yx"))
        self.same(heed.movedim(x, 0, -1), numpy.moveaxis(a, 0, -1))
        self.same(heed.concat([x, x], 1), numpy.concatenate([a, a], 1))
        self.same(heed.einsum("bij,bkj->bik", [x, x]), numpy.einsum("bij,bkj->bik", a, a))
        self.raises(ValueError, "split", x.chunk, 0)
        self.raises(TypeError, "concat: tensors must be a sequence of tensors, not int 3", heed.concat, 3, 0)
        self.raises(TypeError, "concat: tensors must be a sequence of tensors, not generator", heed.concat, (t for t in [x]), 0)
        self.raises(TypeError, "concat: tensors must be a heed.Tensor, not str '3'", heed.concat, [x, "3"], 0)
        self.raises(ValueError, "split", x.split, 0)

    def test_rms_norm_adds_the_epsilon_of_the_dtype(self):
        """As in torch.nn.functional.rms_norm, whose eps is None."""
        for dtype, eps in (("f32", 2.0**-23), ("f64", 2.0**-52)):
            x = heed.tensor([3e-5, -4e-5], dtype)
            for y in (heed.rms_norm(x, (2,)), heed.nn.RMSNorm((2,), dtype=dtype)(x)):
                self.assertAlmostEqual(y[0].item(), 3e-5 / (12.5e-10 + eps) ** 0.5, 6)
            self.assertAlmostEqual(heed.rms_norm(x, (2,), eps=1e-5)[0].item(), 3e-5 / (12.5e-10 + 1e-5) ** 0.5, 6)

    def test_options_by_name(self):
        x, t = heed.tensor([[1.0, 2.0, 3.0]]), heed.tensor([0])
        self.assertAlmostEqual(heed.cross_entropy(x, t, reduction="sum").item(), 2.4076059, 5)
        self.assertEqual(heed.cross_entropy(x, t, reduction="none").shape, (1,))
        self.raises(ValueError, "softmax: axis is 4294967296: must be in -2147483648 .. 2147483647", heed.softmax, x, 2**32)
        self.raises(ValueError, "contains 18446744073709551616: must fit into 64 bits", heed.zeros, 2**64)
        self.raises(ValueError, "has 9 axes: must have at most 8", heed.zeros, [1] * 9)
        self.raises(ValueError, "reduction is 'max': must be one of 'mean', 'sum', 'none'", heed.cross_entropy, x, t, reduction="max")
        self.raises(TypeError, "reduce='sum': write reduction='mean', 'sum' or 'none'", heed.cross_entropy, x, t, reduce="sum")
        self.raises(TypeError, "label_smoothing must be a number, not str 'a'", heed.cross_entropy, x, t, label_smoothing="a")
        rows, targets = numpy.array([[1.0, 2, 3], [3, 1, 2], [0, 0, 1]]), [0, 1, 2]
        losses = numpy.log(numpy.exp(rows).sum(1)) - rows[range(3), targets]
        for function, given in ((heed.cross_entropy, heed.tensor(rows)), (heed.nll_loss, heed.log_softmax(heed.tensor(rows), 1))):
            for ignored in (0, 1, 2):
                kept = [losses[i] for i in range(3) if i != ignored]
                self.same(function(given, heed.tensor(targets), ignore_index=ignored), numpy.mean(kept), 1e-12)
                self.same(function(given, heed.tensor(targets), ignore_index=ignored, has_ignore_index=True), numpy.mean(kept), 1e-12)
            self.same(function(given, heed.tensor(targets)), losses.mean(), 1e-12)
        y, w = heed.dot_product_attention(heed.ones((1, 2, 3)), heed.ones((1, 4, 3)), heed.ones((1, 4, 5)), return_weights=True)
        self.same(w, numpy.full((1, 2, 4), 0.25))
        self.assertEqual(y.shape, (1, 2, 5))

    def test_a_generator(self):
        g = heed.Generator(3)
        a, b = g.randn((2, 2)), g.randn((2, 2), "f64")
        self.assertEqual((a.dtype, b.dtype), ("f32", "f64"))
        self.same(heed.Generator(3).randn((2, 2)), a.numpy())
        with heed.Generator(3):
            self.same(heed.randn((2, 2)), a.numpy())
            with heed.Generator(3):
                self.same(heed.randn((2, 2)), a.numpy())
            self.same(heed.randn((2, 2), "f64"), b.numpy())
        heed.manual_seed(5)
        x = heed.rand(3)
        heed.manual_seed(5)
        self.same(heed.rand(3), x.numpy())
        self.raises(TypeError, "generator must be a generator", heed.dot_product_attention, x, x, x, generator=x)


class Life(setting.Case):
    maxDiff = None

    def test_threads(self):
        failures, shared = [], heed.tensor(array(100))

        def work(number):
            try:
                for i in range(200):
                    with heed.no_grad():
                        y = (shared * number + i).sum().item()
                    self.assertEqual(y, 4950 * number + 100 * i)
                    try:
                        heed.softmax(shared, number + 1)
                    except ValueError as error:
                        self.assertIn(f"axis {number + 1}", str(error))
            except BaseException as wrong:
                failures.append(wrong)
        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_tensor_may_be_freed_by_another_thread(self):
        made = []
        thread = threading.Thread(target=lambda: made.append(heed.ones(1000) + 1))
        thread.start()
        thread.join()
        self.same(made.pop()[:2], [2, 2])

    def test_an_exception_leaves_no_scope(self):
        before = heed.memory().live_objects
        for _ in range(100):
            self.assertRaises(ValueError, heed.softmax, heed.ones(3) + 1, 7)
        gc.collect()
        self.assertEqual(heed.memory().live_objects, before)

    def test_the_end_of_the_interpreter(self):
        program = """
import heed, numpy, threading
from heed import nn, optim
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, activation=lambda x: x * 2)
    def forward(self, x):
        return self.a(x)
net = nn.Sequential(Net(), heed.relu); view = net[0].a; opt = optim.Adam(net)
x = heed.tensor(numpy.ones((1, 2), numpy.float32)); y = net(x); cycle = [y]; cycle.append(cycle)
array, capsule = y.numpy(), x.__dlpack__()
kept = heed.tensor(numpy.ones(3))
import atexit, builtins
builtins.kept = (net, y, array, capsule)
print("done")
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                              env={**__import__("os").environ, "PYTHONPATH": str(setting.ROOT / "companions" / "python")})
        self.assertEqual((done.stderr, done.stdout, done.returncode), ("", "done\n", 0))


if __name__ == "__main__":
    unittest.main()
