"""files.py - makes the files of a release from a clone. The same commit results in the same bytes in any folder, time zone
and language and under any umask.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import archives
import bill
import dependencies

DEBIAN_PYTHON = "/usr/bin/python3"  # has Debian's setuptools


class Release:
    """The clone `root`, its version and commit, the folder `out` of the files, and `url`, their future address."""

    def __init__(self, root, out, version, url):
        self.root, self.out, self.version, self.url = root, out, version, url
        self.work = root / "build/files"
        self.commit, when = self.output("git", "log", "-1", "--format=%H %ct").split()
        self.when = int(when)
        self.environment = {**os.environ, "SOURCE_DATE_EPOCH": when, "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANGUAGE": "C"}
        self.archives = {}  # part -> archive

    def output(self, *words):
        return subprocess.run(words, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def run(self, *words, cwd=None, **environment):
        print("+", " ".join(map(str, words)), flush=True)
        subprocess.run(list(map(str, words)), cwd=cwd or self.root, check=True, env={**self.environment, **environment})

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def filled(self, name, **values):
        """A template of the folder packaging."""
        text = self.text(f"packaging/{name}")
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        return text

    def notices(self, folder):
        return {f"{folder}/{name}": (self.root / name).read_bytes() for name in ("LICENSE", "NOTICE.md")}


def make_sources(release):
    """The files of the commit without packaging/debian, which Debian keeps in an archive of its own."""
    name = f"heed-{release.version}"
    release.archives["heed"] = release.out / f"{name}.tar.gz"
    release.run("bash", "-c", f'git -c tar.umask=0002 archive --prefix={name}/ HEAD -- . ":!packaging/debian" | gzip -n9 >"$0"',
                release.archives["heed"])


def make_one_file(release):
    """heed.c and heed.h, with a meson.build. Returns the folder of both."""
    release.run("cmake", "-S", ".", "-B", release.work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHEED_BUILD_TESTS=OFF",
                "-DHEED_BUILD_TOOLS=OFF", "-DHEED_BUILD_EXAMPLES=OFF", "-DHEED_BUILD_BENCH=OFF", "-DHEED_MPI=OFF")
    release.run("cmake", "--build", release.work, "--target", "amalgamation")
    made, name = release.work / "amalgamation", f"heed-{release.version}-one-file"
    files = {f"{name}/{file}": (made / file).read_bytes() for file in ("heed.c", "heed.h")}
    files[f"{name}/include/heed/heed.h"] = b'#include "../../heed.h"\n'
    files[f"{name}/meson.build"] = release.filled("meson/meson.build.in", VERSION=release.version).encode()
    release.archives["heed-one-file"] = release.out / f"{name}.tar.gz"
    archives.pack(release.archives["heed-one-file"], {**files, **release.notices(name)}, release.when)
    return made


def make_site(release):
    """The site, and the man pages."""
    site, pages = release.work / "site", release.work / "pages"
    release.run("scripts/manual", "site", "--strict", site)
    release.run("scripts/manual", "build", "--no-html", pages)
    for kind, made in (("site", site), ("man", pages / "man")):
        name = f"heed-{release.version}-{kind}"
        files = {**archives.below(made, name), **release.notices(name)}
        archives.pack(release.out / f"{name}.tar.gz", files, release.when)


def make_python(release, one_file):
    """The source distribution for pip, by setuptools."""
    made = release.work / "python"
    made.mkdir()
    found = [python for python in (sys.executable, DEBIAN_PYTHON) if not subprocess.run(
        [python, "-c", "import setuptools"], check=False, capture_output=True).returncode]
    if not found:
        raise OSError("setuptools for Python is missing: scripts/setup --release")
    release.run(found[0], "-c", "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])", made,
                cwd=release.root / "companions/python", HEED_ONE_FILE=str(one_file))
    archive, = made.glob("*.tar.gz")
    release.archives["heed-python"] = release.out / "python" / archive.name
    archives.repack(archive, release.archives["heed-python"], release.when)


def make_r(release, one_file):
    """The source package for R CMD INSTALL. R writes the time and the user's name into DESCRIPTION."""
    made = release.work / "r"
    made.mkdir()
    release.run("scripts/r-package", one_file, made)
    day = datetime.datetime.fromtimestamp(release.when, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")

    def dated(name, content):
        if name != "heed/DESCRIPTION":
            return content
        return re.sub(rb"^Packaged: .*$", f"Packaged: {day} UTC; heed".encode(), content, flags=re.M)

    archive, = made.glob("*.tar.gz")
    release.archives["heed-r"] = release.out / "r" / archive.name
    archives.repack(archive, release.archives["heed-r"], release.when, dated)


def make_recipes(release):
    """The formula for Homebrew and the wrap for Meson, which contain the addresses and checksums of archives."""
    sources, one_file = release.archives["heed"], release.archives["heed-one-file"]
    for name, archive in (("homebrew/heed.rb", sources), ("meson/heed.wrap", one_file)):
        text = release.filled(f"{name}.in", VERSION=release.version, URL=f"{release.url}/{archive.name}", SHA256=archives.sha256(archive))
        (release.out / Path(name).name).write_text(text, encoding="utf-8")


def make_bill(release):
    cache = (release.work / "CMakeCache.txt").read_text(encoding="utf-8")
    stb, font = (re.search(rf"^HEED_{name}:\w+=(.*)$", cache, re.M)[1] for name in ("STB_DIR", "FONT"))
    copyright_text = re.search(r"^Copyright .*$", release.text("LICENSE"), re.M)[0]
    made = {part: (path.name, archives.sha256(path)) for part, path in release.archives.items()}
    bill.write(release.out / f"heed-{release.version}.spdx.json", bill.document(
        release.version, release.commit, release.when, copyright_text, made, dependencies.versions(dependencies.Places(stb, font))))


def make(root, out, version, url):
    """Makes all files in `out`, whose earlier content is deleted if it is a release."""
    if out.exists() and any(out.iterdir()) and not (out / "SHA256SUMS").exists():
        raise OSError(f"{out} has no SHA256SUMS, so it is not a folder of a release: remove it, or choose a different one")
    for folder in (out, root / "build/files"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    os.umask(0o022)
    release = Release(root, out, version, url)
    make_sources(release)
    one_file = make_one_file(release)
    make_site(release)
    make_python(release, one_file)
    make_r(release, one_file)
    make_recipes(release)
    make_bill(release)
    archives.write_sums(out)
