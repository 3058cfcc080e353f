#!/usr/bin/env python3
"""tests/np/classes.py - computes probabilities of labels with NumPy by explicit sums.

Prints the numbers of tests/np/test_np_classes.c: species of penguins by flippers, bills and islands, at given bandwidths and at
the optimum found from the criterion's values alone (SciPy's Nelder-Mead).
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import sys
from pathlib import Path

import numpy
from scipy.optimize import minimize

DATA = Path(__file__).resolve().parents[2] / "examples" / "data"
NAMES = ("Flipper Length (mm)", "Culmen Length (mm)", "Island", "Species")


def load():
    with open(DATA / "penguins.csv", newline="", encoding="utf-8") as file:
        rows = [[row[name] for name in NAMES] for row in csv.DictReader(file)]
    rows = [row for row in rows if all(field not in ("", "NA") for field in row)]
    columns = list(zip(*rows))
    labels = [numpy.unique(column, return_inverse=True)[1] for column in columns[2:]]
    return numpy.array(columns[0], float), numpy.array(columns[1], float), labels[0], labels[1]


def weights_of(columns, kinds, bandwidths, queries):
    """(queries, rows)"""
    w = 1.0
    for x, kind, h, q in zip(columns, kinds, bandwidths, queries):
        away = numpy.asarray(q, float)[:, None] - x[None, :]
        w = w * (numpy.exp(-(away / h) ** 2 / 2) if kind == "c" else numpy.where(away == 0, 1, h))
    return w


def shares(y, k, l, classic):
    """L(y_i, c): (rows, k)"""
    same = y[:, None] == numpy.arange(k)[None, :]
    return numpy.where(same, 1 - l, l / (k - 1)) if classic else numpy.where(same, 1, l) / (1 + (k - 1) * l)


def criterion(columns, kinds, y, k, bandwidths, classic=False):
    w = weights_of(columns, kinds, bandwidths, columns)
    numpy.fill_diagonal(w, 0)
    p = w @ shares(y, k, bandwidths[-1], classic) / w.sum(1)[:, None]
    return -numpy.log(p[numpy.arange(len(y)), y]).mean()


def main():
    flipper, bill, island, species = load()
    columns, kinds = (flipper, bill, island), "ccu"
    print("rows", len(flipper), "islands", island.max() + 1)
    at = (4.0, 2.0, 0.3, 0.05)
    queries = ([190, 205, 300], [40, 48, 10], [0, 1, 2])
    w = weights_of(columns, kinds, at, queries)
    p = w @ shares(species, 3, at[-1], False) / w.sum(1)[:, None]
    for row in p:
        print("P", " ".join(f"{value:.12g}" for value in row))
    print("criterion", f"{criterion(columns, kinds, species, 3, at):.12g}")
    # The classic weights of three islands are 1 - l and l / 2; their ratio is l / (2 (1 - l))
    classic = (4.0, 2.0, 0.15 / 0.7, 0.05)
    print("classic", f"{criterion(columns, kinds, species, 3, classic, True):.12g}")

    def of(theta):
        h = numpy.exp(theta[:2])
        return criterion((flipper, bill), "cc", species, 3, (*h, 1 / (1 + numpy.exp(-theta[2]))))

    best = min((minimize(of, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14, "maxiter": 4000})
                for start in ((1, 1, -3), (2, 0, -5), (0, 2, -4), (3, 3, -2))), key=lambda found: found.fun)
    print("least", f"{best.fun:.10g}", "at", numpy.exp(best.x[:2]), 1 / (1 + numpy.exp(-best.x[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
