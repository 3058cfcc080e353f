"""addresses.py - the rule `addresses` of scripts/lint: the project names no invented person, host or repository.

The project lacks a public address. A field of a package that must have a maintainer contains MAINTAINER, whose domain is
reserved for examples (RFC 2606). A link to a new place needs a line in PLACES.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

MAINTAINER = "heed@example.org"
PLACES = ("127.0.0.1", "archive.ubuntu.com/ubuntu", "colorbrewer.org/", "cran.r-project.org/", "d2l.ai", "deb.debian.org/debian",
          "doi.org/10.", "git-lfs.github.com/", "github.com/BIDS/colormap", "github.com/akheron/jansson",
          "github.com/allisonhorst/palmerpenguins", "github.com/attractivechaos/kann", "github.com/axismaps/colorbrewer",
          "github.com/dejavu-fonts/dejavu-fonts", "github.com/dmlc/dlpack", "github.com/ggml-org/ggml",
          "github.com/huggingface/safetensors", "github.com/libcheck/check", "github.com/libjpeg-turbo/libjpeg-turbo",
          "github.com/madler/zlib", "github.com/nothings/stb", "github.com/numpy/numpy", "github.com/open-mpi/ompi",
          "github.com/pnggroup/libpng", "github.com/protobuf-c/protobuf-c", "google.github.io/oss-fuzz/", "keepachangelog.com/en/",
          "no-color.org", "reuse.software", "semver.org/", "spdx.github.io/spdx-spec/", "ui.perfetto.dev",
          "www.apache.org/licenses/", "www.debian.org/doc/packaging-manuals/", "www.w3.org/")
TEXTS_OF_OTHERS = "LICENSES/"

MAIL = re.compile(r"(?<![@\w.+-])[\w.+-]+@[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.[A-Za-z]{2,}\b")
LINK = re.compile(r"\b(?:https?|ftp|git|ssh)://(\w[^\s)>\"'`\\]*)")
RESERVED = re.compile(r"\bexample\.(?:com|net|org)\b|\bno-?reply\b|<url>|\byour-(?:domain|host|mail|name|org|repo|user)\w*")


def foreign(line):
    """The addresses of a line that the project may not contain."""
    yield from (mail for mail in MAIL.findall(line) if mail != MAINTAINER)
    yield from (link for link in LINK.findall(line) if not link.startswith(PLACES))
    yield from RESERVED.findall(line.replace(MAINTAINER, ""))


def check_addresses(root, names):
    for name in names:
        content = (root / name).read_bytes()
        if b"\0" in content or name.endswith("lints/addresses.py") or name.startswith(TEXTS_OF_OTHERS):
            continue
        for number, line in enumerate(content.decode("utf-8", errors="replace").splitlines(), 1):
            if found := next(foreign(line), None):
                yield f"{name}:{number}: {found} is not an address of scripts/lints/addresses.py"
