"""companions/python/tests/setting.py - the setup of all tests here: NumPy, and the package of this tree."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import gc
import os
import sys
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:
    # Debian's packages belong to Debian's Python, which may not be the first one.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("skipped: there is no NumPy (python3-numpy)")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "companions" / "python"))

import heed  # noqa: E402


class Case(unittest.TestCase):
    """A test that must leave no object of the library alive, and no error pending."""

    def run(self, result=None):
        gc.collect()
        before = heed.memory().live_objects
        outcome = super().run(result)
        gc.collect()
        if result is not None and not (result.failures or result.errors):
            try:
                self.assertEqual(heed.memory().live_objects, before, f"{self.id()} leaks")
                self.assertEqual(heed._handles.error_code(), 0, f"{self.id()} leaves an error")
            except AssertionError:
                result.addFailure(self, sys.exc_info())
        return outcome

    def same(self, tensor, expected, tolerance=1e-6):
        array = tensor.numpy() if isinstance(tensor, heed.Tensor) else tensor
        numpy.testing.assert_allclose(array, expected, tolerance, tolerance)
        self.assertEqual(numpy.shape(array), numpy.shape(expected))

    def raises(self, kind, text, function, *arguments, **keywords):
        with self.assertRaises(kind) as caught:
            function(*arguments, **keywords)
        self.assertIs(type(caught.exception), kind)
        self.assertIn(text, str(caught.exception))
