#!/usr/bin/env python3
"""companions/python/examples/attention.py - attention pooling as in Dive into Deep Learning: kernel regression with a
width that SGD learns, and pictures of the fit and of the attention weights.

    python3 attention.py [FOLDER]
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import sys

import heed
from heed import nn, optim, plot

folder = sys.argv[1] if len(sys.argv) > 1 else "."
heed.manual_seed(42)

x = heed.sort(heed.rand(50) * 5)
truth = 2 * x.sin() + x**0.8
y = truth + heed.randn(50) * 0.5

net = nn.NWKernelRegression(leave_one_out=True, log_width=True, width=nn.silverman_width(x))
sgd = optim.SGD(net, lr=0.5)
for epoch in range(1, 51):
    loss = heed.mse_loss(net(x, x, y), y)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch}, loss {loss.item():.4f}, width {net.log_h.exp().item():.3f}")

with heed.no_grad():
    fit, weights = net(x, x, y, return_weights=True)
plot.lines([dict(x=x, y=y, style="none", marker="circle", label="data"), dict(x=x, y=truth, style="dashed", label="truth"),
            dict(x=x, y=fit, label="fit")], f"{folder}/fit.svg", xlabel="x", ylabel="y")
plot.heatmap(weights, f"{folder}/weights.png", xlabel="Keys", ylabel="Queries")
