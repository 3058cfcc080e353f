#!/usr/bin/env python3
"""tests/promises/calls/calls.py - for every public function in the headers: is it tested with misuse and without
memory?

    calls.py header  HEADERS OUT NAMES           writes public_calls.h (see calls.h), and its names for objcopy
    calls.py sources HEADERS SOURCE...           fails for a function that no source calls: run by the build
    calls.py misuse  HEADERS REPORT...           functions=N/N cases=M: the calls of the misuse programs; also fails
    for
                     errors that do not begin with the name of the called function
    calls.py oom     HEADERS SRC REPORT=PROGRAM... REPORT...   functions=N/N sites=M/M bad=0: functions and call
    sites
                     that were refused memory, of all that can request it (reach.py) or have done so; names as above

HEADERS and SRC are folders; a REPORT is the output of a program with counted calls. Exit code: 0 if all is well, 1
if not, with a line per gap. `misuse --table` also prints the cases of every function.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import reach
from headers import Headers

# As in calls.h.
BITS = {name: 1 << bit for bit, name in enumerate(
    "NULL there f32 f64 i64 bool rank0 rank1 rank2 rank3 empty strided alias negative 0 2^31 2^62 NaN infinite inside "
    "outside false true bad-rank freed".split())}

# The properties that every kind of argument must have had at least once.
REQUIRED = {
    "pointer": "NULL", "text": "NULL", "enum": "outside", "bool": "false true", "real": "NaN", "word": "",
    "int": "negative 0 2^31", "int64": "negative 0 2^31 2^62", "size": "0 2^31 2^62", "shape": "bad-rank negative",
    "tensor": "NULL f32 f64 i64 bool rank0 rank1 rank2 rank3 empty strided freed",
}

# Impossible combinations, and why.
WAIVED = {
    ("*", "user"): "handed through",
}

# Functions whose errors do not begin with their name, and why.
NAMES_ANOTHER = {
    "heed_fail_freed": "the caller's", "heed_apply": "the op's", "heed_apply_all": "the op's", "heed_infer_same": "the op's", "heed_infer_broadcast": "the op's",
}

# A function that requests memory for a different function, which errors name: that name.
HANDS_ON = {"heed_set_anomaly": "observers"}

# Functions that run out of memory only in a test with a pseudo-terminal.
NEEDS_A_TERMINAL = {"heed_progress_step"}

ENOUGH = 20  # cases per function, if its arguments allow as many
DOMAIN = {"pointer": 2, "bool": 2, "text": 3}  # number of values of a kind; other kinds have ENOUGH or more


@dataclass
class Noted:
    """The reports' records of a function."""
    calls: int = 0
    allocations: int = 0
    refusals: int = 0
    changed: int = 0
    misnamed: Counter = field(default_factory=Counter)  # messages that do not begin with the function's name
    seen: list = field(default_factory=lambda: [0] * 64)
    cases: set = field(default_factory=set)


def wrapper(number, function):
    """The function's stand-in, and the macro that selects it."""
    name, variadic = function.name, function.variadic
    parameters = ", ".join(function.parameters[:-2] if variadic else function.parameters) or "void"
    names = ", ".join(a.name for a in function.arguments)
    begin = f'    public_call noted = call_begin({number}, "{name.removeprefix("heed_")}");\n'
    begin += "".join(note(a) for a in function.arguments)
    if variadic:  # its last named argument is a format, followed by unnamed arguments
        return (f"STAND_IN void noted_{name}({parameters})\n{{\n{begin}    call_end(&noted);\n}}\n"
                f"#define {name}({names}, ...) (noted_{name}({names}), {name}({names}, __VA_ARGS__))\n")
    space = "" if function.result.endswith("*") else " "
    keep, back = (f"{function.result}{space}returned = ", "    return returned;\n") \
        if function.result != "void" else ("", "")
    return (f"STAND_IN {function.result}{space}noted_{name}({parameters})\n{{\n{begin}"
            f"    {keep}{name}({names});\n    call_end(&noted);\n{back}}}\n"
            f"#undef {name}\n#define {name} noted_{name}\n")


def note(argument):
    """The line that records an argument, and the fields after it."""
    name, kind = argument.name, argument.kind
    value = {"pointer": f"{name} != NULL", "enum": f"(long){name}, {argument.enum_count}",
             "word": f"(uint64_t){name}"}.get(kind, name)
    text = f"    call_{kind}(&noted, {value});\n"
    if argument.fields:
        inner = "".join("    " + note(f) for f in argument.fields)
        text += f"    if ({name}) {{\n{inner}    }} else {{\n        call_skip(&noted, {len(argument.fields)});\n    }}\n"
    return text


def write_header(functions, path, names):
    lines = ["/* Written by tests/promises/calls/calls.py. */\n#ifndef HEED_PUBLIC_CALLS_H\n#define HEED_PUBLIC_CALLS_H\n\n"
             "#include \"calls.h\"\n\n#ifndef STAND_IN\n#define STAND_IN static inline\n#endif\n\n"]
    lines += [wrapper(i, f) + "\n" for i, f in enumerate(functions)]
    Path(path).write_text("".join(lines) + "#endif\n", encoding="utf-8")
    renamed = [f"{f.name} noted_{f.name}\n" for f in functions if not f.variadic]  # their macros need their arguments
    Path(names).write_text("".join(renamed), encoding="utf-8")


def check_sources(functions, paths):
    text = "\n".join(Path(p).read_text(encoding="utf-8") for p in paths)
    called = set(re.findall(r"\b(heed_\w+)\b", text))
    for f in functions:
        if f.name not in called:
            yield f"{f.name}: a public function without cases: call it in tests/promises/misuse/test_misuse_*.c"


def read_reports(functions, paths):
    """The sum of all reports, by name; the sites, by report; and the number of programs that failed."""
    noted, sites, failed = {f.name: Noted() for f in functions}, {}, 0
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            word, *rest = line.split()
            if word == "status":
                failed += rest[0] != "0"
            elif word == "site":
                sites.setdefault(path, set()).add(int(rest[0], 16))
            elif word == "misnamed":
                noted[functions[int(rest[0])].name].misnamed[line.split(maxsplit=3)[3]] += int(rest[1])
            else:
                add(noted[functions[int(rest[0])].name], rest[1:])
    return noted, sites, failed


def add(noted, words):
    calls, allocations, refusals, changed = map(int, words[:4])
    seen = [int(w, 16) for w in words[4:44]]
    noted.calls += calls
    noted.allocations += allocations
    noted.refusals += refusals
    noted.changed += changed
    noted.seen = [a | b for a, b in zip(noted.seen, seen + [0] * 24)]
    noted.cases.update(words[44:])


def wanted(function):
    """The required number of cases: fewer if the arguments do not allow as many."""
    return min(ENOUGH, math.prod(DOMAIN.get(a.kind, ENOUGH) for a in function.flat()))


def gaps(function, noted):
    """The properties with which a function has not been called."""
    if len(noted.cases) < wanted(function):
        yield f"{len(noted.cases)} cases of {wanted(function)}"
    tensors = 0
    for position, argument in enumerate(function.flat()):
        required = REQUIRED[argument.kind].split()
        if argument.kind == "tensor" and tensors:
            required.append("alias")
        tensors += argument.kind == "tensor"
        missing = [r for r in required if not noted.seen[position] & BITS[r]]
        if missing and not {(function.name, argument.name), ("*", argument.name)} & set(WAIVED):
            yield f"{argument.name} was never {', '.join(missing)}"
    if noted.changed:
        yield f"{noted.changed} calls changed the locale or the mode of arithmetic"
    yield from misnamed(function, noted)


def misnamed(function, noted):
    """Errors under a different name, which would hide the called function."""
    if noted.misnamed and function.name not in NAMES_ANOTHER:
        yield f'{noted.misnamed.total()} errors under another name: "{min(noted.misnamed)}"'


def check_misuse(functions, paths, table):
    noted, _, failed = read_reports(functions, paths)
    broken = {f.name: list(gaps(f, noted[f.name])) for f in functions}
    for name, found in broken.items():
        for gap in found:
            print(f"{name}: {gap}")
    for f in functions if table else []:
        print(f"{f.name} {len(noted[f.name].cases)} cases of {wanted(f)} or more, {noted[f.name].calls} calls")
    good = sum(not found for found in broken.values())
    cases = sum(len(n.cases) for n in noted.values())
    calls = sum(n.calls for n in noted.values())
    print(f"misuse: functions={good}/{len(functions)} cases={cases} calls={calls} failed programs={failed}")
    return good == len(functions) and not failed


def all_sites(source):
    """FILE:LINE of every memory request in the library, and the number of requests on the line."""
    ask = re.compile(r"\bheed_(?:alloc|calloc|_alloc)\(")
    for path in sorted(source.rglob("*.c")):
        if path.name == "memory.c" or path.parent.name in ("mpi", "onnx", "tensorboard"):  # have their own tests
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), path.read_text(encoding="utf-8"), flags=re.S)
        for number, line in enumerate(text.split("\n"), 1):
            if found := len(ask.findall(line)):
                yield f"{path.relative_to(source)}:{number}", found


def refused_sites(program, addresses, source):
    """FILE:LINE of the calls before these return addresses; None if the program has no line information."""
    asked = "\n".join(f"{a - 1:x}" for a in sorted(addresses))
    output = subprocess.run(["addr2line", "-e", program], input=asked, text=True, capture_output=True, check=True).stdout
    if "?" in output:
        return None
    places = (re.match(r"(.*):(\d+)", line) for line in output.splitlines())
    prefix = str(source) + "/"
    return Counter(f"{Path(p[1]).resolve()}:{p[2]}".removeprefix(prefix) for p in places)


def check_sites(source, programs, sites):
    """(reached, all, gaps) or None without debugging information."""
    reached = Counter()
    for path, addresses in sites.items():
        found = refused_sites(programs[path], addresses, source)
        if found is None:
            return None
        reached |= found
    wanted = dict(all_sites(source))
    missing = [f"src/{place}: its allocation never failed" for place, n in wanted.items() if reached[place] < n]
    total = sum(wanted.values())
    return sum(min(n, reached[place]) for place, n in wanted.items()), total, missing


def has_terminals():
    """Whether the system has pseudo-terminals; a chroot without /dev/pts lacks them."""
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        return False
    return True


def check_oom(functions, source, arguments, misuse_reports):
    programs = dict(a.split("=", 1) for a in arguments)
    noted, sites, failed = read_reports(functions, programs)
    elsewhere = read_reports(functions, misuse_reports)[0]
    can = reach.asking(source)  # the others allocate rarely or only through pointers
    allocating = [f for f in functions
                  if (f.name in can and f.name not in HANDS_ON) or noted[f.name].allocations or elsewhere[f.name].allocations]
    unrefused = [f.name for f in allocating if not noted[f.name].refusals]
    untestable = [] if has_terminals() else sorted(NEEDS_A_TERMINAL.intersection(unrefused))
    missing = [f"{name}: can ask for memory, and was never refused" for name in unrefused if name not in untestable]
    wrong = [f"{f.name}: {text}" for f in functions for text in misnamed(f, noted[f.name])]
    found = check_sites(source, programs, sites)
    text = f"{found[0]}/{found[1]}" if found else "not counted: no debugging information"
    print("".join(f"{name}: skipped, because this system has no pseudo-terminals\n" for name in untestable), end="")
    print("".join(line + "\n" for line in missing + wrong + (found[2] if found else [])), end="")
    print(f"oom: functions={len(allocating) - len(unrefused)}/{len(allocating)} sites={text} misnamed={len(wrong)} bad={failed} "
          f"(the other {len(functions) - len(allocating)} public functions cannot ask for memory)")
    return not missing and not wrong and not failed and not (found and found[2])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    command, headers, *rest = sys.argv[1:]
    functions = Headers(Path(headers)).functions
    if command == "header":
        write_header(functions, *rest)
        return 0
    if command == "sources":
        broken = list(check_sources(functions, rest))
        print("".join(line + "\n" for line in broken), end="")
        return 1 if broken else 0
    if command == "misuse":
        return 0 if check_misuse(functions, [r for r in rest if r != "--table"], "--table" in rest) else 1
    reports = [r for r in rest[1:] if "=" in r]
    return 0 if check_oom(functions, Path(rest[0]).resolve(), reports, [r for r in rest[1:] if "=" not in r]) else 1


if __name__ == "__main__":
    sys.exit(main())
