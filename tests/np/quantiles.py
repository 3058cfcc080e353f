#!/usr/bin/env python3
"""tests/np/quantiles.py - solves quantile regression as a linear program with SciPy.

Prints the numbers of tests/np/test_np_quantile.c: the line with the exact least weighted check loss at every query.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import sys
from pathlib import Path

import numpy
from scipy.optimize import linprog

DATA = Path(__file__).resolve().parents[2] / "examples" / "data"


def columns(name, *wanted):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if "NA" not in (row[column] for column in wanted)]
    return [numpy.array([float(row[column]) for row in rows]) for column in wanted]


def quantile(x, y, w, q, level):
    """The plane's value at q: min sum w (level u + (1 - level) v), u - v + a beta = y, u, v >= 0."""
    n, powers = len(y), x.shape[1] + 1
    a = numpy.column_stack([numpy.ones(n), x - q])
    cost = numpy.concatenate([level * w, (1 - level) * w, numpy.zeros(powers)])
    equal = numpy.hstack([numpy.eye(n), -numpy.eye(n), a])
    bounds = [(0, None)] * (2 * n) + [(None, None)] * powers
    found = linprog(cost, A_eq=equal, b_eq=y, bounds=bounds, method="highs-ds",
                    options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    return found.x[2 * n]


def main():
    times, accel = columns("mcycle.csv", "times", "accel")
    for level in (0.1, 0.5, 0.9):
        print(level, [f"{quantile(times[:, None], accel, numpy.exp(-((times - q) / 2) ** 2 / 2), q, level):.10g}"
                      for q in (10.3, 21.7, 35.1, 50.9)])
    wind, warmth, ozone = columns("airquality.csv", "Wind", "Temp", "Ozone")
    x, q, h = numpy.column_stack([wind, warmth]), numpy.array([8.3, 80.2]), numpy.array([3.0, 6.0])
    w = numpy.exp(-(((x - q) / h) ** 2).sum(1) / 2)
    print("two", [f"{quantile(x, ozone, w, q, level):.10g}" for level in (0.25, 0.75)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
