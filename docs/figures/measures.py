"""docs/figures/measures.py - how figures are measured: every function here returns a function that returns a page's text.

A command runs once however many figures it has; its output is kept in build/figures. Commands have a shortened form for
`scripts/figures --trial`.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import functools
import json
import re
import subprocess
import time
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "figures"
Command = namedtuple("Command", "full trial", defaults=[None])
trial = False


class Failed(Exception):
    """A figure that cannot be measured, and why."""


def use_trial(on):
    global trial
    trial = on


# -- Commands ---------------------------------------------------------------------------------------------------------


@functools.cache
def result(line):
    """(exit code, output, seconds) of a command line of bash in the project's folder. A failed command is not run again."""
    LOGS.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    (LOGS / (re.sub(r"\W+", "-", line)[:100] + ".log")).write_text(done.stdout, encoding="utf-8")
    return done.returncode, done.stdout, time.monotonic() - begin


def run(line):
    """(output, seconds) of a command that succeeds."""
    code, printed, seconds = result(line)
    if code != 0:
        raise Failed(f"`{line}` ended with {code}:\n{printed[-2000:]}")
    return printed, seconds


def line_of(command):
    return command.trial if trial and command.trial else command.full


@functools.cache
def build(*targets):
    run("cmake --preset release -DHEED_AMALGAMATED=OFF")
    run("cmake --build --preset release --target " + " ".join(targets))


def output(command, targets=()):
    if targets:
        build(*targets)
    return run(line_of(command))[0]


# -- Numbers as pages write them --------------------------------------------------------------------------------------


def as_is(text):
    return text


def grouped(text):
    """15024: 15,024"""
    return f"{int(text):,}"


def tenths(text):
    return f"{float(text):.1f}"


def millions(text):
    number = int(text) / 1e6
    return f"{number:.0f} million" if number >= 10 else f"{number:.1f} million"


def rounded(step):
    return lambda number: f"{round(int(number) / step) * step:,}"


def duration(seconds):
    if seconds < 10:
        return f"{seconds:.2g} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


# -- Figures of a command's output ------------------------------------------------------------------------------------


def found(command, pattern, form=as_is, targets=()):
    """The groups of the pattern in a command's output; several matches, or groups, are passed together."""

    def measure():
        matches = re.findall(pattern, output(command, targets), re.M)
        if not matches:
            raise Failed(f"`{line_of(command)}` printed nothing like {pattern}")
        return form(matches[0]) if len(matches) == 1 else form(matches)
    return measure


def of_table(command, label, column, form=as_is, targets=()):
    """The cell of a Markdown table that a command prints, of the row that begins with a label."""

    def measure():
        for line in output(command, targets).splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] == label and column < len(cells):
                return form(cells[column])
        raise Failed(f"`{line_of(command)}` printed no row of {label}")
    return measure


def took(command, targets=()):
    """The seconds of a command, as text."""

    def measure():
        output(command, targets)
        return duration(run(line_of(command))[1])
    return measure


def after(lines, measure):
    """A measurement that needs these commands first."""
    return lambda: ([run(line) for line in lines], measure())[1]


# -- Counts of the sources --------------------------------------------------------------------------------------------


def lines_of(*globs, step=1):
    """The number of lines of the files that match."""

    def measure():
        paths = {path for glob in globs for path in ROOT.glob(glob) if path.is_file()}
        return rounded(step)(sum(path.read_bytes().count(b"\n") for path in paths))
    return measure


def ops(kind=r"\w+"):
    return re.findall(rf"^HEED_{kind}\((\w+)\)$", (ROOT / "src" / "ops" / "ops.def").read_text(encoding="utf-8"), re.M)


def op_count(kind=r"\w+"):
    return lambda: str(len(ops(kind)))


def op_lines():
    """The mean number of lines per op, in the folders of src/ops."""
    lines = sum(path.read_bytes().count(b"\n") for path in (ROOT / "src" / "ops").glob("*/*.[ch]"))
    return f"{lines / len(ops()):.0f}"


# -- heed-gradcheck ---------------------------------------------------------------------------------------------------

GRADCHECK = Command("build/release/tools/heed-gradcheck --json")


def gradcheck(form):
    return lambda: form(json.loads(output(GRADCHECK, ("heed-gradcheck",))))


def worst(order):
    """The largest error of an order, and the op that has it."""

    def of(report):
        key = f"max_error_order_{order}"
        op = max((op for op in report["ops"] if op[key] is not None), key=lambda op: op[key])
        return f"{op[key]:.1e}".replace("e-0", "e-") + f" at worst ({op['op']})"
    return of


# -- Sizes of the library ---------------------------------------------------------------------------------------------

LIBRARY = Command("scripts/size library")
PROGRAMS = Command("scripts/size programs")


def kilobytes(label):
    return of_table(LIBRARY, label, 1, targets=("heed-shared",))


def megabytes(label):
    return of_table(LIBRARY, label, 1, lambda kb: f"{int(kb) / 1e3:.1f}", targets=("heed-shared",))


def instruction_sets():
    """The range of f32 and f64 kernels together, by instruction set."""
    sums = [sum(int(kilobytes(f"kernels-{isa}-{dtype}")()) for dtype in ("f32", "f64")) / 1e3
            for isa in ("scalar", "avx2", "avx512")]
    return f"{min(sums):.1f} to {max(sums):.1f}"


def program(options, column):
    return of_table(PROGRAMS, f"`{options}`", column, targets=("heed-shared",))


def hello(options):
    """The size of the README's first program by these compiler options, in MB."""
    return lambda: f"{int(program(options, 3)()) / 1e3:.2f}"


def programs(*which):
    """The range of sizes of programs by these compiler options, in MB."""

    def measure():
        sizes = [int(program(options, column)()) / 1e3 for options in which for column in (1, 2)]
        return f"{min(sizes):.1f} to {max(sizes):.1f}"
    return measure


def size_of(path, targets):
    def measure():
        build(*targets)
        return f"{(ROOT / path).stat().st_size / 1e6:.1f}"
    return measure
