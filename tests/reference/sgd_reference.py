#!/usr/bin/env python3
"""Writes sgd_reference.h: 20 steps of torch.optim.SGD, for tests/optim/test_sgd.c.

    /usr/bin/python3 tests/reference/sgd_reference.py | clang-format > tests/reference/sgd_reference.h

f(p) = sum(a (p - c)^2 / 2 + sin(p)), float64, from p = START.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

A = [1.0, 3.0, 0.25]
C = [0.5, -1.0, 2.0]
START = [1.5, 0.25, -0.75]
STEPS = [1, 2, 5, 20]
CASES = [
    dict(lr=0.1),
    dict(lr=0.05, momentum=0.9),
    dict(lr=0.05, momentum=0.9, dampening=0.3),
    dict(lr=0.05, momentum=0.9, nesterov=True),
    dict(lr=0.1, weight_decay=0.05),
    dict(lr=0.05, momentum=0.9, weight_decay=0.05),
    dict(lr=0.05, momentum=0.5, dampening=0.1, weight_decay=0.2),
    dict(lr=0.05, momentum=0.7, weight_decay=0.05, nesterov=True),
    dict(lr=0.05, maximize=True),
    dict(lr=0.05, weight_decay=0.3, maximize=True),
    dict(lr=0.02, momentum=0.5, dampening=0.1, weight_decay=0.02, maximize=True),
    dict(lr=0.02, momentum=0.6, weight_decay=0.1, nesterov=True, maximize=True),
]


def run(options):
    a, c = (torch.tensor(v, dtype=torch.float64) for v in (A, C))
    p = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([p], **options)
    at = []
    for step in range(1, max(STEPS) + 1):
        optimizer.zero_grad()
        (a * (p - c) ** 2 / 2 + torch.sin(p)).sum().backward()
        optimizer.step()
        if step in STEPS:
            at.append(p.tolist())
    return at


def braces(numbers):
    return "{" + ", ".join("%.17g" % v for v in numbers) + "}"


def main():
    print("/* tests/reference/sgd_reference.h - written by sgd_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef SGD_REFERENCE_H\n#define SGD_REFERENCE_H\n\n#include <heed/optim.h>\n")
    print("#define SGD_SIZE %d\n#define SGD_MARKS %d" % (len(START), len(STEPS)))
    for name, values in (("a", A), ("c", C), ("start", START)):
        print("static const double sgd_%s[SGD_SIZE] = %s;" % (name, braces(values)))
    print("static const int sgd_steps[SGD_MARKS] = {%s};" % ", ".join(map(str, STEPS)))
    print("\n/* The options, and p after each of sgd_steps. */")
    print("static const struct sgd_case {\n    heed_optim_sgd_options options;\n    double p[SGD_MARKS][SGD_SIZE];\n} sgd_cases[] = {")
    for options in CASES:
        fields = ", ".join(".%s = %s" % (k, "true" if v is True else repr(v)) for k, v in options.items())
        rows = ",\n      ".join(braces(p) for p in run(options))
        print("    {{%s},\n     {%s}}," % (fields, rows))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
