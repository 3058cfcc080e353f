/* nn/leave_one_out.c - collects, for every row of x, all the other rows. */

#include <heed/nn.h>
#include <heed/ops.h>
#include <heed/scope.h>

/* Returns i64 (n, n - 1). Row i contains the numbers 0 .. n - 1 without i. */
static heed_tensor *other_indices(int64_t n)
{
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE(n, n > 0 ? n - 1 : 0));
    int64_t *out = heed_mutable_i64(index);
    if (!out)
        return NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n - 1; j++)
            *out++ = j < i ? j : j + 1;
    return index;
}

heed_tensor *heed_nn_leave_one_out(heed_tensor *x)
{
    HEED_ENTER("nn_leave_one_out");
    if (!x)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nn_leave_one_out", "x is NULL");
    heed_shape shape = heed_shape_of(x);
    if (shape.rank != 1 && shape.rank != 2)
        return heed_fail_null(HEED_ERR_SHAPE, "nn_leave_one_out", "x is %s: must be (n) or (n, d)",
                              heed_shape_text(shape).s);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *index = other_indices(shape.dims[0]);
    heed_tensor *rows = heed_index_select(x, 0, heed_reshape(index, HEED_SHAPE(heed_numel(index))));
    heed_shape result = {.rank = shape.rank + 1, .dims = {shape.dims[0], heed_dim(index, 1), shape.dims[1]}};
    return heed_scope_return(scope, heed_reshape(rows, result));
}
