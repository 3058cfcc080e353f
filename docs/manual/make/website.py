"""docs/manual/make/website.py - makes the site: one folder of plain HTML and CSS from the project's pages and the manual.

The site's folders are the project's: docs/x.md becomes docs/x.html, README.md becomes index.html, and the manual is in
manual. Pages and sources to which these pages link are part of the site, too; sources become pages of code, and
headers of the library lead to the manual. Addresses are relative, so any web server or a browser alone can show the site.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
import shutil
import struct
import tempfile
from html import unescape
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import links
import pages
from examples import Broken
from library import MANUAL
from markdown_page import Page, Renderer, block

FIRST = ("README.md", "CHANGELOG.md", "docs/*.md", "docs/tutorial/*.md")
SECTIONS = {"Tutorial": "docs/tutorial/index.html", "Manual": "manual/index.html", "Docs": "docs/index.html",
            "Comparison": "docs/comparison.html", "Changelog": "changelog.html"}
LANGUAGES = {".c": "c", ".h": "c", ".def": "c", ".py": "python", ".sbatch": "bash"}


def address_of(path):
    """The site's path of a page or of a source."""
    if path.suffix != ".md":
        return f"{path}.html"
    return str(path.with_name("index.html" if path.name == "README.md" else path.stem.lower() + ".html"))


def relative(address, page):
    return os.path.relpath(address, PurePosixPath(page).parent)


def size_of(picture):
    """The width and height of a PNG file."""
    head = picture.read_bytes()[:24]
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        raise Broken(f"{picture}: not a PNG file")
    return struct.unpack(">II", head[16:24])


def bar(shortcuts, current=None):
    """HTML of links by their names; the current one is marked."""
    def shortcut(name, address):
        mark = ' aria-current="page"' if address == current else ""
        return f'<a href="{address}"{mark}>{name}</a>'
    return "\n".join(shortcut(name, address) for name, address in shortcuts.items())


def manual_bar(places):
    """The bar of the manual's pages: the tabs of layout.xml. The page of topics is left out because it needs scripts."""
    tabs = ElementTree.parse(MANUAL / "layout.xml").getroot().find("navindex")
    shortcuts = {"Topics": "index.html"}
    shortcuts.update({tab.get("title"): places[tab.get("url").removeprefix("@ref ")] for tab in tabs if tab.get("type") == "user"})
    return bar(shortcuts)


class Site:
    def __init__(self, project, out, version):
        self.project, self.out, self.version = project, out, version
        self.template = (MANUAL / "site.html").read_text(encoding="utf-8")
        self.places = {}   # the manual's addresses of names, from Doxygen
        self.pictures = set()
        self.waiting = []  # paths of pages and sources
        self.done = {}     # the rendered pages by their paths

    def framed(self, page, title, content, styles=""):
        """A page in the site's frame."""
        root = "../" * (len(PurePosixPath(page).parts) - 1)
        section = max((address for address in SECTIONS.values() if page.startswith(address.removesuffix("index.html"))),
                      key=len, default="")
        shortcuts = {name: root + address for name, address in SECTIONS.items()}
        fields = {"TITLE": title, "STYLES": styles, "SECTIONS": bar(shortcuts, root + section), "CONTENT": content,
                  "VERSION": self.version, "ROOT": root}
        return re.sub(r"@([A-Z]+)@", lambda field: fields[field[1]], self.template)

    def write(self, page, title, content):
        target = self.out / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self.framed(page, title, content), encoding="utf-8")

    # -- The manual -----------------------------------------------------------------------------------------------------

    def manual(self, library, doxygen):
        """Makes the manual, without the scripts of Doxygen; returns Doxygen's warnings."""
        styles = '<link rel="stylesheet" href="doxygen.css">\n<link rel="stylesheet" href="style.css">\n'
        with tempfile.TemporaryDirectory(prefix="heed-site-") as folder:
            work = Path(folder)
            frame = self.framed("manual/index.html", "$title", '<main class="manual" id="content">\n<div id="top">\n'
                                '<nav class="tabs" aria-label="Manual">\n#TABS#\n</nav>\n#PAGE#</main>', styles)
            complaints = pages.build(library, work, self.version, doxygen, frame.split("#PAGE#"))
            self.places = pages.addresses(work / "doxygen" / "tags")
            shutil.copytree(work / "html", self.out / "manual", dirs_exist_ok=True)
        for page in (self.out / "manual").glob("*.html"):
            text = page.read_text(encoding="utf-8")
            page.write_text(text.replace("#TABS#", manual_bar(self.places)), encoding="utf-8")
        return complaints

    # -- Pages of Markdown and sources ----------------------------------------------------------------------------------

    def target(self, path, link):
        """Where a link of a page leads: the address from this page, or "" for a folder, which the site lacks."""
        if re.match(r"[a-z]+:", link):
            return link
        name, _, anchor = link.partition("#")
        if not name:
            return link
        found = PurePosixPath(os.path.normpath(path.parent / name))
        if not (self.project / found).exists():
            raise Broken(f"{path}: {link} does not exist")
        page = address_of(path)
        if found.is_relative_to("include/heed"):
            group = "header_" + re.sub(r"\W", "_", str(found.relative_to("include/heed")).removesuffix(".h"))
            return relative(f"manual/{self.places.get(group, 'index.html')}", page)
        if (self.project / found).is_dir():
            return ""
        self.waiting.append(found)
        return relative(address_of(found), page) + (f"#{anchor}" if anchor else "")

    def picture(self, path, link):
        """The attributes of an image; copies the image."""
        found = PurePosixPath(os.path.normpath(path.parent / link))
        self.pictures.add(found)
        width, height = size_of(self.project / found)
        return {"src": relative(found, address_of(path)), "width": str(width), "height": str(height)}

    def render(self, path):
        source = (self.project / path).read_text(encoding="utf-8")
        names = {name: relative(f"manual/{place}", address_of(path)) for name, place in self.places.items()
                 if name.lower().startswith("heed_")}
        if path.suffix != ".md":
            return Page(str(path), f"<h1>{path}</h1>\n" + block(source, LANGUAGES.get(path.suffix, "text"), names), [])
        try:
            return Renderer(lambda link: self.target(path, link), lambda link: self.picture(path, link), names).page(source)
        except Broken as problem:
            raise Broken(f"{path}: {problem}") from None

    def gather(self):
        """Renders the first pages, and all others to which they link."""
        self.waiting = [PurePosixPath(path.relative_to(self.project)) for pattern in FIRST
                        for path in sorted(self.project.glob(pattern))]
        while self.waiting:
            path = self.waiting.pop(0)
            if path not in self.done:
                self.done[path] = self.render(path)

    def beside(self, path, page):
        """The column next to a page: the pages of the tutorial, and the headings of the page."""
        parts = []
        if path.parent.name == "tutorial":
            chapters = {other.title: address_of(found.relative_to(path.parent)) for found, other in self.chapters(path.parent)}
            parts.append(f"<h2>Tutorial</h2>\n<nav>{bar(chapters, PurePosixPath(address_of(path)).name)}</nav>")
        inside = "\n".join(f'<a class="level{level}" href="#{anchor}">{text}</a>' for level, anchor, text in page.headings
                           if level < 4)
        if inside.count("<a ") > 1:
            parts.append(f"<h2>On this page</h2>\n<nav>{inside}</nav>")
        return "<aside>\n" + "\n".join(parts) + "\n</aside>\n" if parts else ""

    def chapters(self, folder):
        """The pages of a folder of chapters, in their order, without its README.md."""
        return [(path, page) for path, page in sorted(self.done.items()) if path.parent == folder and path.stem[:2].isdigit()]

    def turning(self, path):
        """The links from a chapter to the one before and the one after it."""
        chapters = self.chapters(path.parent)
        at = next((at for at, (found, _) in enumerate(chapters) if found == path), None)
        if at is None:
            return ""
        around = [(kind, chapters[other]) for kind, other in (("prev", at - 1), ("next", at + 1)) if 0 <= other < len(chapters)]
        shown = "\n".join(f'<a rel="{kind}" href="{PurePosixPath(address_of(found)).name}">{page.title}</a>'
                          for kind, (found, page) in around)
        return f'<nav class="turn" aria-label="Chapters">\n{shown}\n</nav>\n'

    def write_pages(self):
        for path, page in self.done.items():
            beside = self.beside(path, page)
            content = (f'<div class="page{"" if beside else " wide"}">\n<main id="content">\n{page.body}{self.turning(path)}</main>\n'
                       f"{beside}</div>\n")
            title = page.title if path.name == "README.md" and len(path.parts) == 1 else f"{page.title} - heed"
            self.write(address_of(path), title, content)
        for picture in self.pictures:
            (self.out / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.project / picture, self.out / picture)
        for name in ("site.css", "icon.svg"):
            shutil.copyfile(MANUAL / name, self.out / name)

    def entries(self):
        """The entries of the search for the pages: their titles and headings. Every name has two parts, so that a function
        comes before a page of the same name."""
        for path, page in sorted(self.done.items()):
            section = {"tutorial": "Tutorial", "docs": "Docs"}.get(path.parent.name, path.parts[0].capitalize())
            if path.suffix == ".md" and path.parts[0] in ("docs", "companions"):
                address, title = relative(address_of(path), "manual/index.html"), unescape(page.title)
                yield [f"{section}: {title}", address, "", "page"]
                for level, anchor, text in page.headings:
                    if level == 2:
                        yield [f"{title}: {unescape(re.sub('<[^>]*>', '', text))}", f"{address}#{anchor}", "", section]


def build(project, library, out, version, doxygen):
    """Makes the site in `out`, a new or empty folder or an earlier site; returns Doxygen's warnings."""
    if out.exists() and any(out.iterdir()) and not (out / "site.css").exists():
        raise Broken(f"{out} has other files than a site; name a new folder")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    site = Site(project, out, version)
    complaints = site.manual(library, doxygen)
    site.gather()
    site.write_pages()
    pages.write_index(library, site.places, out / "manual" / "search-index.js", site.entries())
    for file in links.unused(out):
        file.unlink()
    if mistakes := links.problems(out):
        raise Broken("\n".join(mistakes))
    return complaints
