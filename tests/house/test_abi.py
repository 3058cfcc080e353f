"""tests/house/test_abi.py CC - scripts/abi reports incompatible changes of a library, and accepts compatible ones."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILER = "cc"
HEADER = """\
#include <stdint.h>
typedef enum heed_kind { HEED_A, HEED_B } heed_kind;
typedef struct heed_options { int64_t a; double p; int64_t reserved[4]; } heed_options;
struct heed_hidden;
int heed_f(const heed_options *options, heed_kind kind);
int heed_g(struct heed_hidden *h, int n);
"""
SOURCE = """\
#include "heed/x.h"
struct heed_hidden { int n; };
int heed_f(const heed_options *options, heed_kind kind) { return (int)options->a + (int)kind; }
int heed_g(struct heed_hidden *h, int n) { return h->n + (int)n; }
"""


@unittest.skipUnless(shutil.which("abidiff"), "needs abidiff (abigail-tools)")
class Abi(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heed-abi-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.old = self.library("old", HEADER, SOURCE)

    def library(self, name, header, source):
        folder = self.folder / name
        (folder / "include/heed").mkdir(parents=True)
        (folder / "include/heed/x.h").write_text(header, encoding="utf-8")
        (folder / "x.c").write_text(source, encoding="utf-8")
        subprocess.run([COMPILER, "-g", "-shared", "-fPIC", f"-I{folder}/include", folder / "x.c", "-o", folder / "libheed.so"], check=True)
        return folder

    def compared(self, *changes):
        """The exit code and output for the library with replaced texts in its header and source."""
        header, source = HEADER, SOURCE
        for old, new in changes:
            self.assertIn(old, header + source)
            header, source = header.replace(old, new), source.replace(old, new)
        new = self.library(f"new{len(list(self.folder.iterdir()))}", header, source)
        done = subprocess.run([ROOT / "scripts/abi", "--built", self.old, new], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_compatible(self):
        for changes in ((), [("int heed_f", "int heed_e(void);\nint heed_f"), ("#include \"heed/x.h\"", "#include \"heed/x.h\"\nint heed_e(void) { return 1; }")],
                        [("HEED_B }", "HEED_B, HEED_C }")], [("{ int n; }", "{ int n; double m; }")],
                        [("int64_t reserved[4]", "int64_t q; int64_t reserved[3]")],
                        [("int64_t reserved[4]", "double q; const char *r; int64_t reserved[2]")]):
            with self.subTest(changes):
                code, output = self.compared(*changes)
                self.assertEqual((code, output.count("runs with this library")), (0, 1), output)

    def test_incompatible(self):
        removed = [("int heed_g(struct heed_hidden *h, int n);\n", ""), ("int heed_g(struct heed_hidden *h, int n) { return h->n + (int)n; }\n", "")]
        for text, changes in (("heed_g", removed), ("heed_options", [("double p;", "double p, q;")]), ("heed_options", [("double p; ", "")]),
                              ("heed_options", [("int64_t a; double p;", "double p; int64_t a;")]),
                              ("heed_options", [("double p;", "float p;"), ("int64_t reserved[4]", "int64_t q; int64_t reserved[3]")]),
                              ("HEED_B", [("HEED_A,", "HEED_A, HEED_C,")]), ("heed_g", [("*h, int n", "*h, int64_t n")])):
            with self.subTest(changes):
                code, output = self.compared(*changes)
                self.assertEqual((code, output.count("may not run")), (1, 1), output)
                self.assertIn(text, output)

    def test_no_release_yet(self):
        done = subprocess.run(["git", "tag", "--list", "v[0-9]*"], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0 and not done.stdout:
            done = subprocess.run([ROOT / "scripts/abi"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, "scripts/abi: no release yet to compare with\n"))

    def test_library_that_is_not_there(self):
        done = subprocess.run([ROOT / "scripts/abi", "--built", self.old, self.folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    COMPILER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
