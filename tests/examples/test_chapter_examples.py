"""tests/examples/test_chapter_examples.py - runs attention_scoring and attention_pooling as a user would.

    python3 tests/examples/test_chapter_examples.py FOLDER_OF_PROGRAMS
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pictures

PROGRAMS = Path(sys.argv.pop(1))

# Numbers by NumPy in float64; the toy examples' numbers are printed in the chapter.
SCORING = """\
masked softmax, without lengths
tensor([[[0.2138, 0.2363, 0.2612, 0.2887],
         [0.2138, 0.2363, 0.2612, 0.2887]],

        [[0.2138, 0.2363, 0.2612, 0.2887],
         [0.2138, 0.2363, 0.2612, 0.2887]]], shape=(2, 2, 4), dtype=f32)
a length per batch element: 2, 3
tensor([[[0.4750, 0.5250, 0.0000, 0.0000],
         [0.4750, 0.5250, 0.0000, 0.0000]],

        [[0.3006, 0.3322, 0.3672, 0.0000],
         [0.3006, 0.3322, 0.3672, 0.0000]]], shape=(2, 2, 4), dtype=f32)
a length per query: 1, 3, 2, 4
tensor([[[1.0000, 0.0000, 0.0000, 0.0000],
         [0.3006, 0.3322, 0.3672, 0.0000]],

        [[0.4750, 0.5250, 0.0000, 0.0000],
         [0.2138, 0.2363, 0.2612, 0.2887]]], shape=(2, 2, 4), dtype=f32)
additive attention
tensor([[[ 2.0000,  3.0000,  4.0000,  5.0000]],

        [[10.0000, 11.0000, 12.0000, 13.0000]]], shape=(2, 1, 4), dtype=f32,
       requires_grad=True)
scaled dot-product attention
tensor([[[ 2.0000,  3.0000,  4.0000,  5.0000]],

        [[10.0000, 11.0000, 12.0000, 13.0000]]], shape=(2, 1, 4), dtype=f32)
additive attention, uneven
tensor([[[ 2.3967,  3.3967,  4.3967,  5.3967]],

        [[10.2320, 11.2320, 12.2320, 13.2320]]], shape=(2, 1, 4), dtype=f64,
       requires_grad=True)
loss 310.649556, and its gradient in w_v
tensor([0.7149, 1.4372, 2.2290, 3.1169, 4.0293, 4.8837, 5.7075, 6.7048],
       shape=(8), dtype=f64)
"""


class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-chapter-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, name, *arguments):
        return subprocess.run([PROGRAMS / name, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)

    def output(self, name, *arguments):
        done = self.run_program(name, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def assert_pictures(self, folder, sizes):
        self.assertEqual(sorted(p.name for p in (self.folder / folder).iterdir()), sorted(f"{n}.png" for n in sizes))
        for name, size in sizes.items():
            path = self.folder / folder / f"{name}.png"
            self.assertEqual(pictures.decode(path)[:2], size, name)
            pictures.assert_picture(self, path, least=min(size))


class Scoring(Example):
    def test_book(self):
        # Sums of equal weights may be off by a last bit, and then whole numbers are not printed as such.
        output = re.sub(r"(?<=[\d ]\d)\.(?=[],])", ".0000", self.output("attention_scoring"))
        self.assertEqual(re.sub(r"\[ *", "[", output), re.sub(r"\[ *", "[", SCORING))
        self.assert_pictures("out", dict.fromkeys(("additive", "dot_product", "uneven"), (480, 400)))


class Pooling(Example):
    def test_pooling(self):
        output = self.output("attention_pooling")
        names = ["Gaussian", "Boxcar", "Constant", "Triangular", "Epanechnikov", "h = 0.1", "h = 0.2", "h = 0.5", "h = 1"]
        lines = [re.fullmatch(r"(.*?) +mean squared error (0\.\d{4})", line) for line in output.splitlines()]
        self.assertEqual([line[1] for line in lines], names)
        error = {line[1]: float(line[2]) for line in lines}
        self.assertEqual(error["Gaussian"], error["h = 0.5"])
        self.assertEqual(max(error.values()), error["Constant"])
        self.assertLess(error["h = 0.2"], min(error["h = 0.1"], error["h = 0.5"], error["h = 1"]))
        self.assert_pictures("out", {"kernels": (640, 480), "kernels_weights": (1250, 250),
                                     "widths": (640, 480), "widths_weights": (1000, 250)})


class CommandLine(Example):
    programs = ("attention_scoring", "attention_pooling")

    def test_folder(self):
        for name in self.programs:
            self.output(name, "--out", name)
            self.output(name, "--out", name)
            self.assertGreater(len(list((self.folder / name).iterdir())), 2)
        self.assertFalse((self.folder / "out").exists())

    def test_help(self):
        for name in self.programs:
            output = self.output(name, "--help")
            self.assertIn("--out", output)
            self.assertEqual(list(self.folder.iterdir()), [])
            pictures = re.findall(r"\w+\.png", output)
            self.output(name)
            self.assertEqual(sorted(pictures), sorted(p.name for p in (self.folder / "out").iterdir()))
            for path in (self.folder / "out").iterdir():
                path.unlink()
            (self.folder / "out").rmdir()

    def test_refused(self):
        (self.folder / "file").write_text("")
        for arguments, text in ((["surplus"], "surplus"), (["--nonsense"], "--nonsense"),
                                (["--out"], "requires an argument"), (["--out", "file"], "not a folder"),
                                (["--out", "file/below"], "--out file: not a folder"), (["--out", "x" * 5000], "too long")):
            for name in self.programs:
                done = self.run_program(name, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(text, done.stderr)

    def test_picture_in_the_way(self):
        for name, picture in (("attention_scoring", "additive.png"), ("attention_pooling", "kernels_weights.png")):
            (self.folder / name / picture).mkdir(parents=True)
            done = self.run_program(name, "--out", name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(picture, done.stderr)


if __name__ == "__main__":
    unittest.main()
