/* ops/rescale.c - see rescale.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "ops/rescale.h"

/* The range in which a sum is accurate. A term that underflows is wrong by at most half of the smallest positive
 * number: 2^-150 in f32, 2^-1075 in f64. In a sum of at least `least`, these errors stay below a quarter of a unit in
 * the last place. The range is narrower if a gradient is divided by the sum, and if p < 0, because such gradients and
 * the slopes |x|^(p - 1) overflow or underflow before the terms do. */
typedef struct range {
    double least, most;
} range;

static range accurate_range(heed_dtype dtype, const heed__powers *of)
{
    const bool is_f32 = dtype == HEED_F32;
    const double least = is_f32 ? 0x1p-124 : 0x1p-1020, most = is_f32 ? (double)FLT_MAX : DBL_MAX;
    const double reach = is_f32 ? 0x1p100 : 0x1p900, share = of->p / (of->p - 1);
    if (of->p > 0)
        return (range){of->terms * least, of->by_sum ? reach : most};
    return (range){of->terms * pow(reach, -share), pow(reach, share)};
}

static bool in_range(double sum, range r)
{
    return sum >= r.least && sum <= r.most;
}

static bool all_in_range(const heed_tensor *sum, range r)
{
    const float *f32 = (const void *)sum->data;
    const double *f64 = (const void *)sum->data;
    bool fit = true;
    if (sum->dtype == HEED_F32)
        for (int64_t i = 0; i < sum->numel; i++)
            fit &= f32[i] >= (float)r.least && f32[i] <= (float)r.most;
    else
        for (int64_t i = 0; i < sum->numel; i++)
            fit &= in_range(f64[i], r);
    return fit;
}

/* Returns the factor for x in a sum of |x|^p whose largest |x| (smallest if p < 0) is `size`. If p > 0, the factor
 * brings size^p into 2^-500 .. 2^500 and is as close to 1 as possible, because a gradient is divided by the factor
 * before it is multiplied by the factor. If p < 0, it brings `size`, and thus also the slopes |x|^(p - 1), near 1. */
static double factor_for(double size, double p)
{
    enum { MOST = 1020 };
    const int reach = p > 1 ? (int)(500 / p) : p > 0 ? 500 : 0;
    int exponent;
    if (fabs(p) > 500)
        return 1 / fmax(size, DBL_MIN);
    (void)frexp(size, &exponent);
    exponent = exponent > reach ? reach - exponent : exponent < -reach ? -reach - exponent : 0;
    return ldexp(1, exponent < -MOST ? -MOST : exponent > MOST ? MOST : exponent);
}

static heed_shape axes_in(unsigned mask)
{
    heed_shape axes = {.rank = 0};
    for (int axis = 0; axis < HEED_MAX_RANK; axis++)
        if (mask >> axis & 1)
            axes.dims[axes.rank++] = axis;
    return axes;
}

/* Returns for every sum of powers the |x| that dominates it: the largest |x|, or the smallest if p < 0. The result is
 * f64, and the summed axes have size 1. */
static heed_tensor *dominant_sizes(heed_tensor *x, const heed__powers *of)
{
    const heed_shape axes = axes_in(of->mask);
    heed_tensor *all = heed_abs(x);
    if (axes.rank > 0)
        all = of->p > 0 ? heed_max_axes(all, axes, true) : heed_min_axes(all, axes, true);
    return heed_contiguous(heed_to_dtype(all, HEED_F64));
}

/* Returns x - mean. Without axes to sum over, the mean is x itself. */
static heed_tensor *minus_mean(heed_tensor *x, const heed__powers *of)
{
    return heed_sub(x, of->mask ? heed_mean_axes(x, axes_in(of->mask), true) : x);
}

/* Overwrites `size` with the factors and marks in `rows` the sums that need rescaling: sums out of range whose terms
 * are neither 0 nor NaN and whose x is finite. Their terms may be infinite, because the mean of finite numbers can
 * overflow. Returns true if any sum needs rescaling; *scaled tells whether a factor differs from 1. */
static bool find_factors(const heed__powers *of, const heed_tensor *sum, const heed_tensor *terms, heed_tensor *size,
                         heed_tensor *rows, bool *scaled)
{
    const double *term = (const void *)terms->data;
    const range r = accurate_range(sum->dtype, of);
    double *factor = (void *)size->data;
    bool *row = (void *)rows->data, found = false;
    *scaled = false;
    for (int64_t i = 0; i < sum->numel; i++) {
        row[i] = !in_range(heed__load(sum->dtype, sum->data + (size_t)i * heed_dtype_size(sum->dtype)), r) &&
                 term[i] > 0 && factor[i] <= DBL_MAX;
        factor[i] = !row[i] ? 1 : of->factor > 0 ? of->factor : factor_for(factor[i], of->p);
        found = found || row[i];
        *scaled = *scaled || factor[i] != 1;
    }
    return found;
}

bool heed__rescale(heed_tensor *x, const heed__powers *of, const heed_tensor *sum, heed__rescaled *r)
{
    if (!x || !sum || x->numel == 0 || all_in_range(sum, accurate_range(sum->dtype, of)))
        return false;
    *r = (heed__rescaled){.rows = NULL};
    bool scaled = false;
    heed_tensor *values = heed_detach(x), *size = values ? dominant_sizes(values, of) : NULL;
    heed_tensor *terms = !size ? NULL : of->centred ? dominant_sizes(minus_mean(values, of), of) : heed_clone(size);
    heed_tensor *rows = terms ? heed_zeros(HEED_BOOL, size->shape) : NULL;
    if (rows && !find_factors(of, sum, terms, size, rows, &scaled))
        return false;
    r->rows = rows;
    r->plain = rows ? heed_where(rows, heed_ones(x->dtype, HEED_SCALAR), x) : NULL;
    r->x = r->plain ? heed_to_dtype(x, HEED_F64) : NULL;
    if (scaled) {
        r->by = size;
        r->x = heed_mul(r->x, size);
    }
    return true;
}

heed_tensor *heed__unscaled(const heed__rescaled *r, heed_tensor *y)
{
    return r->by && y ? heed_div(y, heed_reshape(r->by, y->shape)) : y;
}

heed_tensor *heed__joined(const heed__rescaled *r, heed_tensor *plain, heed_tensor *scaled)
{
    if (!plain || !scaled)
        return NULL;
    heed_tensor *rows = plain->numel == r->rows->numel ? heed_reshape(r->rows, plain->shape) : r->rows;
    return heed_where(rows, heed_to_dtype(scaled, plain->dtype), plain);
}
