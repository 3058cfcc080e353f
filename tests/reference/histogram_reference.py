#!/usr/bin/env python3
"""Writes tests/reference/histogram_reference.h: numbers, and the bins that NumPy's histogram counts them into.

    python3 tests/reference/histogram_reference.py > tests/reference/histogram_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import numpy as np

# Numbers that C and Python compute with the same bits: exact binary numbers and quotients by powers of two.
mixed = [(i * 7919) % 1024 / 1024 for i in range(500)]
CASES = {
    "squares": [m * m for m in mixed],
    "ends": [0, 0.25, 0.5, 0.75, 1.0, 1.0],
    "outlier": [m for m in mixed[:60]] + [20.0],
    "no_quartiles": [1.0] * 50 + [2.0, 3.0, 7.0],
    "one": [3.0],
}

print("/* Made by tests/reference/histogram_reference.py from NumPy: do not edit. */")
for name, values in CASES.items():
    for bins in "auto", 7:
        counts, edges = np.histogram(np.array(values), bins)
        print(f"static const double {name}_{bins}_counts[] = {{{', '.join(str(c) for c in counts)}}};")
        print(f"static const double {name}_{bins}_range[] = {{{edges[0].hex()}, {edges[-1].hex()}}};")
