#!/usr/bin/python3
"""Writes derivatives.csv and pair_derivatives.csv: the first three derivatives of elementwise ops at special numbers.

SymPy differentiates the formula of an op, and mpmath evaluates the derivatives in 4,000 bits. At an infinity and at
an end of the domain, the derivative is the limit from inside. Ops with kinks follow PyTorch's rules at the kink, and log and
log1p also have their derivatives 1 / x and 1 / (1 + x) below their domain. The formula of an op without a formula here is
that of its kernel in src/kernels/kernels.def, if the kernel takes no numbers: a C expression, or pieces `c ? a : b`.

    /usr/bin/python3 tests/reference/derivatives_reference.py [FOLDER [OP...]]      default: tests/reference

With OPs, only their derivatives are computed anew; the other lines are copied from the present files.

Debian: apt-get install python3-sympy
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import pathlib
import re
import struct
import sys
from functools import cache, partial

import mpmath
import sympy
from sympy import Rational, asin, acos, atan, cosh, erf, exp, log, oo, pi, sin, cos, sinh, sqrt, tan, tanh

mpmath.mp.prec = 4000
X = sympy.Symbol("x", real=True)
A = sympy.Symbol("a", real=True)
B = sympy.Symbol("b", real=True)

MAX = {32: 3.4028234663852886e38, 64: sys.float_info.max}
LEAST = {32: 2.0**-149, 64: 2.0**-1074}
NORMAL = {32: 2.0**-126, 64: 2.0**-1022}
ULP = {32: 2.0**-23, 64: 2.0**-52}


def rounded(x, bits):
    """Rounds x to the nearest number of `bits` bits."""
    if bits == 64 or x != x or math.isinf(x):
        return x
    if abs(x) >= 3.4028235677973366e38:
        return math.copysign(math.inf, x)
    return struct.unpack("f", struct.pack("f", x))[0]


def points(bits):
    """Zeros, powers of ten down to the least number and up to the largest, 1 and its neighbours, limits of rules."""
    sizes = [LEAST[bits], 3 * NORMAL[bits] / 4, NORMAL[bits], 1e-40 if bits == 32 else 1e-310, 1e-30, 1e-20, 1e-8,
             1e-6, 1e-4, 0.01, 0.5, 1 - ULP[bits] / 2, 1.0, 1 + ULP[bits], 1.5, 2.0, 5.0, 10.0, 20.0, 39.5, 40.0,
             40.5, 88.0, 100.0, 700.0, 1000.0, 1001.0, 1e7, 1e19, 1e20, 3e38, MAX[bits], math.inf]
    if bits == 64:
        sizes += [1e-150, 1e-100, 1e150, 1e160, 1e300]
    sizes = sorted({rounded(x, bits) for x in sizes})
    return [-x for x in reversed(sizes)] + [-0.0, 0.0] + sizes + [math.nan]


# -- Formulas ---------------------------------------------------------------------------------------------------------

PHI = (1 + erf(X / sqrt(2))) / 2
MISH = X * (exp(2 * X) + 2 * exp(X)) / (exp(2 * X) + 2 * exp(X) + 2)  # x tanh(ln(1 + e^x))
SMOOTH = {  # op: formula, and the open interval of its domain
    "neg": (-X, -oo, oo),
    "mul_scalar -3": (-3 * X, -oo, oo),
    "add_scalar 0.5": (X + Rational(1, 2), -oo, oo),
    "rsub_scalar 1": (1 - X, -oo, oo),
    "pow_scalar -1": (1 / X, -oo, oo),
    "pow_scalar 0": (sympy.Integer(1), -oo, oo),
    "pow_scalar 0.5": (sqrt(X), 0, oo),
    "pow_scalar 1": (X, -oo, oo),
    "pow_scalar 2": (X**2, -oo, oo),
    "pow_scalar 2.5": (X**Rational(5, 2), 0, oo),
    "pow_scalar 3": (X**3, -oo, oo),
    "square": (X**2, -oo, oo),
    "sqrt": (sqrt(X), 0, oo),
    "rsqrt": (1 / sqrt(X), 0, oo),
    "exp": (exp(X), -oo, oo),
    "log": (log(X), -oo, oo),
    "log2": (log(X, 2), -oo, oo),
    "log10": (log(X, 10), -oo, oo),
    "expm1": (exp(X) - 1, -oo, oo),
    "log1p": (log(1 + X), -oo, oo),
    "sin": (sin(X), -oo, oo),
    "cos": (cos(X), -oo, oo),
    "tan": (tan(X), -oo, oo),
    "asin": (asin(X), -1, 1),
    "acos": (acos(X), -1, 1),
    "atan": (atan(X), -oo, oo),
    "sinh": (sinh(X), -oo, oo),
    "cosh": (cosh(X), -oo, oo),
    "tanh": (tanh(X), -oo, oo),
    "sigmoid": (1 / (1 + exp(-X)), -oo, oo),
    "erf": (erf(X), -oo, oo),
    "gelu": (X * PHI, -oo, oo),
    "gelu_tanh": (X / (1 + exp(-2 * sqrt(2 / pi) * (X + Rational(44715, 1000000) * X**3))), -oo, oo),
    "softplus": (log(1 + exp(X)), -oo, oo),
    "silu": (X / (1 + exp(-X)), -oo, oo),
}
# Points at which the rule of an op is a convention: of C's pow at -infinity, and of sign at NaN.
RULES = {
    ("pow_scalar 0.5", -math.inf): [0.0, -0.0, 0.0],
    ("pow_scalar 2.5", -math.inf): [math.inf, math.inf, 0.0],
    ("abs", math.nan): [math.nan, 0.0, 0.0],
}
KINKED = {  # op: the formula at x
    "relu": lambda x: X if x > 0 else X * 0,
    "abs": lambda x: X if x > 0 else -X if x < 0 else X * 0,
    "sign": lambda x: X * 0,
    "floor": lambda x: X * 0,
    "ceil": lambda x: X * 0,
    "round": lambda x: X * 0,
    "mish": lambda x: X if x > 20000 else X * 0 if x < -20000 else MISH,
    "leaky_relu 0.5": lambda x: X if x > 0 else X / 2,
    "elu 1.5": lambda x: X if x > 0 else Rational(3, 2) * (exp(X) - 1),
    "hardtanh -1 1": lambda x: X if -1 < x < 1 else X * 0,
    "clamp -1 1": lambda x: X if -1 <= x <= 1 else X * 0,
}


SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"
C_FUNCTIONS = {"expl": exp, "logl": log, "log1pl": lambda u: log(1 + u), "expm1l": lambda u: exp(u) - 1, "sqrtl": sqrt, "sinl": sin,
               "cosl": cos, "tanhl": tanh, "sinhl": sinh, "coshl": cosh, "asinl": asin, "acosl": acos, "atanl": atan, "erfl": erf}


def formula_of_c(text, x):
    """The formula of a C expression in x, of which every "c ? a : b" gives a or b at the number x."""
    if pieces := re.fullmatch(r"([^?]+?) \? ([^?:]+?) : (.+)", text):
        chosen = eval(pieces[1], {"x": x})  # pylint: disable=eval-used
        return formula_of_c(pieces[2 if chosen else 3], x)
    exact = re.sub(r"(?<![\w.])(\d+(?:\.\d*)?(?:e[-+]?\d+)?)L?\b", r"Rational('\1')", text)
    return sympy.sympify(eval(exact, {"x": X, "Rational": Rational, **C_FUNCTIONS}))  # pylint: disable=eval-used


def add_formulas_of_kernels():
    ops = re.findall(r"^HEED_OP\((\w+)\)", (SOURCES / "ops/ops.def").read_text(), re.M)
    known = {name.split()[0] for name in (*SMOOTH, *KINKED)}
    text = (SOURCES / "kernels/kernels.def").read_text()
    for name, fields in re.findall(r"^UNARY(?:_VEC|_OWN)?\((\w+),(.*?)\)$(?=\n\S|\n\n)", text, re.M | re.S):
        exact = re.search(r".*\b[\d.]+,\s+(.+)", fields, re.S)[1]  # after the error limit
        if name in ops and name not in known and "p[" not in exact:
            KINKED[name] = partial(formula_of_c, exact)


add_formulas_of_kernels()


def share(whole, half):
    return sympy.Integer(1) if whole else Rational(1, 2) if half else sympy.Integer(0)


PAIRS = {  # op of two numbers: its partial derivatives by a and by b, which are rational
    "add": lambda a, b: (sympy.Integer(1), sympy.Integer(1)),
    "sub": lambda a, b: (sympy.Integer(1), sympy.Integer(-1)),
    "mul": lambda a, b: (B, A),
    "div": lambda a, b: (1 / B, -A / B**2),
    "maximum": lambda a, b: (share(a > b, a == b), share(a < b, a == b)),
    "minimum": lambda a, b: (share(a < b, a == b), share(a > b, a == b)),
    "atan2": lambda a, b: (B / (A**2 + B**2), -A / (A**2 + B**2)),
    "pow": lambda a, b: (B * A**(B - 1), A**B * log(A)),
    "hypot": lambda a, b: (A / sqrt(A**2 + B**2), B / sqrt(A**2 + B**2)),
    "logaddexp": lambda a, b: (1 / (1 + exp(B - A)), 1 / (1 + exp(A - B))),
}
NOT_RATIONAL = {"pow", "hypot", "logaddexp"}  # evaluated in floating point, for a > 0


# -- Evaluating -------------------------------------------------------------------------------------------------------

def double(value):
    """A number of SymPy or mpmath as a double; NaN if it is not real."""
    return math.nan if isinstance(value, mpmath.mpc) else float(value)


def limit(expression, end, side):
    """The limit of an expression, or NaN if it oscillates."""
    value = sympy.N(sympy.limit(expression, X, end, side), 30)
    return double(value) if value.is_Number else math.nan


class Derivatives:
    """The first three derivatives of a formula, at points of its domain and at the ends of the domain."""

    def __init__(self, formula, low=-oo, high=oo):
        self.low, self.high = double(sympy.N(low)), double(sympy.N(high))
        self.low_end, self.high_end = low, high
        self.expressions = [sympy.simplify(sympy.diff(formula, X, order)) for order in (1, 2, 3)]
        self.functions = [sympy.lambdify(X, e, "mpmath") for e in self.expressions]

    def at(self, x):
        if math.isnan(x):
            return [math.nan if e.has(X) else double(sympy.N(e, 30)) for e in self.expressions]
        if x < self.low or x > self.high:
            return [math.nan] * 3
        if x == self.low:
            return [limit(e, self.low_end, "+") for e in self.expressions]
        if x == self.high:
            return [limit(e, self.high_end, "-") for e in self.expressions]
        return [self.finite(k, x) for k in range(3)]

    def finite(self, k, x):
        try:
            return double(self.functions[k](mpmath.mpf(x)))
        except ZeroDivisionError:  # a pole inside the domain has the sign of the right side, and at -0 of the left side
            return limit(self.expressions[k], Rational(x), "-" if x == 0 and math.copysign(1, x) < 0 else "+")


def rows_of(name, bits):
    cache = {}
    rows = []
    for x in points(bits):
        formula = SMOOTH[name] if name in SMOOTH else (KINKED[name](x),)
        if formula not in cache:
            cache[formula] = Derivatives(*formula)
        rule = [d for (op, at), d in RULES.items() if op == name and (at == x or at != at and x != x)]
        rows.append((x, rule[0] if rule else cache[formula].at(x)))
    return rows


@cache
def floating_functions(*expressions):
    return [sympy.lambdify((A, B), e, "mpmath") for e in expressions]


def partial_derivatives(name, a, b):
    """The derivatives by a, b, aa, ab, bb, aaa, aab, abb, bbb at finite numbers, or None at a pole."""
    by_a, by_b = (sympy.sympify(e) for e in PAIRS[name](a, b))
    second = [sympy.diff(by_a, A), sympy.diff(by_a, B), sympy.diff(by_b, B)]
    third = [sympy.diff(second[0], A), sympy.diff(second[0], B), sympy.diff(second[1], B), sympy.diff(second[2], B)]
    if name in NOT_RATIONAL:
        return [double(f(mpmath.mpf(a), mpmath.mpf(b))) for f in floating_functions(by_a, by_b, *second, *third)] if a > 0 else None
    at = {A: Rational(a), B: Rational(b)}
    values = [e.subs(at) for e in (by_a, by_b, *second, *third)]
    return [double(v) for v in values] if all(v.is_finite for v in values) else None


def pairs_of(name, bits):
    sizes = [0.0, 3 * NORMAL[bits] / 4, 1e-30, 1.0, 3.0, 1e19, MAX[bits] / 2]
    numbers = [rounded(x, bits) for x in (*(-x for x in reversed(sizes[1:])), *sizes)]
    found = [(a, b, partial_derivatives(name, a, b)) for a in numbers for b in numbers]
    return [(a, b, *d) for a, b, d in found if d]


# -- Writing ----------------------------------------------------------------------------------------------------------

def number(x, bits):
    x = rounded(x, bits)
    if math.isnan(x) or math.isinf(x):
        return repr(x)
    return "-0.0" if x == 0 and math.copysign(1, x) < 0 else "%.*g" % (9 if bits == 32 else 17, x)


def lines(name, bits):
    """dtype, op, its two numbers, x, and three derivatives."""
    op, *arguments = name.split()
    arguments += ["0"] * (2 - len(arguments))
    for x, d in rows_of(name, bits):
        yield [f"f{bits}", op, *arguments, *(number(v, bits) for v in (x, *d))]


def pair_lines(name, bits):
    """dtype, op, a, b, and the derivatives by a, b, aa, ab, bb, aaa, aab, abb and bbb."""
    for row in pairs_of(name, bits):
        yield [f"f{bits}", name, *(number(v, bits) for v in row)]


def file_lines(name, ops, make):
    """The lines of a file in the order of the tables above; with ops, those of other ops are the present ones."""
    present = {}
    for line in (pathlib.Path(__file__).parent / name).read_text().splitlines() if ops else ():
        present.setdefault(tuple(line.split(",")[:2]), []).append(line + "\n")
    for bits in (32, 64):
        tables = PAIRS if make is pair_lines else (*SMOOTH, *KINKED)
        for op in dict.fromkeys(key.split()[0] for key in tables):
            if ops and op not in ops:
                yield from present.get((f"f{bits}", op), ())
            else:
                yield from (",".join(row) + "\n" for key in tables if key.split()[0] == op for row in make(key, bits))


def main():
    here = pathlib.Path(__file__).parent
    folder, ops = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here), sys.argv[2:]
    for name, make in (("derivatives.csv", lines), ("pair_derivatives.csv", pair_lines)):
        text = "".join(file_lines(name, ops, make))
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
