#!/usr/bin/env python3
"""tests/np/densities.py - computes densities with statsmodels.

Prints the numbers of tests/np/test_np_density.c: densities and the mean leave-one-out log-likelihood at given bandwidths, and
bandwidths by likelihood, which statsmodels finds to about four digits.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import sys
from pathlib import Path

import numpy
from statsmodels.nonparametric.kernel_density import KDEMultivariate

DATA = Path(__file__).resolve().parents[2] / "examples" / "data"


def column(name):
    with open(DATA / "faithful.csv", newline="", encoding="utf-8") as file:
        return numpy.array([float(row[name]) for row in csv.DictReader(file)])


def show(title, data, kinds, bandwidths, queries):
    kde = KDEMultivariate(data, kinds, bw=bandwidths)
    n = len(data[0])
    likelihood = kde.loo_likelihood(numpy.asarray(bandwidths, dtype=float), numpy.log)  # uses sums instead of means
    print(title, "f", [float(f"{f:.12g}") for f in kde.pdf(queries)],
          "criterion", f"{likelihood / n + numpy.log(n - 1):.12g}")


def main():
    eruptions, waiting = column("eruptions"), column("waiting")
    long = numpy.floor(eruptions)
    show("one", [eruptions], "c", [0.2], [[1.75, 3.0, 4.5, 9.0]])
    show("two", [eruptions, waiting], "cc", [0.2, 3.0], [[2.0, 50.0], [4.5, 80.0]])
    show("unordered", [waiting, long], "cu", [3.0, 0.2], [[55.0, 1.0], [80.0, 4.0], [80.0, 1.0]])
    show("ordered", [waiting, long], "co", [3.0, 0.2], [[55.0, 1.0], [80.0, 4.0], [80.0, 1.0]])
    print("h", KDEMultivariate([eruptions], "c", bw="cv_ml").bw)
    print("h", KDEMultivariate([eruptions, waiting], "cc", bw="cv_ml").bw)
    return 0


if __name__ == "__main__":
    sys.exit(main())
