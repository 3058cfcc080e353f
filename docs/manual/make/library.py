"""docs/manual/make/library.py - the sources of the manual: topics, their headers, examples."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from pathlib import Path

import words
from examples import all_examples
from headers import Header

MANUAL = Path(__file__).resolve().parents[1]
LEFT_OUT = "left out"
SHORT = 100
PROMISES = {  # of docs/abi.md
    "stable": "Stable: programs that use it also compile with the next minor version.",
    "experimental": "Experimental: the next minor version may change or remove it.",
}
LABEL = re.compile(r"(?:Returns|Errors|Reference):")


def topics(file):
    """The headers of every topic, by its title."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {title: names.split() for title, _, names in (line.partition(":") for line in lines)}


def split_first(text):
    """The first sentence, on one line and without its full stop, and the rest. "0 .. 1" and "et al." do not end a sentence."""
    found = re.match(r"((?:(?!\n\n).)*?[^.\s])(?:(?<!\bal)(?<!\b[A-Z])\.(?=\s|$)|\.(?=\s\s|$))", text, re.S)
    first = found[1] if found else text.split("\n\n")[0]
    return re.sub(r"\s+", " ", first), text[found.end() if found else len(first):].lstrip(" \n")


def in_short(sentence):
    """The sentence for a list: cut before a colon or semicolon if it is long. Quotations are not cut."""
    if len(sentence) <= SHORT:
        return sentence
    starts = (sentence[:mark.start()] for mark in re.finditer("[:;] ", sentence[:SHORT]))
    return max((start for start in starts if start.count('"') % 2 == start.count("`") % 2 == 0), key=len, default=sentence)


def first_sentence(text):
    return split_first(text)[0]


def blocks(text):
    """Yields (kind, text) of every paragraph, item of a list, and block of code (indented by four). A label, as in
    "Errors: ...", begins a paragraph."""
    kind, lines = None, []
    for line in [*text.split("\n"), ""]:
        of = ("none" if not line.strip() else "code" if line.startswith("    ") else
              "item" if line.startswith("- ") else "item" if kind == "item" and line.startswith("  ") else "text")
        if kind == "code" and of == "none":
            lines.append("")
            continue
        if (of != kind or line.startswith("- ") or LABEL.match(line)) and lines:
            while not lines[-1]:
                lines.pop()
            yield kind, "\n".join(lines)
            lines = []
        kind = of
        if of != "none":
            lines.append(line[4:] if of == "code" else re.sub(r"^(?:- |  )", "", line) if of == "item" else line)
    if lines:
        while not lines[-1]:
            lines.pop()
        yield kind, "\n".join(lines)


class Library:
    def __init__(self, root=MANUAL.parents[1]):
        folder = root / "include" / "heed"
        self.topics = {title: [Header(folder / name, folder) for name in names]
                       for title, names in topics(root / "docs" / "manual" / "topics.txt").items() if title != LEFT_OUT}
        self.headers = [header for headers in self.topics.values() for header in headers]
        self.functions = {f.name: f for header in self.headers for f in header.functions}
        self.types = {item.name: item for header in self.headers for item in header.items if item.kind == "type"}
        self.examples = {name: text for example in all_examples(root / "docs" / "manual" / "examples")
                         for name, text in example.by_name().items()}
        elsewhere = {name for header in self.headers for item in header.items for name in item.torch + item.numpy}
        self.words = list(words.without_known(words.read(root / "docs" / "manual" / "search-words.txt"), elsewhere))

    def called(self, project):
        """The functions of heed by their name in "torch" or "numpy"."""
        found = {}
        for function in self.functions.values():
            for name in getattr(function, project):
                found.setdefault(name, []).append(function)
        return dict(sorted(found.items(), key=lambda pair: pair[0].lower()))
