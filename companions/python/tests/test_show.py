#!/usr/bin/env python3
"""companions/python/tests/test_show.py - repr of modules, optimizers, schedules, data and fits; tables for notebooks."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import unittest
from xml.etree import ElementTree

import setting
import heed
import numpy
from heed import data, nn, np as hnp, optim
from test_copies import Net, Wide


class Modules(setting.Case):
    def shows(self, x, *lines):
        self.assertEqual(repr(x).splitlines(), list(lines))

    def test_trees(self):
        net = Net()
        net.requires_grad_(False, "body.0.*")
        self.shows(net, "Net(  # 27 parameters, 16 of them frozen", "  scale: f32 (1)", "  seen: f32 (1)", "  again: f32 (2, 4)",
                   "  (body): Sequential(  # 26 parameters, 16 of them frozen", "    (0): Linear(3, 4)  # 16 parameters, frozen",
                   "    (1): relu()", "    (2): Dropout(0.5)", "    (3): Linear(4, 2)  # 10 parameters", "  )", ")")
        self.shows(Wide(3), "Wide(3, 6, no_bias=True  # 24 parameters", "  extra: f32 (6)", ")")
        self.shows(nn.Residual(nn.Linear(3, 3, bias=False), lambda x: x), "Residual(  # 9 parameters", "  (net): Sequential(  # 9 parameters",
                   "    (0): Linear(3, 3, no_bias=True)  # 9 parameters", "    (1): lambda()", "  )", ")")
        self.shows(nn.FeedForward(2, 3, activation=heed.silu), "FeedForward(2, 3, activation=silu  # 17 parameters",
                   "  (linear1): Linear(weight: (3, 2), bias: (3))  # 9 parameters",
                   "  (linear2): Linear(weight: (2, 3), bias: (2))  # 8 parameters", ")")
        self.shows(nn.Sequential(), "Sequential()")

    def test_layers(self):
        for made, shown in ((nn.Conv(3, 8, (3, 3), padding=(1, 1)), "Conv(3, 8, (3, 3), padding=(1, 1))  # 224 parameters"),
                            (nn.Identity(), "Identity()"), (nn.BatchNorm(3, eps=1e-3), "BatchNorm(3, eps=0.001)  # 6 parameters"),
                            (nn.ParameterList([heed.tensor([1.0], requires_grad=True)]), "ParameterList([f32 (1)])  # 1 parameter")):
            self.shows(made, shown)


class Others(setting.Case):
    def test_optimizers_and_schedules(self):
        net = nn.Linear(3, 2)
        adam = optim.Adam(net.parameters(), betas=(0.8, 0.99), lr=0.1)
        self.assertEqual(repr(adam), "Adam(lr=0.1, beta1=0.8, beta2=0.99)  # lr 0.1; 8 parameters")
        adam.add_group(nn.Linear(1, 1), lr=0.5)
        self.assertEqual(repr(adam), "Adam(lr=0.1, beta1=0.8, beta2=0.99)  # lr 0.1, 0.5; 10 parameters")
        steps = optim.StepSchedule(adam, 2, 0.5)
        steps.step()
        steps.step()
        self.assertEqual(repr(steps), "StepSchedule(2, 0.5)  # 2 steps, lr 0.05")
        part = optim.LinearSchedule(None, 0.1, 1.0, 3)
        self.assertEqual(repr(part), "LinearSchedule(0.1, 1, 3)  # 0 steps")
        both = optim.SequentialSchedule(optim.SGD(net, lr=1.0), [part, optim.CosineSchedule(None, 9, 0.0)], [3])
        self.assertEqual(repr(both), "SequentialSchedule([LinearSchedule(0.1, 1, 3), CosineSchedule(9, 0)], [3])  # 0 steps, lr 0.1")
        self.assertEqual(repr(part), "<LinearSchedule>")

    def test_data(self):
        rows = data.Dataset([numpy.ones((60, 3)), numpy.arange(60)])
        self.assertEqual(repr(rows), "Dataset(60 samples of f64 (3), i64 ())")
        self.assertEqual(repr(rows.split(0.75)[1]), "Dataset(15 samples of f64 (3), i64 ())")
        self.assertEqual(repr(data.Loader(rows, batch_size=8)), "Loader(batch_size=8)  # 60 samples of f64 (3), i64 ()")
        self.assertEqual(repr(data.Categories(list("abcdefghij"))), "Categories(['a', 'b', 'c', ... 10 in all])")
        self.assertEqual(repr(heed.Generator(3)), "Generator(3)")

        self.assertEqual(repr(data.Categories(["b", "a", "b"])), "Categories(['a', 'b'])")
        self.assertEqual(repr(data.Scaler(numpy.ones((5, 2)))), "Scaler(f64 (2))")

    def test_others(self):
        net, draws = nn.Linear(2, 1), heed.Generator(3)
        draws.rand(4)
        run = heed.Checkpoint(module=net, optimizer=optim.SGD(net, lr=0.1), extra={"best": heed.ones(1)})
        run.step = 7
        hook = net.register_forward_hook(print)
        found = heed.gradcheck(heed.square, heed.tensor([1.0], "f64", requires_grad=True))
        for made, shown in ((run, "Checkpoint(module=Linear, optimizer=SGD, extra=['best'])  # epoch 0, step 7"), (heed.no_grad(), "no_grad()"),
                            (draws, "Generator(3)  # position 1"), (net.parameters(), "<Parameters of Linear>"), (hook, "<Hook: print>"),
                            (nn.Buffer(heed.ones(2)), "Buffer(f32 (2))"), (heed.detect_anomaly(), "detect_anomaly()"),
                            (found, f"GradcheckResult(passed=True, order=1, compared=2, max_error={found.max_error:.3g})"),
                            (heed.DataParallel(heed.Comm(), run.parts["optimizer"], shards=2), "DataParallel(Comm(rank 0 of 1), shards=2)")):
            self.assertEqual(repr(made), shown)
        hook.remove()
        self.assertEqual(repr(hook), "<Hook: removed>")

    def test_every_public_class_has_a_repr(self):
        public = [vars(module)[name] for module in (heed, nn, optim, data) for name in module.__all__]
        public += [found for found in vars(hnp).values() if getattr(found, "__module__", "") == "heed.np" and found.__doc__]
        classes = {cls for cls in public if isinstance(cls, type) and not cls.__name__.startswith("_")}
        self.assertGreater(len(classes), 80)
        results = {heed._derivatives.GradcheckResult, heed._derivatives.TensorHook, heed._module.Hook, heed._module.Parameters}
        self.assertEqual([cls for cls in classes | results if cls.__repr__ is object.__repr__ and not issubclass(cls, BaseException)], [])

    def test_fits(self):
        fit = hnp.fit(numpy.arange(8.0), numpy.arange(8.0) ** 2, bandwidths=[2.0])
        self.assertTrue(repr(fit).startswith("<Fit: 8 rows, bandwidths 2, criterion "), repr(fit))
        for made, words in ((fit, ["rows", "8", "r2", f"{fit.r2:.6g}", "continuous", "2"]), (fit.predict([1.0, 2.0]), ["mean", "slopes 0"]),
                            (fit.predict(numpy.linspace(0, 7, 50)), ["mean", "..."]), (hnp.density([0.0, 1, 3], bandwidths=[1.0]), ["Density", "3"]),
                            (hnp.classes([0.0, 1, 2], ["a", "b", "a"], bandwidths=[1.0, 0.1]), ["labels", "unordered", "0.1"])):
            cells = [cell.text for cell in ElementTree.fromstring(f"<div>{made._repr_html_()}</div>").iter()]
            for word in words:
                self.assertIn(word, cells)
        self.assertEqual(len(fit.predict(numpy.linspace(0, 7, 50))._repr_html_().split("<tr>")), 23)  # a head and 21 rows


if __name__ == "__main__":
    unittest.main()
