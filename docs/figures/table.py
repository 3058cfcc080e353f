"""docs/figures/table.py - the figures of the pages: `scripts/figures` reads this table.

A row is (name, group, page, pattern, measure, files, quick, origin). The pattern is a regular expression that is found once in the
page, and its one group holds the number. Spaces in it stand for any whitespace; `cell` makes the pattern of a table's cell.
`measure` returns the text that the page shows. `files` are globs of the files that determine the figure. Every check
measures quick figures. `origin` returns machine, date and commit of a figure that was measured before scripts/figures ran. To
move a figure to another page, change its page.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from collections import namedtuple

from bench import WORKLOADS, Case, origin, page, torch_versions
from measures import (Command, Failed, after, as_is, found, gradcheck, grouped, hello, instruction_sets,  # noqa: F401
                      kilobytes, lines_of, megabytes, millions, of_table, op_count, op_lines, program, programs,
                      size_of, tenths, took, use_trial, worst)

GROUPS = {
    "cheap": "counts of the sources, sizes of the library, gradient checks, loading: a minute after a release build",
    "bench": "the tables of speed, of files that bench/compare wrote to build/figures (bench/README.md): seconds",
    "coverage": "lines and branches that the tests run: 30 minutes",
    "fuzz": "executions of the fuzz targets: 2 hours",
    "mutants": "500 planted faults: an hour or more",
    "faults": "failing system calls, killed writers, long training: an hour",
    "one-file": "compiling the library of one file: 5 minutes",
    "gallery": "the examples of the README's table: 15 minutes",
    "teams": "killed processes of teams, the cost of shards: an hour",
    "portability": "other processors in an emulator: hours",
}

README = "README.md"
GALLERY, COMPARISON, INSTALLING, READING = "docs/gallery.md", "docs/comparison.md", "docs/installing.md", "docs/reading.md"
SIZE, ONE_FILE, PORTABILITY = "docs/size.md", "docs/one-file.md", "docs/portability.md"
PERFORMANCE, RELIABILITY, SCALING = "docs/performance.md", "docs/reliability.md", "docs/scaling.md"

FOLDERS = ("base", "check", "core", "data", "inspect", "io", "kernels", "nn", "np", "ops", "optim", "plot", "system", "team")
BUILD = ("CMakeLists.txt", "CMakePresets.json", "packaging/cmake/*.cmake")
LIBRARY = (*BUILD, "include/**/*.h", "src/CMakeLists.txt", *(f"src/{folder}/**/*.{kind}" for folder in FOLDERS
                                                            for kind in ("c", "h", "def")))
OPS = ("src/ops/**/*",)
TESTS = (*LIBRARY, "tests/**/*.[ch]", "tests/**/*.py", "tests/**/CMakeLists.txt")
CASES = (*LIBRARY, "tests/ops/**/*.[ch]", "tools/*.c")
FUZZ = (*LIBRARY, "tests/fuzz/*.[ch]")
BENCH = (*LIBRARY, "bench/*.[ch]", "bench/compare", "bench/*.py", "docs/figures/bench.json")
SINGLE = (*LIBRARY, "scripts/amalgamate", "scripts/size", "scripts/check-one-file", "examples/mlp.c",
          "tests/one_file/kernel_regression.c")

Row = namedtuple("Row", "name group page pattern measure files quick origin", defaults=[False, None])


def cell(label, column):
    """The pattern of a cell in a table of Markdown: the row begins with the label, which is column 0."""
    return rf"^\| {re.escape(label).replace(chr(92) + ' ', ' ')} \|(?:[^|\n]*\|){{{column - 1}}} ([^|\n]*?) \|"


TO_READ = ("include/heed/tensor.h", "include/heed/op.h", "src/core/tensor.h", "src/ops/elementwise/exponential.c", "src/core/apply.c",
           "src/core/pass.c", "src/core/loop.c", "src/kernels/README.md", "src/nn/linear.c", "src/nn/module.c", "src/optim/sgd.c")


def counts():
    def count(name, page, pattern, measure, files):
        return Row(f"count.{name}", "cheap", page, pattern, measure, files, True)

    code = ("include/**/*.h", *(f"{folder}/**/*.{suffix}" for folder in ("src", "companions") for suffix in ("[ch]", "def")))
    yield count("lines", COMPARISON, r"^\| size \| ([\d,]+) lines", lines_of(*code, step=1000), code)
    for name in ("mlp", "attention"):
        file = f"examples/{name}.c"
        pattern = rf"^\| \[`{name}`\]\(\.\./examples/{name}\.c\) \|.*in (\d+) lines that need only heed"
        yield count(f"lines of {name}", GALLERY, pattern, lines_of(file, step=10), (file,))
    tiny = ("examples/tiny.c",)
    yield count("lines of tiny", README, r"tiny\.c\) is heed in (\d+) lines", lines_of(*tiny, step=100), tiny)
    yield count("lines of tiny, reading", READING, r"the whole idea in (\d+) lines", lines_of(*tiny, step=100), tiny)
    yield count("lines to read", READING, r"some ([\d,]+) lines, an afternoon", lines_of(*TO_READ, step=100), TO_READ)
    yield count("ops", SIZE, r"^There are (\d+) ops", op_count(), OPS)
    yield count("ops, gradients", RELIABILITY, r"\| (\d+) ops, [\d,]+ samples", op_count(), OPS)
    yield count("composites", SIZE, r"(\d+) of them are written in other ops", op_count("COMPOSITE"), OPS)
    yield count("mean op", SIZE, r"mean of ([\d.]+) lines", op_lines, OPS)
    yield count("lines of ops", SIZE, r"`src/ops` has ([\d,]+) lines", lines_of("src/ops/**/*", step=100), OPS)


KERNELS = [f"kernels-{name}" for name in ("avx2-f32", "avx2-f64", "avx512-f32", "avx512-f64", "bf16", "scalar-f32", "scalar-f64")]
OPTIONS = ("-O2", "-O2 -DHEED_ONE_ISA", "-Os -DHEED_ONE_ISA", "-Os -DHEED_ONE_ISA -fno-asynchronous-unwind-tables")


def sizes():
    def size(name, page, pattern, measure):
        return Row(f"size.{name}", "cheap", page, pattern, measure, LIBRARY)

    for label in (*KERNELS, *FOLDERS, "libheed.so, stripped"):
        yield size(label, SIZE, cell(label, 1), kilobytes(label))
    yield size("libheed.so, MB", COMPARISON, r"^\| size \| [\d,]+ lines; ([\d.]+) MB", megabytes("libheed.so, stripped"))
    yield size("instruction set", SIZE, r"takes ([\d.]+ to [\d.]+) MB, so", instruction_sets)


def gradients():
    def row(name, pattern, form):
        return Row(f"gradcheck.{name}", "cheap", RELIABILITY, pattern, gradcheck(form), CASES)

    yield row("samples", r"ops, ([\d,]+) samples", lambda report: f"{report['samples']:,}")
    yield row("derivatives", r"samples, (\d+) million derivatives", lambda report: f"{report['derivatives'] / 1e6:.0f}")
    yield row("first order", r"million derivatives: (.*?), 1e-8 allowed", worst(1))
    yield row("second order", r"the same way \| (.*?), 1e-6 allowed", worst(2))


def loading():
    command = Command("build/release/tests/test_load_memory")
    files = (*LIBRARY, "tests/io/test_load_memory.c")

    def row(name, pattern, output, form):
        def numbers(matches):
            return form([float(n) for n in ([matches] if isinstance(matches, str) else matches)])

        return Row(f"loading.{name}", "cheap", RELIABILITY, pattern, found(command, output, numbers, ("test_load_memory",)), files)

    def largest(numbers):
        return f"{max(numbers):.2f}"

    yield row("files", r"1 MiB \| ([\d.]+ to [\d.]+) times;", r"^load: (?!.*loaded).* peak \d+ = ([\d.]+) times",
              lambda numbers: f"{min(numbers):.2f} to {max(numbers):.2f}")
    yield row("tiny tensors", r"tiny tensors at most ([\d.]+) times", r"^load: \w+, file and loaded: .* = ([\d.]+) times", largest)
    yield row("texts", r"texts in `__metadata__` ([\d.]+) times", r"^load: .* texts, file and loaded: .* = ([\d.]+) times", largest)
    yield row("resident", r"at most ([\d.]+) times the counted memory", r"^load: blocks of \d+: ([\d.]+) times", largest)


def coverage():
    command = Command("scripts/coverage", "scripts/coverage --report")

    def row(name, folder, pattern, column, form=as_is):
        output = rf"^{folder} +([\d.]+) % of +(\d+) +([\d.]+) % of +(\d+)"
        return Row(f"coverage.{name}", "coverage", RELIABILITY, pattern, found(command, output, lambda m: form(m[column])), TESTS)

    measured = r"^\| 17 \|.*\| "
    yield row("lines", "all", measured + r"([\d.]+) % of [\d,]+ lines", 0)
    yield row("lines in all", "all", measured + r"[\d.]+ % of ([\d,]+) lines", 1, grouped)
    yield row("branches", "all", measured + r"[^|]* lines, ([\d.]+) %", 2, tenths)
    yield row("branches in all", "all", measured + r"[^|]* lines, [\d.]+ % of ([\d,]+) branches", 3, grouped)
    for folder in ("core", "io"):
        yield row(f"lines of {folder}", folder, rf"^\| 17 \|.*[;,] {folder} ([\d.]+) and", 0)
        yield row(f"branches of {folder}", folder, rf"^\| 17 \|.*[;,] {folder} [\d.]+ and ([\d.]+) %", 2, tenths)


TARGETS = ("csv", "idx", "npy", "npz", "safetensors", "gguf", "checkpoint", "shapes", "api")


def fuzzing():
    for target in TARGETS:
        guided = Command(f"scripts/torture fuzz {target} 600", f"scripts/torture fuzz {target} 20")
        count = 10000 if target == "gguf" else 1000000
        replay = Command(f"scripts/torture replay {target} {count}", f"scripts/torture replay {target} 1000")
        yield Row(f"fuzz.{target}, guided", "fuzz", RELIABILITY, cell(target, 1),
                  found(guided, rf" {target} (\d+) executions in \d+ s, no finding", millions), FUZZ)
        yield Row(f"fuzz.{target}, mutations", "fuzz", RELIABILITY, cell(target, 2),
                  found(replay, r"(\d+) mutations, no finding", lambda m: grouped(m if isinstance(m, str) else m[-1])), FUZZ)


def mutants():
    command = Command("scripts/mutate --count 500 --seed 6 --want 0", "scripts/mutate --count 5 --seed 6 --want 0")
    pattern = r"^faults=(\d+) of \d+ caught=(\d+) .*caught%=([\d.]+)"
    for name, group, place in (("faults", 0, r"The tests caught \d+ of (\d+) faults"), ("caught", 1, r"The tests caught (\d+) of"),
                               ("percent", 2, r"`--seed 6`\), ([\d.]+) %")):
        yield Row(f"mutants.{name}", "mutants", RELIABILITY, place, found(command, pattern, lambda m, g=group: m[g]),
                  (*TESTS, "scripts/mutate"))


def faults():
    def row(name, command, output, pattern, form=as_is):
        return Row(f"faults.{name}", "faults", RELIABILITY, pattern, found(command, output, form), TESTS)

    calls = Command("scripts/torture iofault")
    line = r"^iofault: works=(\d+) calls=(.*?) faults=(\d+) reported=\d+ special=(\d+) short=(\d+) bad=0$"
    for group, name, form in ((0, "readers and writers", as_is), (1, "calls", lambda names: str(len(names.split()))),
                              (2, "faults", grouped), (3, "special", as_is), (4, "short", as_is)):
        yield row(name, calls, line, rf"^\| 2 \|.*?\| [^|]*?([\d,]+) {name}", lambda m, g=group, f=form: f(m[g]))
    kills = Command("scripts/torture killsave 1000", "scripts/torture killsave 20")
    torn = r"^killsave: writer=(\w+) kills=\d+ torn=(\d+) in_the_middle=(\d+)"
    yield row("kills in the middle", kills, torn, r"^\| 3 \|.* writers, (\d+ to \d+) of them", middle)
    yield row("torn, naive", kills, torn, r"a naive writer left (\d+) torn", lambda lines: dict(m[:2] for m in lines)["naive"])
    savers = Command("scripts/torture savers 100", "scripts/torture savers 2")
    for name, word in (("loads", "loads next to"), ("saves", "saves and"), ("kills", "kills: 0")):
        output = rf"^savers: .* {name}=(\d+) .*lost=0 failed_loads=0"
        yield row(f"savers, {name}", savers, output, rf"([\d,.]+(?: million)?) {word}",
                  lambda numbers: grouped(sum(map(int, numbers))))
    trained = Command("scripts/torture determinism 1")
    hashes = r"(\d+) processes, each with 7 numbers of threads: (\d+) models, (\d+) hashes"
    for group, name, place in ((0, "processes", r"per model; (\d+) processes, each"), (1, "models", r"(\d+) models, \d+ hashes,"),
                               (2, "hashes", r"models, (\d+) hashes,")):
        yield row(f"determinism, {name}", trained, hashes, place, lambda m, g=group: m[g])
    resume = Command("scripts/torture resume 100", "scripts/torture resume 3")
    yield row("resumed runs, kills", resume, r"^\d+ runs, killed (\d+) times, all with the same", r"100 runs, killed (\d+) times")
    soak = Command("scripts/torture soak 1000000", "scripts/torture soak 2000")
    steps = r"^\d+ steps: (\d+) bytes in use .* the process grew by (-?\d+) bytes"
    yield row("soak, live bytes", soak, steps, r"10\^6 steps: ([\d,]+) live bytes", lambda m: grouped(m[0]))
    yield row("soak, growth", soak, steps, r"resident memory grew by (\d+) KiB", lambda m: str(int(m[1]) // 1024))


def middle(lines):
    counts = [int(count) for writer, _, count in lines if writer != "naive"]
    return f"{min(counts)} to {max(counts)}"


IN_README = {
    "kernel regression, n = 2000, one epoch": Case("W1", "n2000", "epoch ms"),
    "additive attention, 8 × 256 × 256, width 256": Case("W3", "B8 Q256 K256 d64 H256", "fwdbwd ms"),
    "dot-product attention, 8 × 1024 × 1024, width 64": Case("W4", "B8 Q1024 K1024 d64", "fwdbwd ms"),
    "an op on one element": Case("W6", "n1 a,b require grad", "fwdbwd ns/op", "µs", 1e-3),
    "an MLP, 784-256-10, batch 256": Case("W7", "mlp 784-256-10 batch256", "train samples/s"),
}
FUSED = tuple(IN_README)[:3]


def bench():
    def row(name, page, pattern, measure, measured):
        return Row(f"bench.{name}", "bench", page, pattern, measure, BENCH, False, measured)

    for label, case in IN_README.items():
        for column, (name, measure) in enumerate((("heed", case.heed), ("op by op", case.op_by_op), ("PyTorch", case.other),
                                                  ("ratio", case.ratio)), 1):
            if name != "op by op" or label in FUSED:
                yield row(f"{label}: {name}", README, cell(label, column), measure, case.origin)
    workloads = [case.workload for case in IN_README.values()]
    yield row("PyTorch's versions", README, r"PyTorch is (.*?), in its fastest formulation", torch_versions(workloads),
              origin(*workloads))
    yield row("tables", PERFORMANCE, r"^## All workloads$\n\n((?:.|\n)*?)\n\n(?=## )", page, origin(*WORKLOADS))


def one_file():
    def row(name, page, pattern, measure):
        return Row(f"one-file.{name}", "one-file", page, pattern, measure, SINGLE)

    for options in OPTIONS:
        for column, name in ((1, "kernel regression"), (2, "MLP")):
            yield row(f"{name} {options}", SIZE, cell(f"`{options}`", column), program(options, column))
    yield row("programs", INSTALLING, r"it takes ([\d.]+ to [\d.]+) MB, not counting libc", programs(*OPTIONS))
    yield row("Hello with one ISA", ONE_FILE, r"then takes ([\d.]+) MB with `-O2`", hello("-O2 -DHEED_ONE_ISA"))
    for name in ("heed.c", "heed.h"):
        path = f"build/release/amalgamation/{name}"
        yield row(name, ONE_FILE, rf"`{re.escape(name)}` (?:has )?([\d.]+) MB", size_of(path, ("amalgamation",)))
    command = Command("cmake --preset one-file && cmake --build --preset one-file --target amalgamation && "
                      "scripts/check-one-file")
    sections = "-ffunction-sections -fdata-sections -Wl,--gc-sections"
    lines = {f"`gcc -O2 {sections}`": f"gcc -O2 {sections}", "`clang -O2`, the same": f"clang -O2 {sections}",
             "`clang`, without optimising": "clang -Wall"}
    for label, words in lines.items():
        for column, name, form in ((1, "time", lambda m: f"{float(m[0]):.0f} s"), (2, "size", lambda m: f"{float(m[1]):.2g} MB")):
            yield row(f"{words.split(' -f')[0]}, {name}", ONE_FILE, cell(label, column),
                      found(command, rf"^ *([\d.]+) s, ([\d.]+) MB: {re.escape(words)}", form))


def percent(numbers):
    return f"{100 * float(last(numbers)):.1f}"


def last(matches):
    return matches if isinstance(matches, str) else matches[-1]


# Per example: its command, the pattern of its output, and the text of the page around the number and the time.
EXAMPLES = {
    "[`mlp`](../examples/mlp.c)": ("mlp", r"accuracy ([\d.]+)$", percent, r"(\S+) % on new points", True),
    "[`attention`](../examples/attention.c)": ("attention", r"loss ([\d.]+)$", lambda m: f"{float(last(m)):.3f}", r"loss (\S+),",
                                            True),
    "`nw_regression`": ("nw_regression --data ../../examples/data/mcycle.csv --x times --y accel --log-width",
                        r"^h ([\d.]+), leave-one-out mean squared error ([\d.]+)",
                        lambda m: f"h = {float(m[0]):.4f}, leave-one-out error {float(m[1]):.2f}",
                        r"(h = \S+, leave-one-out error \S+) on mcycle", False),
    "[`gaussian_process`](../examples/gaussian_process.c)": (
        "gaussian_process --data ../../examples/data/mcycle.csv --x times --y accel",
        r"^log marginal likelihood (-?[\d.]+),", lambda m: f"{float(last(m)):.2f}", r"log marginal likelihood (\S+) on mcycle",
        False),
    "`pronunciation`": ("pronunciation", r"([\d.]+) % of their sounds wrong", last, r"(\S+) % of the sounds wrong", True),
    "`pronunciation --model transformer --epochs 3`": ("pronunciation --model transformer --epochs 3",
                                                       r"([\d.]+) % of their sounds wrong", last, r"(\S+) %,", True),
    "`pronunciation --model ctc`": ("pronunciation --model ctc", r"([\d.]+) % of their sounds wrong", last, r"(\S+) %,", True),
    "`translate`": ("translate --pairs phrases.csv", r"BLEU ([\d.]+)", last, r"BLEU (\S+) on", True),
    "`translate --model gru --epochs 30`": ("translate --pairs phrases.csv --model gru --epochs 30", r"BLEU ([\d.]+)", last,
                                            r"BLEU (\S+),", True),
    "`char_transformer --dropout 0`": ("char_transformer --text kjv.txt --dropout 0", r"validation loss ([\d.]+) nats",
                                       lambda m: f"{float(last(m)):.2f}", r"(\S+) nats per byte", True),
}
for model in ("mlp", "cnn", "vit"):
    EXAMPLES[f"`fashion_mnist --model {model}`"] = (f"fashion_mnist --model {model}", r"^test accuracy ([\d.]+) %",
                                                    lambda m: f"{float(last(m)):.1f}", r"(\S+) % (?:on|after)", True)


FILES = {  # the data of examples, and the commands that make them
    "translate": "scripts/phrases >build/gallery/phrases.csv",
    "char_transformer": "bible -f Gen1:1-Rev22:21 | sed 's/^[^ ]* //' >build/gallery/kjv.txt",
}


def gallery():
    files = (*LIBRARY, "examples/*.[ch]", "examples/data/*", "scripts/phrases")
    for label, (words, printed, form, place, timed) in EXAMPLES.items():
        name = words.split()[0]
        one_core = "HEED_NUM_THREADS=1 " if name in ("pronunciation", "translate", "char_transformer") else ""
        run = Command(f"cd build/gallery && {one_core}../release/examples/{words}")
        before = ["mkdir -p build/gallery", *([FILES[name]] if name in FILES else [])]
        row = cell(label, 1)[:cell(label, 1).index("(?:")] + r"[^|\n]*\| [^|\n]*?"
        result = after(before, found(run, printed, form, ("examples",)))
        yield Row(f"gallery.{words}", "gallery", GALLERY, row + place, result, files)
        if timed:
            yield Row(f"gallery.{words}, time", "gallery", GALLERY, row + r", ((?:\d+ min )?[\d.]+ s)(?: on one core)? \|",
                      after(before, took(run, ("examples",))), files)


def teams():
    files = (*LIBRARY, "companions/mpi/src/**/*.[ch]", "bench/team*", "bench/compare_teams", "companions/mpi/tests/*")

    def row(name, page, pattern, measure):
        return Row(f"teams.{name}", "teams", page, pattern, measure, files)

    killed = Command("scripts/torture killteam 100", "scripts/torture killteam 2")
    for name, page, pattern, output, form in KILLED:
        yield row(name, page, pattern, found(killed, r"^\d+: killed: .*?" + output, form))
    for model, size, column in (("w7", "256 300", 1), ("w8", "16 12", 3)):
        for label, shards in (("none: the usual loop", 0), ("1", 1), ("2", 2), ("4", 4), ("8", 8), ("16", 16)):
            yield row(f"{model}, {shards} shards", SCALING, cell(label, column), shard_cost(model, size, shards))
            yield row(f"{model}, {shards} shards, ratio", SCALING, cell(label, column + 1),
                      lambda m=model, s=size, n=shards: relative(m, s, n))
    for model in ("W7", "W8"):
        for who in ("heed, 2 processes, 2 shards", "heed, 2 processes, 4 shards", "heed, 1 process, 2 threads",
                    "heed, 1 process, 1 thread", "PyTorch, 2 processes"):
            for column, what in enumerate(("median", "least", "ratio"), 1):
                yield row(f"{model}, {who}, {what}", SCALING, cell(f"{model} | {who}", column), in_turn(model, who, column))


KILLED = (
    ("kills", RELIABILITY, r"100 runs, (\d+) kills: 1 hash", r"runs, (\d+) processes killed", as_is),
    ("longest", RELIABILITY, r"1 hash, ([\d.]+) s at most", r"ended within ([\d.]+) s", as_is),
    ("kills, scaling", SCALING, r"100 runs, (\d+) processes killed", r"runs, (\d+) processes killed", as_is),
    ("kills by MPI", SCALING, cell("under Open MPI, under MPICH", 1), r"\((\d+) under Open MPI, (\d+) under MPICH\)",
     ", ".join),
    ("ended by mpirun", SCALING, cell("`mpirun` ended the others", 1), r"(\d+) times mpirun ended", as_is),
    ("named by heed", SCALING, r"named the one that was killed \| (\d+)", r"(\d+) times heed named", as_is),
    ("mpirun hung", SCALING, r"in `MPI_Init` \| (\d+)", r"(\d+) times mpirun itself", as_is),
    ("longest, scaling", SCALING, r"with a timeout of 3 s \| ([\d.]+) s", r"ended within ([\d.]+) s", as_is),
)


def shard_cost(model, size, shards):
    line = f"HEED_NUM_THREADS=1 build/release/bench/bench_team {model} {shards} {size}"
    return found(Command(line), r'"processor ms": ([\d.]+)', lambda ms: f"{float(ms):.3g}", ("bench_team",))


def relative(model, size, shards):
    alone, cost = (float(shard_cost(model, size, count)()) for count in (0, shards))
    return f"{cost / alone:.2f}" if shards else "1"


def in_turn(model, who, column):
    """Of the model's block of lines of bench/compare_teams: median and least time, and PyTorch's median over this one's."""
    command = Command("bench/compare_teams --rounds 3 --steps 120", "bench/compare_teams --rounds 1 --steps 5")
    block = rf"(?s)^{model.lower()}, batch(?:(?!^w).)*?^  {re.escape(who)}\S*(?: \S+)? +([\d.]+) +([\d.]+) +([\d.]+)x"
    return found(command, block, lambda m: f"{float(m[column - 1]):.3g}", ("bench_team",))


PROCESSORS = {"AArch64": "aarch64", "32-bit x86": "i686", "s390x (big-endian)": "s390x", "ppc64el": "ppc64el", "riscv64": "riscv64",
              "x86-64, POSIX.1-2008 only": "posix", "x86-64, Windows": "windows"}
PRINTED = {"ppc64el": "ppc64le", "posix": "POSIX.1-2008 only", "windows": "x86-64, Windows"}


def portability():
    files = (*TESTS, "scripts/portability")
    for label, target in PROCESSORS.items():
        measure = of_table(Command(f"scripts/portability {target}"), PRINTED.get(target, target), 2)
        yield Row(f"portability.{target}", "portability", PORTABILITY, cell(label, 2), measure, files)
    size = found(Command("scripts/portability musl"), r"good, (\d+) bytes", lambda n: f"{int(n) / 1e6:.1f}")
    yield Row("portability.musl", "portability", PORTABILITY, r"static program of ([\d.]+) MB", size, files)


ROWS = [*counts(), *sizes(), *gradients(), *loading(), *coverage(), *fuzzing(), *mutants(), *faults(), *bench(), *one_file(),
        *gallery(), *teams(), *portability()]
