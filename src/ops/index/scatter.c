/* ops/index/scatter.c - sums of the elements that indices assign to the same position: scatter_sum, index_sum and
 * bincount; and elements and slices written to indices: scatter and index_copy.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/support.h"

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

typedef struct accumulator {
    heed_tensor *y;
    char *lost; /* the rounding error of every element of y so far; NULL if the sums are short, and for i64 */
} accumulator;

static size_t bytes_of(const heed_tensor *y)
{
    return (size_t)y->numel * heed_dtype_size(y->dtype);
}

/* Sets y to 0 and prepares *sums for adding at most `terms` terms to every element of y. Returns false after
 * heed_fail. */
static bool sums_begin(const char *where, heed_tensor *y, int64_t terms, accumulator *sums)
{
    *sums = (accumulator){.y = y};
    memset(y->data, 0, bytes_of(y));
    if (!heed__is_long(terms) || y->dtype == HEED_I64 || y->numel == 0)
        return true;
    sums->lost = heed__alloc(where, bytes_of(y));
    if (sums->lost)
        memset(sums->lost, 0, bytes_of(y));
    return sums->lost;
}

#define ADD(type)                                                                                                      \
    do {                                                                                                               \
        type *to = (void *)y;                                                                                          \
        const type *from = x;                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[i] += from[i];                                                                                          \
    } while (0)

/* Adds x to n consecutive elements from element `at` on; i64 wraps around. */
static void accumulate_row(const accumulator *sums, int64_t at, int64_t n, const void *x)
{
    const heed_dtype dtype = sums->y->dtype;
    at *= (int64_t)heed_dtype_size(dtype);
    char *y = sums->y->data + at;
    if (sums->lost)
        HEED__RUN(total_add_row, dtype, n, x, y, sums->lost + at);
    else if (dtype == HEED_F32)
        ADD(float);
    else if (dtype == HEED_F64)
        ADD(double);
    else
        ADD(uint64_t);
}

#define ADD_EACH(type)                                                                                                 \
    do {                                                                                                               \
        type *to = (type *)(void *)sums->y->data + from;                                                               \
        const type *terms = x;                                                                                         \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[index[i]] += terms[i];                                                                                  \
    } while (0)

/* Adds element i of x, i = 0 .. n - 1, to element `from` + index[i], in this order. */
static void accumulate_each(const accumulator *sums, int64_t from, const int64_t *index, int64_t n, const void *x)
{
    const heed_dtype dtype = sums->y->dtype;
    if (sums->lost)
        for (int64_t i = 0; i < n; i++)
            accumulate_row(sums, from + index[i], 1, (const char *)x + (size_t)i * heed_dtype_size(dtype));
    else if (dtype == HEED_F32)
        ADD_EACH(float);
    else if (dtype == HEED_F64)
        ADD_EACH(double);
    else
        ADD_EACH(uint64_t);
}

static void sums_end(accumulator *sums)
{
    heed_free(sums->lost, sums->lost ? bytes_of(sums->y) : 0);
}

/* -- scatter_sum --------------------------------------------------------------------------------------------------- */

/* y = zeros; y[index[i, j], j] += src[i, j] for axis 0, and so on.    dsrc = gather(g, index) */

typedef struct scatter_params {
    int axis;
    heed_shape shape;
} scatter_params;

static bool scatter_sum_infer(const heed_call *call, heed_meta *out)
{
    const scatter_params *params = call->params;
    const heed_tensor *src = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("scatter_sum", "the indices", index) ||
        !heed__check_index_shape("scatter_sum", &index->shape, &params->shape, params->axis))
        return false;
    if (!heed__check_number_dtype("scatter_sum", src))
        return false;
    if (!heed_shape_equal(src->shape, index->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "scatter_sum", "indices %s for %s: must have the same shape",
                               heed_shape_text(index->shape).s, heed_shape_text(src->shape).s);
    out->dtype = src->dtype;
    out->shape = params->shape;
    return true;
}

static bool scatter_sum_forward(const heed_call *call, heed_tensor *const *out)
{
    const scatter_params *params = call->params;
    const heed_tensor *src = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("scatter_sum", index, params->shape.dims[params->axis]))
        return false;
    size_t size = heed_dtype_size(src->dtype);
    const int64_t *values = (const void *)index->data;
    const char *x = src->data;
    heed__positions positions = heed__positions_in(&index->shape, out[0], params->axis);
    accumulator sums;
    if (!sums_begin("scatter_sum", out[0], index->shape.dims[params->axis], &sums))
        return false;
    for (int64_t i = 0; i < index->numel; i++, x += size, heed__positions_next(&positions)) {
        int64_t to = positions.offset + values[i] * out[0]->strides[params->axis];
        accumulate_row(&sums, to, 1, x);
    }
    sums_end(&sums);
    return true;
}

static void scatter_sum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const scatter_params *params = call->params;
    dx[0] = heed_gather(g[0], params->axis, call->inputs[1]);
}

const heed_op heed_op_scatter_sum = {
    .name = "scatter_sum",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(scatter_params),
    .fields = HEED_FIELDS(HEED_FIELD(scatter_params, axis), HEED_FIELD(scatter_params, shape)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = scatter_sum_infer,
    .forward = scatter_sum_forward,
    .backward = scatter_sum_backward,
};

heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape)
{
    scatter_params params = {.shape = shape};
    if (!heed__check_tensor("scatter_sum", src) || !heed__check_shape("scatter_sum", &shape) ||
        (params.axis = heed__axis_of("scatter_sum", axis, shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_scatter_sum, src, index, &params);
}

/* -- index_sum ----------------------------------------------------------------------------------------------------- */

/* y = zeros; y[..., index[j], ...] += x[..., j, ...] on one axis.
 *
 *     dx = index_select(g, index) */

typedef struct add_params {
    int axis;
    int64_t size;
} add_params;

static bool index_sum_infer(const heed_call *call, heed_meta *out)
{
    const add_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("index_sum", "the indices", index) || !heed__check_number_dtype("index_sum", x))
        return false;
    if (index->shape.rank != 1 || index->numel != x->shape.dims[params->axis])
        return heed_fail_false(HEED_ERR_SHAPE, "index_sum",
                               "indices %s for axis %d of %s: must be one index per element",
                               heed_shape_text(index->shape).s, params->axis, heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[params->axis] = params->size;
    return heed__check_shape("index_sum", &out->shape);
}

typedef struct addition {
    const heed_tensor *x;
    const int64_t *index;
    accumulator sums;
    heed__axis_split split; /* of x */
    int64_t size;           /* size of y's axis */
} addition;

/* Adds in the order of the index, so that sums do not depend on the number of threads. */
static void add_slices(int64_t begin, int64_t end, void *context)
{
    const addition *c = context;
    int64_t row_bytes = c->split.inner * (int64_t)heed_dtype_size(c->x->dtype);
    const char *x = c->x->data + begin * c->split.size * row_bytes;
    for (int64_t o = begin; o < end; o++)
        if (c->split.inner == 1) {
            accumulate_each(&c->sums, o * c->size, c->index, c->split.size, x);
            x += c->split.size * row_bytes;
        } else {
            for (int64_t j = 0; j < c->split.size; j++, x += row_bytes)
                accumulate_row(&c->sums, (o * c->size + c->index[j]) * c->split.inner, c->split.inner, x);
        }
}

/* Returns HEED_LONG_SUM + 1 if an index occurs more than HEED_LONG_SUM times, else 0. Returns -1 after heed_fail. */
static int64_t most_terms(const heed_tensor *index, int64_t size)
{
    const int64_t *values = (const void *)index->data;
    int64_t most = 0;
    if (!heed__is_long(index->numel))
        return 0;
    size_t bytes = (size_t)size * sizeof(uint16_t);
    uint16_t *counts = heed__alloc("index_sum", bytes);
    if (!counts)
        return -1;
    memset(counts, 0, bytes);
    for (int64_t i = 0; i < index->numel && most == 0; i++)
        most = ++counts[values[i]] > HEED_LONG_SUM ? HEED_LONG_SUM + 1 : 0;
    heed_free(counts, bytes);
    return most;
}

static bool index_sum_forward(const heed_call *call, heed_tensor *const *out)
{
    const add_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("index_sum", index, params->size))
        return false;
    const int64_t terms = x->numel > 0 && x->dtype != HEED_I64 ? most_terms(index, params->size) : 0;
    addition c = {.x = x, .index = (const void *)index->data, .size = params->size};
    if (terms < 0 || !sums_begin("index_sum", out[0], terms, &c.sums))
        return false;
    if (x->numel == 0)
        return true;
    c.split = heed__split_at(&x->shape, params->axis);
    int64_t cost = c.split.size * c.split.inner;
    heed__parallel_for(c.split.outer, 1 + 4096 / cost, cost, add_slices, &c);
    sums_end(&c.sums);
    return true;
}

static void index_sum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const add_params *params = call->params;
    dx[0] = heed_index_select(g[0], params->axis, call->inputs[1]);
}

const heed_op heed_op_index_sum = {
    .name = "index_sum",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(add_params),
    .fields = HEED_FIELDS(HEED_FIELD(add_params, axis), HEED_FIELD(add_params, size)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = index_sum_infer,
    .forward = index_sum_forward,
    .backward = index_sum_backward,
};

heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size)
{
    add_params params = {.size = size};
    if (!heed__check_tensor("index_sum", x) || (params.axis = heed__axis_of("index_sum", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_index_sum, x, index, &params);
}

/* -- bincount ------------------------------------------------------------------------------------------------------ */

/* y[v] = the number of elements v in x, or the sum of their weights.    dweights = g at x */
static bool check_bincount(const heed_tensor *x, const heed_tensor *weights, int64_t min_length)
{
    if (!heed__check_tensor("bincount", x) || (weights && !heed__check_tensor("bincount", weights)) ||
        !heed__check_i64("bincount", "the indices", x))
        return false;
    if (x->shape.rank != 1 || (weights && !heed__same_shape(&x->shape, &weights->shape)))
        return heed_fail_false(HEED_ERR_SHAPE, "bincount", "x %s, weights %s: must have the same shape, of rank 1",
                               heed_shape_text(x->shape).s, heed_shape_text(weights ? weights->shape : x->shape).s);
    if (min_length < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "bincount", "min_length is %" PRId64 ": must be at least 0",
                               min_length);
    return true;
}

/* The number of bins: one more than the largest element, but at least min_length. Negative elements are found later. */
static int64_t count_bins(const heed_tensor *x, int64_t min_length)
{
    const int64_t *values = (const void *)x->data;
    int64_t most = min_length - 1;
    for (int64_t i = 0; i < x->numel; i++)
        most = values[i] > most ? values[i] : most;
    return most == INT64_MAX ? most : most + 1;
}

heed_tensor *heed_bincount(heed_tensor *x, heed_tensor *weights, int64_t min_length)
{
    HEED_ENTER("bincount");
    if (!check_bincount(x, weights, min_length))
        return NULL;
    x = heed_contiguous(x);
    if (!x)
        return NULL;
    if (!weights)
        weights = heed_expand(heed_ones(HEED_I64, HEED_SCALAR), x->shape);
    return heed_index_sum(weights, 0, x, count_bins(x, min_length));
}

/* -- scatter and index_copy ---------------------------------------------------------------------------------------- */

/* Both select from x and src, joined: a list `from` says for every element or slice of y where it comes from. Thus the
 * gradient of an element of src that a later one replaces is 0. */

/* Checks the four arguments of scatter and index_copy but the shapes. Returns false after heed_fail. */
static bool check_written(const char *where, const heed_tensor *x, int *axis, const heed_tensor *index,
                          const heed_tensor *src)
{
    if (!heed__check_tensor(where, x) || !heed__check_tensor(where, index) || !heed__check_tensor(where, src) ||
        (*axis = heed__axis_of(where, *axis, x->shape.rank)) < 0 || !heed__check_i64(where, "the indices", index))
        return false;
    return x->dtype == src->dtype ||
           heed_fail_false(HEED_ERR_DTYPE, where, "x is %s, src is %s: must have the same dtype",
                           heed_dtype_name(x->dtype), heed_dtype_name(src->dtype));
}

/* y = x, but y[index[i, j], j] = src[i, j] for axis 0, and so on.    dx = g, 0 where replaced; dsrc = g where it is */
static heed_tensor *scatter_into(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src)
{
    heed_tensor *from = heed_reshape(heed_arange(HEED_I64, 0, (double)x->numel, 1), x->shape);
    index = heed_contiguous(index);
    if (!from || !index || !heed__check_indices("scatter", index, x->shape.dims[axis]))
        return NULL;
    const int64_t *values = (const void *)index->data;
    int64_t *origins = (void *)from->data;
    heed__positions positions = heed__positions_in(&index->shape, from, axis);
    for (int64_t i = 0; i < index->numel; i++, heed__positions_next(&positions))
        origins[positions.offset + values[i] * from->strides[axis]] = x->numel + i;
    heed_tensor *both =
        heed_concat(HEED_TENSORS(heed_reshape(x, HEED_SHAPE(-1)), heed_reshape(src, HEED_SHAPE(-1))), 0);
    return heed_reshape(heed_index_select(both, 0, heed_reshape(from, HEED_SHAPE(-1))), x->shape);
}

heed_tensor *heed_scatter(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src)
{
    HEED_ENTER("scatter");
    if (!check_written("scatter", x, &axis, index, src) ||
        !heed__check_index_shape("scatter", &index->shape, &x->shape, axis))
        return NULL;
    if (!heed_shape_equal(src->shape, index->shape))
        return heed_fail_null(HEED_ERR_SHAPE, "scatter", "indices %s for src %s: must have the same shape",
                              heed_shape_text(index->shape).s, heed_shape_text(src->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, scatter_into(x, axis, index, src)) : NULL;
}

/* y = x, but y[..., index[j], ...] = src[..., j, ...] on one axis.    dx = g, 0 where replaced; dsrc = g where it is */
static heed_tensor *copy_slices(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src)
{
    const int64_t size = x->shape.dims[axis];
    heed_tensor *from = heed_arange(HEED_I64, 0, (double)size, 1);
    index = heed_contiguous(index);
    if (!from || !index || !heed__check_indices("index_copy", index, size))
        return NULL;
    const int64_t *values = (const void *)index->data;
    int64_t *origins = (void *)from->data;
    for (int64_t j = 0; j < index->numel; j++)
        origins[values[j]] = size + j;
    return heed_index_select(heed_concat(HEED_TENSORS(x, src), axis), axis, from);
}

heed_tensor *heed_index_copy(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src)
{
    HEED_ENTER("index_copy");
    if (!check_written("index_copy", x, &axis, index, src))
        return NULL;
    heed_shape shape = x->shape;
    shape.dims[axis] = index->numel;
    if (index->shape.rank != 1 || !heed_shape_equal(src->shape, shape))
        return heed_fail_null(HEED_ERR_SHAPE, "index_copy", "indices %s and src %s do not fit axis %d of %s",
                              heed_shape_text(index->shape).s, heed_shape_text(src->shape).s, axis,
                              heed_shape_text(x->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, copy_slices(x, axis, index, src)) : NULL;
}
