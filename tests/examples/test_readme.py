"""tests/examples/test_readme.py - the README's program in C prints the numbers that the README shows, and draws its picture.

    python3 tests/examples/test_readme.py PROGRAM PROJECT
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pictures

PROGRAM, PROJECT = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1))
NUMBER = re.compile(r"\d+\.\d+")


def shown():
    """The output that the README shows below the program."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    return re.search(r"^```c\n#define HEED_SITES.*?^```\n.*?^```text\n(.*?)^```$", text, re.M | re.S)[1]


class Hello(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-readme-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, program):
        """Instruction sets differ in the sixth digit of a loss."""
        done = subprocess.run([program], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(NUMBER.sub("#", done.stdout), NUMBER.sub("#", shown()))
        for got, expected in zip(NUMBER.findall(done.stdout), NUMBER.findall(shown())):
            self.assertAlmostEqual(float(got), float(expected), delta=1e-5 * max(float(expected), 1))
        pictures.assert_picture(self, self.folder / "weights.png")

    def check_stub(self, output, code, picture):
        """Checks a program that prints this, ends with this code and leaves this picture."""
        (self.folder / "weights.png").write_bytes(picture)
        path = self.folder / "stub"
        path.write_text(f"#!{sys.executable}\nimport sys\nsys.stdout.write({output!r})\nsys.exit({code})\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.check(path)

    def test_program(self):
        self.check(PROGRAM)

    def test_stubs_fail(self):
        subprocess.run([PROGRAM], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        good = (self.folder / "weights.png").read_bytes()
        self.check_stub(shown(), 0, good)
        for output, code, picture in [
            ("epoch 5, loss 999999\n", 0, good),
            (re.sub("loss 0", "loss 1", shown()), 0, good),
            (shown(), 1, good),
            ("", 0, good),
            (shown(), 0, good[:-20]),
            (shown(), 0, good.replace(b"IDAT", b"IDAX", 1)),
        ]:
            with self.assertRaises((AssertionError, pictures.Damaged)):
                self.check_stub(output, code, picture)


if __name__ == "__main__":
    unittest.main()
