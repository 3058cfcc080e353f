/* ops/attention/flash_attention.c - see flash_attention.h. What is done with all batch elements is in flash_passes.c.
 *
 * The second output is statistics (N, 2, queries), with N = B or B H: what backward makes the weights of again, block by
 * block. The composed rule, for higher derivatives, makes them all.
 */

#include "ops/attention/flash_attention.h"

#include <math.h>
#include <string.h>

#include "ops/attention/attention.h"
#include "ops/attention/flash_passes.h"
#include "ops/attention/masked_bmm.h"
#include "ops/softmax/rows.h"

static const char where[] = "dot_product_attention";

enum { Q, K, V, LENS };

/* x, or a copy where a row is not contiguous; owned by the caller. */
static heed_tensor *with_rows(heed_tensor *x)
{
    int last = x->shape.rank - 1;
    if (x->strides[last] == 1 || x->shape.dims[last] <= 1)
        return heed_retain(x);
    heed_tensor *copy = heed__tensor_alloc(where, x->dtype, &x->shape);
    if (copy)
        heed__copy(x, copy);
    return copy;
}

static bool drops_all(const heed_flash_params *p)
{
    return p->drops && p->dropout.threshold > UINT32_MAX;
}

static void clear(heed_tensor *t)
{
    memset(t->data, 0, (size_t)t->numel * heed_dtype_size(t->dtype));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static heed_tensor *lens_of(const heed_call *call)
{
    return call->n_inputs > LENS ? call->inputs[LENS] : NULL;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_flash_params *p = call->params;
    const heed_tensor *q = call->inputs[Q], *v = call->inputs[V];
    int rank = q->shape.rank;
    const int64_t *dims = q->shape.dims;
    out[0].dtype = out[1].dtype = q->dtype;
    out[0].shape = q->shape;
    out[0].shape.dims[rank - 1] = v->shape.dims[rank - 1];
    int64_t queries = dims[p->heads_inner ? 1 : rank - 2], n;
    int64_t heads = rank == 4 ? dims[p->heads_inner ? 2 : 1] : 1;
    if (__builtin_mul_overflow(dims[0], heads, &n)) /* of no elements, as the tensor is there */
        n = 0;
    out[1].shape = HEED_SHAPE(n, 2, queries);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_flash_params *p = call->params;
    if (out[0]->numel == 0 || drops_all(p)) {
        clear(out[0]);
        return true;
    }
    heed_tensor *in[3] = {NULL};
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = (in[i] = with_rows(call->inputs[i])) != NULL;
    ok = ok && heed__flash_forward(p, in, lens_of(call), out[0], out[1]);
    for (int i = 0; i < 3; i++)
        heed_release(in[i]);
    return ok;
}

/* -- Backward, fused ----------------------------------------------------------------------------------------------- */

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_flash_params *p = call->params;
    heed_tensor *in[3] = {NULL}, *dense = with_rows(g[0]), *found[3] = {NULL};
    bool ok = dense != NULL;
    for (int i = 0; i < 3 && ok; i++) {
        in[i] = with_rows(call->inputs[i]);
        ok = in[i] != NULL;
        if (ok && heed_call_needs(call, i))
            ok = (found[i] = heed__tensor_new(where, in[i]->dtype, &in[i]->shape)) != NULL;
    }
    if (ok && (g[0]->numel == 0 || drops_all(p)))
        for (int i = 0; i < 3; i++) {
            if (found[i])
                clear(found[i]);
        }
    else
        ok = ok && heed__flash_backward(p, in, lens_of(call), call->outputs[0], call->outputs[1], dense, found);
    for (int i = 0; i < 3; i++) {
        dx[i] = ok ? found[i] : NULL;
        heed_release(in[i]);
    }
    heed_release(dense);
}

/* -- Backward, composed -------------------------------------------------------------------------------------------- */

/* (N, rows, width) of q, k, v or what is like them, and back. */
static heed_tensor *fold(heed_tensor *x, const heed_flash_params *p)
{
    x = p->heads_inner ? heed_transpose(x, 1, 2) : x;
    if (!x || x->shape.rank == 3)
        return x;
    const int64_t *dims = x->shape.dims;
    return heed_reshape(x, HEED_SHAPE(dims[0] * dims[1], dims[2], dims[3]));
}

static heed_tensor *unfold(heed_tensor *x, const heed_flash_params *p, heed_shape shape)
{
    if (!p->heads_inner)
        return heed_reshape(x, shape);
    return heed_transpose(heed_reshape(x, HEED_SHAPE(shape.dims[0], shape.dims[2], shape.dims[1], shape.dims[3])), 1,
                          2);
}

static heed_tensor *drop(heed_tensor *weights, const heed_flash_params *p)
{
    return p->drops ? heed__apply1(&heed_op_dropout, weights, &p->dropout) : weights;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_flash_params *p = call->params;
    heed_tensor *const *in = call->inputs;
    int rank = in[Q]->shape.rank;
    const double size = fabs(p->scale), before = size <= 1 ? p->scale : copysign(1, p->scale);
    heed_tensor *q = fold(heed_mul_scalar(in[Q], before), p), *k = fold(in[K], p), *v = fold(in[V], p);
    heed_tensor *dy = fold(g[0], p), *lens = NULL;
    if (!q || !k || !v || !dy)
        return;
    const heed_attention_rows rows = {.batch = in[Q]->shape.dims[0],
                                      .heads = rank == 4 ? in[Q]->shape.dims[p->heads_inner ? 2 : 1] : 1,
                                      .queries = q->shape.dims[1],
                                      .keys = k->shape.dims[1],
                                      .causal = p->causal};
    if (!heed__attention_rows(lens_of(call), &rows, &lens))
        return;
    heed_tensor *scores = heed__masked_scores(q, k, lens);
    scores = size <= 1 ? scores : heed__attention_stretch(scores, lens, size);
    heed_tensor *weights = heed_masked_softmax(scores, lens);
    if (heed_call_needs(call, V))
        dx[V] = unfold(heed__masked_spread(drop(weights, p), dy, lens), p, in[V]->shape);
    if (!heed_call_needs(call, Q) && !heed_call_needs(call, K))
        return;
    heed_tensor *dw = drop(heed__masked_scores(dy, v, lens), p);
    heed_tensor *ds = heed__masked_softmax_grad(weights, lens, dw);
    if (heed_call_needs(call, Q))
        dx[Q] = unfold(heed_mul_scalar(heed__masked_pool(ds, k, lens), p->scale), p, in[Q]->shape);
    if (heed_call_needs(call, K)) {
        heed_tensor *dk = heed__masked_spread(ds, q, lens);
        dx[K] = unfold(size <= 1 ? dk : heed_mul_scalar(dk, size), p, in[K]->shape);
    }
}

static const heed_op flash_attention = {
    .name = "dot_product_attention",
    .n_inputs = LENS,
    .max_inputs = LENS + 1,
    .n_outputs = 2,
    .params_size = sizeof(heed_flash_params),
    .keeps = HEED_KEEP_INPUTS | HEED_KEEP_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *lens,
                                   const heed_flash_params *params)
{
    return heed_apply(&flash_attention, (heed_tensor *[]){q, k, v, lens}, lens ? 4 : 3, params);
}
