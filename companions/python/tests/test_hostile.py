#!/usr/bin/env python3
"""companions/python/tests/test_hostile.py - with any arguments, heed's functions raise an exception or return a result;
Python never crashes."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import inspect
import os
import random
import tempfile
import unittest

import setting
import heed
import numpy
from heed import _classes, data, io, nn, optim, plot

ROUNDS = 20
# Left out, because the calls would succeed with side effects on threads, an interpreter's memory, or files of any
# name.
LEFT_OUT = {"set_num_threads", "manual_seed"}


class Hostile(setting.Case):
    def setUp(self):
        """In a temporary folder: a name such as "sum" may be a file's."""
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def values(self):
        """Values of every kind that a function takes, and of other kinds."""
        x = heed.randn((2, 3, 4))
        net = nn.Linear(4, 4)
        dataset = data.Dataset([x])
        return [None, True, False, 0, 1, -1, 2, 2**55, 2**70, 0.5, -1.0, float("nan"), float("inf"), "", "sum", "f64", "a\0b", "\ud800",
                b"x", (), (1, 2), [0, -1], (2**63,), [1] * 9, {}, {"a": x}, {"a": 1}, object(), numpy.ones(3), numpy.float32(2), int, len,
                x, x[0], x[0, 0], x[0, 0, 0], x > 0, heed.tensor([1, 0]), heed.tensor([[0, 1]]), heed.zeros((0, 3)), heed.ones((3, 3), "f64"),
                heed.tensor([[1.0] * 3] * 2, requires_grad=True),
                [x, x], [x, None], [net], [net, 3], net, nn.MultiHeadAttention(4, 2), nn.Module(), nn.Linear.__new__(nn.Linear),
                heed.Generator(1), heed.KVCache(), optim.SGD(net, lr=0.1), heed.Generator.__new__(heed.Generator), dataset,
                data.Loader(dataset), lambda *a: x, lambda *a: 1 / 0, heed.relu, "file.npy", "none.npz", "."]

    def functions(self):
        """All public functions."""
        for module in (heed, nn, optim, io, plot, data):
            for name, found in sorted(vars(module).items()):
                if not name.startswith("_") and callable(found) and getattr(found, "__module__", "").startswith("heed"):
                    if name not in LEFT_OUT:
                        yield name, found

    def attempt(self, draw, values, function):
        try:
            wanted = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return False
        given = [draw.choice(values) for p in wanted
                 if p.kind == p.POSITIONAL_OR_KEYWORD and (p.default is p.empty or draw.random() < 0.5)]
        given += [draw.choice(values) for p in wanted if p.kind == p.VAR_POSITIONAL for _ in range(2)]
        named = {p.name: draw.choice(values) for p in wanted if p.kind == p.KEYWORD_ONLY and draw.random() < 0.2}
        try:
            function(*given, **named)
            return True
        except (heed.Error, ValueError, TypeError, LookupError, MemoryError, ZeroDivisionError, AttributeError, OverflowError,
                BufferError):
            return False

    def test_any_arguments(self):
        draw, went, total = random.Random(1), 0, 0
        values = self.values()
        for name, function in self.functions():
            for _ in range(ROUNDS):
                total += 1
                went += self.attempt(draw, values, function)
        self.assertGreater(went, total // 50)

    def test_methods_of_anything(self):
        draw = random.Random(2)
        values = self.values()
        for cls in [c for c in vars(_classes).values() if isinstance(c, type)]:
            for name in sorted(n for n in dir(cls) if not n.startswith("__") and callable(getattr(cls, n)) and n not in
                               ("_adopt", "_of", "_free", "_take", "_make", "_at", "_register", "_join", "_begin", "_add")):
                for _ in range(ROUNDS // 4):
                    self.attempt(draw, values, getattr(cls, name))


if __name__ == "__main__":
    unittest.main()
