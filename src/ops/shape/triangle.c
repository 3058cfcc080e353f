/* ops/shape/triangle.c - triangles of matrices: copies a range of every row and sets the rest to 0. See triangle.h. */

#include "ops/shape/triangle.h"

#include <string.h>

#include "core/parallel.h"

const heed__triangle_side heed__lower = HEED__LOWER, heed__upper = HEED__UPPER;

bool heed__infer_triangle(const heed_call *call, heed_meta *out)
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

static int64_t clip(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

static void copy_rows(int64_t begin, int64_t end, void *context)
{
    const triangles *t = context;
    for (int64_t row = begin; row < end; row++) {
        int64_t on = row % t->rows + t->diagonal; /* the column of the diagonal in this row */
        size_t from = t->upper ? (size_t)clip(on, 0, t->columns) * t->size : 0;
        size_t to = (size_t)(t->upper ? t->columns : clip(on + 1, 0, t->columns)) * t->size;
        size_t bytes = (size_t)t->columns * t->size;
        char *y = t->y + (size_t)row * bytes;
        memset(y, 0, from);
        memcpy(y + from, t->x + (size_t)row * bytes + from, to - from);
        memset(y + to, 0, bytes - to);
    }
}

bool heed__triangle(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    const int64_t *dims = x->shape.dims + x->shape.rank - 2;
    if (x->numel == 0)
        return true;
    triangles t = {.x = x->data,
                   .y = out[0]->data,
                   .rows = dims[0],
                   .columns = dims[1],
                   .diagonal = clip(*(const int64_t *)call->params, -dims[0], dims[1]),
                   .size = heed_dtype_size(x->dtype),
                   .upper = *(const heed__triangle_side *)call->op->data == HEED__UPPER};
    heed__parallel_for(x->numel / dims[1], 1 + 4096 / dims[1], dims[1], copy_rows, &t);
    return true;
}

void heed__triangle_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__apply1(call->op, g[0], call->params);
}
