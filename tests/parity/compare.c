/* tests/parity/compare.c - compares a tensor with PyTorch's result.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "parity/parity.h"

#include <check.h>
#include <math.h>

static double tolerance_of(heed_dtype dtype)
{
    return dtype == HEED_F64 ? 1e-10 : 1e-5;
}

static bool as_good(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return a == b || (isnan(a) && isnan(b));
    return fabs(a - b) <= tolerance * (1.0 + fabs(b));
}

/* The index of the i-th element in row-major order. */
static heed_shape index_of(heed_shape shape, int64_t i)
{
    heed_shape index = shape;
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        index.dims[axis] = i % shape.dims[axis];
        i /= shape.dims[axis];
    }
    return index;
}

static void compare_element(const parity_call *c, const heed_tensor *got, int64_t i, double expected, double tolerance,
                            const char *what)
{
    heed_shape index = index_of(heed_shape_of(got), i);
    double value = heed_get(got, index);
    if (as_good(value, expected, tolerance))
        return;
    ck_abort_msg("%s: %s at %s is %.17g, PyTorch has %.17g", c->where, what, heed_shape_text(index).s, value, expected);
}

static void compare_whole(const parity_call *c, const heed_tensor *got, int64_t i, const json_t *expected,
                          const char *what)
{
    const int64_t value = heed_get_i64(got, index_of(heed_shape_of(got), i));
    ck_assert_msg(value == json_integer_value(expected), "%s: element %lld of %s is %lld, PyTorch has %lld", c->where,
                  (long long)i, what, (long long)value, (long long)json_integer_value(expected));
}

void parity_compare(const parity_call *c, const heed_tensor *got, const json_t *expected, const char *what)
{
    heed_dtype dtype;
    const json_t *values = parity_values(expected, c->dtype, &dtype);
    heed_shape shape = parity_shape(json_object_get(expected, "shape"));
    ck_assert_msg(got != NULL, "%s: there is no %s: %s", c->where, what, heed_error_message());
    ck_assert_msg(heed_dtype_of(got) == dtype, "%s: %s is %s, not %s", c->where, what,
                  heed_dtype_name(heed_dtype_of(got)), heed_dtype_name(dtype));
    ck_assert_msg(heed_shape_equal(heed_shape_of(got), shape), "%s: %s has the shape %s, not %s", c->where, what,
                  heed_shape_text(heed_shape_of(got)).s, heed_shape_text(shape).s);
    ck_assert_int_eq((int64_t)json_array_size(values), heed_shape_numel(shape));
    double tolerance = dtype == HEED_BOOL ? 0.0 : tolerance_of(c->dtype);
    for (size_t i = 0; i < json_array_size(values); i++)
        if (dtype == HEED_I64)
            compare_whole(c, got, (int64_t)i, json_array_get(values, i), what);
        else
            compare_element(c, got, (int64_t)i, parity_number(json_array_get(values, i)), tolerance, what);
}

void parity_compare_gradient(const parity_call *c, const heed_tensor *got, const json_t *expected, const char *what)
{
    if (!got)
        got = heed_zeros(c->dtype, parity_shape(json_object_get(expected, "shape")));
    parity_compare(c, got, expected, what);
}
