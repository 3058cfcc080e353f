#!/usr/bin/env python3
"""companions/python/tests/test_files.py - files, checkpoints, pictures, and the programs in README.md."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import setting
import heed
import numpy
from heed import nn, optim
from test_modules import Net


class Files(setting.Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return Path(self.folder.name, name)

    def test_tensors(self):
        x = heed.tensor(numpy.arange(6.0).reshape(2, 3))
        heed.save(self.path("x.npy"), x)
        self.same(numpy.load(self.path("x.npy")), x.numpy())
        self.same(heed.load(self.path("x.npy"), first=1, rows=1), [[3, 4, 5]])
        for name in ("x.npz", "x.safetensors"):
            heed.save(self.path(name), {"a": x, "b": x[0]})
            self.assertEqual(list(heed.load(self.path(name))), ["a", "b"])
            self.same(heed.load(self.path(name))["b"], [0, 1, 2])
            self.assertEqual(list(heed.load(self.path(name), names=["b"])), ["b"])
        self.same(numpy.load(self.path("x.npz"))["a"], x.numpy())
        self.raises(ValueError, "must end in", heed.save, "x.txt", x)
        self.raises(ValueError, "must end in", heed.load, "x.txt")
        self.raises(heed.Error, "nowhere", heed.load, self.path("nowhere.npy"))
        self.raises(TypeError, "dict must be a dict of tensors, not Tensor", heed.save, self.path("y.npz"), x)
        self.raises(TypeError, "t must be a heed.Tensor", heed.save, self.path("y.npy"), {})
        self.raises(ValueError, "must not contain NUL", heed.save, "\0.npy", x)

    def test_a_decoder(self):
        folder = Path(__file__).parents[3] / "tests/reference/gguf_models"
        file = heed.io.gguf_read(folder / "qwen3.gguf")
        net = nn.Decoder.from_gguf(file, dtype="f64")
        self.assertEqual(net(heed.tensor([[5, 33, 12]])).shape, (1, 3, 64))
        self.same(dict(net.named_parameters())["norm.weight"].detach(), file["output_norm.weight"].numpy())
        del file.texts["qwen3.block_count"]
        self.raises(ValueError, "key \"qwen3.block_count\" is missing", nn.Decoder.from_gguf, file)

    def test_a_module(self):
        one, other = Net(), Net()
        one.save(self.path("net.safetensors"))
        other.load(self.path("net.safetensors"))
        x = heed.randn((2, 3))
        self.same(other(x), one(x).numpy())
        self.raises(ValueError, "module_load_state", nn.Linear(3, 4).load, self.path("net.safetensors"))
        self.raises(ValueError, "missing", other.load_state_dict, {"scale": heed.ones(1)})
        other.load_state_dict({"scale": heed.full((1,), 3.0)}, allow_missing=True)
        self.same(other.scale.detach(), [3])
        other.copy_state(one)
        self.same(other.scale.detach(), [1])

    def test_a_checkpoint(self):
        net = Net()
        adam = optim.Adam(net, lr=0.1)
        run = heed.Checkpoint(module=net, optimizer=adam, extra={"mine": heed.ones(2)})
        self.assertFalse(run.exists(self.path("run.heed")))
        run.step = 7
        run.save(self.path("run.heed"))
        other = Net()
        again = heed.Checkpoint(module=other, optimizer=optim.Adam(other, lr=0.5), extra={"mine": heed.zeros(2)})
        again.load(self.path("run.heed"))
        self.assertEqual((again.step, again.parts["optimizer"].lr), (7, 0.1))
        self.same(again.extra["mine"], [1, 1])
        self.same(other.body[0].weight.detach(), net.body[0].weight.numpy())
        self.raises(TypeError, "module is a int", heed.Checkpoint, module=3)
        self.raises(TypeError, "optimizer is a Generator", heed.Checkpoint, optimizer=heed.Generator(1))

    def test_the_example(self):
        done = subprocess.run([sys.executable, setting.ROOT / "companions/python/examples/attention.py", self.folder.name], text=True,
                              capture_output=True, check=True, env={**os.environ, "PYTHONPATH": str(setting.ROOT / "companions/python")})
        losses = [float(line.split()[3].rstrip(",")) for line in done.stdout.splitlines()]
        self.assertEqual((len(losses), sorted(losses, reverse=True)), (5, losses))
        self.assertTrue(self.path("fit.svg").exists() and self.path("weights.png").exists())

    def test_the_example_with_pytorch(self):
        done = subprocess.run([sys.executable, setting.ROOT / "companions/python/examples/to_pytorch.py"], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(setting.ROOT / "companions/python")}, check=False)
        if done.returncode == 77:
            self.skipTest("PyTorch is missing")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("PyTorch wrote 7.0 to a parameter of heed", done.stdout)

    def test_pictures(self):
        x = heed.linspace(0, 1, 20)
        heed.plot.lines([dict(x=x, y=x * x, label="a", style="dashed"), dict(y=x, kind="bars", color=0xff0000)], self.path("l.svg"),
                        title="both", xlim=(0, 2))
        heed.plot.heatmap(heed.randn((2, 3)), self.path("h.png"), colormap="viridis", xticks=["a", "b", "c"])
        self.assertIn("both", self.path("l.svg").read_text())
        self.assertTrue(self.path("h.png").read_bytes().startswith(b"\x89PNG"))
        heed.plot.image(heed.ones((5, 3, 4, 4)), self.path("i.png"), columns=3)
        self.assertTrue(self.path("i.png").read_bytes().startswith(b"\x89PNG"))
        self.raises(TypeError, "has an unknown key 'z': must be one of x, y", heed.plot.lines, [dict(z=x)], self.path("l.svg"))
        heed.plot.lines([dict(y=x[:3], kind="bars")], self.path("l.svg"), xticks=["one", "two", "three"])
        self.assertIn("three", self.path("l.svg").read_text())
        self.raises(TypeError, "xtick_count", heed.plot.lines, [dict(y=x)], self.path("l.svg"), xtick_count=9)
        self.raises(ValueError, "xtick_count is 1: there must be 3 xticks", heed.plot.heatmap, heed.ones((2, 3)),
                    self.path("h.png"), xticks=["a"])
        self.raises(ValueError, "xlim has 3 numbers: must have 2", heed.plot.lines, [dict(y=x)], self.path("l.svg"), xlim=(1, 2, 3))


if __name__ == "__main__":
    unittest.main()
