"""tests/reference/random_reference.py - prints tests/reference/random_reference.h.

This is an independent implementation of the generator and the distributions, from their description in
src/core/random.c, with Python's integers and floats. It shares no code with C.

    /usr/bin/python3 tests/reference/random_reference.py > tests/reference/random_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math

SEED, POSITION = 0x0123456789ABCDEF, 2**32 - 2  # the position's carry falls among the first elements
M32 = 2**32 - 1


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & M32, (a >> 32) ^ c[3] ^ k[1], a & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def words(count):
    out = []
    while len(out) < count:
        q = POSITION + len(out) // 4
        out += philox((q & M32, q >> 32, 0, 0), (SEED & M32, SEED >> 32))
    return out[:count]


def bits64(n):
    w = words(2 * n)
    return [w[2 * i] | w[2 * i + 1] << 32 for i in range(n)]


def normals(uniforms):
    out = []
    for u, v in zip(uniforms[::2], uniforms[1::2]):
        r = math.sqrt(-2.0 * math.log(1.0 - u))
        out += [r * math.cos(2.0 * math.pi * v), r * math.sin(2.0 * math.pi * v)]
    return out


def permutation(n):
    p = []
    for i, bits in enumerate(bits64(n)):
        j = bits * (i + 1) >> 64
        p.append(i)
        p[i], p[j] = p[j], i
    return p


def row(ctype, name, values, show=str):
    body = ", ".join(show(v) for v in values)
    print(f"static const {ctype} {name}[] = {{{body}}};")


def main():
    n = 10
    print("/* tests/reference/random_reference.h - written by random_reference.py. */")
    print("/* clang-format off */")
    print(f"#define REFERENCE_SEED UINT64_C({SEED:#x})")
    print(f"#define REFERENCE_POSITION UINT64_C({POSITION})")
    print(f"#define REFERENCE_COUNT {n}")
    units = [(b >> 11) * 2.0**-53 for b in bits64(n)]
    row("double", "reference_rand_f32", [(w >> 8) * 2.0**-24 for w in words(n)], float.hex)
    row("double", "reference_rand_f64", units, float.hex)
    row("double", "reference_randn_f32", normals([w * 2.0**-32 for w in words(n)]), float.hex)
    row("double", "reference_randn_f64", normals(units), float.hex)
    low, high = -1000, 3_000_000_000_000
    row("int64_t", "reference_randint", [low + (b * (high - low) >> 64) for b in bits64(n)])
    row("int64_t", "reference_permutation", permutation(n))
    row("bool", "reference_bernoulli", [u < 0.4 for u in units], lambda b: str(b).lower())


if __name__ == "__main__":
    main()
