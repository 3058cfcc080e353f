"""tests/parity/losses.py - references of the losses."""
import math

import torch
import torch.nn.functional as F

from case import case, integers, lengths, real, reals, reference

REDUCTIONS = ("mean", "sum", "none")
SHAPES = [(3,), (2, 3), (), (1, 1), (0,)]


def elementwise(function, **args):
    """function(input, target, reduction)"""
    for reduction in REDUCTIONS:
        for shape in SHAPES:
            yield case(lambda x, t: function(x, t, reduction), [real(*shape), real(*shape)], reduction=reduction,
                       **args)


@reference("mse_loss")
def mse_loss():
    yield from elementwise(lambda x, t, r: F.mse_loss(x, t, reduction=r))


@reference("l1_loss")
def l1_loss():
    yield from elementwise(lambda x, t, r: F.l1_loss(x, t, reduction=r))
    yield case(lambda x, t: F.l1_loss(x, t, reduction="sum"), [reals(1.0, 2.0), reals(1.0, 3.0)], reduction="sum")


@reference("smooth_l1_loss")
def smooth_l1_loss():
    for beta in (1.0, 0.5, 0.0):
        yield from elementwise(lambda x, t, r: F.smooth_l1_loss(x, t, reduction=r, beta=beta), beta=beta)


@reference("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits():
    def function(x, t, reduction):
        return F.binary_cross_entropy_with_logits(x, t, reduction=reduction)
    for reduction in REDUCTIONS:
        for shape in SHAPES:
            inputs = [real(*shape, low=-5, high=5), real(*shape, low=0, high=1)]
            yield case(lambda x, t: function(x, t, reduction), inputs, reduction=reduction)
    far = [reals(90.0, -90.0, 90.0, -90.0, 0.0), reals(1.0, 1.0, 0.0, 0.0, 0.5)]
    yield case(lambda x, t: function(x, t, "none"), far, reduction="none")


# -- Classes: along the last axis here, axis 1 in PyTorch -----------------------------------------------------------


def by_class(function, x, targets, reduction, **options):
    rows = function(x.reshape(-1, x.shape[-1]), targets.reshape(-1), reduction=reduction, **options)
    return rows.reshape(targets.shape) if reduction == "none" else rows


def class_loss(function, **options):
    for reduction in REDUCTIONS:
        for shape, classes in (((3,), 4), ((2, 3), 2), ((), 3), ((2,), 1), ((0,), 3)):
            yield case(lambda x, t: by_class(function, x, t, reduction, **options),
                       [real(*shape, classes), integers(*shape, high=classes)], reduction=reduction, **options)
        for ignored, targets in ((-100, lengths(0, -100, 2)), (1, lengths(1, 1, 0)), (7, lengths(2, 7, 7))):
            yield case(lambda x, t: by_class(function, x, t, reduction, ignore_index=ignored, **options),
                       [real(3, 3), targets], reduction=reduction, has_ignore_index=True,
                       ignore_index=ignored, **options)
        # A mean of nothing: its gradient is left to each library.
        yield case(lambda x, t: by_class(function, x, t, reduction, ignore_index=0, **options),
                   [real(2, 3), lengths(0, 0)], gradient=reduction != "mean", reduction=reduction,
                   has_ignore_index=True, ignore_index=0, **options)


@reference("nll_loss")
def nll_loss():
    yield from class_loss(F.nll_loss)


@reference("cross_entropy")
def cross_entropy():
    yield from class_loss(F.cross_entropy)
    for smoothing in (0.1, 1.0):
        yield from class_loss(F.cross_entropy, label_smoothing=smoothing)
    yield case(lambda x, t: F.cross_entropy(x, t), [reals(900.0, -900.0, 0.0).reshape(1, 3), lengths(1)],
               reduction="mean")


@reference("sequence_loss")
def sequence_loss():
    def function(losses, lens, reduction):
        mask = torch.arange(losses.shape[1]) < lens[:, None]
        kept = torch.where(mask, losses, torch.zeros_like(losses))
        if reduction == "none":
            return kept.mean(1)
        return kept.sum() if reduction == "sum" else kept.sum() / mask.sum()
    for reduction in REDUCTIONS:
        for shape, lens in (((2, 3), lengths(1, 3)), ((3, 4), lengths(0, 4, 2)), ((1, 1), lengths(1))):
            yield case(lambda x, n: function(x, n, reduction), [real(*shape), lens], reduction=reduction)
        x = reals(1.0, 2.0, math.nan, math.inf, 3.0, math.nan).reshape(2, 3)
        yield case(lambda x, n: function(x, n, reduction), [x, lengths(2, 0)], gradient=False, reduction=reduction)
    yield case(lambda x, n: function(x, n, "sum"), [real(0, 3), lengths()], reduction="sum")
