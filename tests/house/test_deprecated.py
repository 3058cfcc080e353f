"""tests/house/test_deprecated.py CC... - a call of a function with HEED_DEPRECATED is a warning of every compiler and of
Python, and all scripts that read headers understand the mark. The functions are those of deprecated/old.h."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import contextlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from importlib.machinery import SourceFileLoader
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
OLD = Path(__file__).resolve().parent / "deprecated" / "old.h"
COMPILERS = []
PROGRAM = """\
#include <heed/heed.h>
heed_tensor *f(heed_tensor *x);
heed_tensor *f(heed_tensor *x)
{
    return heed_times(x, heed_nn_dense(x));
}
"""
CALLS = 5  # the line of the calls in PROGRAM
CALLS_FOLDER = ROOT / "tests/promises/calls"
GENERATE = ROOT / "companions/python/generate"


def module(path, name, folder=None):
    """The module of a script, whose imports may be in its folder or in `folder`."""
    with importable(*(f for f in (path.parent, folder) if f)):
        loader = SourceFileLoader(name, str(path))
        found = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
        sys.modules[name] = found
        loader.exec_module(found)
    return found


@contextlib.contextmanager
def importable(*folders):
    """Makes the modules of these folders importable: two folders have a headers.py."""
    before, modules = sys.path[:], set(sys.modules)
    sys.path[:0] = map(str, folders)
    sys.modules.pop("headers", None)
    try:
        yield
    finally:
        sys.path[:] = before
        for name in set(sys.modules) - modules:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(ROOT)):
                del sys.modules[name]


class Tree(unittest.TestCase):
    """The public headers with old.h among them."""

    def setUp(self):
        self.include = Path(tempfile.mkdtemp(prefix="heed-deprecated-"))
        self.addCleanup(shutil.rmtree, self.include)
        self.heed = self.include / "heed"
        shutil.copytree(ROOT / "include/heed", self.heed)
        shutil.copy(OLD, self.heed)
        text = (self.heed / "heed.h").read_text(encoding="utf-8")
        (self.heed / "heed.h").write_text(text.replace("\nHEED_BEGIN_DECLS", "#include <heed/old.h>\n\nHEED_BEGIN_DECLS", 1), encoding="utf-8")
        sites = module(ROOT / "scripts/sites", "sites_script")
        (self.heed / "sites.h").write_text(sites.sites(self.heed), encoding="utf-8")
        self.functions = {f.name: f for f in sites.Headers(self.heed).functions}


class Compilers(Tree):
    def compile(self, compiler, *flags, text=PROGRAM, name="calls.c"):
        (self.include / name).write_text(text, encoding="utf-8")
        language = ["-x", "c++", "-std=c++11"] if "++" in compiler else ["-std=c11"]
        run = subprocess.run([compiler, *language, "-c", "-o", "/dev/null", "-Wall", "-Wextra", *flags, str(self.include / name)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stderr

    def test_every_call_is_a_warning(self):
        self.assertGreater(len(COMPILERS), 0)
        for compiler, sites, include in product(COMPILERS, ([], ["-DHEED_SITES"]), ("-I", "-isystem")):
            with self.subTest(compiler=compiler, sites=sites, include=include):
                output = self.compile(compiler, *sites, f"{include}{self.include}")
                self.assertEqual(len(re.findall("warning:", output)), 2, output)
                for name, text in (("heed_times", "use heed_mul"), ("heed_nn_dense", "use heed_nn_linear_new")):
                    self.assertRegex(output, rf"{name}.*is deprecated: {text}")
                self.assertIn(f"calls.c:{CALLS}:", output)

    def test_definition_is_no_warning(self):
        text = "#include <heed/old.h>\nheed_tensor *heed_times(heed_tensor *a, heed_tensor *b)\n{\n    return a ? b : a;\n}\n"
        for compiler in (c for c in COMPILERS if "++" not in c):
            with self.subTest(compiler=compiler):
                self.assertEqual(self.compile(compiler, f"-I{self.include}", text=text), "")

    def test_other_compilers_ignore_the_mark(self):
        text = '#include <stdint.h>\n#undef __GNUC__\n#include <heed/export.h>\nHEED_DEPRECATED("use g")\nvoid f(void);\n'
        for flags, expected in (([], "void f(void);"), (["-D_MSC_VER=1900"], '__declspec(deprecated("use g"))\nvoid f(void);')):
            run = subprocess.run([COMPILERS[0], "-E", "-P", f"-I{self.include}", *flags, "-x", "c", "-"], input=text, capture_output=True,
                                 text=True, check=True)
            self.assertTrue(run.stdout.rstrip().endswith(expected), run.stdout[-200:])
            self.assertNotIn("__attribute__((deprecated", run.stdout)

    @unittest.skipUnless(importlib.util.find_spec("clang"), "scripts/amalgamate needs clang's module for Python")
    def test_one_file(self):
        amalgamate = module(ROOT / "scripts/amalgamate", "amalgamate_script")
        amalgamate.INCLUDE = self.include
        (self.include / "one.h").write_text(amalgamate.header_text(), encoding="utf-8")
        for compiler in COMPILERS:
            output = self.compile(compiler, text=PROGRAM.replace("<heed/heed.h>", '"one.h"'))
            self.assertRegex(output, "heed_times.*is deprecated: use heed_mul")


class Scripts(Tree):
    def test_reader_of_prototypes(self):
        times, dense = self.functions["heed_times"], self.functions["heed_nn_dense"]
        self.assertEqual((times.deprecated, times.result, times.nodiscard), ("use heed_mul", "heed_tensor *", False))
        self.assertEqual((dense.deprecated, dense.result, dense.nodiscard), ("use heed_nn_linear_new", "heed_tensor *", True))
        self.assertEqual(self.functions["heed_current"].deprecated, "")

    def test_sites(self):
        text = (self.heed / "sites.h").read_text(encoding="utf-8")
        warned, _, quiet = text.partition("All other functions")
        self.assertIn("#define heed_times(", warned)
        self.assertIn("#define heed_current(", quiet)

    def test_rules_of_exports_and_uses(self):
        with importable(ROOT / "scripts/lints"):
            import uses  # noqa: PLC0415
        names = uses.PROTOTYPE.findall(OLD.read_text(encoding="utf-8"))
        self.assertEqual(names, ["heed_times", "heed_nn_dense", "heed_current"])

    def test_manual(self):
        with importable(ROOT / "docs/manual/make"):
            import library  # noqa: PLC0415
            import man  # noqa: PLC0415
            import pages  # noqa: PLC0415
            from headers import Header  # noqa: PLC0415
        made, header = library.Library(ROOT), Header(self.heed / "old.h", self.heed)
        made.headers.append(header)
        made.functions.update({f.name: f for f in header.functions})
        times = header.functions[0]
        self.assertEqual((times.name, times.deprecated, times.torch), ("heed_times", "use heed_mul", ["torch.mul"]))
        self.assertEqual(times.prototype, "heed_tensor *heed_times(heed_tensor *the_first_factor_of_the_product,\n"
                                           "                        heed_tensor *the_second_factor_of_the_product);")
        self.assertEqual([f.deprecated for f in header.functions], ["use heed_mul", "use heed_nn_linear_new", ""])
        html = pages.Pages(made)
        self.assertIn('@deprecated use @ref heed_mul "heed_mul"', html.item(times))
        self.assertNotIn("HEED_DEPRECATED(", html.item(times))
        self.assertNotIn("@deprecated", html.item(header.functions[2]))
        self.assertTrue(re.search('"heed_times"</td><td>Deprecated: use @ref heed_mul', html.index_page()))
        page = man.Function(made, header, header.sections[0], times).page("0.2.0")
        self.assertIn(".SH DESCRIPTION\n.PP\nDeprecated: use \\fBheed_mul\\fP\\&.\n", page)
        self.assertNotIn("HEED_DEPRECATED", page)
        self.assertIn(".SH STABILITY\nExperimental: ", page)
        self.assertIn("@par Stability\nExperimental: ", html.header(header))

    def python_of(self):
        with importable(CALLS_FOLDER, GENERATE):
            import api  # noqa: PLC0415
            import functions  # noqa: PLC0415
            made = api.Api(self.heed)
        for name in ("heed_times", "heed_nn_dense", "heed_current"):
            made.functions[name].header = "ops/old.h"
        return made, functions

    def test_python_warns_at_the_line_of_the_program(self):
        made, functions = self.python_of()
        text = functions.text(made)
        self.assertIn("\nfrom heed._deprecated import deprecated\n", text)
        self.assertEqual(text.count("    deprecated("), 2)
        self.assertIn('    """Multiplies elementwise', functions.python(made.functions["heed_times"]))
        package = module(ROOT / "companions/python/heed/_deprecated.py", "heed._deprecated")
        scope = {"__name__": "heed._functions", "Data": object, "Optional": Optional, "Tensor": object, "deprecated": package.deprecated,
                 "C": SimpleNamespace(heed_times=None), "call": lambda function, a, b: a * b}
        exec(functions.python(made.functions["heed_times"]), scope)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(scope["times"](2, 3), 6)
        self.assertEqual([(w.category, str(w.message), w.filename) for w in caught],
                         [(DeprecationWarning, "times is deprecated: use mul", __file__)])

    def test_python_is_the_same_without_deprecated_functions(self):
        made, functions = self.python_of()
        made.functions = {name: f for name, f in made.functions.items() if not f.deprecated}
        self.assertNotIn("deprecated(", functions.text(made))


if __name__ == "__main__":
    COMPILERS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
