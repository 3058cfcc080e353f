/* ops/shape/diag.c    y = a matrix with x (n) on a diagonal and 0 elsewhere; or a diagonal of a matrix x. */

#include "ops/support.h"

#include <inttypes.h>

/* In the flattened matrix (size, size), the elements of the diagonal have the indices start, start + (size + 1), ... */
static heed_tensor *matrix_of(heed_tensor *x, int64_t offset)
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
    return x->shape.rank == 1 ? matrix_of(x, offset) : heed_diagonal(x, offset, 0, 1);
}
