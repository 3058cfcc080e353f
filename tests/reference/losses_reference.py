#!/usr/bin/env python3
"""Writes losses_reference.h: losses and their gradients by PyTorch, for tests/ops.

    /usr/bin/python3 tests/reference/losses_reference.py | clang-format > tests/reference/losses_reference.h

Each name is followed by _none, _mean and _sum (values) and by _grad (the gradient of the mean with respect to the input).
Classes are along the last axis here, and along axis 1 for PyTorch.
"""
import torch
import torch.nn.functional as F

torch.manual_seed(5)
INPUT = torch.randn(3, 4, dtype=torch.float64)
TARGET = torch.randn(3, 4, dtype=torch.float64)
PROBABILITY = torch.rand(3, 4, dtype=torch.float64)
LOGITS = 2 * torch.randn(2, 3, 5, dtype=torch.float64)
CLASSES = torch.tensor([[0, 2, 4], [3, 2, 1]])

PAIRS = {
    "l1": (F.l1_loss, TARGET, {}),
    "smooth_l1": (F.smooth_l1_loss, TARGET, {}),
    "smooth_l1_beta": (F.smooth_l1_loss, TARGET, {"beta": 0.3}),
    "binary_cross_entropy": (F.binary_cross_entropy_with_logits, PROBABILITY, {}),
}
CLASS_LOSSES = {
    "nll": (F.nll_loss, {}),
    "nll_ignore": (F.nll_loss, {"ignore_index": 2}),
    "cross_entropy": (F.cross_entropy, {}),
    "cross_entropy_ignore": (F.cross_entropy, {"ignore_index": 2}),
    "cross_entropy_smooth": (F.cross_entropy, {"label_smoothing": 0.1}),
    "cross_entropy_smooth_ignore": (F.cross_entropy, {"label_smoothing": 0.1, "ignore_index": 2}),
    "cross_entropy_uniform": (F.cross_entropy, {"label_smoothing": 1.0}),
}


def show(name, values):
    numbers = ", ".join("%.17g" % v for v in values.detach().flatten().tolist())
    print("#define %s %s" % (name, numbers))


def run(name, x, loss):
    x = x.clone().requires_grad_()
    for reduction in ("none", "mean", "sum"):
        show("%s_%s" % (name.upper(), reduction.upper()), loss(x, reduction))
    show("%s_GRAD" % name.upper(), torch.autograd.grad(loss(x, "mean"), x)[0])
    print()


def main():
    print("/* tests/reference/losses_reference.h - written by losses_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef LOSSES_REFERENCE_H\n#define LOSSES_REFERENCE_H\n")
    for name, t in (("INPUT", INPUT), ("TARGET", TARGET), ("PROBABILITY", PROBABILITY), ("LOGITS", LOGITS)):
        show("LOSSES_" + name, t)
    print("#define LOSSES_CLASSES %s\n" % ", ".join(map(str, CLASSES.flatten().tolist())))
    for name, (f, target, options) in PAIRS.items():
        run(name, INPUT, lambda x, reduction: f(x, target, reduction=reduction, **options))
    for name, (f, options) in CLASS_LOSSES.items():
        run(name, LOGITS, lambda x, reduction: f(x.movedim(-1, 1), CLASSES, reduction=reduction, **options))
    print("#endif")


if __name__ == "__main__":
    main()
