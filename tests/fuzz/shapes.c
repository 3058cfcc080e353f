/* tests/fuzz/shapes.c - shapes and views against a model: chains of random valid and invalid steps.
 *
 * The rule of a step (shape_rules.c) says whether the library must accept the arguments, the shape of the result,
 * and which element of the source each element of the result is. The numbers 1, 2, ... of a leaf are followed
 * through the chain; at its end the gradient of every element must have arrived at its leaf.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "shapes.h"

#include <string.h>

#define MAX_STEPS 12
#define TOO_MANY (INT64_C(1) << 40) /* too many bytes to allocate, or even to count */

typedef struct model {
    heed_shape shape;
    double values[MAX_VALUES];
} model;

static model now;

/* -- Comparing -------------------------------------------------------------------------------------------------- */

static void expect_values(heed_tensor *x, heed_shape shape, const double *values)
{
    FUZZ_CHECK(heed_shape_equal(heed_shape_of(x), shape));
    FUZZ_CHECK(heed_numel(x) == heed_shape_numel(shape));
    heed_tensor *dense = heed_to_dtype(x, HEED_F64);
    dense = dense ? heed_contiguous(dense) : NULL;
    if (!fuzz_outcome(dense != NULL))
        return;
    const double *got = heed_data_f64(dense);
    for (int64_t i = 0; i < heed_numel(x); i++)
        FUZZ_CHECK(got[i] == values[i]);
}

/* -- Steps ------------------------------------------------------------------------------------------------------ */

static void follow(const plan *p, const model *from, model *to)
{
    to->shape = p->shape;
    for (int64_t i = 0; i < heed_shape_numel(p->shape); i++) {
        heed_shape at = p->source(position_of(i, p->shape), from->shape, p);
        to->values[i] = at.rank < 0 ? 0 : from->values[index_of(at, from->shape)];
    }
}

/* The next tensor of the chain: x itself if the step fails as it must, or makes too many elements to follow. */
static heed_tensor *step(fuzz_input *in, heed_tensor *x)
{
    static model next;
    plan p = {.valid = false};
    heed_tensor *y = random_step(in, x, now.shape, &p);
    bool too_large =
        p.valid && heed_shape_numel(p.shape) > (INT64_C(1) << 40); /* too many bytes to allocate, or even to count */
    bool starved = fuzz_refused();
    FUZZ_CHECK(y ? p.valid : !p.valid || (starved && heed_error_code() == HEED_ERR_NOMEM) || too_large);
    if (!fuzz_outcome(y != NULL)) {
        if (starved)
            expect_values(x, now.shape, now.values);
        return x;
    }
    FUZZ_CHECK(heed_shape_equal(heed_shape_of(y), p.shape));
    FUZZ_CHECK(!p.view || heed_shares_storage(x, y));
    if (heed_numel(y) > MAX_VALUES)
        return x;
    follow(&p, &now, &next);
    now = next;
    expect_values(y, now.shape, now.values);
    return y;
}

/* -- Other ops on tensors of the chain --------------------------------------------------------------------------- */

/* NumPy's rule, from the end of both shapes. */
static bool broadcast(heed_shape a, heed_shape b, heed_shape *out)
{
    out->rank = a.rank > b.rank ? a.rank : b.rank;
    for (int i = 1; i <= out->rank; i++) {
        int64_t m = i <= a.rank ? a.dims[a.rank - i] : 1, n = i <= b.rank ? b.dims[b.rank - i] : 1;
        if (m != n && m != 1 && n != 1)
            return false;
        out->dims[out->rank - i] = m == 1 ? n : m;
    }
    return heed_shape_numel(*out) >= 0;
}

static double value_in(heed_shape at, const model *m)
{
    heed_shape own = {.rank = m->shape.rank};
    for (int i = 0; i < own.rank; i++)
        own.dims[i] = m->shape.dims[i] == 1 ? 0 : at.dims[at.rank - own.rank + i];
    return m->values[index_of(own, m->shape)];
}

/* x + y for a y of any shape, and x summed to that shape if it can be. */
static void check_broadcast(fuzz_input *in, heed_tensor *x)
{
    static model other, sum;
    other.shape = small_shape(in);
    int64_t n = heed_shape_numel(other.shape);
    if (n > MAX_VALUES)
        return;
    for (int64_t i = 0; i < n; i++)
        other.values[i] = (double)(100 * i);
    heed_shape library;
    bool fits = broadcast(now.shape, other.shape, &sum.shape);
    FUZZ_CHECK(heed_shape_broadcast(now.shape, other.shape, &library) == fits);
    FUZZ_CHECK(!fits || heed_shape_equal(library, sum.shape));
    heed_tensor *y = heed_from_values(heed_dtype_of(x), other.shape, other.values, n);
    if (!fuzz_outcome(y != NULL) || heed_dtype_of(x) > HEED_F64)
        return;
    heed_tensor *z = heed_add(x, y);
    FUZZ_CHECK(z ? fits : !fits || fuzz_refused() || heed_shape_numel(sum.shape) > TOO_MANY);
    if (!fuzz_outcome(z != NULL) || heed_numel(z) > MAX_VALUES)
        return;
    for (int64_t i = 0; i < heed_numel(z); i++)
        sum.values[i] = value_in(position_of(i, sum.shape), &now) + value_in(position_of(i, sum.shape), &other);
    expect_values(z, sum.shape, sum.values);
}

static void check_sum(fuzz_input *in, heed_tensor *x)
{
    static model sum;
    heed_shape axes = {.rank = (int)fuzz_pick(in, 0, 3)};
    bool valid = true, reduced[HEED_MAX_RANK] = {false};
    for (int i = 0; i < axes.rank; i++) {
        int64_t axis = axes.dims[i] = fuzz_int(in);
        bool there = axis >= -now.shape.rank && axis < now.shape.rank;
        axis += axis < 0 ? now.shape.rank : 0;
        valid = valid && there && !reduced[axis];
        if (there)
            reduced[axis] = true;
    }
    sum.shape = now.shape;
    for (int i = 0; i < now.shape.rank; i++)
        sum.shape.dims[i] = reduced[i] || axes.rank == 0 ? 1 : now.shape.dims[i];
    int64_t n = heed_shape_numel(sum.shape);
    valid = valid && n >= 0;
    heed_tensor *y = heed_sum_axes(x, axes, true);
    FUZZ_CHECK(y ? valid : !valid || n > TOO_MANY || fuzz_refused());
    if (!fuzz_outcome(y != NULL) || n > MAX_VALUES)
        return;
    memset(sum.values, 0, sizeof sum.values);
    for (int64_t i = 0; i < heed_shape_numel(now.shape); i++) {
        heed_shape at = position_of(i, now.shape);
        for (int axis = 0; axis < at.rank; axis++)
            at.dims[axis] = sum.shape.dims[axis] == 1 ? 0 : at.dims[axis];
        sum.values[index_of(at, sum.shape)] += now.values[i];
    }
    expect_values(y, sum.shape, sum.values);
}

/* dst = src for two views of one storage, as if through a buffer: dst must then have the former elements of src. */
static void check_copy(fuzz_input *in, heed_tensor *x)
{
    heed_scope *quiet = heed_no_grad_begin();
    if (!fuzz_outcome(quiet != NULL))
        return;
    heed_tensor *own = heed_clone(x);
    int64_t axis = fuzz_int(in), start = fuzz_int(in), n = heed_rank(x) ? heed_dim(x, 0) : 0;
    heed_tensor *src = own && n > 1 ? heed_flip(own, HEED_AXES((int)axis & 1 && heed_rank(x) > 1 ? 1 : 0)) : NULL;
    heed_tensor *a = src ? heed_slice(src, 0, 0, n - 1, 1) : NULL, *b = a ? heed_slice(own, 0, 1, HEED_END, 1) : NULL;
    heed_tensor *before = b ? heed_clone(start & 1 ? a : b) : NULL;
    if (!before) {
        heed_error_clear();
    } else if (fuzz_outcome(heed_copy_(start & 1 ? b : a, start & 1 ? a : b) == HEED_OK)) {
        heed_tensor *same = heed_compare(start & 1 ? b : a, HEED_COMPARE_EQ, before);
        for (int64_t i = 0; same && i < heed_numel(same); i++)
            FUZZ_CHECK(heed_data_bool(same)[i]);
        (void)fuzz_outcome(same != NULL);
    }
    FUZZ_CHECK(heed_scope_end(quiet) == HEED_OK);
}

/* -- Gradients -------------------------------------------------------------------------------------------------- */

static void check_gradient(heed_tensor *leaf, heed_shape start, heed_tensor *x)
{
    static double weights[MAX_VALUES], expected[MAX_VALUES + 1];
    memset(expected, 0, sizeof expected);
    for (int64_t i = 0; i < heed_numel(x); i++) {
        weights[i] = (double)(i + 7);
        expected[(int)now.values[i]] += weights[i];
    }
    heed_tensor *g = heed_from_values(HEED_F64, now.shape, weights, heed_numel(x)), *dx = NULL;
    if (!fuzz_outcome(g != NULL))
        return;
    heed_status status = heed_grad(&x, 1, &leaf, 1, &dx, &(heed_grad_options){.grad_outputs = &g});
    FUZZ_CHECK(status == HEED_OK || fuzz_refused());
    if (fuzz_outcome(status == HEED_OK))
        expect_values(dx, start, expected + 1);
}

/* The input has a dtype and a shape, then steps. */
void fuzz_target(fuzz_input in)
{
    heed_dtype dtype = (heed_dtype)fuzz_pick(&in, 0, 2);
    now.shape = small_shape(&in);
    int64_t n = heed_shape_numel(now.shape);
    if (n > 64)
        return;
    for (int64_t i = 0; i < n; i++)
        now.values[i] = (double)(i + 1);
    heed_shape start = now.shape;
    heed_tensor *leaf = heed_from_values(dtype, start, now.values, n);
    if (!fuzz_outcome(leaf != NULL))
        return;
    if (dtype == HEED_F64)
        (void)heed_set_requires_grad(leaf, true);
    heed_tensor *x = leaf;
    for (int i = 0; i < MAX_STEPS && in.size > 0; i++) {
        uint8_t choice = fuzz_byte(&in);
        if (choice >= 240)
            check_sum(&in, x);
        else if (choice >= 224)
            check_broadcast(&in, x);
        else if (choice >= 208)
            check_copy(&in, x);
        else
            x = step(&in, x);
    }
    if (dtype == HEED_F64 && x != leaf)
        check_gradient(leaf, start, x);
}
