"""tests/examples/test_manual_pages.py - each public function has a man page, which says what its header says.

    python3 tests/examples/test_manual_pages.py [HEED_GRADCHECK]
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GRADCHECK = sys.argv.pop(1) if len(sys.argv) > 1 else None
PROJECT = Path(__file__).resolve().parents[2]
MACROS = {"TH", "nh", "ad", "SH", "SS", "PP", "RS", "RE", "nf", "fi", "TP", "IP", "B", "BR", '\\"'}  # the last one begins a comment

sys.path.insert(0, str(PROJECT / "docs" / "manual" / "make"))

import headers  # noqa: E402
import library  # noqa: E402
import man  # noqa: E402

HEADER = """/* heed/x.h - first title. About it
 * all.
 *
 * Stability: stable, except for heed_g,
 * heed_h
 * SPDX-License-Identifier: MIT */
#ifndef HEED_X_H
#define HEED_X_H

HEED_BEGIN_DECLS

/* A macro, on some systems. */
#if defined(__GNUC__)
#define HEED_M(x)                       \\
    do {                                \\
    } while (0)
#else
#define HEED_M(x)
#endif

/* -- Group -----
 * What holds for it. */

/* Calls: a struct with functions. */
typedef struct heed_calls {
    void *(*alloc)(size_t size); /* one; two */
    HEED_RESERVED;
} heed_calls;

/* A hook. */
typedef heed_tensor *(*heed_hook)(heed_tensor *x);

/* Not its own. */

HEED_API void heed_alone(void);

/* y = f(x).  dx = g
 *
 *     like(this);
 *
 * torch: torch.f, torch.F   numpy: numpy.f */
HEED_NODISCARD HEED_API heed_tensor *heed_f(heed_tensor *x,
                                            heed_hook hook) HEED_PRINTF(1, 2);
HEED_API heed_status heed_g(const char *text); /* behind it */

/* In the header. */
static inline bool heed_h(int x)
{
    return x > 0 ? '{' : ';';
}

HEED_END_DECLS

#endif
"""


def declared():
    """The functions, found in another way than the manual finds them."""
    names = set()
    for path in (PROJECT / "include" / "heed").rglob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        names.update(re.findall(r"^(?:HEED_\w+ )*(?:HEED_API|static inline)\s[^;(#]*?\b(heed_\w+)\s*\(", text, re.M))
    return names


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heed-man-")
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([sys.executable, PROJECT / "scripts" / "manual", "build", "--no-html", folder.name], check=True)
        cls.pages = {path.name: path.read_text(encoding="utf-8") for path in Path(folder.name).glob("man/man*/*")}

    def test_every_function_has_one(self):
        self.assertGreater(len(declared()), 300)
        pages = {name for name in self.pages if not name.startswith("HEED_")}
        self.assertEqual({f"{name}.3" for name in declared()} | {"heed.7", "heed-gradcheck.1", "heed-np.1"}, pages)

    def test_macros_have_one(self):
        for name, synopsis in (("HEED_TENSORS", "HEED_TENSORS(...)"), ("HEED_ENTER_FORWARD", "HEED_ENTER_FORWARD(name, net)"),
                               ("HEED_SCALAR", "HEED_SCALAR")):
            self.assertIn(f"\n\n{synopsis}\n.fi\n", self.pages[f"{name}.3"])

    def test_parts(self):
        for name, page in self.pages.items():
            if name.endswith(".3") and not name.startswith("HEED_"):
                function = name[:-2].replace("-", "\\-")
                with self.subTest(name):
                    self.assertRegex(page, rf"\n\.SH NAME\n{function} \\- \S")
                    self.assertRegex(page, rf"(?s)\n\.SH SYNOPSIS\n.*#include <heed/.*\b{function}\(.*\);\n\.fi\n")
                    self.assertNotRegex(page, "HEED_API|HEED_PRINTF|\u001e")

    def test_only_macros_begin_with_a_dot(self):
        for name, page in self.pages.items():
            self.assertLessEqual(set(re.findall(r"^[.'](\S*)", page, re.M)), MACROS, name)
            self.assertNotIn("@", page.replace(r"\(at", ""), name)

    def test_a_page_says_what_the_header_says(self):
        page = self.pages["heed_softmax.3"]
        for text in ("y = exp(x \\- max) / sum", "dx = y (g \\- sum(g y))", "torch.nn.functional.softmax", "\\fBHEED_ERR_SHAPE\\fP",
                     "heed_tensor *heed_softmax(heed_tensor *x, int axis);", ".SH EXAMPLE", "/* \\-> tensor([[0.0900",
                     ".BR heed_log_softmax (3)", '.SH "RETURN VALUE"'):
            self.assertIn(text, page)
        self.assertIn("bool causal;", self.pages["heed_dot_product_attention.3"])
        self.assertIn("HEED_COMPARE_LT", self.pages["heed_compare.3"])

    def test_overview_names_every_function(self):
        for name in declared():
            self.assertIn(f"\\fB{name}\\fP(3)", self.pages["heed.7"])
        self.assertIn(".B HEED_NUM_THREADS\n", self.pages["heed.7"])

    @unittest.skipUnless(GRADCHECK, "no heed-gradcheck")
    def test_options_of_gradcheck(self):
        output = subprocess.run([GRADCHECK, "--help"], check=True, capture_output=True, text=True).stdout
        page = self.pages["heed-gradcheck.1"].replace("\\-", "-")
        options = re.findall(r"^  (-\w), (--\w+)", output, re.M)
        self.assertGreater(len(options), 4)
        self.assertEqual(options, re.findall(r"^\\fB(-\w)\\fP, \\fB(--\w+)", page, re.M))


class Parts(unittest.TestCase):
    """What the manual sees of a header."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "x.h").write_text(HEADER, encoding="utf-8")
            cls.header = headers.Header(Path(folder) / "x.h", Path(folder))
        cls.items = {item.name: item for item in cls.header.items}

    def test_header(self):
        self.assertEqual((self.header.name, self.header.title, self.header.about), ("x.h", "first title", "About it\nall."))
        self.assertEqual((self.header.stability, self.header.exceptions), ("stable", ["heed_g", "heed_h"]))
        self.assertEqual([self.header.stability_of(self.items[name]) for name in ("heed_f", "heed_g")], ["stable", "experimental"])
        self.assertEqual([(s.title, s.text, [i.name for i in s.items]) for s in self.header.sections],
                         [("", "", ["HEED_M"]),
                          ("Group", "What holds for it.", ["heed_calls", "heed_hook", "heed_alone", "heed_f", "heed_g", "heed_h"])])

    def test_comments(self):
        self.assertEqual({name: item.comment for name, item in self.items.items()},
                         {"HEED_M": "A macro, on some systems.", "heed_calls": "Calls: a struct with functions.",
                          "heed_hook": "A hook.", "heed_alone": "", "heed_f": "y = f(x).  dx = g\n\n    like(this);", "heed_g": "",
                          "heed_h": "In the header."})

    def test_function(self):
        f = self.items["heed_f"]
        self.assertEqual((f.kind, f.gives_tensor, f.torch, f.numpy), ("function", True, ["torch.f", "torch.F"], ["numpy.f"]))
        self.assertEqual(f.prototype, "heed_tensor *heed_f(heed_tensor *x,\n                    heed_hook hook);")
        self.assertEqual(HEADER.splitlines()[f.line - 1][:14], "HEED_NODISCARD")
        self.assertEqual(self.items["heed_h"].prototype, "bool heed_h(int x);")


class Text(unittest.TestCase):
    def test_what_troff_would_take_for_its_own(self):
        self.assertEqual(man.body(".grad of `x`\n'a' \\n -1"), ".PP\n\\&.grad of \\fBx\\fP\n\\&'a' \\en \\-1\n")
        self.assertEqual(man.code(".lr = 1\n\n    'c'"), ".PP\n.RS 4\n.nf\n\\&.lr = 1\n\n    'c'\n.fi\n.RE\n")

    def test_first_sentence(self):
        for text, first in (("One.  Two.", "One"), ("In 0 .. 1, or\n1 ... 2. Two", "In 0 .. 1, or 1 ... 2"),
                            ("Of all K.  dx = g", "Of all K"), ("E. Nadaraya wrote it. Two", "E. Nadaraya wrote it"),
                            ("Dugas et al. did. Two", "Dugas et al. did"), ("a x (1.5). Two", "a x (1.5)"), ("None\n\nTwo", "None"),
                            ("", "")):
            self.assertEqual(library.first_sentence(text), first)

    def test_in_short(self):
        long = " and so on" * 12
        for sentence, short in (("One: two", "One: two"), ("One: two; three" + long, "One: two"), ("One" + long, "One" + long),
                                ('Stores one; "two: three" and `four: five`' + long, "Stores one"), ('"a: b"' + long, '"a: b"' + long)):
            self.assertEqual(library.in_short(sentence), short)

    def test_blocks(self):
        text = "a\nb\n    x = 1\n\n    y = 2\n\nc\n- one\n  more\n- two\n\nd"
        self.assertEqual(list(library.blocks(text)), [("text", "a\nb"), ("code", "x = 1\n\ny = 2"), ("text", "c"),
                                                      ("item", "one\nmore"), ("item", "two"), ("text", "d")])
        text = "a\nErrors: one\n    CODE\nReference: two\nthree"
        self.assertEqual(list(library.blocks(text)), [("text", "a"), ("text", "Errors: one"), ("code", "CODE"),
                                                      ("text", "Reference: two\nthree")])


if __name__ == "__main__":
    unittest.main()
