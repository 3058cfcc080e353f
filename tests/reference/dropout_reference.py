"""tests/reference/dropout_reference.py - prints tests/reference/dropout_reference.h.

The header has the elements that dropout drops, computed with Python's integers from the description in
src/kernels/elementwise/dropout.h.

    /usr/bin/python3 tests/reference/dropout_reference.py > tests/reference/dropout_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from random_reference import M32, POSITION, SEED, philox, row

COUNT, P = 40, 0.3


def word(i):
    b = 1 + i // 4
    return philox((POSITION & M32, POSITION >> 32, b & M32, b >> 32), (SEED & M32, SEED >> 32))[i % 4]


def main():
    print("/* tests/reference/dropout_reference.h - written by dropout_reference.py. */")
    print("/* clang-format off */")
    print(f"#define REFERENCE_SEED UINT64_C({SEED:#x})")
    print(f"#define REFERENCE_POSITION UINT64_C({POSITION})")
    print(f"#define REFERENCE_COUNT {COUNT}")
    print(f"#define REFERENCE_P {P}")
    row("bool", "reference_dropped", [word(i) < round(P * 2**32) for i in range(COUNT)], lambda b: str(b).lower())


main()
