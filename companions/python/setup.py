"""companions/python/setup.py - builds the library from the single file heed.c, without CMake, and puts it into the package.

heed.c is in the folder $HEED_ONE_FILE, or in this folder, as in a source distribution. In a clone, scripts/amalgamate
makes it, which needs python3-clang, stb's headers and the font DejaVu Sans. $CC is the compiler (default: gcc or clang),
$CFLAGS replaces -O2. With HEED_SYSTEM_LIBRARY=1 the package has no library and uses the installed one."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:  # commands other than bdist_wheel do not need it
        bdist_wheel = sdist

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
SYSTEM = os.environ.get("HEED_SYSTEM_LIBRARY", "") == "1"


def run(*command):
    print(" ".join(map(str, command)), flush=True)
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"heed: this command failed: {' '.join(map(str, command))}")


def compiler():
    """$CC with its options, or the first installed compiler."""
    given = shlex.split(os.environ.get("CC", ""))
    found = given or [c for c in ("gcc", "clang", "cc") if shutil.which(c)][:1]
    if not found or not shutil.which(found[0]):
        sys.exit(f"heed: {given[0] if given else 'gcc or clang'} was not found: install a C compiler, or set CC")
    return found


def has(header, library, folder):
    """Whether a program with this header links with the library."""
    source = Path(folder, "has.c")
    source.write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n", encoding="ascii")
    command = [*compiler(), str(source), "-o", str(Path(folder, "has")), f"-l{library}"]
    return not subprocess.run(command, check=False, capture_output=True).returncode


def stb_folder():
    given = [os.environ["HEED_STB_DIR"]] if "HEED_STB_DIR" in os.environ else ["/usr/include/stb", "/usr/include", "/usr/local/include/stb"]
    for folder in map(Path, given):
        if (folder / "stb_image_write.h").exists() and (folder / "stb_truetype.h").exists():
            return folder
    sys.exit("heed: stb_image_write.h and stb_truetype.h were not found: install libstb-dev, or set HEED_STB_DIR to their folder")


def amalgamated(folder):
    """heed.c, made in this folder from the sources of a clone."""
    script, font = ROOT / "scripts" / "amalgamate", Path(os.environ.get("HEED_FONT", FONT))
    if not script.exists():
        sys.exit("heed: heed.c was not found: install from a clone of heed or from a source distribution, or set HEED_ONE_FILE to the "
                 "folder of heed.c")
    if not font.exists():
        sys.exit(f"heed: the font {font} was not found: install fonts-dejavu-core, or set HEED_FONT")
    stb, baker, data = stb_folder(), folder / "bake-font", folder / "font-data.c"
    run(*compiler(), "-std=c11", "-O1", "-isystem", stb, ROOT / "tools" / "bake-font.c", "-o", baker, "-lm")
    run(baker, font, data)
    run(script, "--font", data, "--stb", stb, folder)
    return folder / "heed.c"


def one_file(folder):
    given = os.environ.get("HEED_ONE_FILE")
    for place in (Path(given) if given else HERE, HERE):
        if (place / "heed.c").exists() and (place / "heed.h").exists():
            return place / "heed.c"
    if given:
        sys.exit(f"heed: HEED_ONE_FILE is {given}, which has no heed.c and heed.h")
    return amalgamated(folder)


def build_library(target):
    if sys.platform == "win32":
        sys.exit("heed: the package does not support Windows")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        libraries = ["-lm", "-pthread"]
        for header, library in (("zlib.h", "z"), ("jansson.h", "jansson")):
            found = has(header, library, folder)
            libraries.append(f"-l{library}" if found else f"-DHEED_NO_{'ZLIB' if library == 'z' else 'JANSSON'}")
        run(*compiler(), *shlex.split(os.environ.get("CFLAGS", "-O2")), "-fPIC", "-shared", "-fvisibility=hidden",
            one_file(Path(folder)), "-o", target, *libraries)


class Build(build_py):
    def run(self):
        super().run()
        if not SYSTEM:
            folder = HERE if getattr(self, "editable_mode", False) else Path(self.build_lib)
            build_library(folder / "heed" / "libheed.so")


class Package(Distribution):
    """With the library, the files depend on the kind of machine. Some versions of setuptools find only LICENSE, and
    others refuse license-files in pyproject.toml."""

    def has_ext_modules(self):
        return not SYSTEM

    def parse_config_files(self, *arguments, **keywords):
        super().parse_config_files(*arguments, **keywords)
        self.metadata.license_files = ["LICENSE", "NOTICE.md"]


class Wheel(bdist_wheel):
    """A wheel for this kind of machine and every version of Python."""

    def get_tag(self):
        return super().get_tag() if SYSTEM else ("py3", "none", super().get_tag()[2])


class Source(sdist):
    """A source distribution with heed.c, which can be installed without a clone."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        with tempfile.TemporaryDirectory() as folder:
            made = one_file(Path(folder))
            for name in ("heed.c", "heed.h"):
                shutil.copyfile(made.with_name(name), Path(base_dir, name))


setup(distclass=Package, cmdclass={"build_py": Build, "bdist_wheel": Wheel, "sdist": Source})
