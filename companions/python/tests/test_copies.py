#!/usr/bin/env python3
"""companions/python/tests/test_copies.py - copy.deepcopy and pickle of modules, optimizers, schedules and fits, by value."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import copy
import pickle
import unittest

import setting
import heed
import numpy
from heed import data, nn, np as hnp, optim

COPIED = (copy.deepcopy, *(lambda x, n=n: pickle.loads(pickle.dumps(x, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)))


class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.scale = nn.Parameter(heed.ones(1))
        self.body = nn.Sequential(nn.Linear(3, n), heed.relu, nn.Dropout(0.5), nn.Linear(n, 2))
        self.seen = nn.Buffer(heed.zeros(1))
        self.again = nn.Parameter(self.body[3].weight)  # shared
        self.n, self.notes = n, ["a"]

    def forward(self, x):
        return self.body(x) * self.scale


class Wide(nn.Linear):
    """A layer of the library with more parameters."""

    def __init__(self, n):
        super().__init__(n, 2 * n, bias=False)
        self.extra = nn.Parameter(heed.zeros(2 * n))

    def forward(self, x):
        return super().forward(x) + self.extra


def by_step(t):
    return 1 / (1 + t)


def layers():
    yield nn.Linear(3, 2, activation=heed.gelu), (5, 3)
    yield nn.Sequential(nn.Conv(2, 3, (3, 3), padding=(1, 1)), nn.BatchNorm(3), heed.relu, nn.Flatten(), nn.Linear(48, 2)), (2, 2, 4, 4)
    yield nn.Residual(nn.Linear(3, 3), heed.tanh), (2, 3)
    yield nn.TransformerEncoderBlock(8, 2, 16, activation=heed.silu, gated=True), (2, 5, 8)
    yield nn.LayerNorm((3,), elementwise_affine=False), (2, 3)
    yield nn.Function("relu"), (2, 3)
    yield nn.VisionTransformer((3, 4, 4), (2, 2), 3, hidden_size=8, num_heads=2, num_layers=1, ffn_size=8), (1, 3, 4, 4)
    yield Wide(3), (2, 3)
    yield Net(), (5, 3)


class Modules(setting.Case):
    def test_every_layer(self):
        for module, shape in layers():
            for copied in COPIED:
                with self.subTest(type(module).__name__):
                    x = heed.randn(shape)
                    module(x)  # changes running statistics
                    module.eval()
                    heed.manual_seed(5)
                    twin = copied(module)
                    drawn = heed.rand(3).tolist()
                    heed.manual_seed(5)
                    self.assertEqual(heed.rand(3).tolist(), drawn)
                    self.assertIs(type(twin), type(module))
                    self.assertEqual(twin(x).tolist(), module(x).tolist())
                    self.assertEqual([(n, p.shape, p.requires_grad) for n, p in twin.named_parameters()],
                                     [(n, p.shape, p.requires_grad) for n, p in module.named_parameters()])
                    self.assertEqual([n for n, _ in twin.named_buffers()], [n for n, _ in module.named_buffers()])
                    self.assertEqual([(n, type(m), m.training) for n, m in twin.named_modules()],
                                     [(n, type(m), m.training) for n, m in module.named_modules()])
                    for name, tensor in module.state_dict().items():
                        self.assertFalse(heed.shares_storage(tensor, twin.find(name)), name)
                    module.train()

    def test_what_a_class_has_assigned(self):
        net = Net(6)
        net.requires_grad_(False, "body.0.*")
        net.body[1].eval()
        for copied in COPIED:
            twin = copied(net)
            self.assertEqual((twin.n, twin.notes), (6, ["a"]))
            self.assertIsNot(twin.notes, net.notes)
            self.assertTrue(heed.shares_storage(twin.again, twin.body[3].weight))
            self.assertEqual([n for n, p in twin.named_parameters() if not p.requires_grad], ["body.0.weight", "body.0.bias"])
            self.assertEqual([m.training for m in twin.modules()], [m.training for m in net.modules()])
            with heed.no_grad():
                twin.scale.copy_(heed.tensor([7.0]))
            self.assertEqual(net.scale.item(), 1)
            again = copied(twin)  # a copy of a copy
            self.assertEqual(again.scale.item(), 7)

    def test_a_network_trains_as_its_copy(self):
        net = nn.Sequential(nn.Linear(3, 4), heed.tanh, nn.Linear(4, 1))
        x, y = heed.randn((8, 3)), heed.randn((8, 1))
        for copied in COPIED:
            twins = [(net, optim.Adam(net.parameters(), lr=0.1))]
            self.train(*twins[0], x, y)
            twins.append(copied(twins[0]))
            self.assertEqual(self.train(*twins[1], x, y), self.train(*twins[0], x, y))

    def train(self, net, optimizer, x, y, schedule=None):
        losses = []
        for _ in range(5):
            loss = heed.mse_loss(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if schedule is not None:
                schedule.step(loss.item()) if isinstance(schedule, optim.PlateauSchedule) else schedule.step()
            losses.append((loss.item(), optimizer.lr))
        return losses

    def test_schedules(self):
        x, y = heed.randn((8, 3)), heed.randn((8, 1))
        for make in (lambda o: optim.StepSchedule(o, 2, 0.5), lambda o: optim.LambdaSchedule(o, by_step),
                     lambda o: optim.PlateauSchedule(o, factor=0.5, patience=1),
                     lambda o: optim.SequentialSchedule(o, [optim.LinearSchedule(None, 0.1, 1.0, 3), optim.ChainedSchedule(
                         None, [optim.StepSchedule(None, 2, 0.5), optim.CosineSchedule(None, 9, 0.0)])], [3])):
            for copied in COPIED:
                net = nn.Linear(3, 1)
                adam = optim.Adam(net, lr=0.1)
                run = net, adam, make(adam)
                self.train(net, adam, x, y, run[2])
                twin = copied(run)
                self.assertEqual((twin[1].lr, twin[2].steps), (adam.lr, run[2].steps))
                self.assertEqual(self.train(*twin[:2], x, y, twin[2]), self.train(net, adam, x, y, run[2]))
                self.assertEqual(copied(adam).lr, adam.lr)  # without its schedule

    def test_groups(self):
        net = Net()
        sgd = optim.SGD(net.body, lr=0.1, momentum=0.9)
        sgd.set_options(net.body, "*bias", lr=0.3)
        head = nn.Linear(2, 1)
        sgd.add_group(head, lr=0.2)
        sgd.set_group_lr(0, 0.5)
        for copied in COPIED:
            twin = copied(sgd)
            self.assertEqual([twin.group_lr(i) for i in range(twin.groups)], [0.5, 0.3, 0.2])

    def test_averages(self):
        net = nn.Linear(2, 1)
        average = optim.Average(net, decay=0.9)
        average.update()
        with heed.no_grad():
            net.weight.add_(1)
        for copied in COPIED:
            twin, own = copied((net, average))
            for n, a in ((twin, own), (net, average)):
                a.update()
                a.swap()
            self.assertEqual(twin.weight.tolist(), net.weight.tolist())
            for a in (own, average):
                a.swap()
            self.assertEqual(own.state()["n_averaged"].item(), average.state()["n_averaged"].item())

    def test_what_is_refused(self):
        net = Net()
        for copied in (copy.deepcopy, pickle.dumps):
            self.raises(TypeError, "of a list of tensors cannot be copied or pickled: make it from a module", copied,
                        optim.SGD(list(net.parameters()), lr=0.1))
            self.raises(TypeError, "cannot be copied or pickled: copy its state", copied, nn.FeedForward(4, 8).linear1)
            for refused, what in ((heed.KVCache(), "a KVCache cannot be copied or pickled: make a new one"), (net.parameters(), "list(net.parameters())"),
                                  (heed.Comm(), "make one in every process")):
                self.raises(TypeError, what, copied, refused)
        self.raises(TypeError, "use copy.deepcopy", copy.copy, net)

        class Two(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(2, 2)
                self.b = Own(self.a.weight)

        class Own(nn.Module):
            def __init__(self, w):
                super().__init__()
                self.w = nn.Parameter(w)
        self.raises(TypeError, "a.weight and b.w are the same tensor", copy.deepcopy, Two())


class Data(setting.Case):
    def test_datasets_and_loaders(self):
        rows = data.Dataset([numpy.arange(20.0).reshape(10, 2), numpy.arange(10)])
        for copied in (*COPIED, copy.copy):
            for whole in (rows, rows.subset([3, 1])):
                for ours, theirs in zip(copied(whole).all(), whole.all()):
                    self.assertEqual((ours.dtype, ours.tolist()), (theirs.dtype, theirs.tolist()))
            generator = heed.Generator(3)
            for options in (dict(shuffle=True), dict(shuffle=True, generator=generator), dict(weights=heed.ones(10)), {}):
                loader = data.Loader(rows, batch_size=3, **options)
                loader.next()
                before = heed.default_generator().get_state(), generator.get_state()
                twin = copied(loader)
                self.assertEqual((heed.default_generator().get_state(), generator.get_state()), before)
                for _ in range(2):
                    self.assertEqual([y.tolist() for _, y in twin], [y.tolist() for _, y in loader])

    def test_scalers_and_categories(self):
        x = heed.tensor([[1.0, float("nan")], [2.0, 5.0], [4.0, 6.0]])
        scaler, categories = data.Scaler(x, fill_nan=True), data.Categories(["b", "a", "b"])
        for copied in COPIED:
            self.assertEqual(copied(scaler).transform(x).tolist(), scaler.transform(x).tolist())
            self.assertEqual(repr(copied(copied(scaler))), repr(scaler))
            self.assertEqual([copied(categories).name(i) for i in range(2)], ["a", "b"])

    def test_generators(self):
        generator = heed.Generator(3)
        generator.randn(5)
        for copied in (*COPIED, copy.copy):
            twin = copied(generator)
            self.assertEqual(twin.get_state(), generator.get_state())
            self.assertEqual(twin.rand(3).tolist(), generator.rand(3).tolist())
            before = heed.default_generator().get_state()
            self.assertEqual(copied(heed.default_generator()).rand(2).tolist(), heed.rand(2).tolist())
            heed.default_generator().set_state(*before)

    def test_checkpoints(self):
        net = nn.Linear(2, 1)
        run = heed.Checkpoint(module=net, optimizer=optim.Adam(net, lr=0.1), generator=heed.Generator(1), extra={"best": heed.ones(1)},
                              loader=data.Loader(data.Dataset([numpy.ones((4, 2))]), batch_size=2))
        run.step = 3
        for copied in COPIED:
            twin = copied(run)
            self.assertEqual(repr(twin), repr(run))
            self.assertEqual(twin.parts["module"].weight.tolist(), net.weight.tolist())
            self.assertEqual(twin.parts["optimizer"].parameters[0].tolist(), net.weight.tolist())


class Fits(setting.Case):
    def test_fits(self):
        draw = numpy.random.default_rng(3)
        x, y = draw.random((60, 2)), draw.random(60)
        x[:, 1] = x[:, 1] > 0.5
        at = x[:7] + [0.05, 0]
        for fit in (hnp.fit(x, y, degree=1, columns=["continuous", "unordered"], criterion="aicc"), hnp.fit(x[:, 0], y, weights=numpy.arange(60.0)),
                    hnp.fit(x[:, 0], y, criterion="rule"), hnp.fit(x[:, 0], y, robust=2, bandwidths=[0.2], kernel="tricube"), hnp.density(x),
                    hnp.classes(x[:, 0], numpy.where(y > 0.5, "a", "b"))):
            for copied in COPIED:
                twin = copied(fit)
                q = at if getattr(fit, "columns", 1) == 2 and not isinstance(fit, hnp.Classes) else at[:, 0]
                self.assertEqual(str(twin), str(fit))
                self.assertEqual((twin.criterion, twin.evaluations, len(twin.minima)), (fit.criterion, fit.evaluations, len(fit.minima)))
                ours, theirs = (vars(f.predict(q)) if not isinstance(f, hnp.Classes) else {"p": f.probabilities(q)} for f in (twin, fit))
                for name in theirs:
                    numpy.testing.assert_array_equal(ours[name], theirs[name])
                if isinstance(fit, hnp.Fit):
                    numpy.testing.assert_array_equal(twin.bootstrap(q, draws=9), fit.bootstrap(q, draws=9))
                    numpy.testing.assert_array_equal(twin.residuals, fit.residuals)
                    self.assertEqual(twin.significance(0, draws=19), fit.significance(0, draws=19))


if __name__ == "__main__":
    unittest.main()
