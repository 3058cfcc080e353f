"""tests/house/test_tables.py - scripts/tables writes the lists that follow from the tables of ops, and --check goes red if one is
outdated. Each test works on a small tree.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TABLES = Path(__file__).resolve().parents[2] / "scripts" / "tables"
OPS = "/* ops */\nHEED_OP(exp)\nHEED_COMPOSITE(mean)\nHEED_OP(sum)\n"
SOURCE = "const heed_op heed_op_exp = {0};\n\nconst heed_op heed_op_log = {0};\n"
FORMS = 'HEED_ONNX_NODE(exp, "Exp")\nHEED_ONNX_FORM(log, "Log, Mul")\n'
PAGE = "Forms:\n\n| op | nodes |\n|---|---|\n| `exp` | Exp |\n| `old` | Old |\n\nMore.\n"


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-tables-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("src/ops/ops.def", OPS)
        self.write("src/ops/elementwise/exponential.c", SOURCE)
        self.write("companions/onnx/src/forms.def", FORMS)
        self.write("companions/onnx/README.md", PAGE)
        self.write("scripts/tables", "")
        shutil.copy(TABLES, self.root / "scripts")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def tables(self, *arguments):
        done = subprocess.run([sys.executable, self.root / "scripts/tables", *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def test_outdated(self):
        code, output = self.tables("--check")
        self.assertEqual(code, 1)
        self.assertIn("src/ops/ops.def is not up to date", output)
        self.assertIn("companions/onnx/README.md is not up to date", output)
        self.assertEqual(self.read("src/ops/ops.def"), OPS)

    def test_written(self):
        self.assertEqual(self.tables(), (0, ""))
        self.assertEqual(self.read("src/ops/ops.def"), OPS.replace("(exp)\n", "(exp)\nHEED_OP(log)\n"))
        self.assertEqual(self.read("companions/onnx/README.md"), PAGE.replace("| `old` | Old |", "| `log` | Log, Mul |"))
        self.assertEqual(self.tables("--check"), (0, ""))

    def test_first_op_of_a_file(self):
        self.write("src/ops/reduce/total.c", "const heed_op heed_op_total = {0};\n")
        self.assertEqual(self.tables(), (0, ""))
        self.assertTrue(self.read("src/ops/ops.def").endswith("HEED_OP(sum)\nHEED_OP(total)\n"))


if __name__ == "__main__":
    unittest.main()
