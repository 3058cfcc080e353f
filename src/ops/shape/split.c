/* ops/shape/split.c - consecutive views of x along an axis: of equal size, or of given sizes. */

#include "ops/shape/parts.h"

#include <inttypes.h>

heed_status heed_split(heed_tensor *x, int axis, int64_t size, heed_tensor **parts, int n)
{
    HEED_ENTER("split");
    if (!heed__check_parts("split", x, &axis, parts, n))
        return heed_error_code();
    if (size < 1)
        return heed_fail(HEED_ERR_ARGUMENT, "split", "size is %" PRId64 ": must be at least 1", size);
    return heed__equal_parts("split", x, axis, size, parts, n);
}

heed_status heed_split_sizes(heed_tensor *x, int axis, const int64_t *sizes, heed_tensor **parts, int n)
{
    HEED_ENTER("split_sizes");
    int64_t sum = 0, start = 0;
    if (!heed__check_parts("split_sizes", x, &axis, parts, n))
        return heed_error_code();
    if (!sizes)
        return heed_fail(HEED_ERR_ARGUMENT, "split_sizes", "sizes is NULL");
    for (int i = 0; i < n; i++)
        if (sizes[i] < 0 || __builtin_add_overflow(sum, sizes[i], &sum))
            return heed_fail(HEED_ERR_ARGUMENT, "split_sizes",
                             "size %d is %" PRId64 ": must be 0 or more, and the sum must not overflow", i, sizes[i]);
    if (sum != x->shape.dims[axis])
        return heed_fail(HEED_ERR_SHAPE, "split_sizes",
                         "the %d sizes add up to %" PRId64 ", but axis %d of %s has %" PRId64, n, sum, axis,
                         heed_shape_text(x->shape).s, x->shape.dims[axis]);
    for (int i = 0; i < n; start += sizes[i++])
        parts[i] = heed_slice(x, axis, start, start + sizes[i], 1);
    return heed__parts_status(parts, n);
}
