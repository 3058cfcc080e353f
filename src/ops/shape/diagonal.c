/* ops/shape/diagonal.c    y[..., i] = x[i, i + offset] for two axes of x; the other axes of y come first.    dx = zeros
 * with g on the diagonal */

#include "ops/support.h"

typedef struct diagonal_params {
    int64_t offset;
    int axis_a, axis_b;
} diagonal_params;

/* The number of elements on the diagonal. */
static int64_t length_of(const heed_shape *shape, const diagonal_params *p)
{
    int64_t rows = shape->dims[p->axis_a], columns = shape->dims[p->axis_b];
    rows += p->offset < 0 ? p->offset : 0;
    columns -= p->offset > 0 ? p->offset : 0;
    int64_t length = rows < columns ? rows : columns;
    return length < 0 ? 0 : length;
}

static bool view(const heed_call *call, heed_layout *out)
{
    const diagonal_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    if (p->axis_a == p->axis_b)
        return heed_fail_false(HEED_ERR_SHAPE, "diagonal", "axis %d of %s is given twice", p->axis_a,
                               heed_shape_text(x->shape).s);
    int64_t length = length_of(&x->shape, p), over = x->strides[p->axis_b], down = x->strides[p->axis_a];
    *out = (heed_layout){.shape = {.rank = 0}};
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (axis != p->axis_a && axis != p->axis_b) {
            out->strides[out->shape.rank] = x->strides[axis];
            out->shape.dims[out->shape.rank++] = x->shape.dims[axis];
        }
    out->strides[out->shape.rank] = down + over;
    out->shape.dims[out->shape.rank++] = length;
    if (length > 0)
        out->offset = p->offset > 0 ? p->offset * over : -p->offset * down;
    return true;
}

/* In the flattened matrix (rows, columns), the diagonal has the indices start, start + (columns + 1), ... */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const diagonal_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0), matrices = {.rank = 0}, order = {.rank = shape.rank};
    int64_t rows = shape.dims[p->axis_a], columns = shape.dims[p->axis_b], start = 0;
    for (int axis = 0; axis < shape.rank; axis++)
        if (axis != p->axis_a && axis != p->axis_b) {
            order.dims[axis] = matrices.rank;
            matrices.dims[matrices.rank++] = shape.dims[axis];
        }
    order.dims[p->axis_a] = matrices.rank;
    matrices.dims[matrices.rank++] = rows;
    order.dims[p->axis_b] = matrices.rank;
    matrices.dims[matrices.rank++] = columns;
    if (length_of(&shape, p) > 0)
        start = p->offset > 0 ? p->offset : -p->offset * columns;
    heed_tensor *flat = heed_unslice(g[0], -1, start, columns + 1, rows * columns);
    dx[0] = heed_permute(heed_reshape(flat, matrices), order);
}

const heed_op heed_op_diagonal = {
    .name = "diagonal",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(diagonal_params),
    .fields = HEED_FIELDS(HEED_FIELD(diagonal_params, offset), HEED_FIELD(diagonal_params, axis_a),
                          HEED_FIELD(diagonal_params, axis_b)),
    .view = view,
    .backward = backward,
};

heed_tensor *heed_diagonal(heed_tensor *x, int64_t offset, int axis_a, int axis_b)
{
    diagonal_params params = {.offset = offset};
    if (!heed__check_tensor("diagonal", x) || (params.axis_a = heed__axis_of("diagonal", axis_a, x->shape.rank)) < 0 ||
        (params.axis_b = heed__axis_of("diagonal", axis_b, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(&heed_op_diagonal, x, &params);
}
