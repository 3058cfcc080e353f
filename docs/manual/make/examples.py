"""docs/manual/make/examples.py - reads the manual's examples and compares their output with their comments.

docs/manual/README.md describes how to write an example. This module reads a file as a list of marks, which are comments:

    /* [heed_tanh heed_tanh_] */    begins the example of these functions
    /* [] */                        ends it
    /* -> text */                   the output since the previous mark
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import textwrap
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SEPARATOR = "\x1e"  # "record separator", before a mark's line number in the output
LINES = range(3, 11)  # the allowed numbers of lines of code in an example
WIDTH = 120
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)


class Broken(Exception):
    """An example is wrong."""


class Mark(NamedTuple):
    kind: str      # "[" begins or ends a fragment, "->" is output
    line: int      # from 1
    start: int     # offset of the comment in the text
    end: int
    names: tuple   # of a mark that begins a fragment
    text: str      # of an output


class Fragment(NamedTuple):
    names: tuple
    line: int
    text: str      # without the marks and the indentation

    @property
    def code_lines(self):
        """The lines of code, without comments and lone braces."""
        code = TOKEN.sub(lambda m: "" if m[0][0] == "/" else m[0], self.text)
        return [line for line in code.split("\n") if line.strip() not in ("", "{", "}")]


def output_of(comment):
    """The text of "/* -> text */". Further lines begin below the first one, as " *    text"."""
    lines = comment.removeprefix("/* ->").removesuffix("*/").rstrip().split("\n")
    rest = [re.sub(r"^\s*\*? {0,4}", "", line).rstrip() for line in lines[1:]]
    return "\n".join([lines[0].strip(), *rest])


def comment_of(output, column):
    """The comment for this output, if the comment begins in this column."""
    below = "\n" + " " * column + " *"
    return "/* -> " + re.sub(r"\n(.*)", lambda m: below + (f"    {m[1]}" if m[1] else ""), output) + " */"


class Example:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.marks = [mark for m in TOKEN.finditer(self.text) if (mark := self.mark(m))]
        self.fragments = self.find_fragments()

    def fail(self, line, problem):
        raise Broken(f"{self.path}:{line}: {problem}")

    def mark(self, token):
        line = self.text.count("\n", 0, token.start()) + 1
        if token[0].startswith("/* ["):
            found = re.fullmatch(r"/\* \[((?:heed_\w+(?: (?=\w))?)*)\] \*/", token[0])
            if not found:
                self.fail(line, f"a mark is /* [heed_NAME ...] */ or /* [] */, not {token[0]}")
            return Mark("[", line, *token.span(), tuple(found[1].split()), "")
        if token[0].startswith("/* ->"):
            return Mark("->", line, *token.span(), (), output_of(token[0]))
        return None

    def find_fragments(self):
        found, opened = [], None
        for mark in self.marks:
            if mark.kind == "->":
                if not opened:
                    self.fail(mark.line, "output outside an example")
            elif bool(mark.names) == bool(opened):
                self.fail(mark.line, "an example within an example" if opened else "the end of an example that has not begun")
            elif mark.names:
                opened = mark
            else:
                text = self.text[self.text.index("\n", opened.end) + 1:self.text.rindex("\n", 0, mark.start) + 1]
                found.append(Fragment(opened.names, opened.line, textwrap.dedent(text)))
                opened = None
        if opened:
            self.fail(opened.line, "an example without an end")
        return found

    def by_name(self):
        """The text of every function's example; the pieces of an example are joined."""
        found = {}
        for fragment in self.fragments:
            for name in fragment.names:
                found[name] = (found[name] + "\n" if name in found else "") + fragment.text
        return found

    def marked(self):
        """The program with a statement at every mark inside a function that prints its line; line numbers stay the same."""
        parts, end = [f'#line 1 "{self.path}"\n'], 0
        for mark in self.marks:
            in_function = self.text[mark.start - 1:mark.start] != "\n"
            says = f'(void)fputs("\\x1e" "{mark.line}\\n", stdout);' if in_function else ""
            parts += [self.text[end:mark.start], says, "\n" * self.text.count("\n", mark.start, mark.end)]
            end = mark.end
        return "".join([*parts, self.text[end:]])

    def run(self, program):
        """The output before every mark, by the mark's line, and after the last mark (line 0)."""
        done = subprocess.run([program.resolve()], capture_output=True, check=False)
        if done.returncode != 0 or done.stderr:
            message = done.stderr.decode(errors="replace")
            raise Broken(f"{self.path}: {program.name} ended with code {done.returncode}\n{message}".rstrip())
        pieces = re.split(SEPARATOR + r"(\d+)\n", done.stdout.decode(errors="replace"))
        printed = {}
        for text, line in zip(pieces[0::2], [*pieces[1::2], "0"]):
            printed[int(line)] = printed.get(int(line), "") + text
        return printed

    def outputs(self, program):
        """(mark, output of the program there) of every output mark."""
        printed = self.run(program)
        outputs = {mark.line: mark for mark in self.marks if mark.kind == "->"}
        if set(printed) - {mark.line for mark in self.marks} - {0}:
            raise Broken(f"{self.path}: {program} was not built from it: build the target manual_examples")
        for line, text in printed.items():
            if line not in outputs and text:
                at = f":{line}" if line else ""
                raise Broken(f"{self.path}{at}: printed before this, without an output comment\n{quoted(text)}")
        for line in outputs:
            if line not in printed:
                self.fail(line, "the program does not reach this mark")
        return [(mark, "\n".join(s.rstrip() for s in printed[line].rstrip("\n").split("\n"))) for line, mark in outputs.items()]

    def check(self, program):
        for mark, printed in self.outputs(program):
            if printed != mark.text:
                self.fail(mark.line, f"prints\n{quoted(printed)}\nbut the comment says\n{quoted(mark.text)}")

    def update(self, program):
        """Writes the output into the comments; a comment that does not fit after its statement goes below it."""
        text = self.text
        for mark, printed in reversed(self.outputs(program)):
            if printed == mark.text:
                continue
            start = text.rindex("\n", 0, mark.start) + 1
            code = text[start:mark.start]
            column = len(code)
            comment = comment_of(printed, column)
            if code.strip() and ("\n" in comment or len(code + comment) > WIDTH):
                column = len(code) - len(code.lstrip())
                comment = "\n" + " " * column + comment_of(printed, column)
                text = text[:start] + code.rstrip() + comment + text[mark.end:]
            else:
                text = text[:mark.start] + comment + text[mark.end:]
        if text != self.text:
            self.path.write_text(text, encoding="utf-8")


def quoted(text):
    return textwrap.indent(text or "nothing", "    ")


def all_examples(folder=EXAMPLES):
    return [Example(path) for path in sorted(folder.glob("*.c"))]
