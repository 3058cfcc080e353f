#!/usr/bin/env python3
"""companions/python/tests/test_habits.py - lines as users of PyTorch and NumPy write them: the same line gives the same
result with heed, or an error that says what to write."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import unittest

import setting
import heed
import numpy

try:
    import torch
except ImportError:
    torch = None

A = numpy.arange(6, dtype=numpy.float32).reshape(2, 3) + 1
B = numpy.array([[2, -1, 0.5], [3, 1, -2]], numpy.float32)
# Lines of PyTorch. T is the library; a, b (2, 3) and v (3) are its tensors, n has its indices, m is the array of a.
TORCH = """
2 ** a
a ** b
a ** 2
a @ b.T
a @ m.T
m.T @ a
a + m
m * a
1 - a
a > b
a == 2
a[a > 3]
a[:, [2, 0]]
a[n, n]
a[..., None].shape == (2, 3, 1)
a.sum(dim=1)
a.sum(1, keepdim=True)
a.mean(dim=(0, 1))
a.mean(1, True)
T.sum(a, dim=0)
T.softmax(a, dim=-1)
a.softmax(dim=1)
T.cat([a, b], dim=1)
T.stack([a, b])
T.arange(4)
T.arange(1, 7, 2)
T.zeros(2, 3)
T.ones((2, 3), dtype=T.int64)
T.full((2,), 3.5)
a.view(3, 2)
a.reshape(-1)
a.view(-1, 2)
a.size(1)
a.size()[0]
a.dim()
a.t()
a.transpose(0, 1)
a.permute(1, 0)
a.unsqueeze(0).squeeze()
a.flatten()
T.flatten(a.unsqueeze(0), 1)
a.clamp(min=2, max=5)
a.clamp(2)
T.clip(a, 2, 4)
a.float().dtype == T.float32
a.double().sum()
a.long()
a.to(T.float64)
a.to("cpu")
T.where(a > 3, a, b)
T.where(a > 3, a, 0)
T.maximum(a, b)
a.masked_fill(a > 3, 0)
a.argmax(dim=1)
a.cumsum(dim=0)
a.std(dim=0)
a.var(dim=1, keepdim=True)
a.norm()
T.norm(a, dim=1)
T.mm(a, b.T)
T.einsum("ij,kj->ik", [a, b])
a.repeat(2, 1)
a.expand_as(b)
a.gather(1, n.view(2, 1))
T.from_numpy(m.copy())
T.tensor([[1, 2], [3, 4]]) * 2
T.linspace(0, 1, 5)
T.is_tensor(a)
a.detach().cpu().numpy()
a.tolist()
[row.sum().item() for row in a]
f"{a.mean():.3f}"
len(a)
float(a[0, 0])
a.clone().add_(1)
a.clone().mul_(b)
T.allclose(a, a + 1e-9)
a.eq(b)
T.abs(-a)
T.logsumexp(a, dim=1)
-a % 3
a // 2
T.tensor(3) in T.tensor([1, 2, 3])
a.numel()
a.nelement()
a.is_contiguous()
a.contiguous()
a.requires_grad
a.clone().requires_grad_().requires_grad
a.type_as(a.double()).dtype == T.float64
a.mT
abs(b)
~(a > 3)
(a > 3) & (b > 0)
bool((a > 0).all())
(a > 1).any(dim=0)
T.eye(3)
T.unbind(a, dim=0)[1]
T.split(a, 2, dim=1)[0]
T.chunk(a, 2, dim=0)[1]
T.roll(a, shifts=1, dims=1)
T.flip(a, dims=(1,))
T.tril(a)
T.outer(v, v)
a[..., 0]
a[-1, None, 1:]
a[[0, 1], [1, 2]]
a[T.tensor([True, False])]
a[T.tensor(1)]
a[a > 2].sum()
list(a)[1]
3.0 in a
a.type(T.float64).dtype == T.float64
a.shape[-1] == a.size(-1) == len(a[0])
a.new_zeros(2)
a.new_ones((2, 2), dtype=T.int64)
a.new_full((2,), 3.0)
a.new_tensor([1.0, 2.0])
a.stride()
a.element_size()
a.is_floating_point()
a.clone().detach()
f"{a.sum():>10.2e}"
a.clamp_min(2)
a.clamp_max(2)
a.clone().fill_(2)
a.clone().zero_()
a.add(b, alpha=2)
T.addmm(a, T.ones(2, 2), b)
T.mv(a, v)
v.dot(v)
a.reciprocal()
a.equal(a) and not T.equal(a, b)
a[None].expand(4, -1, -1).shape == (4, 2, 3)
a.take(T.tensor([0, 5]))
T.hstack([a, b])
T.vstack([a, v.view(1, 3)])
T.hstack([v, v])
T.linspace(0, 1, steps=3)
T.trace(a[:, :2])
T.where(a > 2)[0]
a.masked_select(a > 2)
T.broadcast_to(v, (2, 3))
T.randperm(5).sort()[0] if hasattr(T.randperm(5).sort(), "values") else T.randperm(5).sort()
T.is_grad_enabled()
T.get_num_threads() > 0
T.no_grad()(lambda x: x * 2)(a)
T.tensor([True, False]).sum()
a.repeat_interleave(2, dim=0)
a.index_select(0, n)
a.scatter(1, n[:, None], 9.0)
a.pow(2).mean().sqrt()
sum(a)
round(a[0, 1].item())
a.tril().diagonal()
T.zeros(a.shape)
T.zeros(*a.shape)
T.as_tensor(a.tolist())
T.stack(list(a), dim=1)
a.view(a.size(0), -1).shape[1]
a.squeeze().T.contiguous().view(-1)
a.log_softmax(dim=-1).exp().sum(-1)
T.tensor([True, False]) + 1
3 * T.tensor([True, False])
T.tensor([True]) / 2
T.full((2, 2), 7)
T.full((2,), True)
a.where(a > 2, b)
a.clone().abs_().neg_()
a.clone().sigmoid_()
a.negative().swapdims(0, 1)
a.true_divide(2)
a.reshape_as(b)
a.ndimension()
T.count_nonzero(a > 2)
a.fliplr()
a.flipud()
T.empty_like(a).shape == a.shape
a.index_copy(0, n, b)
a[None, ..., None].shape
""".strip().splitlines()
# Lines of NumPy. T is the library, a, b and v are its arrays, m is an array in both.
NUMPY = """
T.concatenate([a, b])
T.concatenate([a, b], axis=1)
T.sum(a, axis=1, keepdims=True)
a.sum(axis=0)
a.mean(axis=1, keepdims=True)
a.std(ddof=1)
T.clip(a, 2, 4)
T.expand_dims(a, 0).shape
T.swapaxes(a, 0, 1)
a.astype("float64")
a.ravel()
a.copy()
a[::-1]
a[:, ::-2]
a[[0, 1], [2, 0]]
a[None].shape
T.absolute(b)
T.power(a, 2.0)
T.argsort(b)
T.sort(b)
T.tile(a, (2, 1))
T.matmul(a, b.T)
a + [1, 2, 3]
[1.0, 2.0, 3.0] * a
a >= [2, 2, 2]
T.asarray([1, 2])
T.array([1.5], dtype=T.float64)
T.zeros((2, 3))
T.squeeze(a[None], axis=0)
a.nbytes
a.itemsize
a.max(axis=1)
a[a > 3].shape
T.stack([a, b], axis=-1)
T.cumsum(a, axis=1)
T.isnan(a)
T.vstack([a, b])
T.hstack([a, b])
T.outer(v, v)
T.broadcast_to(v, (2, 3))
T.reciprocal(a)
T.trace(a)
a[..., ::-1]
T.take(a, [1, 4])
""".strip().splitlines()
# Functions of NumPy on tensors. The results are NumPy's.
ON_TENSORS = """
numpy.mean(a)
numpy.sum(a, axis=0)
numpy.exp(a)
numpy.sqrt(abs(b))
numpy.concatenate([a, b])
numpy.stack([a, m])
numpy.allclose(a, m)
numpy.argmax(a, axis=1)
numpy.percentile(a, 30)
numpy.add.reduce(a)
numpy.maximum(a, b)
numpy.asarray(a)
numpy.array(a, dtype=float)
numpy.float64(2) * a
numpy.float32(2) ** a
""".strip().splitlines()
# What does not work, and a part of the error that says what to write.
REFUSED = {
    "a.cuda()": "heed computes on the CPU", 'a.to("cuda")': "heed computes on the CPU", "nn.ReLU()": "heed.relu",
    "nn.Conv2d(3, 8, 3)": "nn.Conv(3, 8, (3, 3))", "nn.CrossEntropyLoss()": "heed.cross_entropy", "heed.nn.functional.relu(a)": "functions of heed",
    "nn.BatchNorm1d(3)": "nn.BatchNorm(num_features)", "optim.lr_scheduler.StepLR": "optim.StepSchedule", "a.data": "x.detach()",
    "heed.utils.data": "heed.data", "heed.data.DataLoader": "data.Loader(dataset, batch_size=64)", "a.half()": 'x.to_dtype("f32")',
    "heed.sofmax(a, 1)": "softmax", "nn.Liner(2, 3)": "Linear", "heed.Tensor([1])": "heed.tensor(data)",
    "nn.Linear(3, 1)(numpy.ones((2, 3)))": "to_dtype", "a.softmax(dim=1, axis=1)": "dim and axis are given",
    'nn.Linear(2, 3, device="cuda")': "heed computes on the CPU", "numpy.exp(w)": "x.detach()", "numpy.mean(w)": "x.detach()",
    "a[True]": "must be an int", "heed.tensor(['a'])": "heed has no dtype", "optim.Adam(net, betas=(0.9, 0))": "beta2 must be above 0",
    "a.type()": "write x.dtype", "a.max(1).indices": "x.argmax(axis)", "a.sort(1).values": "return the values themselves",
    "a.grad_fn": "heed.explain(x)", "a.H": "x.T", "heed.autograd.grad": "heed.grad", "heed.LongTensor([1])": 'heed.tensor(data, "i64")',
    "net.cuda()": "heed computes on the CPU", "net.to(heed.float64)": "make it with dtype='f64'", "net.double()": "make it with dtype='f64'",
    "net.in_features": "layer.weight.shape", "heed.nn.Module()(a)": "Module has no forward: define forward(self, x)",
    "optim.SGD(net, 0.1)": "SGD: options are keywords: write lr=0.1", "optim.SGD(net, lr=0.1).param_groups": "group_lr(i)",
    "optim.SGD([{'params': [w]}], lr=0.1)": "optimizer.add_group", "optim.SGD(net, lr=0.1).sstep()": "write step",
    "optim.StepSchedule(optim.SGD(net, lr=0.1), 1).get_last_lr()": "optimizer.lr", "heed.data.Loader(heed.data.Dataset([a]), 2)": "write batch_size=2",
    "heed.data.Loader(heed.data.Dataset([a]), batch_size=2, num_workers=4)": "data in memory needs no workers", "heed.data.random_split": "dataset.split(fraction)",
    "heed.data.Dataset([a])[5]": "sample 5 of a dataset of 2 samples", "heed.data.Dataset([a])[[0, 1]]": "dataset.take(numbers)",
    "heed.rand(3, generator=heed.Generator(1))": "write generator.rand(...)", "a.byte()": 'x.to_dtype("i64")', "a.diff()": "x[1:] - x[:-1]",
    "w.fill_(1)": "write in heed.no_grad()", "[w.sum().backward, (w * w).sum()][1].backward() or heed.save({}, 'model.pt')": "must end in .npy",
    "optim.Adam(net, betas=(0.9, 0.99), beta2=0.9)": "betas and beta2 are given", "nn.Linear(2, 3, biass=False)": "unexpected keyword argument 'biass'"}


def plain(x):
    """A result of any library, for comparisons."""
    x = x.detach() if hasattr(x, "detach") else x
    return numpy.asarray(x.numpy() if hasattr(x, "numpy") else x)


class Habits(setting.Case):
    def compare(self, line, theirs, ours):
        with self.subTest(line):
            expected, found = plain(eval(line, dict(theirs, numpy=numpy))), plain(eval(line, dict(ours, numpy=numpy)))
            self.assertEqual(found.shape, expected.shape)
            self.assertEqual(found.dtype.kind, expected.dtype.kind)
            if found.dtype.kind in "US":
                self.assertEqual(found.tolist(), expected.tolist())
            else:
                numpy.testing.assert_allclose(found, expected, 1e-5, 1e-6)

    def ours(self):
        return {"T": heed, "a": heed.tensor(A.copy()), "b": heed.tensor(B.copy()), "v": heed.tensor(A[0].copy()), "n": heed.tensor([1, 0]),
                "m": A}

    @unittest.skipIf(torch is None, "there is no PyTorch (python3-torch)")
    def test_lines_of_pytorch(self):
        theirs = {"T": torch, "a": torch.tensor(A), "b": torch.tensor(B), "v": torch.tensor(A[0]), "n": torch.tensor([1, 0]), "m": A}
        for line in TORCH:
            if " m" not in line and "m" != line[0]:
                self.compare(line, theirs, self.ours())
            else:  # PyTorch refuses some operators of arrays
                self.compare(line, dict(theirs, m=torch.tensor(A)), self.ours())

    def test_lines_of_numpy(self):
        for line in NUMPY:
            self.compare(line, {"T": numpy, "a": A, "b": B, "v": A[0], "m": A}, self.ours())

    def test_functions_of_numpy(self):
        for line in ON_TENSORS:
            self.compare(line, {"a": A, "b": B, "m": A}, self.ours())

    def test_errors_that_say_what_to_write(self):
        names = dict(heed=heed, nn=heed.nn, optim=heed.optim, numpy=numpy, a=heed.tensor(A.copy()), net=heed.nn.Linear(3, 1),
                     w=heed.tensor(A.copy(), requires_grad=True))
        for line, what in REFUSED.items():
            with self.subTest(line), self.assertRaises((AttributeError, TypeError, ValueError, IndexError, RuntimeError)) as caught:
                eval(line, names)
            self.assertIn(what, str(caught.exception), line)


    def test_arrays_and_numbers_on_the_left(self):
        """Operators give tensors of PyTorch's dtypes, and gradients, whichever side the array is on."""
        operators = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=")
        lefts = (A, A.astype(float), A.astype(int), A.tolist(), *(kind(2) for kind in (numpy.float32, numpy.float64, numpy.int64, numpy.uint8)), numpy.array(2.0), 2, 2.5)
        for operator in operators:
            for left in lefts:
                with self.subTest(operator, left=left):
                    x = heed.tensor(B.copy(), requires_grad=True)
                    y = eval(f"left {operator} x", dict(left=left, x=x))
                    expected = eval(f"left {operator} B", dict(left=numpy.asarray(left), B=B.astype(float)))
                    self.assertIsInstance(y, heed.Tensor)
                    double = getattr(left, "dtype", None) == float and numpy.ndim(left) > 0
                    self.assertEqual(y.dtype, "bool" if expected.dtype == bool else "f64" if double else "f32")
                    numpy.testing.assert_allclose(y.detach().numpy(), expected, 1e-5)
                    self.assertEqual(y.requires_grad, y.dtype != "bool")
        self.same(A.T @ heed.tensor(B.copy()), A.T @ B)
        self.same((A > 2) & (heed.tensor(B.copy()) > 0), (A > 2) & (B > 0))
        self.same(numpy.bool_(True) == heed.tensor([True, False]), [True, False])
        total = A.copy()
        total += heed.tensor(B.copy())
        self.same(total, A + B)
        self.raises(TypeError, "heed has no dtype for <U1", lambda: numpy.array(["a"]) + heed.tensor([1.0]))

    def test_modules(self):
        nn, x = heed.nn, heed.tensor(A.copy())
        net = nn.Sequential(nn.Linear(3, 2), nn.Residual(nn.Linear(2, 2), heed.tanh), nn.BatchNorm(2))
        seen = []
        self.assertIs(net.apply(seen.append), net)
        self.assertEqual([type(module).__name__ for module in seen if type(module) is not nn.Function],
                         ["Linear", "Sequential", "Linear", "Residual", "BatchNorm", "Sequential"])
        self.assertEqual([(name, type(module).__name__) for name, module in net.named_children()],
                         [("0", "Linear"), ("1", "Residual"), ("2", "BatchNorm")])
        self.assertEqual(len(list(net.children())), 3)
        self.assertIs(net.to("cpu").cpu().float().to(heed.float32), net)
        self.assertEqual(net.get_parameter("0.weight").shape, net.get_submodule("0").weight.shape)
        self.raises(AttributeError, "has no module '7': it has 0, 1", net.get_submodule, "7")
        net(x).sum().backward()
        net.zero_grad(set_to_none=False)
        self.assertEqual([p.grad.tolist() for p in net[0].parameters()], [[[0, 0, 0], [0, 0, 0]], [0, 0]])
        sgd = heed.optim.SGD(net.parameters(), lr=0.1)
        sgd.zero_grad(set_to_none=True)
        self.assertIsNone(net[0].bias.grad)
        sgd.zero_grad(set_to_none=False)
        self.assertEqual(net[0].bias.grad.tolist(), [0, 0])
        self.assertEqual(net.load_state_dict({"0.bias": heed.ones(2), "other": x}, strict=False).keys() >= {"other"}, True)
        self.assertEqual(net[0].bias.tolist(), [1, 1])

        class Own(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", heed.zeros(2))
                self.register_parameter("w", nn.Parameter(heed.ones(2)))
                self.add_module("body", nn.Linear(2, 2))

            @heed.no_grad
            def forward(self, x):
                return self.body(x) * self.w + self.mean

        own = Own()
        self.assertEqual(([n for n, _ in own.named_parameters()], [n for n, _ in own.named_buffers()]), (["w", "body.weight", "body.bias"], ["mean"]))
        self.assertFalse(own(heed.ones(1, 2)).requires_grad)
        data = heed.data.Dataset([A, [0, 1]])
        self.assertEqual([(x.tolist(), y.item()) for x, y in data], [(A[0].tolist(), 0), (A[1].tolist(), 1)])
        self.assertEqual(heed.Generator().manual_seed(4).rand(2).tolist(), heed.Generator(4).rand(2).tolist())

    def test_constructors(self):
        nn, net = heed.nn, heed.nn.Linear(in_features=3, out_features=2, bias=False, device="cpu")
        self.assertEqual((net.weight.shape, [name for name, _ in net.named_parameters()]), ((2, 3), ["weight"]))
        self.assertEqual(nn.Embedding(num_embeddings=4, embedding_dim=2).weight.shape, (4, 2))
        self.assertEqual(nn.LayerNorm(normalized_shape=3, elementwise_affine=True).weight.shape, (3,))
        ours, same = (heed.optim.Adam(heed.nn.Linear(1, 1), **options) for options in (dict(betas=(0, 0.9)), dict(no_momentum=True, beta2=0.9)))
        self.assertEqual(repr(ours), repr(same))


class Data(setting.Case):
    """Data for tensor arguments of C."""

    def test_arrays_numbers_and_lists(self):
        a, x = A.astype(float), heed.tensor(A.astype(float))
        self.same(heed.add(a, x), a + a)
        self.same(heed.maximum(x, 3), numpy.maximum(a, 3))
        self.assertEqual(heed.where(x > 2, 1.0, x).dtype, "f64")
        self.assertEqual(heed.where(x > 2, x, numpy.float32(0)).dtype, "f64")
        self.assertEqual(heed.where(x > 2, 0.5, 1).dtype, "f32")
        self.same(heed.mse_loss(x, a.tolist()), 0.0)
        self.same(heed.gather(x, 1, [[2], [0]]), [[3], [4]])
        self.same(heed.concat([a, x, [[1.5, 2, 3]]]), numpy.concatenate([a, a, [[1.5, 2, 3]]]))
        self.same(heed.stack(a), a)
        self.assertEqual(heed.cross_entropy(A, [0, 2]).dtype, "f32")
        self.same(heed.add(x, [0.1, 0.2, 0.3]), a + [0.1, 0.2, 0.3], 0)
        self.same(heed.tensor([1, 2]) + [0.5, 1], [1.5, 3])
        self.raises(TypeError, "add: b must be a heed.Tensor, not str 'x'", heed.add, x, "x")
        self.raises(TypeError, "add: b must be a heed.Tensor, not dict", heed.add, x, {})
        self.raises(TypeError, "add: b: tensor: heed has no dtype for <U1", heed.add, x, ["x"])

    @unittest.skipIf(torch is None, "there is no PyTorch (python3-torch)")
    def test_tensors_of_pytorch(self):
        t = torch.tensor(A)
        x = heed.tensor(t)
        t[0, 0] = 9
        self.assertEqual(x[0, 0].item(), 9)
        self.same(heed.nn.Identity()(t), t.numpy())
        self.same(x + t, 2 * t.numpy())
        self.same(heed.softmax(t, -1), torch.softmax(t, -1).numpy())
        with self.assertRaises((ValueError, RuntimeError)) as caught:
            heed.relu(t.requires_grad_())
        self.assertIn("detach()", str(caught.exception))

    def test_in_modules_and_datasets(self):
        net = heed.nn.Linear(3, 1)
        self.same(net(A), net(heed.tensor(A)).detach().numpy())
        self.same(net([[1.0, 2.0, 3.0]]), net(A[:1]).detach().numpy())
        data = heed.data.Dataset([A, [0, 1]])
        self.assertEqual([t.dtype for t in data.all()], ["f32", "i64"])
        net.load_state_dict({"weight": numpy.ones((1, 3), numpy.float32), "bias": [0.5]})
        self.same(net(A), A.sum(1, keepdims=True) + 0.5)
        net.weight.grad = numpy.ones((1, 3), numpy.float32)
        self.same(net.weight.grad, numpy.ones((1, 3)))
        y = net(A)
        y.backward(numpy.ones((2, 1), numpy.float32))
        self.same(net.bias.grad, [2])

        class Own(heed.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = heed.nn.Parameter(numpy.ones(3))
                self.frozen = heed.nn.Parameter([2.0], requires_grad=False)

        own = Own()
        self.assertEqual((own.w.requires_grad, own.frozen.requires_grad, own.w.dtype), (True, False, "f64"))


if __name__ == "__main__":
    unittest.main()
