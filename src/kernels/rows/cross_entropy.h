/* kernels/rows/cross_entropy.h - cross entropy of rows of logits with one class per row.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_CROSS_ENTROPY_H
#define HEED_KERNELS_ROWS_CROSS_ENTROPY_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/rows/reduce.h"
#include "kernels/rows/softmax.h"
#include "kernels/simd/total.h"

/* The mean of m - x. Terms are scaled down by a power of 2, so that their sum does not overflow. */
static double mean_below_max(int64_t n, const T *x, T m)
{
    const T factor = (T)ldexp(0.25, -ilogb((double)n)), top = m * factor;
    double sum = 0, lost = 0;
    for (int64_t begin = 0; begin < n; begin += SUM_BLOCK) {
        int64_t count = n - begin < SUM_BLOCK ? n - begin : SUM_BLOCK;
        T below[SUM_BLOCK];
        for (int64_t i = 0; i < count; i++)
            below[i] = top - x[begin + i] * factor;
        total_add(&sum, &lost, (double)sum_block(count, below, NULL, NULL));
    }
    return total_value(sum, lost) / ((double)factor * (double)n);
}

/* Returns ln sum exp(x - m) + (1 - s) (m - x[target]) + s mean(m - x), where m is the largest x and s the smoothing.
 * Terms of weight 0 are skipped, because x may be -inf. */
static T cross_entropy_of(const heed__cross_entropy_args *args, const T *x, int64_t target)
{
    const double s = args->smoothing;
    const T m = row_max(args->n, x);
    double loss = log(sum_exp(args->n, x, m));
    if (s < 1)
        loss += (1 - s) * ((double)m - (double)x[target]);
    if (s > 0)
        loss += s * mean_below_max(args->n, x, m);
    return (T)loss;
}

static void cross_entropy_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x_,
                                 const int64_t *targets, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, x += args->n)
        y[row] = targets[row] == args->ignored ? 0 : cross_entropy_of(args, x, targets[row]);
}

static void cross_entropy_grad_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x_,
                                      const int64_t *targets, const void *g_, void *dx_)
{
    const int64_t n = args->n;
    const T *x = x_, *g = g_;
    T *dx = dx_;
    for (int64_t row = 0; row < rows; row++, x += n, dx += n) {
        if (targets[row] == args->ignored) {
            memset(dx, 0, (size_t)n * sizeof(T));
            continue;
        }
        const T share = (T)(args->smoothing / (double)n), at = g[row];
        const T factor = (T)(1 / exp_row(n, x, row_max(n, x), dx));
        T *target = dx + targets[row];
        const T chosen = at * ((*target * factor - (T)(1 - args->smoothing)) - share);
        for (int64_t i = 0; i < n; i += WIDTH)
            store_at(dx, i, n, at * (load_at(dx, i, n) * factor - share));
        *target = chosen;
    }
}

#endif
