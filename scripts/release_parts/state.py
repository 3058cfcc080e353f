"""state.py - the state that a release needs: one version and one date everywhere, all changes committed, and an interface
that keeps the promises of docs/abi.md. Every function yields the faults.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import datetime
import re
import subprocess
from pathlib import Path

# The files that contain the version, and their patterns.
PLACES = {
    "CITATION.cff": r"^version: (.*)$",
    "companions/python/pyproject.toml": r'^version = "(.*)"$',
    "companions/r/DESCRIPTION": r"^Version: (.*)$",
    "packaging/debian/changelog": r"\Aheed \((.*)-[^-]*\)",
    "packaging/vcpkg/heed/vcpkg.json": r'^  "version": "(.*)",$',
}
HEADING = r"^## \[(?:Unreleased\]: |)([\d.]+)\]?(?: - (\S+))?$"  # of the changelog: the version, and its day


def text_of(path):
    return path.read_text(encoding="utf-8")


def version_of(root):
    return re.search(r'^#define HEED_VERSION "(.*)"', text_of(root / "include/heed/heed.h"), re.M)[1]


def differing(root):
    """Files that name a different version from heed.h."""
    version = version_of(root)
    header = text_of(root / "include/heed/heed.h")
    parts = ".".join(re.search(rf"^#define HEED_VERSION_{part} (\d+)$", header, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    if parts != version:
        yield f"include/heed/heed.h: HEED_VERSION is {version}, but its parts are {parts}"
    for name, pattern in PLACES.items():
        found = re.search(pattern, text_of(root / name), re.M)
        if not found or found[1] != version:
            yield f"{name}: has version {found[1] if found else 'none'}, but heed.h has {version}"
    heading = re.search(HEADING, text_of(root / "CHANGELOG.md"), re.M)
    if not heading or heading[1] != version:
        yield f"CHANGELOG.md: begins with version {heading[1] if heading else 'none'}, but heed.h has {version}"
    symbols = text_of(root / "packaging/debian/libheed0.symbols")
    for number in re.findall(r"^HEED_([\d.]+) \{", text_of(root / "src/heed.map"), re.M):
        if f"\n (symver)HEED_{number} {number}.0\n" not in symbols:
            yield f"packaging/debian/libheed0.symbols: lacks (symver)HEED_{number} {number}.0, which src/heed.map has"


def is_day(text):
    try:
        return bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def undated(root):
    """Files that lack the date of a release."""
    day = (re.search(HEADING, text_of(root / "CHANGELOG.md"), re.M) or [None] * 3)[2]
    if not day or not is_day(day):
        yield f"CHANGELOG.md: the heading of its first section must be ## [{version_of(root)}] - YEAR-MONTH-DAY"
    cited = re.search(r"^date-released: (.*)$", text_of(root / "CITATION.cff"), re.M)
    if not cited or cited[1] != day:
        yield f"CITATION.cff: date-released is {cited[1] if cited else 'absent'}, and CHANGELOG.md has {day or 'none'}"
    if "UNRELEASED" in text_of(root / "packaging/debian/changelog").split("\n", 1)[0]:
        yield "packaging/debian/changelog: is UNRELEASED"


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def in_git(root, version):
    if git(root, "status", "--porcelain"):
        yield "git: there are uncommitted changes"
    if f"v{version}" in git(root, "tag").split():
        yield f"git: the tag v{version} already exists"


def fails(root, *command):
    """The last line of a check's output, if it fails."""
    done = subprocess.run(list(map(str, command)), cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().split("\n")
        yield f"{Path(command[0]).name} {' '.join(map(str, command[1:]))}: {lines[-1]}"


def build(root, folder):
    def run(*words):
        print("+", *words, flush=True)
        subprocess.run(list(map(str, words)), cwd=root, check=True)

    run("cmake", "-S", ".", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHEED_WERROR=ON",
        "-DHEED_BUILD_EXAMPLES=OFF", "-DHEED_BUILD_BENCH=OFF", "-DHEED_MPI=OFF")
    run("cmake", "--build", folder, "--target", "heed-shared", "heed-static", "test_struct_sizes")


def unfit(root, folder, version):
    """Violations of docs/abi.md by the built library and the sources."""
    yield from fails(root, "scripts/symbols", "--check")
    yield from fails(root, "scripts/sites", "--check")
    yield from fails(root, "scripts/tables", "--check")
    yield from fails(root, "scripts/lint", "structs")
    yield from fails(root, "scripts/lint", "exports", folder / "src/libheed.so")
    yield from fails(root, folder / "tests/test_struct_sizes")
    if not (folder / f"src/libheed.so.{version}").exists():
        yield f"the shared library is not libheed.so.{version}"
    yield from fails(root, "scripts/abi")
