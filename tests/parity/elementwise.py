"""tests/parity/elementwise.py - reference results of the elementwise ops.

A function of one tensor in include/heed/ops/elementwise.h that is not in a table of this file is compared with the function of
PyTorch that its comment names, over the default range.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import re
from functools import partial, reduce
from pathlib import Path

import torch
import torch.nn.functional as F

from case import booleans, case, integers, real, reals, reference, references

SHAPES = [(), (1,), (3,), (2, 5), (2, 1, 3), (0,), (2, 0, 3)]
SPECIAL = [0.0, 1.0, math.inf, -math.inf, math.nan]

# name: the function, the range of its inputs, and the special numbers that are tested. The cases omit intended
# differences from PyTorch: there sign(NaN) is 0 (NaN in heed), which affects the gradient of abs; relu, elu and
# hardtanh pass on the gradient at NaN, and the one of hardswish is 0; the gradient of gelu is NaN at infinities.
UNARY = {
    "neg": (torch.neg, -2, 2, SPECIAL),
    "square": (torch.square, -2, 2, SPECIAL),
    "sqrt": (torch.sqrt, 0.125, 4, [*SPECIAL, -1.0]),
    "exp": (torch.exp, -3, 3, SPECIAL),
    "rsqrt": (torch.rsqrt, 0.125, 4, [*SPECIAL, -1.0]),
    "log": (torch.log, 0.125, 4, [*SPECIAL, -1.0]),
    "log2": (torch.log2, 0.125, 4, [*SPECIAL, -1.0]),
    "log10": (torch.log10, 0.125, 4, [*SPECIAL, -1.0]),
    "expm1": (torch.expm1, -3, 3, SPECIAL),
    "log1p": (torch.log1p, -0.75, 4, [*SPECIAL, -1.0, -2.0]),
    "sin": (torch.sin, -7, 7, SPECIAL),
    "cos": (torch.cos, -7, 7, SPECIAL),
    "tan": (torch.tan, -7, 7, SPECIAL),
    "asin": (torch.asin, -0.875, 0.875, [*SPECIAL, -1.0, 2.0]),
    "acos": (torch.acos, -0.875, 0.875, [*SPECIAL, -1.0, 2.0]),
    "atan": (torch.atan, -3, 3, SPECIAL),
    "sinh": (torch.sinh, -3, 3, SPECIAL),
    "cosh": (torch.cosh, -3, 3, SPECIAL),
    "tanh": (torch.tanh, -3, 3, [*SPECIAL, 25.0]),
    "sigmoid": (torch.sigmoid, -5, 5, [*SPECIAL, 40.0, -40.0]),
    "relu": (torch.relu, -2, 2, SPECIAL[:4]),
    "abs": (torch.abs, -2, 2, SPECIAL[:4]),
    "sign": (torch.sign, -2, 2, SPECIAL[:4]),
    "floor": (torch.floor, -3, 3, [*SPECIAL, -0.5, 2.5]),
    "ceil": (torch.ceil, -3, 3, [*SPECIAL, -0.5, 2.5]),
    "round": (torch.round, -3, 3, [*SPECIAL, -0.5, 0.5, 1.5, 2.5]),
    "erf": (torch.erf, -3, 3, SPECIAL),
    "gelu": (F.gelu, -4, 4, [0.0, 1.0, math.nan, 12.0, -12.0]),
    "gelu_tanh": (partial(F.gelu, approximate="tanh"), -4, 4, [0.0, 1.0, math.nan, 12.0, -12.0]),
    "softplus": (partial(F.softplus, threshold=100), -4, 4, [*SPECIAL, 40.0, -40.0]),
    "silu": (F.silu, -4, 4, [0.0, 1.0, math.nan, 40.0, -40.0]),
    "mish": (F.mish, -4, 4, [0.0, 1.0, math.nan, 40.0, -40.0]),
    "hardswish": (F.hardswish, -2.5, 2.5, [0.0, 1.0, -2.75, 2.75, -4.0, 4.0]),
    "clone": (torch.clone, -2, 2, SPECIAL),
    "contiguous": (lambda x: x.contiguous(), -2, 2, SPECIAL),
}


def whole(function, **numbers):
    """Cases with i64 inputs, small ones and over the whole range: overflow is modulo 2^64."""
    for x in (integers(5, low=-9, high=10), integers(2, 0, high=1), integers(2, 5, low=-2**63, high=2**63),
              torch.tensor([-2**63, 2**63 - 1, -1, 0])):
        yield case(function, [x], **numbers)


def unary(name):
    function, low, high, special = UNARY[name]
    for shape in SHAPES:
        yield case(function, [real(*shape, low=low, high=high)])
    yield case(function, [reals(*special)])
    if name in ("relu", "abs"):
        yield case(function, [reals(math.nan)], gradient=False)
    if name in ("neg", "square", "abs", "sign"):
        yield from whole(function)


def of_headers():
    """(name, function of PyTorch) of the header's functions of one tensor: `torch: torch.exp` is torch.exp."""
    header = Path(__file__).resolve().parents[2] / "include/heed/ops/elementwise.h"
    declared = r"torch: torch\.([\w.]+)(?:(?!\*/).)*\*/\n(?:HEED_DEPRECATED\([^)]*\)\n)?HEED_API heed_tensor \*heed_(\w+)\(heed_tensor \*x\);"
    for path, name in re.findall(declared, header.read_text(encoding="utf-8"), re.S):
        yield name, partial(reduce, getattr, path.split("."))


for key, find in of_headers():
    UNARY.setdefault(key, (lambda x, find=find: find(torch)(x), -3, 3, SPECIAL[:4]))
for key in UNARY:
    references[key] = partial(unary, key)

# -- With a number --------------------------------------------------------------------------------------------------


def with_number(function, name, numbers, low=-2.0, high=2.0):
    for shape, c in zip([(3,), (2, 5), (), (1, 1), (0, 2)], numbers):
        yield case(lambda x: function(x, c), [real(*shape, low=low, high=high)], **{name: c})


def with_number_of_dtype(function):
    """The same, with additional i64 cases."""
    yield from with_number(function, "c", [2.5, -0.1, 0.0, 1.0, 3.0])
    for c in (-7, 2**62, -2**63):
        yield from whole(lambda x: function(x, c), c=c)


references["mul_scalar"] = partial(with_number_of_dtype, torch.mul)
references["add_scalar"] = partial(with_number_of_dtype, torch.add)
references["rsub_scalar"] = partial(with_number_of_dtype, torch.rsub)
references["leaky_relu"] = partial(with_number, F.leaky_relu, "slope", [0.01, 0.5, 0.0, 1.0, -0.5])
references["elu"] = partial(with_number, F.elu, "alpha", [1.0, 0.5, 0.0, 2.0, -0.5])


@reference("pow_scalar")
def pow_scalar():
    yield from with_number(torch.pow, "p", [2.5, -0.5, 0.0, 1.0, 3.0], low=0.25)
    for p in (0.0, 1.0, 2.0, 3.0, -1.0, -2.0):
        yield case(lambda x: torch.pow(x, p), [real(4) + 0.0078125], p=p)  # both signs, without 0
    for p in (0.0, 1.0, 2.0, 0.5):
        yield case(lambda x: torch.pow(x, p), [reals(0.0, math.inf)], p=p)
    for p in (0, 1, 2, 3, 6, 63, 2**40 + 1):
        yield from whole(lambda x: torch.pow(x, p), p=p)


@reference("clamp")
def clamp():
    for shape, low, high in (((7,), -1.0, 1.0), ((2, 5), 0.25, math.inf), ((3, 3), -math.inf, 0.5), ((), 0.0, 0.0),
                             ((0,), -1.0, 1.0)):
        yield case(lambda x: torch.clamp(x, low, high), [real(*shape)], low=number_or_text(low),
                   high=number_or_text(high))
    yield case(lambda x: torch.clamp(x, -1.0, 1.0), [reals(-1.0, 1.0, 0.0, math.inf, -math.inf)], low=-1.0, high=1.0)
    for low, high in ((-2, 3), (-2**63, 2**62), (4, 4)):
        yield from whole(lambda x: torch.clamp(x, low, high), low=low, high=high)
    yield from whole(lambda x: torch.clamp(x, min=-2), low=-2, high="inf")
    yield from whole(lambda x: torch.clamp(x, max=2), low="-inf", high=2)


@reference("hardtanh")
def hardtanh():
    for shape, low, high in (((7,), -1.0, 1.0), ((2, 5), 0.25, 0.5), ((), -1.0, 0.0), ((0,), -1.0, 1.0)):
        yield case(lambda x: F.hardtanh(x, low, high), [real(*shape)], low=low, high=high)
    yield case(lambda x: F.hardtanh(x, -1.0, 1.0), [reals(-1.0, 1.0, 0.0, math.inf, -math.inf)], low=-1.0, high=1.0)


def number_or_text(value):
    return value if math.isfinite(value) else str(value)


# -- Of two tensors -------------------------------------------------------------------------------------------------

PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((4, 1), (1, 5)), ((), (2, 2)), ((1,), (1,)), ((2, 1, 3), (5, 1)),
         ((0, 3), (1, 3)), ((2, 1), (2, 0))]


def binary(function, low=-2.0, special=(), gradient=True):
    for a, b in PAIRS:
        yield case(function, [real(*a), real(*b, low=low)], gradient=gradient)
    for a, b in special:
        yield case(function, [reals(*a), reals(*b)], gradient=gradient)


WITH_EQUALS = [((1.0, 2.0, -1.0, 0.0), (1.0, 1.0, -1.0, 3.0)), ((math.inf, -math.inf, 2.0), (1.0, 1.0, math.inf))]
QUOTIENTS = [((7.0, -7.0, 7.0, -7.0, 6.0, -6.0, 0.5), (2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -4.0))]


def numbers(function, *more, low=-9, **special):
    """The same, with additional i64 cases."""
    yield from binary(function, *more, **special)
    for a, b in PAIRS:
        yield case(function, [integers(*a, low=-9, high=10), integers(*b, low=low, high=10)])


references["add"] = partial(numbers, torch.add)
references["sub"] = partial(numbers, torch.sub)
references["mul"] = partial(numbers, torch.mul)
references["div"] = partial(binary, torch.div, low=0.5, special=[((1.0, -1.0, 3.0), (0.0, 0.0, math.inf))])
references["maximum"] = partial(numbers, torch.maximum, special=WITH_EQUALS)
references["minimum"] = partial(numbers, torch.minimum, special=WITH_EQUALS)
references["floor_divide"] = partial(numbers, torch.floor_divide, 0.5, low=1, special=QUOTIENTS, gradient=False)
references["remainder"] = partial(numbers, torch.remainder, 0.5, low=1, special=QUOTIENTS)
references["atan2"] = partial(binary, torch.atan2, low=0.5, special=[((0.0, 1.0, -1.0, 0.0), (-1.0, 0.0, 0.0, 2.0))])

references["hypot"] = partial(binary, torch.hypot, low=0.5, special=[((3.0, -3.0, 0.0), (4.0, 0.0, -2.0))])
references["logaddexp"] = partial(binary, torch.logaddexp, special=[((800.0, -800.0, 1.0, 0.0), (799.0, -800.0, -math.inf, 60.0))])


@reference("glu")
def glu():
    for shape, axis in (((4,), -1), ((2, 6), 1), ((6, 3), 0), ((2, 4, 3), -2), ((0, 2), 1), ((3, 0), 1)):
        yield case(lambda x: F.glu(x, axis), [real(*shape, low=-5, high=5)], axis=axis)


@reference("prelu")
def prelu():
    for x, slope in (((5,), (1,)), ((3, 4), (4,)), ((3, 4), (1,)), ((2, 3, 4), (3,)), ((2, 3, 2, 2), (3,)), ((0, 3), (3,))):
        yield case(F.prelu, [real(*x), real(*slope, low=-1, high=1)])
    yield case(F.prelu, [reals(0.0, -0.0, math.inf, -math.inf, math.nan), reals(0.25)])


@reference("lerp")
def lerp():
    for a, b in PAIRS:
        yield case(torch.lerp, [real(*a), real(*b), real(*b, low=-1)])
    yield case(torch.lerp, [real(2, 1), real(3), real(2, 1)])
    yield case(torch.lerp, [reals(1.0, 0.1, math.inf, 2.0), reals(3.0, 0.7, math.inf, -math.inf), reals(0.0, 1.0, 0.25, 1.0)])


@reference("lerp_scalar")
def lerp_scalar():
    for (a, b), weight in zip(PAIRS, (0.25, 0.75, -0.5, 1.5, 0.0, 1.0, 0.5, 2.0)):
        yield case(lambda x, y: torch.lerp(x, y, weight), [real(*a), real(*b)], weight=weight)


@reference("pow")
def power():
    for a, b in PAIRS:
        yield case(torch.pow, [real(*a, low=0.25), real(*b)])
    yield case(torch.pow, [real(2, 3) + 0.0078125, reals(-2.0, 3.0, 0.0)])  # both signs, without 0
    yield case(torch.pow, [reals(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), reals(2.0, 1.0, 0.5, 0.0, -1.0, -2.0)])
    yield case(torch.pow, [reals(math.inf, 1.0, -2.0, math.nan, 2.0), reals(2.0, math.nan, 0.5, 1.0, math.nan)])
    for a, b in PAIRS:
        yield case(torch.pow, [integers(*a, low=-9, high=10), integers(*b, high=70)])


@reference("where")
def where():
    for c, a, b in (((3,), (3,), (3,)), ((2, 1), (1, 3), ()), ((2, 2), (), (2, 1)), ((1,), (4,), (3, 1)),
                    ((0, 3), (3,), (1,))):
        yield case(torch.where, [booleans(*c), real(*a), real(*b)])
    yield case(torch.where, [torch.tensor([True, False]), reals(1.0, math.nan), reals(math.inf, 2.0)])


@reference("compare")
def compare():
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        function = getattr(torch, name)
        yield case(function, [reals(1.0, 2.0, math.nan, -math.inf), reals(1.0, 3.0, math.nan, 1.0)], comparison=name)
        yield case(function, [real(3, 1), real(4)], comparison=name)
        yield case(function, [integers(5, low=-1, high=2), integers(1, low=-1, high=2)], comparison=name)
        yield case(function, [booleans(4), booleans(4)], comparison=name)
    yield case(torch.lt, [real(0, 3), real(3)], comparison="lt")


@reference("compare_scalar")
def compare_scalar():
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        function = getattr(torch, name)
        yield case(lambda x: function(x, 1.0), [reals(1.0, 2.0, math.nan, -math.inf)], comparison=name, c=1.0)
        yield case(lambda x: function(x, -0.5), [real(3, 2)], comparison=name, c=-0.5)
        yield case(lambda x: function(x, 1), [integers(5, low=-1, high=3)], comparison=name, c=1)
    yield case(lambda x: torch.eq(x, 0), [booleans(4)], comparison="eq", c=0)
    yield case(lambda x: torch.lt(x, 0.0), [real(0, 3)], comparison="lt", c=0.0)


def predicate(function):
    for shape in SHAPES:
        yield case(function, [real(*shape)])
    yield case(function, [reals(*SPECIAL)])
    yield case(function, [integers(4, low=-3, high=4)])
    yield case(function, [booleans(3)])


for key in ("isnan", "isinf", "isfinite"):
    references[key] = partial(predicate, getattr(torch, key))


def logical(function):
    for a, b in PAIRS:
        yield case(function, [booleans(*a), booleans(*b)])


for key in ("logical_and", "logical_or", "logical_xor"):
    references[key] = partial(logical, getattr(torch, key))


@reference("logical_not")
def logical_not():
    for shape in SHAPES:
        yield case(torch.logical_not, [booleans(*shape)])


@reference("isclose")
def isclose():
    for a, b in PAIRS:
        for rtol, atol in ((0.25, 0.5), (0.0, 1.0), (0.5, 0.0)):
            yield case(lambda x, y: torch.isclose(x, y, rtol, atol), [real(*a), real(*b)], rtol=rtol, atol=atol,
                       equal_nan=False)
    for nan in (False, True):
        pair = [reals(1.0, math.inf, math.inf, math.nan, math.nan, 2.0), reals(1.5, math.inf, 1.0, math.nan, 1.0, 3.0)]
        yield case(lambda x, y: torch.isclose(x, y, 0.5, 0.0, nan), pair, rtol=0.5, atol=0.0, equal_nan=nan)


@reference("to_dtype")
def to_dtype():
    types = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64, "bool": torch.bool}
    for name, dtype in types.items():
        for x in (real(2, 3), reals(-1.5, -0.5, 0.0, 0.5, 7.0), integers(4, low=-3, high=4), booleans(3), real(0)):
            yield case(lambda t: t.to(dtype), [x], kinds=[name], dtype=name)
