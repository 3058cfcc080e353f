"""heed/_promotion.py - further attempts at a call whose tensor arguments C has refused. Arguments of every function become
tensors as in heed/_convert.py; for ops, tensors and numbers of different dtypes are also converted to PyTorch's common dtype."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, Iterator, List, Optional, Tuple

import numpy

import heed
from heed._convert import arguments_of, as_tensor, at, has_floats
from heed._kinds import KINDS, TENSOR
from heed._prototypes import OPS

HEADERS = {name: header for header, names in OPS.items() for name in names.split()}

RANKS = {"bool": 0, "i64": 1, "f32": 2, "f64": 3}
CATEGORIES = {"bool": 0, "i64": 1, "f32": 2, "f64": 2}
WORDS = ((bool, "bool"), (int, "i64"), (float, "f32"))
LISTS = (list, tuple, numpy.ndarray)
# Arguments whose dtype does not depend on the others.
SEPARATE = {"index", "indices", "targets", "mask", "condition", "valid_lens", "positions", "input_lens", "target_lens"}
APART = {"heed_bincount"}
TRUTHS = {"heed_logical_and", "heed_logical_or", "heed_logical_xor", "heed_logical_not", "heed_any", "heed_all"}
COUNTED = {"heed_argsort", "heed_argmax", "heed_argmin", "heed_prod", "heed_cumsum", "heed_cumprod", "heed_square", "heed_bmm", "heed_matmul"}  # of bool: computed as i64
COMPARING = {"heed_compare", "heed_isclose", "heed_allclose"}  # of i64 and floats: in f64, which holds more whole numbers than f32
# Functions that equal a different function of C if all numbers are bool, or whole; and further arguments of that function.
LOGICAL = {"heed_add": "heed_logical_or", "heed_mul": "heed_logical_and", "heed_maximum": "heed_logical_or",
           "heed_minimum": "heed_logical_and", "heed_sign": "heed_clone", "heed_abs": "heed_clone"}
WHOLE = {"heed_floor": ("heed_clone",), "heed_ceil": ("heed_clone",), "heed_round": ("heed_clone",), "heed_hardtanh": ("heed_clamp",),
         "heed_relu": ("heed_clamp", 0.0, float("inf"))}
# Functions that move or compare elements: of bool in that dtype, and the result becomes bool again.
MOVING = {"heed_unfold": "f32", "heed_where": "i64", "heed_masked_fill": "i64", "heed_sort_axis": "i64", "heed_sort": "i64",
          "heed_topk": "i64", "heed_max": "i64", "heed_max_axes": "i64", "heed_min": "i64", "heed_min_axes": "i64"}
# Functions of numbers, in addition to the elementwise ones, whose results are floats for whole numbers.
FLOATING = {"heed_trapezoid", "heed_poisson_nll_loss", "heed_triplet_margin_loss", "heed_cosine_embedding_loss", "heed_logsumexp", "heed_nanmean", "heed_isnan", "heed_isinf", "heed_isfinite"}


class Unfit(Exception):
    """The arguments do not fit a different call either: the error of the first call is raised."""


class Operand:
    """An argument, or an item of a list argument, that takes part in the promotion."""

    def __init__(self, place: Tuple[int, Optional[int]], value: Any) -> None:
        self.place, self.value = place, value
        number = heed._operators.number_of(value)
        if isinstance(number, (bool, int, float)):
            self.value, self.dtype, self.rank = number, next(word for kind, word in WORDS if isinstance(number, kind)), -1
        else:
            self.value = as_tensor(value)
            if not isinstance(self.value, heed.Tensor):
                raise Unfit
            self.floats = value if not isinstance(value, heed.Tensor) and has_floats(value) else None
            self.dtype, self.rank = self.value.dtype, min(self.value.ndim, 1)

    def to(self, dtype: str) -> Any:
        if self.rank < 0:
            large = dtype == "i64" and abs(self.value) > 2**53
            return heed.tensor(self.value, "i64") if large else heed._functions.full((), self.value, dtype)
        if self.floats is not None and dtype == "f64":  # not through f32
            return heed.tensor(self.floats, dtype)
        return self.value if self.dtype == dtype else heed._functions.to_dtype(self.value, dtype)


def common(operands: List[Operand]) -> str:
    """PyTorch's result type: scalar tensors change the dtype only by their category, and numbers only if no tensor has it."""
    found, level = "", 2
    for rank in (1, 0, -1):
        for operand in operands:
            higher = not found or CATEGORIES[operand.dtype] > CATEGORIES[found]
            if operand.rank == rank and (higher or rank == level and RANKS[operand.dtype] > RANKS[found]):
                found, level = operand.dtype, rank
    return found


def operands_of(function: Any, arguments: Tuple[Any, ...]) -> List[Operand]:
    found = []
    for i, (name, kind, value) in enumerate(zip(function.names, function.argtypes, arguments)):
        if value is None or name in SEPARATE:
            continue
        try:
            if kind is TENSOR:
                found.append(Operand((i, None), value))
            elif kind is KINDS["tensors"] and isinstance(value, LISTS):
                if any(heed._operators.number_of(part) is not None for part in value):
                    raise Unfit
                found += [Operand((i, k), part) for k, part in enumerate(value)]
        except (TypeError, ValueError) as wrong:
            raise at(function, name, wrong) from None
    return found


def given(arguments: Tuple[Any, ...], operands: List[Operand], dtype: str) -> Tuple[Any, ...]:
    """The arguments with every operand in that dtype."""
    changed = [list(a) if isinstance(a, LISTS) else a for a in arguments]
    for operand in operands:
        i, k = operand.place
        if k is None:
            changed[i] = operand.to(dtype)
        else:
            changed[i][k] = operand.to(dtype)
    return tuple(changed)


def listed(function: Any, arguments: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """The arguments with lists and arrays of indices and masks as tensors."""
    return tuple(as_tensor(a) if kind is TENSOR and name in SEPARATE else a
                 for name, kind, a in zip(function.names, function.argtypes, arguments))


def dtypes_of(name: str, first: str, counts: bool) -> List[str]:
    """The dtypes to try, in order, for operands whose common dtype is `first`. counts: a tensor is i64."""
    if name in TRUTHS:
        return ["bool"]
    if first == "bool" and name in COUNTED:
        return ["i64"]
    whole = CATEGORIES[first] < 2
    if name in COMPARING:
        return [first] + ["f64"] * whole if whole or not counts else ["f64"]
    return [first] + ["f32"] * (whole and (name in FLOATING or HEADERS.get(name) == "elementwise"))


def attempts(function: Any, arguments: Tuple[Any, ...]) -> Iterator[Tuple[Any, Tuple[Any, ...], Optional[str]]]:
    """What to try after the call function(*arguments) has failed: a function, its arguments, and the dtype of the result if
    it must be converted."""
    name = function.__name__
    if name not in HEADERS:
        converted = arguments_of(function, arguments)
        if converted is not None:
            yield function, converted, None
        return
    try:
        operands, arguments = operands_of(function, arguments), listed(function, arguments)
    except Unfit:  # the error of the first attempt says so
        return
    if not operands:
        yield function, arguments, None
        return
    if name in APART:
        values = {operand.place[0]: operand.to(operand.dtype) for operand in operands}
        yield function, tuple(values.get(i, a) for i, a in enumerate(arguments)), None
        return
    first = common(operands)
    if first == "bool" and name in MOVING:
        yield function, given(arguments, operands, MOVING[name]), "bool"
        return
    replaced: Any = {"bool": (LOGICAL.get(name, name),), "i64": WHOLE.get(name)}.get(first)
    other, *more = replaced or (name,)
    if other != name:
        yield getattr(heed._call.C, other), (*given(arguments, operands, first), *more), None
    for dtype in dtypes_of(name, first, any(o.dtype == "i64" and o.rank >= 0 for o in operands)):
        yield function, given(arguments, operands, dtype), None


__all__ = ["attempts"]
