"""docs/manual/make/headers.py - reads a public header: its sections, and their declarations with comments.

A comment belongs to the declaration that begins on the line after it. `/* -- Title ---` begins a section; the first comment of
a header describes the header and ends with the mark of its stability. docs/manual/README.md has the rules for comments.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from dataclasses import dataclass, field
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[3] / "include" / "heed"
DEPRECATED = re.compile(r'HEED_DEPRECATED\("([^"]*)"\)\s*')
NAMES = re.compile(r"^(?=torch: |numpy: )(?:torch: (?P<torch>\S.*?))?(?:(?:^|\s{2,})numpy: (?P<numpy>\S.*))?$")
TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>/\*.*?\*/)
  | (?P<directive>\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<brackets>HEED_(?:BEGIN|END)_DECLS)
  | (?P<declared>(?:/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^;{}/"']|/)+)
  | (?P<stop>[;{}])
""", re.S | re.X)


@dataclass
class Item:
    """A function, a type or a macro."""
    kind: str           # "function", "type", "macro"
    name: str
    line: int           # from 1
    declared: str       # the source text, with the comments inside it
    comment: str = ""   # text of its own comment, without the lines of names, or ""
    whole: str = ""     # the same with the lines of names
    torch: list = field(default_factory=list)  # its names in PyTorch
    numpy: list = field(default_factory=list)  # its names in NumPy

    @property
    def prototype(self):
        """The declaration of a function without attributes and body."""
        marked = DEPRECATED.sub("", self.declared)
        text = re.sub(r"^(?:(?:HEED_[A-Z_]+|static|inline)\s+)+", "", marked)
        text = re.sub(r"\s*\)\s*(?:HEED_[A-Z_]+(?:\([^)]*\))?\s*)*;?$", ");", text.split("{")[0].rstrip())
        lines = text.split("\n")
        shift = len(marked.split("\n")[0]) - len(lines[0])
        return "\n".join([lines[0], *(re.sub(f"^ {{0,{shift}}}", "", line) for line in lines[1:])])

    @property
    def deprecated(self):
        """The text of HEED_DEPRECATED, or ""."""
        found = DEPRECATED.match(self.declared)
        return found[1] if found else ""

    @property
    def gives_tensor(self):
        return self.kind == "function" and self.prototype.startswith("heed_tensor *")


@dataclass
class Section:
    title: str          # "" for items before the first section
    text: str
    items: list = field(default_factory=list)


def said(comment):
    """The text of a comment /* ... */ without the stars at the beginning of its lines."""
    lines = comment.removeprefix("/*").removesuffix("*/").split("\n")
    lines = [lines[0].removeprefix(" "), *(re.sub(r"^\s*\* ?", "", line) for line in lines[1:])]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def split_names(text):
    """Returns the comment without the lines of names, PyTorch's names, and NumPy's names."""
    kept, torch, numpy = [], [], []
    for line in text.split("\n"):
        if found := NAMES.match(line):
            torch += found["torch"].split(", ") if found["torch"] else []
            numpy += found["numpy"].split(", ") if found["numpy"] else []
        else:
            kept.append(line)
    return "\n".join(kept).rstrip(), torch, numpy


def split_marks(text):
    """Returns the comment of a header without the lines at its end that mark its stability and its licence, the mark, and the
    functions for which it does not hold."""
    text = re.sub(r"\n*^SPDX-.*", "", text, flags=re.M)
    found = re.search(r"\n*^Stability: (\w+)(?:, except for ([\w\s,]+))?\Z", text, re.M)
    return (text[:found.start()], found[1], re.findall(r"\w+", found[2] or "")) if found else (text, "", [])


def item_of(declared, line):
    """The item of a declaration, or None for an include guard or a declaration that is not part of the interface."""
    plain = re.sub(r"/\*.*?\*/", "", declared, flags=re.S)
    if found := re.match(r"#\s*define\s+(HEED_\w+)", plain):
        return Item("macro", found[1], line, declared)
    if re.match(r"typedef\b", plain):
        called = re.search(r"(\w+);$", plain) if "{" in plain else re.search(r"\(\*(\w+)\)\(|(\w+);$", plain)
        return Item("type", called[1] or called[2], line, declared)
    if found := re.match(r"(?:HEED_API|HEED_\w+ HEED_API|static inline)\b[^(]*?\b(heed_\w+)\(", DEPRECATED.sub("", plain)):
        return Item("function", found[1], line, declared)
    if found := re.match(r"(?:struct|enum) (heed_\w+)", plain):
        return Item("type", found[1], line, declared)
    return None


def statements(text):
    """Yields (kind, text, start, end) of every comment, directive and declaration, with its braces and semicolon."""
    at, depth, start = 0, 0, None
    while at < len(text):
        token = TOKEN.match(text, at)
        at, kind = token.end(), token.lastgroup
        if start is None and kind in ("comment", "directive"):
            yield kind, token[0], token.start(), at
        elif kind in ("declared", "stop"):
            start = token.start() if start is None else start
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            body_ends = token[0] == "}" and re.match(r"static inline|constexpr|extern", text[start:])
            if depth == 0 and (token[0] == ";" or body_ends):
                yield "declaration", text[start:at], start, at
                start = None


class Header:
    def __init__(self, path, root=HEADERS):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.title, self.about, self.sections = "", "", [Section("", "")]
        self.stability, self.exceptions = "", []
        comment = None
        for kind, text, start, end in statements(self.text):
            own = comment and self.text[comment[1]:start] == "\n"
            if kind == "comment":
                comment = self.comment(said(text), start, end)
            elif own and kind == "directive" and re.match(r"#\s*if", text):
                comment = comment[0], end
            elif item := item_of(text, self.text.count("\n", 0, start) + 1):
                item.whole = comment[0] if own else ""
                item.comment, item.torch, item.numpy = split_names(item.whole)
                if own or item.kind != "macro":
                    self.sections[-1].items.append(item)
                comment = None

    def comment(self, text, start, end):
        """Stores a comment that begins a section or the header. Returns the text and the end of any other comment."""
        if start == 0:
            text, self.stability, self.exceptions = split_marks(text)
            title, *about = re.split(r"(?<=\.)(?:\s|$)", text.split(" - ", 1)[-1], maxsplit=1)
            self.title, self.about = re.sub(r"\s+", " ", title).rstrip("."), "".join(about).strip("\n")
        elif found := re.match(r"-- (.*?) -{3,} ?\*?\n?", text + "\n"):
            self.sections.append(Section(found[1], text[found.end():].strip("\n")))
        else:
            return text, end
        return None

    def stability_of(self, item):
        """The mark of one item: in a stable header exceptions are experimental."""
        return "experimental" if item.name in self.exceptions else self.stability

    @property
    def items(self):
        return [item for section in self.sections for item in section.items]

    @property
    def functions(self):
        return [item for item in self.items if item.kind == "function"]
