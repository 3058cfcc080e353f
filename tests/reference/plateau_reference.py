#!/usr/bin/env python3
"""Writes plateau_reference.h: the learning rates that PyTorch's ReduceLROnPlateau sets, for tests/optim/test_schedule_plateau.c.

    /usr/bin/python3 tests/reference/plateau_reference.py | clang-format > tests/reference/plateau_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math

import torch

RATE = 0.1
METRICS = [5.0, 4.0, 4.0001, 3.9999, 4.5, -2.0, -2.0, -1.9999, -2.5, -2.4, -2.4, -2.4, -2.6, float("nan"), -2.6, -2.6,
           -2.6, -2.7, 5.5, float("inf"), -2.0, -2.0, -2.0, -2.0, -2.0]
CASES = {
    "patient": dict(),
    "quick": dict(factor=0.5, patience=1),
    "no_patience": dict(factor=0.7, patience=0),
    "most": dict(mode="max", factor=0.5, patience=2),
    "threshold": dict(factor=0.5, patience=1, threshold=0.3),
    "absolute": dict(factor=0.5, patience=1, threshold=0.15, threshold_mode="abs"),
    "most_absolute": dict(mode="max", factor=0.5, patience=1, threshold=0.15, threshold_mode="abs"),
    "exactly": dict(factor=0.9, patience=0, threshold=0.5, threshold_mode="abs"),
    "most_exactly": dict(mode="max", factor=0.9, patience=0, threshold=0.5, threshold_mode="abs"),
    "cooldown": dict(factor=0.5, patience=1, cooldown=3),
    "least": dict(factor=0.5, patience=0, min_lr=0.02),
    "eps": dict(factor=0.5, patience=0, eps=0.01),
}


def run(options):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=RATE)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **options)
    rates = []
    for metric in METRICS:
        schedule.step(metric)
        rates.append(optimizer.param_groups[0]["lr"])
    return rates


def number(x):
    return "(double)NAN" if math.isnan(x) else "(double)INFINITY" if math.isinf(x) else "%.17g" % x


def field(name, value):
    if value in ("max", "abs"):
        return {"max": ".max", "abs": ".absolute"}[value] + " = true"
    return ".no_patience = true" if (name, value) == ("patience", 0) else ".%s = %s" % (name, value)


def main():
    print("/* tests/reference/plateau_reference.h - written by plateau_reference.py with PyTorch %s. */"
          % torch.__version__)
    print("#ifndef PLATEAU_REFERENCE_H\n#define PLATEAU_REFERENCE_H\n\n#include <math.h>\n\n#include <heed/optim.h>\n")
    print("#define PLATEAU_METRICS %d\n#define PLATEAU_RATE %s" % (len(METRICS), RATE))
    print("static const double plateau_metrics[PLATEAU_METRICS] = {%s};" % ", ".join(map(number, METRICS)))
    print("\n/* The rate after every metric. */\nstatic const struct plateau_case {\n    const char *name;")
    print("    heed_plateau_options options;\n    double rates[PLATEAU_METRICS];\n} plateau_cases[] = {")
    for name, options in CASES.items():
        fields = ", ".join(field(*o) for o in options.items()) or ".max = false"
        print('    {"%s", {%s}, {%s}},' % (name, fields, ", ".join(map(number, run(options)))))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
