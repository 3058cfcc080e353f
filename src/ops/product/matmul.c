/* ops/product/matmul.c - products composed of other ops: matmul and outer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/support.h"

static heed_tensor *shaped(heed_tensor *t, heed_shape shape)
{
    return t && heed__same_shape(&t->shape, &shape) ? t : heed_reshape(t, shape);
}

/* `leading` followed by the sizes m and n; negative sizes are omitted. */
static heed_shape with_sides(heed_shape leading, int64_t m, int64_t n)
{
    if (m >= 0)
        leading.dims[leading.rank++] = m;
    if (n >= 0)
        leading.dims[leading.rank++] = n;
    return leading;
}

/* All axes of t except the last two. */
static heed_shape leading_of(const heed_tensor *t)
{
    heed_shape leading = t->shape;
    leading.rank = leading.rank > 2 ? leading.rank - 2 : 0;
    return leading;
}

/* t expanded to these leading axes, as (batch, rows, columns). */
static heed_tensor *batched(heed_tensor *t, heed_shape leading, int64_t rows, int64_t columns)
{
    heed_tensor *matrices = shaped(t, with_sides(leading_of(t), rows, columns));
    heed_shape full = with_sides(leading, rows, columns);
    if (matrices && !heed__same_shape(&matrices->shape, &full))
        matrices = heed_expand(matrices, full);
    return shaped(matrices, HEED_SHAPE(heed_shape_numel(leading), rows, columns));
}

static heed_tensor *fail_shape(const char *what, const heed_tensor *a, const heed_tensor *b)
{
    return heed_fail_null(HEED_ERR_SHAPE, "matmul", "%s: %s x %s", what, heed_shape_text(a->shape).s,
                          heed_shape_text(b->shape).s);
}

/* c = a b by NumPy's rules: a 1-D tensor is a row or a column, leading axes broadcast. */
heed_tensor *heed_matmul(heed_tensor *a, heed_tensor *b)
{
    HEED_ENTER("matmul");
    if (!heed__check_tensor("matmul", a) || !heed__check_tensor("matmul", b) || !heed__check_pair("matmul", a, b))
        return NULL;
    int rank_a = a->shape.rank, rank_b = b->shape.rank;
    if (rank_a == 0 || rank_b == 0)
        return fail_shape("a scalar is not a matrix", a, b);
    int64_t m = rank_a == 1 ? 1 : a->shape.dims[rank_a - 2];
    int64_t n = rank_b == 1 ? 1 : b->shape.dims[rank_b - 1];
    int64_t k = a->shape.dims[rank_a - 1];
    if (k != b->shape.dims[rank_b == 1 ? 0 : rank_b - 2])
        return fail_shape("inner sizes differ", a, b);
    if (rank_a == 2 && rank_b == 2)
        return heed_bmm(a, b);
    heed_shape leading;
    if (!heed_shape_broadcast(leading_of(a), leading_of(b), &leading))
        return fail_shape("leading axes do not broadcast", a, b);
    heed_shape result = with_sides(leading, rank_a == 1 ? -1 : m, rank_b == 1 ? -1 : n);

    heed_tensor *c;
    if (rank_b <= 2) { /* b is one matrix: the rows of all matrices of a form one matrix */
        int64_t rows = heed_shape_numel(leading) * m;
        c = heed_bmm(shaped(a, HEED_SHAPE(rows, k)), shaped(b, HEED_SHAPE(k, n)));
    } else {
        c = heed_bmm(batched(a, leading, m, k), batched(b, leading, k, n));
    }
    return shaped(c, result);
}
