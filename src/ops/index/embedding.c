/* ops/index/embedding.c    y = rows of weight (V, d) at indices (...): (..., d).    dweight = index_sum(g, indices) */

#include "ops/support.h"

static bool check_shapes(const heed_tensor *indices, const heed_tensor *weight)
{
    if (!heed__check_i64("embedding", "the indices", indices))
        return false;
    if (weight->shape.rank != 2 || indices->shape.rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "embedding",
                               "indices are %s, weight is %s: must be of rank at most %d and of rank 2",
                               heed_shape_text(indices->shape).s, heed_shape_text(weight->shape).s, HEED_MAX_RANK - 1);
    return true;
}

heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight)
{
    HEED_ENTER("embedding");
    if (!heed__check_tensor("embedding", indices) || !heed__check_tensor("embedding", weight) ||
        !check_shapes(indices, weight))
        return NULL;
    heed_shape shape = indices->shape;
    shape.dims[shape.rank++] = weight->shape.dims[1];
    indices = heed_contiguous(indices);
    if (!indices || !heed__check_shape("embedding", &shape) ||
        !heed__check_indices("embedding", indices, weight->shape.dims[0]))
        return NULL;
    heed_tensor *list = heed_reshape(indices, HEED_SHAPE(indices->numel));
    return heed_reshape(heed_index_select(weight, 0, list), shape);
}
