"""page_rules.py - rules for Markdown pages: the rule `pages` of scripts/lint.

A page renders as intended, its links lead somewhere, and the names in its code exist in the project.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
from pathlib import Path

# The folders whose files and words pages may name, and the pages that may also name former files and words.
NAMED_IN_PAGES = (".ci", ".reuse", "LICENSES", "bench", "companions", "docs", "examples", "include", "packaging",
                  "scripts", "src", "tests", "tools")
HISTORY = {"CHANGELOG.md", "docs/upgrading.md"}
# The pages that list the contents of a folder.
LISTED = {"docs/README.md": "docs/*.md", "docs/design.md": "src/*/", "CONTRIBUTING.md": "src/*/",
          "tests/README.md": "tests/*/", "src/core/README.md": "src/core/*.c", "src/io/README.md": "src/io/*.c",
          "companions/python/README.md": "companions/python/heed/_[a-z]*.py"}
# The pages whose C is quoted from the sources.
QUOTING = {"docs/adding-a-layer.md", "docs/adding-an-op.md"}
# The suffixes of files with names that pages may use, and folders outside the project.
SOURCES = {".c", ".cpp", ".h", ".def", ".inc", ".md", ".txt", ".cmake", ".in", ".py", ".sh", ".json", ""}
NOT_OURS = {".git", "build", "out", "__pycache__"}


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


def cells(row):
    """The number of cells of a table's row. A pipe within code separates cells, too, unless it is escaped."""
    return len(re.findall(r"(?<!\\)\|", row.strip())) - 1


def outside_blocks(text):
    """(number, line) of every line outside fenced blocks; None for the number of an unclosed fence."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r" *(```+)", line)
        if mark and fence is None:
            fence = number
        elif mark and line.strip("` ") == "":
            fence = None
        elif fence is None:
            yield number, line
    if fence is not None:
        yield None, fence


def check_tables(lines):
    """Every row belongs to a table that begins with a header and a rule, and has the same number of cells as its
    header."""
    width, last = None, None
    for number, line in lines:
        if number is None or not line.lstrip().startswith("|"):
            width = None
        elif width is None or last != number - 1:
            width = cells(line)
            rule = next((text for n, text in lines if n == number + 1), "")
            if not re.fullmatch(r" *\|(?: *:?-+:? *\|)+ *", rule):
                yield number, "a table's row without a header and a rule before it"
        elif cells(line) != width:
            yield number, f"a row of {cells(line)} cells in a table of {width}"
        last = number


def check_paragraphs(lines):
    """No line within a paragraph begins with "1. " or "- ", which would make it an item of a list."""
    begins_list = re.compile(r"(?:1[.)]|[-+*]) ")
    last, before = None, ""
    for number, line in lines:
        goes_on = number and last == number - 1 and re.match(r"(?![-+*] |\d+[.)] )[^\s#|]", before)
        if goes_on and begins_list.match(line):
            yield number, f"{line[:2].strip()} at the beginning of a line begins a list in the middle of a paragraph"
        last, before = number, line


def headings(text):
    """The anchors that a page's headings get."""
    found = []
    for number, line in outside_blocks(text):
        if number and (heading := re.match(r"#+ +(.*)", line)):
            name = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w\- ]", "", name.lower()).strip().replace(" ", "-")
            found.append(f"{name}-{found.count(name)}" if name in found else name)
    return found


def check_links(path, lines):
    for number, line in lines:
        if number is None:
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            name, _, anchor = target.partition("#")
            page = path.parent / name if name else path
            if re.match(r"[a-z]+:", target):
                continue
            if not page.exists():
                yield number, f"{target} does not exist"
            elif anchor and page.suffix == ".md" and anchor not in headings(text_of(page)):
                yield number, f"{target}: the page has no such heading"


def inline_code(text):
    """(number, code) of every piece of code in the text between blocks; it may continue on the next line."""
    inside = {number: line for number, line in outside_blocks(text) if number}
    prose = "\n".join(inside.get(number, "") for number in range(1, text.count("\n") + 2))
    for found in re.finditer(r"(?<!`)`([^`]+)`(?!`)", prose):
        yield prose.count("\n", 0, found.start()) + 1, " ".join(found[1].split())


def commands(text):
    """(number, line) of every line in a block of the shell, with the lines that a backslash continues."""
    outside = {number for number, _ in outside_blocks(text)}
    shell, joined, first = False, "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if mark := re.match(r" *```+(\w*)", line):
            shell = number not in outside and mark[1] in ("", "sh", "bash")
        elif shell and number not in outside:
            joined, first = f"{joined} {line.strip()}" if joined else line, first or number
            joined = joined.removesuffix("\\").rstrip()
            if not line.endswith("\\"):
                yield first, re.sub(r"(?<=\S)(?: +#|  +).*", "", joined).strip()
                joined, first = "", 0


class Project:
    """The names that pages may use: files, words of the sources, presets, tests and their labels."""

    def __init__(self, root):
        self.root = root
        self.files = {p.relative_to(root).as_posix() for top in NAMED_IN_PAGES for p in (root / top).rglob("*")}
        self.files |= {p.name for p in root.iterdir()}
        self.names = {name.rsplit("/", 1)[-1] for name in self.files}
        texts = {name: text_of(root / name) for name in self.files
                 if Path(name).suffix in SOURCES and (root / name).is_file()}
        sources = "\n".join(text for name, text in texts.items() if not name.endswith(".md"))
        self.words = set(re.findall(r"\w+", sources))
        cmake = "\n".join(text for name, text in texts.items() if name.endswith((".cmake", "CMakeLists.txt")))
        self.labels = set(re.findall(r"\w+", " ".join(re.findall(r"LABELS +\"?([\w;]+)", cmake))))
        self.tests = {name.split(".")[0] for name in self.names if re.match(r"(test|fuzz)_\w+\.", name)}
        named = re.findall(r"(?:add_test\(NAME|set\(name) +([^\s)]+)", cmake)
        self.tests |= {name for name in named if not re.fullmatch(r"\$\{\w+\}", name)}
        self.presets = set(re.findall(r'"name": "([\w-]+)"', texts.get("CMakePresets.json", "")))
        self.texts = texts

    def has_file(self, name, page):
        bases = ["", "src/", "include/", "tests/", "tests/parity/", f"{page.parent.as_posix()}/"]
        bases += [f"{base}/" for base in self.files if re.fullmatch(r"companions/\w+/include", base)]
        places = [os.path.normpath(base + name) for base in bases]
        pattern = re.compile("|".join(re.escape(place).replace(r"\*", "[^/]*") for place in places))
        first = [os.path.normpath(base + name.split("/")[0]) for base in bases]
        return (not any(place in self.files for place in first) or
                any(pattern.fullmatch(file) or pattern.fullmatch(file.removesuffix(".c")) for file in self.files))

    def has_word(self, word):
        return word in self.words or (word.endswith("_") and any(known.startswith(word) for known in self.words))

    def selects_tests(self, pattern):
        """Whether every alternative of a pattern for ctest -R selects a test. CMake's variables match any text."""
        alternatives = re.sub(r"\\(?=\|)|^\^\(|\)\$$", "", pattern).split("|")
        known = [re.compile(re.sub(r"\$\{\w+\}", r"[\\w-]+", name)) for name in self.tests]
        return all(any(re.search(one, name) for name in self.tests) or
                   any(name.fullmatch(one.strip("^$")) for name in known) for one in alternatives)

    def options_of(self, program):
        """The text with the options of a script, or of a program of tools and examples, or None."""
        if program in self.texts:
            return self.texts[program]
        name = program.rsplit("/", 1)[-1]
        folder = next((top for top in ("tools", "examples") if f"{top}/{name}.c" in self.files), None)
        return folder and "\n".join(text for file, text in self.texts.items() if file.startswith(f"{folder}/"))


def wrong_names(project, page, code):
    """Every name in a piece of code that the project lacks."""
    words = [word.strip("\"',;()") for word in code.split()]
    for word in words:
        if re.fullmatch(r"[\w.-]+(/[\w.*-]+)+/?", word) and word.split("/")[0] not in {".", "..", *NOT_OURS}:
            if not re.search(r"[A-Z]{3}", word) and not project.has_file(word.rstrip("/"), page):
                yield f"there is no {word}"
        elif re.fullmatch(r"test_\w+", word) and not project.selects_tests(f"^{word}$"):
            yield f"there is no test {word}"
    for name in re.findall(r"(?<!\w)(?:-D)?((?:heed|HEED)_\w+)", code):
        if not re.search(r"heed_.*[A-Z]{3}", name) and not project.has_word(name):
            yield f"there is no {name}"
    for preset in re.findall(r"--preset (\w[\w-]*)", code):
        if preset not in project.presets:
            yield f"there is no preset {preset}"
    if "ctest" in words:
        for label in re.findall(r"-LE? ['\"]?(\w+)", code):
            if label not in project.labels and label.islower():
                yield f"no test has the label {label}"
        for pattern in re.findall(r"-R (?:'([^']+)'|(\S+))", code):
            if not project.selects_tests("".join(pattern)):
                yield f"no test is called {''.join(pattern)}"
    if words and (text := project.options_of(words[0])):
        for option in re.findall(r" (--[a-z][\w-]*)", code):
            if option != "--help" and not re.search(rf'(?:--|"){option[2:]}(?![\w-])', text):
                yield f"{words[0]} has no option {option}"


def check_quotations(project, text):
    """Every line of C on a page that quotes the sources must be there, apart from its indentation and lines with dots."""
    outside = {number for number, _ in outside_blocks(text)}
    sources = {" ".join(line.split()) for name, source in project.texts.items()
               if Path(name).suffix in (".c", ".h", ".def") for line in source.split("\n")}
    quoted = False
    for number, line in enumerate(text.split("\n"), 1):
        if mark := re.match(r" *```(\w*)", line):
            quoted = number not in outside and mark[1] == "c"
        elif quoted and line.strip() and "\u2026" not in line and " ".join(line.split()) not in sources:
            yield number, f"no source has this line: {line.strip()}"


def check_code(project, page, text):
    if page.as_posix() in QUOTING:
        yield from check_quotations(project, text)
    for number, code in [*inline_code(text), *commands(text)]:
        for problem in wrong_names(project, page, code):
            yield number, problem


def check_lists_of_files(root):
    """The pages that list the files or folders of a folder list all of them."""
    for page, pattern in LISTED.items():
        text = text_of(root / page) if (root / page).exists() else None
        for path in sorted(root.glob(pattern)) if text else []:
            names = {path.name, re.sub(r"_(?:write|header)\.c$", ".c", path.name)}
            if path.is_dir() == pattern.endswith("/") and path != root / page and path.name not in NOT_OURS:
                if not any(re.search(rf"[`/\s(]{re.escape(name)}[`/\s)]", text) for name in names):
                    yield f"{page}: does not list {path.relative_to(root)}"


def markdown_files(root):
    return sorted(p for p in root.rglob("*.md") if not {"build", ".git", "out"} & set(p.relative_to(root).parts))


def check_pages(root):
    project = Project(root)
    yield from check_lists_of_files(root)
    for path in markdown_files(root):
        page = path.relative_to(root)
        lines = list(outside_blocks(text_of(path)))
        problems = [(line, "a block that is never closed") for number, line in lines if number is None]
        if page.as_posix() not in HISTORY:
            problems += check_code(project, page, text_of(path))
        problems += [*check_tables(lines), *check_paragraphs(lines), *check_links(path, lines)]
        for number, problem in sorted(problems):
            yield f"{page}:{number}: {problem}"
