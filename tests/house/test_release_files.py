"""tests/house/test_release_files.py - scripts/release packs the same files into the same bytes, and its bill of
materials names every work that CMake searches for or NOTICE.md lists.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import os
import re
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts/release_parts"))

import archives  # noqa: E402
import bill  # noqa: E402
import dependencies  # noqa: E402
from dependencies import DEPENDENCIES  # noqa: E402

# Names that CMake searches for without using another work: functions of the C library, tools, and heed itself.
TOOLS = {"Threads", "PkgConfig", "Python3", "Doxygen", "heed"}
# The benchmarks search for the libraries that they compare heed with, which are not part of heed.
FOLDERS = ("companions", "examples", "src", "tests", "tools")
# Rows of NOTICE.md about works that heed does not contain.
NOT_CONTAINED = ("the order and the problems of `docs/tutorial`", "reference values in")
IDENTIFIER = re.compile(r"SPDXRef-[a-zA-Z0-9.-]+")
LICENCE = re.compile(r"\(?[A-Za-z0-9.-]+\)?(?: (?:AND|OR) \(?[A-Za-z0-9.-]+\)?)*")


def document():
    versions = {row.name: "1.2.3" if row.version else None for row in DEPENDENCIES}
    return bill.document("0.2.0", "0" * 40, 1700000000, "Copyright (c) heed", {"heed": ("heed-0.2.0.tar.gz", "ab" * 32)}, versions)


class Archives(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-archives-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def packed(self, names, mask, when=1700000000):
        """A tree whose files were made in this order under this umask, packed."""
        self.addCleanup(os.umask, os.umask(mask))
        tree = Path(tempfile.mkdtemp(dir=self.folder))
        for name in names:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(name, encoding="utf-8")
        archives.pack(tree / "made.tar.gz", archives.below(tree, "heed"), when, {"heed/b/run"})
        return tree / "made.tar.gz"

    def test_the_same_bytes(self):
        one, other = self.packed(["a", "b/c", "b/run"], 0o022), self.packed(["b/run", "b/c", "a"], 0o077)
        self.assertEqual(one.read_bytes(), other.read_bytes())
        self.assertNotEqual(one.read_bytes(), self.packed(["a", "b/c", "b/run"], 0o022, 1).read_bytes())

    def test_order_and_time(self):
        for names in ("ab", "ba"):
            archives.pack(self.folder / names, {name: b"" for name in names}, 1700000000)
        self.assertEqual((self.folder / "ab").read_bytes(), (self.folder / "ba").read_bytes())
        self.assertEqual((self.folder / "ab").read_bytes()[4:8], bytes(4))  # gzip's time

    def test_entries(self):
        with tarfile.open(self.packed(["b/run", "a"], 0o027)) as archive:
            entries = [(entry.name, entry.mode, entry.uid, entry.uname, entry.mtime) for entry in archive]
        self.assertEqual(entries, [("heed/a", 0o644, 0, "root", 1700000000), ("heed/b/run", 0o755, 0, "root", 1700000000)])

    def test_repacked(self):
        plain = self.packed(["a", "b/run"], 0o022, 5)
        target = self.folder / "again/made.tar.gz"
        archives.repack(plain, target, 1700000000, lambda name, content: content.upper() if name == "heed/a" else content)
        with tarfile.open(target) as archive:
            self.assertEqual([(entry.name, entry.mode, entry.mtime) for entry in archive],
                             [("heed/a", 0o644, 1700000000), ("heed/b/run", 0o755, 1700000000)])
            self.assertEqual(archive.extractfile("heed/a").read(), b"A")

    def test_sums_and_differences(self):
        one, other = self.folder / "one", self.folder / "other"
        for folder in (one, other):
            (folder / "sub").mkdir(parents=True)
            (folder / "sub/a").write_text("abc", encoding="utf-8")
            archives.write_sums(folder)
            archives.write_sums(folder)  # lists the same files although SHA256SUMS now exists
        self.assertEqual((one / "SHA256SUMS").read_text(encoding="utf-8"),
                         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  sub/a\n")
        self.assertEqual(list(archives.differences(one, other)), [])
        (other / "sub/a").write_text("abd", encoding="utf-8")
        (one / "b").write_text("", encoding="utf-8")
        self.assertEqual(list(archives.differences(one, other)), ["b", "sub/a"])


class Complete(unittest.TestCase):
    def test_cmake(self):
        known = {name for row in DEPENDENCIES for name in row.cmake}
        searched = set()
        lists = [path for folder in FOLDERS for path in (PROJECT / folder).rglob("CMakeLists.txt")]
        for path in [PROJECT / "CMakeLists.txt", *lists, *(PROJECT / "packaging/cmake").glob("*.cmake*")]:
            text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
            searched |= set(re.findall(r"\b(?:find_package|pkg_check_modules|find_path|find_file|find_library)\((\w+)", text))
        self.assertEqual(searched - TOOLS, known)

    def test_notice(self):
        text = (PROJECT / "NOTICE.md").read_text(encoding="utf-8")
        self.assertEqual([row.name for row in DEPENDENCIES if row.name not in text], [])
        rows = [line for line in re.findall(r"^\| (.*) \|$", text, re.M) if not re.match(r"material \||library \|", line)]
        self.assertGreater(len(rows), 8)
        for line in rows:
            named = any(row.name in line for row in DEPENDENCIES if row.inside or row.needed_by)
            self.assertTrue(named or line.startswith(NOT_CONTAINED), line)

    def test_rows(self):
        for row in DEPENDENCIES:
            with self.subTest(row.name):
                users = row.inside + row.needed_by + row.optional_for + row.builds + row.tests
                self.assertTrue(users)
                self.assertLessEqual(set(users), set(bill.PARTS))
                self.assertRegex(row.licence, rf"\A{LICENCE.pattern}\Z")
                self.assertRegex(row.source, r"\A(git\+https://.*\.git|https://.*|NOASSERTION)\Z")


class Bill(unittest.TestCase):
    def test_elements(self):
        made = document()
        self.assertEqual((made["spdxVersion"], made["SPDXID"], made["creationInfo"]["created"]),
                         ("SPDX-2.3", "SPDXRef-DOCUMENT", "2023-11-14T22:13:20Z"))
        names = [package["SPDXID"] for package in made["packages"]]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, rf"\A{IDENTIFIER.pattern}\Z")
        for link in made["relationships"]:
            self.assertLessEqual({link["spdxElementId"], link["relatedSpdxElement"]}, {"SPDXRef-DOCUMENT", *names})
        linked = {link[end] for link in made["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
        self.assertEqual(linked, {"SPDXRef-DOCUMENT", *names})

    def test_packages(self):
        by_name = {package["name"]: package for package in document()["packages"]}
        self.assertEqual(by_name["heed"]["checksums"], [{"algorithm": "SHA256", "checksumValue": "ab" * 32}])
        self.assertEqual(by_name["zlib"]["versionInfo"], "1.2.3")
        self.assertNotIn("versionInfo", by_name["viridis"])
        self.assertEqual(by_name["libheed-mpi"]["licenseConcluded"], "MIT")
        for part in ("libheed", "heed-one-file", "heed-python"):
            self.assertEqual(by_name[part]["licenseConcluded"], "MIT AND Bitstream-Vera AND (MIT OR Unlicense) AND Apache-2.0 AND CC0-1.0")

    def test_relations(self):
        links = {(link["spdxElementId"][8:], link["relationshipType"], link["relatedSpdxElement"][8:]) for link in document()["relationships"]}
        self.assertLessEqual({("libheed", "DEPENDS_ON", "zlib"), ("zlib", "OPTIONAL_DEPENDENCY_OF", "heed-one-file"),
                              ("heed-one-file", "CONTAINS", "stb-image-write"), ("libheed-images", "DEPENDS_ON", "libpng"),
                              ("Check", "TEST_DEPENDENCY_OF", "heed"), ("DOCUMENT", "DESCRIBES", "heed")}, links)

    def test_the_same_bytes(self):
        self.assertEqual(json.dumps(document()), json.dumps(document()))


class Versions(unittest.TestCase):
    def test_numbers(self):
        for text, expected in (("/* stb_image_write - v1.16 - public domain", "1.16"), ("R version 4.2.2 Patched (2022-11-10)", "4.2.2"), ("none", None)):
            self.assertEqual(dependencies.number_in(text), expected)

    def test_missing(self):
        self.assertIsNone(dependencies.command("false")(None))

    def test_font(self):
        with tempfile.NamedTemporaryFile(suffix=".ttf") as file:
            # Two tables; `head` begins at byte 44 with its version, 1.0, and its revision, 2.37 in units of 2^-16.
            entries = b"cmap" + bytes(12) + b"head" + bytes(4) + (44).to_bytes(4, "big") + bytes(4)
            file.write(bytes.fromhex("00010000 0002 0000 0000 0000") + entries + bytes.fromhex("00010000 00025eb8"))
            file.flush()
            self.assertEqual(dependencies.font(dependencies.Places(None, file.name)), "2.37")


if __name__ == "__main__":
    unittest.main()
