/* ops/shape/repeat_interleave.c    [a b] -> [a a b b] along an axis.    dx = sum of g over the repeats */

#include "ops/support.h"

#include <inttypes.h>

heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats)
{
    HEED_ENTER("repeat_interleave");
    if (!heed__check_tensor("repeat_interleave", x) ||
        (axis = heed__axis_of("repeat_interleave", axis, x->shape.rank)) < 0)
        return NULL;
    heed_shape shape = x->shape;
    if (repeats < 0 || __builtin_mul_overflow(shape.dims[axis], repeats, &shape.dims[axis]))
        return heed_fail_null(HEED_ERR_ARGUMENT, "repeat_interleave",
                              "axis %d of %s cannot be repeated %" PRId64 " times", axis, heed_shape_text(x->shape).s,
                              repeats);
    if (!heed__check_shape("repeat_interleave", &shape))
        return NULL;
    if (shape.dims[axis] == 0 && repeats > 0)
        repeats = 1; /* an empty axis: the result is the same, and 1 does not overflow */
    heed__axis_split s = heed__split_at(&x->shape, axis);
    heed_tensor *split = heed_reshape(x, HEED_SHAPE(s.outer, s.size, 1, s.inner));
    heed_tensor *repeated = heed_expand(split, HEED_SHAPE(s.outer, s.size, repeats, s.inner));
    return heed_reshape(heed_clone(repeated), shape);
}
