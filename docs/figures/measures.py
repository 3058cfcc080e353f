"""docs/figures/measures.py - how figures are measured: every function here returns a function that returns a page's text.

A command runs once however many figures it has; its output is kept in build/figures. Commands have a shortened form for
`scripts/figures --trial`.
"""

import functools
import json
import os
import re
import statistics
import subprocess
import time
from collections import defaultdict, namedtuple
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


def short(number):
    """Two or three digits: 0.33, 3.1, 15.6, 123,000."""
    if number >= 100:
        return f"{int(float(f'{number:.3g}')):,}"
    return f"{number:.3g}" if number >= 9.95 else f"{number:#.2g}"


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


# -- The bench --------------------------------------------------------------------------------------------------------

# The runs of bench/compare, by their options: of the whole table, and of the README's cases.
ALL_CASES = ("--rounds 3 -s 0.25 -w W1,W2,W3,W4,W5,W6,W7,W8,W9",)
README_CASES = tuple(f"--rounds 3 -s 0.1 --threads 1 -w {workload} -c '{case}'" for workload, case in (
    ("W1", "n2000"), ("W3", "B8 Q256"), ("W4", "B8 Q1024 K1024 d64"), ("W6", "n1 a,b"), ("W7", "batch256")))
JSON = LOGS / "compare.json"


@functools.cache
def compared(runs):
    """{(case, metric, threads): {(peer, version): best median of its ways}} of runs of bench/compare.

    HEED_TORCH lists the commands of the Pythons to compare with, separated by semicolons.
    """
    build("heed_bench")
    pythons = " ".join(f'--python "{python}"' for python in os.environ.get("HEED_TORCH", "/usr/bin/python3").split(";"))
    lines = []
    for options in ("-q --rounds 1 -w W5",) if trial else runs:
        run(f"mkdir -p {LOGS} && bench/compare {options} {pythons} --json {JSON}")
        lines += JSON.read_text(encoding="utf-8").splitlines()
    samples = defaultdict(list)
    for line in map(json.loads, lines):
        case = f"{line['workload']} {line['case']}", line["metric"], line["threads"]
        peer = "heed, op by op" if line.get("way") == "ops" else line["peer"]
        samples[case, peer, line["version"], line.get("way", "")].append(line["value"])
    best = defaultdict(dict)
    for (case, peer, version, _), values in samples.items():
        value, choose = statistics.median(values), max if case[1].endswith("/s") else min
        best[case][peer, version] = choose(value, best[case].get((peer, version), value))
    return best


def figure(runs, case, metric, threads, peer):
    of = {who: value for who, value in compared(runs).get((case, metric, threads), {}).items() if who[0] == peer}
    if not of:
        raise Failed(f"bench/compare has no figure of {peer} for {case}, {metric}, with {threads} threads")
    return (max if metric.endswith("/s") else min)(of.values())


def speed(runs, case, metric, threads):
    """How many times better heed is than PyTorch."""
    heed, torch = (figure(runs, case, metric, threads, peer) for peer in ("heed", "pytorch"))
    return heed / torch if metric.endswith("/s") else torch / heed


def spread(numbers, form):
    texts = [form(n) for n in (min(numbers), max(numbers))]
    return texts[0] if texts[0] == texts[1] else " to ".join(texts)


def times(number):
    digits = 0 if number >= 9.95 else 1 if number >= 0.995 else 2
    return f"{number:,.{digits}f}"


class Bench:
    """A row of a table: groups of cases with their metrics; a semicolon separates the groups, a comma the cases."""

    def __init__(self, unit, *groups, memory=None, scale=1, runs=ALL_CASES):
        self.unit, self.groups, self.memory, self.scale, self.runs = unit, groups, memory, scale, runs

    def of_runs(self, runs):
        """The same row, measured by other runs."""
        return Bench(self.unit, *self.groups, memory=self.memory, scale=self.scale, runs=runs)

    def values(self, peer, threads=1):
        texts = [", ".join(short(self.scale * figure(self.runs, *pair, threads, peer)) for pair in group)
                 for group in self.groups]
        memory = f", {short(figure(self.runs, *self.memory, threads, peer))} MB" if self.memory else ""
        return f"{'; '.join(texts)} {self.unit}{memory}"

    def heed(self):
        return self.values("heed")

    def op_by_op(self):
        return self.values("heed, op by op")

    def torch(self):
        return self.values("pytorch")

    def ratio(self):
        return times(speed(self.runs, *self.groups[0][0], 1)) + " ×"

    def ratios(self):
        """With one thread and with two; of several cases the range."""
        texts = []
        for group in self.groups:
            both = [speed(self.runs, *pair, threads) for pair in group for threads in (1, 2)]
            texts.append(", ".join(f"{times(n)} ×" for n in both) if len(group) == 1 else spread(both, times) + " ×")
        return "; ".join(texts)

    def scaling(self):
        """How many times faster two threads are than one."""
        def one(case, metric):
            first, second = (figure(self.runs, case, metric, threads, "heed") for threads in (1, 2))
            return second / first if metric.endswith("/s") else first / second
        return spread([one(*pair) for group in self.groups for pair in group], lambda n: f"{n:.1f}")


def torch_versions(runs):
    def measure():
        peers = {who[1].split("+")[0] for best in compared(runs).values() for who in best if who[0] == "pytorch"}
        pairs = sorted(tuple(map(int, version.split(".")[:2])) for version in peers)
        return " and ".join(f"{major}.{minor}" for major, minor in pairs)
    return measure
