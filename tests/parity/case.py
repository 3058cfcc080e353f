"""tests/parity/case.py - draws inputs, runs reference functions, and writes their results as JSON cases.

A file of tests/parity/data is {"cases": [...]}. A case has

    args              the arguments other than tensors, by the names of the header; nested options are
                      "attention": true, "attention.rope": true
    inputs            tensors in order; null is an omitted tensor
    outputs           tensors in order
    grad_outputs      the gradients passed to backward, one per output, or null
    input_grads       one per input; null if it is not requested
    parameters        modules only: the state by name
    parameter_grads   modules only, by the same names; null for a buffer
    training          modules only
    buffers           modules whose forward changes buffers: their values afterwards, by name

and a tensor is {"KIND": [row-major values], "shape": [...]}. KIND is "float", which the tests run as f32 and as f64,
or a fixed dtype: "f32", "f64", "i64" or "bool". "nan", "inf" and "-inf" stand for the numbers that JSON lacks.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import math
import random

import torch

MOST_ELEMENTS = 60

references = {}  # name of the file: a function that yields its cases
_random = random.Random()


def reference(name):
    """A decorator: the function yields the cases of data/NAME.json."""
    def register(function):
        references[name] = function
        return function
    return register


def seed(name):
    """Seeds Python's generator, which draws the same numbers on all machines, per file."""
    _random.seed(name)


def cases_of(name):
    seed(name)
    return list(references[name]())


# -- Inputs ---------------------------------------------------------------------------------------------------------


def real(*shape, low=-2.0, high=2.0):
    """Multiples of 1/64: exact in f32, so that f32 and f64 start from the same numbers, and short in JSON."""
    numbers = [_random.randint(int(low * 64), int(high * 64)) / 64 for _ in range(math.prod(shape))]
    return torch.tensor(numbers, dtype=torch.float64).reshape(shape)


def integers(*shape, low=0, high):
    """Whole numbers from low to high - 1."""
    numbers = [_random.randrange(low, high) for _ in range(math.prod(shape))]
    return torch.tensor(numbers, dtype=torch.int64).reshape(shape)


def booleans(*shape):
    return integers(*shape, high=2).bool()


def reals(*numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def lengths(*numbers):
    return torch.tensor(numbers, dtype=torch.int64)


# -- Cases ----------------------------------------------------------------------------------------------------------


def floating(tensor):
    return tensor is not None and tensor.is_floating_point()


def leaf(tensor):
    return tensor.clone().requires_grad_() if floating(tensor) else tensor


def trainable(tensor):
    return floating(tensor) and tensor.requires_grad


def gradients(outputs, grad_outputs, leaves):
    """The gradient of every leaf: None if the leaf requires none, zeros if the outputs do not depend on it."""
    wanted = [t for t in leaves if trainable(t)]
    pairs = [(y, g) for y, g in zip(outputs, grad_outputs) if g is not None]
    if not pairs:
        return [None] * len(leaves)
    found = iter(torch.autograd.grad([y for y, _ in pairs], wanted, [g for _, g in pairs], allow_unused=True))
    grads = []
    for t in leaves:
        if not trainable(t):
            grads.append(None)
            continue
        grad = next(found)
        grads.append(torch.zeros_like(t) if grad is None else grad)
    return grads


def run(function, inputs, parameters=None, gradient=True, kinds=None, no_grad_outputs=()):
    """Returns the results of function(*inputs): all fields of a case except args.

    gradient=False requests no gradients; kinds names the dtype of every output if it differs from the default; an
    output whose number is in no_grad_outputs gets no gradient."""
    inputs = [leaf(t) for t in inputs]
    before = {n: entry(t) for n, t in (parameters or {}).items()}
    outputs = function(*inputs)
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    grad_outputs = [
        real(*y.shape, low=-1).to(y.dtype) if gradient and y.requires_grad and i not in no_grad_outputs else None
        for i, y in enumerate(outputs)]
    names = list(parameters or {})
    state = [parameters[n] for n in names]
    grads = gradients(outputs, grad_outputs, inputs + state)
    kinds = kinds or [None] * len(outputs)
    result = {
        "inputs": [entry(t) for t in inputs],
        "outputs": [entry(y, kind) for y, kind in zip(outputs, kinds)],
        "grad_outputs": [entry(g, kind) for g, kind in zip(grad_outputs, kinds)],
        "input_grads": [entry(g) for g in grads[:len(inputs)]],
    }
    if parameters is not None:
        result["parameters"] = before
        result["parameter_grads"] = {n: entry(g) for n, g in zip(names, grads[len(inputs):])}
        if changed := {n: now for n, t in parameters.items() if (now := entry(t)) != before[n]}:
            result["buffers"] = changed
    return result


def case(function, inputs, gradient=True, kinds=None, **args):
    """A case of an op."""
    return {"args": args, **run(function, inputs, gradient=gradient, kinds=kinds)}


def module_case(function, parameters, inputs, /, training=True, no_grad_outputs=(), **args):
    """A case of a module. `parameters` are leaves by name, which the function may read."""
    return {"args": args, "training": training, **run(function, inputs, parameters, no_grad_outputs=no_grad_outputs)}


# -- JSON -----------------------------------------------------------------------------------------------------------

KINDS = {torch.float64: "float", torch.float32: "f32", torch.int64: "i64", torch.bool: "bool"}


def number(value):
    """Formats 13 significant digits: the tests require 1e-10, and the last three digits depend on the machine."""
    if isinstance(value, (bool, int)):
        return value
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) and abs(value) < 1e9 else float("%.13g" % value)


def entry(tensor, kind=None):
    if tensor is None:
        return None
    assert tensor.numel() <= MOST_ELEMENTS, f"{tensor.numel()} elements of shape {tuple(tensor.shape)}"
    values = [number(v) for v in tensor.detach().reshape(-1).tolist()]
    return {kind or KINDS[tensor.dtype]: values, "shape": list(tensor.shape)}


def lines(value):
    """A list or an object of tensors, one tensor per line."""
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"  {json.dumps(k)}: {compact(v)}" for k, v in value.items()) + "}"
    return "[\n" + ",\n".join("  " + compact(v) for v in value) + "]"


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def text(cases):
    """The file."""
    def one(c):
        return "{" + ",\n ".join(
            json.dumps(k) + ": " + (compact(v) if k in ("args", "training") else lines(v)) for k, v in c.items()) + "}"
    return '{"cases": [\n' + ",\n".join(one(c) for c in cases) + "\n]}\n"
