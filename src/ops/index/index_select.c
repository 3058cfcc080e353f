/* ops/index/index_select.c    y[..., j, ...] = x[..., index[j], ...] on one axis.    dx = index_sum(g, index) */

#include "ops/support.h"

#include <string.h>

#include "core/parallel.h"

typedef struct select_params {
    int axis;
} select_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const select_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("index_select", "the indices", index))
        return false;
    if (index->shape.rank != 1)
        return heed_fail_false(HEED_ERR_SHAPE, "index_select", "indices %s for %s: must be of rank 1",
                               heed_shape_text(index->shape).s, heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[params->axis] = index->numel;
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

/* Copies rows index[0] .. index[n - 1] of x, an outer slice, to y. A short row, such as a single element of the last
 * axis, is copied by one load and one store. */
static void copy_slice(const char *x, const int64_t *index, int64_t n, size_t row_bytes, char *y)
{
    if (row_bytes == 1)
        COPY_EACH(1);
    else if (row_bytes == 4)
        COPY_EACH(4);
    else if (row_bytes == 8)
        COPY_EACH(8);
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

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const select_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    heed__axis_split s = heed__split_at(&x->shape, params->axis);
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

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const select_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    dx[0] = heed_index_sum(g[0], params->axis, call->inputs[1], shape.dims[params->axis]);
}

const heed_op heed_op_index_select = {
    .name = "index_select",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(select_params),
    .fields = HEED_FIELDS(HEED_FIELD(select_params, axis)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index)
{
    select_params params;
    if (!heed__check_tensor("index_select", x) ||
        (params.axis = heed__axis_of("index_select", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_index_select, x, index, &params);
}
