#!/usr/bin/env python3
"""companions/python/tests/test_spelling.py - lines with the names, the order, the defaults and the dtypes of PyTorch's and
NumPy's arguments: the same line has the same result, dtype and gradient in both. torch_samples.py and numpy_samples.py call many more."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import gc
import unittest

import setting
import heed
import numpy

RANDOM = numpy.random.default_rng(7)
INPUTS = {"x": RANDOM.normal(size=(2, 3, 4)), "y": RANDOM.normal(size=(2, 3, 4)), "f": RANDOM.normal(size=(3,)).astype("f4"),
          "a": RANDOM.normal(size=(3, 3)) + 3 * numpy.eye(3), "v": numpy.array(1.5), "i": numpy.array([[2, 0, 1], [1, 1, -2]]),
          "m": numpy.array([[True, False, True], [False, True, True]]), "p": numpy.abs(RANDOM.normal(size=(2, 3))) + 0.1,
          "j": numpy.array([1, 0]), "o": numpy.array([0, 2, 1]), "b": RANDOM.normal(size=(2, 3, 4, 4))}
# T is torch or heed, N torch.nn.functional or heed, L torch.linalg or heed. V(y) is y, or the first of its results.
LINES = """
T.sum(x, dim=1) | T.sum(x, (0, 2), True) | T.sum(i, 0) | T.sum(x, dim=0, dtype=T.f32) | T.mean(x, dim=(1, 2), keepdim=True)
T.prod(x, 1, True) | T.prod(m, 0) | T.nansum(x, dim=0) | T.nanmean(x, 1, True) | T.any(x, dim=1) | T.all(i, dim=1, keepdim=True)
T.argmax(x, dim=2, keepdim=True) | T.max(x, y) | T.min(i, i + 1) | T.var(x, dim=1, unbiased=False) | T.std(x, dim=0, correction=0)
T.logsumexp(x, (0, 2), True) | T.logsumexp(i, 0) | T.median(x) | T.quantile(x, 0.3) | T.quantile(x, 0.3, dim=1, keepdim=True)
T.norm(x) | T.norm(x, 1, 2, True) | T.norm(x, "fro", (0, 1)) | T.cumsum(i, dim=1) | T.cumsum(m, 0) | T.cumprod(x, dim=2, dtype=T.f32)
T.softmax(x, dim=1) | T.softmax(x, 1, dtype=T.f32) | T.log_softmax(f, dim=-1, dtype=T.f64) | T.argsort(x, 1, True)
T.argsort(x, dim=0, descending=True, stable=True) | V(T.sort(x, dim=1, stable=True)) | V(T.topk(x, 2, 1, False, True))
T.unique(i, sorted=True) | T.unique(i, dim=0) | T.nonzero(m, as_tuple=True)[1] | T.bincount(j, minlength=4)
T.searchsorted(V(T.sort(f)), 0.5) | T.searchsorted(f, f, side="right", sorter=o) | T.diagonal(x) | T.diagonal(x, dim1=1, dim2=2)
T.diag(a, diagonal=1) | T.flatten(x) | T.flatten(x, start_dim=1) | T.flip(x, dims=(0, 2)) | T.roll(x, (1, 2), (0, 2)) | T.squeeze(x[:1])
T.tile(x, dims=(2, 1, 1)) | T.transpose(x, dim0=0, dim1=2) | T.stack([x, y]) | T.chunk(x, 2, dim=2)[1]
T.repeat_interleave(x, repeats=2, dim=1) | T.repeat_interleave(x, o, dim=1) | T.meshgrid([f, f], indexing="ij")[1] | T.unsqueeze(x, dim=1)
T.add(x, y, alpha=2) | T.sub(x, y, alpha=0.5) | T.div(x, y, rounding_mode="trunc") | T.div(i, 2, rounding_mode="floor")
T.div(i, i + 5, rounding_mode="trunc") | T.clamp(x, min=0) | T.clamp(x, max=y) | T.clamp(x, 0.1, 0.5) | T.lerp(x, y, 0.25)
T.round(x, decimals=2) | T.pow(x * x, 1.5) | T.atan2(x, y) | T.masked_fill(x, x > 0, v) | T.masked_fill(i, i > 0, 7) | T.where(m, i, -i)
T.gather(x, dim=1, index=T.tensor([[[0, 1, 2, 0]]])) | T.index_select(x, dim=2, index=j) | T.scatter(p, 1, T.tensor([[0], [2]]), 9.0)
T.scatter(i, 1, T.tensor([[0], [2]]), i, reduce="add") | N.one_hot(j, num_classes=3) * 1.0 | N.embedding(j, a, padding_idx=0)
T.sin(i) | T.exp(m) | T.sigmoid(i) | T.floor(i) | N.relu(i) | T.add(i, f) | T.mul(x, i[0, 0]) | T.mul(m, m) | T.add(m, m) | T.add(i, 0.5)
T.add(f, x[0, 0, 0]) | T.add(f, x[0, 0, :3]) | T.maximum(i, f) | T.logical_and(i, f) | T.isclose(i, i) | T.square(m) | T.sum(v, 0) | T.sqrt(i * i)
T.softmax(v, 0) | T.cumsum(v, 0) | T.zeros(2, 3) | T.ones((2,), dtype=T.f64) | T.zeros_like(i, dtype=T.f32) | T.full_like(x, 2, dtype=T.i64)
T.eye(3) | T.eye(2, 3, dtype=T.i64) | T.arange(4) | T.arange(1, 4) | T.arange(0, 1, 0.25) | T.arange(end=3) | T.linspace(0, 7, 3, dtype=T.i64)
T.einsum("bij,bkj->bik", x, y) | N.leaky_relu(x) | N.elu(x) | N.hardtanh(x, max_val=0.5) | N.glu(x) | N.softplus(x, beta=2)
N.gelu(x, approximate="tanh") | N.relu(x, inplace=False) | N.dropout(x, training=False) | N.prelu(x, weight=v.reshape(1))
N.batch_norm(b, None, None, training=True) | N.batch_norm(b, a[0].detach(), p[0].detach(), momentum=0.3) | N.group_norm(b, 1, eps=1e-3)
N.layer_norm(x, normalized_shape=(4,)) | N.instance_norm(b) | N.interpolate(b, size=(2, 3)) | N.interpolate(b, scale_factor=2.0, mode="bilinear")
N.unfold(b, 2, 1, 1, 2) | N.unfold(b, kernel_size=(2, 3), stride=1) | N.pixel_shuffle(b.reshape(1, 4, 3, 8), upscale_factor=2)
N.smooth_l1_loss(x, y) | N.huber_loss(x, y) | N.huber_loss(x, y, delta=0.5, reduction="sum") | N.kl_div(x, y, reduction="batchmean", log_target=True)
N.cosine_similarity(x, y, dim=2) | N.cosine_embedding_loss(x[0], y[0], T.tensor([1.0, -1.0, 1.0], dtype=T.f64))
N.triplet_margin_loss(x[0], y[0], x[1]) | N.hinge_embedding_loss(x[0, 0], T.tensor([1.0, -1.0, 1.0, -1.0], dtype=T.f64))
N.poisson_nll_loss(x, p[0, 0], log_input=True) if False else N.poisson_nll_loss(p, p + 1, log_input=False)
N.gaussian_nll_loss(x, y[:1], p[:, :, None]) | N.mse_loss(x, y, reduction="none") | T.cdist(x, y, 2.0) | T.trapezoid(x, dim=1)
L.solve_triangular(a, a, upper=True, left=False) | L.solve(a, a) | T.sum(input=x) | T.relu(input=x) if hasattr(T, "relu") else x
"""
NUMPY = """
N.sum(x, axis=1, keepdims=True) | N.sum([[1, 2], [3, 4]], 0) | N.var(x, axis=0, ddof=0) | N.maximum(x, 0.1) | N.add(x, 1) | N.where(m, i, 0)
N.sqrt([1.0, 4.0]) | N.arange(3) | N.arange(1, 9, 2) | N.eye(3) | N.flip(x, 1) | N.tile(x, reps=(1, 2, 1)) | N.argsort(x, axis=0)
N.searchsorted(N.sort(x[0, 0]), [0.0, 0.5]) | N.stack([x, y]) | N.cumsum(i, axis=0) | N.any(i, axis=1) | N.squeeze(x[:1]) | N.unique(i)
N.diagonal(x) | N.logical_and(i, m) | N.zeros_like(x) | N.full_like(i, 3) | N.quantile(x, 0.5, axis=1) | N.hypot(x, y) | N.round(x)
N.cumsum(i) | N.cumprod(x) | N.flip(x) | N.transpose(x) | N.transpose(x, (1, 0, 2)) | N.roll(x, (1, 2), axis=(0, 1)) | N.unique(i, axis=0)
N.bincount(j) | N.var(x, dtype="f8", ddof=1)
"""


class Spaces:
    """A module with the names of heed's dtypes."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, {"f32": "float32", "f64": "float64", "i64": "int64"}.get(name, name))


def lines_of(text):
    return [line.strip() for part in text.strip().splitlines() for line in part.split(" | ")]


def first(result):
    return result[0] if isinstance(result, tuple) else result


class Lines(setting.Case):
    def compare(self, ours, theirs, dtype=True):
        self.assertEqual(ours.shape, tuple(theirs.shape))
        if dtype:
            self.assertEqual(heed._kinds.NUMPY_DTYPES[str(theirs.dtype).removeprefix("torch.")], ours.dtype)
        theirs = theirs.detach().numpy() if hasattr(theirs, "detach") else theirs
        numpy.testing.assert_allclose(ours.numpy(), theirs, 1e-5 if ours.dtype == "f32" else 1e-9, 1e-6)

    def gradients(self, result, inputs):
        """The gradients of the sum of squares of a result."""
        if not getattr(result, "requires_grad", False):
            return {}
        (result * result).sum().backward()
        return {name: t.grad for name, t in inputs.items() if t.grad is not None}

    def test_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        for line in lines_of(LINES):
            theirs = {name: torch.tensor(value, requires_grad=value.dtype.kind == "f") for name, value in INPUTS.items()}
            ours = {name: heed.tensor(value, copy=True, requires_grad=value.dtype.kind == "f") for name, value in INPUTS.items()}
            with self.subTest(line):
                expected = eval(line, {"T": Spaces(torch), "N": torch.nn.functional, "L": torch.linalg, "V": first, **theirs})
                found = eval(line, {"T": heed, "N": heed, "L": heed, "V": first, **ours})
                self.compare(found, expected)
                wanted, grads = self.gradients(expected, theirs), self.gradients(found, ours)
                self.assertEqual(set(grads), set(wanted))
                for name, gradient in grads.items():
                    self.compare(gradient, wanted[name])

    def test_numpy(self):
        for line in lines_of(NUMPY):
            with self.subTest(line):
                found, expected = eval(line, {"N": heed, **INPUTS}), eval(line, {"N": numpy, **INPUTS})
                self.compare(found, numpy.asarray(expected), dtype=False)

    def test_messages(self):
        x, i = heed.ones((2, 3)), heed.tensor([1, 2])
        for kind, text, call in (
                (TypeError, "relu: inplace=True: write x = heed.relu(x)", lambda: heed.relu(x, inplace=True)),
                (TypeError, "sum: out=", lambda: heed.sum(x, out=x)),
                (TypeError, "device='cuda': heed computes on the CPU", lambda: heed.zeros(2, device="cuda")),
                (TypeError, "searchsorted: out_int32 is True", lambda: heed.searchsorted(x[0], x[0], out_int32=True)),
                (ValueError, "must be None, 'trunc' or 'floor'", lambda: heed.div(x, x, rounding_mode="up")),
                (ValueError, "approximate is 'exact'", lambda: heed.gelu(x, approximate="exact")),
                (ValueError, "mode is 'bicubic': must be one of", lambda: heed.interpolate(x, 4, mode="bicubic")),
                (ValueError, "min and max are None", lambda: heed.clamp(x)),
                (TypeError, "leave out running_mean", lambda: heed.instance_norm(x, x, x, use_input_stats=True)),
                (TypeError, "unexpected keyword argument 'colour'", lambda: heed.softmax(x, 1, colour=3)),
                (ValueError, "write heed.to_dtype(heed.linspace(...), 'i64')", lambda: heed.linspace(0.5, 2, 3, dtype="i64")),
                (ValueError, "softmax: there is no axis 5", lambda: heed.softmax(i, dim=5)),
                (TypeError, "var: axis is True: a bool is no axis: write correction=1", lambda: heed.var(x, True)),
                (ValueError, "roll: shifts has 1 numbers and dims 2", lambda: heed.roll(x, (1,), (0, 1))),
                (TypeError, "squeeze() missing 1 required positional argument", lambda: heed.squeeze(None)),
                (TypeError, "x must be a heed.Tensor, not str 'a'", lambda: heed.clamp("a", 0, 1)),
                (TypeError, "clamp: x must be a heed.Tensor, not str 'a'", lambda: heed.clamp("a", min=0)),
                (TypeError, "matmul: the tensors are i64", lambda: heed.matmul(i, i))):
            self.raises(kind, text, call)

    def test_operators(self):
        """A float makes whole numbers f32, whatever its value."""
        i = heed.tensor([1, 2])
        self.assertEqual([(i * c).dtype for c in (2, 2.0, 0.5)], ["i64", "f32", "f32"])
        self.assertEqual(((1.0 - i).tolist(), (i / 2).dtype), ([0.0, -1.0], "f32"))
        self.raises(ValueError, "", lambda: i + 2**63)

    def test_batch_norm_moves_the_running_statistics(self):
        x, mean, var = heed.tensor(INPUTS["b"]), heed.zeros(3, "f64"), heed.ones(3, "f64")
        heed.batch_norm(x, mean, var, training=True, momentum=0.5)
        self.same(mean, INPUTS["b"].mean((0, 2, 3)) / 2)
        self.same(var, 0.5 + INPUTS["b"].var((0, 2, 3), ddof=1) / 2)

    def test_memory_is_freed_without_the_garbage_collector(self):
        x = heed.ones((2, 3))
        calls = (lambda: heed.add(x, 1), lambda: x.sum(dim=0), lambda: heed.clamp(x, min=0), lambda: heed.leaky_relu(x),
                 lambda: heed.add(x, heed.ones(4)), lambda: x.sum(dim=7), lambda: heed.relu(x, inplace=True), lambda: heed.lerp(x, x, "a"),
                 lambda: heed.topk(x, 1.5), lambda: heed.max(x, x), lambda: heed.softmax(x, 9), lambda: heed.concat([x, "a"], 0))
        gc.collect()
        gc.disable()
        try:
            for i, call in enumerate(calls):
                before = heed.memory().live_objects
                try:
                    call()
                except (TypeError, ValueError):
                    pass
                self.assertEqual(heed.memory().live_objects, before, i)
        finally:
            gc.enable()

    def test_tensors_are_not_axes(self):
        x, i = heed.tensor([3.0, 1.0]), heed.tensor([0, 0])
        self.same(heed.max(x, i), [3, 1])
        self.raises(TypeError, "axis must be an int or a sequence of ints", heed.sum, x, i)

    def test_requires_grad_of_new_tensors(self):
        self.assertTrue(heed.zeros(2, 3, requires_grad=True).requires_grad)
        self.assertFalse(heed.randn_like(heed.ones(2), requires_grad=False).requires_grad)


if __name__ == "__main__":
    unittest.main()
