/* ops/attention/visible_keys.c - the keys that at least one query sees.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "ops/attention/visibility.h"

static const char where[] = "attention_visible_keys";

typedef struct visible_params {
    heed_shape pairs; /* (B, Q, K) or (B, H, Q, K) */
    heed__visibility_params visibility;
} visible_params;

static heed__heads queries_of(heed_shape pairs)
{
    const bool split = pairs.rank == 4;
    return (heed__heads){
        .split = split, .batch = pairs.dims[0], .heads = split ? pairs.dims[1] : 1, .rows = pairs.dims[pairs.rank - 2]};
}

static bool visible_keys_infer(const heed_call *call, heed_meta *out)
{
    const heed_shape *pairs = &((const visible_params *)call->params)->pairs;
    *out = (heed_meta){HEED_BOOL, HEED_SHAPE(pairs->dims[0], pairs->dims[pairs->rank - 1])};
    return true;
}

/* Sets the keys that query i sees to true. memchr skips true keys fast: most queries see no new key. */
static void add_keys(const heed__visibility *own, int64_t i, bool *keys)
{
    const heed__key_range range = heed__visible_range(own, i);
    for (int64_t j = range.begin; j < range.end; j++) {
        const bool *hidden = keys[j] ? memchr(keys + j, 0, (size_t)(range.end - j)) : keys + j;
        if (!hidden)
            return;
        j = hidden - keys;
        keys[j] = heed__shows(own, i, j);
    }
}

static bool visible_keys_forward(const heed_call *call, heed_tensor *const *out)
{
    const visible_params *p = call->params;
    const heed_attention_options options = heed__visibility_options(call, &p->visibility);
    const heed__heads q = queries_of(p->pairs);
    heed__visibility all;
    heed__visibility_of(&options, heed__visibility_input(call, &p->visibility, HEED_RELATIVE_BIAS), &q,
                        out[0]->shape.dims[1], &all);
    bool *keys = (bool *)(void *)out[0]->data;
    memset(keys, false, (size_t)out[0]->numel);
    const bool by_head = all.mask_step.head || all.bias_step.head || all.relative_bias;
    const bool by_query = all.causal || all.window > 0 || all.length_step.query || all.mask_step.query ||
                          all.bias_step.query || all.relative_bias;
    const int64_t heads = q.heads > 1 && !by_head ? 1 : q.heads, rows = q.rows > 1 && !by_query ? 1 : q.rows;
    heed__visibility own = all;
    for (int64_t b = 0; b < q.batch && all.keys > 0; b++)
        for (int64_t h = 0; h < heads; h++) {
            heed__visibility_move(&all, b * q.heads + h, &own);
            for (int64_t i = rows; i-- > 0;) /* often, the last query sees the most keys */
                add_keys(&own, i, keys + b * all.keys);
        }
    return true;
}

static const heed_op visible_keys_op = {
    .name = where,
    .max_inputs = HEED_VISIBILITY_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(visible_params),
    .fields = HEED_FIELDS(HEED_FIELD(visible_params, pairs), HEED_VISIBILITY_FIELDS(visible_params)),
    .saved = HEED_SAVE_NOTHING,
    .infer = visible_keys_infer,
    .forward = visible_keys_forward,
    .multiply_adds = NULL, /* it computes no products */
};

static bool visible_keys_check(heed_shape pairs, const heed_attention_options *o)
{
    if (!heed__check_shape(where, &pairs))
        return false;
    if (pairs.rank != 3 && pairs.rank != 4)
        return heed_fail_false(HEED_ERR_SHAPE, where, "pairs is %s: must be (B, Q, K) or (B, H, Q, K)",
                               heed_shape_text(pairs).s);
    const heed_tensor *bias = o->relative_bias ? o->relative_bias : o->bias;
    if (bias && !heed__check_tensor(where, bias))
        return false;
    const heed__heads q = queries_of(pairs);
    const heed_dtype dtype = bias && bias->dtype == HEED_F64 ? HEED_F64 : HEED_F32;
    return heed__visibility_check(where, o, dtype, &q, pairs.dims[pairs.rank - 1]);
}

static heed_tensor *visible_keys_apply(heed_shape pairs, const heed_attention_options *o)
{
    const heed__heads q = queries_of(pairs);
    heed_tensor *relative_bias, *in[HEED_VISIBILITY_INPUTS];
    if (!heed__relative_bias_rows(o, &q, pairs.dims[pairs.rank - 1], &relative_bias))
        return NULL;
    visible_params p = {.pairs = pairs};
    int n = heed__visibility_params_of(&p.visibility, o, relative_bias, in, 0);
    return heed_apply(&visible_keys_op, in, n, &p);
}

heed_tensor *heed_attention_visible_keys(heed_shape pairs, const heed_attention_options *options)
{
    HEED_ENTER(where);
    heed_attention_options o = options ? *options : (heed_attention_options){0};
    o.slopes = NULL; /* they hide no key */
    if (!visible_keys_check(pairs, &o))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, visible_keys_apply(pairs, &o)) : NULL;
}
