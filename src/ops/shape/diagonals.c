/* ops/shape/diagonals.c - diagonals and triangles of matrices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "core/parallel.h"
#include "ops/support.h"

/* -- diagonal ------------------------------------------------------------------------------------------------------ */

/* y[..., i] = x[i, i + offset] for two axes of x; the other axes of y come first.    dx = zeros with g on the
 * diagonal */

typedef struct diagonal_params {
    int64_t offset;
    int axis_a, axis_b;
} diagonal_params;

/* The number of elements on the diagonal. */
static int64_t diagonal_length(const heed_shape *shape, const diagonal_params *p)
{
    int64_t rows = shape->dims[p->axis_a], columns = shape->dims[p->axis_b];
    rows += p->offset < 0 ? p->offset : 0;
    columns -= p->offset > 0 ? p->offset : 0;
    int64_t length = rows < columns ? rows : columns;
    return length < 0 ? 0 : length;
}

static bool diagonal_view(const heed_call *call, heed_layout *out)
{
    const diagonal_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    if (p->axis_a == p->axis_b)
        return heed_fail_false(HEED_ERR_SHAPE, "diagonal", "axis %d of %s is given twice", p->axis_a,
                               heed_shape_text(x->shape).s);
    int64_t length = diagonal_length(&x->shape, p), over = x->strides[p->axis_b], down = x->strides[p->axis_a];
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
static void diagonal_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    if (diagonal_length(&shape, p) > 0)
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
    .view = diagonal_view,
    .backward = diagonal_backward,
};

heed_tensor *heed_diagonal(heed_tensor *x, int64_t offset, int axis_a, int axis_b)
{
    diagonal_params params = {.offset = offset};
    if (!heed__check_tensor("diagonal", x) || (params.axis_a = heed__axis_of("diagonal", axis_a, x->shape.rank)) < 0 ||
        (params.axis_b = heed__axis_of("diagonal", axis_b, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(&heed_op_diagonal, x, &params);
}

/* y = a matrix with x (n) on a diagonal and 0 elsewhere; or a diagonal of a matrix x. */

/* In the flattened matrix (size, size), the elements of the diagonal have the indices start, start + (size + 1), ... */
static heed_tensor *diagonal_matrix(heed_tensor *x, int64_t offset)
{
    int64_t n = x->numel, size;
    if (offset < 0 ? __builtin_sub_overflow(n, offset, &size) : __builtin_add_overflow(n, offset, &size))
        return heed_fail_null(HEED_ERR_SHAPE, "diag", "offset is %" PRId64 ": the matrix would be too large", offset);
    heed_shape shape = HEED_SHAPE(size, size);
    if (!heed__check_shape("diag", &shape))
        return NULL;
    int64_t start = offset < 0 ? -offset * size : offset;
    return heed_reshape(heed_unslice(x, 0, start, size + 1, size * size), shape);
}

heed_tensor *heed_diag(heed_tensor *x, int64_t offset)
{
    HEED_ENTER("diag");
    if (!heed__check_tensor("diag", x))
        return NULL;
    if (x->shape.rank != 1 && x->shape.rank != 2)
        return heed_fail_null(HEED_ERR_SHAPE, "diag", "%s is neither a vector nor a matrix",
                              heed_shape_text(x->shape).s);
    return x->shape.rank == 1 ? diagonal_matrix(x, offset) : heed_diagonal(x, offset, 0, 1);
}

/* -- Triangles: a range of every row is copied and the rest set to 0 ----------------------------------------------- */

static bool triangle_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    if (x->shape.rank < 2)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x is %s: must have at least 2 axes",
                               heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = x->shape;
    return true;
}

typedef struct triangles {
    const char *x;
    char *y;
    int64_t rows, columns, diagonal;
    size_t size; /* bytes per element */
    bool upper;
} triangles;

static int64_t clip_between(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

static void copy_triangle_rows(int64_t begin, int64_t end, void *context)
{
    const triangles *t = context;
    for (int64_t row = begin; row < end; row++) {
        int64_t on = row % t->rows + t->diagonal; /* the column of the diagonal in this row */
        size_t from = t->upper ? (size_t)clip_between(on, 0, t->columns) * t->size : 0;
        size_t to = (size_t)(t->upper ? t->columns : clip_between(on + 1, 0, t->columns)) * t->size;
        size_t bytes = (size_t)t->columns * t->size;
        char *y = t->y + (size_t)row * bytes;
        memset(y, 0, from);
        memcpy(y + from, t->x + (size_t)row * bytes + from, to - from);
        memset(y + to, 0, bytes - to);
    }
}

static bool triangle_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    const int64_t *dims = x->shape.dims + x->shape.rank - 2;
    if (x->numel == 0)
        return true;
    triangles t = {.x = x->data,
                   .y = out[0]->data,
                   .rows = dims[0],
                   .columns = dims[1],
                   .diagonal = clip_between(*(const int64_t *)call->params, -dims[0], dims[1]),
                   .size = heed_dtype_size(x->dtype),
                   .upper = *(const bool *)call->op->data};
    heed__parallel_for(x->numel / dims[1], 1 + 4096 / dims[1], dims[1], copy_triangle_rows, &t);
    return true;
}

static void triangle_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__apply1(call->op, g[0], call->params);
}

/* The parameter is the number of a diagonal, counted as in PyTorch: diagonal j - i contains element (i, j). The kept
 * side includes the diagonal. */
#define TRIANGLE(name_, is_upper)                                                                                      \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(int64_t), .contiguous = true,                \
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int64_t, "diagonal")), .data = &(const bool){is_upper},                     \
    .infer = triangle_infer, .forward = triangle_forward, .backward = triangle_backward

/* y[..., i, j] = x[..., i, j] if j - i <= diagonal, else 0.    dx = tril(g) */
const heed_op heed_op_tril = {TRIANGLE("tril", false)};

heed_tensor *heed_tril(heed_tensor *x, int64_t diagonal)
{
    return heed__apply1(&heed_op_tril, x, &diagonal);
}

/* y[..., i, j] = x[..., i, j] if j - i >= diagonal, else 0.    dx = triu(g) */
const heed_op heed_op_triu = {TRIANGLE("triu", true)};

heed_tensor *heed_triu(heed_tensor *x, int64_t diagonal)
{
    return heed__apply1(&heed_op_triu, x, &diagonal);
}
