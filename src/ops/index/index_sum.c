/* ops/index/index_sum.c    y = zeros; y[..., index[j], ...] += x[..., j, ...] on one axis.
 *
 *     dx = index_select(g, index) */

#include "ops/index/accumulate.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"

typedef struct add_params {
    int axis;
    int64_t size;
} add_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const add_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("index_sum", "the indices", index))
        return false;
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "index_sum", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
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
    heed__accumulator sums;
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
            heed__accumulate_each(&c->sums, o * c->size, c->index, c->split.size, x);
            x += c->split.size * row_bytes;
        } else {
            for (int64_t j = 0; j < c->split.size; j++, x += row_bytes)
                heed__accumulate(&c->sums, (o * c->size + c->index[j]) * c->split.inner, c->split.inner, x);
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

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const add_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("index_sum", index, params->size))
        return false;
    const int64_t terms = x->numel > 0 && x->dtype != HEED_I64 ? most_terms(index, params->size) : 0;
    addition c = {.x = x, .index = (const void *)index->data, .size = params->size};
    if (terms < 0 || !heed__accumulate_begin("index_sum", out[0], terms, &c.sums))
        return false;
    if (x->numel == 0)
        return true;
    c.split = heed__split_at(&x->shape, params->axis);
    int64_t cost = c.split.size * c.split.inner;
    heed__parallel_for(c.split.outer, 1 + 4096 / cost, cost, add_slices, &c);
    heed__accumulate_end(&c.sums);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size)
{
    add_params params = {.size = size};
    if (!heed__check_tensor("index_sum", x) || (params.axis = heed__axis_of("index_sum", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_index_sum, x, index, &params);
}
