/* ops/attention/flash_attention.c - see flash_attention.h. flash_run.c does the computation.
 *
 * The second output is statistics (N, 2, queries), from which backward recomputes the weights block by block. For
 * higher derivatives, the gradient is composed of public ops, which compute all weights at once. */

#include "ops/attention/flash_attention.h"

#include <string.h>

#include "core/memory.h"
#include "ops/attention/attention.h"
#include "ops/attention/masked_bmm.h"
#include "ops/attention/relative_bias.h"

static const char where[] = "dot_product_attention";

enum { Q = HEED_FLASH_Q, K = HEED_FLASH_K, V = HEED_FLASH_V };

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* Returns x, or a copy if its rows are not contiguous. The caller owns the result. */
static heed_tensor *with_rows(heed_tensor *x)
{
    int last = x->shape.rank - 1;
    if (x->strides[last] == 1 || x->shape.dims[last] <= 1)
        return heed_retain(x);
    return heed__dense_copy(where, x);
}

heed__visibility heed__flash_visibility(const heed_call *call)
{
    const heed__flash_params *p = call->params;
    heed_tensor *at[HEED_FLASH_OPTIONS];
    for (int i = 0; i < HEED_FLASH_OPTIONS; i++)
        at[i] = p->at[i] ? call->inputs[p->at[i]] : NULL;
    return (heed__visibility){.lens = at[HEED_FLASH_LENS],
                              .mask = at[HEED_FLASH_MASK],
                              .bias = at[HEED_FLASH_BIAS],
                              .relative_bias = at[HEED_FLASH_RELATIVE_BIAS],
                              .causal = p->causal,
                              .window = p->window,
                              .offset = p->offset};
}

static bool drops_all(const heed__flash_params *p)
{
    return p->drops && p->dropout.threshold > UINT32_MAX;
}

static void clear(heed_tensor *t)
{
    memset(t->data, 0, (size_t)t->numel * heed_dtype_size(t->dtype));
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__flash_params *p = call->params;
    const heed_tensor *q = call->inputs[Q], *v = call->inputs[V];
    const heed__heads heads = heed__heads_of(q, p->heads_inner);
    out[0] = (heed_meta){q->dtype, q->shape};
    out[0].shape.dims[q->shape.rank - 1] = v->shape.dims[q->shape.rank - 1];
    out[1] = (heed_meta){q->dtype, {.rank = 3, .dims = {heed__heads_count(&heads), 2, heads.rows}}};
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__flash_params *p = call->params;
    if (out[0]->numel == 0 || drops_all(p)) {
        clear(out[0]);
        return true;
    }
    heed_tensor *in[3] = {NULL};
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = (in[i] = with_rows(call->inputs[i])) != NULL;
    ok = ok && heed__flash_forward(call, in, out);
    for (int i = 0; i < 3; i++)
        heed_release(in[i]);
    return ok;
}

/* Returns the gradient of input i, the keys or values, from dx, which has one head per head of q: sums dx over the
 * heads of q that share a head of the input. */
static heed_tensor *own_heads(const heed_call *call, int i, heed_tensor *dx)
{
    const bool inner = ((const heed__flash_params *)call->params)->heads_inner;
    return heed__heads_sum(dx, heed__heads_of(call->inputs[i], inner).heads, inner);
}

/* Returns the index of the input whose gradient is number `gradient` of HEED_FLASH_GRADS. Returns 0, which is q, if the
 * call lacks that optional input. */
static int input_of(const heed_call *call, int gradient)
{
    const heed__flash_params *p = call->params;
    if (gradient < HEED_FLASH_OPTIONAL)
        return gradient;
    return p->at[gradient == HEED_FLASH_DBIAS ? HEED_FLASH_BIAS : HEED_FLASH_RELATIVE_BIAS];
}

static bool is_requested(const heed_call *call, int gradient)
{
    const int i = input_of(call, gradient);
    return (gradient == Q || i > 0) && heed_call_needs(call, i);
}

/* Allocates a gradient and, if the kernels add to it, fills it with zeros. Gradients of keys and values have one head
 * per head of q. */
static heed_tensor *new_gradient(const heed_call *call, int gradient)
{
    const int i = input_of(call, gradient);
    const heed__flash_params *p = call->params;
    const heed_tensor *q = call->inputs[Q], *x = call->inputs[i];
    const bool split = q->shape.rank == 4;
    const int head = p->heads_inner ? 2 : 1;
    heed_shape shape = x->shape;
    if (i < HEED_FLASH_OPTIONAL) {
        shape.dims[head] = split ? q->shape.dims[head] : shape.dims[head];
        return heed__tensor_new(where, x->dtype, &shape);
    }
    if (gradient == HEED_FLASH_DRELATIVE_BIAS)
        return heed__new_zeros(where, x->dtype, &shape);
    const heed__heads of_q = heed__heads_of(q, p->heads_inner), of_k = heed__heads_of(call->inputs[K], p->heads_inner);
    shape = split ? HEED_SHAPE(heed__visibility_size(x, 4), heed__visibility_size(x, 3), of_q.rows, of_k.rows)
                  : HEED_SHAPE(heed__visibility_size(x, 3), of_q.rows, of_k.rows);
    return heed__new_zeros(where, x->dtype, &shape);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__flash_params *p = call->params;
    heed_tensor *in[3] = {NULL}, *dense = with_rows(g[0]), *found[HEED_FLASH_GRADS] = {NULL};
    bool ok = dense != NULL;
    for (int i = 0; i < 3 && ok; i++)
        ok = (in[i] = with_rows(call->inputs[i])) != NULL;
    for (int i = 0; i < HEED_FLASH_GRADS && ok; i++)
        if (is_requested(call, i))
            ok = (found[i] = new_gradient(call, i)) != NULL;
    if (ok && (g[0]->numel == 0 || drops_all(p)))
        for (int i = 0; i < HEED_FLASH_GRADS; i++) {
            if (found[i])
                clear(found[i]);
        }
    else
        ok = ok && heed__flash_backward(call, in, dense, found);
    for (int i = 0; i < HEED_FLASH_GRADS && ok; i++)
        if (found[i])
            dx[input_of(call, i)] = i == K || i == V ? own_heads(call, i, found[i]) : found[i];
    for (int i = 0; i < 3; i++)
        heed_release(in[i]);
    heed_release(dense);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__flash_params *p = call->params;
    const bool inner = p->heads_inner;
    const int bias = p->at[HEED_FLASH_BIAS], relative_bias = p->at[HEED_FLASH_RELATIVE_BIAS];
    const bool of_bias = is_requested(call, HEED_FLASH_DBIAS),
               of_relative_bias = is_requested(call, HEED_FLASH_DRELATIVE_BIAS);
    const heed__dropout_numbers *dropout = p->drops ? &p->dropout : NULL;
    heed_tensor *const *in = call->inputs;
    const heed__visibility visibility = heed__flash_visibility(call);
    const heed__heads of_q = heed__heads_of(in[Q], inner);
    heed__heads of_k = heed__heads_of(in[K], inner);
    of_k.heads = of_q.heads;
    heed__visible_pairs visible;
    if (!heed__visibility_resolve(&visibility, in[Q]->dtype, &of_q, of_k.rows, &visible))
        return;
    const heed__lengths lengths = heed__visible_lengths(&visible, &of_q, of_k.rows);
    heed_tensor *q = heed__heads_fold(in[Q], inner), *dy = heed__heads_fold(g[0], inner);
    heed_tensor *k = heed__heads_fold(heed__heads_repeat(in[K], of_q.heads, inner), inner);
    heed_tensor *v = heed__heads_fold(heed__heads_repeat(in[V], of_q.heads, inner), inner);
    heed_tensor *scores = heed__dot_product_scores(q, k, p->scale, &visible);
    heed_tensor *weights = heed__masked_softmax(scores, visible.lens, visible.causal);
    if (heed_call_needs(call, V)) {
        heed_tensor *dv = heed__masked_spread(heed__drop_weights(weights, dropout), dy, visible.lens, visible.causal);
        dx[V] = own_heads(call, V, heed__heads_unfold(dv, &of_k, inner));
    }
    if (!heed_call_needs(call, Q) && !heed_call_needs(call, K) && !of_bias && !of_relative_bias)
        return;
    heed_tensor *dw = heed__drop_weights(heed__masked_scores(dy, v, visible.lens, visible.causal), dropout);
    heed_tensor *ds = heed__masked_softmax_grad(weights, &lengths, dw);
    if (heed_call_needs(call, Q)) {
        heed_tensor *dq = heed__scale(heed__masked_pool(ds, k, visible.lens, visible.causal), p->scale);
        dx[Q] = heed__heads_unfold(dq, &of_q, inner);
    }
    if (heed_call_needs(call, K)) {
        heed_tensor *dk = heed__scale(heed__masked_spread(ds, q, visible.lens, visible.causal), p->scale);
        dx[K] = own_heads(call, K, heed__heads_unfold(dk, &of_k, inner));
    }
    if (of_bias)
        dx[bias] = heed__heads_unfold(ds, &of_q, false);
    if (of_relative_bias)
        dx[relative_bias] = heed__relative_bias_sum(ds, &of_q);
}

/* Per pair of query and key, forward needs d multiplications for the score and e for the result. Backward needs d each
 * for the score, dq and dk, and e each for dv and the gradient of the weight. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed__flash_params *p = call->params;
    const heed_shape q = heed_call_shape(call, Q), k = heed_call_shape(call, K), v = heed_call_shape(call, V);
    const int64_t keys = k.dims[p->heads_inner ? 1 : k.rank - 2], d = q.dims[q.rank - 1], e = v.dims[v.rank - 1];
    const int64_t pairs = d > 0 ? heed__numel(&q) / d * keys : 0;
    if (!call->outputs)
        return pairs * (d + e);
    const bool dq = heed_call_needs(call, Q), dk = heed_call_needs(call, K), dv = heed_call_needs(call, V);
    const bool ds = dq || dk || is_requested(call, HEED_FLASH_DBIAS) || is_requested(call, HEED_FLASH_DRELATIVE_BIAS);
    return pairs * ((1 + dq + dk) * d + (dv + ds) * e);
}

static const heed_op flash_attention = {
    .name = "dot_product_attention",
    .n_inputs = HEED_FLASH_OPTIONAL,
    .max_inputs = HEED_FLASH_OPTIONAL + HEED_FLASH_OPTIONS,
    .n_outputs = 2,
    .params_size = sizeof(heed__flash_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__flash_params, scale), HEED_FIELD(heed__flash_params, causal),
                          HEED_FIELD(heed__flash_params, heads_inner), HEED_FIELD(heed__flash_params, drops),
                          HEED_FIELD(heed__flash_params, at), HEED_FIELD(heed__flash_params, window),
                          HEED_FIELD(heed__flash_params, offset)),
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, const heed__visibility *visibility,
                                   const heed__flash_params *params)
{
    heed_tensor *const optional[HEED_FLASH_OPTIONS] = {visibility->lens, visibility->mask, visibility->bias,
                                                       visibility->relative_bias};
    heed_tensor *in[HEED_FLASH_OPTIONAL + HEED_FLASH_OPTIONS] = {q, k, v};
    heed__flash_params p = *params;
    p.precision = heed_matmul_precision();
    int n = HEED_FLASH_OPTIONAL;
    for (int i = 0; i < HEED_FLASH_OPTIONS; i++) {
        p.at[i] = (int8_t)(optional[i] ? n : 0);
        if (optional[i])
            in[n++] = optional[i];
    }
    return heed_apply(&flash_attention, in, n, &p);
}
