/* ops/shape/chunk.c - n consecutive views of x along an axis, with PyTorch's sizes, as equal as possible. */

#include "ops/shape/parts.h"

#include "core/parallel.h"

heed_status heed_chunk(heed_tensor *x, int axis, heed_tensor **parts, int n)
{
    HEED_ENTER("chunk");
    if (!heed__check_parts("chunk", x, &axis, parts, n))
        return heed_error_code();
    if (n == 0)
        return heed_fail(HEED_ERR_ARGUMENT, "chunk", "n is 0: must be at least 1");
    int64_t size = heed__ceil_div(x->shape.dims[axis], n);
    return heed__equal_parts("chunk", x, axis, size > 0 ? size : 1, parts, n);
}
