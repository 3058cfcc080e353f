#!/usr/bin/env python3
"""companions/python/tests/numpy_samples.py - runs the examples in NumPy's docstrings with heed's functions of the same name, and
compares the results. Prints a table: function, equal, refused, different, explained, outside, and the reasons.

    HEED_LIBRARY=build/release/src/libheed.so python3 companions/python/tests/numpy_samples.py [NAME ...]

An example is an expression that calls numpy.NAME, where heed has NAME. Python's floats
are f32 in heed, so 6 digits are compared.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import ast
import collections
import doctest
import sys
import warnings
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import heed  # noqa: E402

SPACES = {"": numpy, "linalg.": numpy.linalg}
# Differences that the headers or README.md explain.
EXPLAINED = {"empty": "the elements are arbitrary", "median": "the lower one of two middle elements", "prod": "dtypes are strings",
             "nonzero": "a row per element", "allclose": "1e-8 is below f32's precision", "isclose": "1e-8 is below f32's precision",
             "bincount": "x.size() is a method, as in PyTorch", "slogdet": "the sign is returned on request"}


class Mixed:
    """numpy, with one function of heed."""

    def __init__(self, module, name, function):
        self.module, self.name, self.function = module, name, function

    def __getattr__(self, name):
        return self.function if name == self.name else getattr(self.module, name)


def functions(chosen):
    """NumPy's functions whose name heed has: the module, the name, both functions."""
    for space, module in SPACES.items():
        for name in sorted(set(heed._spelling.FUNCTIONS)):
            theirs = getattr(module, name, None)
            if callable(theirs) and theirs.__doc__ and ">>>" in theirs.__doc__ and (not chosen or name in chosen):
                yield space, module, name, theirs


def is_call(source, space, name):
    """Whether the source is an expression that calls the function."""
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except SyntaxError:
        return False
    return f"np.{space}{name}(" in ast.unparse(tree)


def arrays(result):
    if isinstance(result, (tuple, list)) and not all(isinstance(part, (int, float, bool)) for part in result):
        return [array for part in result for array in arrays(part)]
    return [numpy.asarray(result)]


def outcome(ours, theirs):
    ours, theirs = arrays(ours), arrays(theirs)
    if len(ours) != len(theirs):
        return "different", f"{len(ours)} results instead of {len(theirs)}"
    for a, b in zip(ours, theirs):
        if a.shape != b.shape:
            return "different", f"shape {a.shape} instead of {b.shape}"
        if b.dtype.kind in "fiub" and not numpy.allclose(a, b, 1e-5, 1e-6, equal_nan=True):
            return "different", f"{a.tolist()} instead of {b.tolist()}"
    return "equal", ""


def check(source, ours, theirs):
    """The outcome of one example."""
    try:
        expected = eval(source.strip(), theirs)
    except Exception:
        return "outside", ""  # the example shows an error, or needs a package
    if any(array.dtype.kind not in "fiub" for array in arrays(expected)):
        return "outside", ""
    try:
        found = eval(source.strip(), ours)
    except Exception as wrong:
        return "refused", f"{type(wrong).__name__}: {wrong}"
    return outcome(found, expected)


def examples(space, module, name, theirs):
    """Runs the docstring of one function; yields (source, outcome, reason)."""
    function = heed._spelling.FUNCTIONS[name]
    mixed = Mixed(module, name, function)
    mixed = mixed if not space else Mixed(numpy, space[:-1], mixed)
    spaces = [{"np": mixed}, {"np": numpy}]
    for example in doctest.DocTestParser().get_examples(theirs.__doc__):
        if is_call(example.source, space, name):
            yield example.source, *check(example.source, *spaces)
        else:
            for names in spaces:
                try:
                    exec(example.source, names)
                except Exception:
                    pass  # the example shows an error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows, reasons = {}, []
    for space, module, name, theirs in functions(options.name):
        row = rows.setdefault(space + name, collections.Counter())
        for source, what, why in examples(space, module, name, theirs):
            what = "explained" if what == "different" and name in EXPLAINED else what
            row[what] += 1
            if why:
                reasons.append(f"{what} {space}{name}: {source.strip()}: {why}")
    words = ("equal", "refused", "different", "explained", "outside")
    print(f"{'function':30}" + "".join(f"{word:>10}" for word in words))
    total = sum(rows.values(), collections.Counter())
    for name, row in [*sorted(rows.items()), (f"{len(rows)} functions", total)]:
        print(f"{name:30}" + "".join(f"{row[word]:10}" for word in words))
    print(*reasons, sep="\n")


if __name__ == "__main__":
    main()
