"""tests/house/test_release.py - scripts/release --versions names each file whose version is another than the header's.

Each test changes one file of a copy.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FILES = ("CITATION.cff", "CHANGELOG.md", "companions/python/pyproject.toml", "companions/r/DESCRIPTION", "packaging/debian/changelog",
         "packaging/debian/libheed0.symbols", "include/heed/heed.h", "packaging/vcpkg/heed/vcpkg.json", "src/heed.map")


class Versions(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="heed-release-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in FILES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, self.root / name)
        self.version = (self.root / "packaging/debian/changelog").read_text(encoding="utf-8").split("(")[1].split("-")[0]

    def faults(self):
        done = subprocess.run([sys.executable, PROJECT / "scripts/release", "--versions", "--root", self.root], capture_output=True,
                              text=True, check=False)
        faults = done.stderr.splitlines()
        self.assertEqual(done.returncode, 1 if faults else 0, done.stderr)
        return faults

    def replace(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_the_project_names_one_version(self):
        self.assertEqual(self.faults(), [])

    def test_each_file_counts(self):
        for name in ("CITATION.cff", "CHANGELOG.md", "companions/python/pyproject.toml", "companions/r/DESCRIPTION", "packaging/debian/changelog",
                     "packaging/vcpkg/heed/vcpkg.json"):
            with self.subTest(name):
                self.replace(name, self.version, "9.9.9")
                faults = self.faults()
                self.assertEqual(len(faults), 1, faults)
                self.assertIn(f"{name}: ", faults[0])
                self.assertIn("9.9.9", faults[0])
                shutil.copy(PROJECT / name, self.root / name)

    def test_the_header_counts(self):
        self.replace("include/heed/heed.h", f'HEED_VERSION "{self.version}"', 'HEED_VERSION "9.9.9"')
        self.assertIn("its parts are", self.faults()[0])

    def test_a_version_of_symbols_that_the_package_does_not_know(self):
        with (self.root / "src/heed.map").open("a", encoding="utf-8") as file:
            file.write("\nHEED_9.9 {\nglobal:\n    heed_later;\n} HEED_0.2;\n")
        self.assertEqual(len(self.faults()), 1)
        self.assertIn("lacks (symver)HEED_9.9 9.9.0", self.faults()[0])

    def test_a_section_with_a_day(self):
        heading = f"## [Unreleased]: {self.version}"
        if heading in (self.root / "CHANGELOG.md").read_text(encoding="utf-8"):
            self.replace("CHANGELOG.md", heading, f"## [{self.version}] - 2026-12-01")
        self.assertEqual(self.faults(), [])


if __name__ == "__main__":
    unittest.main()
