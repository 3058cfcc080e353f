/* ops/attention/flash_attention.c - see flash_attention.h. flash_run.c does the computation.
 *
 * The second output is statistics (N, 2, queries), from which backward recomputes the weights block by block. For
 * higher derivatives, the gradient is composed of public ops, which compute all weights at once.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/flash_attention.h"

#include <string.h>

#include "core/memory.h"

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

/* Returns the index of the input whose gradient is number `gradient` of HEED_FLASH_GRADS. Returns -1 if the call lacks
 * that optional input. */
static int input_of(const heed_call *call, int gradient)
{
    const heed__flash_params *p = call->params;
    if (gradient < HEED_FLASH_OPTIONAL)
        return gradient;
    return p->visibility.at[gradient == HEED_FLASH_DBIAS ? HEED_BIAS : HEED_RELATIVE_BIAS];
}

static bool is_requested(const heed_call *call, int gradient)
{
    const int i = input_of(call, gradient);
    return i >= 0 && heed_call_needs(call, i);
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
    const int bias = p->visibility.at[HEED_BIAS], relative_bias = p->visibility.at[HEED_RELATIVE_BIAS];
    const bool of_bias = is_requested(call, HEED_FLASH_DBIAS),
               of_relative_bias = is_requested(call, HEED_FLASH_DRELATIVE_BIAS);
    const heed__dropout_numbers *dropout = p->drops ? &p->dropout : NULL;
    heed_tensor *const *in = call->inputs;
    const heed_attention_options options = heed__visibility_options(call, &p->visibility);
    const heed__heads of_q = heed__heads_of(in[Q], inner);
    heed__heads of_k = heed__heads_of(in[K], inner);
    of_k.heads = of_q.heads;
    heed__visible_pairs pairs;
    if (!heed__visibility_resolve(&options, heed__visibility_input(call, &p->visibility, HEED_RELATIVE_BIAS), &of_q,
                                  of_k.rows, &pairs))
        return;
    const heed__visibility visibility =
        heed__visibility_of_lengths(pairs.valid_lens, heed__heads_count(&of_q), of_k.rows, pairs.causal);
    heed_tensor *q = heed__heads_fold(in[Q], inner), *dy = heed__heads_fold(g[0], inner);
    heed_tensor *k = heed__heads_fold(heed__heads_repeat(in[K], of_q.heads, inner), inner);
    heed_tensor *v = heed__heads_fold(heed__heads_repeat(in[V], of_q.heads, inner), inner);
    heed_tensor *scores = heed__dot_product_scores(q, k, p->scale, &pairs);
    heed_tensor *weights = heed__masked_softmax(scores, pairs.valid_lens, pairs.causal);
    if (heed_call_needs(call, V)) {
        heed_tensor *dv = heed__masked_spread(heed__drop_weights(weights, dropout), dy, pairs.valid_lens, pairs.causal);
        dx[V] = own_heads(call, V, heed__heads_unfold(dv, &of_k, inner));
    }
    if (!heed_call_needs(call, Q) && !heed_call_needs(call, K) && !of_bias && !of_relative_bias)
        return;
    heed_tensor *dw = heed__drop_weights(heed__masked_scores(dy, v, pairs.valid_lens, pairs.causal), dropout);
    heed_tensor *ds = heed__masked_softmax_grad(weights, &visibility, dw);
    if (heed_call_needs(call, Q)) {
        heed_tensor *dq = heed__scale(heed__masked_pool(ds, k, pairs.valid_lens, pairs.causal), p->scale);
        dx[Q] = heed__heads_unfold(dq, &of_q, inner);
    }
    if (heed_call_needs(call, K)) {
        heed_tensor *dk = heed__scale(heed__masked_spread(ds, q, pairs.valid_lens, pairs.causal), p->scale);
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
    .max_inputs = HEED_FLASH_OPTIONAL + HEED_VISIBILITY_INPUTS,
    .n_outputs = 2,
    .params_size = sizeof(heed__flash_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__flash_params, scale), HEED_FIELD(heed__flash_params, heads_inner),
                          HEED_FIELD(heed__flash_params, drops), HEED_VISIBILITY_FIELDS(heed__flash_params)),
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed__flash_attention(const heed__attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                   double scale)
{
    heed_tensor *in[HEED_FLASH_OPTIONAL + HEED_VISIBILITY_INPUTS] = {q, k, v};
    heed__flash_params p = {.scale = scale,
                            .heads_inner = at->options->heads_inner,
                            .drops = at->options->dropout > 0.0,
                            .dropout = at->dropout,
                            .precision = heed_matmul_precision()};
    int n = heed__visibility_params_of(&p.visibility, at->options, at->relative_bias, in, HEED_FLASH_OPTIONAL);
    return heed_apply(&flash_attention, in, n, &p);
}
