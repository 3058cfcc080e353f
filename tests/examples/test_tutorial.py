"""tests/examples/test_tutorial.py - scripts/tutorial goes red on wrong pages; the pages of docs/tutorial hang together.

    python3 tests/examples/test_tutorial.py C_COMPILER
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

CC = sys.argv.pop(1)
PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "scripts" / "tutorial"
PAGES = PROJECT / "docs" / "tutorial"

GOOD = """# A page

```c file
#include <stdio.h>

static int twice(int x)
{
    return 2 * x;
}
```

Says something.

```c
int x = twice(21);
printf("%d\\n", x);
```

```text
42
```

```math
x = 2 \\cdot 21
```

```c
x++;
```

And more.

```c
for (int i = 0; i < 2; i++)
    printf("%d\\n", x + i);
```

This comes:

```text
43
44
```
"""


def png(width, height):
    """A white picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress((b"\0" + b"\xff" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Book(unittest.TestCase):
    """Pages in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-test-tutorial-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "01-page.md"
        self.program = self.folder / "tutorial_01-page"

    def write(self, text=GOOD):
        self.page.write_text(text, encoding="utf-8")

    def script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments, self.page], capture_output=True, text=True)

    def compile(self, text=GOOD):
        """Writes and builds a page; returns the compiler's complaints."""
        self.write(text)
        source = self.folder / "page.c"
        done = self.script("--extract", "--marks", "--output", source)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return subprocess.run([CC, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, "-o", self.program],
                              capture_output=True, text=True).stderr

    def build(self, text=GOOD):
        self.assertEqual(self.compile(text), "")

    def run_script(self, action):
        return self.script(action, "--programs", self.folder)

    def assert_good(self, action="--check"):
        done = self.run_script(action)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def assert_broken(self, *texts, action="--check"):
        done = self.run_script(action)
        self.assertEqual(done.returncode, 1, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)


class Outputs(Book):
    def test_good(self):
        self.build()
        self.assert_good()

    def test_wrong_output(self):
        for old, new in (("42\n", "41\n"), ("42\n", "42 \n"), ("43\n44\n", "43\n"), ("43\n44\n", "44\n43\n"),
                         ("42\n", "42\n\n"), ("```text\n42\n", "```text\n")):
            with self.subTest(new):
                self.build(GOOD.replace(old, new))
                self.assert_broken("this block prints")

    def test_message_names_place_and_both_texts(self):
        self.build(GOOD.replace("42\n", "41\n"))
        self.assert_broken(f"{self.page}:14: this block prints\n    42\nbut the page says\n    41\n")

    def test_output_without_text(self):
        self.build(GOOD.replace("```text\n42\n```\n", ""))
        self.assert_broken(":14: this block prints\n    42\nbut the page says\n    nothing\n")

    def test_text_without_output(self):
        self.build(GOOD.replace("x++;\n```\n", "x++;\n```\n\n```text\n43\n```\n"))
        self.assert_broken("this block prints\n    nothing\nbut the page says\n    43\n")

    def test_output_of_the_wrong_block(self):
        self.build(GOOD.replace("x++;", 'x++;\nprintf("%d\\n", x);').replace("i = 0", "i = 1"))
        self.assert_broken("but the page says\n    nothing\n")

    def test_unfinished_line(self):
        self.build(GOOD.replace('"%d\\n", x + i', '"%d", x + i'))
        self.assert_broken("does not end its last line")

    def test_program_fails(self):
        self.build(GOOD.replace("x++;", "return 3;"))
        self.assert_broken("ended with code 3")

    def test_program_complains(self):
        self.build(GOOD.replace("x++;", 'x++;\nfputs("oh\\n", stderr);'))
        self.assert_broken("ended with code 0\noh")

    def test_program_of_an_older_page(self):
        self.build()
        self.write(GOOD.replace("Says something.", "Says\nsomething."))
        self.assert_broken("not built from this page")

    def test_program_is_missing(self):
        self.write()
        done = self.run_script("--check")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tutorial_01-page", done.stderr)


TABLE = """
| other | heed |
|---|---|
| `y = x + 1` | `twice(x)` |
| words | not code |

| kind | meaning |
|---|---|
| `no column of ours` | `nonsense` |

```python
nonsense here, too
```
"""


class Tables(Book):
    def test_cells_are_statements(self):
        self.build(GOOD + TABLE)
        self.assert_good()

    def test_nonsense_in_a_cell(self):
        line = (GOOD + TABLE).split("\n").index("| `y = x + 1` | `twice(x)` |") + 1
        self.assertIn(f"{self.page}:{line}:", self.compile(GOOD + TABLE.replace("twice(x)", "nonsense")))

    def test_cell_prints(self):
        self.build(GOOD + TABLE.replace("twice(x)", 'puts("43")'))
        self.assert_broken("prints\n    43\nbut the page says\n    nothing")
        self.assert_broken("a cell prints\n    43", action="--update")


class Update(Book):
    def test_good_page_stays(self):
        self.build()
        self.assert_good("--update")
        self.assertEqual(self.page.read_text(), GOOD)

    def test_outputs_are_written(self):
        for old, new in (("42\n", "7\n7\n7\n"), ("43\n44\n", ""), ("\n```text\n42\n```\n", "")):
            with self.subTest(old):
                self.build(GOOD.replace(old, new))
                self.assert_good("--update")
                self.assertEqual(self.page.read_text(), GOOD)

    def test_surplus_text(self):
        self.build(GOOD.replace("x++;\n```\n", "x++;\n```\n\n```text\n43\n```\n"))
        self.assert_broken("remove the text block", action="--update")

    def test_pictures(self):
        self.build(drawing(20, 10))
        self.assert_good("--update")
        self.assertEqual((self.folder / "images" / "white.png").read_bytes(), png(20, 10))
        self.build(drawing(20, 10))
        self.assert_good()


def drawing(width, height, shown="images/white.png"):
    """A page whose program draws white.png."""
    octets = ", ".join(map(str, png(width, height)))
    return ("```c file\n#include <stdio.h>\n```\n```c\n"
            f"static const unsigned char white[] = {{{octets}}};\n"
            'FILE *file = fopen("white.png", "wb");\nfwrite(white, sizeof white, 1, file);\nfclose(file);\n```\n'
            f"![white]({shown})\n")


class Pictures(Book):
    def keep(self, width, height, name="white.png"):
        (self.folder / "images").mkdir(exist_ok=True)
        (self.folder / "images" / name).write_bytes(png(width, height))

    def test_good(self):
        self.keep(20, 10)
        self.build(drawing(20, 10))
        self.assert_good()

    def test_missing(self):
        self.build(drawing(20, 10))
        self.assert_broken("images/white.png is missing")

    def test_other_size(self):
        self.keep(10, 20)
        self.build(drawing(20, 10))
        self.assert_broken("(10, 20) pixels", "(20, 10)")

    def test_not_drawn(self):
        self.keep(20, 10, "black.png")
        self.build(drawing(20, 10, "images/black.png"))
        self.assert_broken("shows images/black.png")

    def test_not_shown(self):
        self.build(drawing(20, 10).replace("![", "["))
        self.assert_broken("does not show white.png")

    def test_not_png(self):
        self.keep(20, 10)
        (self.folder / "images" / "white.png").write_text("white")
        self.build(drawing(20, 10))
        self.assert_broken("not a PNG")

    def test_elsewhere(self):
        self.write(drawing(20, 10, "white.png"))
        self.assert_broken("pages show images/NAME.png")


class Extraction(Book):
    def test_messages_point_into_the_page(self):
        for old, line in (("return 2 * x;", 8), ("x++;", 28)):
            with self.subTest(old):
                self.assertIn(f"{self.page}:{line}:", self.compile(GOOD.replace(old, "return nonsense;")))

    def test_program_for_readers(self):
        self.write()
        done = self.script("--extract")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, """#include <stdio.h>

static int twice(int x)
{
    return 2 * x;
}

int main(void)
{
    int x = twice(21);
    printf("%d\\n", x);

    x++;

    for (int i = 0; i < 2; i++)
        printf("%d\\n", x + i);
    return 0;
}
""")

    def test_blocks_that_are_none(self):
        for text, message in (("```sh\nls\n```\n", "01-page.md:1: a block is one of"),
                              ("```\nx\n```\n", "01-page.md:1: a block is one of"),
                              ("~~~c\nx;\n~~~\n", "01-page.md:1: a block is one of"),
                              ("- one\n  ```c\n  x;\n  ```\n", "01-page.md:2: a block is one of"),
                              ("```c\nint x;\n", "01-page.md:1: block without an end"),
                              ("```text\n1\n```\n", "01-page.md:1: text block without"),
                              ("```c\nputs(\"\");\n```\n```text\n1\n```\n```text\n2\n```\n", "md:7: text block without"),
                              ("```c\n;\n```\n```c file\n;\n```\n```text\n2\n```\n", "md:7: text block without"),
                              ("# Only words\n", "no c block")):
            with self.subTest(text):
                self.write(text)
                done = self.script("--extract")
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(message, done.stderr)


class Tutorial(unittest.TestCase):
    """The pages as they are."""

    pages = sorted(PAGES.glob("[0-9][0-9]-*.md"))

    def test_links(self):
        for page in [*self.pages, PAGES / "README.md"]:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
                if not re.match(r"https?://", target):
                    self.assertTrue((PAGES / target.split("#")[0]).exists(), f"{page.name}: {target}")

    def test_index_names_each_page_in_order(self):
        index = (PAGES / "README.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\d+\. \[.*?\]\((.*?)\)", index, re.M), [page.name for page in self.pages])

    def test_each_page_leads_on(self):
        for page, following in zip(self.pages, self.pages[1:]):
            self.assertIn(f"]({following.name})", page.read_text(encoding="utf-8"), page.name)

    def test_pictures_are_shown_once(self):
        shown = [name for page in self.pages
                 for name in re.findall(r"!\[[^\]]*\]\(images/([^)]*)\)", page.read_text(encoding="utf-8"))]
        self.assertEqual(sorted(shown), sorted(picture.name for picture in (PAGES / "images").iterdir()))


if __name__ == "__main__":
    unittest.main()
