"""prose.py - marks of prose that needs a second reading, counted per folder: the rule `prose` of scripts/lint.

A mark is a symptom: a sentence with one can be clear, and a sentence without one can be wrong. CONTRIBUTING.md
("Style") has the rules behind them. Every folder may have LIMIT marks per 1,000 words of comments or Markdown.
"""

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
    "nothing": Mark(r"\b(?:[Nn]one|[Nn]othing|[Nn]obody)\b", 1.0, "is empty, does not, without"),
    "each": Mark(r"\b[Ee]ach\b", 2.5, "every, per, or the plural"),
    "has not": Mark(r"\b(?:is|are|has|have) (?:no|none|not)\b(?! (?:a|an|the|to|be|in|yet|only|supported|needed|allowed|part)\b)",
                    2.0, "lacks, without, does not have"),
    "beside": Mark(r"\b(?:[Bb]esides?|behind)\b", 0.2, "next to, in addition to, after"),
    "another": Mark(r"\b[Aa]nother\b", 0.8, "a different, a second, one more"),
    "as many": Mark(r"\b(?:so|as) (?:many|much|far|long)\b(?! as possible)", 0.4, "the number or the name of the quantity"),
    "of yours": Mark(r"\bof (?:yours|theirs|its own|his|ours)\b", 0.2, "your X, its own X"),
}

# Files that are measured together: the first pattern that matches a name says in which folder; None leaves the file out.
FOLDERS = (
    (r"CHANGELOG\.md|docs/manual/examples/|bindings/python/heed/_(?:classes|functions)\.py", None),
    (r"README\.md|CONTRIBUTING\.md|docs/", "documents"),
    (r"bindings/(\w+)/", "bindings/{}"),
    (r"src/onnx/include/|src/tensorboard/include/|src/mpi/include/|include/", "include"),
    (r"src/(\w+)/", "src/{}"),
    (r"(examples|tools|tests|bench|fuzz|scripts|cmake|packaging|debian)/", "{}"),
)
COMMENTS = {
    ".md": None,
    **dict.fromkeys((".c", ".h", ".def", ".cpp", ".inc"), r"/\*(.*?)\*/"),
    **dict.fromkeys((".py", ".sh", ".cmake", ".R"), r'"""(.*?)"""|(?m:^\s*#+([^\n]*)$)'),
}


# Higher limits of folders whose prose has not been rewritten yet: today's figures, which may only fall.
UNTIL_REWRITTEN = {
    "bench": {"what as a noun": 6.4, "no subject in front": 1.1, "that of": 1.7, "nothing": 2.1, "each": 7.3,
        "beside": 1.7, "as many": 2.9, "of yours": 0.5},
    "bindings/python": {"what as a noun": 10.3, "no subject in front": 4.8, "where for if": 3.1, "that of": 5.3,
        "nothing": 5.6, "each": 5.2, "beside": 1.3, "another": 1.9, "as many": 1.6, "of yours": 0.8},
    "bindings/r": {"what as a noun": 9.9, "no subject in front": 4.4, "where for if": 10.9, "that of": 2.2,
        "nothing": 2.2, "has not": 3.3, "as many": 2.2},
    "cmake": {"what as a noun": 18.5, "no subject in front": 12.8, "where for if": 8.6, "that of": 4.3,
        "nothing": 2.9, "each": 4.3, "beside": 4.3, "another": 2.9},
    "debian": {"what as a noun": 10.4, "where for if": 10.4, "that of": 5.2, "each": 5.2, "beside": 5.2},
    "documents": {"what as a noun": 8.0, "no subject in front": 3.2, "where for if": 4.4, "that of": 3.0,
        "nothing": 3.6, "each": 6.4, "has not": 3.0, "beside": 1.5, "another": 1.6, "as many": 1.0, "of yours": 0.9},
    "examples": {"what as a noun": 7.9, "no subject in front": 2.7, "where for if": 2.4, "that of": 2.7,
        "nothing": 3.4, "each": 8.8, "beside": 1.5, "of yours": 0.5},
    "fuzz": {"what as a noun": 15.8, "no subject in front": 4.0, "where for if": 2.8, "that of": 4.4, "nothing": 4.4,
        "each": 4.8, "beside": 3.2, "another": 1.6},
    "include": {"what as a noun": 6.4, "no subject in front": 3.2, "where for if": 4.9, "that of": 4.8,
        "nothing": 3.3, "each": 5.2, "has not": 4.2, "beside": 0.8, "another": 1.9, "as many": 1.1, "of yours": 0.6},
    "scripts": {"what as a noun": 13.0, "no subject in front": 4.8, "where for if": 6.3, "that of": 4.4,
        "nothing": 3.6, "each": 7.7, "has not": 4.4, "beside": 0.8, "another": 1.4, "of yours": 0.6},
    "src/base": {"that of": 4.1},
    "src/io": {"what as a noun": 9.0, "no subject in front": 3.7, "where for if": 6.5, "that of": 6.0, "nothing": 5.4,
        "each": 4.0, "has not": 4.5, "beside": 2.0, "another": 2.0, "as many": 1.8, "of yours": 0.5},
    "src/nn": {"what as a noun": 14.6, "no subject in front": 7.9, "where for if": 6.1, "that of": 4.0,
        "nothing": 6.3, "each": 6.3, "has not": 2.4, "beside": 2.7, "another": 1.6, "as many": 1.6, "of yours": 0.7},
    "src/system": {"has not": 3.4},
    "src/team": {"what as a noun": 9.7, "no subject in front": 5.1, "where for if": 6.5, "that of": 6.7,
        "nothing": 6.5, "each": 10.2, "has not": 4.1, "beside": 0.6, "another": 1.1, "as many": 1.9, "of yours": 0.9},
    "tests": {"what as a noun": 13.0, "no subject in front": 4.8, "where for if": 3.7, "that of": 4.4, "nothing": 4.4,
        "each": 7.5, "has not": 3.1, "beside": 2.0, "another": 1.8, "as many": 1.0, "of yours": 1.0},
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
            limit = UNTIL_REWRITTEN.get(folder, {}).get(key, mark.limit)
            if count > ceil(limit * words / 1000):
                yield f"{folder}: {1000 * count / words:.1f} of 1,000 words are \"{key}\", more than {limit}: {mark.advice}"


def list_places(root, names, key):
    """Yields file, line and text of every place of a mark."""
    for name in names:
        if folder_of(name):
            lines = (root / name).read_text(encoding="utf-8", errors="replace").split("\n")
            for number, line in enumerate(lines, 1):
                if (name.endswith(".md") or re.search(r"/\*|^\s*\*|\*/|^\s*#", line)) and any(places(MARKS[key], line)):
                    yield f"{name}:{number}: {line.strip()}"
