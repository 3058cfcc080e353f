/* bench/limits.h - the loops that bench_limits times per instruction set: limits_isa.c, compiled once for every set.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_LIMITS_H
#define HEED_BENCH_LIMITS_H

#include <stdint.h>

typedef struct limits_isa {
    const char *name;
    int lanes; /* floats per register */

    /* `rounds` times LIMITS_CHAINS independent multiply-adds of whole registers. */
    float (*multiply_add)(int64_t rounds);

    /* The sum of n floats, n a multiple of 256. */
    float (*read)(const float *x, int64_t n);
} limits_isa;

enum { LIMITS_CHAINS = 12 };

extern const limits_isa limits_scalar, limits_avx2, limits_avx512, limits_neon;

#endif
