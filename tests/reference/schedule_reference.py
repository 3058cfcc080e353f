#!/usr/bin/env python3
"""Writes schedule_reference.h: the learning rates of PyTorch's schedulers, for tests/optim/test_schedule.c and test_schedule_parts.c.

    /usr/bin/python3 tests/reference/schedule_reference.py | clang-format > tests/reference/schedule_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch
from torch.optim import lr_scheduler as s

RATES = [0.1, 0.02]
STEPS = 24
CASES = {
    "step": lambda o: s.StepLR(o, 3, 0.5),
    "exponential": lambda o: s.ExponentialLR(o, 0.9),
    "growing": lambda o: s.ExponentialLR(o, 1.25),
    "cosine": lambda o: s.CosineAnnealingLR(o, 20),
    "cosine_waves": lambda o: s.CosineAnnealingLR(o, 7, 0.03),
    "linear": lambda o: s.LinearLR(o, 0.25, 1.0, 5),
    "linear_down": lambda o: s.LinearLR(o, 1.0, 0.1, 15),
    "multi_step": lambda o: s.MultiStepLR(o, [0, 5, 5, 11], 0.5),
    "longer_restarts": lambda o: s.CosineAnnealingWarmRestarts(o, 3, 2, 0.005),
    "lambda": lambda o: s.LambdaLR(o, lambda t: 1 / (1 + 0.3 * t)),
    "restarts_after_warm_up": lambda o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, 1.0, 4), s.CosineAnnealingWarmRestarts(o, 7)], [4]),
    "chained": lambda o: s.ChainedScheduler([s.LinearLR(o, 0.1, 1.0, 6), s.ExponentialLR(o, 0.8)]),
    "chained_three": lambda o: s.ChainedScheduler(
        [s.LinearLR(o, 0.5, 1.0, 4), s.StepLR(o, 5, 0.3), s.CosineAnnealingLR(o, 30)]),
    "warm_up_then_cosine": lambda o: s.SequentialLR(
        o, [s.LinearLR(o, 0.01, 1.0, 5), s.CosineAnnealingLR(o, 15, 0.001)], [5]),
    "sequential_three": lambda o: s.SequentialLR(
        o, [s.LinearLR(o, 0.5, 1.0, 4), s.ExponentialLR(o, 0.7), s.StepLR(o, 2, 0.1)], [6, 13]),
    "one_cycle": lambda o: one_cycle(o),
    "one_cycle_linear": lambda o: one_cycle(o, pct_start=0.5, anneal_strategy="linear", div_factor=4.0),
    "one_cycle_down": lambda o: one_cycle(o, pct_start=0.01, final_div_factor=100.0),
    "one_cycle_up": lambda o: one_cycle(o, pct_start=0.97, anneal_strategy="linear"),
    "one_cycle_three": lambda o: one_cycle(o, pct_start=0.4, three_phase=True, div_factor=10.0),
    "one_cycle_three_linear": lambda o: one_cycle(o, three_phase=True, anneal_strategy="linear", final_div_factor=10.0),
}


def one_cycle(optimizer, **options):
    return s.OneCycleLR(optimizer, RATES, total_steps=STEPS + 1, cycle_momentum=False, **options)


def run(make):
    groups = [{"params": [torch.zeros(1, requires_grad=True)], "lr": lr} for lr in RATES]
    optimizer = torch.optim.SGD(groups, lr=1.0)
    schedule = make(optimizer)
    rates = []
    for _ in range(STEPS + 1):
        rates.append([group["lr"] for group in optimizer.param_groups])
        optimizer.step()
        schedule.step()
    return rates


def braces(value):
    return "{" + ", ".join(map(braces, value)) + "}" if isinstance(value, list) else "%.17g" % value


def main():
    print("/* tests/reference/schedule_reference.h - written by schedule_reference.py with PyTorch %s. */"
          % torch.__version__)
    print("#ifndef SCHEDULE_REFERENCE_H\n#define SCHEDULE_REFERENCE_H\n")
    print("#define SCHEDULE_GROUPS %d\n#define SCHEDULE_STEPS %d" % (len(RATES), STEPS))
    print("static const double schedule_rates[SCHEDULE_GROUPS] = %s;" % braces(RATES))
    print("\n/* The rate of every group at t = 0, 1, ... */")
    for name, make in CASES.items():
        print("static const double schedule_%s[SCHEDULE_STEPS + 1][SCHEDULE_GROUPS] = %s;" % (name, braces(run(make))))
    print("\n#endif")


if __name__ == "__main__":
    main()
