/* ops/attention/heads.c - see heads.h. */

#include "ops/attention/heads.h"

heed__heads heed__heads_of(const heed_tensor *t, bool inner)
{
    const int rank = t->shape.rank, rows = inner ? 1 : rank - 2, head = inner ? 2 : 1;
    const int64_t *dims = t->shape.dims;
    return (heed__heads){.split = rank == 4,
                         .batch = dims[0],
                         .heads = rank == 4 ? dims[head] : 1,
                         .rows = dims[rows],
                         .width = dims[rank - 1],
                         .batch_step = t->strides[0],
                         .head_step = rank == 4 ? t->strides[head] : 0,
                         .row_step = t->strides[rows]};
}

int64_t heed__heads_count(const heed__heads *heads)
{
    int64_t n;
    return __builtin_mul_overflow(heads->batch, heads->heads, &n) ? 0 : n;
}

heed_tensor *heed__heads_fold(heed_tensor *x, bool inner)
{
    if (!x || x->shape.rank == 3)
        return x;
    const heed__heads heads = heed__heads_of(x, inner);
    return heed_reshape(inner ? heed_transpose(x, 1, 2) : x,
                        HEED_SHAPE(heads.batch * heads.heads, heads.rows, heads.width));
}

heed_tensor *heed__heads_unfold(heed_tensor *folded, const heed__heads *like, bool inner)
{
    if (!folded || !like->split)
        return folded;
    const int64_t *dims = folded->shape.dims;
    heed_tensor *unfolded = heed_reshape(folded, HEED_SHAPE(like->batch, like->heads, dims[1], dims[2]));
    return inner ? heed_transpose(unfolded, 1, 2) : unfolded;
}
