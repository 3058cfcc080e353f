"""tests/promises/calls/reach.py - finds the functions that can request memory: read from the sources, by name.

A definition (a function, a table of functions, a macro) reaches all definitions that its text names, in its own file
first. Naming counts as calling, so the result contains too many functions rather than too few. Calls through a
pointer that the program passes are not found.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from collections import defaultdict

ASK = {"heed_alloc", "heed_calloc", "heed__alloc", "heed__alloc_tensor", "heed__alloc_node"}
# Comments, texts, and directives other than definitions of macros.
IGNORED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|^[ \t]*#[ \t]*(?!define)(?:\\\n|[^\n])*', re.S | re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define (\w+)((?:\\\n|[^\n])*)", re.M)
# From a name in column 0 to a brace in column 0, or a table on one line.
DEFINITION = re.compile(r"^[A-Za-z_][^;{}]*\{(?:[^\n]*\};$|.*?^\})", re.S | re.M)
NAME = re.compile(r"(\w+)(?:\[\w*\])*(?:\(| = )")


def definitions(text):
    """(name, text) of every definition of a file."""
    code = IGNORED.sub(" ", text)
    yield from MACRO.findall(code)
    for found in DEFINITION.findall(MACRO.sub(" ", code)):
        if name := NAME.search(found):
            yield name[1], found


def named_by(source):
    """For every name, the definitions that name it. A name is (file, name), or ("", name) if it begins with heed_."""
    users = defaultdict(set)
    for path in (p for p in source.rglob("*.[ch]") if p.name != "memory.c"):
        known = list(definitions(path.read_text(encoding="utf-8")))
        own = {name for name, _ in known if not name.startswith("heed_")}
        for name, text in known:
            for other in re.findall(r"\b[A-Za-z_]\w*\b", text):
                users[str(path) if other in own else "", other].add((str(path) if name in own else "", name))
    return users


def asking(source):
    """The names beginning with heed_ of all definitions that reach a request for memory."""
    users = named_by(source)
    reached = set()
    left = [("", name) for name in ASK]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += users[name]
    return {name for path, name in reached if not path}
