#!/usr/bin/env python3
"""companions/python/tests/test_owners.py - objects that own memory of the library cannot be copied; texts of the library
with any bytes."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ast
import copy
import ctypes
import importlib
import inspect
import multiprocessing
import pickle
import tempfile
import unittest
from pathlib import Path

import setting
import heed
import numpy
from heed import _library, nn, np as hnp

FOLDER = setting.ROOT / "companions" / "python" / "heed"
# Classes that do not own an address: numbers, options, Python's objects, and errors. Copies of a Tensor are tensors.
PLAIN = {"Tensor", "Operand", "Unfit", "Operators", "State", "Checkpoint", "Parameter", "Buffer", "Memory", "no_grad", "enable_grad", "Error", "Step",
         "Minimum", "At", "DensityAt", "Activation", "CallbackType", "_Unraisable", "Out", "_Predicted", "Uncopied", "_Functions", "Borrowed",
         "_Table", "Exported", "Layout", "detect_anomaly", "profile", "Hook", "Hooks", "Retained"}


def classes():
    """All classes that the package's sources define, by module and name."""
    for path in sorted(FOLDER.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = importlib.import_module(f"heed.{path.stem}" if path.stem != "__init__" else "heed")
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield path.stem, getattr(module, node.name)


def fit():
    return hnp.fit([0.0, 1, 2, 3, 4], [0.0, 1, 0, 2, 1], bandwidths=[1.0])


class Copies(setting.Case):
    def refuses(self, owner):
        for copied in (copy.copy, copy.deepcopy, *(lambda x, n=n: pickle.dumps(x, n) for n in range(pickle.HIGHEST_PROTOCOL + 1))):
            self.raises(TypeError, f"a {type(owner).__name__} cannot be copied or pickled", copied, owner)

    def test_every_class(self):
        found = 0
        for module, cls in classes():
            struct = issubclass(cls, (ctypes.Structure, heed._kinds.Kind))  # C numbers; argument kinds
            with self.subTest(f"{module}.{cls.__name__}"):
                if issubclass(cls, _library.Uncopied) and cls is not _library.Uncopied:
                    self.refuses(cls.__new__(cls))
                    found += 1
                else:
                    self.assertTrue(struct or cls.__name__ in PLAIN, "is it an owner? Then it is to be a subclass of Uncopied")
        self.assertGreater(found, 70)

    def test_owners(self):
        x = heed.ones((2, 3))
        for owner in (heed.KVCache(), heed.Comm(), x.requires_grad_().register_hook(print), x.detach().numpy().base, x._as_parameter_, nn.Linear(1, 1)._tree):
            self.refuses(owner)

    def test_nothing_that_frees_is_kept_elsewhere(self):
        """Only ctypes' objects free memory of C: a __del__ in Python runs again for a copy, and can be interrupted."""
        for path in FOLDER.glob("*.py"):
            for word in ("def __del__", "weakref.finalize"):
                self.assertNotIn(word, path.read_text(encoding="utf-8"), path.name)

    def test_tensors_are_copied(self):
        x = heed.tensor([1.0, 2.0])
        for twin in (copy.copy(x), copy.deepcopy(x), copy.deepcopy(nn.Parameter(x)).tensor, copy.deepcopy(heed._dict.State({"a": x}))["a"]):
            x.copy_(heed.tensor([5.0, 6.0]))
            self.same(twin, [1, 2])
            x.copy_(heed.tensor([1.0, 2.0]))

    def test_a_fit_goes_on_after_its_copy_is_freed(self):
        first = fit()
        wanted = first.predict([0.5]).mean[0]
        del copy.deepcopy([first])[0]
        others = [hnp.fit([0.0, 1, 2], [i, i, i + 1.0], bandwidths=[1.0]) for i in range(5)]
        self.assertEqual(first.predict([0.5]).mean[0], wanted)
        del others

    def test_other_processes(self):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            self.assertEqual(pool.apply(fit).predict([0.5]).mean[0], fit().predict([0.5]).mean[0])
            self.assertRaises(multiprocessing.pool.MaybeEncodingError, pool.apply, heed.KVCache)


class Texts(setting.Case):
    def test_a_message_that_is_not_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "d.npy")
            numpy.save(path, numpy.zeros(2, [("größe", "f8")]))
            for _ in range(2):
                self.raises(heed.Error, r"gr\xf6\xdfe", heed.load, path)
            self.raises(ValueError, "softmax", heed.softmax, heed.ones(2), 7)
            self.assertEqual(fit().rows, 5)

    def test_a_path_that_is_not_utf8(self):
        self.raises(heed.Error, r"\xff.npy", heed.load, "/nowhere/\udcff.npy")

    def test_names_that_are(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "größe.npz")
            heed.save(path, {"größe": heed.ones(1), "名": heed.zeros(1)})
            self.assertEqual(list(heed.load(path)), ["größe", "名"])

    def test_there_is_one_place_that_decodes(self):
        found = [path.name for path in FOLDER.glob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                 if isinstance(node, ast.Attribute) and node.attr == "decode"]
        self.assertEqual(found, ["_library.py"])
        self.assertEqual(inspect.signature(_library.text).return_annotation, str)


if __name__ == "__main__":
    unittest.main()
