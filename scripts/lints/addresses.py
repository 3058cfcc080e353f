"""addresses.py - the rule `addresses` of scripts/lint: the project names no invented person, host or repository.

The project lacks a public address. A field of a package that must have a maintainer contains MAINTAINER, whose domain is
reserved for examples (RFC 2606). A link to a new place needs a line in PLACES.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

MAINTAINER = "heed@example.org"
PLACES = ("127.0.0.1", "colorbrewer.org/", "d2l.ai", "deb.debian.org/debian", "doi.org/10.", "git-lfs.github.com/",
          "github.com/attractivechaos/kann", "github.com/dmlc/dlpack", "github.com/ggml-org/ggml",
          "github.com/huggingface/safetensors", "keepachangelog.com/en/", "no-color.org", "semver.org/", "ui.perfetto.dev",
          "www.debian.org/doc/packaging-manuals/", "www.w3.org/")

MAIL = re.compile(r"[\w.+-]+@[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.[A-Za-z]{2,}\b")
LINK = re.compile(r"\b(?:https?|ftp|git|ssh)://([^\s)>\"'`\\]+)")
RESERVED = re.compile(r"\bexample\.(?:com|net|org)\b|\bno-?reply\b|<url>|\byour-(?:domain|host|mail|name|org|repo|user)\w*")


def foreign(line):
    """The addresses of a line that the project may not contain."""
    yield from (mail for mail in MAIL.findall(line) if mail != MAINTAINER)
    yield from (link for link in LINK.findall(line) if not link.startswith(PLACES))
    yield from RESERVED.findall(line.replace(MAINTAINER, ""))


def check_addresses(root, names):
    for name in names:
        content = (root / name).read_bytes()
        if b"\0" in content or name.endswith("lints/addresses.py"):
            continue
        for number, line in enumerate(content.decode("utf-8", errors="replace").splitlines(), 1):
            if found := next(foreign(line), None):
                yield f"{name}:{number}: {found} is not an address of scripts/lints/addresses.py"
