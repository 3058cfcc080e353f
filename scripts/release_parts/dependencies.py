"""dependencies.py - the works of others that heed contains or uses, one row per work, for the bill of materials (bill.py).
NOTICE.md describes them for readers; tests/house/test_release_files.py compares this table with NOTICE.md and with the
dependencies that CMake searches for.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import struct
import subprocess
import sys
from typing import Callable, NamedTuple, Optional, Tuple

COMPILED = ("libheed", "heed-one-file")  # the parts of a release that contain the results of the build


class Places(NamedTuple):
    """Where the build found the works that become part of heed."""

    stb: Optional[str]
    font: Optional[str]


def number_in(text):
    found = re.search(r"\d+(?:\.\d+)+", text)
    return found[0] if found else None


def command(*words):
    """A version as the first number that a command prints."""
    def version(_):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return number_in(done.stdout) if done.returncode == 0 else None
    return version


def module(name):
    return command("pkg-config", "--modversion", name)


def header(name):
    """The version in the first line of a header of stb."""
    def version(places):
        with open(f"{places.stb}/{name}", encoding="utf-8") as file:
            return number_in(file.readline())
    return version


def font(places):
    """The revision in the table `head` of a TrueType font, a number with 16 binary places."""
    with open(places.font, "rb") as file:
        data = file.read()
    for entry in range(12, 12 + 16 * struct.unpack(">H", data[4:6])[0], 16):
        if data[entry:entry + 4] == b"head":
            offset, = struct.unpack(">I", data[entry + 8:entry + 12])
            return f"{struct.unpack('>I', data[offset + 4:offset + 8])[0] / 65536:.2f}"
    return None


class Dependency(NamedTuple):
    """A work, and the parts of heed that have a relation with it."""

    name: str  # a name that NOTICE.md contains
    licence: str
    source: str
    version: Optional[Callable] = None  # measured where the release is made; None if the work has no version
    copyright: str = "NOASSERTION"
    cmake: Tuple[str, ...] = ()  # names in find_package, pkg_check_modules, find_path, find_file or find_library
    inside: Tuple[str, ...] = ()
    needed_by: Tuple[str, ...] = ()
    optional_for: Tuple[str, ...] = ()
    builds: Tuple[str, ...] = ()
    tests: Tuple[str, ...] = ()


DEPENDENCIES = (
    Dependency("DejaVu Sans", "Bitstream-Vera", "git+https://github.com/dejavu-fonts/dejavu-fonts.git", font,
               "Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved. DejaVu's changes are in the public domain.",
               cmake=("HEED_FONT",), inside=COMPILED),
    Dependency("stb_image_write", "MIT OR Unlicense", "git+https://github.com/nothings/stb.git", header("stb_image_write.h"),
               "Copyright (c) 2017 Sean Barrett", cmake=("HEED_STB_DIR",), inside=COMPILED),
    Dependency("ColorBrewer", "Apache-2.0", "git+https://github.com/axismaps/colorbrewer.git", lambda places: "2.0",
               "Copyright (c) 2002 Cynthia Brewer, Mark Harrower and The Pennsylvania State University",
               inside=("heed", *COMPILED)),
    Dependency("viridis", "CC0-1.0", "git+https://github.com/BIDS/colormap.git", inside=("heed", *COMPILED)),
    Dependency("zlib", "Zlib", "git+https://github.com/madler/zlib.git", module("zlib"),
               "Copyright (c) 1995-2022 Jean-loup Gailly and Mark Adler",
               cmake=("ZLIB", "ZLIB_LIBRARY"), needed_by=("libheed",), optional_for=("heed-one-file",)),
    Dependency("Jansson", "MIT", "git+https://github.com/akheron/jansson.git", module("jansson"),
               "Copyright (c) 2009-2020 Petri Lehtinen; Copyright (c) 2011 Basile Starynkevitch",
               cmake=("JANSSON",), needed_by=("libheed",), optional_for=("heed-one-file",)),
    Dependency("protobuf-c", "BSD-2-Clause", "git+https://github.com/protobuf-c/protobuf-c.git", module("libprotobuf-c"),
               cmake=("PROTOBUF_C",), needed_by=("libheed-onnx", "libheed-tensorboard")),
    Dependency("libpng", "libpng-2.0", "git+https://github.com/pnggroup/libpng.git", module("libpng"),
               cmake=("LIBPNG",), needed_by=("libheed-images",)),
    Dependency("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "git+https://github.com/libjpeg-turbo/libjpeg-turbo.git",
               module("libjpeg"), cmake=("LIBJPEG",), needed_by=("libheed-images",)),
    Dependency("Open MPI", "BSD-3-Clause-Open-MPI", "git+https://github.com/open-mpi/ompi.git", module("ompi-c"),
               cmake=("MPI",), needed_by=("libheed-mpi",)),
    Dependency("NumPy", "BSD-3-Clause", "git+https://github.com/numpy/numpy.git",
               command(sys.executable, "-c", "import numpy; print(numpy.__version__)"), needed_by=("heed-python",)),
    Dependency("R", "GPL-2.0-only OR GPL-3.0-only", "https://cran.r-project.org/src/base/", command("R", "--version"),
               needed_by=("heed-r",)),
    Dependency("stb_truetype", "MIT OR Unlicense", "git+https://github.com/nothings/stb.git", header("stb_truetype.h"),
               "Copyright (c) 2017 Sean Barrett", cmake=("HEED_STB_DIR",), builds=("libheed",)),
    Dependency("Check", "LGPL-2.1-or-later", "git+https://github.com/libcheck/check.git", module("check"),
               cmake=("CHECK",), tests=("heed",)),
    Dependency("measurements distributed with R", "GPL-2.0-only OR GPL-3.0-only", "https://cran.r-project.org/src/base/",
               inside=("heed", "heed-r")),
    Dependency("palmerpenguins", "CC0-1.0", "git+https://github.com/allisonhorst/palmerpenguins.git",
               copyright="Copyright (c) 2020 A. M. Horst, A. P. Hill and K. B. Gorman", inside=("heed",)),
    Dependency("King James Version", "LicenseRef-public-domain", "NOASSERTION", copyright="NONE", inside=("heed",)),
)


def versions(places):
    """The version of every work, by its name. Raises OSError if a work is not installed."""
    found = {}
    for row in DEPENDENCIES:
        found[row.name] = row.version(places) if row.version else None
        if row.version and not found[row.name]:
            raise OSError(f"{row.name}: its version is unknown, because it is not installed: scripts/setup --release")
    return found
