#!/usr/bin/python3
"""Prints the known values in the cases of the elementwise ops (tests/ops/elementwise), from NumPy in float64.

Debian: apt-get install python3-numpy
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math

import numpy as np

ANY = [0.5, -1.25, 3.0, -0.1, 1e-8, 7.0]
POSITIVE = [0.5, 1.25, 3.0, 0.1, 1e-8, 700.0]
INSIDE = [0.5, -0.25, 0.875, -0.1, 1e-8, 0.999]
ANGLES = [0.5, -1.25, 3.0, 1e-8, 100.0, -12345.678]

erf = np.vectorize(math.erf)
erfc = np.vectorize(math.erfc)

VALUES = {
    "sqrt": (np.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE),
    "exp": (np.exp, ANY),
    "log": (np.log, POSITIVE),
    "log2": (np.log2, [0.7, *POSITIVE[1:]]),
    "log10": (np.log10, POSITIVE),
    "sin": (np.sin, ANGLES),
    "tan": (np.tan, [*ANGLES, 1e22]),
    "cos": (np.cos, ANGLES),
    "log (denormals)": (np.log, [5e-324, 1e-310]),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), ANY),
    "1e44 sigmoid": (lambda x: 1e44 / (1 + np.exp(-x)), [-100.0, -110.0]),
    "erf": (erf, ANY),
    "gelu": (lambda x: x * erfc(-x / np.sqrt(2)) / 2, ANY),
    "mish": (lambda x: x * np.tanh(np.log1p(np.exp(x))), [0.5, -1.25, 3.0, -30.0, 1e-8, 40.0]),
    "expm1": (np.expm1, ANY),
    "log1p": (np.log1p, [0.5, -0.75, 3.0, -0.1, 1e-8, 7e20]),
    "sinh": (np.sinh, [*ANY, 710.25]),
    "cosh": (np.cosh, [*ANY, 710.25]),
    "asin": (np.arcsin, INSIDE),
    "acos": (np.arccos, INSIDE),
    "atan": (np.arctan, ANY),
    "elu 1.5": (lambda x: np.where(x > 0, x, 1.5 * np.expm1(x)), ANY),
    "pow_scalar 2.5": (lambda x: x**2.5, POSITIVE),
    "pow_scalar -1": (lambda x: x**-1.0, ANY),
    "pow_scalar 3": (lambda x: x**3.0, ANY),
    "div by 3": (lambda x: x / 3.0, ANY),
}

for name, (f, x) in VALUES.items():
    print(name, "of", ", ".join(map(repr, x)))
    print("   ", ", ".join(repr(float(y)) for y in f(np.array(x))))
