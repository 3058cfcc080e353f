#!/usr/bin/env python3
"""Writes parametrizations_reference.h: layers under PyTorch's weight norm and spectral norm, for
tests/nn/test_nn_parametrizations.c.

    /usr/bin/python3 tests/reference/parametrizations_reference.py | clang-format > tests/reference/parametrizations_reference.h

Every case trains a layer in float64 for STEPS steps. The loss is sum(cos(i) y_i^2). Parameter k begins with
sin(k + 1 + 0.7 i), u and v with cos(1 + i) / norm, the input with sin(2 + 1.3 i).
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

STEPS = 4


class WeightNorm(nn.Module):
    """torch.nn.utils.parametrizations.weight_norm of PyTorch 2, which PyTorch 1.13 lacks."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, g, v):
        return torch._weight_norm(v, g, self.dim)

    def right_inverse(self, weight):
        return torch.norm_except_dim(weight, 2, self.dim), weight


class Steps(nn.RNNCell):
    """An RNN layer whose weights are read at every forward; nn.RNN keeps a list of the tensors that it had at first."""

    def forward(self, x):
        w = self.weight_hh
        h, outputs = torch.zeros(x.shape[1], self.hidden_size, dtype=x.dtype), []
        for step in x:
            h = torch.tanh(step @ self.weight_ih.T + self.bias_ih + h @ w.T + self.bias_hh)
            outputs.append(h)
        return torch.stack(outputs)


LAYERS = {"linear": (lambda: nn.Linear(3, 4), (2, 3)),
          "conv": (lambda: nn.Conv2d(2, 3, (2, 2)), (1, 2, 3, 3)),
          "conv_transpose": (lambda: nn.ConvTranspose2d(2, 3, (2, 2)), (1, 2, 2, 2)),
          "embedding": (lambda: nn.Embedding(4, 3), (4,)),
          "rnn": (lambda: Steps(2, 3), (3, 2, 2))}
NORMS = [dict(), dict(dim=1), dict(dim=-1)]
SPECTRAL = [dict(), dict(dim=-1, n_power_iterations=2), dict(eps=0.75)]


def waves(f, start, step, shape):
    n = torch.Size(shape).numel()
    return f(start + step * torch.arange(n, dtype=torch.float64)).reshape(shape)


def build(layer, name, spectral, options):
    make, shape = LAYERS[layer]
    net = make().double()
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(waves(torch.sin, k + 1, 0.7, p.shape))
    x = torch.tensor([1, 3, 0, 1]) if layer == "embedding" else waves(torch.sin, 2, 1.3, shape)
    if not spectral:
        parametrize.register_parametrization(net, name, WeightNorm(options.get("dim", 0)), unsafe=True)
        return net, x
    parametrizations.spectral_norm(net, name, **options)
    with torch.no_grad():
        for b in net.buffers():
            values = waves(torch.cos, 1, 1, b.shape)
            b.copy_(values / values.norm())
    return net, x


def run(layer, name, spectral, adam, options):
    net, x = build(layer, name, spectral, options)
    if adam:
        optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    else:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    numbers = []
    for step in range(STEPS):
        y = net(x)
        if step == 0:
            numbers += y.flatten().tolist()
        optimizer.zero_grad()
        (waves(torch.cos, 0, 1, y.shape) * y * y).sum().backward()
        optimizer.step()
    numbers += net.eval()(x).flatten().tolist()
    state = net.state_dict()
    for value in state.values():
        numbers += value.flatten().tolist()
    suffix = "_l0" if layer == "rnn" else ""
    names = [n.replace("_ih", "_ih" + suffix).replace("_hh", "_hh" + suffix) for n in state]
    return name + suffix, names, numbers


def cases():
    for layer in LAYERS:
        name = "weight_hh" if layer == "rnn" else "weight"
        for spectral in (False, True):
            for k, options in enumerate(SPECTRAL if spectral else NORMS):
                yield layer, name, spectral, k % 2 == 1, options
    yield "linear", "bias", False, False, dict()
    yield "linear", "bias", True, True, dict()
    yield "linear", "bias", True, False, dict(eps=3.0)


def main():
    print("/* tests/reference/parametrizations_reference.h - written by parametrizations_reference.py with PyTorch %s. */"
          % torch.__version__)
    print("#ifndef PARAMETRIZATIONS_REFERENCE_H\n#define PARAMETRIZATIONS_REFERENCE_H\n\n#include <stdbool.h>\n#include <stddef.h>\n")
    print("#define PARAMETRIZATION_STEPS %d\n" % STEPS)
    rows, lists = [], {}
    for i, (layer, name, spectral, adam, options) in enumerate(cases()):
        path, names, numbers = run(layer, name, spectral, adam, options)
        print("static const double parametrization_%d[] = {%s};" % (i, ", ".join("%.14g" % v for v in numbers)))
        at = lists.setdefault(tuple(names), len(lists))
        rows.append('{"%s", "%s", %s, %s, %d, %d, %g, parametrized_%d, parametrization_%d}' % (
            layer, path, str(spectral).lower(), str(adam).lower(), options.get("dim", 0),
            options.get("n_power_iterations", 0), options.get("eps", 0), at, i))
    for names, at in lists.items():
        print("static const char *const parametrized_%d[] = {%s, NULL};" % (at, ", ".join('"%s"' % n for n in names)))
    print("""
/* A layer under a norm: y of the first step, y after training in evaluation mode, and the state. */
static const struct parametrization_case {
    const char *layer, *parameter;
    bool spectral, adam;
    int dim, n_power_iterations;
    double eps;
    const char *const *names;
    const double *numbers;
} parametrization_cases[] = {""")
    print(",\n".join(rows))
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
