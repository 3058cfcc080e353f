/* inspect/numbers.c - finds NaN and infinities in tensors. */

#include "inspect/numbers.h"

#include <math.h>
#include <string.h>

#include <heed/ops.h>

/* Numbers per block. The loop over a block is branch-free, so that compilers vectorise it. */
enum { BLOCK = 1024 };

static bool finite_f32(const float *x, int64_t n)
{
    const uint32_t exponent = UINT32_C(0x7f800000);
    uint32_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool finite_f64(const double *x, int64_t n)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

bool heed__numbers_finite(heed_tensor *t)
{
    if (!t || !heed_dtype_is_float(heed_dtype_of(t)))
        return true;
    const heed_tensor *dense = heed_is_contiguous(t) ? t : heed_contiguous(t);
    const bool single = heed_dtype_of(t) == HEED_F32;
    const float *f32 = dense && single ? heed_data_f32(dense) : NULL;
    const double *f64 = dense && !single ? heed_data_f64(dense) : NULL;
    const int64_t n = f32 || f64 ? heed_numel(t) : 0;
    bool finite = true;
    for (int64_t i = 0; i < n && finite; i += BLOCK) {
        const int64_t count = n - i < BLOCK ? n - i : BLOCK;
        finite = single ? finite_f32(f32 + i, count) : finite_f64(f64 + i, count);
    }
    return finite;
}

static void count_numbers(heed__numbers *n, double value, int64_t at)
{
    if (isfinite(value)) {
        n->low = value < n->low ? value : n->low;
        n->high = value > n->high ? value : n->high;
        return;
    }
    if (n->nans + n->infinities == 0) {
        n->first = at;
        n->first_value = value;
    }
    if (isnan(value))
        n->nans++;
    else
        n->infinities++;
}

bool heed__numbers_of(heed_tensor *t, heed__numbers *numbers)
{
    *numbers = (heed__numbers){.count = heed_numel(t), .low = (double)INFINITY, .high = -(double)INFINITY};
    const heed_tensor *dense = heed_contiguous(t);
    if (!dense)
        return false;
    const float *f32 = heed_dtype_of(t) == HEED_F32 ? heed_data_f32(dense) : NULL;
    const double *f64 = heed_dtype_of(t) == HEED_F64 ? heed_data_f64(dense) : NULL;
    for (int64_t i = 0; i < numbers->count; i++)
        count_numbers(numbers, f32 ? (double)f32[i] : f64[i], i);
    return true;
}

unsigned heed__numbers_kinds(heed_tensor *t)
{
    heed__numbers n;
    if (heed__numbers_finite(t) || !heed__numbers_of(t, &n))
        return 0;
    return (n.nans > 0 ? HEED__NAN : 0u) | (n.infinities > 0 ? HEED__INFINITE : 0u);
}

heed_tensor *heed__numbers_cleaned(heed_tensor *t)
{
    if (heed__numbers_finite(t))
        return t;
    heed_tensor *copy = heed_contiguous(heed_clone(t));
    float *f32 = copy && heed_dtype_of(t) == HEED_F32 ? heed_mutable_f32(copy) : NULL;
    double *f64 = copy && !f32 ? heed_mutable_f64(copy) : NULL;
    const int64_t n = copy ? heed_numel(copy) : 0;
    for (int64_t i = 0; i < n; i++) {
        if (f32 && !isfinite(f32[i]))
            f32[i] = 1.0F;
        if (f64 && !isfinite(f64[i]))
            f64[i] = 1.0;
    }
    return copy;
}
