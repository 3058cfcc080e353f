/* kernels/simd/total.h - compensated summation: sums that carry along their rounding errors, so that many terms cost no
 * digits. A total consists of a rounded sum and of `lost`, the sum of its rounding errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_TOTAL_H
#define HEED_KERNELS_SIMD_TOTAL_H

#include <math.h>

#include "kernels/kernels.h"
#include "kernels/simd/wide.h"

/* -- Totals of numbers, in double ---------------------------------------------------------------------------------- */

/* Knuth's TwoSum: the old *sum + term equals the new *sum plus the number added to *lost, exactly. */
static inline void total_add(double *sum, double *lost, double term)
{
    double s = *sum + term;
    double added = s - *sum;
    *lost += (*sum - (s - added)) + (term - added);
    *sum = s;
}

/* The value of a total. lost is NaN once the sum is infinite. */
static inline double total_value(double sum, double lost)
{
    return isfinite(sum) ? sum + lost : sum;
}

/* -- Totals of registers, in T: in f32 a million terms cost no digit ----------------------------------------------- */

/* Knuth's TwoSum, followed by a second one that renormalises the total: lost is then at most half a unit in the last
 * place of sum. If sum is infinite, lost is 0. */
static ALWAYS_INLINE void total_add_vec(vec *sum, vec *lost, vec term)
{
    const vec s = *sum + term, added = s - *sum, zero = {0};
    const vec left = *lost + ((*sum - (s - added)) + (term - added)), both = s + left;
    const vec_mask finite = both - both == zero;
    *sum = select_vec(finite, both, s);
    *lost = select_vec(finite, left - (both - s), zero);
}

/* Adds every element of x to its total, sum + lost. */
static void total_add_row_kernel(int64_t n, const void *x_, void *sum_, void *lost_)
{
    const T *x = x_;
    T *sum = sum_, *lost = lost_;
    for (int64_t i = 0; i < n; i += WIDTH) {
        vec s = load_at(sum, i, n), l = load_at(lost, i, n);
        total_add_vec(&s, &l, load_at(x, i, n));
        store_at(sum, i, n, s);
        store_at(lost, i, n, l);
    }
}

/* A sum per lane; it is a total (is_long) if all lanes together have many terms. */
typedef struct lane_sums {
    wide_vec sum, lost;
    bool is_long;
} lane_sums;

static ALWAYS_INLINE lane_sums lane_sums_for(int64_t n)
{
    return (lane_sums){.is_long = heed__is_long(n)};
}

static ALWAYS_INLINE void lane_sums_add(lane_sums *total, wide_vec terms)
{
    if (total->is_long) {
        UNROLL
        for (int p = 0; p < PARTS; p++)
            total_add_vec(&total->sum.part[p], &total->lost.part[p], terms.part[p]);
    } else {
        total->sum = add_wide(total->sum, terms);
    }
}

static ALWAYS_INLINE T lane_sums_value(lane_sums total)
{
    return add_wide_lanes(total.sum);
}

/* The number of terms, HEED_LONG_CHAIN per lane, that are summed separately before they join a total. */
enum { CHAIN_TERMS = HEED_LONG_CHAIN * LANES };

/* Returns total plus the sum of a b, lane by lane. */
static ALWAYS_INLINE lane_sums add_products(int64_t n, const T *a, const T *b, lane_sums total)
{
    for (int64_t begin = 0; begin < n; begin += CHAIN_TERMS) {
        const int64_t end = n - begin < CHAIN_TERMS ? n : begin + CHAIN_TERMS;
        wide_vec sum = {{{0}}}, other = {{{0}}};
        int64_t j = begin;
        for (; j + 2 * LANES <= end; j += 2 * LANES) {
            sum = muladd_wide(load_wide(a + j), load_wide(b + j), sum);
            other = muladd_wide(load_wide(a + j + LANES), load_wide(b + j + LANES), other);
        }
        for (; j < end; j += LANES)
            sum = muladd_wide(load_wide_at(a, j, end), load_wide_at(b, j, end), sum);
        lane_sums_add(&total, add_wide(sum, other));
    }
    return total;
}

static double total_product_kernel(int64_t n, const void *a, const void *b)
{
    return (double)lane_sums_value(add_products(n, a, b, lane_sums_for(n)));
}

#endif
