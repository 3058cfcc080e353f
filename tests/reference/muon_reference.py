#!/usr/bin/env python3
"""Writes muon_reference.h: 10 steps of Muon, which is implemented below, for tests/optim/test_muon.c.

    /usr/bin/python3 tests/reference/muon_reference.py | clang-format > tests/reference/muon_reference.h

The parameter begins at sin(1), sin(2), ..., in row-major order, and its gradient at p is p - 1 + cos(p).
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

STEPS = [1, 10]
SHAPES = [(2, 3), (3, 2), (2, 2), (1, 4), (6, 1)]
CASES = [dict(), dict(lr=0.1, momentum=0.5), dict(lr=0.1, weight_decay=0.5), dict(lr=0.1, no_nesterov=True),
         dict(lr=0.1, steps=3), dict(lr=0.05, momentum=0.8, weight_decay=0.2, maximize=True)]


def orthogonalised(g, steps):
    """K. Jordan et al.: Muon (2024), in the dtype of g."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.T if g.size(0) > g.size(1) else g
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if g.size(0) > g.size(1) else x


def step(p, g, b, lr=0.02, momentum=0.95, weight_decay=0.0, steps=5, no_nesterov=False, maximize=False):
    g = -g if maximize else g
    b.lerp_(g, 1 - momentum)
    x = orthogonalised(b if no_nesterov else g.lerp(b, momentum), steps)
    p.mul_(1 - lr * weight_decay)
    p.sub_(x * max(1, p.size(0) / p.size(1)) ** 0.5, alpha=lr)


def run(shape, options, dtype):
    p = torch.sin(torch.arange(1, shape[0] * shape[1] + 1, dtype=torch.float64)).reshape(shape).to(dtype)
    b = torch.zeros_like(p)
    at = []
    for t in range(1, max(STEPS) + 1):
        step(p, p - 1 + torch.cos(p), b, **options)
        if t in STEPS:
            at.append(p.flatten().tolist())
    return at


def braces(value):
    return "{" + ", ".join(map(braces, value)) + "}" if isinstance(value, list) else "%.17g" % value


def main():
    print("/* tests/reference/muon_reference.h - written by muon_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef MUON_REFERENCE_H\n#define MUON_REFERENCE_H\n\n#include <heed/optim.h>\n")
    print("#define MUON_SIZE %d\n#define MUON_MARKS %d" % (max(r * c for r, c in SHAPES), len(STEPS)))
    print("static const int muon_steps[MUON_MARKS] = {%s};" % ", ".join(map(str, STEPS)))
    print("\n/* A shape, the options, and the parameter after each of muon_steps. */\nstatic const struct muon_case {")
    print("    int rows, columns;\n    heed_optim_muon_options options;")
    print("    double f64[MUON_MARKS][MUON_SIZE], f32[MUON_MARKS][MUON_SIZE];\n} muon_cases[] = {")
    for options in CASES:
        fields = ", ".join(".%s = %s" % (k, str(v).lower()) for k, v in options.items()) or ".lr = 0"
        for shape in SHAPES:
            f64, f32 = (braces(run(shape, options, dtype)) for dtype in (torch.float64, torch.float32))
            print("    {%d, %d, {%s}, %s, %s}," % (*shape, fields, f64, f32))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
