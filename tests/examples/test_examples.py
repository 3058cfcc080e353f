"""tests/examples/test_examples.py - runs the examples as a user would.

    python3 tests/examples/test_examples.py FOLDER_OF_PROGRAMS PROJECT
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pictures

PROGRAMS, PROJECT = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
DATA = PROJECT / "examples" / "data"
PICTURES = ["average", "nonparametric", "nonparametric_weights", "parametric", "parametric_weights", "loss",
            "local_linear"]


class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-examples-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, name, *arguments):
        return subprocess.run([PROGRAMS / name, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)

    def train(self, *arguments):
        done = self.run_program("nw_regression", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def assert_refused(self, text, *arguments, code=2):
        done = self.run_program("nw_regression", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)
        return done.stdout

    def assert_pictures(self, folder):
        self.assertEqual(sorted(p.name for p in folder.iterdir()), sorted(f"{name}.png" for name in PICTURES))
        for name in PICTURES:
            width, height, _ = pictures.decode(folder / f"{name}.png")
            self.assertTrue(width <= 1000 and height <= 1000, (name, width, height))
            pictures.assert_picture(self, folder / f"{name}.png", least=200)


class Good(Example):
    def test_book(self):
        lines = self.train().splitlines()
        self.assertEqual(len(lines), 8)
        for epoch, line in enumerate(lines[:5], 1):
            self.assertRegex(line, rf"^epoch {epoch}, loss \d+\.\d{{6}}$")
        self.assertRegex(lines[5], r"^h \d+\.\d{6}, leave-one-out mean squared error \d+\.\d{6}$")
        self.assertRegex(lines[6], r"^local linear: h = \d+\.\d{4}, leave-one-out error \d+\.\d{4}$")
        self.assert_pictures(self.folder / "out")

    def test_seed_decides(self):
        first, again, other = self.train("--seed", 3), self.train("--seed", 3), self.train("--seed", 4)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def best(self, file, x, y, h, error):
        output = self.train("--data", DATA / file, "--x", x, "--y", y, "--log-width", "--out", "new/pictures")
        self.assertIn(f"h {h}, leave-one-out mean squared error {error}\n", output)
        self.assertEqual(len(re.findall("^epoch ", output, re.M)), 11)
        self.assert_pictures(self.folder / "new/pictures")
        return output

    def test_mcycle(self):
        output = self.best("mcycle.csv", "times", "accel", "0.913829", "595.936344")
        self.assertIn("local linear: h = 1.4758, leave-one-out error 561.3395\n", output)

    def test_faithful(self):
        self.best("faithful.csv", "eruptions", "waiting", "0.261407", "32.296059")

    def test_book_setting_on_data(self):
        output = self.train("--data", DATA / "faithful.csv", "--x", "eruptions", "--y", "waiting", "--epochs", 2,
                            "--lr", "1e-4")
        self.assertEqual(len(re.findall(r"^epoch \d, loss", output, re.M)), 2)
        self.assert_pictures(self.folder / "out")

    def test_help(self):
        output = self.train("--help")
        for option in ("--data", "--x", "--y", "--log-width", "--epochs", "--lr", "--seed", "--out"):
            self.assertIn(option, output)
        self.assertFalse((self.folder / "out").exists())

    def test_mlp(self):
        done = self.run_program("mlp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        accuracies = [float(a) for a in re.findall(r"^epoch +\d+, loss [\d.]+, accuracy ([\d.]+)$", done.stdout, re.M)]
        self.assertEqual(len(accuracies), 6)
        self.assertGreater(accuracies[-1], 0.97)
        self.assertIn(b'"0.weight"', (self.folder / "mlp.safetensors").read_bytes())

    def test_attention(self):
        done = self.run_program("attention")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        losses = [float(a) for a in re.findall(r"^step +\d+, loss ([\d.]+)$", done.stdout, re.M)]
        self.assertEqual(len(losses), 6)
        self.assertLess(losses[-1], 0.02)
        pictures.assert_picture(self, self.folder / "attention.png")

    def test_custom_op(self):
        done = self.run_program("custom_op")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # softplus and its derivative, the logistic function, at -100, -1, 0, 1, 100
        numbers = [float(n) for n in re.findall(r"-?\d+\.\d+e[-+]\d+", done.stdout)]
        points = (-100, -1, 0, 1, 100)
        expected = [math.log1p(math.exp(x)) for x in points] + [1 / (1 + math.exp(-x)) for x in points]
        self.assertGreaterEqual(len(numbers), len(expected))
        for got, value in zip(numbers, expected):
            self.assertAlmostEqual(got, value, delta=1e-4 * value + 2 ** -149)
        for name in ("gradcheck", "gradgradcheck"):
            error = re.search(rf"^{name}: passed, \d+ derivatives compared, largest error ([-+.e0-9]+)", done.stdout, re.M)[1]
            self.assertLess(float(error), 1e-6)


class GaussianProcess(Example):
    def fit(self, file, x, y):
        done = self.run_program("gaussian_process", "--data", DATA / file, "--x", x, "--y", y)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        count = len(x.split(","))
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), [f"fit_{i + 1}.png" for i in range(count)])
        for path in (self.folder / "out").iterdir():
            pictures.assert_picture(self, path, least=200)
        return done.stdout

    # Numbers of tests/examples/gaussian_process.py.
    def test_mcycle(self):
        self.assertEqual(self.fit("mcycle.csv", "times", "accel"), """\
log marginal likelihood -105.9801, before learning -211.0303
length scale of times: 5.216
standard deviations of accel: signal 45.36, noise 22.56
pictures in out
""")

    def test_two_inputs(self):
        self.assertEqual(self.fit("airquality.csv", "Wind,Temp", "Ozone"), """\
37 rows skipped: a value is missing
log marginal likelihood -104.3749, before learning -115.1830
length scale of Wind: 2.965
length scale of Temp: 12.15
standard deviations of Ozone: signal 39.36, noise 15.72
pictures in out
""")

    def test_refused(self):
        table = self.folder / "data.csv"
        table.write_text("a,b,c\n1,2,3\n2,2,5\n3,2,4\n", encoding="utf-8")
        for arguments, text in ((["--data", table], "--data, --x and --y are needed"),
                                (["--data", "none.csv", "--x", "a", "--y", "c"], "none.csv"),
                                (["--data", table, "--x", "a,d", "--y", "c"], '"d"'),
                                (["--data", table, "--x", "a,b", "--y", "c"], 'column "b" is 2 in every row'),
                                (["--data", table, "--x", "a", "--y", "c", "--iterations", "0"], "--iterations 0"),
                                (["--data", table, "--x", ",".join("aaaaaaaaa"), "--y", "c"], "more than 8 columns")):
            done = self.run_program("gaussian_process", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(text, done.stderr)
        table.write_text("a,c\n1,2\n2,NA\n3,4\n", encoding="utf-8")
        done = self.run_program("gaussian_process", "--data", table, "--x", "a", "--y", "c")
        self.assertIn("has 2 complete rows: must have 3 or more", done.stderr)


class Readme(Example):
    """The README's line for one's own data, from a folder that has what a fresh clone has."""

    def test_own_data(self):
        text = (PROJECT / "README.md").read_text(encoding="utf-8")
        line = re.search(r"^(build/release/examples/nw_regression --data .*)$", text, re.M)[1]
        (self.folder / "examples").symlink_to(PROJECT / "examples")
        self.assertFalse((self.folder / "out").exists())
        done = self.run_program(*line.replace("build/release/examples/", "").split())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("pictures in out/mcycle\n", done.stdout)
        self.assert_pictures(self.folder / "out" / "mcycle")


class Tables(Example):
    """Files as they come: separators, decimal signs, missing values."""

    ROWS = [(1, 2.5), (2, 3.5), (4, 1.25), (5, 7), (7, 2.75), (8, 3)]

    def table(self, text):
        path = self.folder / "data.csv"
        path.write_text(text, encoding="utf-8")
        return ["--data", path, "--x", "a", "--y", "b", "--log-width", "--epochs", 2]

    def good(self):
        return self.table("a,b\n" + "".join(f"{x},{y}\n" for x, y in self.ROWS))

    def test_separators(self):
        expected = self.train(*self.good())
        for mark, notice in ((";", "separated by ';'\n"), ("\t", "separated by tabs\n"), ("|", "separated by '|'\n")):
            table = self.table(f"a{mark}b\n" + "".join(f"{x}{mark}{y}\n" for x, y in self.ROWS))
            self.assertEqual(self.train(*table), notice + expected)
            name = "tab" if mark == "\t" else mark
            self.assertEqual(self.train(*table, "--separator", name), expected)
        self.assert_refused('is \'|\' the separator?', *table, "--separator", ";")

    def test_decimal(self):
        expected = self.train(*self.good())
        table = self.table("a;b\n" + "".join(f"{x};{str(y).replace('.', ',')}\n" for x, y in self.ROWS))
        self.assertEqual(self.train(*table, "--decimal", ","), "separated by ';'\n" + expected)
        self.assert_refused('"2,5" is not a number: is \',\' the decimal sign?\n', *table)

    def test_missing(self):
        expected = self.train(*self.good())
        rows = [f"{x},{y}" for x, y in self.ROWS]
        gaps = "\n".join(["a,b,c", rows[0] + ",", "NA,9,1", *(f"{row},NA" for row in rows[1:]), "3,,1", ""])
        table = self.table(gaps)
        self.assertEqual(self.train(*table, "--missing", "skip"), "2 rows skipped: a value is missing\n" + expected)
        self.assert_refused('line 3, column "a": "NA" is a missing value: set the option missing to a different HEED_IO_MISSING_*\n'
                            "(--missing skip leaves out the rows without a value, 2 of 8; --missing 0 fills in 0)\n", *table)
        filled = self.train(*table, "--missing", "1.5")
        self.assertEqual(filled, self.train(*self.table(gaps.replace("NA,9", "1.5,9").replace("3,,", "3,1.5,"))))

    def test_options(self):
        for option, value in (("--missing", "maybe"), ("--missing", "nan"), ("--missing", "1x"), ("--missing", ""),
                              ("--separator", ""), ("--separator", "ab"), ("--decimal", "..")):
            self.assert_refused(f"{option} {value}: must be", *self.good(), option, value)
        self.assert_refused("the decimal sign is character 39", *self.good(), "--decimal", "'")
        for option, value in (("--missing", "skip"), ("--separator", ";"), ("--decimal", ",")):
            self.assert_refused("the options of the table, such as --separator, --decimal and --missing, need --data",
                                option, value)

    def test_other_forms(self):
        expected = self.train(*self.good())
        rows = "".join(f"{x}  {y * 1000:,}\n" for x, y in self.ROWS)
        table = self.table("made by hand\n# x y\n" + rows + "9 none\n")
        options = ["--skip-lines", 1, "--comment", "#", "--no-header", "--separator", "space", "--thousands", ",",
                   "--missing-text", "none", "--missing", "skip", "--x", "V1", "--y", "V2"]
        separated, printed = self.train(*table, *options).split("1 rows skipped: a value is missing\n")
        self.assertEqual(separated, "")
        scaled = self.table("a,b\n" + "".join(f"{x},{y * 1000}\n" for x, y in self.ROWS))
        self.assertEqual(self.train(*scaled), printed)
        self.assertNotEqual(printed, expected)


class Refused(Example):
    def csv(self, text):
        path = self.folder / "data.csv"
        path.write_text(text, encoding="utf-8")
        return ["--data", path, "--x", "a", "--y", "b"]

    def test_command_line(self):
        self.assert_refused("--data, --x and --y must be used together", "--data", DATA / "mcycle.csv")
        self.assert_refused("--data, --x and --y must be used together", "--x", "times")
        self.assert_refused("surplus", "surplus")
        self.assert_refused("--nonsense", "--nonsense")
        self.assert_refused("requires an argument", "--lr")
        for number in ("0", "-1", "nan", "inf", "fast", "1x", ""):
            self.assert_refused(f"--lr {number}", "--lr", number)
        for number in ("-1", "1.5", "many", "99999999999999999999", ""):
            self.assert_refused(f"--epochs {number}", "--epochs", number)
        for number in ("-1", "x", "99999999999999999999"):
            self.assert_refused(f"--seed {number}", "--seed", number)

    def test_files(self):
        columns = ["--x", "a", "--y", "b"]
        self.assert_refused("No such file", "--data", "nowhere.csv", *columns)
        self.assert_refused(str(self.folder), "--data", self.folder, *columns)
        self.assert_refused("line 3", *self.csv("a,b\n1,2\n3\n"))
        self.assert_refused("two", *self.csv("a,b\n1,2\n3,two\n4,5\n"))
        self.assert_refused("times", "--data", DATA / "mcycle.csv", "--x", "time", "--y", "accel")
        self.assert_refused("2 rows", *self.csv("a,b\n1,2\n3,4\n"))
        self.assert_refused("column \"a\" is 1 in every row", *self.csv("a,b\n1,2\n1,3\n1,4\n"))
        self.assert_refused("column \"b\" is 7 in every row", *self.csv("a,b\n1,7\n2,7\n3,7\n"))

    def test_folders(self):
        (self.folder / "file").write_text("")
        self.assert_refused("not a folder", "--out", "file")
        self.assert_refused("--out needs the name of a folder", "--out", "")
        self.assert_refused("--out file: not a folder", "--out", "file/below")
        self.assert_refused("too long", "--out", "x" * 2000)

    def test_failures_while_running(self):
        (self.folder / "out" / "average.png").mkdir(parents=True)
        self.assertEqual(self.assert_refused("average.png", code=1), "")
        (self.folder / "far.csv").write_text("x,y\n1,1e200\n2,-1e200\n3,1e200\n", encoding="utf-8")
        output = self.assert_refused("the loss of epoch 1 is not finite", "--data", "far.csv", "--x", "x", "--y", "y",
                                     "--out", "new", code=1)
        self.assertNotIn("nan", output)


if __name__ == "__main__":
    unittest.main()
