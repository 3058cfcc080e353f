/* kernels/rows/softmax.h - softmax, log_softmax, logsumexp and masked softmax along contiguous rows of n. The largest
 * element is subtracted first, so exp never overflows. A row with NaN or +inf becomes NaN without special code (inf -
 * inf), and so does a row of only -inf.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_SOFTMAX_H
#define HEED_KERNELS_ROWS_SOFTMAX_H

#include <math.h>

#include "kernels/kernels.h"
#include "kernels/rows/reduce.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/total.h"

enum {
    EXP_BLOCK = 1024, /* exponentials summed in T before they join a sum in double */
    ACCUMULATORS = 4, /* registers of partial maxima, and wide registers of partial sums */
};

/* The largest of n numbers, or -inf if n is 0; NaN is ignored, because it affects the sum. */
static ALWAYS_INLINE T row_max(int64_t n, const T *x)
{
    vec best[ACCUMULATORS];
    UNROLL
    for (int k = 0; k < ACCUMULATORS; k++)
        best[k] = splat(-K(INFINITY));
    int64_t i = 0;
    for (; i + ACCUMULATORS * WIDTH <= n; i += ACCUMULATORS * WIDTH) {
        UNROLL
        for (int k = 0; k < ACCUMULATORS; k++)
            best[k] = max_vec(load(x + i + k * WIDTH), best[k]);
    }
    for (; i + WIDTH <= n; i += WIDTH)
        best[0] = max_vec(load(x + i), best[0]);
    if (i < n)
        best[0] = max_vec(load_partial(x + i, n - i, best[0]), best[0]);
    return max_lanes(max_vec(max_vec(best[0], best[1]), max_vec(best[2], best[3])));
}

/* Returns the sums, lane by lane, of exp(x - m) over part `part` of every wide register of n <= EXP_BLOCK numbers.
 * Writes these exponentials to y unless y is NULL. x and y point to the part of the first wide register. The incomplete
 * wide register at the end is processed first, because it is read again soon, and a load waits long for data from a
 * partial store. */
static ALWAYS_INLINE vec exp_part_of_block(int64_t n, const T *x, T m, T *y, const int part)
{
    vec sum[ACCUMULATORS] = {{0}};
    const int64_t whole = n - n % LANES, left = n % LANES - part * WIDTH;
    if (left > 0) {
        vec e = exp_vec(load_up_to(x + whole, left, splat(-K(INFINITY))) - m);
        sum[1] += e;
        if (y)
            store_up_to(y + whole, e, left);
    }
    int64_t i = 0;
    for (; i + ACCUMULATORS * LANES <= whole; i += ACCUMULATORS * LANES) {
        vec e[ACCUMULATORS];
        UNROLL
        for (int k = 0; k < ACCUMULATORS; k++)
            e[k] = load(x + i + k * LANES) - m;
        UNROLL
        for (int k = 0; k < ACCUMULATORS; k++)
            e[k] = exp_vec(e[k]);
        UNROLL
        for (int k = 0; k < ACCUMULATORS; k++)
            sum[k] += e[k];
        UNROLL
        for (int k = 0; k < ACCUMULATORS && y; k++)
            store(y + i + k * LANES, e[k]);
    }
    for (; i < whole; i += LANES) {
        vec e = exp_vec(load(x + i) - m);
        sum[0] += e;
        if (y)
            store(y + i, e);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Returns the sum of exp(x - m) over n <= EXP_BLOCK numbers, and writes the exponentials to y unless y is NULL. */
static ALWAYS_INLINE T exp_block(int64_t n, const T *x, T m, T *y)
{
    wide_vec sum;
    UNROLL
    for (int p = 0; p < PARTS; p++)
        sum.part[p] = exp_part_of_block(n, x + p * WIDTH, m, y ? y + p * WIDTH : y, p);
    return add_wide_lanes(sum);
}

/* Like exp_block, for any n. */
static ALWAYS_INLINE double exp_row(int64_t n, const T *x, T m, T *y)
{
    if (n <= EXP_BLOCK)
        return (double)exp_block(n, x, m, y);
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i += EXP_BLOCK)
        total_add(&sum, &lost, (double)exp_block(n - i < EXP_BLOCK ? n - i : EXP_BLOCK, x + i, m, y ? y + i : y));
    return total_value(sum, lost);
}

/* sum of exp(x - m) */
static double sum_exp(int64_t n, const T *x, T m)
{
    return exp_row(n, x, m, NULL);
}

static ALWAYS_INLINE void softmax_row(int64_t n, const T *x, T *y)
{
    const T factor = (T)(1 / exp_row(n, x, row_max(n, x), y));
    for (int64_t i = 0; i < n; i += WIDTH)
        store_at(y, i, n, load_at(y, i, n) * factor);
}

static void softmax_kernel(int64_t rows, int64_t n, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, x += n, y += n)
        softmax_row(n, x, y);
}

static void log_softmax_kernel(int64_t rows, int64_t n, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, x += n, y += n) {
        T m = row_max(n, x);
        T log_sum = (T)log(sum_exp(n, x, m));
        for (int64_t i = 0; i < n; i += WIDTH)
            store_at(y, i, n, (load_at(x, i, n) - m) - log_sum);
    }
}

static void logsumexp_kernel(int64_t rows, int64_t n, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t row = 0; row < rows; row++, x += n) {
        T m = row_max(n, x);
        y[row] = isfinite(m) ? (T)((double)m + log(sum_exp(n, x, m))) : max_of(n, x);
    }
}

static ALWAYS_INLINE void softmax_grad_row(int64_t n, const T *y, const T *g, T *dx)
{
    const T s = (T)sum_terms(n, y, g, NULL);
    for (int64_t i = 0; i < n; i += WIDTH)
        store_at(dx, i, n, load_at(y, i, n) * (load_at(g, i, n) - s));
}

static void softmax_grad_kernel(int64_t rows, int64_t n, const void *y_, const void *g_, void *dx_)
{
    const T *y = y_, *g = g_;
    T *dx = dx_;
    for (int64_t row = 0; row < rows; row++, y += n, g += n, dx += n)
        softmax_grad_row(n, y, g, dx);
}

static void log_softmax_grad_kernel(int64_t rows, int64_t n, const void *y_, const void *g_, void *dx_)
{
    const T *y = y_, *g = g_;
    T *dx = dx_;
    for (int64_t row = 0; row < rows; row++, y += n, g += n, dx += n) {
        T s = (T)sum_of(n, g);
        for (int64_t i = 0; i < n; i += WIDTH)
            store_at(dx, i, n, load_at(g, i, n) - exp_vec(load_at(y, i, n)) * s);
    }
}

/* -- The keys that rows see ---------------------------------------------------------------------------------------- */

/* y[j] = x[j] if the row sees key j, else `other`. */
static ALWAYS_INLINE void keep_visible(int64_t n, const bool *visible, const T *x, T other, T *y)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = visible[j] ? x[j] : other;
}

static void masked_softmax_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *x_, void *y_)
{
    const int64_t n = args->visibility.keys;
    heed__visibility own = args->visibility;
    const T *x = x_;
    T *y = y_;
    for (int64_t row = begin; row < end;) {
        const int64_t batch = row / args->rows, first = batch * args->rows;
        heed__visibility_move(&args->visibility, batch, &own);
        for (; row < end && row < first + args->rows; row++) {
            const bool *visible = own.mask ? own.mask + (row - first) * own.mask_step.query : NULL;
            const int64_t length = visible ? n : heed__visible_range(&own, row - first).end;
            const T *from = x + row * n;
            T *to = y + row * n;
            if (visible)
                keep_visible(n, visible, from, -K(INFINITY), to);
            softmax_row(length, visible ? to : from, to);
            if (visible)
                keep_visible(n, visible, to, 0, to);
            fill_zeros(to, length, n);
        }
    }
}

static void masked_softmax_grad_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *y_,
                                       const void *g_, void *dx_)
{
    const int64_t n = args->visibility.keys;
    heed__visibility own = args->visibility;
    const T *y = y_, *g = g_;
    T *dx = dx_;
    for (int64_t row = begin; row < end;) {
        const int64_t batch = row / args->rows, first = batch * args->rows;
        heed__visibility_move(&args->visibility, batch, &own);
        for (; row < end && row < first + args->rows; row++) {
            const bool *visible = own.mask ? own.mask + (row - first) * own.mask_step.query : NULL;
            const int64_t length = visible ? n : heed__visible_range(&own, row - first).end;
            T *to = dx + row * n;
            if (visible)
                keep_visible(n, visible, g + row * n, 0, to);
            softmax_grad_row(length, y + row * n, visible ? to : g + row * n, to);
            if (visible)
                keep_visible(n, visible, to, 0, to);
            fill_zeros(to, length, n);
        }
    }
}

#endif
