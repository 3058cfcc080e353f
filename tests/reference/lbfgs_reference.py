#!/usr/bin/env python3
"""Writes lbfgs_reference.h: steps of torch.optim.LBFGS in f64, for tests/optim/test_lbfgs.c.

    /usr/bin/python3 tests/reference/lbfgs_reference.py | clang-format > tests/reference/lbfgs_reference.h

There are parameters p (2) and q (3); the first problem, Rosenbrock's, needs only p.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

P, Q = [-1.2, 1.0], [1.5, -0.75, 0.25]
STEPS = 3


def rosenbrock(p, q):
    return 100 * (p[1] - p[0] ** 2) ** 2 + (1 - p[0]) ** 2


def quadratic(p, q):
    return (torch.tensor([1.0, 30.0, 900.0], dtype=q.dtype) * (q - 0.5) ** 2).sum() + (p ** 2).sum()


def logistic(p, q):
    return torch.log(1 + torch.exp(-4 * q)).sum() + 0.05 * (q ** 2).sum() + ((p - 1) ** 4).sum()


def bumpy(p, q):
    return (torch.sin(6 * p) + p ** 2).sum() + torch.log(1 + (20 * (q - 1)) ** 2).sum()


CASES = [
    (rosenbrock, dict()),
    (rosenbrock, dict(max_iter=3)),
    (rosenbrock, dict(max_iter=4, history_size=2)),
    (rosenbrock, dict(lr=0.3, max_iter=5)),
    (rosenbrock, dict(max_eval=7)),
    (rosenbrock, dict(lr=0.002, max_iter=6, no_line_search=True)),
    (quadratic, dict()),
    (quadratic, dict(max_iter=2, history_size=1)),
    (quadratic, dict(lr=0.05, max_iter=7, no_line_search=True)),
    (quadratic, dict(lr=20.0, max_iter=3)),
    (logistic, dict()),
    (logistic, dict(tolerance_grad=0.1)),
    (logistic, dict(tolerance_change=0.01)),
    (logistic, dict(max_iter=2, max_eval=100)),
    (quadratic, dict(tolerance_change=0.02)),
    (bumpy, dict(max_iter=2)),
    (bumpy, dict(max_iter=3, lr=5.0)),
    (bumpy, dict(max_iter=3, lr=50.0)),
    (bumpy, dict(max_iter=4, lr=400.0)),
    (bumpy, dict(max_iter=4, lr=0.03)),
    (bumpy, dict(max_iter=4, lr=4.6416)),
    (bumpy, dict(max_iter=4, lr=464.1589)),
    (bumpy, dict(tolerance_change=0.1)),
    (logistic, dict(max_iter=4, lr=464.1589)),
    (logistic, dict(max_iter=4, lr=2.1544)),
    (logistic, dict(max_iter=4, lr=0.0046)),
    (rosenbrock, dict(max_iter=4, lr=100.0)),
    (rosenbrock, dict(tolerance_change=0.2)),
    (rosenbrock, dict(tolerance_change=0.01)),
]


def run(problem, options):
    options = dict(options)
    search = None if options.pop("no_line_search", False) else "strong_wolfe"
    p, q = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (P, Q))
    optimizer = torch.optim.LBFGS([p, q], line_search_fn=search, **options)

    def closure():
        optimizer.zero_grad(set_to_none=True)
        loss = problem(p, q)
        loss.backward()
        return loss

    at = []
    for _ in range(STEPS):
        loss = optimizer.step(closure).item()
        state = optimizer.state[p]
        at.append((loss, state["func_evals"], state["n_iter"], p.tolist() + q.tolist()))
    return at


def main():
    print("/* tests/reference/lbfgs_reference.h - written by lbfgs_reference.py with PyTorch %s. */"
          % torch.__version__)
    print("#ifndef LBFGS_REFERENCE_H\n#define LBFGS_REFERENCE_H\n\n#include <heed/optim.h>\n")
    print("#define LBFGS_STEPS %d" % STEPS)
    for name, values in (("p", P), ("q", Q)):
        print("static const double lbfgs_%s[%d] = {%s};" % (name, len(values), ", ".join(map(repr, values))))
    problems = (rosenbrock, quadratic, logistic, bumpy)
    print("\nenum lbfgs_problem { %s };" % ", ".join(f.__name__.upper() for f in problems))
    print("\n/* For every step: the loss before it, and the counts and parameters after it. */")
    print("static const struct lbfgs_case {\n    enum lbfgs_problem problem;\n    heed_optim_lbfgs_options options;")
    print("    struct {\n        double loss;\n        int func_evals, n_iter;\n        double at[5];")
    print("    } steps[LBFGS_STEPS];")
    print("} lbfgs_cases[] = {")
    for problem, options in CASES:
        fields = ", ".join(".%s = %s" % (k, str(v).lower()) for k, v in options.items()) or ".lr = 0"
        steps = ["{%.17g, %d, %d, {%s}}" % (*s[:3], ", ".join("%.17g" % x for x in s[3]))
                 for s in run(problem, options)]
        print("    {%s, {%s}, {%s}}," % (problem.__name__.upper(), fields, ", ".join(steps)))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
