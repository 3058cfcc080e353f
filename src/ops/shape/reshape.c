/* ops/shape/reshape.c    y = x's elements in row-major order, in a different shape.    dx = g in x's shape */

#include "ops/support.h"

#include <inttypes.h>

/* Merged axes: `size` elements, `stride` apart. */
typedef struct span {
    int64_t size, stride;
} span;

/* Writes x's axes without axes of size 1, and merges adjacent axes whose strides allow it. Returns the number of
 * spans. */
static int spans_of(const heed_tensor *x, span *spans)
{
    int n = 0;
    for (int axis = 0; axis < x->shape.rank; axis++) {
        int64_t dim = x->shape.dims[axis], stride = x->strides[axis];
        if (dim == 1)
            continue;
        if (n > 0 && spans[n - 1].stride == dim * stride)
            spans[n - 1] = (span){spans[n - 1].size * dim, stride};
        else
            spans[n++] = (span){dim, stride};
    }
    return n;
}

static void row_major_strides(const heed_shape *shape, int64_t *strides)
{
    int64_t stride = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= shape->dims[axis] > 1 ? shape->dims[axis] : 1;
    }
}

/* Computes strides that view x in place as `shape`, which has the same number of elements. Returns false if there are
 * no such strides. The new axes, from the last to the first, are split off the end of the last remaining span of x. An
 * axis must not extend beyond the beginning of its span. */
static bool view_strides(const heed_tensor *x, const heed_shape *shape, int64_t *strides)
{
    if (x->numel == 0) {
        row_major_strides(shape, strides);
        return true;
    }
    span spans[HEED_MAX_RANK];
    int n = spans_of(x, spans);
    span remaining = {1, 1};
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        int64_t dim = shape->dims[axis];
        if (dim > 1 && remaining.size == 1)
            remaining = spans[--n];
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): numel is equal, so n was > 0 */
        if (remaining.size % dim != 0)
            return false;
        strides[axis] = remaining.stride;
        remaining.size /= dim;
        remaining.stride *= dim;
    }
    return true;
}

static bool view(const heed_call *call, heed_layout *out)
{
    out->shape = *(const heed_shape *)call->params;
    out->offset = 0;
    return view_strides(call->inputs[0], &out->shape, out->strides);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_reshape(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_reshape = {
    .name = "reshape",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .view = view,
    .backward = backward,
};

/* Sets *known to the product of the sizes in `shape` except a size -1, and *unknown to the axis of size -1, or to -1 if
 * all sizes are given. Returns false after heed_fail. */
static bool count_known(const heed_shape *shape, int64_t *known, int *unknown)
{
    *known = 1;
    *unknown = -1;
    if (shape->rank < 0 || shape->rank > HEED_MAX_RANK)
        return heed__check_shape("reshape", shape);
    for (int axis = 0; axis < shape->rank; axis++) {
        if (shape->dims[axis] == -1 && *unknown < 0) {
            *unknown = axis;
        } else if (shape->dims[axis] < 0 || __builtin_mul_overflow(*known, shape->dims[axis], known))
            return heed_fail_false(HEED_ERR_SHAPE, "reshape", "%" PRId64 " is not a valid size for axis %d of %s",
                                   shape->dims[axis], axis, heed_shape_text(*shape).s);
    }
    return true;
}

/* Replaces a size -1 in `shape` by the size that fits. Returns false after heed_fail if `shape` cannot have x's number
 * of elements. */
static bool complete(const heed_tensor *x, heed_shape *shape)
{
    int64_t known;
    int unknown;
    if (!count_known(shape, &known, &unknown))
        return false;
    if (unknown < 0 ? known != x->numel : known == 0 || x->numel % known != 0)
        return heed_fail_false(HEED_ERR_SHAPE, "reshape", "the %" PRId64 " elements of %s do not fit %s", x->numel,
                               heed_shape_text(x->shape).s, heed_shape_text(*shape).s);
    if (unknown >= 0)
        shape->dims[unknown] = x->numel / known;
    return heed__check_shape("reshape", shape);
}

heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape)
{
    int64_t strides[HEED_MAX_RANK];
    if (!heed__check_tensor("reshape", x) || !complete(x, &shape))
        return NULL;
    if (!view_strides(x, &shape, strides)) {
        HEED_ENTER("reshape");
        x = heed_contiguous(x);
    }
    return heed__apply1(&heed_op_reshape, x, &shape);
}
