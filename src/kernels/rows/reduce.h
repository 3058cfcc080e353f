/* kernels/rows/reduce.h - sums, maxima and minima of (outer, r, inner) over r. The order depends only on r and inner.
 * Sums are computed in T over short blocks, whose results are added up in double.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_REDUCE_H
#define HEED_KERNELS_ROWS_REDUCE_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/functions.h"
#include "kernels/simd/total.h"

enum {
    SUM_BLOCK = 256,    /* terms summed in T before they join a sum in double */
    STRIP_COLUMNS = 64, /* columns summed side by side */
    STRIP_ROWS = 32,    /* rows of them summed in T before they join a sum in double */
    SMALL = 8,          /* with at most this number of rows and of columns, numbers are summed one by one */
};

/* The products a b c for a register of indices from i on; b and c may be NULL, for 1. */
static ALWAYS_INLINE vec product_terms(int64_t i, int64_t n, const T *a, const T *b, const T *c)
{
    vec v = load_at(a, i, n);
    if (b)
        v *= load_at(b, i, n);
    if (c)
        v *= load_at(c, i, n);
    return v;
}

/* The sum of a b c over n <= SUM_BLOCK indices. */
static ALWAYS_INLINE T sum_block(int64_t n, const T *a, const T *b, const T *c)
{
    wide_vec sum = {{{0}}};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        UNROLL
        for (int p = 0; p < PARTS; p++)
            sum.part[p] += product_terms(i + p * WIDTH, i + LANES, a, b, c);
    }
    UNROLL
    for (int p = 0; p < PARTS; p++) {
        if (i + p * WIDTH < n)
            sum.part[p] += product_terms(i + p * WIDTH, n, a, b, c);
    }
    return add_wide_lanes(sum);
}

/* The sum of a b c. */
static ALWAYS_INLINE double sum_terms(int64_t n, const T *a, const T *b, const T *c)
{
    if (n <= SUM_BLOCK)
        return (double)sum_block(n, a, b, c);
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i += SUM_BLOCK)
        total_add(&sum, &lost,
                  (double)sum_block(n - i < SUM_BLOCK ? n - i : SUM_BLOCK, a + i, b ? b + i : b, c ? c + i : c));
    return total_value(sum, lost);
}

static double sum_of(int64_t n, const T *x)
{
    return sum_terms(n, x, NULL, NULL);
}

/* y[0 .. width - 1] = the sums of `r` rows of x, which are `inner` apart. */
static void sum_strip(int64_t r, int64_t inner, int64_t width, const T *x, T *y)
{
    double sum[STRIP_COLUMNS] = {0}, lost[STRIP_COLUMNS] = {0};
    for (int64_t begin = 0; begin < r; begin += STRIP_ROWS) {
        T partial[STRIP_COLUMNS] = {0};
        for (int64_t j = begin; j < r && j < begin + STRIP_ROWS; j++)
            for (int64_t i = 0; i < width; i++)
                partial[i] += x[j * inner + i];
        for (int64_t i = 0; i < width; i++)
            total_add(&sum[i], &lost[i], (double)partial[i]);
    }
    for (int64_t i = 0; i < width; i++)
        y[i] = (T)total_value(sum[i], lost[i]);
}

/* y[0 .. inner - 1] = the sums of r rows of x, for rows of few elements: several adjacent rows are treated as one row
 * of a strip. */
static void sum_narrow(int64_t r, int64_t inner, const T *x, T *y)
{
    const int64_t side = STRIP_COLUMNS / inner, rows = r / side;
    T partial[STRIP_COLUMNS];
    sum_strip(rows, side * inner, side * inner, x, partial);
    for (int64_t i = 0; i < inner; i++) {
        double sum = 0;
        for (int64_t k = 0; k < side; k++)
            sum += (double)partial[k * inner + i];
        for (int64_t j = rows * side; j < r; j++)
            sum += (double)x[j * inner + i];
        y[i] = (T)sum;
    }
}

/* y[0 .. inner - 1] = the sums of r rows of x, for so few rows that T is precise enough; r is at least 1. */
static void sum_few_rows(int64_t r, int64_t inner, const T *x, T *y)
{
    for (int64_t i = 0; i < inner; i += WIDTH) {
        vec sum = load_at(x, i, inner);
        for (int64_t j = 1; j < r; j++)
            sum += load_at(x + j * inner, i, inner);
        store_at(y, i, inner, sum);
    }
}

/* y[o, i] = the sum of x[o, j, i] over j, for few rows of few elements; r is at least 1. */
static void sum_small(int64_t outer, int64_t r, int64_t inner, const T *x, T *y)
{
    for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner)
        for (int64_t i = 0; i < inner; i++) {
            T sum = x[i];
            for (int64_t j = 1; j < r; j++)
                sum += x[j * inner + i];
            y[i] = sum;
        }
}

static void sum_kernel(int64_t outer, int64_t r, int64_t inner, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    if (r > 0 && r <= SMALL && inner <= SMALL) {
        sum_small(outer, r, inner, x, y);
        return;
    }
    for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner) {
        if (inner == 1)
            y[0] = (T)sum_of(r, x);
        else if (r > 0 && r <= STRIP_ROWS)
            sum_few_rows(r, inner, x, y);
        else if (inner > 0 && inner <= STRIP_COLUMNS / 2)
            sum_narrow(r, inner, x, y);
        else
            for (int64_t i = 0; i < inner; i += STRIP_COLUMNS)
                sum_strip(r, inner, inner - i < STRIP_COLUMNS ? inner - i : STRIP_COLUMNS, x + i, y + i);
    }
}

/* -- Extremes: NaN wins -------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE T extreme_of_two(T a, T b, const bool largest)
{
    return largest ? larger(a, b) : smaller(a, b);
}

static ALWAYS_INLINE vec extreme_of_two_vec(vec a, vec b, const bool largest)
{
    return select_vec((largest ? a > b : a < b) | (a != a), a, b);
}

/* The extreme of n numbers; -inf or inf if n is 0. */
static ALWAYS_INLINE T extreme_of(int64_t n, const T *x, const bool largest)
{
    vec best[PARTS];
    UNROLL
    for (int p = 0; p < PARTS; p++)
        best[p] = splat(largest ? -K(INFINITY) : K(INFINITY));
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        UNROLL
        for (int p = 0; p < PARTS; p++)
            best[p] = extreme_of_two_vec(best[p], load(x + i + p * WIDTH), largest);
    }
    UNROLL
    for (int p = 0; p < PARTS; p++) {
        const int64_t left = n - i - p * WIDTH;
        if (left > 0)
            best[p] = extreme_of_two_vec(best[p], load_up_to(x + i + p * WIDTH, left, best[p]), largest);
    }
    UNROLL
    for (int half = PARTS / 2; half > 0; half /= 2) {
        UNROLL
        for (int p = 0; p < half; p++)
            best[p] = extreme_of_two_vec(best[p], best[p + half], largest);
    }
    T lane[WIDTH];
    memcpy(lane, &best[0], sizeof lane);
    for (int half = WIDTH / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] = extreme_of_two(lane[l], lane[l + half], largest);
    return lane[0];
}

static T max_of(int64_t n, const T *x)
{
    return extreme_of(n, x, true);
}

static T min_of(int64_t n, const T *x)
{
    return extreme_of(n, x, false);
}

static ALWAYS_INLINE void extremes(int64_t outer, int64_t r, int64_t inner, const T *x, T *y, const bool largest)
{
    for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner) {
        if (inner == 1) {
            y[0] = largest ? max_of(r, x) : min_of(r, x);
            continue;
        }
        for (int64_t i = 0; i < inner; i++)
            y[i] = x[i];
        for (int64_t j = 1; j < r; j++) {
            INDEPENDENT
            for (int64_t i = 0; i < inner; i++)
                y[i] = extreme_of_two(y[i], x[j * inner + i], largest);
        }
    }
}

static void max_kernel(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    extremes(outer, r, inner, x, y, true);
}

static void min_kernel(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    extremes(outer, r, inner, x, y, false);
}

#endif
