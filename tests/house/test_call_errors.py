#!/usr/bin/env python3
"""tests/house/test_call_errors.py CC... - a wrong call gets the same compiler messages with HEED_SITES as without.

Every function that HEED_SITES makes a macro is called with too few and too many arguments, with an argument of the
wrong type in every position, and for a result of the wrong type. With HEED_SITES the messages must name the same
function and count the same arguments. gcc's messages must be at the program's line and not longer. Only clang's
messages, and gcc's about functions whose ignored result is a warning, may have a note that shows the macro.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
import subprocess
import sys
import tempfile
import unittest
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests/promises/calls"))
from headers import Headers  # noqa: E402

COMPILERS = []
HEADER = """\
#include <heed/heed.h>
struct odd { int number; };
static int (*wrong)[3];
static heed_tensor *own(heed_tensor *x) { return x; }
static void own_void(heed_tensor *x) { (void)x; }
#ifdef HEED_SITES
HEED_SITED(heed_tensor *, own)
#define own(...) HEED_AT(own, __VA_ARGS__)
#define own_void(...) HEED_AT_VOID(own_void, __VA_ARGS__)
#endif
"""
OWN = [(name, call) for name in ("own", "own_void") for call in ("{f}()", "{f}(x, x)", "{f}(odd)", "wrong = {f}(x)")]
NESTED = ["{f}({f}(a), b)", "{f}({f}(a, b, 1), b)", "{f}(a, {f}(odd, b))", "{f}({f}(a, missing), b)", "{f}(a, missing)",
          "{f}(a, 2.5)", "{f}(&a, b)", "{f}(a, b)->data"]
MACRO = r"note: (?:in expansion of|in definition of|expanded from) macro "
PLACE = r"In file included from|\s+from .*[:,]$|.*: In function |\d+ (?:warning|error)s? "


def wrong_calls(function):
    """Calls of {f}, the function, that must not compile."""
    names = [a.name for a in function.arguments]
    lists = [names + ["1"]] + [names[:i] + ["odd"] + names[i + 1:] for i in range(len(names))]
    if names:
        lists.append(names[:-1])
    calls = [f"{{f}}({', '.join(arguments)})" for arguments in lists]
    if function.result in ("void *", "const void *"):  # C converts these to any pointer
        return calls
    return calls + [f"wrong = {{f}}({', '.join(names)})"]


def is_cxx(compiler):
    return "++" in Path(compiler).name


@cache
def is_gcc(compiler):
    """Whether it is gcc or g++, whatever its name."""
    shown = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return "Free Software Foundation" in shown


class Message:
    def __init__(self, line):
        self.text = re.search(r"(?:error|warning): .*", line)[0]
        self.lines = [line]

    def call(self):
        """The line of calls.c that the message shows; 0 if it shows none."""
        shown = re.search(r"calls\.c:(\d+):", "\n".join(self.lines))
        return int(shown[1]) if shown else 0

    def macros(self):
        return sum(bool(re.search(MACRO, line)) for line in self.lines)

    def size(self):
        """The number of lines apart from those that show a macro: a note, the source and the mark below it."""
        return len(self.lines) - 3 * self.macros()


def messages(text):
    found = []
    for line in text.splitlines():
        if re.search(r": (?:error|warning): ", line):
            found.append(Message(line))
        elif found and not re.match(PLACE, line):
            found[-1].lines.append(line)
    return found


class CallErrors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        macros = re.findall(r"^#define (heed_\w+)\(", (ROOT / "include/heed/sites.h").read_text(encoding="utf-8"), re.M)
        functions = [f for f in Headers(ROOT / "include/heed").functions if f.name in macros]
        cls.calls = [(f.name, f.parameters, call) for f in functions for call in wrong_calls(f)]
        cls.calls += [("heed_add", ["heed_tensor *a", "heed_tensor *b"], call) for call in NESTED]
        cls.calls += [(name, ["heed_tensor *x"], call) for name, call in OWN]
        cls.warned = {f.name for f in functions if f.nodiscard}

    def compiled(self, compiler, written="{}", options=()):
        """One compiler's messages by the line of the call, in a file whose line 1 is no call."""
        lines = ['#include "own.h"']
        for i, (name, parameters, call) in enumerate(self.calls):
            body = call.format(f=written.format(name))
            lines.append(f"static void call{i}({', '.join([*parameters, 'struct odd odd'])}) {{ (void)({body}); }}")
        language = ["-x", "c++", "-std=c++11"] if is_cxx(compiler) else ["-x", "c", "-std=c11"]
        all_of_them = "-fmax-errors=0" if is_gcc(compiler) else "-ferror-limit=0"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "own.h").write_text(HEADER, encoding="utf-8")
            source = Path(folder, "calls.c")
            source.write_text("\n".join(lines) + "\n", encoding="utf-8")
            command = [compiler, *language, all_of_them, *options, "-fsyntax-only", f"-I{ROOT}/include", str(source)]
            run = subprocess.run(command, capture_output=True, text=True, check=False,
                                 env={**os.environ, "LC_ALL": "C"})
        by_call = {}
        for message in messages(run.stderr):
            by_call.setdefault(message.call(), []).append(message)
        return by_call

    def most_macros(self, name, call, gcc):
        """The largest number of macros that a message may show."""
        if name.startswith("own"):
            return 2
        return call.count("{f}") if not gcc or name in self.warned else 0

    def check_call(self, plain, sited, most):
        """The same messages, with at most so many notes about macros, and at the program's line if with none."""
        self.assertEqual([m.text for m in sited], [m.text for m in plain])
        for before, after in zip(plain, sited):
            self.assertLessEqual(after.macros(), most, "\n".join(after.lines))
            self.assertLessEqual(after.size(), before.size(), "\n".join(after.lines))
            if most == 0:
                self.assertIn("calls.c:", after.lines[0])

    def test_messages(self):
        for compiler in COMPILERS:
            # clang++ words its messages otherwise if a function's name is in parentheses, as the macros have it
            plain = self.compiled(compiler, "({})" if is_cxx(compiler) and not is_gcc(compiler) else "{}")
            sited = self.compiled(compiler, options=["-DHEED_SITES"])
            self.assertEqual(set(plain), set(range(2, len(self.calls) + 2)), f"{compiler}: a wrong call compiles")
            self.assertNotIn(0, sited, f"{compiler}: a message does not show the program's line")
            for line, expected in plain.items():
                name, _, call = self.calls[line - 2]
                with self.subTest(compiler=compiler, call=call.format(f=name)):
                    self.check_call(expected, sited.get(line, []), self.most_macros(name, call, is_gcc(compiler)))

    def test_arguments_are_counted(self):
        """gcc numbers the arguments in C: the messages that the check above compares have these numbers."""
        for compiler in [c for c in COMPILERS if is_gcc(c) and not is_cxx(c)]:
            sited = self.compiled(compiler, options=["-DHEED_SITES"])
            texts = " ".join(m.text for found in sited.values() for m in found)
            self.assertIn("incompatible type for argument 1 of 'heed_linear'", texts)
            self.assertIn("incompatible type for argument 3 of 'heed_linear'", texts)
            self.assertIn("too few arguments to function 'heed_linear'", texts)


if __name__ == "__main__":
    COMPILERS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
