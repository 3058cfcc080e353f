"""scripts/lints/uses.py - every exported function has a use that readers can see: in an example, tool, benchmark, page or
example of the manual."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

from structure import without_comments

PROGRAMS = ("examples", "tools", "bench", "docs/manual/examples", "companions/*/examples")
PAGES = ("*.md", "docs/*.md", "docs/tutorial/**/*.md", "companions/*/*.md")
NOT_SHOWN = {"CHANGELOG.md", "upgrading.md"}  # they name functions that are gone
PROTOTYPE = re.compile(r"^HEED_API\s[^;(]*?\b(heed_\w+)\s*\([^;]*;", re.M)
NAME = re.compile(r"\bheed_\w+")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.M | re.S)


def headers(root):
    """(path, text without comments) of the public headers, without the generated one, which has every name."""
    for folder in (root / "include" / "heed", *sorted(root.glob("companions/*/include/heed"))):
        for path in sorted(folder.rglob("*.h")):
            if path.name != "sites.h":
                yield path, without_comments(path.read_text(encoding="utf-8"))


def shown(root):
    """The names in all code that readers see, without comments, and in the headers' macros and inline functions."""
    names = set()
    for folder in (path for pattern in PROGRAMS for path in root.glob(pattern)):
        for path in (p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".cpp")):
            names.update(NAME.findall(without_comments(path.read_text(encoding="utf-8"))))
    for path in (p for pattern in PAGES for p in root.glob(pattern) if p.name not in NOT_SHOWN):
        names.update(NAME.findall(" ".join(CODE.findall(path.read_text(encoding="utf-8")))))
    for _, text in headers(root):
        names.update(NAME.findall(PROTOTYPE.sub("", text)))
    return names


def check_uses(root):
    names = shown(root)
    for path, text in headers(root):
        for name in PROTOTYPE.findall(text):
            if name not in names:
                yield f"{path.relative_to(root)}: {name} has no use in an example, tool, benchmark, page or example of the manual"
