/* kernels/simd/wide.h - wide registers: LANES numbers, which are 64 bytes on every instruction set, in one register or
 * several. Sums use wide registers, so that neither their order nor their bits depend on the width of a register.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_WIDE_H
#define HEED_KERNELS_SIMD_WIDE_H

#include "kernels/simd/vec.h"

enum {
    LANES = 64 / sizeof(T),
    PARTS = LANES / WIDTH, /* registers of a wide register */
};

typedef struct wide_vec {
    vec part[PARTS];
} wide_vec;

/* Part `part` of the LANES elements of an array of n from index i on, with zeros from n on. */
static ALWAYS_INLINE vec load_part_at(const T *x, int64_t i, int64_t n, const int part)
{
    i += part * WIDTH;
    return part == 0 || i < n ? load_at(x, i, n) : (vec){0};
}

/* x[0 .. LANES - 1]. */
static ALWAYS_INLINE wide_vec load_wide(const T *x)
{
    wide_vec w;
    UNROLL
    for (int p = 0; p < PARTS; p++)
        w.part[p] = load(x + p * WIDTH);
    return w;
}

/* The LANES elements of an array of n from index i on, with zeros from n on. */
static ALWAYS_INLINE wide_vec load_wide_at(const T *x, int64_t i, int64_t n)
{
    wide_vec w;
    UNROLL
    for (int p = 0; p < PARTS; p++)
        w.part[p] = load_part_at(x, i, n, p);
    return w;
}

static ALWAYS_INLINE wide_vec add_wide(wide_vec a, wide_vec b)
{
    UNROLL
    for (int p = 0; p < PARTS; p++)
        a.part[p] += b.part[p];
    return a;
}

/* a b + c */
static ALWAYS_INLINE wide_vec muladd_wide(wide_vec a, wide_vec b, wide_vec c)
{
    UNROLL
    for (int p = 0; p < PARTS; p++)
        c.part[p] = muladd_vec(a.part[p], b.part[p], c.part[p]);
    return c;
}

/* A register of sums: halves of the wide register are added until one register is left. */
static ALWAYS_INLINE vec add_parts(wide_vec w)
{
    UNROLL
    for (int half = PARTS / 2; half > 0; half /= 2) {
        UNROLL
        for (int p = 0; p < half; p++)
            w.part[p] += w.part[p + half];
    }
    return w.part[0];
}

/* The sum of all lanes: halves are added until one number is left. */
static ALWAYS_INLINE T add_wide_lanes(wide_vec w)
{
    return add_lanes(add_parts(w));
}

#endif
