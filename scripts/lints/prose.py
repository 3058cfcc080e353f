"""prose.py - marks of prose that needs a second reading, counted per folder: the rule `prose` of scripts/lint.

A mark is a symptom: a sentence with one can be clear, and a sentence without one can be wrong. CONTRIBUTING.md
("Style") has the rules behind them. Every folder may have LIMIT marks per 1,000 words of comments or Markdown.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from dataclasses import dataclass
from math import ceil


@dataclass
class Mark:
    pattern: str
    limit: float  # per 1,000 words
    advice: str
    unless_after: tuple = ()  # words after which it is no mark


# Verbs after which "what" begins an indirect question and is no mark.
ASKING = ("ask asks asked check checks decide decides decided define defines describe describes determine determines explain "
          "explains find finds know knows known learn list lists say says said see show shows specify specifies state states "
          "tell tells").split()

MARKS = {
    "what as a noun": Mark(r"\b[Ww]hat(?:ever)?\b(?![^.;:\n]*\?)", 1.0, "name the thing: the missing packages",
                           tuple(ASKING)),
    "no subject in front": Mark(r"(?:^|[.:;]\s|\n)\s*\*?\s*(?:Of|Where|What|Who|Whose|That|As|But for)\b", 0.8,
                                "begin with the subject, or with If or When"),
    "where for if": Mark(r"\b[Ww]here\b", 2.0, "if, when, or in which; where is for places and definitions"),
    "that of": Mark(r"\b(?:that|those) (?:of|who|which|are|is)\b", 0.8, "repeat the noun"),
    # None with a capital is mostly Python's.
    "nothing": Mark(r"\b(?:none|None of|[Nn]othing|[Nn]obody)\b", 1.0, "is empty, does not, without"),
    "each": Mark(r"\b[Ee]ach\b", 2.5, "every, per, or the plural"),
    "has not": Mark(r"\b(?:is|are|has|have) (?:no|none|not)\b(?! (?:a|an|the|to|be|in|yet|only|supported|needed|allowed|part)\b)",
                    2.0, "lacks, without, does not have"),
    "beside": Mark(r"\b(?:[Bb]esides?|behind)\b", 0.2, "next to, in addition to, after"),
    "another": Mark(r"\b[Aa]nother\b", 0.8, "a different, a second, one more"),
    "as many": Mark(r"\b(?:so|as) (?:many|much|far|long)\b(?! as possible)", 0.4, "the number or the name of the quantity"),
    "of yours": Mark(r"\bof (?:yours|theirs|its own|his|ours)\b", 0.2, "your X, its own X"),
}

# Files are measured by folder: the first pattern that matches the name of a file determines its folder. None leaves the
# file out.
FOLDERS = (
    (r"CHANGELOG\.md|docs/manual/examples/|companions/python/heed/_(?:classes|functions)\.py", None),
    (r"(?:companions/\w+/)?README\.md|CONTRIBUTING\.md|docs/", "documents"),
    (r"(?:companions/\w+/)?include/", "include"),
    (r"companions/(\w+)/", "companions/{}"),
    (r"src/(\w+)/", "src/{}"),
    (r"(examples|tools|tests|bench|scripts|packaging)/", "{}"),
)
COMMENTS = {
    ".md": None,
    **dict.fromkeys((".c", ".h", ".def", ".cpp", ".inc"), r"/\*(.*?)\*/"),
    **dict.fromkeys((".py", ".sh", ".cmake", ".R"), r'"""(.*?)"""|(?m:^\s*#+([^\n]*)$)'),
}


def folder_of(name):
    for pattern, folder in FOLDERS:
        if found := re.match(pattern, name):
            return folder and folder.format(*found.groups())
    return None


def text_of_file(path):
    """The prose of a file: Markdown without code, or its comments. Scripts without a suffix count as Python."""
    suffix = path.suffix or ".py"
    if suffix not in COMMENTS:
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    if suffix == ".md":
        return re.sub(r"```.*?```|`[^`]*`", " ", text, flags=re.S)
    found = re.finditer(COMMENTS[suffix], text, re.S)
    return "\n".join(next((group for group in match.groups() if group), "") for match in found)


def places(mark, text):
    for match in re.finditer(mark.pattern, text):
        before = re.findall(r"[A-Za-z']+", text[max(0, match.start() - 30):match.start()])
        if not before or before[-1].lower() not in mark.unless_after:
            yield match.start()


def check_prose(root, names):
    """Yields every mark that a folder has more often than its limit."""
    texts = {}
    for name in names:
        if folder := folder_of(name):
            texts.setdefault(folder, []).append(text_of_file(root / name))
    for folder, parts in sorted(texts.items()):
        text = "\n".join(parts)
        words = len(re.findall(r"[A-Za-z']+", text))
        for key, mark in MARKS.items():
            count = sum(1 for _ in places(mark, text))
            if count > ceil(mark.limit * words / 1000):
                yield f"{folder}: {1000 * count / words:.1f} of 1,000 words are \"{key}\", more than {mark.limit}: {mark.advice}"


def list_places(root, names, key):
    """Yields file, line and text of every place of a mark."""
    for name in names:
        if folder_of(name):
            lines = (root / name).read_text(encoding="utf-8", errors="replace").split("\n")
            for number, line in enumerate(lines, 1):
                if (name.endswith(".md") or re.search(r"/\*|^\s*\*|\*/|^\s*#", line)) and any(places(MARKS[key], line)):
                    yield f"{name}:{number}: {line.strip()}"
