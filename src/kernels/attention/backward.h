/* kernels/attention/backward.h - dot-product attention, backward. For a block of keys and a block of queries, the
 * weights w are recomputed from the rows' statistics; then, with D_i = g_i . y_i,
 *
 *     dv += w^T g    dbias = w (g v^T - D)    ds = dbias scale    dq += ds k    dk += ds^T q
 *
 * Over more than HEED_LONG_SUM queries or keys these sums are totals (kernels/simd/total.h), to which the product of
 * every block is added.
 *
 * This takes only five products: one pass over the keys, and one pass over the queries per block of keys.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_BACKWARD_H
#define HEED_KERNELS_ATTENTION_BACKWARD_H

#include <string.h>

#include "kernels/attention/by_query.h"
#include "kernels/attention/grad_blocks.h"
#include "kernels/attention/grad_product.h"
#include "kernels/attention/queries.h"
#include "kernels/attention/score_bias.h"
#include "kernels/kernels.h"
#include "kernels/simd/exp.h"

/* -- A tile of queries and a block of keys ------------------------------------------------------------------------- */

/* Arrays of a tile, from a lane on; NULL if not needed. */
typedef struct tile_arrays {
    const T *factors;           /* of dropout, per pair */
    const SIGNED_BITS *visible; /* per query */
    T *score_bias;              /* per pair; becomes dbias */
} tile_arrays;

/* Turns scores, in `weights`, and products g v^T, in `slopes`, into w and ds, for the register of queries from `at` on,
 * at which `arrays` begin. */
static ALWAYS_INLINE void recompute_weights(int64_t keys, const grad_workspace *w, int64_t at, T scale,
                                            const T score_scale, const tile_arrays arrays)
{
    const T *factors = arrays.factors;
    const SIGNED_BITS *visible = arrays.visible;
    T *score_bias = arrays.score_bias;
    const vec max = load(w->max + at), inverse = load(w->inverse + at), share = load(w->share + at);
    T *weights = w->weights + at, *slopes = w->slopes + at;
    for (int64_t j = 0; j < keys; j++, weights += w->queries, slopes += w->queries) {
        vec score = load(weights), slope = load(slopes),
            bias = score_bias ? load(score_bias + j * QUERY_TILE) : (vec){0};
        if (score_bias)
            score = add_bias(score, bias);
        vec weight = exp_below_vec((score - max) * score_scale) * inverse;
        if (factors)
            slope = apply_dropout(slope, factors + j * QUERY_TILE);
        slope = (slope - share) * weight;
        if (score_bias) {
            const vec_mask hidden = bias == splat(-K(INFINITY));
            slope = select_vec(hidden, (vec){0}, slope);
            weight = select_vec(hidden, (vec){0}, weight);
            store(score_bias + j * QUERY_TILE, slope);
        }
        slope = slope * scale;
        if (factors)
            weight = apply_dropout(weight, factors + j * QUERY_TILE);
        if (visible) {
            slope = select_vec(is_visible(visible, j), slope, (vec){0});
            weight = select_vec(is_visible(visible, j), weight, (vec){0});
        }
        store(weights, weight);
        store(slopes, slope);
    }
}

/* For the first `keys` keys of the block. */
static void grad_of_tile(const grad_call *call, const query_tile *tile, int64_t at, const key_block *block,
                         int64_t keys)
{
    const heed__attention_args *s = call->s;
    const grad_workspace *w = &call->workspace;
    const packed_queries q = {w->q + at * s->d, tile->q_pairs}, g = {w->g + at * s->e, tile->g_pairs};
    const int64_t first = block->first;
    const T score_scale = scale_of_scores(s), scale = scale_of_queries(s) * score_scale;
    const T *factors = s->dropout ? w->drop_factors : NULL;
    SIGNED_BITS visible[QUERY_TILE];
    score_tile(&block->k, keys, q, tile->vectors, w->weights + at, w->queries);
    score_tile(&block->v, keys, g, tile->vectors, w->slopes + at, w->queries);
    if (factors)
        dropout_factors_of_tile(s, tile, first, keys, w->rows, w->drop_factors);
    const bool biased = heed__has_score_bias(&s->visibility), masked = !biased && tile->min_length < first + keys;
    if (masked)
        count_visible(s, tile, first, keys, visible);
    for (int l = 0; l < tile->vectors * WIDTH; l += WIDTH) {
        if (factors || masked || biased || score_scale != 1)
            recompute_weights(keys, w, at + l, scale, score_scale,
                              (tile_arrays){factors ? factors + l : NULL, masked ? visible + l : NULL,
                                            biased ? w->score_bias + l : NULL});
        else /* constants, so that the loop has no tests */
            recompute_weights(keys, w, at + l, scale, 1, (tile_arrays){NULL, NULL, NULL});
    }
    if (call->out->dbias)
        add_to_bias(s, tile, first, keys, w->score_bias, call->out->dbias);
    if (call->out->distance_sum)
        sum_by_distance(tile, keys, w->score_bias, w->distances);
}

/* w and ds are 0 for keys of the block that no query of the tile sees. */
static void grad_of_visible(const grad_call *call, query_tile *tile, int64_t at, const key_block *block)
{
    const grad_workspace *w = &call->workspace;
    const int64_t first = block->first, keys = block->count;
    int64_t visible = is_fully_masked(call->s, tile, first, keys) ? 0 : min_i64(tile->max_length - first, keys);
    if (visible > 0 && heed__has_score_bias(&call->s->visibility) &&
        !score_bias_of_tile(call->s, tile, first, visible, w->rows, w->score_bias))
        visible = 0;
    if (visible > 0)
        grad_of_tile(call, tile, at, block, visible);
    for (int64_t j = visible; j < keys; j++) {
        memset(w->weights + j * w->queries + at, 0, QUERY_TILE * sizeof(T));
        memset(w->slopes + j * w->queries + at, 0, QUERY_TILE * sizeof(T));
    }
}

/* -- A block of queries and a block of keys ------------------------------------------------------------------------ */

/* With `values` dv += w^T g, otherwise dk += ds^T q, for the keys of `block`. The sums run over n queries of the query
 * block b, from number `at` on. */
static void add_to_keys(const grad_call *call, const query_block *b, int64_t at, int64_t n, const key_block *block,
                        bool values)
{
    const int64_t first = block->first, keys = block->count;
    const row_matrix across = values ? b->g : b->q;
    const heed__attention_args *s = call->s;
    const heed__attention_grads *out = call->out;
    const grad_workspace *w = &call->workspace;
    int64_t query = b->begin + at;
    grad_product p = {.rows = keys,
                      .columns = values ? s->e : s->d,
                      .depth = n,
                      .a = (values ? w->weights : w->slopes) + at,
                      .a_row = w->queries,
                      .a_col = 1,
                      .b_row = values ? out->g_row : s->q_row,
                      .c_row = values ? out->dv_row : out->dk_row,
                      .lost = values ? w->lost_v : w->lost_k,
                      .block = w->block,
                      .b_pairs = pairs_from(across, at),
                      .factor = w->factor,
                      .by_query = true,
                      .query = query,
                      .key = first};
    p.b = (const T *)(values ? out->g : s->q) + query * p.b_row;
    p.c = (T *)(values ? out->dv : out->dk) + first * p.c_row;
    if (p.lost)
        p.lost += (first - call->first) * p.columns;
    if (!across.at && has_border(s, b, first + keys) && !(values ? b->g_finite : b->q_finite))
        add_product_not_finite(s, &p, b->min_length, w->copy);
    else
        add_product(&p);
}

/* dq += ds k */
static void add_to_queries(const grad_call *call, const query_block *b, int64_t at, int64_t n, const key_block *block)
{
    const int64_t first = block->first, keys = block->count;
    const heed__attention_args *s = call->s;
    const heed__attention_grads *out = call->out;
    const grad_workspace *w = &call->workspace;
    int64_t query = b->begin + at;
    grad_product p = {.rows = n,
                      .columns = s->d,
                      .depth = keys,
                      .a = w->slopes + at,
                      .a_row = 1,
                      .a_col = w->queries,
                      .b = (const T *)s->k + first * s->k_row,
                      .b_row = s->k_row,
                      .c = (T *)out->dq + query * out->dq_row,
                      .c_row = out->dq_row,
                      .lost = w->lost_q ? w->lost_q + at * s->d : NULL,
                      .block = w->block,
                      .b_pairs = block->k_across,
                      .factor = w->factor,
                      .query = query,
                      .key = first};
    if (!p.b_pairs.at && has_border(s, b, first + keys) && !are_finite(keys, s->d, keys_from(s, first)))
        add_product_not_finite(s, &p, b->min_length, w->copy);
    else
        add_product(&p);
}

static void grad_block(const grad_call *call, query_block *b, int64_t first, int64_t keys)
{
    const heed__attention_grads *out = call->out;
    int from = 0, to = b->count;
    while (from < to && is_fully_masked(call->s, &b->tiles[from], first, keys))
        from++;
    while (from < to && is_fully_masked(call->s, &b->tiles[to - 1], first, keys))
        to--;
    if (from == to)
        return;
    const key_block block = key_block_of(call, first, keys);
    for (int at = from; at < to; at++) {
        query_tile *tile = &b->tiles[at];
        grad_of_visible(call, tile, (int64_t)at * QUERY_TILE, &block);
        if (out->distance_sum && (at == to - 1 || (tile->first + QUERY_TILE) % QUERY_GROUP == 0))
            add_to_distances(out, tile, first, keys, call->workspace.distances);
    }
    int64_t at = (int64_t)from * QUERY_TILE, n = min_i64(b->end - b->begin, (int64_t)to * QUERY_TILE) - at;
    if (out->dv)
        add_to_keys(call, b, at, n, &block, true);
    if (out->dk)
        add_to_keys(call, b, at, n, &block, false);
    if (out->dq)
        add_to_queries(call, b, at, n, &block);
}

static void clear_rows(T *x, int64_t row, int64_t columns, int64_t begin, int64_t end)
{
    for (int64_t i = begin; x && i < end; i++)
        memset(x + i * row, 0, (size_t)columns * sizeof(T));
}

static int64_t grad_by_blocks(const heed__attention_args *args, const heed__attention_grads *grads, int64_t begin,
                              int64_t end, void *scratch)
{
    arena a = {.base = scratch};
    const grad_call call = {args, grads, grad_workspace_of(args, end - begin, &a), begin};
    if (!scratch)
        return a.bytes;
    if (grads->distance_sum)
        memset(call.workspace.distances, 0, DISTANCE_SUMS * sizeof(T));
    clear_rows(call.workspace.lost_k, args->d, args->d, 0, end - begin);
    clear_rows(call.workspace.lost_v, args->e, args->e, 0, end - begin);
    for (int64_t i = 0; i < args->queries; i += call.workspace.queries) {
        query_block b;
        begin_query_block(args, i, min_i64(args->queries, i + call.workspace.queries), &b);
        int64_t visible = min_i64(b.max_length, end);
        if (visible > begin)
            pack_query_block(&call, &b);
        if (call.workspace.lost_q)
            memset(call.workspace.lost_q, 0, (size_t)(call.workspace.queries * args->d) * sizeof(T));
        const int64_t skipped = b.min_key > begin ? (b.min_key - begin) / HEED_ATTENTION_KEYS : 0;
        for (int64_t j = begin + skipped * HEED_ATTENTION_KEYS; j < visible; j += HEED_ATTENTION_KEYS)
            grad_block(&call, &b, j, min_i64(visible - j, HEED_ATTENTION_KEYS));
    }
    return a.bytes;
}

static void clear_grads(const heed__attention_args *args, const heed__attention_grads *grads, int64_t begin,
                        int64_t end)
{
    clear_rows(grads->dq, grads->dq_row, args->d, 0, args->queries);
    clear_rows(grads->dk, grads->dk_row, args->d, begin, end);
    clear_rows(grads->dv, grads->dv_row, args->e, begin, end);
}

static int64_t attention_grad_kernel(const heed__attention_args *args, const heed__attention_grads *grads,
                                     int64_t begin, int64_t end, void *scratch)
{
    if (scratch)
        clear_grads(args, grads, begin, end);
    return (args->by_query ? grad_by_query : grad_by_blocks)(args, grads, begin, end, scratch);
}

#endif
