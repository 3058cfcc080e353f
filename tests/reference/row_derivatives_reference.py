#!/usr/bin/python3
"""Writes row_derivatives.csv: three derivatives of functions of a row at special rows, from PyTorch in float64.

With a fixed w, d1 is the gradient of w . y, d2 the gradient of w . d1, and d3 the gradient of w . d2.

    /usr/bin/python3 tests/reference/row_derivatives_reference.py [FOLDER]      default: tests/reference

Debian: apt-get install python3-torch
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import pathlib
import sys

import torch
import torch.nn.functional as F

N = 4
WEIGHTS = [0.5, -1.25, 2.0, 0.75]
OTHER = torch.tensor([0.25, 1.5, -0.5, 1.0], dtype=torch.float64)
BITS = torch.tensor([0.0, 1.0, 1.0, 0.5], dtype=torch.float64)

ROWS = {
    "ordinary": [0.5, -1.25, 3.0, 0.125],
    "equal": [0.75, 0.75, 0.75, 0.75],
    "large": [1e7, 1e7 + 1, 1e7 - 2, 1e7],
    "large and negative": [-1e7, -1e7 + 1, -1e7 - 2, -1e7],
    "far apart": [80.0, -80.0, 0.0, 1.0],
    "zeros": [0.0, 0.0, 0.0, 0.0],
    "a zero": [0.0, 1.0, -2.0, 0.5],
    "two zeros": [0.0, 1.0, 0.0, 0.5],
    "small": [2.0**-12, -(2.0**-11), 3 * 2.0**-13, 0.0],
}


def norm(p):
    return lambda x: torch.linalg.vector_norm(x, p)


def layer_norm(x):
    """PyTorch 1.13's own has a wrong third derivative."""
    d = x - x.mean()
    return d / torch.sqrt(d.square().mean() + 1e-5)


FUNCTIONS = {  # name: the function, and the rows at which it is not tested, with the reason
    "softmax": (lambda x: torch.softmax(x, -1), []),
    "log_softmax": (lambda x: torch.log_softmax(x, -1), []),
    "logsumexp": (lambda x: torch.logsumexp(x - x.detach().max(), -1), []),  # its own rule has exp(x - y)
    "var": (lambda x: torch.var(x), ["large", "large and negative"]),  # its mean is rounded to f32
    "std": (lambda x: torch.std(x), ["equal", "zeros", "large", "large and negative"]),  # and the root of 0
    "norm_1": (norm(1), ["zeros", "a zero", "two zeros", "small"]),  # the kink at 0
    "norm_2": (norm(2), ["zeros"]),  # the root of 0
    "norm_3": (norm(3), ["zeros", "a zero", "two zeros", "small", "large", "large and negative"]),  # |x| at 0; cancels
    "prod": (lambda x: torch.prod(x[None], 1), []),
    "cumsum": (lambda x: torch.cumsum(x, 0), []),
    "cumprod": (lambda x: torch.cumprod(x, 0), []),
    "layer_norm": (layer_norm, ["large", "large and negative"]),  # its mean is rounded to f32
    "mse_loss": (lambda x: F.mse_loss(x, OTHER), []),
    "smooth_l1_loss": (lambda x: F.smooth_l1_loss(x, OTHER), []),
    "huber_loss": (lambda x: F.huber_loss(x, OTHER), []),
    "binary_cross_entropy_with_logits": (lambda x: F.binary_cross_entropy_with_logits(x, BITS), []),
    "poisson_nll_loss": (lambda x: F.poisson_nll_loss(x, BITS), ["large"]),  # e^x
    "kl_div": (lambda x: F.kl_div(x, BITS, reduction="sum"), []),
    "cross_entropy": (lambda x: F.cross_entropy(x[None], torch.tensor([2])), []),
    "cosine_similarity": (lambda x: F.cosine_similarity(x[None], OTHER[None]), ["zeros", "small"]),  # 1 / |x|
}


def derivatives(function, row):
    x = torch.tensor(row, dtype=torch.float64, requires_grad=True)
    w = torch.tensor(WEIGHTS, dtype=torch.float64)
    y, found = function(x), []
    for _ in range(3):
        weighed = (w[:y.numel()] * y.reshape(-1)).sum()
        y = torch.autograd.grad(weighed, x, create_graph=True)[0] if weighed.requires_grad else torch.zeros(N)
        found.append((torch.zeros(N) + y).tolist())
    return found


def main():
    """Prints function, row, the numbers of the row, and the elements of d1, d2 and d3."""
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    with open(folder / "row_derivatives.csv", "w") as file:
        for name, (function, without) in FUNCTIONS.items():
            for row, x in ROWS.items():
                if row not in without:
                    numbers = [*x, *(v for d in derivatives(function, x) for v in d)]
                    print(name, row, *("%.17g" % v for v in numbers), sep=",", file=file)


if __name__ == "__main__":
    main()
