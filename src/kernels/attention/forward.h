/* kernels/attention/forward.h - dot-product attention, forward. Scores are computed in blocks of keys x queries and
 * used in place. With m the running maximum of a row, and l and o its running sums of e^(s - m) and of e^(s - m) v, a
 * further block of scores s_j gives
 *
 *     m' = max(m, max_j s_j)   l' = e^(m - m') l + sum_j e^(s_j - m')   o' = e^(m - m') o + sum_j e^(s_j - m') v_j
 *
 * and finally y = o / l. (M. Milakov, N. Gimelshein: Online normalizer calculation for softmax, 2018; T. Dao et al.:
 * FlashAttention, 2022.)
 *
 * Tiles of two registers hold one query per lane and one key or feature per row, so the steps of the softmax treat all
 * lanes of a register alike. Keys that a query does not see get weights of 0 explicitly, and blocks of keys that no
 * query of a tile sees are skipped. If a value is not finite and some queries of a tile do not see it, it is left out
 * of the product and added only for queries that see it. If score biases are added, they determine which keys are
 * visible (attention/score_bias.h).
 *
 * Over more than HEED_LONG_SUM keys, l and o are totals (kernels/simd/total.h): the contribution of a block to o is
 * computed separately first.
 *
 * If args->pairs is set, both products are computed from pairs of bf16 (attention/pairs.h).
 *
 * A weight below about the smallest normal number, before the division by l, which is at least 1, counts as 0.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_FORWARD_H
#define HEED_KERNELS_ATTENTION_FORWARD_H

#include <math.h>
#include <string.h>

#include "kernels/attention/by_query.h"
#include "kernels/attention/queries.h"
#include "kernels/attention/score_bias.h"
#include "kernels/kernels.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/total.h"

/* -- Workspace ----------------------------------------------------------------------------------------------------- */

/* Workspace of a thread. For every tile: q (d, QUERY_TILE), o (e, QUERY_TILE), max and sum (QUERY_TILE). For the
 * current tile: scores (KEYS, QUERY_TILE). Arrays for pairs, or NULL: q_pairs of every tile, k_pairs and v_pairs of a
 * block. For long sums: the rounding errors of o and sum, and the contribution of a block to o (e, QUERY_TILE). */
typedef struct workspace {
    T *q_pairs, *k_pairs, *v_pairs;
    T *q, *o, *max, *sum;
    T *scores;
    T *rows, *drop_factors,
        *score_bias; /* `rows`: dropout factors and score biases before they are arranged in tiles */
    T *copy;
    T *lost, *lost_sum, *added;
} workspace;

static workspace workspace_of(const heed__attention_args *s, arena *a)
{
    enum { KEYS = HEED_ATTENTION_KEYS };
    const int64_t queries = heed__attention_queries(s), keys = min_i64(s->keys, KEYS);
    const bool dropout = s->dropout, biased = heed__has_score_bias(&s->visibility);
    workspace w = {0};
    if (s->pairs) {
        w.q_pairs = take_array(a, queries * pairs_in(s->d), sizeof(T));
        w.k_pairs = take_array(a, KEYS * pairs_in(s->d), sizeof(T));
        w.v_pairs = take_array(a, KEYS / 2 * whole_columns(s->e), sizeof(T));
    }
    w.q = take_array(a, queries * s->d, sizeof(T));
    w.o = take_array(a, queries * s->e, sizeof(T));
    w.max = take_array(a, queries, sizeof(T));
    w.sum = take_array(a, queries, sizeof(T));
    w.scores = take_array(a, keys * QUERY_TILE, sizeof(T));
    w.rows = take_array(a, dropout || biased ? KEYS * QUERY_TILE : 0, sizeof(T));
    w.drop_factors = take_array(a, dropout ? KEYS * QUERY_TILE : 0, sizeof(T));
    w.score_bias = take_array(a, biased ? KEYS * QUERY_TILE : 0, sizeof(T));
    w.copy = take_array(a, biased || heed__differs_by_query(&s->visibility) ? keys * s->e : 0, sizeof(T));
    if (heed__is_long(s->keys)) {
        w.lost = take_array(a, queries * s->e, sizeof(T));
        w.lost_sum = take_array(a, queries, sizeof(T));
        w.added = take_array(a, s->e * QUERY_TILE, sizeof(T));
    }
    return w;
}

/* The workspace of tile `at`. */
static workspace workspace_of_tile(const heed__attention_args *s, const workspace *all, int64_t at)
{
    workspace w = *all;
    at *= QUERY_TILE;
    if (w.q_pairs)
        w.q_pairs += at * pairs_in(s->d);
    w.q += at * s->d;
    w.o += at * s->e;
    w.max += at;
    w.sum += at;
    if (w.lost) {
        w.lost += at * s->e;
        w.lost_sum += at;
    }
    return w;
}

/* -- A tile of queries and a block of keys ------------------------------------------------------------------------- */

/* The largest of `keys` scores, one per row, and of `max`. Uses four maxima, because a single one would wait for its
 * own latency. */
static ALWAYS_INLINE vec max_of_scores(int64_t keys, const T *scores, vec max)
{
    vec maxima[4] = {max, max, max, max};
    int64_t j = 0;
    for (; j + 4 <= keys; j += 4) {
        UNROLL
        for (int n = 0; n < 4; n++)
            maxima[n] = max_vec(load(scores + (j + n) * QUERY_TILE), maxima[n]);
    }
    for (; j < keys; j++)
        maxima[0] = max_vec(load(scores + j * QUERY_TILE), maxima[0]);
    return max_vec(max_vec(maxima[0], maxima[1]), max_vec(maxima[2], maxima[3]));
}

/* Multiplies a total by factor. With fma, the rounding error of the product is added to lost. */
static ALWAYS_INLINE void rescale(vec factor, T *sum, T *lost)
{
    const vec old = load(sum), scaled = old * factor;
    store(lost, muladd_vec(load(lost), factor, muladd_vec(old, factor, -scaled)));
    store(sum, scaled);
}

/* The softmax step for the register of queries at lane l: scores become e^((s - m) score_scale), and max, sum and o are
 * updated. */
static ALWAYS_INLINE void update_softmax(int64_t keys, const workspace *w, int64_t e, bool begun, int l,
                                         const T score_scale)
{
    const vec old = load(w->max + l), max = max_of_scores(keys, w->scores + l, old);
    const vec base = select_vec(max == splat(-K(INFINITY)), (vec){0}, max);
    const vec factor = exp_below_vec((old - base) * score_scale);
    vec sum = {0};
    store(w->max + l, max);
    for (int64_t j = 0; j < keys; j++) {
        T *score = w->scores + j * QUERY_TILE + l;
        vec weight = exp_below_vec((load(score) - base) * score_scale);
        store(score, weight);
        sum += weight;
    }
    if (w->lost) {
        rescale(factor, w->sum + l, w->lost_sum + l);
        vec total = load(w->sum + l), lost = load(w->lost_sum + l);
        total_add_vec(&total, &lost, sum);
        store(w->sum + l, total);
        store(w->lost_sum + l, lost);
        for (int64_t c = 0; c < e; c++)
            rescale(factor, w->o + c * QUERY_TILE + l, w->lost + c * QUERY_TILE + l);
        return;
    }
    store(w->sum + l, muladd_vec(load(w->sum + l), factor, sum));
    for (int64_t c = 0; c < e && begun; c++) {
        T *o = w->o + c * QUERY_TILE + l;
        store(o, load(o) * factor);
    }
}

/* The keys of a block that a tile attends to. */
typedef struct tile_keys {
    int64_t first, count;
    bool biased;                     /* score biases say which keys are visible; otherwise `visible` does */
    bool begun;                      /* o holds the contributions of earlier keys */
    SIGNED_BITS visible[QUERY_TILE]; /* number of these keys that a query sees, if some do not see all */
} tile_keys;

/* o (+)= v^T weights, both as numbers or both as pairs; a long sum starts with zeros. */
static void add_values(const heed__attention_args *s, const query_tile *tile, const tile_keys *keys, row_matrix v,
                       const workspace *w, int of)
{
    tile_args t = {.k = of == PAIRS ? pairs_in(keys->count) : keys->count,
                   .a = v.at,
                   .a_row = 1,
                   .a_col = v.row,
                   .b = w->scores,
                   .b_row = QUERY_TILE,
                   .c = w->lost ? w->added : w->o,
                   .c_row = QUERY_TILE,
                   .add = keys->begun && !w->lost};
    multiply_dense(t, s->e, tile->vectors, of);
    for (int64_t c = 0; w->lost && c < s->e * QUERY_TILE; c += QUERY_TILE)
        total_add_row_kernel(tile->vectors * WIDTH, w->added + c, w->o + c, w->lost + c);
}

/* The same with numbers, if some queries do not see some keys and a value of such a key is not finite: it is left out
 * of the product and added only for queries that see it. */
static void add_values_not_finite(const heed__attention_args *s, const query_tile *tile, const tile_keys *keys,
                                  const workspace *w)
{
    const row_matrix v = values_from(s, keys->first);
    const int64_t e = s->e, visible_to_all = keys->biased ? 0 : tile->min_length - keys->first;
    for (int64_t j = 0; j < keys->count; j++) {
        bool plain = j < visible_to_all || is_finite(e, v.at + j * v.row);
        for (int64_t c = 0; c < e; c++)
            w->copy[j * e + c] = plain ? v.at[j * v.row + c] : 0;
    }
    add_values(s, tile, keys, (row_matrix){w->copy, e}, w, NUMBERS);
    for (int64_t j = 0; j < keys->count; j++) {
        if (j < visible_to_all || is_finite(e, v.at + j * v.row))
            continue;
        for (int64_t c = 0; c < e; c++)
            for (int l = 0; l < tile->count; l++)
                if (keys->biased ? w->score_bias[j * QUERY_TILE + l] != -K(INFINITY) : j < keys->visible[l])
                    w->o[c * QUERY_TILE + l] += w->scores[j * QUERY_TILE + l] * v.at[j * v.row + c];
    }
}

/* Sets masked scores of keys begin .. end - 1 to -inf. */
static void mask_scores(const query_tile *tile, int64_t begin, int64_t end, const SIGNED_BITS *visible, T *scores)
{
    for (int64_t j = begin; j < end; j++)
        for (int l = 0; l < tile->vectors * WIDTH; l += WIDTH) {
            T *score = scores + j * QUERY_TILE + l;
            store(score, select_vec(is_visible(visible + l, j), load(score), splat(-K(INFINITY))));
        }
}

static void drop_weights(const heed__attention_args *s, const query_tile *tile, int64_t first, int64_t keys,
                         const workspace *w)
{
    dropout_factors_of_tile(s, tile, first, keys, w->rows, w->drop_factors);
    for (int64_t j = 0; j < keys; j++)
        for (int l = 0; l < tile->vectors * WIDTH; l += WIDTH) {
            int64_t at = j * QUERY_TILE + l;
            store(w->scores + at, apply_dropout(load(w->scores + at), w->drop_factors + at));
        }
}

/* A block of keys, as pairs too if possible: k along the row, v across keys. */
typedef struct key_block_rows {
    key_rows k;
    row_matrix v_pairs;
} key_block_rows;

static key_block_rows key_block_rows_of(const heed__attention_args *s, int64_t first, int64_t end, const workspace *w)
{
    const int64_t keys = min_i64(end - first, HEED_ATTENTION_KEYS);
    key_block_rows block = {.k = {.n = s->d, .numbers = keys_from(s, first)}};
    if (s->pairs) {
        block.k.pairs = pairs_along(block.k.numbers, keys, s->d, GIVEN, w->k_pairs);
        block.v_pairs = pairs_across(values_from(s, first), keys, s->e, GIVEN, w->v_pairs, whole_columns(s->e));
    }
    return block;
}

static void attend_key_block(const heed__attention_args *s, query_tile *tile, int64_t first,
                             const key_block_rows *block, const workspace *w)
{
    const int64_t n = min_i64(tile->max_length - first, HEED_ATTENTION_KEYS), e = s->e;
    const bool biased = heed__has_score_bias(&s->visibility);
    const int64_t first_masked = biased ? 0 : tile->min_length > first ? min_i64(tile->min_length - first, n) : 0;
    const row_matrix v = values_from(s, first), masked_v = values_from(s, first + first_masked);
    tile_keys keys = {.first = first, .count = n, .biased = biased, .begun = biased || first > 0};
    if (biased && !score_bias_of_tile(s, tile, first, n, w->rows, w->score_bias))
        return;
    score_tile(&block->k, n, (packed_queries){w->q, tile->q_pairs}, tile->vectors, w->scores, QUERY_TILE);
    if (biased) {
        add_score_bias(n, tile->vectors, w->score_bias, w->scores);
    } else if (first_masked < n) {
        count_visible(s, tile, first, n, keys.visible);
        mask_scores(tile, first_masked, n, keys.visible, w->scores);
    }
    const T score_scale = scale_of_scores(s);
    for (int l = 0; l < tile->vectors * WIDTH; l += WIDTH)
        if (score_scale == 1)
            update_softmax(n, w, e, keys.begun, l, 1);
        else
            update_softmax(n, w, e, keys.begun, l, score_scale);
    if (s->dropout)
        drop_weights(s, tile, first, n, w);
    if (block->v_pairs.at) { /* the weights become pairs in place */
        (void)pairs_across((row_matrix){w->scores, QUERY_TILE}, n, tile->vectors * WIDTH, COMPUTED, w->scores,
                           QUERY_TILE);
        add_values(s, tile, &keys, block->v_pairs, w, PAIRS);
    } else if (first_masked < n && !are_finite(n - first_masked, e, masked_v)) {
        add_values_not_finite(s, tile, &keys, w);
    } else {
        add_values(s, tile, &keys, v, w, NUMBERS);
    }
}

/* -- A block of queries -------------------------------------------------------------------------------------------- */

/* y = o / sum, and zeros in rows that see no key. */
static void finish_queries(const heed__attention_args *s, const query_tile *tile, const workspace *w)
{
    T *max = (T *)s->statistics + tile->first, *inverse = max + s->queries;
    for (int l = 0; l < tile->count; l++) {
        const bool none_visible = heed__has_score_bias(&s->visibility)
                                      ? !(tile->any_visible >> l & 1)
                                      : heed__visible_range(&s->visibility, tile->first + l).end == 0;
        max[l] = w->max[l] == -K(INFINITY) ? 0 : w->max[l];
        inverse[l] = w->sum[l] = none_visible ? 0 : 1 / w->sum[l];
    }
    for (int64_t c = 0; c < s->e; c++)
        for (int l = 0; l < tile->vectors * WIDTH; l++)
            w->o[c * QUERY_TILE + l] *= w->sum[l];
    unpack_queries(w->o, tile, s->e, s->y, s->y_row);
}

static void begin_tile(const heed__attention_args *s, query_tile *tile, const workspace *w)
{
    if (tile->max_length > 0)
        tile->q_pairs = pack_queries((row_matrix){s->q, s->q_row}, tile, s->d, scale_of_queries(s), w->q, w->q_pairs);
    if (tile->max_length == 0 || w->lost || heed__has_score_bias(&s->visibility))
        memset(w->o, 0, (size_t)(s->e * QUERY_TILE) * sizeof(T));
    for (int l = 0; l < QUERY_TILE; l++) {
        w->max[l] = -K(INFINITY);
        w->sum[l] = 0;
    }
    if (w->lost) {
        memset(w->lost, 0, (size_t)(s->e * QUERY_TILE) * sizeof(T));
        memset(w->lost_sum, 0, QUERY_TILE * sizeof(T));
    }
}

static void attend_query_block(const heed__attention_args *s, int64_t begin, int64_t end, const workspace *all)
{
    query_tile tiles[HEED_ATTENTION_QUERIES / QUERY_TILE];
    const int64_t least = heed__visible_range(&s->visibility, begin).begin;
    int64_t count = 0, most = 0;
    for (int64_t i = begin; i < end; i += QUERY_TILE, count++) {
        workspace w = workspace_of_tile(s, all, count);
        tiles[count] = query_tile_of(s, i, end);
        most = tiles[count].max_length > most ? tiles[count].max_length : most;
        begin_tile(s, &tiles[count], &w);
    }
    for (int64_t first = least - least % HEED_ATTENTION_KEYS; first < most; first += HEED_ATTENTION_KEYS) {
        const key_block_rows block = key_block_rows_of(s, first, most, all);
        for (int64_t at = 0; at < count; at++) {
            workspace w = workspace_of_tile(s, all, at);
            if (!is_fully_masked(s, &tiles[at], first, HEED_ATTENTION_KEYS))
                attend_key_block(s, &tiles[at], first, &block, &w);
        }
    }
    for (int64_t at = 0; at < count; at++) {
        workspace w = workspace_of_tile(s, all, at);
        finish_queries(s, &tiles[at], &w);
    }
}

static int64_t attend_by_blocks(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch)
{
    const int64_t queries = heed__attention_queries(args);
    arena a = {.base = scratch};
    const workspace all = workspace_of(args, &a);
    for (; scratch && begin < end; begin += queries)
        attend_query_block(args, begin, min_i64(end, begin + queries), &all);
    return a.bytes;
}

static int64_t attention_kernel(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch)
{
    return (args->by_query ? attend_by_query : attend_by_blocks)(args, begin, end, scratch);
}

#endif
