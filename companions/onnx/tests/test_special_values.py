#!/usr/bin/env python3
"""onnx/tests/test_special_values.py - every elementwise form of onnx/src computes the same as its op, for zeros,
infinities, NaN, tiny, huge and other numbers, and for all pairs of them.

    onnx/tests/test_special_values.py PROGRAM    runs PROGRAM (special_values.c) and evaluates its files

The operators are evaluated here by their definitions in the ONNX specification (operators of opset 17), in NumPy, so
that neither onnx nor onnxruntime is needed. Every op of onnx/src/forms.def that src/ops/elementwise or src/ops/logic
defines must have a model. Exit code: 0 if all agree, 1 if not, 77 without NumPy.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

DEBIAN = "/usr/bin/python3"  # Debian's NumPy belongs to it, and it may not be the first Python
try:
    import numpy
except ImportError:
    if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print("onnx_special_values: skipped: there is no NumPy (python3-numpy)")
    sys.exit(77)

SOURCE = Path(__file__).resolve().parents[3]
ULPS = 16  # of a result in its dtype; above the joint error of kernels and NumPy
REDUCTIONS = {"any", "all"}  # in src/ops/logic, but not elementwise
# Ops whose form cancels: the difference is measured relative to the input instead of the result.
CANCELLING = {"gelu"}
# In ONNX the sign of 0 is an unsigned 0; heed keeps the sign of -0.
UNSIGNED_ZERO = {"sign", "relu"}
DTYPES = {1: numpy.float32, 7: numpy.int64, 9: numpy.bool_, 11: numpy.float64}


# -- Protocol Buffers: the subset that a model needs ----------------------------------------------------------------------

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of every field of a message: a whole number, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def every(data, number):
    return [value for key, value in fields(data) if key == number]


def one(data, number, default=b""):
    return next(iter(every(data, number)), default)


def wholes(data, number):
    """A repeated field of whole numbers, packed or not."""
    found = []
    for value in every(data, number):
        if isinstance(value, int):
            found.append(value)
        else:
            at = 0
            while at < len(value):
                whole_number, at = varint(value, at)
                found.append(whole_number)
    return [value - (1 << 64) if value >> 63 else value for value in found]


def tensor(data):
    """TensorProto: float_data (4), int64_data (7), raw_data (9), double_data (10)."""
    dtype = DTYPES[one(data, 2)]
    if dtype is numpy.int64:
        flat = numpy.array(wholes(data, 7), dtype)
    else:
        flat = numpy.frombuffer(b"".join(every(data, {1: 4, 9: 9, 11: 10}[one(data, 2)])), dtype)
    return flat.reshape(wholes(data, 1))


def attribute(data):
    """AttributeProto: its name, and its number or tensor."""
    kind = one(data, 20)
    value = {1: lambda: struct.unpack("<f", one(data, 2, b"\0\0\0\0"))[0], 2: lambda: one(data, 3, 0),
             4: lambda: tensor(one(data, 5))}[kind]()
    return one(data, 1).decode(), value


# -- Operators ----------------------------------------------------------------------------------------------------------

def whole(x):
    return x.dtype.kind == "i"


def divide(a, b):
    """Integer division truncates towards 0."""
    if not whole(a):
        return a / b
    quotient = numpy.abs(a) // numpy.abs(b)
    return numpy.where((a < 0) != (b < 0), -quotient, quotient)


def power(a, b):
    return numpy.power(a, b).astype(a.dtype)


def elementwise(function):
    def apply(x):
        return numpy.array([function(float(value)) for value in x.ravel()], x.dtype).reshape(x.shape)
    return apply


def sigmoid(x):
    e = numpy.exp(-numpy.abs(x))
    return numpy.where(x < 0, e / (1 + e), 1 / (1 + e)).astype(x.dtype)


def clip(x, low, high):
    return numpy.minimum(numpy.maximum(x, low), high)


def elu(x, alpha=1.0):
    return numpy.where(x < 0, x.dtype.type(alpha) * numpy.expm1(x), x)


OPERATORS = {
    "Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Div": divide, "Max": numpy.maximum, "Min": numpy.minimum,
    "Mod": lambda a, b, fmod=0: numpy.fmod(a, b) if fmod else numpy.mod(a, b), "Pow": power, "Neg": numpy.negative,
    "Sqrt": numpy.sqrt, "Exp": numpy.exp, "Log": numpy.log, "Sin": numpy.sin, "Cos": numpy.cos, "Tan": numpy.tan, "Asin": numpy.arcsin,
    "Acos": numpy.arccos, "Atan": numpy.arctan, "Sinh": numpy.sinh, "Cosh": numpy.cosh, "Tanh": numpy.tanh, "Sigmoid": sigmoid,
    "Relu": lambda x: numpy.maximum(x, x.dtype.type(0)), "Abs": numpy.abs, "Sign": numpy.sign, "Floor": numpy.floor,
    "Ceil": numpy.ceil, "Round": numpy.rint, "Erf": elementwise(math.erf), "Softplus": lambda x: numpy.logaddexp(x.dtype.type(0), x),
    "LeakyRelu": lambda x, alpha=0.01: numpy.where(x < 0, x.dtype.type(alpha) * x, x), "Elu": elu, "Clip": clip,
    "Identity": lambda x: x, "Cast": lambda x, to: x.astype(DTYPES[to]), "IsNaN": numpy.isnan, "IsInf": numpy.isinf,
    "And": numpy.logical_and, "Or": numpy.logical_or, "Xor": numpy.logical_xor, "Not": numpy.logical_not, "Where": numpy.where,
    "Equal": numpy.equal, "Less": numpy.less, "LessOrEqual": numpy.less_equal, "Greater": numpy.greater,
    "GreaterOrEqual": numpy.greater_equal, "Constant": lambda value: value,
    "Expand": lambda x, shape: numpy.broadcast_to(x, numpy.broadcast_shapes(x.shape, tuple(shape))),
    "Reshape": lambda x, shape, allowzero=0: x.reshape(shape),
}


def evaluate(model, inputs):
    """The outputs of a model, by their names."""
    graph = one(model, 7)
    values = dict(inputs)
    values.update((one(data, 8).decode(), tensor(data)) for data in every(graph, 5))
    for node in every(graph, 1):
        operator = one(node, 4).decode()
        arguments = [values[name.decode()] for name in every(node, 1)]
        result = OPERATORS[operator](*arguments, **dict(map(attribute, every(node, 5))))
        floats = {x.dtype for x in arguments if x.dtype.kind == "f"}
        assert operator == "Cast" or result.dtype.kind != "f" or result.dtype in floats, f"{operator} gives {result.dtype}"
        values[every(node, 2)[0].decode()] = result
    return {name: values[name] for name in (one(output, 1).decode() for output in every(graph, 12))}


# -- Comparing ----------------------------------------------------------------------------------------------------------

def wrong_at(op, found, expected, inputs):
    """Whether an element is wrong, for all elements."""
    if found.dtype.kind != "f":
        return found != expected
    eps = ULPS * numpy.finfo(expected.dtype).eps
    measure = numpy.abs(inputs["x"]) if op in CANCELLING else numpy.abs(expected)
    near = numpy.abs(found - expected) <= numpy.maximum(eps * measure, numpy.finfo(expected.dtype).tiny)
    same = (found == expected) | (numpy.isnan(found) & numpy.isnan(expected))
    signs = (numpy.signbit(found) == numpy.signbit(expected)) | (expected != 0) | (found != 0) | (op in UNSIGNED_ZERO)
    return ~(same | (near & numpy.isfinite(expected))) | ~signs


def judge(path):
    """A description of a model's mistake, or None."""
    arrays = {kind: {file.name.split(".")[-2]: numpy.load(file) for file in path.parent.glob(f"{path.stem}.{kind}.*.npy")}
              for kind in ("in", "out")}
    found = evaluate(path.read_bytes(), arrays["in"])["y"]
    expected = arrays["out"]["y"]
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"{found.dtype} {found.shape}, not {expected.dtype} {expected.shape}"
    bad = wrong_at(path.stem.split(".")[0].split("-")[0], found, expected, arrays["in"])
    if not bad.any():
        return None
    at = tuple(numpy.argwhere(bad)[0])
    args = ", ".join(f"{float(numpy.broadcast_to(x, expected.shape)[at]):.9g}" for _, x in sorted(arrays["in"].items()))
    return f"{int(bad.sum())} of {bad.size}: ({args}) gives {found[at]:.9g} in ONNX, {expected[at]:.9g} in heed"


def elementwise_ops():
    text = (SOURCE / "companions/onnx/src/forms.def").read_text()
    names = re.findall(r"^HEED_ONNX_(?:NODE|FORM|UNARY)\((\w+),", text, re.M)
    sources = "".join(path.read_text() for folder in ("elementwise", "logic") for path in (SOURCE / "src/ops" / folder).glob("*.c"))
    return {name for name in names if f" heed_op_{name} =" in sources} - REDUCTIONS


def main(program):
    bad = 0
    numpy.seterr(all="ignore")
    with tempfile.TemporaryDirectory() as folder:
        only = os.environ.get("HEED_OP")  # as in tests/check_heed.h
        subprocess.run([program, folder, *([only] if only else [])], check=True)
        paths = sorted(Path(folder).glob("*.onnx"))
        for path in paths:
            wrong = judge(path)
            if wrong:
                bad += 1
                print(f"{path.stem}: {wrong}")
        missing = elementwise_ops() - {path.stem.split(".")[0].split("-")[0] for path in paths}
        if only:
            missing &= {only}
    for name in sorted(missing):
        print(f"{name}: special_values.c has no model of it")
    print(f"{len(paths)} models, {bad} differ, {len(missing)} ops without a model")
    return int(bad > 0 or bool(missing) or not (paths or only))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
