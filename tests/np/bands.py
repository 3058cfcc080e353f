#!/usr/bin/env python3
"""tests/np/bands.py - measures the coverage of heed-np's bands: bands.py PROGRAM SAMPLES

Every sample has 200 rows of sin(2 pi x) plus normal errors of 0.3, x uniform in 0 .. 1. The fit is local linear with the
bandwidth by leave-one-out least squares and bias-corrected bands. For pointwise and prediction bands, coverage is the share of
positions in 0.1 .. 0.9, over all samples, that lie inside; for simultaneous bands, the share of samples that lie inside
completely. The exit code is 1 if a share is outside 93 .. 97 %.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def curve(x):
    return math.sin(2 * math.pi * x)


def rows_of(program, path, kind, out):
    subprocess.run([program, "--degree", "1", "--starts", "2", "--corrected", "--interval", kind, "--output", out, "y ~ x", path], check=True,
                   stdout=subprocess.DEVNULL)
    with open(out, encoding="ascii") as file:
        return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]


def main():
    program, samples = sys.argv[1], int(sys.argv[2])
    held = {"pointwise": [0, 0], "simultaneous": [0, 0], "prediction": [0, 0]}
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "rows.csv", Path(folder) / "fit.csv"
        for _ in range(samples):
            x = [draw.random() for _ in range(200)]
            path.write_text("x,y\n" + "".join(f"{a!r},{curve(a) + draw.gauss(0, 0.3)!r}\n" for a in x), encoding="ascii")
            for kind, count in held.items():
                rows = [row for row in rows_of(program, path, kind, out) if 0.1 <= row["x"] <= 0.9]
                new = [curve(row["x"]) + (draw.gauss(0, 0.3) if kind == "prediction" else 0) for row in rows]
                inside = [row["lower"] <= value <= row["upper"] for row, value in zip(rows, new)]
                count[0] += all(inside) if kind == "simultaneous" else sum(inside)
                count[1] += 1 if kind == "simultaneous" else len(inside)
    shares = {kind: inside / n for kind, (inside, n) in held.items()}
    print("covered " + ", ".join(f"{kind} {100 * share:.1f} %" for kind, share in shares.items()))
    return 0 if all(0.93 <= share <= 0.97 for share in shares.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
