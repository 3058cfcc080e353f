/* ops/attention/heads.c - see heads.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/heads.h"

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

heed_tensor *heed__heads_repeat(heed_tensor *x, int64_t heads, bool inner)
{
    if (!x || x->shape.rank == 3 || x->shape.dims[inner ? 2 : 1] == heads)
        return x;
    const int axis = inner ? 2 : 1;
    return heed_repeat_interleave(x, axis, heads / x->shape.dims[axis]);
}

heed_tensor *heed__heads_sum(heed_tensor *x, int64_t heads, bool inner)
{
    if (!x || x->shape.rank == 3 || x->shape.dims[inner ? 2 : 1] == heads)
        return x;
    const int axis = inner ? 2 : 1;
    const int64_t *dims = x->shape.dims, group = dims[axis] / heads;
    const heed_shape split = inner ? HEED_SHAPE(dims[0], dims[1], heads, group, dims[3])
                                   : HEED_SHAPE(dims[0], heads, group, dims[2], dims[3]);
    return heed_sum_axes(heed_reshape(x, split), HEED_AXES(axis + 1), false);
}
