"""tests/examples/test_site.py - makes the site and checks its pages and links, and the check of the links itself.

    python3 tests/examples/test_site.py

Exit code 77 if a package that the site needs is missing (scripts/setup --manual). site_in_browser.py opens the pages.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DEBIAN = "/usr/bin/python3"  # its packages belong to it, and it need not be the first Python
PROJECT = Path(__file__).resolve().parents[2]
NEEDED = ("markdown_it", "pygments")

sys.path.insert(0, str(PROJECT / "docs" / "manual" / "make"))

import links  # noqa: E402
from examples import Broken  # noqa: E402

# A folder without mistakes, and for every mistake of the check: the file, the replaced text, its replacement, the message.
PAGE = ('<link rel="stylesheet" href="a.css"><h1 id="top">x</h1><a href="b/b.html#end">b</a><a href="https://d2l.ai">d</a>'
        '<img src="i.png" alt="i" width="9"><script src="search-index.js"></script>')
FILES = {"index.html": PAGE, "b/b.html": '<p id="end"><a href="../index.html#top">up</a> <a href="#end">here</a></p>',
         "a.css": "p { background: url(i.png); }", "i.png": "", "search-index.js": 'const heed_index = [["b", "b/b.html#end"]];\n'}
MISTAKES = [
    ("index.html", "b/b.html#end", "b/c.html", "index.html: b/c.html does not exist"),
    ("index.html", "b.html#end", "b.html#start", "index.html: b/b.html#start: the page has no such anchor"),
    ("index.html", "b/b.html#end", "/b/b.html#end", "index.html: /b/b.html#end is not relative"),
    ("index.html", 'src="i.png"', 'src="https://d2l.ai/i.png"', "index.html: https://d2l.ai/i.png is not relative"),
    ("index.html", 'href="a.css"', 'href="//fonts.example/a.css"', "index.html: //fonts.example/a.css is not relative"),
    ("index.html", 'alt="i" ', "", "index.html: an image without alt or width: i.png"),
    ("index.html", ' width="9"', "", "index.html: an image without alt or width: i.png"),
    ("index.html", "<h1", '<h1 style="background: url(j.png)"', "index.html: j.png does not exist"),
    ("b/b.html", "#end", "#start", "b/b.html: #start: the page has no such anchor"),
    ("a.css", "i.png", "https://d2l.ai/f.woff", "a.css: https://d2l.ai/f.woff is not relative"),
    ("a.css", "p {", "@import 'other.css'; p {", "a.css: other.css does not exist"),
    ("search-index.js", "#end", "#start", "search-index.js: b/b.html#start: the page has no such anchor"),
]

MARKDOWN = """# A & B

See [the end](#the-end-of-x), [x](x.md#y), [a folder](src) and `heed_tanh()`.

| a | b |
|---|--:|
| `1` | ![two](two.png) |

## The *end* of `x`: 1, 2

```c file
heed_tanh(x); /* 1 < 2 */
```

## The end of x

```math
x^2
```
"""


class Links(unittest.TestCase):
    """The check of the links."""

    def problems(self, files):
        with tempfile.TemporaryDirectory(prefix="heed-links-") as name:
            for path, text in files.items():
                file = Path(name) / path
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return links.problems(Path(name))

    def test_finds_every_mistake(self):
        self.assertEqual(self.problems(FILES), [])
        for file, old, new, message in MISTAKES:
            with self.subTest(message):
                self.assertIn(old, FILES[file])
                found = self.problems({**FILES, file: FILES[file].replace(old, new)})
                self.assertIn(message, found)

    def test_finds_unused_files(self):
        self.assertEqual(self.problems({**FILES, "c.png": ""}), ["c.png: no page leads to it"])


class Markdown(unittest.TestCase):
    """Pages of Markdown."""

    def page(self, text):
        from markdown_page import Renderer  # not before the packages are known to be installed
        return Renderer(lambda link: "" if link == "src" else link.replace(".md", ".html"),
                        lambda link: {"src": link, "width": "3", "height": "4"}, {"heed_tanh": "m.html#t"}).page(text)

    def test_page(self):
        page = self.page(MARKDOWN)
        self.assertEqual(page.title, "A &amp; B")
        self.assertEqual(page.headings, [(2, "the-end-of-x-1-2", "The <em>end</em> of <code>x</code>: 1, 2"),
                                         (2, "the-end-of-x", "The end of x")])
        for part in ('<h2 id="the-end-of-x">', '<a href="x.html#y">x</a>, a folder and', '<div class="table" tabindex="0"><table>',
                     '<img src="two.png" alt="two" width="3" height="4"', '<a href="m.html#t"><code>heed_tanh()</code></a>',
                     '<a href="m.html#t">heed_tanh</a>(x); <span class="comment">/* 1 &lt; 2 */</span>', "<msup><mi>x</mi><mn>2</mn></msup>"):
            self.assertIn(part, page.body)

    def test_refuses(self):
        for text, message in (("# x\n\ny\n---\n", "2 headings"), ("x\n", "without a heading"), ("# x\n\n```math\n\\frac{\n```\n", "katex")):
            with self.subTest(text), self.assertRaisesRegex(Broken, message):
                self.page(text)


class Site(unittest.TestCase):
    """The site of the project."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heed-site-")
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name) / "site"
        done = subprocess.run([sys.executable, PROJECT / "scripts" / "manual", "site", "--strict", cls.site], check=False,
                              capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"scripts/manual site: {done.stderr}")

    def text(self, page):
        return (self.site / page).read_text(encoding="utf-8")

    def test_links(self):
        self.assertEqual(links.problems(self.site), [])

    def test_every_page_is_there(self):
        sources = [PROJECT / "CHANGELOG.md", *(PROJECT / "docs").glob("*.md"), *(PROJECT / "docs" / "tutorial").glob("*.md")]
        for source in sources:
            name = "index" if source.name == "README.md" else source.stem.lower()
            self.assertTrue(source.with_name(name + ".html").relative_to(PROJECT).as_posix() in self.names(), source)
        self.assertLessEqual({"index.html", "manual/index.html", "manual/functions.html", "site.css"}, self.names())

    def names(self):
        return {file.relative_to(self.site).as_posix() for file in self.site.rglob("*")}

    def test_only_the_search_is_a_script(self):
        self.assertEqual({name for name in self.names() if name.endswith(".js")}, {"manual/search.js", "manual/search-index.js"})
        for page in self.site.rglob("*.html"):
            scripts = re.findall(r"<script[^>]*>", page.read_text(encoding="utf-8"))
            self.assertEqual([Path(found.split('"')[1]).name for found in scripts], ["search-index.js", "search.js"], page)

    def test_navigation(self):
        self.assertIn('<a href="../../docs/tutorial/index.html" aria-current="page">Tutorial</a>', self.text("docs/tutorial/02-attention-pooling.html"))
        self.assertIn('<a href="../manual/index.html" aria-current="page">Manual</a>', self.text("manual/functions.html"))
        self.assertIn('<a href="functions.html">All functions</a>', self.text("manual/index.html"))
        self.assertIn('<a href="../docs/comparison.html" aria-current="page">Comparison</a>', self.text("docs/comparison.html"))
        self.assertIn('<a href="../docs/index.html" aria-current="page">Docs</a>', self.text("docs/size.html"))
        for rel, page in (("prev", "01-queries-keys-values"), ("next", "03-learning-the-width")):
            self.assertIn(f'<a rel="{rel}" href="{page}.html">', self.text("docs/tutorial/02-attention-pooling.html"))

    def test_keeps_other_files(self):
        with tempfile.TemporaryDirectory(prefix="heed-site-") as name:
            (Path(name) / "notes.txt").write_text("x", encoding="utf-8")
            done = subprocess.run([sys.executable, PROJECT / "scripts" / "manual", "site", name], check=False, capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stderr), (1, f"{name} has other files than a site; name a new folder\n"))
            self.assertTrue((Path(name) / "notes.txt").exists())

    def test_search(self):
        """A function comes before pages of the same name, and pages are found by their titles and headings."""
        first = {"dropout": "heed_dropout", "F.softmax": "heed_softmax", "size": "heed_dim", "gallery": "Docs: Gallery",
                 "masking other things": "4. Masked softmax: Masking other things"}
        folder = self.site / "manual"
        done = subprocess.run(["node", Path(__file__).with_name("run_search.js"), folder / "search-index.js", folder / "search.js"],
                              input=json.dumps(list(first)), text=True, capture_output=True, check=True)
        self.assertEqual([results[0][0] for results in json.loads(done.stdout)], list(first.values()))

    def test_headers_lead_to_the_manual(self):
        self.assertIn('href="../manual/group__header__data.html"', self.text("docs/from-pytorch.html"))


if __name__ == "__main__":
    missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
    if missing and os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    missing += [name for name in ("doxygen", "node") if not shutil.which(name)]
    if missing or not Path("/usr/share/nodejs/katex").exists():
        print(f"test_site: skipped: missing: {', '.join(missing) or 'katex'} (scripts/setup --manual)")
        sys.exit(77)
    unittest.main()
