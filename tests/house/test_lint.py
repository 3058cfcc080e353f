"""tests/house/test_lint.py - scripts/lint goes red on what it forbids, and stays green beside it.

Each test plants one violation in a small tree of its own.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LINT = Path(__file__).resolve().parents[2] / "scripts" / "lint"

GOOD_TREE = {
    "include/heed/add.h": '#ifndef A_H\n#define A_H\n#include <stdint.h>\n#include <heed/export.h>\n'
                          '/* Adds two numbers. */\nHEED_API int heed_add(int a,\n                      int b);\n#endif\n',
    "include/heed/export.h": "#ifndef E_H\n#define E_H\n#define HEED_API\n#endif\n",
    "tests/promises/struct_sizes.def": "STRUCT(heed_sum_options, 40)\n",
    "src/CMakeLists.txt": "add_library(heed ops/support.c)\n",
    "src/kernels/add.h": "#include <stdint.h>\n",
    "src/core/tensor.h": '#include <pthread.h>\n#include <heed/add.h>\n#include "kernels/add.h"\n#include "system/clock.h"\n',
    "src/ops/ops.def": "/* ops */\nHEED_OP(add)\nHEED_COMPOSITE(mean)\n",
    "src/ops/support.c": '#include "ops/ops.def"\n#include "core/tensor.h"\n',
    "src/ops/elementwise/arithmetic.c": "int heed_add(int a, int b)\n{\n    return a + b;\n}\n",
    "src/ops/reduce/sums.c": "#include <heed/add.h>\nheed_tensor *heed_mean(heed_tensor *x)\n{\n    return x;\n}\n",
    "src/nn/module.h": "#include <heed/add.h>\n#include <stdlib.h>\n",
    "src/system/clock.h": "#include <stdint.h>\n",
    "src/system/posix/clock.c": '#include "system/clock.h"\n#include <unistd.h>\n',
    "src/nn/linear.c": '#include "nn/module.h"\n#include "module.h"\n/* #include "core/tensor.h" */\n',
    "tests/ops/elementwise/arithmetic.c": "UNARY(neg, heed_neg(x))\nBINARY(add, heed_add(a, b))\n",
    "tests/ops/reduce/mean.c": "const op_cases heed_cases_mean = {0};\n",
    "examples/train.c": "#include <heed/add.h>\n#include <stdio.h>\n",
    "docs/manual/topics.txt": "# topics\nSums: add.h\nleft out: export.h\n",
}


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="heed-lint-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in GOOD_TREE.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def lint(self, *arguments, **environment):
        done = subprocess.run([sys.executable, LINT, "--root", self.root, *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment})
        return done.returncode, done.stdout + done.stderr

    def assert_good(self, *arguments):
        code, output = self.lint(*arguments)
        self.assertEqual(code, 0, output)

    def assert_broken(self, rule, *texts):
        code, output = self.lint(*rule.split())
        self.assertEqual(code, 1, output)
        self.assertIn("1 broken", output)
        for text in texts:
            self.assertIn(text, output)


class Structs(Tree):
    def test_size_that_is_not_written_down(self):
        text = "typedef struct heed_sum_options {\n    int axis;\n} heed_sum_options;\n"
        self.write("include/heed/options.h", text)
        self.assert_good("structs")
        self.write("include/heed/options.h", text + "struct heed_box {\n    int side;\n};\n")
        self.assert_broken("structs", "include/heed/options.h: heed_box is not in tests/promises/struct_sizes.def")


class Stability(Tree):
    HEADER = "/* heed/%s - sums.\n *\n * Stability: %s\n * SPDX-" "License-Identifier: MIT */\nHEED_API int heed_%s(int a);\n"
    TABLE = "| mark | headers |\n|---|---|\n| stable | `heed/add.h` `heed/export.h` |\n| experimental | `heed/mpi.h`%s |\n| private | `heed/cxx.h` |\n"

    def setUp(self):
        super().setUp()
        for name, mark, folder in (("add", "stable", "include"), ("export", "stable", "include"), ("cxx", "private", "include"),
                                   ("mpi", "experimental", "companions/mpi/include")):
            self.write(f"{folder}/heed/{name}.h", self.HEADER % (f"{name}.h", mark, name))
        self.write("docs/abi.md", self.TABLE % "")

    def test_marks(self):
        self.assert_good("stability")
        for mark, report in (("", "does not end with"), ("good", "does not end with"), ("stable.", "does not end with"),
                             ("experimental, except for heed_add", "it is experimental, so it cannot have exceptions"),
                             ("stable, except for heed_sum", "it has no function heed_sum")):
            with self.subTest(mark):
                self.write("include/heed/add.h", self.HEADER % ("add.h", mark, "add"))
                code, output = self.lint("stability")
                self.assertEqual(code, 1)
                self.assertIn(f"include/heed/add.h: {report}", output.replace("its first comment ", ""))

    def test_table(self):
        self.write("include/heed/add.h", self.HEADER % ("add.h", "stable, except for heed_add", "add"))
        self.assert_broken("stability", "docs/abi.md: the row of experimental headers lacks heed_add")
        self.write("docs/abi.md", self.TABLE % " and `heed_add`")
        self.assert_good("stability")
        self.write("include/heed/add.h", self.HEADER % ("add.h", "stable", "add"))
        self.assert_broken("stability", "docs/abi.md: heed_add is not experimental")
        (self.root / "companions/mpi/include/heed/mpi.h").unlink()
        self.write("docs/abi.md", self.TABLE % "")
        self.assert_broken("stability", "docs/abi.md: mpi.h is not experimental")


class Uses(Tree):
    BROKEN = "include/heed/add.h: heed_add has no use"

    def test_function_without_a_use(self):
        self.assert_broken("uses", self.BROKEN)
        self.write("examples/train.c", "/* heed_add(1, 2) */\nint main(void) { return heed_add_all(); }\n")
        self.write("src/nn/linear.c", "int f(void) { return heed_add(1, 2); }\n")
        self.write("README.md", "Use heed_add.\n")
        self.write("CHANGELOG.md", "`heed_add` is new.\n")
        self.assert_broken("uses", self.BROKEN)

    def test_uses(self):
        for name, text in (("examples/train.c", "int main(void) { return heed_add(1, 2); }\n"),
                           ("docs/manual/examples/add.c", "int main(void) { return heed_add(1, 2); }\n"),
                           ("companions/mpi/README.md", "```c\nint three = heed_add(1, 2);\n```\n"),
                           ("docs/tutorial/one.md", "The sum is `heed_add(1, 2)`.\n"),
                           ("include/heed/sum.h", "#define HEED_SUM(a, b) heed_add(a, b)\n")):
            with self.subTest(name):
                path = self.write(name, text)
                self.assert_good("uses")
                path.unlink()

    def test_companion(self):
        self.write("examples/train.c", "int main(void) { return heed_add(1, 2); }\n")
        self.write("companions/mpi/include/heed/mpi.h", "HEED_API int heed_comm_mpi(int comm);\n")
        self.assert_broken("uses", "companions/mpi/include/heed/mpi.h: heed_comm_mpi has no use")


class Pages(Tree):
    TABLE = "| a | b |\n|---|---|\n| 1 | `\\|` |\n"

    def test_good(self):
        self.write("docs/two.md", "# Two words\n")
        self.write("docs/page.md", f"# A\n\n{self.TABLE}\n```text\n| x\n```\n[a](two.md#two-words) [b](#a) `[c](no.md)`\n")
        self.assert_good("pages")

    def test_broken(self):
        for text, report in (
                (f"{self.TABLE}\n## Limits\n| 3 | 4 |\n", "page.md:6: a table's row without a header"),
                (f"{self.TABLE}| 3 |\n", "page.md:4: a row of 1 cells in a table of 2"),
                (f"{self.TABLE}| 3 | `|` |\n", "page.md:4: a row of 3 cells in a table of 2"),
                ("a\n```c\nint x;\n", "page.md:2: a block that is never closed"),
                ("[a](none.md)\n", "page.md:1: none.md does not exist"),
                ("[a](#none)\n", "page.md:1: #none: the page has no such heading"),
                ("mean 0 and deviation\n1. A scaler\n", "page.md:2: 1. at the beginning of a line begins a list")):
            with self.subTest(text):
                self.write("docs/page.md", text)
                self.assert_broken("pages", report)

    def test_files_that_are_not_listed(self):
        text = "The formats: `csv.c` `npy.c`\n"
        self.write("src/io/README.md", text)
        self.write("tests/README.md", "The folders are `ops` and `promises`.\n")
        for name in ("src/io/csv.c", "src/io/npy_write.c", "src/io/csv.h", "tests/test_x.c", "tests/__pycache__/x.pyc"):
            self.write(name, "\n")
        self.assert_good("pages")
        self.write("src/io/csv_date.c", "\n")
        self.assert_broken("pages", "src/io/README.md: does not list src/io/csv_date.c")
        self.write("src/io/README.md", text.replace("npy.c", "csv_date.c` `npy.c"))
        self.assert_good("pages")
        self.write("docs/README.md", "[a](a.md)\n")
        self.write("docs/a.md", "\n")
        self.assert_good("pages")
        self.write("docs/b.md", "\n")
        self.assert_broken("pages", "docs/README.md: does not list docs/b.md")
        self.write("docs/README.md", "[a](a.md) [b](b.md)\n")
        self.write("tests/np/test_y.c", "\n")
        self.assert_broken("pages", "tests/README.md: does not list tests/np")

    def test_quotations(self):
        text = "1. An op:\n\n   ```c\n   int heed_add(int a, int b)\n   {\n       \u2026\n   ```\n"
        self.write("docs/adding-an-op.md", text)
        self.assert_good("pages")
        self.write("docs/adding-an-op.md", text.replace("int b", "int c"))
        self.assert_broken("pages", "docs/adding-an-op.md:4: no source has this line: int heed_add(int a, int c)")

    def names(self):
        self.write("CMakePresets.json", '{ "configurePresets": [ { "name": "dev" } ] }\n')
        self.write("CMakeLists.txt", 'option(HEED_SHARED "" ON)\n')
        self.write("scripts/setup", '# --manual\ncase $1 in --manual) ;; esac\n')
        self.write("tools/heed-np.c", '{"degree", required_argument, NULL, 0}\n')
        self.write("tests/core/test_scope.c", "\n")
        self.write("tests/house.cmake", "set(name manual_${page})\nadd_test(NAME ${name} COMMAND x)\n"
                   "add_test(NAME lint-pages COMMAND x)\n"
                   'set_tests_properties(lint-pages PROPERTIES LABELS "lint;gate")\n')
        self.write("companions/onnx/include/heed/onnx.h", "\n")

    def test_names_that_exist(self):
        self.names()
        code = ("src/core/tensor.h", "core/tensor.h", "src/core", "heed/add.h", "heed/onnx.h", "examples/train",
                "src/ops/*/sums.c", "src/ops/NAME.c", "out/a.png", "torch/optim.py", "./train", "heed_add(a, b)",
                "heed_sum_", "heed_NAME_new", "-DHEED_SHARED=OFF", "HEED_SHARED=OFF x", "scripts/setup --manual",
                "build/dev/tools/heed-np --degree 1", "cmake --preset dev", "cmake --paint it", "ctest -L lint",
                "ctest -R 'scope|manual_sum|lint-pages'", "test_scope")
        text = "".join(f"- `{line}`\n" for line in code) + "- `heed_add(a,\n  b)`\n"
        text += "\n```sh\nscripts/setup --manual    the --rest is text\n```\n\n```c\nheed_sub();\n```\n"
        self.write("docs/page.md", text)
        self.assert_good("pages")

    def test_names_that_do_not_exist(self):
        self.names()
        for code, report in (
                ("src/core/tensr.h", "there is no src/core/tensr.h"), ("core/clock.h", "there is no core/clock.h"),
                ("src/ops/*/sub.c", "there is no src/ops/*/sub.c"), ("heed/ad.h", "there is no heed/ad.h"),
                ("heed_sub(a, b)", "there is no heed_sub"), ("heed_su_", "there is no heed_su_"),
                ("-DHEED_SHARD=OFF", "there is no HEED_SHARD"), ("HEED_SHARD=1 x", "there is no HEED_SHARD"),
                ("scripts/setup --man", "scripts/setup has no option --man"),
                ("scripts/stup", "there is no scripts/stup"),
                ("build/dev/tools/heed-np --degre 1", "build/dev/tools/heed-np has no option --degre"),
                ("cmake --preset deb", "there is no preset deb"), ("ctest -L lnt", "no test has the label lnt"),
                ("ctest -R 'scope|scoop'", "no test is called scope|scoop"),
                ("test_scop", "there is no test test_scop")):
            for place, text in ((2, f"a\nb `{code}` c\n"), (3, f"a\n```sh\n{code}\n```\n")):
                with self.subTest(text):
                    self.write("docs/page.md", text)
                    self.assert_broken("pages", f"docs/page.md:{place}: {report}")
            self.write("docs/page.md", "")
            self.write("CHANGELOG.md", f"`{code}`\n")
            self.assert_good("pages")


class Prose(Tree):
    MARKED = {
        "what as a noun": "Installs what is missing.",
        "no subject in front": "Of x it is the sum.",
        "where for if": "Returns NULL where x is empty.",
        "that of": "The norm is that of x.",
        "nothing": "There is nothing in it.",
        "each": "One for each of them.",
        "has not": "An axis that x has not.",
        "beside": "The norm behind it.",
        "another": "Another number of shards.",
        "as many": "At least so many.",
        "of yours": "Memory of yours.",
    }

    def test_every_mark(self):
        for mark, sentence in self.MARKED.items():
            with self.subTest(mark):
                self.write("src/core/a.c", 3 * f"/* {sentence} */\n")
                self.assert_broken("prose", f'are "{mark}", more than')

    def test_every_kind_of_file(self):
        for name, text in (("src/core/a.c", "/* Memory of yours. */\n"), ("docs/a.md", "Memory of yours.\n\n"),
                           ("scripts/a", "# Memory of yours.\n"), ("companions/r/a.R", "# Memory of yours.\n")):
            with self.subTest(name):
                path = self.write(name, text)
                self.assert_good("prose")
                self.write(name, 3 * text)
                self.assert_broken("prose", 'are "of yours", more than')
                code, output = self.lint("prose", "--list", "of yours")
                self.assertEqual((code, output.count(f"{name}:")), (1, 3), output)
                path.unlink()

    def test_code_and_questions_are_no_prose(self):
        self.write("src/core/a.c", 9 * 'const char *each = "nothing behind";\n')
        self.write("docs/a.md", 9 * "```\nnothing\n```\nIt says what x is: `nothing`.\n")
        self.assert_good("prose")

    def test_a_machine_without_git(self):
        code, output = self.lint("prose", PATH=str(self.root))
        self.assertEqual(code, 0, output)
        self.write("src/core/a.c", 3 * "/* Memory of yours. */\n")
        code, output = self.lint("prose", PATH=str(self.root))
        self.assertEqual(code, 1, output)


class Budget(Tree):
    """The good tree has one companion here, and the lines of code of its modules as their budgets."""
    lines = {"src/core": 4, "src/kernels": 1, "src/nn": 4, "src/ops": 13, "src/system": 3, "companions/log": 1}

    def setUp(self):
        super().setUp()
        self.write("companions/log/src/log.c", "/* A comment\n * of two lines. */\n\nint heed_log;\n")
        self.write("companions/log/tests/test_log.c", "int heed_log_test;\n")

    def budgets(self, **changed):
        numbers = {**self.lines, **{f"src/{name}": number for name, number in changed.items()}}
        text = "".join(f"{name} {number}\n" for name, number in numbers.items() if number is not None)
        self.write("scripts/lints/budget.txt", "# A comment.\n\n" + text)

    def test_good(self):
        self.budgets()
        self.assert_good("budget")

    def test_code_beyond_its_budget(self):
        self.budgets(core=3)
        self.assert_broken("budget", "src/core has 4 lines of code, more than its budget of 3: write less, or raise the number")

    def test_budget_that_is_no_limit(self):
        self.budgets(ops=113)
        self.assert_good("budget")
        self.budgets(ops=114)
        self.assert_broken("budget", "src/ops has 13 lines of code: lower its budget of 114")

    def test_module_without_a_budget(self):
        self.budgets(nn=None)
        self.assert_broken("budget", "budget.txt: lacks src/nn")

    def test_budget_without_a_module(self):
        self.budgets(gone=7)
        self.assert_broken("budget", "budget.txt: src/gone does not exist")

    def test_line_of_another_form(self):
        self.budgets(core="many")
        self.assert_broken("budget", 'budget.txt:3: not "MODULE LINES": src/core many')


class Columns(Tree):
    def test_a_line_of_121_columns(self):
        for name, first, last in (("src/core/a.c", "/* ", " */"), ("docs/page.md", "one ", "")):
            line = first + "x" * (120 - len(first + last)) + last
            with self.subTest(name):
                self.write(name, f"{line}\n")
                self.assert_good("columns")
                self.write(name, f" {line}\n")
                self.assert_broken("columns", f"{name}:1: 121 columns")
                self.write(name, f"{line}\n")

    def test_lines_that_cannot_be_broken(self):
        self.write("docs/page.md", f"| {'x ' * 99}|\n|---|\n\n```\n{'x ' * 99}\n```\n\n- {'x' * 121}\n")
        self.assert_good("columns")


class Lists(Tree):
    def test_list_without_a_length(self):
        good = ("typedef struct heed_sum_options {\n    const char *const *names; /* of axes */\n    int name_count;\n"
                "    double scale;\n} heed_sum_options;\nHEED_API int heed_sum(heed_tensor *const *x, int n);\n")
        self.write("include/heed/options.h", good)
        self.assert_good("lists")
        self.write("include/heed/options.h", good.replace("    int name_count;\n", "    int other_count;\n"))
        self.assert_broken("lists", "include/heed/options.h: names of heed_sum_options is a list without a length")
        self.write("include/heed/options.h", good.replace(", int n", ""))
        self.assert_broken("lists", "include/heed/options.h: x of heed_sum is a list without a length")
        self.write("include/heed/options.h", good.replace("double scale", "const double *scales"))
        self.assert_broken("lists", "include/heed/options.h: scales of heed_sum_options is a list without a length")


class Sources(Tree):
    def test_good_tree(self):
        for rule in ("sizes", "includes", "ops", "words", "manual", "structs", "lists", "headers"):
            with self.subTest(rule):
                self.assert_good(rule)

    def test_long_file(self):
        self.write("bench/long.c", "int heed_x;\n" * 499)
        self.assert_good("sizes")
        self.write("bench/long.c", "int heed_x;\n" * 500)
        self.assert_broken("sizes", "bench/long.c: 500 lines")

    def function(self, lines):
        return ("#include <stdio.h>\n\n/* {\n * }\n */\nstruct pair {\n    int a;\n};\n\n"
                + "static const char *\nf(int a,\n  int b)\n{\n"
                + '    /* "\n}\n*/ g("/*", \'"\', "//");\n' + "    g();\n" * (lines - 8) + "}\n" + "\nint x;\n" * 20)

    def test_long_function(self):
        self.write("src/core/long.c", self.function(59))
        self.assert_good("sizes")
        self.write("src/core/long.c", self.function(60))
        self.assert_broken("sizes", "src/core/long.c:10: function of 60 lines")

    def test_long_test(self):
        self.write("tests/test_x.c", "START_TEST(x)\n{\n" + "    f();\n" * 56 + "}\nEND_TEST\n\nint y;\n")
        self.assert_good("sizes")
        self.write("tests/test_x.c", "START_TEST(x)\n{\n" + "    f();\n" * 57 + "}\nEND_TEST\n\nint y;\n")
        self.assert_broken("sizes", "tests/test_x.c:1: function of 60 lines")

    def test_long_function_with_its_brace_on_the_same_line(self):
        self.write("tools/long.c", "int f(void) {\n" + "    g();\n" * 58 + "}\n")
        self.assert_broken("sizes", "tools/long.c:1: function of 60 lines")

    def test_tables_are_no_functions(self):
        self.write("src/ops/table.c", "static const int t[] = {\n" + "    1,\n" * 100 + "};\n")
        self.assert_good("sizes")

    def test_long_macro(self):
        self.write("src/kernels/long.h", "#define F(x) \\\n" + "    g(x); \\\n" * 58 + "    g(x)\n")
        self.assert_broken("sizes", "src/kernels/long.h:1: macro of 60 lines")

    def test_forbidden_includes(self):
        for place, include in (
                ("src/kernels/bad.c", '"core/tensor.h"'),
                ("src/kernels/bad.c", "<heed/add.h>"),
                ("src/kernels/bad.c", "<unistd.h>"),
                ("src/core/bad.c", '"ops/support.c"'),
                ("src/core/bad.c", '"../nn/module.h"'),
                ("src/core/bad.c", "<unistd.h>"),
                ("src/system/bad.c", "<heed/add.h>"),
                ("src/system/bad.c", '"core/tensor.h"'),
                ("src/ops/bad.c", '"nn/module.h"'),
                ("src/ops/bad.c", '"system/clock.h"'),
                ("src/nn/bad.c", "<unistd.h>"),
                ("src/nn/bad.c", '"core/tensor.h"'),
                ("src/nn/bad.c", '"../core/tensor.h"'),
                ("src/optim/bad.c", '"nn/module.h"'),
                ("src/io/bad.c", '"kernels/add.h"'),
                ("src/io/bad.c", '"plot/canvas.h"'),
                ("src/io/bad.c", "<unistd.h>"),
                ("src/plot/bad.c", '"nn/module.h"'),
                ("src/plot/bad.c", "<jansson.h>"),
                ("src/plot/bad.c", "<heed/missing.h>"),
                ("src/plot/bad.c", '"missing.h"'),
                ("examples/bad.c", '"../src/core/tensor.h"'),
                ("examples/bad.c", "<jansson.h>"),
                ("include/heed/bad.h", '"add.h"'),
                ("include/heed/bad.h", "<pthread.h>"),
                ("include/heed/bad.h", '"../../src/core/tensor.h"')):
            with self.subTest(f"{place} {include}"):
                path = self.write(place, f"/* bad */\n#  include {include}\n")
                self.assert_broken("includes", f"{place}:2:", "may not include " + include.strip('<>"'))
                path.unlink()

    def test_op_without_its_definition(self):
        self.write("src/ops/reduce/sums.c", "int mean(void)\n{\n    return heed_mean(1);\n}\n")
        self.assert_broken("ops", "src/ops/*/*.c: lacks heed_mean, for the op mean")

    def test_op_without_cases(self):
        self.write("tests/ops/elementwise/arithmetic.c", "UNARY(neg, heed_neg(x))\n")
        self.assert_broken("ops", "tests/ops/*/*.c: lack cases of the op add")

    def test_file_that_is_no_op(self):
        self.write("src/ops/elementwise/forgotten.c", "const heed_op heed_op_forgotten = {0};\n")
        self.assert_broken("ops", "src/ops/elementwise/forgotten.c: forgotten is not in ops.def")

    def test_product_that_does_not_count(self):
        op = "static const heed_op spread = {\n    .name = \"spread\",\n%s};\n"
        self.write("src/ops/product/spread.c", op % "    .multiply_adds = multiply_adds,\n")
        self.write("src/ops/elementwise/spread.c", op % "")
        self.assert_good("ops")
        self.write("src/ops/product/spread.c", op % "")
        self.assert_broken("ops", "src/ops/product/spread.c: spread lacks .multiply_adds")

    def test_words(self):
        for text in ("TO" "DO", "FIX" "ME", "X" "XX:", "HA" "CK", "a \u2014 b", "1\u20132"):
            with self.subTest(text):
                self.write("docs/design.md", f"first\n{text} later\n")
                self.assert_broken("words", "docs/design.md:2:")
        self.write("docs/design.md", "temporary.XXXXXX, HACKING, mastodo\n")
        self.assert_good("words")

    def test_addresses(self):
        for address in ("somebody@heed" ".dev", "heed" ".dev/doc", "github" ".com/heed/heed", "example" ".com", "your-" "name",
                        "git@example" ".org", "no" "reply", "<u" "rl>"):
            with self.subTest(address):
                link = "https:" "//" if "/" in address else ""
                self.write("docs/design.md", f"first\nSee {link}{address} or ask.\n")
                self.assert_broken("addresses", f"docs/design.md:2: {address} is not an address")
        self.write("docs/design.md", "heed@example" ".org, @VERSION@-one-file.tar.gz, node@1.2.0, your-own, https:" "//d2l.ai\n")
        self.write(".git/logs/HEAD", "somebody@heed" ".dev\n")  # git's own file, which counts in no case
        self.assert_good("addresses")

    def test_header_that_needs_another_first(self):
        self.write("include/heed/bad.h", "#pragma once\nint heed_f(heed_shape s);\n")
        self.assertEqual(self.lint("headers")[0], 1)

    def test_header_without_guard(self):
        self.write("include/heed/bad.h", "enum heed_x { HEED_X };\n")
        self.assertEqual(self.lint("headers")[0], 1)

    def test_header_that_is_not_cxx(self):
        self.write("include/heed/bad.h", "#pragma once\nint heed_f(int new);\n")
        self.assert_broken("headers", "include/heed/bad.h: does not compile alone with c++")


HEADER = """/* heed/ops/sum.h - sums. */
#include <heed/export.h>

HEED_BEGIN_DECLS

/* -- Sums -----------
 * Of tensors. */

/* Returns the sum of x (n), a scalar.  dx = g.
 * Errors: HEED_ERR_SHAPE unless x has rank 1.
 * torch: torch.sum   numpy: numpy.sum, numpy.add.reduce */
HEED_API heed_tensor *heed_sum(heed_tensor *x);

/* Returns how many there are: { and ; here end nothing. */
static inline int heed_count(const heed_tensor *x)
{
    return x ? 1 : 0;
}

HEED_END_DECLS
"""
EXAMPLE = """int main(void)
{
    /* [heed_sum heed_count] */
    heed_tensor *x = f();
    /* a comment is no line */
    x = g(x);
    heed_print(heed_sum(x), stdout); /* -> tensor(3., shape=(), dtype=f32) */
    /* [] */
}
"""


class Manual(Tree):
    def setUp(self):
        super().setUp()
        self.write("include/heed/ops/sum.h", HEADER)
        self.write("docs/manual/examples/sum.c", EXAMPLE)
        self.write("docs/manual/topics.txt", "Sums: add.h ops/sum.h\nleft out: export.h\n")

    def header(self, old, new):
        self.assertIn(old, HEADER)
        self.write("include/heed/ops/sum.h", HEADER.replace(old, new))

    def example(self, old, new):
        self.assertIn(old, EXAMPLE)
        self.write("docs/manual/examples/sum.c", EXAMPLE.replace(old, new))

    def test_good(self):
        self.assert_good("manual")

    def test_comment_that_no_editor_shows(self):
        comment = HEADER[HEADER.index("/* Returns how many"):HEADER.index("static")]
        for other in ("", comment + "\n", comment + "typedef int heed_x;\n"):
            with self.subTest(other):
                self.header(comment, other)
                self.assert_broken("manual", "heed_count has no comment of its own")
        self.header("x);\n\n/* Returns how", "x);\nHEED_API heed_tensor *heed_sum2(heed_tensor *x); /* twice. dx = g */\n\n/* Returns how")
        code, output = self.lint("manual")
        self.assertEqual(code, 1)
        self.assertIn("include/heed/ops/sum.h:13: heed_sum2 has no comment of its own", output)

    def test_comment_without_a_gradient(self):
        self.header("dx = g", "")
        self.assert_broken("manual", "sum.h:12: heed_sum: its comment does not describe the gradient")
        self.header("dx = g", "No gradient.")
        self.assert_good("manual")

    def test_form_of_comments(self):
        errors = " * Errors: HEED_ERR_SHAPE unless x has rank 1.\n"
        for old, broken, report in (
                ("Returns the sum", "Of x the sum", "does not begin with a verb in the third person"),
                ("a scalar.  dx = g.", "a scalar, dx = g", "its first sentence does not end with a full stop"),
                ("Errors:", "Error:", "Error: is no label; the labels are Returns, Errors, Reference, torch, numpy"),
                ("dx = g.\n * Errors:", "dx = g. Errors:", "Errors: stands within a line"),
                (errors, errors + errors, "Errors: is there twice"),
                (errors, " * Reference: A. Author (2000).\n" + errors, "the order of Reference, Errors, torch"),
                (errors, errors + " *\n * It is exact.\n", "an empty line, and perhaps prose, follows Errors:"),
                (errors, errors + " * Returns NULL on failure.\n", "what it returns is said after Errors:, not before"),
                (errors, "", "has no line \"Errors:\", and does not say that it cannot fail"),
                ("rank 1.", "rank 1", "the line \"Errors:\" does not end with a full stop"),
                (errors, " * Errors: as above.\n", "the line \"Errors:\" refers to a different comment"),
                (errors, " * Errors: the usual.\n", "the line \"Errors:\" names no HEED_ERR_ code")):
            with self.subTest(report):
                self.header(old, broken)
                self.assert_broken("manual", "heed_sum: " + report)
        for old, good in (
                (errors, " * The call cannot fail.\n"), (errors, " * Errors: as heed_add.\n"),
                (errors, " * Returns: the sum.\n" + errors + " * Reference: A. Author (2000).\n"),
                (errors, " * Errors: NULL with\n *     HEED_ERR_SHAPE    x has not rank 1\n")):
            with self.subTest(good):
                self.header(old, good)
                self.assert_good("manual")

    def test_names(self):
        for names in ("torch: torch.sum numpy: numpy.sum", "torch: Tensor.sum", "torch:torch.sum", "numpy: sum"):
            with self.subTest(names):
                self.header("torch: torch.sum   numpy: numpy.sum, numpy.add.reduce", names)
                self.assert_broken("manual", "sum.h:12: heed_sum: ", names.split()[-1])
        for names in ("torch: torch.sum", "numpy: numpy.sum", "torch: torch.sum\n * numpy: numpy.sum"):
            with self.subTest(names):
                self.header("torch: torch.sum   numpy: numpy.sum, numpy.add.reduce", names)
                self.assert_good("manual")

    def test_words_of_the_search(self):
        words = "# words\ntorch.add, plus -> heed_add,\n    heed/add.h, Errors\ntorch.sparse.*, +=: Call heed_add (heed/add.h).\n"
        self.write("docs/manual/search-words.txt", words)
        self.assert_good("manual")
        for old, new, report in (("heed_add,", "heed_ad,", "2: heed_ad does not exist"),
                                 ("heed/add.h, Errors", "heed/ad.h, Errors", "2: heed/ad.h does not exist"),
                                 ("Call heed_add", "Call heed_ad", "4: heed_ad does not exist"),
                                 ("plus", "+=", "4: += is already in line 2"),
                                 (" -> heed_add", " = heed_add", '2: neither "WORDS -> NAMES" nor "WORDS: TEXT"')):
            with self.subTest(report):
                self.assertIn(old, words)
                self.write("docs/manual/search-words.txt", words.replace(old, new))
                self.assert_broken("manual", f"docs/manual/search-words.txt:{report}")

    def test_function_without_an_example(self):
        self.example("heed_sum heed_count", "heed_sum")
        self.assert_broken("manual", "sum.h:15: heed_count has no example")

    def test_example_of_nothing(self):
        self.example("heed_sum heed_count", "heed_sum heed_count heed_cuont")
        self.assert_broken("manual", "docs/manual/examples/sum.c:3:", "no public function heed_cuont")

    def test_two_examples(self):
        self.write("docs/manual/examples/total.c", EXAMPLE.replace(" heed_count", ""))
        self.assert_broken("manual", "docs/manual/examples/total.c: heed_sum already has an example in docs/manual/examples/sum.c")

    def test_example_too_short_or_too_long(self):
        self.example("    x = g(x);\n", "")
        self.assert_broken("manual", "2 lines of code, not 3 to 10")
        self.example("    x = g(x);\n", "    {\n" + "    x = g(x);\n" * 8 + "    }\n")
        self.assert_good("manual")
        self.example("    x = g(x);\n", "    x = g(x);\n" * 9)
        self.assert_broken("manual", "11 lines of code, not 3 to 10")

    def test_example_that_says_nothing(self):
        self.example("-> tensor(3., shape=(), dtype=f32)", "tensor(3., shape=(), dtype=f32)")
        self.assert_broken("manual", "has no output")

    def test_example_in_two_pieces(self):
        piece = "/* [heed_sum heed_count] */\nint a;\n/* [] */\n"
        self.write("docs/manual/examples/sum.c", piece + EXAMPLE)
        self.assert_good("manual")

    def test_header_of_no_topic(self):
        self.write("docs/manual/topics.txt", "Sums: ops/sum.h\nleft out: export.h\n")
        self.assert_broken("manual", "include/heed/add.h: is not in docs/manual/topics.txt")
        self.write("docs/manual/topics.txt", "Sums: ops/sum.h add.h gone.h\nleft out: export.h\n")
        self.assert_broken("manual", "include/heed/gone.h: does not exist, but is in docs/manual/topics.txt")

    def test_environment(self):
        self.write("src/core/ask.c", 'const char *ask(void) { return getenv("HEED_ASK"); }\n')
        self.assert_broken("manual", "src/core/ask.c: the environment variable HEED_ASK is not in docs/manual/pages/environment.md")
        self.write("docs/manual/pages/environment.md", "## HEED_ASK\n\nAsks.\n")
        self.assert_good("manual")

    def test_marks(self):
        for old, new, text in (("/* [] */", "", "sum.c:3: an example without an end"),
                               ("/* [heed_sum heed_count] */", "", "sum.c:7: output outside an example"),
                               ("/* a comment is no line */", "/* [heed_sum] */", "sum.c:5: an example within an example"),
                               ("/* [heed_sum", "/* [sum", "sum.c:3: a mark is")):
            with self.subTest(text):
                self.example(old, new)
                self.assert_broken("manual", text)


class Binaries(Tree):
    def archive(self, **sources):
        objects = []
        for name, text in sources.items():
            source = self.write(f"{name}.c", text)
            objects.append(self.root / f"{name}.c.o")
            subprocess.run([os.environ.get("CC", "cc"), "-c", "-fPIC", "-w", "-o", objects[-1], source], check=True)
        library = self.root / "libheed.a"
        library.unlink(missing_ok=True)
        subprocess.run(["ar", "rcs", library, *objects], check=True)
        return str(library)

    def test_good_archive(self):
        memory = "#include <stdlib.h>\nvoid *heed_alloc(void) { return malloc(1); }\n"
        self.assert_good("archive", self.archive(allocator=memory, add=GOOD_TREE["src/ops/elementwise/arithmetic.c"]))

    def test_banned_calls(self):
        for call in ("abort()", "exit(1)", 'printf("%d", 1)', 'printf("x\\n")', "fputs(s, stderr)", "rand()",
                     "system(s)", "strcpy(s, heed_text)", "sprintf(s, s)", "setlocale(1, s)", "signal(1, 0)",
                     "perror(s)", "malloc(1)", "calloc(1, 1)", "free(s)", "strdup(s)", "qsort(s, 1, 1, 0)"):
            with self.subTest(call):
                source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nextern char heed_text[];\n"
                source += f"void heed_f(char *s) {{ {call}; }}\n"
                self.assert_broken(f"archive {self.archive(bad=source)}", "bad.c.o: calls ")

    def test_foreign_definition(self):
        self.assert_broken(f"archive {self.archive(bad='int helper;')}", "bad.c.o: defines helper")

    def shared(self, source):
        library = self.root / "libheed.so"
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, self.write("all.c", source)], check=True)
        return str(library)

    def test_exports(self):
        add = "int heed_add(int a, int b) { return a + b; }\n"
        self.assert_good("exports", self.shared(add))
        self.assert_broken(f"exports {self.shared(add + 'int heed__inner;')}", "exports heed__inner")
        self.assert_broken(f"exports {self.shared(add + 'int helper(void) { return 1; }')}", "exports helper")

    def test_declared_and_not_defined(self):
        self.assert_broken(f"exports {self.shared('static int x;')}", "does not define heed_add")

    def test_missing_library(self):
        self.assertEqual(self.lint("archive", str(self.root / "none.a"))[0], 2)


if __name__ == "__main__":
    unittest.main()
