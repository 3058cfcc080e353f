"""docs/manual/make/links.py - checks a folder of HTML: every link leads somewhere, and no page loads from another host.

    python3 docs/manual/make/links.py FOLDER

Exit code: 0 if all links work, 1 if one does not.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import re
import sys
from html.parser import HTMLParser
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote

LOADED = {"src", "srcset", "poster", "data", "action", "background"}  # attributes with an address that a browser loads
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|/", re.I)
VISITED = re.compile(r"(?:https?|mailto):", re.I)
ADDRESS_IN_CSS = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


class Reader(HTMLParser):
    """The anchors of a page, its links [(attribute, address)], and its mistakes."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.mistakes = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        for name, value in attributes.items():
            if name in LOADED or (name == "href" and tag != "a"):
                self.links.append(("load", value or ""))
            elif name == "href":
                self.links.append(("visit", value or ""))
            elif name == "style":
                self.links += [("load", address) for address in addresses_in_css(value)]
        if tag == "img" and not (attributes.get("alt") and attributes.get("width")):
            self.mistakes.append(f"an image without alt or width: {attributes.get('src')}")


def addresses_in_css(text):
    return [one or other for one, other in ADDRESS_IN_CSS.findall(text)]


def read(file):
    """The anchors, links and mistakes of a file."""
    if file.suffix == ".html":
        page = Reader(file.read_text(encoding="utf-8"))
        return page.anchors, page.links, page.mistakes
    if file.suffix == ".css":
        return {""}, [("load", address) for address in addresses_in_css(file.read_text(encoding="utf-8"))], []
    if file.name == "search-index.js":
        entries = json.loads(file.read_text(encoding="utf-8").partition("=")[2].strip().removesuffix(";"))
        return {""}, [("visit", entry[1]) for entry in entries], []
    return {""}, [], []


class Folder:
    def __init__(self, root):
        self.root = root
        self.files = {file.relative_to(root).as_posix(): read(file) for file in sorted(root.rglob("*")) if file.is_file()}

    def target(self, name, address):
        """The file and the anchor to which an address in the file `name` leads."""
        path, _, anchor = address.partition("#")
        path = unquote(path.partition("?")[0])
        return normpath(Path(name).parent / path) if path else name, unquote(anchor)

    def mistake(self, name, kind, address):
        """What is wrong with a link, or None."""
        if address.startswith("data:") or kind == "visit" and VISITED.match(address):
            return None
        if ELSEWHERE.match(address):
            return f"{address} is not relative"
        file, anchor = self.target(name, address)
        if file not in self.files:
            return f"{address} does not exist"
        return None if anchor in self.files[file][0] else f"{address}: the page has no such anchor"

    def problems(self):
        for name, (_, links, mistakes) in self.files.items():
            yield from (f"{name}: {mistake}" for mistake in mistakes)
            found = (self.mistake(name, *link) for link in dict.fromkeys(links))
            yield from (f"{name}: {mistake}" for mistake in found if mistake)

    def used(self):
        """The files that index.html reaches."""
        reached, waiting = set(), ["index.html"]
        while waiting:
            name = waiting.pop()
            if name in self.files and name not in reached:
                reached.add(name)
                waiting += [self.target(name, address)[0] for _, address in self.files[name][1]
                            if not ELSEWHERE.match(address)]
        return reached


def problems(root):
    """Every wrong link, image and unused file of a folder."""
    folder = Folder(root)
    return [*folder.problems(), *(f"{name}: no page leads to it" for name in sorted(set(folder.files) - folder.used()))]


def unused(root):
    folder = Folder(root)
    return [root / name for name in set(folder.files) - folder.used()]


def main():
    found = problems(Path(sys.argv[1]))
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
