/* ops/linear.c    y = x w^T + b: the rows of x, whatever its leading axes, as one matrix. */

#include <inttypes.h>

#include "ops/pair.h"

static bool check(const heed_tensor *x, const heed_tensor *w, const heed_tensor *b)
{
    if (!heed__check_tensor("linear", x) || !heed__check_tensor("linear", w) || !heed__check_pair("linear", x, w) ||
        (b && !heed__check_pair("linear", w, b)))
        return false;
    if (x->shape.rank < 1 || w->shape.rank != 2) {
        heed_fail(HEED_ERR_SHAPE, "linear", "takes x (..., in) and w (out, in), not %s and %s", heed__text(&x->shape).s,
                  heed__text(&w->shape).s);
        return false;
    }
    if (x->shape.dims[x->shape.rank - 1] != w->shape.dims[1]) {
        heed_fail(HEED_ERR_SHAPE, "linear", "x %s has %" PRId64 " features, w %s takes %" PRId64,
                  heed__text(&x->shape).s, x->shape.dims[x->shape.rank - 1], heed__text(&w->shape).s, w->shape.dims[1]);
        return false;
    }
    if (b && (b->shape.rank != 1 || b->shape.dims[0] != w->shape.dims[0])) {
        heed_fail(HEED_ERR_SHAPE, "linear", "the bias has shape %s, w %s", heed__text(&b->shape).s,
                  heed__text(&w->shape).s);
        return false;
    }
    return true;
}

heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b)
{
    if (!check(x, w, b))
        return NULL;
    int64_t in = w->shape.dims[1], out = w->shape.dims[0], rows = 1;
    for (int axis = 0; axis < x->shape.rank - 1; axis++)
        rows *= x->shape.dims[axis];
    heed_shape shape = x->shape;
    shape.dims[shape.rank - 1] = out;

    heed_tensor *y =
        heed_bmm_t(heed_reshape(x, HEED_SHAPE(1, rows, in)), false, heed_reshape(w, HEED_SHAPE(1, out, in)), true);
    y = heed_reshape(y, shape);
    return b ? heed_add(y, b) : y;
}
