/* ops/product/bmm.c    C = A B per batch element, or for two matrices, with A and B transposed on request.
 *
 * The op is closed under differentiation: with A' = A or A^T and B' = B or B^T,
 *     dA' = G B'^T    dB' = A'^T G
 * are products of the same kind; the gradient of a transposed input is transposed once more. Neither transposes nor
 * views are copied: the kernel takes strides.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/product/bmm.h"
#include "ops/product/multiply.h"

typedef struct bmm_params {
    bool transpose_a, transpose_b;
} bmm_params;

static bool fail_shape(const heed_tensor *a, const heed_tensor *b, const char *what, int64_t of_a, int64_t of_b)
{
    return heed_fail_false(HEED_ERR_SHAPE, "bmm", "%s %" PRId64 " and %" PRId64 " differ: %s x %s", what, of_a, of_b,
                           heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const bmm_params *p = call->params;
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (!heed__check_pair("bmm", a, b))
        return false;
    const int rank = a->shape.rank;
    if (rank != b->shape.rank || rank < 2 || rank > 3)
        return heed_fail_false(HEED_ERR_SHAPE, "bmm", "a %s and b %s: must both be of rank 3, or of rank 2",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    if (rank == 3 && a->shape.dims[0] != b->shape.dims[0])
        return fail_shape(a, b, "batch sizes", a->shape.dims[0], b->shape.dims[0]);
    const int64_t *da = &a->shape.dims[rank - 2], *db = &b->shape.dims[rank - 2];
    const int64_t k_a = da[p->transpose_a ? 0 : 1], k_b = db[p->transpose_b ? 1 : 0];
    if (k_a != k_b)
        return fail_shape(a, b, "inner sizes", k_a, k_b);
    out->dtype = a->dtype;
    out->shape = a->shape;
    out->shape.dims[rank - 2] = da[p->transpose_a ? 1 : 0];
    out->shape.dims[rank - 1] = db[p->transpose_b ? 0 : 1];
    return true;
}

bool heed__bmm(const heed_tensor *a, bool transpose_a, const heed_tensor *b, bool transpose_b, heed_tensor *c)
{
    const int rows = c->shape.rank - 2, columns = rows + 1;
    heed__matmul_args args = {
        .m = c->shape.dims[rows],
        .n = c->shape.dims[columns],
        .k = a->shape.dims[transpose_a ? rows : columns],
        .a = a->data,
        .a_row = a->strides[transpose_a ? columns : rows],
        .a_col = a->strides[transpose_a ? rows : columns],
        .b = b->data,
        .b_row = b->strides[transpose_b ? columns : rows],
        .b_col = b->strides[transpose_b ? rows : columns],
        .c = c->data,
        .batches = 1,
    };
    if (rows > 0) {
        args.batches = c->shape.dims[0];
        args.a_batch = a->strides[0];
        args.b_batch = b->strides[0];
        args.c_batch = c->strides[0];
    }
    return heed__multiply("bmm", c->dtype, &args);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const bmm_params *p = call->params;
    return heed__bmm(call->inputs[0], p->transpose_a, call->inputs[1], p->transpose_b, out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const bmm_params *p = call->params;
    heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] =
            p->transpose_a ? heed_bmm_t(b, p->transpose_b, g[0], true) : heed_bmm_t(g[0], false, b, !p->transpose_b);
    if (heed_call_needs(call, 1))
        dx[1] =
            p->transpose_b ? heed_bmm_t(g[0], true, a, p->transpose_a) : heed_bmm_t(a, !p->transpose_a, g[0], false);
}

static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, 0), b = heed_call_shape(call, 1);
    return heed__numel(&a) * b.dims[b.rank - (((const bmm_params *)call->params)->transpose_b ? 2 : 1)];
}

const heed_op heed_op_bmm = {
    .name = "bmm",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(bmm_params),
    .fields = HEED_FIELDS(HEED_FIELD(bmm_params, transpose_a), HEED_FIELD(bmm_params, transpose_b)),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1),
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed_bmm_t(heed_tensor *a, bool transpose_a, heed_tensor *b, bool transpose_b)
{
    HEED_ENTER("bmm_t");
    return heed__apply2(&heed_op_bmm, a, b, &(bmm_params){transpose_a, transpose_b});
}

heed_tensor *heed_bmm(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_bmm, a, b, &(bmm_params){false, false});
}
