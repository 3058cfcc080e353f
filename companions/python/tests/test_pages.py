#!/usr/bin/env python3
"""companions/python/tests/test_pages.py - the manual's pages of the package have every public name, and no broken link."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import inspect
import re
import sys
import tempfile
import unittest
from pathlib import Path

import setting
import heed
from heed import data, io, nn, np, optim, plot

sys.path.insert(0, str(setting.ROOT / "docs" / "manual" / "make"))

import library  # noqa: E402
import pages  # noqa: E402
import python_pages  # noqa: E402

MODULES = {module.__name__: module for module in (heed, data, io, nn, np, optim, plot)}


def public(module):
    """The names of __all__, except modules and __version__; in heed.np, the functions and classes with a docstring."""
    if hasattr(module, "__all__"):
        return {name for name in module.__all__ if not inspect.ismodule(getattr(module, name)) and not name.startswith("_")}
    return {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
            and inspect.isroutine(value) | inspect.isclass(value) and value.__doc__ and not value.__doc__.startswith("Structure")}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heed-pages-")
        cls.addClassCleanup(folder.cleanup)
        cls.manual = pages.Pages(library.Library(setting.ROOT))
        python_pages.PythonPages(cls.manual).write(Path(folder.name))
        cls.pages = {path.stem: path.read_text(encoding="utf-8") for path in Path(folder.name).glob("*.md")}

    def page(self, module):
        return self.pages[python_pages.page_of(module)]

    def entry(self, module, name):
        return self.page(module).partition(f"## {name} {{#{python_pages.anchor_of(module, name)}}}\n\n")[2].partition("\n## ")[0]

    def test_every_module_has_a_page(self):
        self.assertEqual(set(python_pages.MODULES), set(MODULES))
        self.assertEqual(set(self.pages), {"python", *map(python_pages.page_of, MODULES)})

    def test_every_public_name_has_an_entry(self):
        for name, module in MODULES.items():
            entries = set(re.findall(r"^## (\w+) \{#", self.page(name), re.M))
            self.assertEqual(public(module) - entries, set(), name)
            self.assertEqual({entry for entry in entries if not hasattr(module, entry)}, set(), name)

    def test_every_entry_says_more_than_its_name(self):
        constants = {"f32", "f64", "i64", "bool_"}
        for module, names in ((name, public(module) - constants) for name, module in MODULES.items()):
            for name in names:
                self.assertRegex(self.entry(module, name), r"^```py\n(?s:.)*\n```\n\n\S", f"{module}.{name}")

    def test_links(self):
        anchors = {anchor for text in self.pages.values() for anchor in re.findall(r"\{#(\w+)\}", text)}
        known = anchors | self.manual.names | set(self.manual.groups.values())
        for page, text in self.pages.items():
            self.assertEqual(set(re.findall(r"@(?:ref|subpage) (\w+)", text)) - known, set(), page)
        self.assertEqual(len(anchors), sum(len(re.findall(r"\{#\w+\}", text)) for text in self.pages.values()))

    def test_contents(self):
        for module, name, *texts in (
                ("heed", "softmax", "heed.softmax(x: Data, axis: int) -> Tensor", "Computes the softmax along `axis`", "In C: @ref heed_softmax "),
                ("heed", "sum", "heed.sum(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Tensor", "In NumPy: `numpy.sum`"),
                ("heed", "Tensor", "Tensor.backward(", "Tensor.shape: Tuple[int, ...]", '@ref python_heed_softmax "softmax"'),
                ("heed", "Memory", "`live_bytes: int`"),
                ("heed.nn", "Linear", "heed.nn.Linear(in_: int, out: int, *, no_bias: bool = False", "@ref heed_nn_linear_new ",
                 'Methods of its base: @ref python_heed_nn_Module "Module"'),
                ("heed.nn", "Module", "Module.parameters("),
                ("heed.nn", "silverman_width", "heed.nn.silverman_width(", "@ref heed_nn_silverman_width "),
                ("heed.optim", "clip_grad_norm_", "heed.optim.clip_grad_norm_(parameters: Any, max_norm: float) -> float"),
                ("heed.io", "npy_read", "heed.io.npy_read(path: Any", "@ref heed_io_npy_read "),
                ("heed.np", "fit", "heed.np.fit(x: Any, y: Any, *, degree: int = 0", "@ref heed_np_fit "),
                ("heed.np", "Fit", "`bandwidths: Array`", "Fit.predict(x: Any, *, band: str = 'pointwise'")):
            for text in texts:
                self.assertIn(text, self.entry(module, name), f"{module}.{name}")


if __name__ == "__main__":
    unittest.main()
