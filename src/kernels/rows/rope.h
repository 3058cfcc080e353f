/* kernels/rows/rope.h - rotary embedding: rotates pairs of numbers of a row by angles whose cosines and sines are
 * given. */
#ifndef HEED_KERNELS_ROWS_ROPE_H
#define HEED_KERNELS_ROWS_ROPE_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* Rotates `pairs` pairs. The first numbers of two successive pairs are `step` elements apart; the second number of a
 * pair is `apart` elements after its first number. */
static ALWAYS_INLINE void rotate_pairs(int64_t pairs, int64_t step, int64_t apart, const T *restrict c,
                                       const T *restrict s, const T sign, const T *restrict x, T *restrict y)
{
    for (int64_t i = 0; i < pairs; i++) {
        const T a = x[i * step], b = x[i * step + apart], sine = sign * s[i];
        y[i * step] = a * c[i] - b * sine;
        y[i * step + apart] = b * c[i] + a * sine;
    }
}

static void rope_kernel(const heed__rope_args *args, int64_t rows, const void *table_, const void *x_, void *y_)
{
    const int64_t n = args->n, pairs = args->pairs;
    const T sign = args->back ? -1 : 1;
    const T *c = table_, *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, c += args->table_row, x += n, y += n) {
        if (args->interleaved)
            rotate_pairs(pairs, 2, 1, c, c + pairs, sign, x, y);
        else
            rotate_pairs(pairs, 1, pairs, c, c + pairs, sign, x, y);
        memcpy(y + 2 * pairs, x + 2 * pairs, (size_t)(n - 2 * pairs) * sizeof(T));
    }
}

#endif
