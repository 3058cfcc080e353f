"""tests/cxx/test_cxx.py - program.cpp, and what must not compile, for every standard and with every compiler there is.

Arguments: heed's include folder, the library to link with, what else to link with, --, compilers.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
STANDARDS = ("11", "14", "17", "20")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wold-style-cast",
            "-Wzero-as-null-pointer-constant", "-Werror"]

# The compiler's message, and the function's body.
MISTAKES = {
    "nine dims": (r"too many arguments|no matching function",
                  "heed_shape s = HEED_SHAPE(1, 2, 3, 4, 5, 6, 7, 8, 9); (void)s;"),
    "a tensor that is a number": (r"invalid conversion|no matching function|cannot initialize",
                                  "heed_tensor *x = heed_ones(HEED_F32, HEED_SCALAR); heed_concat(HEED_TENSORS(x, 7), 0);"),
    "65 tensors": (r"HEED_CXX_COUNT|list_of",
                   "heed_tensor *x = 0; heed_concat(HEED_TENSORS(" + ", ".join("x" for _ in range(65)) + "), 0);"),
    "a comma outside of parentheses": (r"put parentheses around",
                                       "struct { heed_tensor *t; } x; heed_concat(HEED_TENSORS(pass<int, 2>(x.t)), 0);"),
    "a field that there is not": (r"no member|has no member",
                                  "heed_optim_sgd(nullptr, HEED_OPTIONS(heed_optim_sgd_options, .rate = 1));"),
    "other options": (r"cannot convert|no matching function",
                      "heed_optim_sgd(nullptr, HEED_OPTIONS(heed_optim_adam_options, .lr = 1));"),
    "17 options": (r"HEED_CXX_ASSIGN_17|expected expression",
                   "struct numbers { int a[17]; }; (void)HEED_OPTIONS(numbers, "
                   + ", ".join(f".a[{i}] = 0" for i in range(17)) + ");"),
}


class Cxx(unittest.TestCase):
    include = library = None
    libraries = compilers = []

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-cxx-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def each(self, check):
        """check(COMMAND) with each compiler and standard, however many fail."""
        for compiler in self.compilers:
            for standard in STANDARDS:
                with self.subTest(compiler=compiler, standard=standard):
                    check([compiler, "-x", "c++", f"-std=c++{standard}", f"-I{self.include}"])

    @staticmethod
    def compiled(command, text):
        return subprocess.run(command + ["-fsyntax-only", "-"], input=text, text=True, capture_output=True)

    def check_runs(self, source, printed):
        """Compiled without a warning, with the program's lines in errors and without, what it prints goes to printed()."""
        program = self.folder / "program"
        linked = ["-x", "none", self.library, *self.libraries, f"-Wl,-rpath,{Path(self.library).parent}"]

        def check(command):
            for sites in ([], ["-DHEED_SITES"]):
                done = subprocess.run(command + [*WARNINGS, *sites, str(source), "-o", str(program), *linked],
                                      text=True, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                ran = subprocess.run([str(program)], text=True, capture_output=True, timeout=120, cwd=self.folder)
                self.assertEqual(ran.returncode, 0, ran.stdout)
                printed(ran.stdout)

        self.each(check)

    def test_program(self):
        self.check_runs(HERE / "program.cpp", lambda text: self.assertEqual(text, ""))

    def test_installing(self):
        """The program in C++ of docs/installing.md learns XOR, as its comment says."""
        text = (HERE.parent.parent / "docs" / "installing.md").read_text(encoding="utf-8")
        block, = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
        source = self.folder / "readme.cpp"
        source.write_text(block, encoding="utf-8")

        def learned(printed):
            numbers = [float(n) for n in re.findall(r"\[([^][]+)\]", printed)]
            self.assertEqual([round(n, 1) for n in numbers], [0, 1, 1, 0], printed)

        self.check_runs(source, learned)

    def test_mistakes_do_not_compile(self):
        before = "#include <heed/heed.h>\ntemplate <typename T, int n> heed_tensor *pass(heed_tensor *t) { return t; }\n"

        def check(command):
            good = self.compiled(command, before + "void f() { (void)HEED_SHAPE(1); }\n")
            self.assertEqual(good.returncode, 0, good.stderr)
            for name, (says, body) in MISTAKES.items():
                with self.subTest(mistake=name):
                    done = self.compiled(command, before + "void f() { " + body + " }\n")
                    self.assertNotEqual(done.returncode, 0)
                    self.assertRegex(done.stderr, says)

        self.each(check)

    def test_included_within_extern_c(self):
        """As C++ programs do to C headers that know nothing of C++."""

        def check(command):
            done = self.compiled(command + WARNINGS, 'extern "C" {\n#include <heed/heed.h>\n}\n'
                                 "heed_tensor *x() { return HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 2); }\n")
            self.assertEqual(done.returncode, 0, done.stderr)

        self.each(check)


if __name__ == "__main__":
    Cxx.include, Cxx.library = (str(Path(path).resolve()) for path in sys.argv[1:3])
    cut = sys.argv.index("--")
    Cxx.libraries, Cxx.compilers = sys.argv[3:cut], sys.argv[cut + 1:]
    unittest.main(argv=sys.argv[:1])
