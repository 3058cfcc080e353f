"""tests/examples/test_tiny.py - examples/tiny.c has the library's losses, and stays short enough to read at once.

    python3 tests/examples/test_tiny.py TINY TINY_LOSSES SOURCES
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import unittest
from pathlib import Path

TINY, LOSSES, SOURCES = (Path(sys.argv.pop(1)) for _ in range(3))


def numbers(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return [float(number) for number in re.findall(r"(?:loss|w) (\S+)$", done.stdout, re.M)]


class Tiny(unittest.TestCase):
    def test_losses_are_the_library_s(self):
        tiny, library = numbers(TINY), numbers(LOSSES)
        self.assertEqual(len(tiny), 11)
        self.assertLess(tiny[9], 0.25 * tiny[0])
        for ours, theirs in zip(tiny, library, strict=False):
            self.assertAlmostEqual(ours, theirs, delta=1e-6 * abs(theirs))
        self.assertEqual(len(library), 11)

    def test_short(self):
        lines = (SOURCES / "examples" / "tiny.c").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(sum("SPDX" not in line for line in lines), 300)

    def test_names_are_the_library_s(self):
        text = (SOURCES / "examples" / "tiny.c").read_text(encoding="utf-8")
        library = "\n".join(path.read_text(encoding="utf-8") for folder in ("include", "src")
                            for path in (SOURCES / folder).rglob("*.[ch]"))
        names = set(re.findall(r"\bheed_\w+", text))
        self.assertGreater(len(names), 10)
        self.assertEqual(names - set(re.findall(r"\bheed_\w+", library)), set())

    def test_files_that_the_comments_name_exist(self):
        named = re.findall(r"\b(?:src|include)/[\w/]+\.[ch]\b", (SOURCES / "examples" / "tiny.c").read_text(encoding="utf-8"))
        self.assertGreater(len(named), 10)
        for name in named:
            self.assertTrue((SOURCES / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()
