"""structure.py - how the sources are cut into files and functions: the rule `budget` of scripts/lint, and the table of
`scripts/size structure`.

    python3 scripts/lints/structure.py [--list FOLDER]     the table; or the functions of a folder that it counts

A module is a folder of src, or a companion library. Its lines of code are the lines of its .c, .h and .def files without
comments and blank lines.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import collections
import re
import sys
from pathlib import Path

SUFFIXES = (".c", ".h", ".def")
BUDGET = "scripts/lints/budget.txt"
SLACK = 100  # lines of code that a budget may exceed its module by
SMALL_FILE, SMALL_FUNCTION, LONG_LIST = 40, 7, 7
COLUMNS = ("lines", "code", "files", f"under {SMALL_FILE} lines", f"{LONG_LIST} parameters or more",
           f"called once, at most {SMALL_FUNCTION} lines")


def modules(root):
    """{name: [path, ...]} of all modules."""
    found = collections.defaultdict(list)
    for path in sorted((root / "src").glob("*/**/*")):
        if path.suffix in SUFFIXES:
            found[f"src/{path.relative_to(root).parts[1]}"].append(path)
    for path in sorted((root / "companions").glob("*/src/*")):
        if path.suffix in SUFFIXES:
            found[f"companions/{path.relative_to(root).parts[1]}"].append(path)
    return found


def without_comments(text):
    """The text with blanks for comments; a comment's opening inside a string does not count."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
    return token.sub(lambda m: "\n" * m[0].count("\n") if m[0][0] == "/" else m[0], text)


def code_lines(text):
    return sum(1 for line in without_comments(text).split("\n") if line.strip())


def functions(code):
    """(name, parameters, lines, whether it is static) of every function: its braces are in column 0."""
    for found in re.finditer(r"^(\w[^;{}#]*?)\b(\w+)\(((?:[^;{}\n]|\n )*)\)\n\{\n(.*?)^\}", code, re.M | re.S):
        start, name, parameters, _ = found.groups()
        depth, count = 0, 1
        for letter in parameters:
            depth += (letter == "(") - (letter == ")")
            count += letter == "," and depth == 0
        yield name, count, found[0].count("\n") + 1, "static" in start.split()


def words_of(files):
    """How often every word occurs in these files, without comments."""
    text = "\n".join(without_comments(path.read_text(encoding="utf-8")) for path in files)
    return collections.Counter(re.findall(r"\w+", text))


def counted(files, everywhere):
    """The functions with long lists of parameters, and the small static ones with one caller: [(path, name), ...]."""
    long_lists, called_once = [], []
    for path in files:
        code = without_comments(path.read_text(encoding="utf-8"))
        words = everywhere if path.suffix == ".h" else collections.Counter(re.findall(r"\w+", code))
        for name, parameters, lines, static in functions(code):
            if parameters >= LONG_LIST:
                long_lists.append((path, name))
            calls = len(re.findall(rf"\b{name}\s*\(", code)) - 1
            if static and lines <= SMALL_FUNCTION and words[name] == 2 and calls == 1:
                called_once.append((path, name))
    return long_lists, called_once


def row(files, everywhere):
    texts = [path.read_text(encoding="utf-8") for path in files]
    sizes = [text.count("\n") for text in texts]
    return (sum(sizes), sum(map(code_lines, texts)), len(files), sum(size < SMALL_FILE for size in sizes),
            *map(len, counted(files, everywhere)))


def check_budget(root):
    """Every module has a line in the file of budgets, and its code fits it."""
    budget = {}
    for number, line in enumerate((root / BUDGET).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not (found := re.fullmatch(r"(\S+) +(\d+)", line)):
            yield f"{BUDGET}:{number}: not \"MODULE LINES\": {line}"
            return
        budget[found[1]] = int(found[2])
    code = {name: sum(code_lines(path.read_text(encoding="utf-8")) for path in files) for name, files in modules(root).items()}
    for name in sorted(code.keys() | budget.keys()):
        if name not in budget or name not in code:
            yield f"{BUDGET}: " + (f"lacks {name}" if name in code else f"{name} does not exist")
        elif code[name] > budget[name]:
            yield (f"{name} has {code[name]} lines of code, more than its budget of {budget[name]}: write less, or raise the "
                   f"number in {BUDGET} and give the reason in the commit")
        elif code[name] < budget[name] - SLACK:
            yield f"{name} has {code[name]} lines of code: lower its budget of {budget[name]} in {BUDGET}"


def main():
    root = Path(__file__).resolve().parents[2]
    found = modules(root)
    everywhere = words_of([path for files in found.values() for path in files])
    if sys.argv[1:2] == ["--list"]:
        for title, pairs in zip(COLUMNS[-2:], counted(found[sys.argv[2]], everywhere)):
            print(f"{title}:", *(f"{path.relative_to(root)}: {name}" for path, name in pairs), sep="\n    ")
        return
    rows = [(name, row(files, everywhere)) for name, files in sorted(found.items())]
    rows.append(("all", tuple(map(sum, zip(*(numbers for _, numbers in rows))))))
    print("| module | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|", sep="\n")
    for name, numbers in rows:
        print(f"| {name} | " + " | ".join(f"{number:,}" for number in numbers) + " |")


if __name__ == "__main__":
    main()
