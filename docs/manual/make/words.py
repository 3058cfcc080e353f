"""docs/manual/make/words.py - the words of search-words.txt, by which the manual's search finds functions.

A row either gives further names to functions of heed, or recommends an alternative to a name that heed lacks:

    torch.Tensor.view, torch.Tensor.view_as -> heed_reshape
    torch.compile, compile: heed has no graph compiler.

A row of the second kind drops the names that a header lists, so that a new function needs no change here.

A word that ends in "*" stands for all names with this beginning, and a word that begins with "*" for all names with this
end. Lines that begin with a space continue the row.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from typing import NamedTuple

from examples import Broken

ROW = re.compile(r"(?P<words>.+?)(?: -> (?P<names>.+)|: (?P<text>.+))")
LINK = re.compile(r"\bheed/[\w/]+\.h\b|\b(?:heed|HEED)_\w+")
PAGES = {"Environment": ("environment", "HEED_ISA, HEED_NUM_THREADS: environment variables"),
         "Errors": ("errors", "codes, messages, handlers")}


class Row(NamedTuple):
    line: int       # from 1
    words: list
    names: list     # of functions, types, macros, headers and pages; empty in a row of a text
    text: str       # recommended alternative; "" in a row of names

    @property
    def anchor(self):
        return "lacks_" + re.sub(r"\W+", "_", self.words[0]).strip("_")


def read(file):
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines() if file.exists() else [], 1):
        if line.startswith(" ") and rows:
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {line.strip()}"
        elif line and not line.startswith("#"):
            rows.append((number, line))
    return [row_of(file, *row) for row in rows]


def without_known(rows, elsewhere):
    """The rows without the names that heed lacked, but that headers list now: `elsewhere` has PyTorch's and NumPy's names."""
    for row in rows:
        words = [word for word in row.words if not row.text or word not in elsewhere]
        if words:
            yield row._replace(words=words)


def row_of(file, number, text):
    found = ROW.fullmatch(text)
    if not found:
        raise Broken(f"{file}:{number}: neither \"WORDS -> NAMES\" nor \"WORDS: TEXT\"")
    return Row(number, found["words"].split(", "), found["names"].split(", ") if found["names"] else [], found["text"] or "")


def problems(rows, entries, known):
    """Yields (line, problem) of the rows. `entries` has the names that a row may lead to, and `known` also the names that a
    text may mention."""
    lines = {}
    for row in rows:
        linked = [name for name in LINK.findall(row.text) if name not in known]
        for name in [name for name in row.names if name not in entries] + linked:
            yield row.line, f"{name} does not exist"
        for word in row.words:
            if word in lines:
                yield row.line, f"{word} is already in line {lines[word]}"
            lines[word] = row.line
