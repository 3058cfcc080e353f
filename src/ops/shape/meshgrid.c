/* ops/shape/meshgrid.c - one view per vector. For vectors with n_0, n_1, ... elements, every view has the shape (n_0,
 * n_1, ...); view i holds vector i along axis i and repeats it along the other axes. */

#include "ops/shape/parts.h"

static bool check(heed_tensor *const *vectors, int n, heed_tensor **grids)
{
    if (!heed__check_list("meshgrid", vectors, n))
        return false;
    if (!grids)
        return heed_fail_false(HEED_ERR_ARGUMENT, "meshgrid", "grids is NULL");
    if (n > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_ARGUMENT, "meshgrid", "n is %d: must be at most %d", n, HEED_MAX_RANK);
    for (int i = 0; i < n; i++)
        if (vectors[i]->shape.rank != 1)
            return heed_fail_false(HEED_ERR_SHAPE, "meshgrid", "tensor %d is %s: must be of rank 1", i,
                                   heed_shape_text(vectors[i]->shape).s);
    return true;
}

heed_status heed_meshgrid(heed_tensor *const *vectors, int n, heed_tensor **grids)
{
    HEED_ENTER("meshgrid");
    heed_tensor *made[HEED_MAX_RANK] = {NULL}; /* vectors and grids may be the same list */
    if (!check(vectors, n, grids))
        return heed_error_code();
    heed_shape shape = {.rank = n};
    for (int i = 0; i < n; i++)
        shape.dims[i] = vectors[i]->numel;
    for (int i = 0; i < n; i++) {
        heed_shape alone = {.rank = n};
        for (int axis = 0; axis < n; axis++)
            alone.dims[axis] = axis == i ? shape.dims[i] : 1;
        made[i] = heed_expand(heed_reshape(vectors[i], alone), shape);
    }
    for (int i = 0; i < n; i++)
        grids[i] = made[i];
    return heed__parts_status(grids, n);
}
