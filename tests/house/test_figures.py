"""tests/house/test_figures.py - scripts/figures goes red on a figure that is wrong, missing or too old, and writes right ones.

Each test works on a small tree with a table of its own. The numbers of bench/compare are made up.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FIGURES = Path(__file__).resolve().parents[2] / "scripts" / "figures"

TABLE = '''
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GROUPS = {"cheap": "seconds", "slow": "hours"}
Row = namedtuple("Row", "name group page pattern measure files quick", defaults=[False])


class Failed(Exception):
    pass


def use_trial(on):
    pass


def printed(name):
    def measure():
        if not (path := ROOT / name).exists():
            raise Failed(f"{name} is missing")
        return path.read_text()
    return measure


ROWS = [
    Row("size", "cheap", "README.md", r"takes (\\d+) kB", printed("size.txt"), ("src/**/*.c",)),
    Row("files", "cheap", "docs/page.md", r"has (\\d+) files", lambda: str(len(list(ROOT.glob("src/**/*.c")))), (), True),
    Row("seconds", "slow", "docs/page.md", r"after (\\d+) s", printed("seconds.txt"), ("src/slow/*.c",)),
]
'''
SOURCE = '/* adds */\nint add(int a, int b)\n{\n    return a + b; // "sum"\n}\nconst char *name = "a  b /* c */";\n'
TREE = {
    "docs/figures/table.py": TABLE,
    "README.md": "# Tree\n\nIt takes 7\nkB.\n",
    "docs/page.md": "# Page\n\nIt has 0 files, and ends after 1 s.\n",
    "size.txt": "12",
    "seconds.txt": "34",
    "src/add.c": SOURCE,
    "src/slow/wait.c": "int wait_long;\n",
}


class Figures(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="heed-figures-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in TREE.items():
            self.write(name, text)
        self.assertEqual(self.figures("cheap", "slow")[0], 0)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def replace(self, name, old, new):
        self.assertIn(old, self.read(name))
        self.write(name, self.read(name).replace(old, new))

    def figures(self, *arguments):
        done = subprocess.run([sys.executable, FIGURES, "--root", self.root, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def assert_good(self, *groups):
        code, output = self.figures("--check", *groups)
        self.assertEqual(code, 0, output)

    def assert_broken(self, *texts, groups=()):
        code, output = self.figures("--check", *groups)
        self.assertEqual(code, 1, output)
        self.assertIn("1 broken", output)
        for text in texts:
            self.assertIn(text, output)


BENCH_TABLE = '''
from collections import namedtuple

from bench import Case, origin, page
from measures import Failed, use_trial

GROUPS = {"cheap": "seconds", "bench": "seconds"}
Row = namedtuple("Row", "name group page pattern measure files quick origin", defaults=[False, None])
FILES = ("docs/figures/bench.json",)
case = Case("W2", "8x1024", "fwd ms", "\u00b5s", 1e3)
ROWS = [
    Row("speed", "bench", "README.md", r"takes (.*?), so", case.heed, FILES, False, case.origin),
    Row("tables", "bench", "docs/page.md", r"^## All workloads$\\n\\n((?:.|\\n)*?)\\n\\n(?=## )", page, FILES, False,
        origin("W2", "W5")),
]
'''
HEAD = {"machine": "Abacus, 1 core, gcc 1.0", "date": "2026-01-02", "commit": "12345678", "command": "bench/compare -w W2",
        "cases": ["W2/8x1024"]}
W5_HEAD = {**HEAD, "date": "2026-01-03", "command": "bench/compare -w W5", "cases": ["W5/b2", "W5/b3"]}
MASKED = """### W2: masked softmax

| case | heed | heed, op by op | best other library | ratio | library and formulation |
|---|---|---|---|---|---|
| 8x1024, forward | 2.0 ms, 0.50 MB | 4.0 ms | 6.0 ms, 9.0 MB | 3.0 × | PyTorch 2.14.1, `fill` |

"""
PRODUCTS = """### W5: batches of matrix products

| case | heed | best other library | ratio | library and formulation |
|---|---|---|---|---|
| b2, forward | 100 GFLOP/s | 125 GFLOP/s | **0.80 ×** \\* | PyTorch 2.14.1 |
| b3, forward | 100 GFLOP/s | | | not measured |

### Rows below 1

Another library is faster in 1 of 2 rows:

- W5 b2, forward: 0.80 ×, PyTorch 2.14.1
"""


def line(workload, case, metric, peer, value, way="", foreign=0.0):
    return {"workload": workload, "case": case, "threads": 1, "metric": metric, "peer": peer, "way": way, "value": value,
            "version": "0.2.0" if peer == "heed" else "2.14.1+debian", "foreign": foreign}


MASKED_LINES = [*(line("W2", "8x1024", "fwd ms", "heed", value) for value in (1.0, 9.0, 2.0)),
                line("W2", "8x1024", "fwd ms", "heed", 4.0, "ops"), line("W2", "8x1024", "fwd ms", "pytorch", 8.0, "d2l"),
                line("W2", "8x1024", "fwd ms", "pytorch", 6.0, "fill"),
                line("W2", "8x1024", "fwd peak_extra_mb", "heed", 0.5),
                line("W2", "8x1024", "fwd peak_extra_mb", "pytorch", 9.0, "fill"),
                line("W2", "8x1024", "fwd peak_extra_mb", "pytorch", 1.0, "d2l")]
PRODUCT_LINES = [line("W5", "b2", "fwd GFLOP/s", "heed", 100.0), line("W5", "b3", "fwd GFLOP/s", "heed", 100.0),
                 line("W5", "b2", "fwd GFLOP/s", "pytorch", 125.0, foreign=0.2)]


class Tables(Figures):
    """The tables of the files that bench/compare wrote."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="heed-figures-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.write("README.md", "# Tree\n\nIt takes 7 µs, so it is fast.\n")
        self.write("docs/page.md", "# Page\n\n## All workloads\n\n| | |\n|---|---|\n\n### W\n\nNo table.\n\n## The end\n")
        self.write("docs/figures/table.py", BENCH_TABLE)
        for name in ("bench.py", "measures.py"):
            shutil.copy(FIGURES.parents[1] / "docs" / "figures" / name, self.root / "docs" / "figures")
        self.write_lines("W2", HEAD, *MASKED_LINES)
        self.write_lines("W5", W5_HEAD, *PRODUCT_LINES)

    def write_lines(self, workload, *lines, end=""):
        self.write(f"build/figures/{workload}.json", "".join(json.dumps(line) + "\n" for line in lines) + end)

    def written(self):
        """The output of a run that writes the pages."""
        code, output = self.figures("bench")
        self.assertEqual(code, 0, output)
        self.assert_good("bench")
        return output

    def test_tables_and_their_origin(self):
        output = self.written()
        page = self.read("docs/page.md")
        self.assertIn(MASKED + PRODUCTS + "\n## The end\n", page)
        self.assertIn("\nW2: Abacus, 1 core, gcc 1.0, 2026-01-02, commit 12345678. The command, ", page)
        self.assertIn("```\nbench/compare -w W\n```\n\nW5: Abacus, 1 core, gcc 1.0, 2026-01-03, ", page)
        self.assertIn("\nOther libraries: PyTorch 2.14.1.\n", page)
        self.assertIn(": Abacus, 1 core, gcc 1.0, 2026-01-02 and 2026-01-03, commit 12345678.\n", page)
        self.assertIn("It takes 2,000 µs, 0.50 MB, so", self.read("README.md"))
        self.assertIn("Figures of `scripts/figures bench`: Abacus, 1 core, gcc 1.0, 2026-01-02, commit 12345678.", self.read("README.md"))
        self.assertIn("W5.json has no figures of another library for W5/b3", output)
        self.assertEqual(output.count("W1 has no figures: W1.json is missing (`bench/compare "), 1)
        self.assertIn("\nNot measured: W1, W3, W4, ", page)

    def test_missing_files_leave_the_record(self):
        self.written()
        before = self.read("docs/page.md"), self.read("README.md"), self.read("docs/figures/bench.json"), self.read("docs/figures.json")
        shutil.rmtree(self.root / "build")
        self.assertIn("W5 keeps its figures of 2026-01-03: W5.json is missing", self.written())
        self.assertEqual(before, (self.read("docs/page.md"), self.read("README.md"), self.read("docs/figures/bench.json"),
                                  self.read("docs/figures.json")))

    def test_older_files_leave_the_record(self):
        self.written()
        self.write_lines("W5", {**W5_HEAD, "date": "2025-12-31"}, *PRODUCT_LINES)
        self.assertIn("W5 keeps its figures of 2026-01-03: W5.json of 2025-12-31 is older", self.written())

    def test_interrupted_runs(self):
        self.write_lines("W2", {**HEAD, "cases": ["W2/8x1024", "W2/64x128"]}, *MASKED_LINES, end='{"peer": "hee')
        output = self.written()
        self.assertIn("W2.json:11: not a line of bench/compare, is left out", output)
        self.assertIn("W2.json has no figures of W2/64x128", output)
        self.assertIn(MASKED, self.read("docs/page.md"))

    def test_files_without_origin(self):
        self.write_lines("W5", *PRODUCT_LINES)
        self.assertIn("W5 has no figures: W5.json does not begin with machine, date and commit", self.written())
        self.assertNotIn("### W5", self.read("docs/page.md"))
        for text in ("", "[]\n", "broken\n"):
            self.write("build/figures/W5.json", text)
            self.assertIn("W5 has no figures: W5.json ", self.written())

    def test_no_file(self):
        shutil.rmtree(self.root / "build")
        page = self.read("docs/page.md")
        code, output = self.figures("bench")
        self.assertEqual(code, 2)
        self.assertIn("tables: build/figures has no file of bench/compare", output)
        self.assertIn("speed: docs/figures/bench.json and build/figures lack W2", output)
        self.assertEqual(page, self.read("docs/page.md"))
        self.assertFalse((self.root / "docs/figures/bench.json").exists())

    def test_a_trial_writes_nothing(self):
        page = self.read("docs/page.md")
        code, output = self.figures("--trial", "bench")
        self.assertEqual(code, 0)
        self.assertIn(MASKED, output)
        self.assertEqual(page, self.read("docs/page.md"))
        self.assertFalse((self.root / "docs/figures/bench.json").exists())

    def test_cell_that_is_not_the_measured_one(self):
        self.written()
        self.replace("docs/page.md", "| 2.0 ms, 0.50 MB |", "| 1.0 ms, 0.50 MB |")
        self.assert_broken("docs/page.md:5: tables is ", " lines, sha256 ", groups=["bench"])

    def test_origin(self):
        code, output = self.figures("--origin")
        self.assertEqual((code, set(json.loads(output))), (0, {"machine", "date", "commit"}))


class Writing(Figures):
    def test_numbers_and_last_lines(self):
        self.assertIn("It takes 12\nkB.\n\nFigures of `scripts/figures cheap`: ", self.read("README.md"))
        page = self.read("docs/page.md")
        self.assertIn("It has 2 files, and ends after 34 s.\n\nFigures of `scripts/figures cheap`: ", page)
        self.assertEqual(page.count("Figures of `scripts/figures slow`: "), 1)
        self.assert_good("cheap", "slow")

    def test_twice_is_once(self):
        before = self.read("README.md"), self.read("docs/page.md"), self.read("docs/figures.json")
        self.assertEqual(self.figures("cheap", "slow")[0], 0)
        self.assertEqual(before, (self.read("README.md"), self.read("docs/page.md"), self.read("docs/figures.json")))

    def test_one_group_leaves_the_other(self):
        self.write("size.txt", "13")
        self.write("seconds.txt", "35")
        self.assertEqual(self.figures()[0], 0)
        self.assertIn("takes 13", self.read("README.md"))
        self.assertIn("after 34 s", self.read("docs/page.md"))
        self.assert_good("cheap", "slow")

    def test_a_trial_writes_nothing(self):
        self.write("size.txt", "13")
        code, output = self.figures("--trial")
        self.assertEqual(code, 0)
        self.assertIn("13", output)
        self.assertIn("takes 12", self.read("README.md"))

    def test_what_cannot_be_measured(self):
        (self.root / "size.txt").unlink()
        self.write("src/third.c", "int third;\n")
        code, output = self.figures()
        self.assertEqual(code, 2)
        self.assertIn("size: size.txt is missing", output)
        self.assertIn("takes 12", self.read("README.md"))
        self.assertIn("has 3 files", self.read("docs/page.md"))

    def test_list(self):
        code, output = self.figures("--list", "slow")
        self.assertEqual(code, 0)
        self.assertRegex(output, r"^slow +seconds +34 +unknown +\d{4}-\d\d-\d\d .* cores, gcc ")

    def test_unknown_group(self):
        code, output = self.figures("fast")
        self.assertEqual(code, 2)
        self.assertIn("fast: the groups are cheap, slow", output)


class Checking(Figures):
    def test_number_that_is_not_the_recorded_one(self):
        for group in ("cheap", "slow"):
            with self.subTest(group):
                self.replace("docs/page.md", "after 34 s", "after 33 s")
                self.assert_broken("docs/page.md:3: seconds is 33, but 34 in docs/figures.json", groups=[group])
                self.replace("docs/page.md", "after 33 s", "after 34 s")
        self.replace("README.md", "takes 12\nkB", "takes 12 MB")
        self.assert_broken("README.md: size: its pattern is found 0 times, not once")

    def test_number_that_is_there_twice(self):
        self.replace("README.md", "kB.\n", "kB. It takes 12 kB.\n")
        self.assert_broken("README.md: size: its pattern is found 2 times, not once")

    def test_record_that_is_older_than_its_files(self):
        for change in (("a + b", "a - b"), ('"a  b', '"a b'), ("/* c */", "/* d */"), ("int add", "intadd")):
            with self.subTest(change):
                self.replace("src/add.c", *change)
                self.assert_broken("README.md:3: size (", ") is older than the last change of its files: run scripts/figures cheap (src/**/*.c)")
                self.write("src/add.c", SOURCE)
        self.assert_good()

    def test_comments_and_whitespace_make_no_figure_older(self):
        for change in (("/* adds */", "/* The sum. */"), ("/* adds */\n", ""), ("int add(int a, int b)\n{", "int\nadd( int a,int b ) {"),
                       (' // "sum"', "")):
            with self.subTest(change):
                self.replace("src/add.c", *change)
                self.assert_good()
                self.write("src/add.c", SOURCE)

    def test_files_that_come_go_and_move(self):
        (self.root / "src" / "add.c").rename(self.root / "src" / "adding.c")
        self.assert_broken(") is older than the last change of its files: run scripts/figures cheap (src/**/*.c)")

    def test_expensive_groups_are_not_asked(self):
        self.write("src/slow/wait.c", "int wait_longer;\n")
        self.assertEqual(self.figures("cheap")[0], 0)
        self.assert_good()
        self.assert_broken("docs/page.md:3: seconds (", ") is older than the last change of its files", groups=["cheap", "slow"])

    def test_count_that_has_changed(self):
        self.write("src/third.c", "")
        code, output = self.figures("--check")
        self.assertEqual(code, 1)
        self.assertIn("docs/page.md:3: files is 2, but is counted as 3 now", output)

    def test_figure_that_was_never_measured(self):
        record = json.loads(self.read("docs/figures.json"))
        del record["size"]
        self.write("docs/figures.json", json.dumps(record))
        self.assertIn("README.md:3: size was never measured", self.figures("--check")[1])

    def test_record_of_a_figure_that_is_gone(self):
        record = json.loads(self.read("docs/figures.json"))
        record["gone"] = record["size"]
        self.write("docs/figures.json", json.dumps(record))
        self.assert_broken("docs/figures.json: gone is in no row of docs/figures/table.py")

    def test_last_lines(self):
        self.replace("README.md", "commit unknown", "commit 12345678")
        self.assert_broken("README.md: its last lines do not name the machine, date and commit")

    def test_the_machine_does_not_count(self):
        record = json.loads(self.read("docs/figures.json"))
        machine = record["size"]["machine"]
        for name in ("docs/figures.json", "README.md", "docs/page.md"):
            self.replace(name, machine, "Another, 64 cores, gcc 99")
        self.write("size.txt", "99")
        self.assert_good("cheap", "slow")


if __name__ == "__main__":
    unittest.main()
