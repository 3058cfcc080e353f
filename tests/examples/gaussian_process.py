"""tests/examples/gaussian_process.py - prints the numbers that test_examples.py expects of gaussian_process, by PyTorch.

    python3 tests/examples/gaussian_process.py examples/data
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import sys
from pathlib import Path

import torch


def read(path, names):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [[row[name] for name in names] for row in csv.DictReader(file)]
    return torch.tensor([[float(value) for value in row] for row in rows if "NA" not in row], dtype=torch.float64)


def process(parameters, x):
    """The distribution of the targets, for ln of the length scales, of the signal and of the noise."""
    lengths, signal, noise = parameters[:-2].exp(), (2 * parameters[-2]).exp(), (2 * parameters[-1]).exp()
    squares = (((x[:, None] - x[None]) / lengths) ** 2).sum(-1)
    covariance = signal * torch.exp(-squares / 2) + (noise + 1e-10) * torch.eye(len(x), dtype=x.dtype)
    return torch.distributions.MultivariateNormal(torch.zeros(len(x), dtype=x.dtype), covariance)


def main():
    for file, *names in (("mcycle.csv", "times", "accel"), ("airquality.csv", "Wind", "Temp", "Ozone")):
        data = read(Path(sys.argv[1], file), names)
        unit = data.std(0, unbiased=False)
        scaled = (data - data.mean(0)) / unit
        x, y = scaled[:, :-1], scaled[:, -1]
        parameters = torch.tensor([0.0] * len(names) + [-1.0], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

        def loss():
            optimizer.zero_grad()
            value = -process(parameters, x).log_prob(y)
            value.backward()
            return value
        before = optimizer.step(loss).item()
        scales = parameters.detach().exp() * torch.cat([unit, unit[-1:]])
        print(f"{file}: {-loss().item():.4f}, before {-before:.4f}; scales of {names} and the noise:",
              " ".join(f"{s:.4g}" for s in scales.tolist()))


if __name__ == "__main__":
    main()
