"""tests/house/test_upgrading.py CC - the code of docs/upgrading.md: every line of the new version compiles, and no line of the
old version does."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "upgrading.md"
COMPILER = "cc"
LINE = re.compile(r"^(.*?);? +/\* (0\.\d+)(?:[:;] .*)? \*/$")
PROGRAM = """\
#include <stdio.h>
#include <heed/heed.h>
heed_tensor *a, *b, *t, *w, *x, *y, *numbers, *parts[2], *tensors[2];
heed_shape shape;
heed_generator *generator;
heed_module *list;
heed_optimizer *sgd;
heed_schedule *schedule;
heed_dataset *all, *some;
heed_dict *dict, *state;
heed_loader *loader;
heed_loader_state at;
heed_io_csv *csv;
heed_scaler *scaler;
heed_data_parallel *team;
heed_kv_cache *cache;
heed_nn_batch_norm *norm;
heed_nn_conv *conv;
heed_nn_multi_head_attention *mha;
heed_nn_positional_encoding *net;
const char *const *titles;
void *memory;
char text[80];
size_t bytes, size;
int64_t epoch, first, rows;
double lr;
bool more;
static void run(void)
{
%s
}
void (*unused)(void) = run;
"""


def errors(lines):
    flags = ["-std=c11", "-Werror=implicit-function-declaration", "-Werror=int-conversion", "-Werror=incompatible-pointer-types", "-fsyntax-only"]
    done = subprocess.run([COMPILER, *flags, f"-I{ROOT}/include", "-x", "c", "-"], input=PROGRAM % "\n".join(f"    {line};" for line in lines),
                          capture_output=True, text=True, check=False)
    return done.stderr


class Upgrading(unittest.TestCase):
    def setUp(self):
        self.lines = {}
        for block in re.findall(r"^```c\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S):
            for line in re.sub(r"\(\n +", "(", block).splitlines():
                found = LINE.match(line)
                self.assertTrue(found, f"a line without a version: {line}")
                self.lines.setdefault(found[2], []).append(found[1])

    def test_lines_of_the_new_version_compile(self):
        new = max(self.lines)
        self.assertGreater(len(self.lines[new]), 30)
        self.assertEqual(errors(self.lines[new]), "")

    def test_lines_of_the_old_version_do_not(self):
        self.assertEqual(errors([]), "")
        for line in self.lines[min(self.lines)]:
            with self.subTest(line):
                self.assertIn("error", errors([line]))


if __name__ == "__main__":
    COMPILER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
