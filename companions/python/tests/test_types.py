#!/usr/bin/env python3
"""companions/python/tests/test_types.py - `mypy --strict` accepts the package and a program that uses it, and finds the
mistakes of a second program."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import setting
import heed

RIGHT = '''
from typing import List, Tuple

import numpy

import heed
from heed import data, nn, optim
from heed import np as hnp


class Net(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, n, bias=False), heed.relu, nn.Linear(n, 2))
        self.steps = nn.ModuleList([nn.Linear(2, 2)])
        self.scale = nn.Parameter(heed.ones(1))

    def forward(self, x: heed.Tensor) -> heed.Tensor:
        y: heed.Tensor = self.body(x) * self.scale
        return heed.softmax(y, -1)


def train(net: Net, rows: "numpy.ndarray[int, numpy.dtype[numpy.float32]]", labels: List[int]) -> Tuple[float, heed.Tensor]:
    loader = data.Loader(data.Dataset([rows, labels]), batch_size=4, shuffle=True)
    adam = optim.Adam(net.parameters(), lr=0.01)
    schedule = optim.StepSchedule(adam, 10, 0.5)
    x, y = loader.next()
    loss = heed.cross_entropy(net(x), y)
    loss.backward()
    adam.step()
    schedule.step()
    with heed.no_grad():
        found = heed.maximum(heed.where(x > 0, x, 0.0), rows) ** 2 + heed.arange(3)
    return float(loss.item()), found.sum(1, keepdim=True)


fit = hnp.fit([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], bandwidths=[1.0])
mean: float = fit.predict([0.5]).mean[0]
'''
WRONG = {'nn.Linear("3", 4)': 'incompatible type "str"', "heed.relu({})": "incompatible type", "heed.softmax(x)": "Missing positional argument",
         'heed.zeros(3, dtype=4)': 'incompatible type "int"', "heed.sofmax(x, 1)": "has no attribute", "optim.SGD(nn.Identity(), rate=3)": "Unexpected keyword argument",
         'k: int = heed.relu(x)': "Incompatible types in assignment"}


@unittest.skipIf(shutil.which("mypy") is None, "there is no mypy")
class Types(unittest.TestCase):
    def setUp(self):
        if not hasattr(type(self), "folder"):  # both tests use one cache
            type(self).folder = tempfile.mkdtemp()
            self.addClassCleanup(shutil.rmtree, type(self).folder)

    def check(self, program):
        path = Path(self.folder, "program.py")
        path.write_text(program, encoding="utf-8")
        done = subprocess.run(["mypy", "--strict", "--cache-dir", self.folder, "--python-executable", sys.executable, str(path)], cwd=self.folder,
                              check=False, capture_output=True, text=True,
                              env={**os.environ, "MYPYPATH": str(setting.ROOT / "companions" / "python")})
        return done.stdout + done.stderr

    def test_the_package_and_a_program(self):
        self.assertIn("Success", self.check(RIGHT))

    def test_names_of_pytorch_and_numpy(self):
        names = sorted({**heed._habits.CONSTANTS, **heed._habits.FUNCTIONS})
        lines = ["import heed", "x = heed.ones((2, 3))", *(f"v_{name} = heed.{name}" for name in names), "y: heed.Tensor = heed.cat([x, x], dim=1)",
                 "z: heed.Tensor = heed.hstack([x, x]).view(-1).float().mean(dim=0)", "w = heed.tensor([1.0], dtype=heed.float64)", "t: float = heed.inf",
                 "x.register_hook(lambda g: g * 2).remove()", "team = heed.DataParallel(heed.Comm(), heed.optim.SGD(heed.nn.Linear(1, 1), lr=0.1), shards=2)"]
        self.assertIn("Success", self.check("\n".join(lines)))
        self.assertIn("Module has no attribute", self.check("import heed\nheed.catt([heed.ones(1)])"))

    def test_mistakes_are_found(self):
        lines = ["import heed", "from heed import nn, optim", "x = heed.ones(3)", *WRONG]
        found = self.check("\n".join(lines)).splitlines()
        for number, what in enumerate(WRONG.values(), 4):
            self.assertTrue(any(f"program.py:{number}:" in line and what in line for line in found), (lines[number - 1], found))


if __name__ == "__main__":
    unittest.main()
