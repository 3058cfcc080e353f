#!/usr/bin/env python3
"""companions/python/tests/test_inspect.py - summaries, descriptions of tensors, profiles, anomaly and debug mode, hooks."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import copy
import json
import os
import tempfile
import unittest

import setting
import heed
from heed import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), heed.tanh, nn.Linear(4, 2))

    def forward(self, x, scale=None):
        y = self.body(x)
        return y if scale is None else y * scale


class Texts(setting.Case):
    def test_summaries(self):
        net, x = Net(), heed.randn((5, 3))
        rows = [line.split() for line in heed.summary(net, x).splitlines()]
        self.assertIn(["Net", "Net", "f32", "(5,", "2)", "-", "-", "-"], rows)
        self.assertIn(["Net.body.0", "linear", "f32", "(5,", "4)", "16", "60"], [row[:7] for row in rows])  # 5 * 3 * 4 multiply-adds
        self.assertIn("Net.body.2", heed.summary(net, x, heed.ones(1)))
        self.assertIn("lstm", heed.summary(nn.LSTM(3, 5), heed.randn((4, 2, 3))))
        self.raises(ValueError, "linear", heed.summary, net, heed.ones((5, 4)))
        self.raises(ZeroDivisionError, "division", heed.summary, nn.Sequential(lambda t: 1 / 0), x)

    def test_descriptions(self):
        x = heed.tensor([1.0, 2.0], requires_grad=True)
        text = heed.explain((x * 2).exp().sum())
        for word in ("sum", "exp", "mul_scalar", "leaf"):
            self.assertIn(word, text)
        self.assertIn("digraph", heed.graph_dot((x * 2).exp()))
        self.assertIn("bytes", heed.memory_report())
        self.raises(TypeError, "must be a heed.Tensor", heed.explain, "x")

    def test_profiles(self):
        x = heed.randn((8, 8))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            with heed.profile(path) as profile:
                for _ in range(3):
                    (x @ x).tanh()
            with open(path, encoding="utf-8") as trace:
                names = [event.get("name") for event in json.load(trace)]
        self.assertEqual(names.count("tanh"), 3)
        self.assertIn("tanh", profile.table)
        self.assertIn("bmm", repr(profile))
        with heed.profile():
            self.raises(heed.Error, "profile_begin", heed.profile().__enter__)

    def test_anomalies(self):
        x = heed.tensor([0.0, 1.0])
        with heed.detect_anomaly():
            self.raises(heed.Error, "log: the result (2) has 1 of 2 elements that are not finite", x.log)
        self.assertEqual(x.log().tolist(), [float("-inf"), 0])

    def test_debug_mode(self):
        self.assertFalse(heed.set_debug(True))
        x = heed.ones(2) + 1
        self.assertTrue(heed.set_debug(False))
        self.same(x, [2, 2])


class ForwardHooks(setting.Case):
    def test_calls_from_python_and_from_c(self):
        net, x, seen = Net(), heed.randn((5, 3)), []
        before = net(x).tolist()
        hooks = [part.register_forward_hook(lambda m, given, y: seen.append((type(m).__name__, given[0].shape, y.shape)))
                 for part in (net, net.body, net.body[0], net.body[1])]
        self.assertEqual(net(x).tolist(), before)
        self.assertEqual(seen, [("Linear", (5, 3), (5, 4)), ("Function", (5, 4), (5, 4)), ("Sequential", (5, 3), (5, 2)), ("Net", (5, 3), (5, 2))])
        seen.clear()
        net.body[0](x)
        nn.Sequential(net)(x)
        self.assertEqual([name for name, _, _ in seen], ["Linear", "Linear", "Function", "Sequential", "Net"])
        for hook in hooks:
            hook.remove()
        seen.clear()
        net(x)
        self.assertEqual(seen, [])

    def test_hooks_change_results_and_arguments(self):
        net, x = Net(), heed.randn((5, 3))
        wanted = net(x)
        twice = net.body[2].register_forward_hook(lambda m, given, y: y * 2)
        self.same(net(x).detach(), (wanted * 2).detach().numpy())
        net(x).sum().backward()
        self.same(net.body[2].bias.grad, [10, 10])
        twice.remove()
        net.body.register_forward_pre_hook(lambda m, given: given[0] * 0)
        self.same(net(x).detach(), net.body(heed.zeros((5, 3))).detach().numpy())
        self.same(net(x, heed.zeros(1)).detach(), wanted.detach().numpy() * 0)

    def test_mistakes_and_copies(self):
        net, x = Net(), heed.randn((5, 3))
        hook = net.body[0].register_forward_hook(lambda m, given, y: 1 / 0)
        self.raises(ZeroDivisionError, "division", net, x)
        self.raises(ZeroDivisionError, "division", net.body[0], x)
        copy.deepcopy(net)(x)
        hook.remove()
        hook.remove()
        net(x)
        self.raises(ValueError, "linear", net, heed.ones((5, 4)))
        self.raises(TypeError, "is part of a layer of the library has no hooks", nn.FeedForward(3, 4).linear1.register_forward_hook, print)


if __name__ == "__main__":
    unittest.main()
