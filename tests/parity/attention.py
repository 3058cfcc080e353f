"""tests/parity/attention.py - reference results of matrix products, softmax, normalisation, dropout and attention.

Functions that PyTorch lacks are implemented here as in the book Dive into Deep Learning, except that masked keys are
skipped: the result of a row without a valid key is zeros."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import itertools
import math

import torch
import torch.nn.functional as F

from case import booleans, case, entry, integers, lengths, real, reals, reference

# -- Matrix products ------------------------------------------------------------------------------------------------


@reference("bmm")
def bmm():
    for b, m, k, n in ((2, 3, 4, 5), (1, 1, 1, 1), (3, 2, 1, 3), (2, 3, 0, 2), (0, 2, 3, 2), (1, 7, 5, 3)):
        yield case(torch.bmm, [real(b, m, k), real(b, k, n)])
    yield case(torch.mm, [real(3, 4), real(4, 5)])
    for ta, tb in ((False, False), (True, False), (False, True), (True, True)):
        a, b = real(2, 3, 4), real(2, 4, 3)
        yield case(lambda x, y: torch.bmm(x.mT if ta else x, y.mT if tb else y),
                   [a.mT.contiguous() if ta else a, b.mT.contiguous() if tb else b], transpose_a=ta, transpose_b=tb)


@reference("matmul")
def matmul():
    for a, b in (((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 1, 3), (3, 2)),
                 ((2, 1, 2, 3), (3, 3, 2)), ((2, 3, 4), (4,)), ((1, 1), (1, 1)), ((2, 0), (0, 3)), ((0, 2), (2, 3))):
        yield case(torch.matmul, [real(*a), real(*b)])


@reference("einsum")
def einsum():
    for equation, *shapes in (("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ii", (3, 3)), ("...ii->...i", (2, 3, 3)),
                              ("ij,jk->ik", (2, 3), (3, 4)), ("ba,ac", (2, 3), (3, 4)), ("bA,Ac", (2, 3), (3, 4)),
                              ("bqd,bkd->bqk", (2, 3, 2), (2, 4, 2)), ("bqhd,bkhd->bhqk", (2, 2, 2, 1), (2, 3, 2, 1)),
                              ("bhqk,bkhd->bqhd", (1, 2, 2, 3), (1, 3, 2, 2)), ("i,i", (3,), (3,)), ("i,j", (2,), (3,)),
                              ("ij,ij->ij", (2, 3), (2, 3)), ("ij,kl->", (2, 2), (2, 1)), (" i j , j -> i ", (2, 3), (3,)),
                              ("...ij,...jk->...ik", (2, 1, 2, 3), (3, 3, 1)), ("...i,...i->i", (2, 3), (3,)),
                              ("...,...", (2, 1), (3,)), ("i...,i", (2, 3), (2,)), ("...,i", (), (3,)),
                              ("bi,oij,bj->bo", (2, 3), (2, 3, 2), (2, 2)), ("ij,jk,kl->il", (2, 3), (3, 2), (2, 3)),
                              ("bi,bi->b", (2, 1), (2, 3)), ("ij,jk->ik", (2, 0), (0, 3)), ("ij,jk->ik", (0, 2), (2, 3))):
        yield case(lambda *operands: torch.einsum(equation, *operands), [real(*s) for s in shapes], equation=equation)


@reference("linear")
def linear():
    for x, out in (((2, 3), 4), ((3,), 2), ((2, 3, 2), 3), ((1, 1), 1), ((0, 3), 2)):
        yield case(F.linear, [real(*x), real(out, x[-1]), real(out)])
        yield case(F.linear, [real(*x), real(out, x[-1]), None])


@reference("linear_activated")
def linear_activated():
    functions = {"none": lambda z: z, "relu": F.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
                 "gelu": F.gelu}
    for name, f in functions.items():
        for x, out in (((2, 3), 4), ((3,), 2), ((2, 3, 2), 3), ((0, 3), 2)):
            for bias in (True, False):
                inputs = [real(*x), real(out, x[-1]), real(out) if bias else None]
                yield case(lambda x, w, b: f(F.linear(x, w, b)), inputs, activation=name)


# -- Linear algebra -------------------------------------------------------------------------------------------------


def definite(*shape):
    """Symmetric positive definite matrices."""
    x = real(*shape)
    return x @ x.mT + 2 * torch.eye(shape[-2], dtype=x.dtype)


def regular(*shape, by=9):
    return real(*shape) + by * torch.eye(shape[-1], dtype=torch.float64)


@reference("cholesky")
def cholesky():
    for shape in ((1, 1), (3, 3), (4, 2), (2, 3, 3), (2, 1, 2, 2), (0, 0), (0, 2, 2)):
        for upper in (False, True):
            yield case(lambda a: torch.linalg.cholesky(a, upper=upper), [definite(*shape)], upper=upper)
    for upper in (False, True):  # only one triangle is read; the gradient is symmetric
        a = definite(3, 3) + torch.tril(real(3, 3), -1) if upper else definite(3, 3) + torch.triu(real(3, 3), 1)
        yield case(lambda a: torch.linalg.cholesky(a, upper=upper), [a], upper=upper)


@reference("solve_triangular")
def solve_triangular():
    for a, b in (((3, 3), (3, 2)), ((2, 1, 2, 2), (3, 2, 1)), ((2, 2), (3, 2, 2)), ((1, 1), (1, 1)), ((2, 2), (2, 0))):
        yield case(lambda a, b: torch.linalg.solve_triangular(a, b, upper=False), [regular(*a), real(*b)])
    for flags in itertools.product((False, True), repeat=4):
        upper, transpose, right, unit = flags

        def function(a, b):
            a = a.mT if transpose else a
            return torch.linalg.solve_triangular(a, b, upper=upper != transpose, left=not right, unitriangular=unit)
        inputs = [regular(3, 3, by=4), real(2, 3) if right else real(3, 2)]
        yield case(function, inputs, upper=upper, transpose=transpose, right=right, unit_diagonal=unit)


@reference("solve")
def solve():
    for a, b in (((3, 3), (3, 2)), ((3, 3), (3,)), ((2, 3, 3), (2, 3)), ((2, 2, 2), (2,)), ((2, 1, 2, 2), (3, 2, 1)),
                 ((1, 1), (1, 1)), ((0, 0), (0, 2)), ((2, 2), (2, 0))):
        yield case(torch.linalg.solve, [regular(*a), real(*b)])


@reference("inverse")
def inverse():
    for shape in ((1, 1), (3, 3), (2, 3, 3), (2, 1, 2, 2), (0, 0), (0, 2, 2)):
        yield case(torch.linalg.inv, [regular(*shape)])


@reference("logdet")
def logdet():
    for shape in ((1, 1), (3, 3), (2, 3, 3), (2, 1, 2, 2), (0, 2, 2)):
        yield case(torch.logdet, [regular(*shape)])
    yield case(torch.logdet, [reals(0, 1, 1, 0, 1, 2, 2, 4).reshape(2, 2, 2)], gradient=False)


@reference("slogdet")
def slogdet():
    for shape, by in (((1, 1), 9), ((3, 3), 9), ((3, 3), -9), ((2, 3, 3), 9), ((2, 1, 2, 2), -9), ((0, 2, 2), 9)):
        yield case(lambda a: torch.linalg.slogdet(a)[1], [regular(*shape, by=by)])
    for a in (regular(3, 3, by=-9), reals(0, 1, 1, 0, 1, 2, 2, 4).reshape(2, 2, 2)):
        yield case(lambda a: torch.linalg.slogdet(a)[::-1], [a], gradient=False)


# -- Softmax --------------------------------------------------------------------------------------------------------


def along(function):
    for shape, axis in (((5,), 0), ((3, 4), 1), ((3, 4), 0), ((2, 3, 2), -2), ((2, 1), 1), ((0, 3), 1)):
        yield case(lambda x: function(x, axis), [real(*shape, low=-4, high=4)], axis=axis)
    yield case(lambda x: function(x, 0), [reals(900.0, -900.0, 899.0, 0.0)], axis=0)


@reference("softmax")
def softmax():
    yield from along(torch.softmax)
    yield case(lambda x: torch.softmax(x, 1), [reals(1.0, -math.inf, 2.0, 1.0, math.nan, 2.0).reshape(2, 3)], axis=1)


@reference("log_softmax")
def log_softmax():
    yield from along(torch.log_softmax)


@reference("logsumexp")
def logsumexp():
    for keepdim in (False, True):
        for c in along(lambda x, axis: torch.logsumexp(x, axis, keepdim)):
            c["args"]["keepdim"] = keepdim
            yield c


def valid(shape, valid_lens, causal=False):
    """bool (..., Q, K): the keys that a query sees; valid_lens (B) or (B, Q) are shared by the heads between."""
    queries, keys = shape[-2:]
    mask = torch.ones(shape, dtype=torch.bool)
    if valid_lens is not None:
        rows = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None].expand(-1, queries)
        mask = torch.arange(keys) < rows[:, :, None]
        mask = mask.reshape(shape[0], *[1] * (len(shape) - 3), queries, keys).expand(shape)
    return mask & torch.ones(queries, keys, dtype=torch.bool).tril() if causal else mask


def softmax_of(scores, mask):
    """Softmax of the scores at which the mask is true; 0 at all other scores."""
    lowest = torch.full_like(scores, -math.inf)
    some = mask.any(-1, keepdim=True)
    weights = torch.softmax(torch.where(mask, scores, torch.where(some, lowest, torch.zeros_like(scores))), -1)
    return torch.where(mask, weights, torch.zeros_like(scores))


def masked_softmax_of(x, seen):
    if seen is not None and seen.dtype == torch.bool:
        return softmax_of(x, seen.expand(x.shape))
    return softmax_of(x, valid(x.shape, seen))


@reference("masked_softmax")
def masked_softmax():
    for shape, lens in (((2, 2, 4), None), ((2, 2, 4), lengths(2, 3)), ((2, 3, 5), integers(2, 3, high=6)),
                        ((3, 1, 3), lengths(0, 1, 3)), ((1, 1, 1), lengths(1)), ((2, 0, 3), lengths(1, 2)),
                        ((1, 2, 0), lengths(0)), ((1, 3, 4), lengths(4))):
        yield case(masked_softmax_of, [real(*shape), lens])
    x = reals(0.5, 1.0, math.nan, math.inf, -math.inf, 2.0, 1.0, math.nan).reshape(1, 2, 4)
    yield case(masked_softmax_of, [x, lengths(2)])
    yield case(masked_softmax_of, [torch.full((1, 1, 3), -1e7, dtype=torch.float64), lengths(2)])
    for shape, of in (((4,), (4,)), ((2, 3), (2, 1)), ((2, 3, 5), (2, 3, 5)), ((2, 3, 4), (4,)), ((2, 2, 3, 4), (3, 4)),
                      ((2, 2, 3, 4), (2, 1, 1, 4)), ((2, 0, 3), (3,))):
        yield case(masked_softmax_of, [real(*shape), integers(*of, high=2).bool()])
    yield case(masked_softmax_of, [x, reals(0, 1, 0, 0, 1, 1, 0, 0).reshape(1, 2, 4).bool()])


@reference("sequence_mask")
def sequence_mask():
    def function(x, lens, value):
        mask = torch.arange(x.shape[1]) < lens[:, None]
        return torch.where(mask.reshape(*mask.shape, *[1] * (x.dim() - 2)), x, torch.full_like(x, value))
    for shape, lens, value in (((2, 3), lengths(1, 2), 0.0), ((3, 4), lengths(0, 4, 3), -1.5),
                               ((2, 3, 2), lengths(2, 0), 7.0), ((1, 1), lengths(1), 1.0), ((0, 2), lengths(), 0.0),
                               ((2, 0), lengths(0, 0), 0.0)):
        yield case(lambda x, n: function(x, n, value), [real(*shape), lens], value=value)
    yield case(lambda x, n: function(x, n, 0.0), [reals(1.0, math.nan, math.inf).reshape(1, 3), lengths(1)], value=0.0)


# -- Normalisation and dropout --------------------------------------------------------------------------------------


@reference("layer_norm")
def layer_norm():
    for shape, norm, weight, bias in (((2, 5), [5], True, True), ((2, 3, 4), [3, 4], True, True),
                                      ((3, 4), [4], True, False), ((3, 4), [4], False, False),
                                      ((2, 2, 3), [3], False, True), ((3, 1), [1], True, True),
                                      ((7,), [7], True, True), ((0, 3), [3], True, True)):
        yield case(lambda x, w, b: F.layer_norm(x, norm, w, b, 1e-5),
                   [real(*shape), real(*norm) if weight else None, real(*norm) if bias else None], shape=norm, eps=1e-5)
    yield case(lambda x, w, b: F.layer_norm(x, [3], w, b, 0.5), [real(2, 3), real(3), real(3)], shape=[3], eps=0.5)


@reference("rms_norm")
def rms_norm():
    """Implemented here, because torch 1.13 lacks it."""
    def function(x, w, axes, eps):
        y = x / (x.square().mean(axes, keepdim=True) + eps).sqrt()
        return y if w is None else y * w
    for shape, norm, weight, eps in (((2, 5), [5], True, 1e-5), ((2, 3, 4), [3, 4], True, 1e-5), ((3, 4), [4], False, 0.5),
                                     ((7,), [7], True, 1e-2), ((3, 1), [1], True, 1.0), ((0, 3), [3], True, 1e-5)):
        axes = tuple(range(-len(norm), 0))
        yield case(lambda x, w: function(x, w, axes, eps), [real(*shape), real(*norm) if weight else None], shape=norm,
                   eps=eps)


@reference("batch_norm")
def batch_norm():
    for shape, weight, bias, given in (((3, 2), False, False, False), ((4, 3), True, True, False), ((2, 3, 4), True, True, False),
                                       ((2, 2, 3, 2), True, False, False), ((1, 2, 5), True, True, False),
                                       ((3, 2), False, False, True), ((2, 2, 3), True, True, True),
                                       ((1, 3), True, True, True), ((2, 2, 2, 2), False, False, True)):
        channels = shape[1]
        # torch has no gradient for these
        mean, variance = (real(channels), real(channels, low=1)) if given else (None, None)
        case_ = case(lambda x, w, b: F.batch_norm(x, mean, variance, w, b, not given, 0.1, 1e-5),
                     [real(*shape), real(channels) if weight else None, real(channels) if bias else None], eps=1e-5)
        case_["inputs"][1:1] = [entry(mean), entry(variance)]
        case_["input_grads"][1:1] = [None, None]
        yield case_


@reference("group_norm")
def group_norm():
    for shape, groups, weight, bias in (((2, 4), 2, True, True), ((2, 4, 3), 2, True, True), ((1, 3, 2, 2), 1, True, True),
                                        ((3, 2, 3), 2, True, False), ((2, 6), 3, False, False)):
        yield case(lambda x, w, b: F.group_norm(x, groups, w, b, 1e-5),
                   [real(*shape), real(shape[1]) if weight else None, real(shape[1]) if bias else None], groups=groups, eps=1e-5)


@reference("instance_norm")
def instance_norm():
    for shape, weight, bias in (((2, 3, 4), True, True), ((1, 2, 3, 2), True, True), ((2, 2, 5), False, False)):
        yield case(lambda x, w, b: F.instance_norm(x, None, None, w, b, True, 0.1, 1e-5),
                   [real(*shape), real(shape[1]) if weight else None, real(shape[1]) if bias else None], eps=1e-5)


@reference("dropout")
def dropout():
    for shape in ((2, 3), (1,), (), (0, 2)):
        for p, training in ((0.0, True), (1.0, True), (0.0, False), (0.5, False), (1.0, False)):
            yield case(lambda x: F.dropout(x, p, training), [real(*shape)], p=p, training=training)
    yield case(lambda x: F.dropout(x, 0.0, True), [reals(math.inf, math.nan, 1.0)], p=0.0, training=True)


# -- Attention ------------------------------------------------------------------------------------------------------


def pool(scores, values, valid_lens, causal):
    """The result and the weights."""
    weights = softmax_of(scores, valid(scores.shape, valid_lens, causal))
    return weights @ values, weights


def dot_product(q, k, v, valid_lens, causal=False, scale=0.0):
    return pool(q @ k.mT * (scale or 1 / math.sqrt(q.shape[-1])), v, valid_lens, causal)


def additive(q, k, v, valid_lens, w_q, w_k, w_v, causal=False):
    features = torch.tanh((q @ w_q.T)[:, :, None] + (k @ w_k.T)[:, None])
    return pool(features @ w_v.reshape(-1), v, valid_lens, causal)


# Rows: batch (and heads), queries, keys, size, size of the values; lengths; the other options.
ATTENTION = [
    ((2,), 3, 4, 2, 3, lambda: None, {}),
    ((2,), 3, 4, 2, 3, lambda: lengths(2, 4), {"weights": True}),
    ((2,), 3, 4, 1, 1, lambda: integers(2, 3, high=5), {}),
    ((1,), 4, 4, 3, 2, lambda: None, {"causal": True}),
    ((2,), 3, 4, 2, 1, lambda: lengths(3, 1), {"causal": True, "weights": True}),
    ((3,), 1, 2, 2, 2, lambda: lengths(0, 1, 2), {"weights": True}),
    ((1,), 1, 1, 1, 1, lambda: None, {}),
    ((1,), 5, 2, 1, 3, lambda: None, {"causal": True}),
    ((0,), 2, 3, 2, 2, lambda: None, {}),
    ((2,), 0, 3, 2, 2, lambda: lengths(1, 3), {"weights": True}),
    ((1,), 2, 0, 2, 2, lambda: lengths(0), {}),
]
HEADS = [
    ((2, 2), 2, 3, 2, 1, lambda: lengths(1, 3), {"weights": True}),
    ((1, 3), 3, 3, 1, 2, lambda: None, {"causal": True}),
    ((2, 2), 2, 2, 1, 1, lambda: integers(2, 2, high=3), {}),
]


@reference("dot_product_attention")
def dot_product_attention():
    scaled = [((2,), 2, 3, 2, 2, lambda: None, {"scale": 0.75}), ((1,), 2, 3, 2, 2, lambda: None, {"scale": -2.0})]
    for batch, n, m, d, e, lens, options in ATTENTION + HEADS + scaled:
        def function(q, k, v, valid_lens):
            both = dot_product(q, k, v, valid_lens, options.get("causal", False), options.get("scale", 0.0))
            return both if options.get("weights") else both[0]
        yield case(function, [real(*batch, n, d), real(*batch, m, d), real(*batch, m, e), lens()], **options)
    for (batch, n, m, given, options), weights in itertools.product(VISIBILITY + SLANTED, (False, True)):
        def seen(q, k, v, *given):
            scores, mask = sight(q @ k.mT / math.sqrt(q.shape[-1]), options, *given)
            w = softmax_of(scores, mask)
            return (w @ v, w) if weights else w @ v
        yield case(seen, [real(*batch, n, 2), real(*batch, m, 2), real(*batch, m, 1), *given()], weights=weights, **options)
    for inner, weights in itertools.product((False, True), (False, True)):
        def grouped(q, k, v):
            q, k, v = (x.transpose(1, 2) if inner else x for x in (q, k, v))
            y, w = dot_product(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1), None, True)
            y = y.transpose(1, 2) if inner else y
            return (y, w) if weights else y
        shapes = ((1, 2, 4, 2), (1, 3, 2, 2), (1, 3, 2, 1)) if inner else ((1, 4, 2, 2), (1, 2, 3, 2), (1, 2, 3, 1))
        yield case(grouped, [real(*s) for s in shapes], causal=True, heads_inner=inner, weights=weights)


# -- Visible keys and score biases: Q, K, and the options -------------------------------------------------------------


def near(queries, keys, causal=False, window=0, query_offset=0):
    """bool (Q, K): the keys that causal attention and a window leave visible."""
    distance = torch.arange(queries)[:, None] + query_offset - torch.arange(keys)
    seen = torch.ones(queries, keys, dtype=torch.bool)
    if causal:
        seen &= distance >= 0
    return seen & (distance.abs() < window) if window else seen


def slanted(slopes, queries, keys, query_offset=0):
    return slopes[:, None, None] * (torch.arange(queries)[:, None] + query_offset - torch.arange(keys)).abs()


def relative(table, queries, keys, query_offset=0):
    distance = torch.arange(keys) - torch.arange(queries)[:, None] - query_offset
    most = table.shape[1] // 2
    return table[:, distance.clamp(-most, most) + most]


def sight(scores, options, valid_lens=None, mask=None, bias=None, slopes=None, relative_bias=None):
    """The scores with all biases added, and the mask of the visible keys."""
    queries, keys = scores.shape[-2:]
    seen = valid(scores.shape, valid_lens) & near(queries, keys, **options)
    if mask is not None:
        seen = seen & mask
    if bias is not None:
        scores, seen = scores + bias, seen & (bias > -math.inf)
    if slopes is not None:
        scores = scores - slanted(slopes, queries, keys, options.get("query_offset", 0))
    if relative_bias is not None:
        added = relative(relative_bias, queries, keys, options.get("query_offset", 0))
        scores, seen = scores + added, seen & (added > -math.inf)
    return scores, seen


def holes(*shape):
    """A score bias that hides about a quarter of the pairs."""
    return torch.where(booleans(*shape) | booleans(*shape), real(*shape), torch.tensor(-math.inf, dtype=torch.float64))


def nothing():
    return [None] * 5


VISIBILITY = [  # batch (and heads); Q, K; lengths, mask, bias, slopes, relative bias; the other options
    ((2,), 3, 4, lambda: [None, booleans(2, 3, 4)], {}),
    ((2,), 3, 4, lambda: [lengths(4, 2), booleans(3, 1), real(4)], {"causal": True}),
    ((1, 2), 2, 3, lambda: [None, booleans(2, 1, 3), real(1, 1, 2, 3)], {}),
    ((2,), 2, 3, lambda: [None, None, holes(2, 2, 3)], {}),
    ((2,), 4, 4, nothing, {"causal": True, "window": 2}),
    ((1,), 4, 5, nothing, {"window": 3, "query_offset": 1}),
    ((2,), 2, 5, nothing, {"causal": True, "query_offset": 3}),
    ((1,), 3, 5, lambda: [None, None, real(3, 5)], {"causal": True, "query_offset": 1, "window": 2}),
]
SLANTED = [((1, 2), 3, 4, lambda: [None, None, None, reals(0.5, 0.25)], {"causal": True, "query_offset": 1}),
           ((1,), 3, 4, lambda: [lengths(3), None, real(3, 4), reals(0.5)], {}),
           ((1, 2), 3, 4, lambda: [None, None, None, None, real(2, 3)], {"causal": True, "query_offset": 1}),
           ((2,), 3, 4, lambda: [None, None, None, None, holes(1, 5)], {}),
           ((2, 1), 3, 2, lambda: [lengths(2, 1), booleans(3, 1), real(3, 2), reals(0.5), real(1, 1)], {})]


@reference("attention_visible_keys")
def attention_visible_keys():
    for batch, n, m, given, options in VISIBILITY + SLANTED:
        pairs = (*batch, n, m)
        def visible(*given):
            return sight(torch.zeros(pairs, dtype=torch.float64), options, *given)[1].flatten(1, -2).any(1)
        yield case(visible, given(), gradient=False, pairs=pairs, **options)


@reference("additive_attention")
def additive_attention():
    for batch, n, m, d, e, lens, options in ATTENTION:
        for w_v in ((3,), (1, 3)) if d == 1 else ((3,),):
            def function(q, k, v, w_q, w_k, w_v, valid_lens):
                both = additive(q, k, v, valid_lens, w_q, w_k, w_v, options.get("causal", False))
                return both if options.get("weights") else both[0]
            yield case(function, [real(*batch, n, d), real(*batch, m, d + 1), real(*batch, m, e), real(3, d),
                                  real(3, d + 1), real(*w_v), lens()], **options)
    for (batch, n, m, given, options), weights in itertools.product(VISIBILITY + SLANTED, (False, True)):
        def seen(q, k, v, w_q, w_k, w_v, *given):
            features = torch.tanh((q @ w_q.T)[:, :, None] + (k @ w_k.T)[:, None])
            scores, mask = sight(features @ w_v, options, *given)
            w = softmax_of(scores, mask)
            return (w @ v, w) if weights else w @ v
        if len(batch) == 1:
            yield case(seen, [real(*batch, n, 2), real(*batch, m, 1), real(*batch, m, 1), real(2, 2), real(2, 1), real(2),
                              *given()], weights=weights, **options)


# -- Rotary embedding -----------------------------------------------------------------------------------------------


def rope_of(x, positions, frequencies, interleaved, inner, scale=1.0):
    """RoPE as in Llama (halves) and GPT-J (neighbours). x: (B, T, H, d), (B, H, T, d) or (B, T, d)."""
    pairs = len(frequencies)
    angles = positions.double()[..., None] * frequencies
    if positions.dim() == 2 and x.dim() == 4:
        angles = angles[:, None]
    if inner:
        angles = angles[..., None, :] if positions.dim() == 1 else angles.transpose(1, 2)
    cos, sin = scale * angles.cos(), scale * angles.sin()
    turned, rest = x[..., :2 * pairs], x[..., 2 * pairs:]
    if interleaved:
        a, b = turned[..., 0::2], turned[..., 1::2]
        turned = torch.stack((a * cos - b * sin, b * cos + a * sin), -1).flatten(-2)
    else:
        a, b = turned[..., :pairs], turned[..., pairs:]
        turned = torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
    return torch.cat((turned, rest), -1)


@reference("rope")
def rope():
    for shape, options in (((2, 3, 4), {}), ((1, 2, 3, 4), {"base": 100.0}), ((1, 3, 2, 5), {"heads_inner": True, "dims": 4}),
                           ((2, 2, 7), {"dims": 2, "offset": 1000}), ((0, 2, 4), {}), ((1, 3, 6), {"dims": 4, "scale": 1.25})):
        for interleaved, placed in itertools.product((False, True), (None, "shared", "each")):
            inner, length = options.get("heads_inner", False), shape[1] if len(shape) == 3 else shape[-2]
            length = shape[1] if inner else length
            dims = options.get("dims", shape[-1])
            frequencies = options.get("base", 10000.0) ** (-torch.arange(0, dims, 2).double() / dims)
            positions = {None: None, "shared": integers(length, high=99), "each": integers(shape[0], length, high=99)}[placed]

            def function(x, positions=None):
                places = torch.arange(length) if positions is None else positions
                return rope_of(x, places + options.get("offset", 0), frequencies, interleaved, inner,
                               options.get("scale", 1.0))
            yield case(function, [real(*shape), positions], interleaved=interleaved, **options)
