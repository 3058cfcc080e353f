/* kernels/attention/backward.h - dot-product attention, backward: of a block of keys and one of queries, the weights w
 * are made again from the rows' statistics, then, with D_i = g_i . y_i,
 *
 *     dv += w^T g    dbias = w (g v^T - D)    ds = dbias scale    dq += ds k    dk += ds^T q
 *
 * Over more than HEED_LONG_SUM queries or keys these are totals (kernels/simd/total.h), to which each block's product
 * is added.
 *
 * Five products and no more: keys are gone through once, queries once for each block of them. */
#ifndef HEED_KERNELS_ATTENTION_BACKWARD_H
#define HEED_KERNELS_ATTENTION_BACKWARD_H

#include <string.h>

#include "kernels/attention/by_query.h"
#include "kernels/attention/grad_product.h"
#include "kernels/attention/queries.h"
#include "kernels/attention/terms.h"
#include "kernels/kernels.h"
#include "kernels/simd/exp.h"

/* What a thread works in: of each tile q (d, QUERY_TILE), times the scale, and g (e, QUERY_TILE); of each of `queries`
 * queries max, inverse and share, which is D; and w and ds (KEYS, queries). */
typedef struct grad_workspace {
    T *q, *g, *max, *inverse, *share;
    T *weights, *slopes;
    int64_t queries;
    T *rows, *drop_factors, *terms; /* as in forward; terms become dbias */
    T *copy;
    T *lost_q, *lost_k, *lost_v; /* by dq, dk and dv; NULL where sums are short */
    T *block;
} grad_workspace;

static grad_workspace grad_workspace_of(const heed__attention_args *s, int64_t chunk, T *scratch)
{
    int64_t queries = heed__attention_queries(s), keys = min_i64(s->keys, HEED_ATTENTION_KEYS);
    const int64_t tile = QUERY_TILE * HEED_ATTENTION_KEYS;
    grad_workspace w = {.q = scratch, .queries = queries};
    w.g = w.q + queries * s->d;
    w.max = w.g + queries * s->e;
    w.inverse = w.max + queries;
    w.share = w.inverse + queries;
    w.weights = w.share + queries;
    w.slopes = w.weights + keys * queries;
    w.rows = w.slopes + keys * queries;
    w.drop_factors = w.rows + (s->dropout || s->terms.any ? tile : 0);
    w.terms = w.drop_factors + (s->dropout ? tile : 0);
    w.copy = w.terms + (s->terms.any ? tile : 0);
    const bool border = s->terms.any || heed__lengths_differ(&s->lengths);
    w.block = w.copy + (border ? (queries + keys) * (s->d + s->e) : 0);
    if (heed__is_long(s->keys)) {
        w.lost_q = w.block;
        w.block += queries * s->d;
    }
    if (heed__is_long(s->queries)) {
        w.lost_k = w.block;
        w.lost_v = w.lost_k + chunk * s->d;
        w.block = w.lost_v + chunk * s->e;
        memset(w.lost_k, 0, (size_t)(chunk * (s->d + s->e)) * sizeof(T));
    }
    return w;
}

/* Queries begin .. end - 1. */
typedef struct query_block {
    query_tile tiles[HEED_ATTENTION_QUERIES / QUERY_TILE];
    int64_t begin, end;
    int count;
    int64_t min_length, max_length; /* how many keys they see, at least and at most, */
    int64_t min_key;                /* but none before this one */
    bool q_finite, g_finite;        /* all of them */
} query_block;

/* What a call of the kernel works on. */
typedef struct grad_call {
    const heed__attention_args *s;
    const heed__attention_grads *out;
    grad_workspace workspace;
    int64_t first; /* key */
} grad_call;

/* -- Queries ------------------------------------------------------------------------------------------------------- */

static query_block query_block_of(const heed__attention_args *s, int64_t begin, int64_t end)
{
    query_block b = {
        .begin = begin, .end = end, .min_length = s->keys, .min_key = heed__first_seen(&s->lengths, begin)};
    for (int64_t i = begin; i < end; i += QUERY_TILE) {
        query_tile tile = b.tiles[b.count++] = query_tile_of(s, i, end);
        b.min_length = tile.min_length < b.min_length ? tile.min_length : b.min_length;
        b.max_length = tile.max_length > b.max_length ? tile.max_length : b.max_length;
    }
    return b;
}

/* Whether one of the queries may not see one of the keys before `end`. */
static bool has_border(const heed__attention_args *s, const query_block *b, int64_t end)
{
    return s->terms.any || b->min_length < end;
}

enum { SHARES = 8 }; /* sums at a time, as one would wait for itself */

/* D = g . y of `count` queries, each summed in the order of its terms, as g . v_j is by tiles: where y is v_j, since one
 * weight is 1 and the others are 0, nothing may be left of the difference. */
static ALWAYS_INLINE void dot_rows(int64_t e, const T *g, int64_t g_row, const T *y, int64_t y_row, T *share,
                                   const int count)
{
    T sum[SHARES] = {0};
    for (int64_t c = 0; c < e; c++) {
        UNROLL
        for (int i = 0; i < count; i++)
            sum[i] = muladd_of(g[i * g_row + c], y[i * y_row + c], sum[i]);
    }
    UNROLL
    for (int i = 0; i < count; i++)
        share[i] = sum[i];
}

static void pack_query_block(const grad_call *call, query_block *b)
{
    const heed__attention_args *s = call->s;
    const heed__attention_grads *out = call->out;
    const T *q = s->q, *g = out->g, *y = s->y, *statistics = s->statistics;
    const grad_workspace *w = &call->workspace;
    for (int at = 0; at < b->count; at++) {
        pack_queries(q, s->q_row, &b->tiles[at], s->d, scale_of_queries(s), w->q + at * QUERY_TILE * s->d);
        pack_queries(g, out->g_row, &b->tiles[at], s->e, 1, w->g + at * QUERY_TILE * s->e);
    }
    for (int64_t at = 0; at < b->end - b->begin; at++) {
        w->max[at] = statistics[b->begin + at];
        w->inverse[at] = statistics[s->queries + b->begin + at];
    }
    int64_t i = b->begin;
    for (; i + SHARES <= b->end; i += SHARES)
        dot_rows(s->e, g + i * out->g_row, out->g_row, y + i * s->y_row, s->y_row, w->share + i - b->begin, SHARES);
    for (; i < b->end; i++)
        dot_rows(s->e, g + i * out->g_row, out->g_row, y + i * s->y_row, s->y_row, w->share + i - b->begin, 1);
    for (int64_t at = b->end - b->begin; at < b->count * QUERY_TILE; at++)
        w->max[at] = w->inverse[at] = w->share[at] = 0;
    if (has_border(s, b, s->keys)) {
        int64_t n = b->end - b->begin;
        b->q_finite = are_finite(n, s->d, q + b->begin * s->q_row, s->q_row);
        b->g_finite = are_finite(n, s->e, g + b->begin * out->g_row, out->g_row);
    }
}

/* -- A tile of queries and a block of keys ------------------------------------------------------------------------- */

/* Scores, which are in `weights`, and products g v^T, in `slopes`, become w and ds: of the register of queries from
 * `at` on, which is lane l of a tile. `factors`, of dropout, `visible` and terms, which become dbias, may be NULL. */
static ALWAYS_INLINE void recompute_weights(int64_t keys, const grad_workspace *w, int64_t at, T scale,
                                            const T score_scale, const T *factors, const SIGNED_BITS *visible, T *terms)
{
    const vec max = load(w->max + at), inverse = load(w->inverse + at), share = load(w->share + at);
    T *weights = w->weights + at, *slopes = w->slopes + at;
    for (int64_t j = 0; j < keys; j++, weights += w->queries, slopes += w->queries) {
        vec score = load(weights), slope = load(slopes), term = terms ? load(terms + j * QUERY_TILE) : (vec){0};
        if (terms)
            score = add_term(score, term);
        vec weight = exp_below_vec((score - max) * score_scale) * inverse;
        if (factors)
            slope = apply_dropout(slope, factors + j * QUERY_TILE);
        slope = (slope - share) * weight;
        if (terms) {
            const vec_mask unseen = term == splat(-K(INFINITY));
            slope = select_vec(unseen, (vec){0}, slope);
            weight = select_vec(unseen, (vec){0}, weight);
            store(terms + j * QUERY_TILE, slope);
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

static void grad_of_tile(const grad_call *call, const query_tile *tile, int64_t at, int64_t first, int64_t keys)
{
    const heed__attention_args *s = call->s;
    const grad_workspace *w = &call->workspace;
    T *weights = w->weights + at, *slopes = w->slopes + at;
    const T score_scale = scale_of_scores(s), scale = scale_of_queries(s) * score_scale;
    const T *factors = s->dropout ? w->drop_factors : NULL;
    SIGNED_BITS visible[QUERY_TILE];
    score_tile(s->d, (const T *)s->k + first * s->k_row, s->k_row, keys, w->q + at * s->d, tile->vectors, weights,
               w->queries);
    score_tile(s->e, (const T *)s->v + first * s->v_row, s->v_row, keys, w->g + at * s->e, tile->vectors, slopes,
               w->queries);
    if (factors)
        dropout_factors_of_tile(s, tile, first, keys, w->rows, w->drop_factors);
    const bool terms = s->terms.any, masked = !terms && tile->min_length < first + keys;
    if (masked)
        count_visible(s, tile, first, keys, visible);
    for (int l = 0; l < tile->vectors * WIDTH; l += WIDTH) {
        if (factors || masked || terms || score_scale != 1)
            recompute_weights(keys, w, at + l, scale, score_scale, factors ? factors + l : NULL,
                              masked ? visible + l : NULL, terms ? w->terms + l : NULL);
        else /* constants, so that nothing is tested in the loop */
            recompute_weights(keys, w, at + l, scale, 1, NULL, NULL, NULL);
    }
    if (call->out->dbias)
        add_to_bias(s, tile, first, keys, w->terms, call->out->dbias);
}

/* w and ds are 0 for those of `keys` keys from `first` on that no query of the tile sees. */
static void grad_of_visible(const grad_call *call, query_tile *tile, int64_t at, int64_t first, int64_t keys)
{
    const grad_workspace *w = &call->workspace;
    int64_t visible = is_beside(call->s, tile, first, keys) ? 0 : min_i64(tile->max_length - first, keys);
    if (visible > 0 && call->s->terms.any && !terms_of_tile(call->s, tile, first, visible, w->rows, w->terms))
        visible = 0;
    if (visible > 0)
        grad_of_tile(call, tile, at, first, visible);
    for (int64_t j = visible; j < keys; j++) {
        memset(w->weights + j * w->queries + at, 0, QUERY_TILE * sizeof(T));
        memset(w->slopes + j * w->queries + at, 0, QUERY_TILE * sizeof(T));
    }
}

/* -- A block of queries and one of keys ---------------------------------------------------------------------------- */

/* dv or dk += x^T b, x being w or ds from query `at` of the block on. */
static void add_to_keys(const grad_call *call, const query_block *b, int64_t at, int64_t n, int64_t first, int64_t keys,
                        bool values)
{
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
                      .by_query = true,
                      .query = query,
                      .key = first};
    p.b = (const T *)(values ? out->g : s->q) + query * p.b_row;
    p.c = (T *)(values ? out->dv : out->dk) + first * p.c_row;
    if (p.lost)
        p.lost += (first - call->first) * p.columns;
    if (has_border(s, b, first + keys) && !(values ? b->g_finite : b->q_finite))
        add_product_not_finite(s, &p, b->min_length, w->copy);
    else
        add_product(&p);
}

/* dq += ds k */
static void add_to_queries(const grad_call *call, const query_block *b, int64_t at, int64_t n, int64_t first,
                           int64_t keys)
{
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
                      .query = query,
                      .key = first};
    if (has_border(s, b, first + keys) && !are_finite(keys, s->d, p.b, p.b_row))
        add_product_not_finite(s, &p, b->min_length, w->copy);
    else
        add_product(&p);
}

static void grad_block(const grad_call *call, query_block *b, int64_t first, int64_t keys)
{
    const heed__attention_grads *out = call->out;
    int from = 0, to = b->count;
    while (from < to && is_beside(call->s, &b->tiles[from], first, keys))
        from++;
    while (from < to && is_beside(call->s, &b->tiles[to - 1], first, keys))
        to--;
    if (from == to)
        return;
    for (int at = from; at < to; at++)
        grad_of_visible(call, &b->tiles[at], (int64_t)at * QUERY_TILE, first, keys);
    int64_t at = (int64_t)from * QUERY_TILE, n = min_i64(b->end - b->begin, (int64_t)to * QUERY_TILE) - at;
    if (out->dv)
        add_to_keys(call, b, at, n, first, keys, true);
    if (out->dk)
        add_to_keys(call, b, at, n, first, keys, false);
    if (out->dq)
        add_to_queries(call, b, at, n, first, keys);
}

static void clear_rows(T *x, int64_t row, int64_t columns, int64_t begin, int64_t end)
{
    for (int64_t i = begin; x && i < end; i++)
        memset(x + i * row, 0, (size_t)columns * sizeof(T));
}

static void attention_grad_kernel(const heed__attention_args *args, const heed__attention_grads *grads, int64_t begin,
                                  int64_t end, void *scratch)
{
    clear_rows(grads->dq, grads->dq_row, args->d, 0, args->queries);
    clear_rows(grads->dk, grads->dk_row, args->d, begin, end);
    clear_rows(grads->dv, grads->dv_row, args->e, begin, end);
    if (heed__attention_by_query(args)) {
        grad_by_query(args, grads, begin, end, scratch);
        return;
    }
    grad_call call = {args, grads, grad_workspace_of(args, end - begin, scratch), begin};
    for (int64_t i = 0; i < args->queries; i += call.workspace.queries) {
        query_block b = query_block_of(args, i, min_i64(args->queries, i + call.workspace.queries));
        int64_t visible = min_i64(b.max_length, end);
        if (visible > begin)
            pack_query_block(&call, &b);
        if (call.workspace.lost_q)
            memset(call.workspace.lost_q, 0, (size_t)(call.workspace.queries * args->d) * sizeof(T));
        const int64_t skipped = b.min_key > begin ? (b.min_key - begin) / HEED_ATTENTION_KEYS : 0;
        for (int64_t j = begin + skipped * HEED_ATTENTION_KEYS; j < visible; j += HEED_ATTENTION_KEYS)
            grad_block(&call, &b, j, min_i64(visible - j, HEED_ATTENTION_KEYS));
    }
}

#endif
