"""tests/examples/test_manual.py - scripts/manual goes red on examples that print something else than they say, and writes the
same man pages each time; the calls that the words of its search recommend compile.

    python3 tests/examples/test_manual.py C_COMPILER
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CC = sys.argv.pop(1)
PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "scripts" / "manual"

sys.path.insert(0, str(PROJECT / "docs" / "manual" / "make"))

import words  # noqa: E402

GOOD = r'''#include <stdio.h>

/* [heed_two] */
static int two(void)
{
    return 2;
}
/* [] */

static void example(int n)
{
    /* [heed_one heed_two] */
    puts("'/* ->'"); /* -> '/* ->' */
    for (int i = 0; i < n; i++)
        printf("%d\n", i + two()); /* -> 2
                                    *    3 */
    printf("rows\n\n  of it\n");
    /* -> rows
     *
     *      of it */
    /* [] */
}

int main(void)
{
    example(2);
    return 0;
}
'''


CALLS = """#include <math.h>
#include <heed/heed.h>
void calls(heed_tensor *x, heed_tensor *y, heed_tensor *const *of, heed_tensor *w, int axis, double margin);
void calls(heed_tensor *x, heed_tensor *y, heed_tensor *const *of, heed_tensor *w, int axis, double margin)
{
    heed_tensor *x1 = of[0], *x2 = of[1], *e = of[2];
    %s;
}
"""


class Words(unittest.TestCase):
    def test_names_that_headers_list(self):
        """A row of missing functions drops a name as soon as a header lists it; rows of names stay."""
        rows = [words.Row(1, ["torch.a", "torch.b"], [], "Write it."), words.Row(2, ["torch.a"], [], "Write it."),
                words.Row(3, ["torch.a"], ["heed_a"], "")]
        self.assertEqual(list(words.without_known(rows, {"torch.a"})), [rows[0]._replace(words=["torch.b"]), rows[2]])

    def test_calls_compile(self):
        """The calls that search-words.txt recommends, in backquotes."""
        calls = [call for row in words.read(PROJECT / "docs/manual/search-words.txt") for call in re.findall("`([^`]*\\))`", row.text)]
        self.assertGreater(len(calls), 20)
        done = subprocess.run([CC, "-Wall", "-Werror", "-fsyntax-only", "-I", PROJECT / "include", "-x", "c", "-"], text=True,
                              input=CALLS % ";\n    ".join(calls), capture_output=True, check=False)
        self.assertEqual(done.stderr, "")


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-manual-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.example = self.folder / "good.c"

    def manual(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def build(self, text):
        self.example.write_text(text, encoding="utf-8")
        marked = self.folder / "marked.c"
        self.assertEqual(self.manual("mark", self.example, marked), (0, ""))
        subprocess.run([CC, "-Wall", "-Werror", "-Wno-misleading-indentation", "-o", self.folder / "manual_good", marked],
                       check=True)

    def work(self, action):
        return self.manual(action, "--programs", self.folder, self.example)

    def assert_red(self, old, new, *texts):
        self.assertIn(old, GOOD)
        self.build(GOOD.replace(old, new))
        code, output = self.work("check")
        self.assertEqual(code, 1, output)
        for text in texts:
            self.assertIn(text, output)

    def test_good(self):
        self.build(GOOD)
        self.assertEqual(self.work("check"), (0, ""))

    def test_other_output(self):
        self.assert_red("return 2;", "return 3;", "good.c:15: prints\n    3\n    4\nbut the comment says\n    2\n    3\n")

    def test_other_spaces(self):
        self.assert_red("  of it\\n", " of it\\n", "good.c:18: prints\n    rows\n\n     of it\n")

    def test_output_that_no_comment_says(self):
        self.assert_red("    for (", '    puts("more");\n    for (', "good.c:16: prints\n    more\n    2\n")
        self.assert_red("    /* [heed_one", '    puts("first");\n    /* [heed_one', "good.c:13: printed before this", "first")
        self.assert_red("    return 0;", '    puts("last");\n    return 0;', "good.c: printed before this", "last")

    def test_example_that_is_not_called(self):
        self.assert_red("    example(2);", "    if (two() == 1)\n        example(2);", "good.c:13: the program does not reach this mark")

    def test_program_that_fails(self):
        self.assert_red("    return 0;", "    return 7;", "manual_good ended with code 7")
        self.assert_red("    return 0;", '    fputs("warned", stderr);\n    return 0;', "ended with code 0\nwarned")

    def test_program_of_an_older_file(self):
        self.build(GOOD)
        self.example.write_text("\n" + GOOD, encoding="utf-8")
        code, output = self.work("check")
        self.assertEqual(code, 1)
        self.assertIn("was not built from it: build the target manual_examples", output)

    def test_missing_program(self):
        self.example.write_text(GOOD, encoding="utf-8")
        code, output = self.work("check")
        self.assertEqual(code, 2)
        self.assertIn("manual_good", output)

    def test_update_writes_what_is_printed(self):
        self.build(GOOD.replace("  of it */", " at all */").replace("2\n                                    *    3 */", " */"))
        self.assertEqual(self.work("update"), (0, ""))
        updated = GOOD.replace(" /* -> 2\n                                    *    3 */",
                               "\n        /* -> 2\n         *    3 */")
        self.assertEqual(self.example.read_text(encoding="utf-8"), updated)
        self.build(updated)
        self.assertEqual(self.work("check"), (0, ""))


class Pages(unittest.TestCase):
    def pages(self, seed):
        """Name -> text, where Python orders sets by that seed."""
        with tempfile.TemporaryDirectory(prefix="heed-manual-") as folder:
            subprocess.run([sys.executable, SCRIPT, "build", "--no-html", folder], check=True,
                           env={**os.environ, "PYTHONHASHSEED": seed})
            return {path.name: path.read_text(encoding="utf-8") for path in Path(folder).rglob("*") if path.is_file()}

    def test_the_same_each_time(self):
        first = self.pages("1")
        self.assertGreater(len(first), 500)
        self.assertEqual({name for name, text in self.pages("2").items() if text != first[name]}, set())


if __name__ == "__main__":
    unittest.main()
