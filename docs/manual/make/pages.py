"""docs/manual/make/pages.py - makes the input of Doxygen: the headers in its markup, and pages made from them.

The headers have plain comments, parts of which Doxygen would read as markup. Doxygen therefore reads a copy with escaped
comments, links for names, groups for sections, and the examples.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import words
from examples import Broken
from library import MANUAL, PROMISES, blocks, first_sentence, in_short, split_first
from python_pages import PythonPages

QUOTED = r'"[^"\n]*"'
WORD = re.compile(r"`[^`\n]+`|" + QUOTED + r"|\bheed/[\w/]+\.h\b|\b(?:heed|HEED)_\w+|[\\@#%*<>&~|$]")
ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
PROJECTS = {"torch": "PyTorch", "numpy": "NumPy"}


def group_of(header):
    return "header_" + re.sub(r"\W", "_", header.name.removesuffix(".h"))


class Pages:
    def __init__(self, library):
        self.library = library
        self.groups = {f"heed/{header.name}": group_of(header) for header in library.headers}
        self.names = {item.name for header in library.headers for item in header.items}
        for item in library.types.values():
            if re.match(r"(?:typedef )?enum\b", item.declared):
                self.names.update(re.findall(r"^[^/]*?\b(HEED_[A-Z0-9_]+)\b", item.declared.replace(",", "\n"), re.M))

    def word(self, match):
        word = match[0]
        if word in self.groups:
            return f'@ref {self.groups[word]} "{word}"'
        if word in self.names:
            return f'@ref {word} "{word}"'
        if word.startswith('"'):  # no links in quoted output: Doxygen's links have quotes themselves
            return re.sub(r"[\\@#%*<>&~|$]", self.mark, word)
        return word if len(word) > 1 else self.mark(match)

    def mark(self, match):
        return ENTITIES.get(match[0], "\\" + match[0])

    def plain(self, text):
        """A text in Doxygen's markup, with links."""
        return WORD.sub(self.word, text)

    def text(self, text):
        parts = []
        for kind, block in blocks(text):
            if kind == "code":
                parts.append(f"@code{{.c}}\n{block}\n@endcode")
            else:
                parts.append(("- " if kind == "item" else "") + self.plain(block))
        return "\n\n".join(parts)

    def comment(self, *parts):
        return "/** " + "\n\n".join(part for part in parts if part) + "\n */\n"

    def fields(self, declared):
        """A struct or an enum with comments in the form that Doxygen assigns to the field before or after them."""
        def convert(match):
            before, text = match[1], self.plain(re.sub(r"\s*\n\s*", " ", match[2].strip()))
            return f"{before}/**{'' if not before.strip() else '<'} {text} */"
        declared = declared.replace("HEED_RESERVED;", "")
        return re.sub(r"^([^\n]*?)/\*(.*?)\*/", convert, declared, flags=re.S | re.M)

    def called(self, item):
        found = [f"Name in {PROJECTS[project]}: " + ", ".join(f"`{name}`" for name in getattr(item, project))
                 for project in PROJECTS if getattr(item, project)]
        return "@par\n" + "; ".join(found) + "." if found else ""

    def stability(self, mark):
        return f"@par Stability\n{PROMISES[mark]}" if mark else ""

    def item(self, item, mark=""):
        first, rest = split_first(item.comment)
        brief = f"@brief {self.plain(first)}." if first else ""
        deprecated = f"@deprecated {self.plain(item.deprecated)}" if item.deprecated else ""
        example = self.library.examples.get(item.name, "")
        if example:
            example = f"@par Example\n@include {item.name}.c"  # an include, because comments cannot be nested
        declared = item.prototype if item.kind == "function" else self.fields(item.declared)
        return self.comment(brief, deprecated, self.text(rest), example, self.called(item), self.stability(mark)) + declared + "\n\n"

    def header(self, header):
        parts = [self.comment(f"@file {header.name}")]
        parts.append(self.comment(f"@addtogroup {group_of(header)}",
                                  f"@code{{.c}}\n#include <heed/{header.name}>\n@endcode", self.text(header.about),
                                  self.stability(header.stability), "@{"))
        for section in header.sections:
            if section.title:
                parts.append(self.comment(f"@name {section.title}", self.text(section.text), "@{"))
            parts += [self.item(item, "experimental" if item.name in header.exceptions else "") for item in section.items]
            if section.title:
                parts.append("/** @} */\n")
        return "".join([*parts, "/** @} */\n"])

    def names_page(self, project):
        """The table of PyTorch's or NumPy's names."""
        rows = "".join(f"<tr><td>`{name}`</td><td>{', '.join(self.plain(f.name) for f in functions)}</td></tr>\n"
                       for name, functions in self.library.called(project).items())
        of = PROJECTS[project]
        return self.comment(f"@page {project}_names Names in {of}",
                            f"The left column has {of}'s names, the right column the functions of heed that compute the same "
                            "numbers. The order of arguments and the options may differ: the description of every function "
                            "says how.", f"<table class=\"doxtable\">\n<tr><th>{of}</th><th>heed</th></tr>\n{rows}</table>")

    def lacking_page(self):
        """The table of PyTorch's names that heed lacks."""
        def row(row):
            names = ", ".join(f"`{word}`" for word in row.words)
            return f"<tr><td>@anchor {row.anchor} {names}</td><td>{self.plain(row.text)}</td></tr>\n"

        rows = "".join(row(found) for found in self.library.words if found.text)
        return self.comment("@page lacking Not in heed",
                            "The left column has names of PyTorch and search words for features that heed lacks. The right "
                            "column recommends alternatives.",
                            f"<table class=\"doxtable\">\n<tr><th>PyTorch</th><th>in heed</th></tr>\n{rows}</table>")

    def index_page(self):
        def row(f):
            also = " ".join(f.torch + f.numpy)
            also = f' <span class="also">{also}</span>' if also else ""
            says = f"Deprecated: {f.deprecated}" if f.deprecated else in_short(first_sentence(f.comment))
            return f"<tr><td>{self.plain(f.name)}</td><td>{self.plain(says)}{also}</td></tr>\n"

        rows = "".join(row(f) for f in sorted(self.library.functions.values(), key=lambda f: f.name))
        return self.comment("@page functions All functions",
                            f"heed has {len(self.library.functions)} functions. The search box above finds them by any part of "
                            "their name, by their PyTorch or NumPy name, and by words of their description.", f'<table class="doxtable">\n{rows}</table>')

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        order = []
        for number, (topic, headers) in enumerate(self.library.topics.items()):
            alone, name = len(headers) == 1, f"topic_{number}"
            if not alone:
                order.append(f"@defgroup {name} {topic}")
            for header in headers:
                title = topic if alone else header.title[:1].upper() + header.title[1:].split(";")[0]
                order.append(f"@defgroup {group_of(header)} {title}" + ("" if alone else f"\n@ingroup {name}"))
                path = folder / header.name
                path.parent.mkdir(exist_ok=True)
                path.write_text(self.header(header), encoding="utf-8")
        topics = "".join(f"| @ref {group_of(headers[0]) if len(headers) == 1 else f'topic_{number}'} | "
                         + ", ".join(f'@ref {group_of(header)} "{header.name}"' for header in headers) + " |\n"
                         for number, headers in enumerate(self.library.topics.values()))
        for page in sorted((MANUAL / "pages").glob("*.md")):
            text = page.read_text(encoding="utf-8")
            (folder / page.name).write_text(text.replace("@TOPICS@", f"| topic | headers |\n|---|---|\n{topics}"), encoding="utf-8")
        (folder / "examples").mkdir()
        for name, example in self.library.examples.items():
            (folder / "examples" / f"{name}.c").write_text(example, encoding="utf-8")
        pages = [self.comment(line) for line in order]
        pages += [self.names_page(project) for project in PROJECTS] + [self.index_page(), self.lacking_page()]
        PythonPages(self).write(folder)
        (folder / "aaa_pages.h").write_text("\n".join(pages), encoding="utf-8")


def run(doxygen, settings, *arguments):
    """Runs Doxygen and returns its warnings."""
    try:
        done = subprocess.run([doxygen, *arguments], input=settings, text=True, capture_output=True, check=False)
    except FileNotFoundError:
        raise Broken(f"{doxygen} is missing; scripts/setup --manual installs Doxygen") from None
    if done.returncode != 0:
        raise Broken(f"{doxygen}: exit code {done.returncode}\n{done.stderr.strip()}")
    return done.stderr.strip()


def head(doxygen, folder):
    """Writes Doxygen's own page header, which differs between versions, with the search added; returns its settings."""
    run(doxygen, "", "-w", "html", folder / "head.html", folder / "foot.html", folder / "style.css")
    text = (folder / "head.html").read_text(encoding="utf-8")
    scripts = "".join(f'<script src="$relpath^{name}"></script>\n' for name in ("search-index.js", "search.js"))
    (folder / "head.html").write_text(text.replace("</head>", scripts + "</head>"), encoding="utf-8")
    return f'HTML_EXTRA_STYLESHEET = "{MANUAL}/site.css"'


def framed(folder, frame):
    """Writes a frame, its HTML before and after the content, for pages without Doxygen's scripts; returns its settings."""
    for name, text in zip(("head.html", "foot.html"), frame):
        (folder / name).write_text(text, encoding="utf-8")
    return f"""HTML_FOOTER = "{folder}/foot.html"
DISABLE_INDEX = YES
GENERATE_TREEVIEW = NO
SOURCE_TOOLTIPS = NO"""


def addresses(tags):
    """The address of every function and page, from Doxygen's tag file."""
    found = {}
    for compound in ElementTree.parse(tags).getroot().iter("compound"):
        if compound.get("kind") in ("group", "page"):
            name = compound.find("filename").text
            found[compound.find("name").text] = name if name.endswith(".html") else name + ".html"
        if compound.get("kind") == "struct" and (anchor := compound.findtext("anchor")):
            found[compound.find("name").text] = f"{compound.find('filename').text}#{anchor}"
        for member in compound.iter("member"):
            if member.get("kind") in ("function", "define", "typedef", "enumeration"):
                found.setdefault(member.find("name").text, f"{member.find('anchorfile').text}#{member.find('anchor').text}")
    return found


def entries(library, places):
    """Yields [name, address, other names, text] of functions, macros and types with an address, of headers and of pages."""
    for header in library.headers:
        for item in header.items:
            if item.name in places:
                yield [item.name, places[item.name], " ".join(item.torch + item.numpy),
                       in_short(first_sentence(item.comment)).replace("`", "")]
    for header in library.headers:
        yield [f"heed/{header.name}", places[group_of(header)], "", header.title]
    for name, (page, says) in words.PAGES.items():
        yield [name, places[page], "", says]


def write_index(library, places, file, more=()):
    """Writes the index of search.js: every entry with its search words and their order in the row, `more` entries, then the
    missing names."""
    found = [[*entry, {}] for entry in [*entries(library, places), *more]]
    by_name = {entry[0]: entry for entry in found}
    for row in library.words:
        if row.text:
            says = row.text.replace("`", "")
            found.append([row.words[0], f"{places['lacking']}#{row.anchor}", "", says, {word.lower(): 0 for word in row.words}])
        for order, name in enumerate(row.names):
            for word in row.words:
                by_name[name][4].setdefault(word.lower(), order)
    file.write_text(f"const heed_index = {json.dumps(found, ensure_ascii=False, indent=0)};\n", encoding="utf-8")


def build(library, folder, version, doxygen, frame=None):
    """Makes folder/html; returns Doxygen's warnings. The pages have Doxygen's navigation, or the given frame."""
    work = folder / "doxygen"
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(folder / "html", ignore_errors=True)
    Pages(library).write(work / "source")
    settings = framed(work, frame) if frame else head(doxygen, work)
    complaints = run(doxygen, (MANUAL / "Doxyfile").read_text(encoding="utf-8") + f"""
{settings}
PROJECT_NUMBER = {version}
INPUT = "{work}/source"
OUTPUT_DIRECTORY = "{folder}"
EXAMPLE_PATH = "{work}/source/examples"
STRIP_FROM_PATH = "{work}/source"
HTML_HEADER = "{work}/head.html"
HTML_EXTRA_STYLESHEET += "{MANUAL}/style.css"
HTML_EXTRA_FILES = "{MANUAL}/search.js"
LAYOUT_FILE = "{MANUAL}/layout.xml"
GENERATE_TAGFILE = "{work}/tags"
""", "-")
    write_index(library, addresses(work / "tags"), folder / "html" / "search-index.js")
    return complaints
