#!/usr/bin/env python3
"""companions/python/tests/torch_samples.py - calls heed's functions with the sample inputs of PyTorch's own tests (op_db), and
compares values and gradients. Prints a table: op, equal, refused, different, explained, outside, and the reasons.

    cp -rL companions/python build/release/src/libheed.so build
    bench/peers run env HEED_LIBRARY=/mnt/libheed.so python3 /mnt/python/tests/torch_samples.py [OP ...]

  --reasons N   print the N most frequent reasons of refusals (default 40)
  --samples     print every sample that is refused or different

A function with the name of a PyTorch op is called with the arguments of the op, in the same order and with the same names.
Samples with dtypes, devices or layouts that heed lacks are outside. The results of random functions are compared by their
shapes and dtypes. PyTorch's samples need python3-expecttest.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import collections
import inspect
import re
import sys
import warnings
from pathlib import Path

import numpy
import torch
from torch.testing._internal.common_methods_invocations import op_db

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import heed  # noqa: E402

DTYPES = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64", torch.bool: "bool"}
TOLERANCES = {"f32": (3e-5, 3e-5), "f64": (1e-9, 1e-9), "i64": (0, 0), "bool": (0, 0)}
RANDOM = {"bernoulli", "dropout", "empty", "empty_like", "exponential", "multinomial", "normal", "rand", "rand_like", "randint",
          "randint_like", "randn", "randn_like", "empty_permuted"}
OTHER_MODULES = ("masked", "signal.windows")  # torch.masked.sum and torch.signal.windows.exponential are different functions
# Differences that the headers or README.md explain: op, and a pattern of the description.
EXPLAINED = [("ctc_loss", "gradient"),  # of log_probs; PyTorch returns the gradient of the logits
             ("sort|topk", "result 1: values"), ("argsort", "values"),  # indices of equal elements: in their order, in PyTorch in any order
             ("bincount", "dtype i64 instead of f64"),  # sums have the dtype of the weights
             ("one_hot", "dtype f32 instead of i64"),
             ("hinge_embedding_loss", "values"),  # 0 for a target other than 1 and -1
             ("cross_entropy", "values")]  # probabilities of classes on axis 1: in heed on the last axis
IN_PLACE = ("exponential", "normal.in_place")  # x.exponential_() and x.normal_()


class Outside(Exception):
    """A sample with a dtype, device or layout that heed lacks."""


def converted(value, wants_grad, leaves):
    """The argument for heed. Appends pairs of leaves that require gradients."""
    if isinstance(value, torch.Tensor):
        if value.dtype not in DTYPES or value.layout != torch.strided or value.is_quantized:
            raise Outside
        array = value.detach().resolve_conj().numpy()
        made = heed.tensor(array, copy=True)
        if wants_grad and value.requires_grad:
            made.requires_grad = True
            leaves.append((value, made))
        return made
    if isinstance(value, torch.dtype):
        if value not in DTYPES:
            raise Outside
        return DTYPES[value]
    if isinstance(value, (complex, torch.device, torch.layout, torch.memory_format, torch.Generator)):
        raise Outside
    if isinstance(value, (list, tuple)):
        parts = [converted(part, wants_grad, leaves) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def tensors_of(result):
    """The tensors of a result, in order."""
    if isinstance(result, (torch.Tensor, heed.Tensor)):
        return [result]
    if isinstance(result, (list, tuple)):
        return [t for part in result for t in tensors_of(part)]
    return [result]


def difference(ours, theirs, compared=True):
    """The description of the first difference of two results, or an empty string."""
    if not isinstance(theirs, torch.Tensor):
        return "" if ours == theirs else f"result {ours!r} instead of {theirs!r}"
    if not isinstance(ours, heed.Tensor):
        return f"a result of type {type(ours).__name__} instead of a tensor"
    if theirs.dtype not in DTYPES:
        raise Outside
    if ours.dtype != DTYPES[theirs.dtype]:
        return f"dtype {ours.dtype} instead of {DTYPES[theirs.dtype]}"
    if ours.shape != tuple(theirs.shape):
        return f"shape {ours.shape} instead of {tuple(theirs.shape)}"
    if not compared:
        return ""
    a, b = ours.numpy(), theirs.detach().resolve_conj().resolve_neg().numpy()
    if not numpy.allclose(a, b, *TOLERANCES[ours.dtype], equal_nan=True):
        return f"values {shown(a)} instead of {shown(b)}"
    return ""


def shown(array):
    text = numpy.array2string(array.ravel()[:6], separator=",", precision=7).replace("\n", "")
    return text + ("..." if array.size > 6 else "")


def gradients(results, leaves, ours):
    """The gradients of the sum of all elements with fixed weights."""
    total = None
    for i, t in enumerate(results):
        if isinstance(t, (torch.Tensor, heed.Tensor)) and t.requires_grad:
            weights = 1 + numpy.arange(int(numpy.prod(t.shape))).reshape(tuple(t.shape)) % 7 / 8
            if ours:
                part = (t * heed.tensor(weights.astype("f4" if t.dtype == "f32" else "f8"))).sum()
            else:
                part = (t * torch.tensor(weights, dtype=t.dtype)).sum()
            total = part if total is None else total + part.to(total.dtype) if not ours else total + part
    if total is None:
        return None
    if not ours:
        return torch.autograd.grad(total, leaves, allow_unused=True)
    total.backward()
    return [leaf.grad for leaf in leaves]


def compare_gradients(theirs, ours, leaves):
    expected = gradients(theirs, [a for a, _ in leaves], False)
    if expected is None:
        return "" if gradients(ours, [b for _, b in leaves], True) is None else "a gradient that PyTorch lacks"
    found = gradients(ours, [b for _, b in leaves], True)
    if found is None:
        return "no gradient"
    for a, (leaf, _), b in zip(expected, leaves, found):
        a = torch.zeros_like(leaf) if a is None else a
        b = heed.tensor(numpy.zeros(a.shape, a.detach().numpy().dtype)) if b is None else b
        what = difference(b, a)
        if what:
            return f"gradient: {what}"
    return ""


# Samples whose first argument is not the first argument of the public function.
ORDERS = {"where": lambda x, condition, y: (condition, x, y), "einsum": lambda operands, equation: (equation, *operands),
          "embedding": lambda weight, indices: (indices, weight),
          "normal.number_mean": lambda std, mean, *size: (mean, std, *size)}


def call_ours(op, name, function, count, arguments, keywords):
    """heed's results. Indices that PyTorch always returns are requested. max and min return values only."""
    order = ORDERS.get(f"{name}.{op.variant_test_name}" if op.variant_test_name else name)
    if order:
        arguments = order(*arguments)
    if count > 1 and "return_indices" in inspect.signature(function).parameters:
        keywords = {**keywords, "return_indices": True}
    if name == "slogdet":
        return function(*arguments, **keywords, return_sign=True)[::-1]
    return function(*arguments, **keywords)


def check(op, name, function, sample, dtype):
    """The outcome of one sample: a word, and the reason."""
    leaves, wants_grad = [], op.supports_autograd and dtype.is_floating_point
    try:
        arguments = [converted(a, wants_grad, leaves) for a in (sample.input, *sample.args)]
        keywords = {key: converted(a, wants_grad, leaves) for key, a in sample.kwargs.items() if key != "device"}
        theirs = tensors_of(op(sample.input, *sample.args, **sample.kwargs))
        if any(isinstance(t, torch.Tensor) and t.dtype not in DTYPES for t in theirs):
            raise Outside
    except Outside:
        return "outside", ""
    try:
        ours = tensors_of(call_ours(op, name, function, len(theirs), arguments, keywords))
        if name in ("max", "min"):
            theirs = theirs[:1]
        if len(ours) != len(theirs):
            return "different", f"{len(ours)} results instead of {len(theirs)}"
        for i, (a, b) in enumerate(zip(ours, theirs)):
            what = difference(a, b, name not in RANDOM)
            if what:
                return "different", f"result {i}: {what}"
        if leaves and name not in RANDOM:
            what = compare_gradients(theirs, ours, leaves)
            if what:
                return "different", what
    except Outside:
        return "outside", ""
    except Exception as wrong:
        return "refused", f"{type(wrong).__name__}: {wrong}"
    return "equal", ""


def candidates(chosen):
    """The ops whose name heed has, with heed's function. If two modules of PyTorch have the name, the header says which."""
    for op in op_db:
        space, _, name = op.name.rpartition(".")
        function = getattr(heed, name, None)
        if space in OTHER_MODULES or op.full_name in IN_PLACE or not callable(function) or isinstance(function, type) or chosen and name not in chosen:
            continue
        same = {o.name for o in op_db if o.name.rpartition(".")[2] == name and o.name.rpartition(".")[0] not in OTHER_MODULES}
        documented = {n for n in same if re.search(rf"torch\.{re.escape(n)}\b", function.__doc__ or "")}
        if op.name in (documented or {min(same, key=len)}):
            yield op, name, function


def samples(op, dtype):
    torch.manual_seed(0)
    try:
        return list(op.sample_inputs("cpu", dtype, requires_grad=op.supports_autograd and dtype.is_floating_point))
    except Exception as wrong:
        print(f"{op.full_name}: PyTorch makes no samples of {dtype}: {wrong}", file=sys.stderr)
        return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("op", nargs="*")
    parser.add_argument("--reasons", type=int, default=40)
    parser.add_argument("--samples", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    words = ("equal", "refused", "different", "explained", "outside")
    reasons, rows = collections.Counter(), {}
    for op, name, function in candidates(options.op):
        row = rows.setdefault(op.name, collections.Counter())
        for dtype in DTYPES:
            if dtype not in op.supported_dtypes("cpu"):
                continue
            for sample in samples(op, dtype):
                outcome, why = check(op, name, function, sample, dtype)
                if outcome == "different" and any(re.fullmatch(ops, name) and re.search(what, why) for ops, what in EXPLAINED):
                    outcome = "explained"
                row[outcome] += 1
                if why:
                    reasons[outcome, op.name, re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", why)[:200]] += 1
                if why and options.samples:
                    print(f"{outcome} {op.full_name} {DTYPES[dtype]} {brief(sample)}: {why}")
    total = sum(rows.values(), collections.Counter())
    print(f"{'op':40}" + "".join(f"{word:>10}" for word in words))
    for name, row in sorted(rows.items()):
        print(f"{name:40}" + "".join(f"{row[word]:10}" for word in words))
    print(f"{f'{len(rows)} ops':40}" + "".join(f"{total[word]:10}" for word in words))
    for (outcome, name, why), count in reasons.most_common(options.reasons):
        print(f"{count:6} {outcome} {name}: {why}")


def brief(sample):
    """The arguments of a sample, with tensors as their dtype and shape."""
    def text(value):
        if isinstance(value, torch.Tensor):
            return f"{DTYPES.get(value.dtype, value.dtype)}{list(value.shape)}"
        if isinstance(value, (list, tuple)):
            return "(" + ", ".join(map(text, value)) + ")"
        return repr(value)
    return "(" + ", ".join([text(a) for a in (sample.input, *sample.args)] + [f"{k}={text(v)}" for k, v in sample.kwargs.items()]) + ")"


if __name__ == "__main__":
    main()
