/* ops/index/gather.c - elements and rows at indices, elements that a mask selects, and the reverse for indices of
 * classes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "core/parallel.h"
#include "ops/support.h"

/* -- gather -------------------------------------------------------------------------------------------------------- */

/* y[i, j] = x[index[i, j], j] for axis 0, and so on.    dx = scatter_sum(g, index) */

static bool gather_infer(const heed_call *call, heed_meta *out)
{
    const int axis = *(const int *)call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("gather", "the indices", index) ||
        !heed__check_index_shape("gather", &index->shape, &x->shape, axis))
        return false;
    out->dtype = x->dtype;
    out->shape = index->shape;
    return true;
}

static bool gather_forward(const heed_call *call, heed_tensor *const *out)
{
    const int axis = *(const int *)call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("gather", index, x->shape.dims[axis]))
        return false;
    size_t size = heed_dtype_size(x->dtype);
    const int64_t *values = (const void *)index->data;
    char *y = out[0]->data;
    heed__positions positions = heed__positions_in(&index->shape, x, axis);
    for (int64_t i = 0; i < index->numel; i++, y += size, heed__positions_next(&positions)) {
        int64_t from = positions.offset + values[i] * x->strides[axis];
        memcpy(y, x->data + from * (int64_t)size, size);
    }
    return true;
}

static void gather_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    dx[0] = heed_scatter_sum(g[0], axis, call->inputs[1], heed_call_shape(call, 0));
}

const heed_op heed_op_gather = {
    .name = "gather",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(int),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int, "axis")),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = gather_infer,
    .forward = gather_forward,
    .backward = gather_backward,
};

heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index)
{
    if (!heed__check_tensor("gather", x) || (axis = heed__axis_of("gather", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_gather, x, index, &axis);
}

/* -- index_select -------------------------------------------------------------------------------------------------- */

/* y[..., j, ...] = x[..., index[j], ...] on one axis.    dx = index_sum(g, index) */

static bool index_select_infer(const heed_call *call, heed_meta *out)
{
    const int axis = *(const int *)call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("index_select", "the indices", index))
        return false;
    if (index->shape.rank != 1)
        return heed_fail_false(HEED_ERR_SHAPE, "index_select", "indices %s for %s: must be of rank 1",
                               heed_shape_text(index->shape).s, heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[axis] = index->numel;
    return heed__check_shape("index_select", &out->shape);
}

typedef struct selection {
    const char *x;
    const int64_t *index;
    char *y;
    int64_t rows, count; /* numbers of rows of x and of indices, per outer slice */
    size_t row_bytes;
} selection;

#define COPY_EACH(bytes)                                                                                               \
    for (int64_t i = 0; i < n; i++)                                                                                    \
    memcpy(y + (size_t)i * (bytes), x + (size_t)index[i] * (bytes), bytes)

/* Whether the indices are consecutive numbers, as in the batches of a loader without shuffle. */
static bool is_range(const int64_t *index, int64_t n)
{
    int64_t i = 1;
    while (i < n && index[i] == index[0] + i)
        i++;
    return i == n;
}

/* Copies rows index[0] .. index[n - 1] of x, an outer slice, to y. A short row, such as a single element of the last
 * axis, is copied by one load and one store. */
static void copy_slice(const char *x, const int64_t *index, int64_t n, size_t row_bytes, char *y)
{
    if (is_range(index, n))
        memcpy(y, x + (size_t)index[0] * row_bytes, (size_t)n * row_bytes);
    else if (row_bytes == 1)
        COPY_EACH(1);
    else if (row_bytes == 4)
        COPY_EACH(4);
    else if (row_bytes == 8)
        COPY_EACH(8);
    else if (row_bytes == 16)
        COPY_EACH(16);
    else
        COPY_EACH(row_bytes);
}

static void copy_rows(int64_t begin, int64_t end, void *context)
{
    const selection *c = context;
    for (int64_t n; begin < end; begin += n) {
        int64_t slice = begin / c->count, at = begin % c->count;
        n = c->count - at < end - begin ? c->count - at : end - begin;
        copy_slice(c->x + (size_t)(slice * c->rows) * c->row_bytes, c->index + at, n, c->row_bytes,
                   c->y + (size_t)begin * c->row_bytes);
    }
}

static bool index_select_forward(const heed_call *call, heed_tensor *const *out)
{
    const int axis = *(const int *)call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    heed__axis_split s = heed__split_at(&x->shape, axis);
    if (!heed__check_indices("index_select", index, s.size))
        return false;
    if (out[0]->numel == 0)
        return true;
    selection c = {.x = x->data,
                   .index = (const void *)index->data,
                   .y = out[0]->data,
                   .rows = s.size,
                   .count = index->numel,
                   .row_bytes = (size_t)s.inner * heed_dtype_size(x->dtype)};
    heed__parallel_for(s.outer * index->numel, 1 + 4096 / s.inner, s.inner, copy_rows, &c);
    return true;
}

static void index_select_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    heed_shape shape = heed_call_shape(call, 0);
    dx[0] = heed_index_sum(g[0], axis, call->inputs[1], shape.dims[axis]);
}

const heed_op heed_op_index_select = {
    .name = "index_select",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(int),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int, "axis")),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = index_select_infer,
    .forward = index_select_forward,
    .backward = index_select_backward,
};

heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index)
{
    if (!heed__check_tensor("index_select", x) || (axis = heed__axis_of("index_select", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_index_select, x, index, &axis);
}

/* y = rows of weight (V, d) at indices (...): (..., d).    dweight = index_sum(g, indices) */
static bool embedding_check_shapes(const char *where, const heed_tensor *indices, const heed_tensor *weight)
{
    if (!heed__check_i64(where, "the indices", indices))
        return false;
    if (weight->shape.rank != 2 || indices->shape.rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "indices are %s, weight is %s: must be of rank at most %d and of rank 2",
                               heed_shape_text(indices->shape).s, heed_shape_text(weight->shape).s, HEED_MAX_RANK - 1);
    return true;
}

heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight)
{
    HEED_ENTER("embedding");
    if (!heed__check_tensor("embedding", indices) || !heed__check_tensor("embedding", weight) ||
        !embedding_check_shapes("embedding", indices, weight))
        return NULL;
    heed_shape shape = indices->shape;
    shape.dims[shape.rank++] = weight->shape.dims[1];
    indices = heed_contiguous(indices);
    if (!indices || !heed__check_shape("embedding", &shape) ||
        !heed__check_indices("embedding", indices, weight->shape.dims[0]))
        return NULL;
    heed_tensor *list = heed_reshape(indices, HEED_SHAPE(indices->numel));
    return heed_reshape(heed_index_select(weight, 0, list), shape);
}

/* The looked up vectors, but without a gradient where the index is the row. */
static heed_tensor *embedding_without_row(heed_tensor *indices, heed_tensor *weight, int64_t row)
{
    heed_tensor *y = heed_embedding(indices, weight);
    heed_tensor *is_row = heed_compare(indices, HEED_COMPARE_EQ, heed_from_array(HEED_I64, HEED_SCALAR, &row, 1));
    return heed_where(heed_unsqueeze(is_row, -1), heed_detach(y), y);
}

heed_tensor *heed_embedding_padded(heed_tensor *indices, heed_tensor *weight, int64_t padding_idx)
{
    static const char where[] = "embedding_padded";
    HEED_ENTER(where);
    if (!heed__check_tensor(where, indices) || !heed__check_tensor(where, weight) ||
        !embedding_check_shapes(where, indices, weight))
        return NULL;
    const int64_t count = weight->shape.dims[0], row = padding_idx < 0 ? padding_idx + count : padding_idx;
    if (row < 0 || row >= count)
        return heed_fail_null(HEED_ERR_INDEX, where, "padding_idx is %" PRId64 ": must be a row of weight %s",
                              padding_idx, heed_shape_text(weight->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, embedding_without_row(indices, weight, row)) : NULL;
}

/* -- nonzero and masked_select ------------------------------------------------------------------------------------- */

/* y[i] = the position of nonzero element i, in row-major order.    No gradient */

/* The positions (m, rank) of the true elements of a contiguous mask. */
static heed_tensor *true_positions(const heed_tensor *mask)
{
    const heed_shape *shape = &mask->shape;
    const bool *selected = (const void *)mask->data;
    int64_t count = 0;
    for (int64_t i = 0; i < mask->numel; i++)
        count += selected[i];
    heed_tensor *y = heed_empty(HEED_I64, HEED_SHAPE(count, shape->rank));
    int64_t *next = y ? (void *)y->data : NULL;
    for (int64_t i = 0; y && i < mask->numel; i++) {
        if (!selected[i])
            continue;
        int64_t rest = i;
        for (int axis = shape->rank - 1; axis >= 0; axis--) {
            next[axis] = rest % shape->dims[axis];
            rest /= shape->dims[axis];
        }
        next += shape->rank;
    }
    return y;
}

heed_tensor *heed_nonzero(heed_tensor *x)
{
    HEED_ENTER("nonzero");
    heed_scope *scope = heed__check_tensor("nonzero", x) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *mask = x->dtype == HEED_BOOL ? heed_contiguous(x) : heed_compare_scalar(x, HEED_COMPARE_NE, 0);
    return heed_scope_return(scope, mask ? true_positions(mask) : NULL);
}

/* y = the elements of x where the mask is true, in row-major order.    dx = g at these elements, else 0 */
heed_tensor *heed_masked_select(heed_tensor *x, heed_tensor *mask)
{
    HEED_ENTER("masked_select");
    heed_shape shape;
    if (!heed__check_tensor("masked_select", x) || !heed__check_tensor("masked_select", mask))
        return NULL;
    if (mask->dtype != HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, "masked_select", "the mask is %s: must be bool",
                              heed_dtype_name(mask->dtype));
    heed_scope *scope = heed__check_broadcast("masked_select", x, mask, &shape) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    heed_tensor *selected = heed_nonzero(heed_reshape(heed_expand(mask, shape), HEED_SHAPE(-1)));
    heed_tensor *elements = heed_reshape(heed_expand(x, shape), HEED_SHAPE(-1));
    return heed_scope_return(scope, heed_index_select(elements, 0, heed_reshape(selected, HEED_SHAPE(-1))));
}

/* -- one_hot ------------------------------------------------------------------------------------------------------- */

/* y[..., c] = 1 if index[...] = c, else 0.    No gradient */

typedef struct one_hot_params {
    int64_t classes;
    heed_dtype dtype;
} one_hot_params;

static bool one_hot_infer(const heed_call *call, heed_meta *out)
{
    const one_hot_params *params = call->params;
    const heed_tensor *indices = call->inputs[0];
    if (!heed__check_i64("one_hot", "the indices", indices))
        return false;
    if (indices->shape.rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "one_hot", "%s already has the maximum rank",
                               heed_shape_text(indices->shape).s);
    out->dtype = params->dtype;
    out->shape = indices->shape;
    out->shape.dims[out->shape.rank++] = params->classes;
    return heed__check_shape("one_hot", &out->shape);
}

#define SET_ONES(type)                                                                                                 \
    do {                                                                                                               \
        type *y = (void *)out[0]->data;                                                                                \
        for (int64_t i = 0; i < indices->numel; i++, y += params->classes)                                             \
            y[values[i]] = 1;                                                                                          \
    } while (0)

static bool one_hot_forward(const heed_call *call, heed_tensor *const *out)
{
    const one_hot_params *params = call->params;
    const heed_tensor *indices = call->inputs[0];
    const int64_t *values = (const void *)indices->data;
    if (!heed__check_indices("one_hot", indices, params->classes))
        return false;
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(params->dtype));
    if (params->dtype == HEED_F32)
        SET_ONES(float);
    else if (params->dtype == HEED_F64)
        SET_ONES(double);
    else if (params->dtype == HEED_I64)
        SET_ONES(int64_t);
    else
        SET_ONES(bool);
    return true;
}

const heed_op heed_op_one_hot = {
    .name = "one_hot",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(one_hot_params),
    .fields = HEED_FIELDS(HEED_FIELD(one_hot_params, classes), HEED_FIELD(one_hot_params, dtype)),
    .contiguous = true,
    .infer = one_hot_infer,
    .forward = one_hot_forward,
};

heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype)
{
    if (!heed__check_dtype("one_hot", dtype))
        return NULL;
    if (classes < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "one_hot", "classes is %" PRId64 ": must be at least 0", classes);
    return heed__apply1(&heed_op_one_hot, indices, &(one_hot_params){.classes = classes, .dtype = dtype});
}
