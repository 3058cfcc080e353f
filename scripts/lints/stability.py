"""stability.py - every public header is marked stable, experimental or private: the rule `stability` of scripts/lint.

The mark is the end of the header's first comment; lines with the licence may follow it:

     * Stability: stable, except for heed_set_compute */

docs/abi.md says what the marks promise, and its table lists the headers of every mark, with the functions after "except
for" as experimental.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

from headers import Header

PAGE = "docs/abi.md"
MARKS = ("stable", "experimental", "private")


def public_headers(root):
    for folder in (root / "include" / "heed", *sorted(root.glob("companions/*/include/heed"))):
        for path in sorted(folder.rglob("*.h")):
            yield path.relative_to(root), Header(path, folder)


def wrong_mark(header):
    if header.stability not in MARKS:
        return f"its first comment does not end with \"Stability: \" and {', '.join(MARKS)}"
    functions = {function.name for function in header.functions}
    if header.exceptions and header.stability != "stable":
        return f"it is {header.stability}, so it cannot have exceptions"
    if unknown := [name for name in header.exceptions if name not in functions]:
        return f"it has no function {unknown[0]}, which its mark excepts"
    return None


def listed(page):
    """The names in every row of the table of marks: {mark: names}."""
    rows = re.findall(rf"^\| ({'|'.join(MARKS)}) \|(.*)\|$", page.read_text(encoding="utf-8"), re.M) if page.exists() else []
    return {mark: set(re.findall(r"`(?:heed/)?([\w/.]+)`", row)) for mark, row in rows}


def check_stability(root):
    marked = {mark: set() for mark in MARKS}
    for place, header in public_headers(root):
        if problem := wrong_mark(header):
            yield f"{place}: {problem}"
            continue
        marked[header.stability].add(header.name)
        marked["experimental"].update(header.exceptions)
    table = listed(root / PAGE)
    for mark in MARKS:
        names = table.get(mark, set())
        yield from (f"{PAGE}: the row of {mark} headers lacks {name}" for name in sorted(marked[mark] - names))
        yield from (f"{PAGE}: {name} is not {mark}" for name in sorted(names - marked[mark]))
