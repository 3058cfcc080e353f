#!/usr/bin/env python3
"""companions/python/tests/test_readme.py - the programs and the table of habits in companions/python/README.md."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import contextlib
import io
import os
import re
import tempfile
import unittest

import setting
import heed
import numpy

README = (setting.ROOT / "companions" / "python" / "README.md").read_text(encoding="utf-8")
HABITS = re.findall(r"^\| `([^`]+)`[^|]* \| `([^`]+)` \|$", README.partition("\n## Habits\n")[2].partition("\n## ")[0], re.M)


class Readme(setting.Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-readme-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        os.symlink(setting.ROOT / "examples", "examples")

    def test_programs(self):
        """The blocks run in order, in one program."""
        blocks, names = re.findall(r"^```python\n(.*?)^```$", README, re.S | re.M), {}
        self.assertEqual(len(blocks), 4)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for block in blocks:
                exec(compile(block, "README.md", "exec"), names)
        self.assertTrue(printed.getvalue().startswith("1.0\n"))
        self.assertIn("R2", printed.getvalue())
        self.assertIn("0.weight", heed.load("net.safetensors"))
        self.assertEqual(names["at"].mean.shape, (101,))
        names.clear()

    def test_habits(self):
        """The left side fails with one of the usual exceptions, and the right side works."""
        self.assertGreater(len(HABITS), 15)
        x, net = heed.tensor([[4.0, 1.0, 2.0], [0.0, 3.0, 1.0], [1.0, 1.0, 5.0]]), heed.nn.Linear(3, 1)
        names = dict(heed=heed, nn=heed.nn, optim=heed.optim, data=heed.data, numpy=numpy, x=x, a=x, logits=x, labels=heed.tensor([0, 1, 2]),
                     net=net, sgd=heed.optim.SGD(net, lr=0.1), w=heed.tensor([[1.0, 2.0]], requires_grad=True))
        heed.mse_loss(net(x), heed.zeros((3, 1))).backward()
        for habit, here in HABITS:
            with self.subTest(habit), self.assertRaises((AttributeError, TypeError, ValueError)):
                eval(habit, dict(names))
            with self.subTest(here):
                eval(here, dict(names))


if __name__ == "__main__":
    unittest.main()
