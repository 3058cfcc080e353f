"""tests/reference/print_reference.py - prints tests/reference/print_reference.h: tensors, and their texts from PyTorch.

The text between the brackets and the line breaks before shape and dtype are PyTorch's (torch._tensor_str). Shape and
dtype are in heed's format. Made with PyTorch 1.13.1 (Debian 12's python3-torch):

    /usr/bin/python3 tests/reference/print_reference.py > tests/reference/print_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch
from torch import _tensor_str

CTYPES = {torch.float32: ("float", "f32"), torch.float64: ("double", "f64"), torch.int64: ("int64_t", "i64"),
          torch.bool: ("bool", "bool")}

inf, nan = float("inf"), float("nan")
f32, f64, i64 = torch.float32, torch.float64, torch.int64


def T(values, dtype=f32):
    return torch.tensor(values, dtype=dtype)


def cases():
    yield "whole", T([[1, 2], [3, 4]])
    yield "scalar", T(2.5)
    yield "whole_scalar", T(-3.0, f64)
    yield "scalar_i64", T(7, i64)
    yield "fractions", T([[1.5, -20.25, 300], [0.1, 1 / 3, -1e-3]], f64)
    yield "rounding", T([0.12345, 0.99995, -0.00005, 2.00005, 1.00015], f64)
    yield "ties", T([0.03125, 0.09375, 0.15625, -0.03125])
    yield "ratio_1000", T([1.5, 1500.0])
    yield "ratio_above_1000", T([1.5, 1501.0])
    yield "whole_ratio", T([1.0, 1000.0])
    yield "whole_scientific", T([1.0, 1001.0])
    yield "large", T([1e8, 1e8 + 8], f64)
    yield "above_1e8", T([2e8, 1.5e8], f64)
    yield "small", T([1e-4, 2e-4, -3e-4], f64)
    yield "below_1e_4", T([9.9e-5, 1e-3], f64)
    yield "extreme", T([1.7976931348623157e308, -5e-324, 0.0], f64)
    yield "negative_zero", T([0.0, -0.0, 1.0])
    yield "nonfinite", T([nan, inf, -inf, 1.0])
    yield "nonfinite_only", T([nan, inf, -inf, 0.0])
    yield "nonfinite_fractions", T([[nan, 1.25], [-inf, -100.5]])
    yield "nonfinite_scientific", T([nan, 1e-9, inf, 5.0])
    yield "zeros", torch.zeros(2, 3)
    yield "integers", T([[1, -20], [300, 4]], i64)
    yield "extreme_integers", T([-(2**63) + 1, 2**63 - 1, 0], i64)
    yield "booleans", T([[True, False], [False, False]], torch.bool)
    yield "only_false", T([False, False], torch.bool)
    yield "empty", torch.zeros(0)
    yield "empty_matrix", torch.zeros(0, 3, dtype=f64)
    yield "empty_inside", torch.zeros(2, 0, 4, dtype=i64)
    yield "vector_of_two_lines", torch.arange(23, dtype=f32) * 1.5
    yield "long_vector", torch.arange(100, dtype=i64)
    yield "wide_matrix", torch.arange(36, dtype=f64).reshape(2, 18) - 17.5
    yield "suffix_wraps", torch.arange(13, dtype=f32) + 0.25
    yield "suffix_fits", torch.arange(4, dtype=f64) + 0.25
    yield "column", T([[1], [2], [3]])
    yield "cube", torch.arange(12, dtype=f32).reshape(2, 3, 2)
    yield "rank_4", torch.arange(16, dtype=i64).reshape(2, 2, 2, 2)
    yield "rank_8", torch.arange(4, dtype=f32).reshape(1, 2, 1, 1, 1, 1, 2, 1)
    yield "elided_vector", torch.arange(1001, dtype=i64)
    yield "elided_floats", torch.arange(1001, dtype=f32)
    yield "elided_matrix", torch.arange(2000, dtype=i64).reshape(40, 50)
    yield "elided_rows", torch.arange(1200, dtype=f64).reshape(300, 4) / 4
    yield "elided_columns", torch.arange(1200, dtype=f32).reshape(4, 300)
    yield "not_elided_at_6", torch.arange(1200, dtype=i64).reshape(6, 200)
    yield "elided_cube", torch.arange(1100, dtype=i64).reshape(10, 10, 11)


def text(t, requires_grad):
    dims = ", ".join(map(str, t.shape))
    suffixes = [f"shape=({dims})", "dtype=" + CTYPES[t.dtype][1]] + ["requires_grad=True"] * requires_grad
    return _tensor_str._add_suffixes("tensor(" + _tensor_str._tensor_str(t, 7), suffixes, 7, force_newline=False)


def literal(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"INT64_C({value})"
    if value != value:
        return "NAN"
    if value in (inf, -inf):
        return "INFINITY" if value > 0 else "-INFINITY"
    return value.hex()



def main():
    rows = []
    print("/* tests/reference/print_reference.h - written by print_reference.py. */")
    print("/* clang-format off */")
    for name, t in cases():
        ctype, dtype = CTYPES[t.dtype]
        values = "NULL"
        # The elements of large tensors are multiples of a step, so that they need no table.
        flat = t.reshape(-1)
        step = 0.0 if t.numel() <= 100 else float(flat[1] - flat[0])
        if 0 < t.numel() <= 100:
            values = f"print_{name}"
            print(f"static const {ctype} {values}[] = {{{', '.join(map(literal, flat.tolist()))}}};")
        for requires_grad in (False, True) if name in ("whole", "suffix_fits", "suffix_wraps") else (False,):
            dims = ", ".join(map(str, t.shape))
            shape = f"{{{t.dim()}, {{{dims or 0}}}}}"
            lines = text(t, requires_grad).split("\n")
            quoted = "\n     ".join(f'"{line}"' if i == len(lines) - 1 else f'"{line}\\n"' for i, line in enumerate(lines))
            rows.append(f'    {{"{name}", HEED_{dtype.upper()}, {shape}, {values}, {step}, {str(requires_grad).lower()},\n'
                        f'     {quoted}}},')
    print("""
/* Without values, element i is i * step. */
static const struct {
    const char *name;
    heed_dtype dtype;
    heed_shape shape;
    const void *values;
    double step;
    bool requires_grad;
    const char *text;
} print_cases[] = {""")
    print("\n".join(rows))
    print("};")


main()
