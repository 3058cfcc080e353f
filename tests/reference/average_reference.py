#!/usr/bin/env python3
"""Writes average_reference.h: the averages of torch.optim.swa_utils.AveragedModel during a run, for
tests/optim/test_average.c.

    /usr/bin/python3 tests/reference/average_reference.py | clang-format > tests/reference/average_reference.h

The parameter is sin(START + t) after step t = 1, 2, ...
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

START = [1.5, 0.25, -0.75, 3.0, -2.0]
STEPS = 9
DECAYS = [0.0, 0.5, 0.999]


def run(decay, dtype):
    model = torch.nn.Module()
    model.w = torch.nn.Parameter(torch.tensor(START, dtype=dtype))
    ema = lambda a, p, n: a + (1 - decay) * (p - a)  # noqa: E731
    average = torch.optim.swa_utils.AveragedModel(model, avg_fn=ema if decay else None)
    for t in range(1, STEPS + 1):
        model.w.data = torch.sin(torch.tensor(START, dtype=dtype) + t)
        average.update_parameters(model)
    return average.module.w.tolist()


def main():
    print("/* tests/reference/average_reference.h - written by average_reference.py with PyTorch %s. */"
          % torch.__version__)
    print("#ifndef AVERAGE_REFERENCE_H\n#define AVERAGE_REFERENCE_H\n")
    print("#define AVERAGE_SIZE %d\n#define AVERAGE_STEPS %d" % (len(START), STEPS))
    print("static const double average_start[AVERAGE_SIZE] = {%s};\n" % ", ".join(map(repr, START)))
    print("static const struct average_case {\n    double decay, f64[AVERAGE_SIZE], f32[AVERAGE_SIZE];")
    print("} average_cases[] = {")
    for decay in DECAYS:
        ends = ["{%s}" % ", ".join("%.17g" % x for x in run(decay, d)) for d in (torch.float64, torch.float32)]
        print("    {%r, %s}," % (decay, ", ".join(ends)))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
