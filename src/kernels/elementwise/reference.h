/* kernels/elementwise/reference.h - the elementwise kernels, y[i] = f(x[i]) or y[i] = f(a[i], b[i]), for one number.
 * kernels.def has most of the formulas: `exact` is a UNARY or BINARY_VEC kernel in long double, which the kernel
 * approximates; `formula` is a BINARY kernel in its own number type, with the same bits as the kernel. This file has
 * the kernels without a formula. The tests take expected values from here. The library does not contain this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ELEMENTWISE_REFERENCE_H
#define HEED_KERNELS_ELEMENTWISE_REFERENCE_H

#include <math.h>
#include <stdint.h>

#include "kernels/philox.h"

/* With d = |a - b|: d^2 / (2 beta) below beta, and from there on the line d - beta / 2. */
static inline long double reference_smooth_l1(long double a, long double b, long double beta)
{
    const long double d = fabsl(a - b);
    return d < beta ? d * d / (2 * beta) : d - beta / 2;
}

/* -b ln sigmoid(a) - (1 - b) ln (1 - sigmoid(a)) = max(a, 0) - a b + ln(1 + e^-|a|) */
static inline long double reference_binary_cross_entropy(long double a, long double b)
{
    return (a > 0 ? a * (1 - b) : -a * b) + log1pl(expl(-fabsl(a)));
}

/* The random word of element i: dropout keeps x[i], multiplied by 1 / (1 - p), if it is p 2^32 or more, and is 0
 * otherwise. dropout.h explains the numbers of the block. */
static inline uint32_t reference_dropout_word(uint64_t seed, uint64_t position, int64_t i)
{
    const uint64_t block = 1 + (uint64_t)i / 4;
    const uint32_t key[] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[] = {(uint32_t)position, (uint32_t)(position >> 32), (uint32_t)block,
                                (uint32_t)(block >> 32)};
    uint32_t words[4];
    heed__philox(counter, key, words);
    return words[i % 4];
}

#endif
