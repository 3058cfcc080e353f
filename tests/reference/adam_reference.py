#!/usr/bin/env python3
"""Writes adam_reference.h: 20 steps of torch.optim.Adam and AdamW, for tests/optim/test_adam.c.

    /usr/bin/python3 tests/reference/adam_reference.py | clang-format > tests/reference/adam_reference.h

f(p) = sum(a (p - c)^2 / 2 + sin(p)), for two parameters that begin at START. The second one has a gradient only in
every third step, so that its count of steps differs.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

A = [1.0, 3.0, 0.25, 2.0, 0.5]
C = [0.5, -1.0, 2.0, 0.0, -0.5]
START = [1.5, 0.25, -0.75, 3.0, -2.0]
STEPS = [1, 2, 5, 20]
CASES = [
    ("Adam", dict()),
    ("Adam", dict(lr=0.1)),
    ("Adam", dict(lr=0.05, beta1=0.8, beta2=0.9)),
    ("Adam", dict(lr=0.05, no_momentum=True)),
    ("Adam", dict(lr=0.1, eps=0.01)),
    ("Adam", dict(lr=0.1, weight_decay=0.3)),
    ("Adam", dict(lr=0.1, beta2=0.5, amsgrad=True)),
    ("Adam", dict(lr=0.1, beta2=0.7, weight_decay=0.1, amsgrad=True)),
    ("Adam", dict(lr=0.1, maximize=True)),
    ("Adam", dict(lr=0.1, beta2=0.6, weight_decay=0.2, amsgrad=True, maximize=True)),
    ("AdamW", dict()),
    ("AdamW", dict(lr=0.1, weight_decay=0.01)),
    ("AdamW", dict(lr=0.05, beta1=0.7, beta2=0.8, eps=1e-6, weight_decay=0.4)),
    ("AdamW", dict(lr=0.1, beta2=0.5, weight_decay=0.2, amsgrad=True)),
    ("AdamW", dict(lr=0.1, no_momentum=True, beta2=0.6, weight_decay=0.2)),
    ("AdamW", dict(lr=0.1, weight_decay=0.3, maximize=True)),
]


def run(kind, options, dtype):
    torch_options = {k: v for k, v in options.items() if not k.startswith("beta") and k != "no_momentum"}
    beta1 = 0.0 if options.get("no_momentum") else options.get("beta1", 0.9)
    torch_options["betas"] = (beta1, options.get("beta2", 0.999))
    torch_options.setdefault("weight_decay", 0.0)
    a, c = (torch.tensor(v, dtype=dtype) for v in (A, C))
    parameters = [torch.tensor(START, dtype=dtype, requires_grad=True) for _ in range(2)]
    optimizer = getattr(torch.optim, kind)(parameters, **torch_options)
    at = []
    for step in range(1, max(STEPS) + 1):
        optimizer.zero_grad(set_to_none=True)
        for p in parameters[: 2 if step % 3 == 0 else 1]:
            (a * (p - c) ** 2 / 2 + torch.sin(p)).sum().backward()
        optimizer.step()
        if step in STEPS:
            at.append([p.tolist() for p in parameters])
    return at


def braces(value):
    return "{" + ", ".join(map(braces, value)) + "}" if isinstance(value, list) else "%.17g" % value


def literal(value):
    return "true" if value is True else repr(value)


def main():
    print("/* tests/reference/adam_reference.h - written by adam_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef ADAM_REFERENCE_H\n#define ADAM_REFERENCE_H\n\n#include <heed/optim.h>\n")
    print("#define ADAM_SIZE %d\n#define ADAM_MARKS %d" % (len(START), len(STEPS)))
    for name, values in (("a", A), ("c", C), ("start", START)):
        print("static const double adam_%s[ADAM_SIZE] = %s;" % (name, braces(values)))
    print("static const int adam_steps[ADAM_MARKS] = {%s};" % ", ".join(map(str, STEPS)))
    print("\n/* The options, and both parameters after every step of adam_steps. */")
    print("static const struct adam_case {\n    bool decoupled; /* AdamW */\n    heed_optim_adam_options options;")
    print("    double f64[ADAM_MARKS][2][ADAM_SIZE];\n    double f32[ADAM_MARKS][2][ADAM_SIZE];\n} adam_cases[] = {")
    for kind, options in CASES:
        fields = ", ".join(".%s = %s" % (k, literal(v)) for k, v in options.items()) or ".lr = 0"
        f64, f32 = (braces(run(kind, options, dtype)) for dtype in (torch.float64, torch.float32))
        print("    {%s, {%s}, %s, %s}," % ("true" if kind == "AdamW" else "false", fields, f64, f32))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
