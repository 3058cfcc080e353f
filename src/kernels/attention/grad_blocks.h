/* kernels/attention/grad_blocks.h - dot-product attention, backward: the workspace of a call, a packed block of queries
 * with D, and a block of keys, packed if products use pairs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_GRAD_BLOCKS_H
#define HEED_KERNELS_ATTENTION_GRAD_BLOCKS_H

#include <string.h>

#include "kernels/attention/pairs.h"
#include "kernels/attention/queries.h"
#include "kernels/attention/score_bias.h"
#include "kernels/kernels.h"
#include "kernels/simd/arena.h"

/* Workspace of a thread. For every tile: q (d, QUERY_TILE), times the scale, and g (e, QUERY_TILE). For every query of
 * `queries`: max, inverse and share, which is D. Then w and ds (KEYS, queries). */
typedef struct grad_workspace {
    T *q_pairs, *g_pairs, *q_across, *g_across, *k_pairs, *v_pairs, *k_across, *factor; /* arrays for pairs, or NULL */
    T *q, *g, *max, *inverse, *share;
    T *weights, *slopes;
    int64_t queries;
    T *rows, *drop_factors, *score_bias; /* as in forward; score_bias becomes dbias */
    T *distances;                        /* with a relative bias: DISTANCE_SUMS sums of a group of queries */
    T *copy;
    T *lost_q, *lost_k, *lost_v; /* rounding errors of dq, dk and dv; NULL if sums are short */
    T *block;
} grad_workspace;

static void take_pairs(const heed__attention_args *s, arena *a, grad_workspace *w)
{
    enum { KEYS = HEED_ATTENTION_KEYS };
    const int64_t queries = w->queries, d = pairs_in(s->d), e = pairs_in(s->e);
    w->q_pairs = take_array(a, queries * d, sizeof(T));
    w->g_pairs = take_array(a, queries * e, sizeof(T));
    w->q_across = take_array(a, queries / 2 * whole_columns(s->d), sizeof(T));
    w->g_across = take_array(a, queries / 2 * whole_columns(s->e), sizeof(T));
    w->k_pairs = take_array(a, KEYS * d, sizeof(T));
    w->v_pairs = take_array(a, KEYS * e, sizeof(T));
    w->k_across = take_array(a, KEYS / 2 * whole_columns(s->d), sizeof(T));
    w->factor = take_array(a, KEYS / 2 * queries, sizeof(T));
}

/* For `chunk` keys per call. */
static grad_workspace grad_workspace_of(const heed__attention_args *s, int64_t chunk, arena *a)
{
    enum { TILE = QUERY_TILE * HEED_ATTENTION_KEYS };
    const int64_t queries = heed__attention_queries(s), keys = min_i64(s->keys, HEED_ATTENTION_KEYS);
    const int64_t d = s->d, e = s->e;
    const bool dropout = s->dropout, biased = heed__has_score_bias(&s->visibility),
               border = biased || heed__differs_by_query(&s->visibility);
    const bool long_keys = heed__is_long(s->keys), long_queries = heed__is_long(s->queries);
    grad_workspace w = {.queries = queries};
    if (s->pairs)
        take_pairs(s, a, &w);
    w.q = take_array(a, queries * d, sizeof(T));
    w.g = take_array(a, queries * e, sizeof(T));
    w.max = take_array(a, queries, sizeof(T));
    w.inverse = take_array(a, queries, sizeof(T));
    w.share = take_array(a, queries, sizeof(T));
    w.weights = take_array(a, keys * queries, sizeof(T));
    w.slopes = take_array(a, keys * queries, sizeof(T));
    w.rows = take_array(a, dropout || biased ? TILE : 0, sizeof(T));
    w.drop_factors = take_array(a, dropout ? TILE : 0, sizeof(T));
    w.score_bias = take_array(a, biased ? TILE : 0, sizeof(T));
    w.distances = take_array(a, s->visibility.relative_bias ? DISTANCE_SUMS : 0, sizeof(T));
    w.copy = take_array(a, border ? (queries + keys) * (d + e) : 0, sizeof(T));
    if (long_keys)
        w.lost_q = take_array(a, queries * d, sizeof(T));
    if (long_queries) {
        w.lost_k = take_array(a, chunk * d, sizeof(T));
        w.lost_v = take_array(a, chunk * e, sizeof(T));
    }
    if (long_keys || long_queries)
        w.block = take_array(a, HEED_ATTENTION_QUERIES * (d > e ? d : e), sizeof(T));
    return w;
}

/* Queries begin .. end - 1. */
typedef struct query_block {
    query_tile tiles[HEED_ATTENTION_QUERIES / QUERY_TILE];
    int64_t begin, end;
    int count;
    int64_t min_length, max_length; /* the minimal and maximal number of keys that they see */
    int64_t min_key;                /* no query sees a key before this one */
    bool q_finite, g_finite;        /* true if all elements are finite */
    row_matrix q, g;                /* pairs across queries */
} query_block;

/* A block of keys. */
typedef struct key_block {
    int64_t first, count;
    key_rows k, v;
    row_matrix k_across; /* pairs across keys, or NO_ROWS */
} key_block;

/* The arguments and the workspace of a call of the kernel. */
typedef struct grad_call {
    const heed__attention_args *s;
    const heed__attention_grads *out;
    grad_workspace workspace;
    int64_t first; /* first key */
} grad_call;

/* -- A block of queries -------------------------------------------------------------------------------------------- */

static void begin_query_block(const heed__attention_args *s, int64_t begin, int64_t end, query_block *b)
{
    *b = (query_block){
        .begin = begin, .end = end, .min_length = s->keys, .min_key = heed__visible_range(&s->visibility, begin).begin};
    for (int64_t i = begin; i < end; i += QUERY_TILE) {
        const query_tile tile = b->tiles[b->count++] = query_tile_of(s, i, end);
        b->min_length = tile.min_length < b->min_length ? tile.min_length : b->min_length;
        b->max_length = tile.max_length > b->max_length ? tile.max_length : b->max_length;
    }
}

/* True if one of the queries may not see one of the keys before `end`. */
static bool has_border(const heed__attention_args *s, const query_block *b, int64_t end)
{
    return heed__has_score_bias(&s->visibility) || b->min_length < end;
}

enum { SHARES = 8 }; /* sums at a time, because a single one would wait for its own latency */

/* Adds the products of column c. */
static ALWAYS_INLINE void add_shares(row_matrix g, row_matrix y, int64_t c, T sum[SHARES], const int count,
                                     const bool by_pairs)
{
    UNROLL
    for (int i = 0; i < count; i++) {
        const T slope = g.at[i * g.row + c];
        sum[i] = muladd_of(by_pairs ? rounded_to_bf16(slope) : slope, y.at[i * y.row + c], sum[i]);
    }
}

/* D = g . y of `count` queries. Every sum uses the order in which tiles sum g . v_j; with pairs, the second number of a
 * pair comes first. If y is v_j, because one weight is 1 and the others are 0, the difference must be exactly 0. */
static ALWAYS_INLINE void dot_rows(int64_t e, row_matrix g, row_matrix y, T *share, const int count,
                                   const bool by_pairs)
{
    T sum[SHARES] = {0};
    for (int64_t c = 0; c < e && !by_pairs; c++)
        add_shares(g, y, c, sum, count, false);
    for (int64_t c = 0; c < e && by_pairs; c += 2) {
        if (c + 1 < e)
            add_shares(g, y, c + 1, sum, count, true);
        add_shares(g, y, c, sum, count, true);
    }
    UNROLL
    for (int i = 0; i < count; i++)
        share[i] = sum[i];
}

/* D of the queries of tile number `at` of the block. */
static void shares_of_tile(const grad_call *call, const query_tile *tile, int at)
{
    const heed__attention_args *s = call->s;
    const int64_t g_row = call->out->g_row, y_row = s->y_row;
    row_matrix g = {(const T *)call->out->g + tile->first * g_row, g_row};
    row_matrix y = {(const T *)s->y + tile->first * y_row, y_row};
    T *share = call->workspace.share + at * QUERY_TILE;
    for (int i = 0, count; i < tile->count; i += count, g.at += count * g_row, y.at += count * y_row) {
        count = i + SHARES <= tile->count ? SHARES : 1;
        if (count == 1)
            dot_rows(s->e, g, y, share + i, 1, tile->g_pairs != NULL);
        else if (tile->g_pairs)
            dot_rows(s->e, g, y, share + i, SHARES, true);
        else
            dot_rows(s->e, g, y, share + i, SHARES, false);
    }
}

/* Not inlined, to keep stack frames small. */
__attribute__((noinline)) static void pack_tile(const grad_call *call, query_tile *tile, int at)
{
    const heed__attention_args *s = call->s;
    const grad_workspace *w = &call->workspace;
    const int64_t lane = (int64_t)at * QUERY_TILE;
    T *q_pairs = s->pairs ? w->q_pairs + lane * pairs_in(s->d) : NULL;
    T *g_pairs = s->pairs ? w->g_pairs + lane * pairs_in(s->e) : NULL;
    const row_matrix q = {s->q, s->q_row}, g = {call->out->g, call->out->g_row};
    tile->q_pairs = pack_queries(q, tile, s->d, scale_of_queries(s), w->q + lane * s->d, q_pairs);
    tile->g_pairs = pack_queries(g, tile, s->e, 1, w->g + lane * s->e, g_pairs);
    shares_of_tile(call, tile, at);
}

static void pack_query_block(const grad_call *call, query_block *b)
{
    const heed__attention_args *s = call->s;
    const heed__attention_grads *out = call->out;
    const row_matrix q = {(const T *)s->q + b->begin * s->q_row, s->q_row};
    const row_matrix g = {(const T *)out->g + b->begin * out->g_row, out->g_row};
    const T *max = (const T *)s->statistics + b->begin, *inverse = max + s->queries;
    const grad_workspace *w = &call->workspace;
    const int64_t n = b->end - b->begin;
    for (int at = 0; at < b->count; at++)
        pack_tile(call, &b->tiles[at], at);
    memcpy(w->max, max, (size_t)n * sizeof(T));
    memcpy(w->inverse, inverse, (size_t)n * sizeof(T));
    for (int64_t at = n; at < b->count * QUERY_TILE; at++)
        w->max[at] = w->inverse[at] = w->share[at] = 0;
    if (s->pairs) {
        b->q = pairs_across(q, n, s->d, GIVEN, w->q_across, whole_columns(s->d));
        b->g = pairs_across(g, n, s->e, GIVEN, w->g_across, whole_columns(s->e));
    }
    if (has_border(s, b, s->keys)) {
        b->q_finite = are_finite(n, s->d, q);
        b->g_finite = are_finite(n, s->e, g);
    }
}

/* -- A block of keys ----------------------------------------------------------------------------------------------- */

static key_block key_block_of(const grad_call *call, int64_t first, int64_t count)
{
    const heed__attention_args *s = call->s;
    const grad_workspace *w = &call->workspace;
    const row_matrix k = keys_from(s, first), v = values_from(s, first);
    key_block block = {.first = first, .count = count, .k = {.n = s->d, .numbers = k}, .v = {.n = s->e, .numbers = v}};
    if (s->pairs) {
        block.k.pairs = pairs_along(k, count, s->d, GIVEN, w->k_pairs);
        block.v.pairs = pairs_along(v, count, s->e, GIVEN, w->v_pairs);
        block.k_across = pairs_across(k, count, s->d, GIVEN, w->k_across, whole_columns(s->d));
    }
    return block;
}

#endif
