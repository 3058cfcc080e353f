#!/usr/bin/env python3
"""tests/np/limits.py - kernel regression in limiting cases: NumPy with explicit sums, in 200 digits if they cancel.

Prints numbers of tests/np/test_np_weights.c and tests/np/test_np_limits.c. The 200 digits need mpmath.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import numpy
from mpmath import exp, matrix, mp, mpf, sqrt

mp.dps = 200


def constant_at(x, y, w, h, q):
    k = numpy.exp(-0.5 * ((x - q) / h) ** 2) * w
    return float((k * y).sum() / k.sum())


def robust_constant(x, y, h, q):
    """One round of bisquare weights."""
    e = numpy.array([yi - constant_at(x, y, 1, h, xi) for xi, yi in zip(x, y)])
    u = numpy.minimum(numpy.abs(e) / (6 * numpy.median(numpy.abs(e))), 1)
    return constant_at(x, y, (1 - u ** 2) ** 2, h, q)


def distance_of_share(x, w, share, q):
    away = numpy.abs(x - q)
    order = numpy.argsort(away, kind="stable")
    return away[order][numpy.searchsorted(numpy.cumsum(w[order]), share * w.sum() * (1 - 1e-12))]


def exact_sigma(x, y, h, degree):
    """sqrt(RSS / tr (I - H)(I - H)'), with every entry of H."""
    n = len(x)
    rss = rest = mpf(0)
    for i in range(n):
        powers = matrix(n, degree + 1)
        for j in range(n):
            for p in range(degree + 1):
                powers[j, p] = mpf(x[j] - x[i]) ** p
        k = [exp(-(mpf(x[j] - x[i]) / mpf(h)) ** 2 / 2) for j in range(n)]
        s = matrix(degree + 1, degree + 1)
        for j in range(n):
            for a in range(degree + 1):
                for b in range(degree + 1):
                    s[a, b] += k[j] * powers[j, a] * powers[j, b]
        first = (s ** -1)[0, :]
        row = [k[j] * sum(first[a] * powers[j, a] for a in range(degree + 1)) for j in range(n)]
        rss += (mpf(y[i]) - sum(row[j] * mpf(y[j]) for j in range(n))) ** 2
        rest += sum(((i == j) - row[j]) ** 2 for j in range(n))
    return float(sqrt(rss / rest))


def main():
    x, y = numpy.arange(5.0), numpy.array([0, 1, 4, 2, 3.0])
    print("robust, m(1)", repr(robust_constant(x, y, 1, 1)))
    square = x ** 2
    for name, w, share in (("4 of 7", numpy.array([2, 2, 1, 1, 1.0]), 4 / 7), ("real", numpy.exp(square / 31.7), 0.75)):
        h = distance_of_share(x, w, share, 3)
        print("nearest,", name, repr(constant_at(x, square, w, h, 3)))
    x, y = list(range(10)), [0, 2, 4, 1, 3, 0, 2, 4, 1, 3]
    for degree, h in ((0, 0.2), (0, 0.06), (1, 0.2)):  # narrower windows have weights below 1e-20, which heed leaves out
        print("sigma, degree", degree, "h", h, repr(exact_sigma(x, y, h, degree)))


if __name__ == "__main__":
    main()
