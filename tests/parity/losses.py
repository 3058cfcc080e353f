"""tests/parity/losses.py - reference results of the losses."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
from functools import partial

import torch
import torch.nn.functional as F

from case import case, integers, lengths, real, reals, reference, references

REDUCTIONS = ("mean", "sum", "none")
SHAPES = [(3,), (2, 3), (), (1, 1), (0,)]


def hinge(x, t, reduction):
    losses = F.relu(1 - t * x)
    return {"mean": losses.mean, "sum": losses.sum, "none": lambda: losses}[reduction]()


# name: the function, and the options of its cases
ELEMENTWISE = {
    "mse_loss": (F.mse_loss, [{}]),
    "l1_loss": (F.l1_loss, [{}]),
    "smooth_l1_loss": (F.smooth_l1_loss, [{"beta": 1.0}, {"beta": 0.5}, {"beta": 0.0}]),
    "huber_loss": (F.huber_loss, [{"delta": 1.0}, {"delta": 0.5}]),
    "hinge_loss": (hinge, [{}]),
}


def elementwise(name):
    function, options = ELEMENTWISE[name]
    for args in options:
        for reduction in REDUCTIONS:
            for shape in SHAPES:
                yield case(lambda x, t: function(x, t, reduction=reduction, **args), [real(*shape), real(*shape)],
                           reduction=reduction, **args)
    if name == "l1_loss":
        yield case(lambda x, t: F.l1_loss(x, t, reduction="sum"), [reals(1.0, 2.0), reals(1.0, 3.0)], reduction="sum")


for key in ELEMENTWISE:
    references[key] = partial(elementwise, key)


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
    for reduction in REDUCTIONS:
        for shape, of_weight, of_pos in (((2, 3), (3,), (2, 1)), ((3,), (3,), ()), ((), (), ())):
            def both(x, t, w, p):
                """In differentiable functions, because PyTorch 1.13 has no derivatives with respect to weights."""
                losses = (p * t * F.softplus(-x) + (1 - t) * F.softplus(x)) * w
                expected = F.binary_cross_entropy_with_logits(x, t, w.detach(), pos_weight=p.detach(), reduction=reduction)
                return same({"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction], expected)
            yield case(both, [real(*shape, low=-5, high=5), real(*shape, low=0, high=1), real(*of_weight, low=0.5),
                              real(*of_pos, low=0.5)], reduction=reduction)


def same(result, expected):
    """The result, after a check that it is PyTorch's."""
    assert torch.allclose(result, expected, atol=0, rtol=1e-12), (result, expected)
    return result


@reference("binary_cross_entropy")
def binary_cross_entropy():
    for reduction in REDUCTIONS:
        for shape, of_weight in (((2, 3), (3,)), ((2, 3), (2, 3)), ((3,), ()), ((), ())):
            inputs = [real(*shape, low=0.05, high=0.95), real(*shape, low=0, high=1), real(*of_weight, low=0.5)]
            yield case(lambda x, t: F.binary_cross_entropy(x, t, reduction=reduction), inputs[:2], reduction=reduction)

            def weighted(x, t, w):
                losses = F.binary_cross_entropy(x, t, reduction="none") * w
                expected = F.binary_cross_entropy(x, t, w.detach(), reduction=reduction)
                return same({"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction], expected)
            yield case(weighted, inputs, reduction=reduction)
    certain = [reals(0.0, 1.0, 0.0, 1.0), reals(0.0, 1.0, 1.0, 0.0)]
    yield case(lambda x, t: F.binary_cross_entropy(x, t, reduction="none"), certain, gradient=False, reduction="none")


def signs(*shape):
    return integers(*shape, high=2).double() * 2 - 1


def constant_target(function, inputs, **args):
    """Sets the gradient of the target, the last input, to 0: PyTorch returns None for an input without effect."""
    return case(lambda *given: function(*given) + 0 * given[-1].sum(), inputs, **args)


@reference("hinge_embedding_loss")
def hinge_embedding_loss():
    for reduction in REDUCTIONS:
        for shape, margin in (((3,), 1.0), ((2, 3), 0.5), ((), 1.0), ((0,), 1.0)):
            yield constant_target(lambda x, t: F.hinge_embedding_loss(x, t, margin, reduction=reduction),
                                  [real(*shape), signs(*shape)], margin=margin, reduction=reduction)


@reference("kl_div")
def kl_div():
    for log_target in (False, True):
        for reduction in REDUCTIONS:
            for shape in SHAPES:
                target = real(*shape, low=-3, high=0) if log_target else real(*shape, low=0.1, high=1)
                yield case(lambda x, t: F.kl_div(x, t, reduction=reduction, log_target=log_target),
                           [real(*shape, low=-3, high=0), target], log_target=log_target, reduction=reduction)


@reference("poisson_nll_loss")
def poisson_nll_loss():
    for no_log_input, full, eps in ((False, False, 0.0), (False, True, 0.0), (True, False, 0.0), (True, True, 0.5)):
        for reduction in REDUCTIONS:
            for shape in SHAPES:
                inputs = [real(*shape, low=0.1 if no_log_input else -2.0), real(*shape, low=0.1, high=5)]
                yield case(lambda x, t: F.poisson_nll_loss(x, t, log_input=not no_log_input, full=full,
                                                           eps=eps or 1e-8, reduction=reduction),
                           inputs, reduction=reduction, no_log_input=no_log_input, full=full, eps=eps)


@reference("gaussian_nll_loss")
def gaussian_nll_loss():
    for full, eps in ((False, 0.0), (True, 0.0), (False, 0.03125)):
        for reduction in REDUCTIONS:
            for shape, of_var in (((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (2, 1)), ((1, 1), (1, 1)),
                                  ((3, 3), (3,)), ((2, 3), (2,))):
                yield case(lambda x, t, v: F.gaussian_nll_loss(x, t, v, full=full, eps=eps or 1e-6, reduction=reduction),
                           [real(*shape), real(*shape), real(*of_var, low=0.25, high=2)], reduction=reduction, full=full,
                           eps=eps)


# -- Rows -----------------------------------------------------------------------------------------------------------


@reference("cdist")
def cdist():
    for p in (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 4.0, math.inf):
        def distances(a, b):
            return torch.cdist(a, b, p, compute_mode="donot_use_mm_for_euclid_dist")
        written = "inf" if math.isinf(p) else p
        for a, b in (((3, 2), (4, 2)), ((2, 2, 5), (2, 3, 5)), ((2, 1, 2, 3), (3, 3, 3)), ((2, 2, 1), (1, 1, 1))):
            yield case(distances, [real(*a), real(*b)], p=written)
        equal = real(3, 2)
        yield case(distances, [equal, equal[1:]], p=written)


@reference("cosine_similarity")
def cosine_similarity():
    for a, b, axis in (((3,), (3,), 0), ((2, 3), (2, 3), 1), ((2, 3), (2, 3), 0), ((3, 1, 2), (2, 2), -1),
                       ((0, 3), (3,), 1)):
        yield case(lambda x, y: F.cosine_similarity(x, y, dim=axis), [real(*a), real(*b)], axis=axis)
    yield case(lambda x, y: F.cosine_similarity(x, y, dim=0), [real(3), reals(0, 0, 0)], gradient=False, axis=0)


@reference("cosine_embedding_loss")
def cosine_embedding_loss():
    for reduction in REDUCTIONS:
        for shape, margin in (((4, 3), 0.0), ((4, 3), -0.5), ((3, 2), 0.25), ((3,), 0.0)):
            yield constant_target(lambda a, b, t: F.cosine_embedding_loss(a, b, t, margin, reduction=reduction),
                                  [real(*shape), real(*shape), signs(*shape[:-1])], margin=margin, reduction=reduction)


@reference("triplet_margin_loss")
def triplet_margin_loss():
    for reduction in REDUCTIONS:
        for shape, margin, swap in (((4, 3), 1.0, False), ((4, 3), 2.0, True), ((2, 2, 3), 0.0, False), ((3,), 4.0, True)):
            yield case(lambda a, p, n: F.triplet_margin_loss(a, p, n, margin, swap=swap, reduction=reduction),
                       [real(*shape) for _ in range(3)], margin=margin, swap=swap, reduction=reduction)


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
        # The mean of an empty set has no defined gradient.
        yield case(lambda x, t: by_class(function, x, t, reduction, ignore_index=0, **options),
                   [real(2, 3), lengths(0, 0)], gradient=reduction != "mean", reduction=reduction,
                   has_ignore_index=True, ignore_index=0, **options)


def weighted(function, x, t, w, reduction, ignore_index=-100, smoothing=0.0):
    """The loss with weights w in differentiable functions, because PyTorch has no derivative with respect to weights. Its value
    is PyTorch's."""
    is_class = not t.is_floating_point()
    counts = (t != ignore_index) if is_class else torch.ones(t.shape[:-1], dtype=torch.bool)
    one_hot = F.one_hot(torch.where(counts, t, torch.zeros_like(t)), x.shape[-1]).to(x.dtype) if is_class else t
    q = one_hot * (1 - smoothing) + smoothing / x.shape[-1]
    log_p = x if function is F.nll_loss else x.log_softmax(-1)
    losses = torch.where(counts, -(q * w * log_p).sum(-1), torch.zeros_like(x[..., 0]))
    divisor = (w * one_hot).sum(-1)[counts].sum() if is_class else counts.sum()
    result = {"none": losses, "sum": losses.sum(), "mean": losses.sum() / divisor}[reduction]
    options = {"label_smoothing": smoothing} if smoothing else {}
    if is_class:
        options["ignore_index"] = ignore_index
    given = (x.reshape(-1, x.shape[-1]), t.reshape(-1) if is_class else t.reshape(-1, x.shape[-1]))
    expected = function(*given, weight=w.detach(), reduction=reduction, **options)
    assert torch.allclose(result, expected.reshape(result.shape), atol=0, rtol=1e-12, equal_nan=True)
    return result


def weighted_cases(function, smoothings=(0.0,)):
    for reduction in REDUCTIONS:
        for smoothing in smoothings:
            options = {"label_smoothing": smoothing} if smoothing else {}
            for shape, classes in (((3,), 4), ((2, 3), 2), ((2,), 1)):
                yield case(lambda x, t, w: weighted(function, x, t, w, reduction, smoothing=smoothing),
                           [real(*shape, classes), integers(*shape, high=classes), real(classes, low=0.5)],
                           reduction=reduction, **options)
            for ignored, targets in ((-100, lengths(0, -100, 2)), (1, lengths(1, 1, 0)), (7, lengths(2, 7, 7))):
                yield case(lambda x, t, w: weighted(function, x, t, w, reduction, ignored, smoothing),
                           [real(3, 3), targets, real(3, low=0.5)], reduction=reduction, has_ignore_index=True,
                           ignore_index=ignored, **options)


@reference("nll_loss")
def nll_loss():
    yield from class_loss(F.nll_loss)
    yield from weighted_cases(F.nll_loss)


@reference("cross_entropy")
def cross_entropy():
    yield from weighted_cases(F.cross_entropy, (0.0, 0.1, 1.0))
    for reduction in REDUCTIONS:
        for smoothing in (0.0, 0.1, 1.0):
            options = {"label_smoothing": smoothing} if smoothing else {}
            for shape, classes in (((3,), 4), ((2, 2), 3), ((2,), 1)):
                inputs = [real(*shape, classes), real(*shape, classes, low=0, high=1)]
                yield case(lambda x, t: F.cross_entropy(x.reshape(-1, x.shape[-1]), t.reshape(-1, x.shape[-1]),
                                                        reduction=reduction, **options).reshape(
                                                            x.shape[:-1] if reduction == "none" else ()),
                           inputs, reduction=reduction, **options)
                yield case(lambda x, t, w: weighted(F.cross_entropy, x, t, w, reduction, smoothing=smoothing),
                           [*inputs, real(classes, low=0.5)], reduction=reduction, **options)
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


@reference("ctc_loss")
def ctc_loss():
    """PyTorch's gradient is with respect to the logits. For log_probs themselves, the loss is the loss of their log_softmax minus
    the amount that log_softmax subtracts per step."""
    def function(x, targets, input_lens, target_lens, reduction, blank, zero_infinity):
        taken = torch.logsumexp(x, -1)
        losses = F.ctc_loss(x - taken[:, :, None], targets, input_lens, target_lens, blank, "none", zero_infinity)
        counts = torch.arange(x.shape[0])[:, None] < input_lens
        losses = losses - torch.where(counts, taken, torch.zeros_like(taken)).sum(0)
        if reduction == "mean":
            return (losses / target_lens.clamp(min=1)).mean()
        return losses.sum() if reduction == "sum" else losses
    for reduction in REDUCTIONS:
        for steps, classes, targets, input_lens, target_lens, blank in (
                (4, 3, [[1, 2]], [4], [2], 0), (5, 3, [[1, 1], [2, 0]], [5, 4], [2, 1], 0), (3, 2, [[1]], [3], [0], 0),
                (5, 2, [[0, 0, 0], [0, 0, 0]], [5, 3], [3, 2], 1), (6, 4, [[3, 0, 3]], [6], [3], 2), (1, 2, [[1]], [1], [1], 0)):
            def of(x, t, n, s):
                return function(x, t, n, s, reduction, blank, False)
            inputs = [real(steps, len(targets), classes), torch.tensor(targets), lengths(*input_lens), lengths(*target_lens)]
            yield case(of, inputs, reduction=reduction, blank=blank)
    impossible = [real(2, 2, 3).log_softmax(-1), torch.tensor([[1, 1], [1, 2]]), lengths(2, 2), lengths(2, 2)]
    yield case(lambda x, t, n, s: F.ctc_loss(x, t, n, s, reduction="none"), impossible, gradient=False, reduction="none")
    yield case(lambda x, t, n, s: F.ctc_loss(x, t, n, s, zero_infinity=True), impossible, gradient=False,
               reduction="mean", zero_infinity=True)
