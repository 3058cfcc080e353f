/* core/create.c - creates tensors from numbers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/tensor.h"

static heed_tensor *create_tensor(const char *where, heed_dtype dtype, heed_shape shape)
{
    return heed__tensor_new(where, dtype, &shape);
}

static heed_tensor *create_filled(const char *where, heed_dtype dtype, heed_shape shape, double value)
{
    char element[sizeof(double)] = {0};
    heed_tensor *t = heed__tensor_new(where, dtype, &shape);
    if (!t || !heed__store(where, dtype, element, value))
        return NULL;
    const size_t size = heed_dtype_size(dtype);
    for (int64_t i = 0; i < t->numel; i++)
        memcpy(t->data + (size_t)i * size, element, size);
    return t;
}

heed_tensor *heed_empty(heed_dtype dtype, heed_shape shape)
{
    return create_tensor("empty", dtype, shape);
}

heed_tensor *heed_zeros(heed_dtype dtype, heed_shape shape)
{
    heed_tensor *t = create_tensor("zeros", dtype, shape);
    if (t)
        memset(t->data, 0, (size_t)t->numel * heed_dtype_size(dtype));
    return t;
}

heed_tensor *heed_ones(heed_dtype dtype, heed_shape shape)
{
    return create_filled("ones", dtype, shape, 1.0);
}

heed_tensor *heed_full(heed_dtype dtype, heed_shape shape, double value)
{
    return create_filled("full", dtype, shape, value);
}

heed_tensor *heed_zeros_like(const heed_tensor *t)
{
    HEED_ENTER("zeros_like");
    return heed__check_tensor("zeros_like", t) ? heed_zeros(t->dtype, t->shape) : NULL;
}

/* Sets element i to start + i step. */
static heed_tensor *ramp(const char *where, heed_dtype dtype, double start, double step, int64_t n)
{
    heed_tensor *t = create_tensor(where, dtype, HEED_SHAPE(n));
    size_t size = heed_dtype_size(dtype);
    for (int64_t i = 0; t && i < n; i++)
        if (!heed__store(where, dtype, t->data + (size_t)i * size, start + (double)i * step))
            return NULL;
    return t;
}

heed_tensor *heed_arange(heed_dtype dtype, double start, double stop, double step)
{
    double n = ceil((stop - start) / step);
    if (!isfinite(start) || !isfinite(stop) || !isfinite(step) || step == 0.0 || !(n < 0x1p62))
        return heed_fail_null(HEED_ERR_ARGUMENT, "arange",
                              "cannot count from %g to %g in steps of %g: all must be finite, and the step not 0",
                              start, stop, step);
    return ramp("arange", dtype, start, step, n > 0.0 ? (int64_t)n : 0);
}

heed_tensor *heed_linspace(heed_dtype dtype, double start, double stop, int64_t n)
{
    if (n < 0 || !isfinite(start) || !isfinite(stop))
        return heed_fail_null(HEED_ERR_ARGUMENT, "linspace",
                              "cannot place %" PRId64
                              " numbers from %g to %g: n must be at least 0, and the ends finite",
                              n, start, stop);
    double last = (double)(n - 1), step = n > 2 ? (stop - start) / last : 0.0;
    if (!isfinite(step))
        step = stop / last - start / last;
    heed_tensor *t = ramp("linspace", dtype, start, step, n);
    if (t && n > 1 && !heed__store("linspace", dtype, t->data + (size_t)(n - 1) * heed_dtype_size(dtype), stop))
        return NULL;
    return t;
}

heed_tensor *heed_eye(heed_dtype dtype, int64_t n, int64_t m)
{
    heed_tensor *t = create_tensor("eye", dtype, HEED_SHAPE(n, m));
    if (!t)
        return NULL;
    size_t size = heed_dtype_size(dtype);
    memset(t->data, 0, (size_t)t->numel * size);
    for (int64_t i = 0; i < n && i < m; i++)
        (void)heed__store("eye", dtype, t->data + (size_t)(i * m + i) * size, 1.0);
    return t;
}

/* Checks that `count` values at `values` fill the shape. */
static bool check_value_count(const char *where, heed_shape shape, const void *values, int64_t count)
{
    if (!heed__check_shape(where, &shape))
        return false;
    if (count != heed_shape_numel(shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "%" PRId64 " values do not fill the shape %s", count,
                               heed_shape_text(shape).s);
    if (count > 0 && !values)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "values is NULL");
    return true;
}

heed_tensor *heed_from_array(heed_dtype dtype, heed_shape shape, const void *values, int64_t count)
{
    if (!check_value_count("from_array", shape, values, count))
        return NULL;
    heed_tensor *t = create_tensor("from_array", dtype, shape);
    for (int64_t i = 0; t && dtype == HEED_BOOL && i < count; i++) /* a byte other than 0 and 1 is not a valid C bool */
        ((bool *)t->data)[i] = ((const unsigned char *)values)[i] != 0;
    if (t && dtype != HEED_BOOL && count > 0)
        memcpy(t->data, values, (size_t)count * heed_dtype_size(dtype));
    return t;
}

heed_tensor *heed_from_buffer(heed_dtype dtype, heed_shape shape, void *values, int64_t count,
                              void (*release)(void *user), void *user)
{
    static const char where[] = "from_buffer";
    if (!heed__check_dtype(where, dtype) || !check_value_count(where, shape, values, count))
        return NULL;
    if (dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, where, "dtype is bool: must be f32, f64 or i64");
    const size_t size = heed_dtype_size(dtype);
    if (count > 0 && (uintptr_t)values % size != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the address of values is not a multiple of %zu bytes", size);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 2)
        return heed_fail_null(HEED_ERR_SHAPE, where, "%s is not a valid shape", heed_shape_text(shape).s);
    return heed__tensor_foreign(where, dtype, &shape, &(heed__foreign){values, bytes, release, user});
}

heed_tensor *heed_from_values(heed_dtype dtype, heed_shape shape, const double *values, int64_t count)
{
    if (!check_value_count("from_values", shape, values, count))
        return NULL;
    heed_tensor *t = create_tensor("from_values", dtype, shape);
    size_t size = heed_dtype_size(dtype);
    for (int64_t i = 0; t && i < count; i++)
        if (!heed__store("from_values", dtype, t->data + (size_t)i * size, values[i]))
            return NULL;
    return t;
}
