#!/usr/bin/env python3
"""Writes scaler_reference.h: means and deviations in exact fractions, for tests/data/test_scaler.c.

    /usr/bin/python3 tests/reference/scaler_reference.py | clang-format > tests/reference/scaler_reference.h

The columns have ordinary numbers, large numbers with small differences, tiny numbers, equal numbers, and numbers some
of which are missing.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import random
import sys
from fractions import Fraction

ROWS = 25


def columns():
    random.seed(4)
    yield [random.gauss(3, 2) for _ in range(ROWS)]
    yield [1.7e9 + random.randrange(1000) / 8 for _ in range(ROWS)]
    yield [random.uniform(-1, 1) * 1e-12 for _ in range(ROWS)]
    yield [0.1] * ROWS
    yield [random.gauss(0, 1) if i % 4 else None for i in range(ROWS)]


def measure(column):
    numbers = [Fraction(x) for x in column if x is not None]
    mean = sum(numbers) / len(numbers)
    variance = sum((x - mean) ** 2 for x in numbers) / len(numbers)
    # the square root of a fraction, to far more digits than a double has
    root = Fraction(math.isqrt(int(variance * 10 ** 120)), 10 ** 60)
    return float(mean), float(root) if root else 1.0


def c(x):
    return "(double)NAN" if x is None else x.hex()


def main():
    table = list(columns())
    print(f"/* tests/reference/scaler_reference.h - written by scaler_reference.py with Python {sys.version.split()[0]}. */")
    print("#ifndef SCALER_REFERENCE_H\n#define SCALER_REFERENCE_H\n\n#include <math.h>\n")
    print(f"#define SCALER_ROWS {ROWS}\n#define SCALER_COLUMNS {len(table)}\n")
    print("static const double scaler_x[SCALER_ROWS][SCALER_COLUMNS] = {")
    for row in zip(*table):
        print("{" + ", ".join(map(c, row)) + "},")
    print("};")
    for name, i in (("mean", 0), ("std", 1)):
        print(f"static const double scaler_{name}[SCALER_COLUMNS] = {{{', '.join(measure(x)[i].hex() for x in table)}}};")
    print("\n#endif")


if __name__ == "__main__":
    main()
