#!/usr/bin/env python3
"""tests/house/test_nodiscard.py CC... - each compiler warns where the result of a function with HEED_NODISCARD is ignored,
with HEED_SITES and without, also if heed's headers are system headers, and nowhere else."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import tempfile
import unittest
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests/promises/calls"))
from headers import Headers  # noqa: E402

COMPILERS = []


class Nodiscard(unittest.TestCase):
    def setUp(self):
        self.assertGreater(len(COMPILERS), 0)
        self.assertNotIn("", COMPILERS)
        self.functions = [f for f in Headers(ROOT / "include/heed").functions if not f.variadic]

    def warned(self, compiler, sites, include):
        """The functions whose ignored results are warned of: each is called on a line of its own."""
        lines = [f"static void call{i}({', '.join(f.parameters) or 'void'}) {{ {f.name}({', '.join(a.name for a in f.arguments)}); }}"
                 for i, f in enumerate(self.functions)]
        head = ["#define HEED_SITES"] if sites else []
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "calls.c")
            source.write_text("\n".join(head + ["#include <heed/heed.h>"] + lines) + "\n", encoding="utf-8")
            run = subprocess.run([compiler, "-std=c11", "-c", "-o", "/dev/null", "-Wall", "-Wno-unused-function", f"{include}{ROOT}/include", str(source)],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        # gcc shows where the macro is expanded in a note
        at = {int(line) for line in re.findall(
            r"calls\.c:(\d+):\d+: (?:warning: ignoring return value|note: in expansion of macro .heed_)", run.stderr)}
        self.assertEqual(len(re.findall("warning: ignoring", run.stderr)), len(at), run.stderr)
        self.assertEqual(len(re.findall("warning:", run.stderr)), len(at), run.stderr)
        return {self.functions[line - len(head) - 2].name for line in at}

    def test_exactly_those_are_warned_of(self):
        marked = {f.name for f in self.functions if f.nodiscard}
        self.assertIn("heed_scope_begin", marked)
        for compiler, sites, include in product(COMPILERS, (False, True), ("-I", "-isystem")):
            with self.subTest(compiler=compiler, sites=sites, include=include):
                self.assertEqual(self.warned(compiler, sites, include), marked)

    def test_what_has_a_pending_error_may_be_ignored(self):
        free = {f.name for f in self.functions if not f.nodiscard}
        self.assertLessEqual({"heed_backward", "heed_optimizer_step", "heed_scope_end", "heed_retain", "heed_tanh"}, free)


if __name__ == "__main__":
    COMPILERS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
