#!/usr/bin/env python3
"""Writes rules_reference.h: 20 steps of torch.optim.RMSprop and Adagrad, and of Lion, which is implemented below, for
tests/optim/test_rules.c.

    /usr/bin/python3 tests/reference/rules_reference.py | clang-format > tests/reference/rules_reference.h

The gradient at p is a (p - c) + cos(p), for two parameters that begin at START. The second one has a gradient only
in every third step, so that its count of steps differs.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

A = [1.0, 3.0, 0.25, 2.0, 0.5]
C = [0.5, -1.0, 2.0, 0.0, -0.5]
START = [1.5, 0.25, -0.75, 3.0, -2.0]
STEPS = [1, 2, 5, 20]


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of X. Chen et al.: Symbolic Discovery of Optimization Algorithms (NeurIPS 2023)."""

    def __init__(self, parameters, lr=1e-4, beta1=0.9, beta2=0.99, weight_decay=0.0, maximize=False):
        super().__init__(parameters, dict(lr=lr, beta1=beta1, beta2=beta2, decay=weight_decay, up=maximize))

    @torch.no_grad()
    def step(self):
        for o in self.param_groups:
            for p in (p for p in o["params"] if p.grad is not None):
                m = self.state[p].setdefault("exp_avg", torch.zeros_like(p))
                g = -p.grad if o["up"] else p.grad
                p.mul_(1 - o["lr"] * o["decay"])
                p.sub_(torch.sign(o["beta1"] * m + (1 - o["beta1"]) * g), alpha=o["lr"])
                m.mul_(o["beta2"]).add_(g, alpha=1 - o["beta2"])


KINDS = {"rmsprop": torch.optim.RMSprop, "adagrad": torch.optim.Adagrad, "lion": Lion}
CASES = [
    ("rmsprop", dict()),
    ("rmsprop", dict(lr=0.1, alpha=0.9)),
    ("rmsprop", dict(lr=0.05, eps=0.1)),
    ("rmsprop", dict(lr=0.05, weight_decay=0.3)),
    ("rmsprop", dict(lr=0.02, momentum=0.9)),
    ("rmsprop", dict(lr=0.05, alpha=0.8, centered=True)),
    ("rmsprop", dict(lr=0.02, momentum=0.5, centered=True, weight_decay=0.1)),
    ("rmsprop", dict(lr=0.01, alpha=0.9, momentum=0.5, centered=True, weight_decay=0.2, maximize=True)),
    ("adagrad", dict()),
    ("adagrad", dict(lr=0.5)),
    ("adagrad", dict(lr=0.5, lr_decay=0.25)),
    ("adagrad", dict(lr=0.5, initial_accumulator_value=2.0)),
    ("adagrad", dict(lr=0.5, eps=0.5, weight_decay=0.3)),
    ("adagrad", dict(lr=0.1, lr_decay=0.1, initial_accumulator_value=0.5, weight_decay=0.1, maximize=True)),
    ("lion", dict()),
    ("lion", dict(lr=0.05)),
    ("lion", dict(lr=0.1, beta1=0.5, beta2=0.8)),
    ("lion", dict(lr=0.03, weight_decay=0.5)),
    ("lion", dict(lr=0.03, beta1=0.7, weight_decay=0.4, maximize=True)),
]


def run(kind, options, dtype):
    a, c = (torch.tensor(v, dtype=dtype) for v in (A, C))
    parameters = [torch.tensor(START, dtype=dtype, requires_grad=True) for _ in range(2)]
    optimizer = KINDS[kind](parameters, **options)
    at = []
    for step in range(1, max(STEPS) + 1):
        optimizer.zero_grad(set_to_none=True)
        for p in parameters[: 2 if step % 3 == 0 else 1]:
            p.grad = a * (p.detach() - c) + torch.cos(p.detach())
        optimizer.step()
        if step in STEPS:
            at.append([p.tolist() for p in parameters])
    return at


def braces(value):
    return "{" + ", ".join(map(braces, value)) + "}" if isinstance(value, list) else "%.17g" % value


def main():
    print("/* tests/reference/rules_reference.h - written by rules_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef RULES_REFERENCE_H\n#define RULES_REFERENCE_H\n\n#include <heed/optim.h>\n")
    print("#define RULES_SIZE %d\n#define RULES_MARKS %d" % (len(START), len(STEPS)))
    for name, values in (("a", A), ("c", C), ("start", START)):
        print("static const double rules_%s[RULES_SIZE] = %s;" % (name, braces(values)))
    print("static const int rules_steps[RULES_MARKS] = {%s};" % ", ".join(map(str, STEPS)))
    print("\n/* The kind of the optimizer, its options, and both parameters after every step of rules_steps. */")
    print("static const struct rules_case {\n    const char *kind;\n    const void *options;")
    print("    double f64[RULES_MARKS][2][RULES_SIZE];\n    double f32[RULES_MARKS][2][RULES_SIZE];\n} rules_cases[] = {")
    for kind, options in CASES:
        fields = ", ".join(".%s = %s" % (k, str(v).lower()) for k, v in options.items()) or ".lr = 0"
        f64, f32 = (braces(run(kind, options, dtype)) for dtype in (torch.float64, torch.float32))
        print('    {"%s", &(const heed_optim_%s_options){%s}, %s, %s},' % (kind, kind, fields, f64, f32))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
