/* kernels/rows/rope.h - rotary embedding: rotates pairs of numbers of a row by angles whose cosines and sines are
 * given.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_ROPE_H
#define HEED_KERNELS_ROWS_ROPE_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* Rotates the pairs of a row. The first numbers of two successive pairs are `step` elements apart; the second number of
 * a pair is `apart` elements after its first number. Both rows of the rotation are sums, with the sign in the sine:
 * for a sum next to a difference, gcc 12 would use fused operations in spite of -ffp-contract=off. */
static ALWAYS_INLINE void rotate_pairs(const heed__rope_args *args, int64_t step, int64_t apart,
                                       const T *restrict table, const T *restrict x, T *restrict y)
{
    const int64_t pairs = args->pairs;
    const T first = args->back ? 1 : -1, second = args->back ? -1 : 1, *c = table, *s = table + pairs;
    for (int64_t i = 0; i < pairs; i++) {
        const T a = x[i * step], b = x[i * step + apart];
        y[i * step] = a * c[i] + b * (first * s[i]);
        y[i * step + apart] = b * c[i] + a * (second * s[i]);
    }
}

static void rope_kernel(const heed__rope_args *args, int64_t rows, const void *table_, const void *x_, void *y_)
{
    const int64_t n = args->n, rotated = 2 * args->pairs;
    const T *table = table_, *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, table += args->table_row, x += n, y += n) {
        if (args->interleaved)
            rotate_pairs(args, 2, 1, table, x, y);
        else
            rotate_pairs(args, 1, args->pairs, table, x, y);
        memcpy(y + rotated, x + rotated, (size_t)(n - rotated) * sizeof(T));
    }
}

#endif
