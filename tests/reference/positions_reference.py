#!/usr/bin/env python3
"""Writes positions_reference.h: positional encodings by NumPy, float64, for tests/nn/test_nn_attention.c.

    /usr/bin/python3 tests/reference/positions_reference.py | clang-format > tests/reference/positions_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import numpy as np


def encoding(h, positions):
    j = np.arange(h)
    angle = np.array(positions)[:, None] / np.power(10000.0, (j - j % 2) / h)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle)).flatten().tolist()


def main():
    print("/* tests/reference/positions_reference.h - written by positions_reference.py. */")
    print("#ifndef POSITIONS_REFERENCE_H\n#define POSITIONS_REFERENCE_H\n")
    print("/* Rows 0, 1, 2, 59 and 999 of the encodings with 5 and with 4 features. */")
    for h in (5, 4):
        numbers = ", ".join("%.16e" % v for v in encoding(h, [0, 1, 2, 59, 999]))
        print("static const double positions_%d[] = {%s};" % (h, numbers))
    print("\n#endif")


if __name__ == "__main__":
    main()
