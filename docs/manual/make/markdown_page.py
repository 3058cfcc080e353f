"""docs/manual/make/markdown_page.py - renders a page of Markdown as HTML, as GitHub does, without scripts.

The program that calls it says where links, pictures and heed's names lead. Formulas become MathML by KaTeX, which Node.js
runs here and not in the browser.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
import subprocess
import sys
from html import escape
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import token as kinds
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from examples import Broken
from library import MANUAL

sys.path.insert(0, str(MANUAL.parents[1] / "scripts" / "lints"))
from page_rules import headings  # noqa: E402

# The classes of highlighted code are Doxygen's, so that the manual and the other pages share the colours of site.css.
CLASSES = {kinds.Comment.Preproc: "preprocessor", kinds.Comment.PreprocFile: "stringliteral", kinds.Comment: "comment",
           kinds.String: "stringliteral", kinds.Number: "number", kinds.Keyword: "keyword"}
NAME = re.compile(r"((?:heed|HEED)_\w+)(?:\(\))?")
KATEX = """const katex = require("katex");
console.log(katex.renderToString(require("fs").readFileSync(0, "utf8"), {output: "mathml", displayMode: true}));"""


class Page(NamedTuple):
    title: str      # the first heading, as plain text
    body: str       # HTML
    headings: list  # (level, anchor, HTML) of every heading after the first


def formula(tex):
    """MathML of a formula."""
    try:
        done = subprocess.run(["node", "-e", KATEX], input=tex, text=True, capture_output=True, check=False,
                              env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})
    except FileNotFoundError:
        raise Broken("Node.js is missing; scripts/setup --manual installs it") from None
    if done.returncode != 0:
        raise Broken(f"katex: {tex.strip()}: {done.stderr.strip()}")
    return re.sub(r"<annotation.*?</annotation>", "", done.stdout.strip(), flags=re.S)


def class_of(kind):
    while kind and kind not in CLASSES:
        kind = kind.parent
    return CLASSES.get(kind)


def highlighted(code, language, names):
    """HTML of code: keywords, strings, numbers and comments in colour, and links for the names of heed in C."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False, ensurenl=False)
    except ClassNotFound:
        return escape(code)
    parts = []
    for kind, text in lexer.get_tokens(code):
        shade, shown = class_of(kind), escape(text)
        if kind in kinds.Name and text in names:
            parts.append(f'<a href="{names[text]}">{shown}</a>')
        else:
            parts.append(f'<span class="{shade}">{shown}</span>' if shade and text.strip() else shown)
    return "".join(parts)


def block(code, language, names):
    if language == "math":
        return f'<div class="formula">{formula(code)}</div>\n'
    return f'<pre tabindex="0"><code>{highlighted(code, language, names)}</code></pre>\n'


class Renderer:
    """link(target) returns the address of a link's target, or "" for a target that the site lacks; picture(target) returns
    the attributes of an image; names has the address of every public name."""

    def __init__(self, link, picture, names):
        self.link, self.picture, self.names = link, picture, names
        self.markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        rules = {"fence": self.fence, "code_block": self.fence,
                 "table_open": lambda *_: '<div class="table" tabindex="0"><table>\n',
                 "table_close": lambda *_: "</table></div>\n"}
        for name, rule in rules.items():
            self.markdown.add_render_rule(name, lambda _, *arguments, rule=rule: rule(*arguments))

    def fence(self, tokens, at, *_):
        language = (tokens[at].info.split() or [""])[0]
        return block(tokens[at].content, language, self.names)

    def inline(self, children):
        """The children of an inline token with the site's addresses, without links that lead nowhere."""
        inside, dropped = False, False
        for child in children:
            if child.type == "link_open":
                inside, address = True, self.link(child.attrs["href"])
                dropped = not address
                child.attrs["href"] = address
            if child.type == "image":
                child.attrs.update(self.picture(child.attrs["src"]))
            called = NAME.fullmatch(child.content) if child.type == "code_inline" and not inside else None
            if called and called[1] in self.names:
                code = f'<a href="{self.names[called[1]]}"><code>{escape(child.content)}</code></a>'
                yield Token("html_inline", "", 0, content=code)
            elif not (dropped and child.type in ("link_open", "link_close")):
                yield child
            if child.type == "link_close":
                inside = dropped = False

    def page(self, text):
        tokens = self.markdown.parse(text)
        for token in tokens:
            if token.children:
                token.children = list(self.inline(token.children))
        opened = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
        anchors = headings(text)
        if len(anchors) != len(opened):
            raise Broken(f"{len(opened)} headings, of which {len(anchors)} begin with #")
        found = []
        for at, anchor in zip(opened, anchors):
            tokens[at].attrs["id"] = anchor
            shown = self.markdown.renderer.render([tokens[at + 1]], self.markdown.options, {})
            found.append((int(tokens[at].tag[1]), anchor, re.sub(r"</?a\b[^>]*>", "", shown)))
        if not found:
            raise Broken("a page without a heading")
        title = re.sub(r"<[^>]*>", "", found[0][2])
        return Page(title, self.markdown.renderer.render(tokens, self.markdown.options, {}), found[1:])
