#!/usr/bin/env python3
"""tests/house/test_step.py CC... - with HEED_SITES, gdb's step enters the called function and stops in no other one.

The functions are defined by a second file, which takes the library's place.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILERS = []
PROGRAM = """\
#include <heed/heed.h>
int main(void)
{
    heed_tensor *x = heed_relu(NULL);
    x = heed_add(heed_relu(x), x);
    heed_scope *scope = heed_scope_begin();
    heed_manual_seed(7);
    return x != NULL || scope != NULL;
}
"""
LIBRARY = """\
#include <heed/heed.h>
static const char *line;
const char **heed_site(void) { return &line; }
heed_tensor *heed_relu(heed_tensor *x) { return x; }
heed_tensor *heed_add(heed_tensor *a, heed_tensor *b) { return a ? a : b; }
heed_scope *heed_scope_begin(void) { return NULL; }
void heed_manual_seed(uint64_t seed) { (void)seed; }
"""
ENTERED = ["heed_relu", "heed_relu", "heed_add", "heed_scope_begin", "heed_manual_seed"]


@unittest.skipUnless(shutil.which("gdb"), "needs gdb")
class Step(unittest.TestCase):
    def compiled(self, compiler, folder, level):
        Path(folder, "program.c").write_text(PROGRAM, encoding="utf-8")
        Path(folder, "library.c").write_text(LIBRARY, encoding="utf-8")
        flags = ["-std=c11", "-g", f"-I{ROOT}/include"]
        subprocess.run([compiler, *flags, level, "-DHEED_SITES", "-c", "program.c"], cwd=folder, check=True)
        subprocess.run([compiler, *flags, "-O0", "library.c", "program.o", "-o", "program"], cwd=folder, check=True)

    def entered(self, folder):
        """The functions in which gdb stops, in order, until main returns."""
        commands = ["set debuginfod enabled off", "break main", "run", *["step"] * 12]
        arguments = [word for command in commands for word in ("-ex", command)]
        run = subprocess.run(["gdb", "-q", "-nx", "-batch", *arguments, "program"], cwd=folder, capture_output=True,
                             text=True, check=False)
        if "Breakpoint 1, main" not in run.stdout:
            self.skipTest(f"gdb cannot run programs here: {run.stderr.strip()}")
        return re.findall(r"^(?:0x\w+ in )?(heed_\w+) \(.*\) at ", run.stdout, re.M)

    def test_step(self):
        for compiler in COMPILERS:
            for level in ("-O0", "-Og"):
                with self.subTest(compiler=compiler, level=level), tempfile.TemporaryDirectory() as folder:
                    self.compiled(compiler, folder, level)
                    found = self.entered(folder)
                    # clang's attribute leaves the first call of heed_site, which belongs to the library
                    self.assertEqual([name for name in found if name != "heed_site"], ENTERED)


if __name__ == "__main__":
    COMPILERS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
