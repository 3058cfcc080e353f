/* kernels/attention/by_query.h - dot-product attention for one query at a time and the keys that it sees. Used for a
 * single query, which would fill only one lane of a tile, or for sizes so small that packing would take longer. See
 * attention/forward.h and attention/backward.h for the formulas.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_BY_QUERY_H
#define HEED_KERNELS_ATTENTION_BY_QUERY_H

#include <math.h>
#include <string.h>

#include "kernels/attention/queries.h"
#include "kernels/attention/score_bias.h"
#include "kernels/elementwise/dropout.h"
#include "kernels/kernels.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/total.h"

/* out += factor x. The last n % LANES products are rounded before they are added. */
static ALWAYS_INLINE void add_scaled_row(int64_t n, T factor, const T *x, T *out)
{
    const int64_t whole = n - n % LANES;
    int64_t c = 0;
    for (; c < whole; c += WIDTH)
        store(out + c, muladd_vec(splat(factor), load(x + c), load(out + c)));
    for (; c + WIDTH <= n; c += WIDTH)
        store(out + c, load(out + c) + splat(factor) * load(x + c));
    for (; c < n; c++)
        out[c] += factor * x[c];
}

enum { SUMS_TOGETHER = 4 }; /* registers summed together */

/* out += sum_j factors[j] x_j, for `count` elements in up to `registers` registers. */
static ALWAYS_INLINE void add_scaled_columns(int64_t rows, const T *factors, row_matrix x, int64_t count, int registers,
                                             T *out)
{
    vec sum[SUMS_TOGETHER];
    UNROLL
    for (int v = 0; v < registers; v++)
        sum[v] = load_at(out, v * WIDTH, count);
    for (int64_t j = 0; j < rows; j++, x.at += x.row) {
        UNROLL
        for (int v = 0; v < registers; v++)
            sum[v] = muladd_vec(splat(factors[j]), load_at(x.at, v * WIDTH, count), sum[v]);
    }
    UNROLL
    for (int v = 0; v < registers; v++)
        store_at(out, v * WIDTH, count, sum[v]);
}

/* out += sum_j factors[j] x_j, for rows of n elements. */
static ALWAYS_INLINE void add_scaled_rows(int64_t rows, const T *factors, row_matrix x, int64_t n, T *out)
{
    int64_t c = 0;
    for (; c + SUMS_TOGETHER * WIDTH <= n; c += SUMS_TOGETHER * WIDTH)
        add_scaled_columns(rows, factors, (row_matrix){x.at + c, x.row}, SUMS_TOGETHER * WIDTH, SUMS_TOGETHER, out + c);
    for (; c < n; c += WIDTH)
        add_scaled_columns(rows, factors, (row_matrix){x.at + c, x.row}, n - c, 1, out + c);
}

/* The number of rows whose wide registers of sums fit into the registers. */
enum { DOT_ROWS = PARTS == 1 || WIDTH < 4 ? WIDTH : 4 };

/* The dot products of factor x and `rows` rows of y, lane by lane. n is a multiple of LANES. */
static ALWAYS_INLINE void dot_lanes(int64_t n, T factor, const T *x, const T *y, int64_t y_row, const int rows,
                                    vec *sums)
{
    wide_vec wide[DOT_ROWS] = {{{{0}}}};
    for (int64_t c = 0; c < n; c += LANES) {
        UNROLL
        for (int p = 0; p < PARTS; p++) {
            const int64_t at = c + p * WIDTH;
            const vec scaled = splat(factor) * load(x + at);
            UNROLL16
            for (int l = 0; l < rows; l++)
                wide[l].part[p] = muladd_vec(scaled, load(y + l * y_row + at), wide[l].part[p]);
        }
    }
    UNROLL16
    for (int l = 0; l < rows; l++)
        sums[l] = add_parts(wide[l]);
}

/* factor x . y. The last n % LANES products are added to the sum of the others one by one. */
static ALWAYS_INLINE T scaled_dot(int64_t n, T factor, const T *x, const T *y)
{
    const int64_t whole = n - n % LANES;
    vec sums;
    dot_lanes(whole, factor, x, y, 0, 1, &sums);
    T sum = whole > 0 ? add_lanes(sums) : 0;
    for (int64_t c = whole; c < n; c++)
        sum += factor * x[c] * y[c];
    return sum;
}

/* The same for WIDTH rows of y, with the same bits. */
static ALWAYS_INLINE void scaled_dots(int64_t n, T factor, const T *x, const T *y, int64_t y_row, T *dot)
{
    const int64_t whole = n - n % LANES;
    vec sums[WIDTH];
    UNROLL
    for (int l = 0; l < WIDTH; l += DOT_ROWS)
        dot_lanes(whole, factor, x, y + l * y_row, y_row, DOT_ROWS, sums + l);
    store(dot, add_lanes_of_each(sums));
    for (int64_t c = whole; c < n; c++)
        for (int l = 0; l < WIDTH; l++)
            dot[l] += factor * x[c] * y[l * y_row + c];
}

/* A sum of many rows of n, made of chains whose sums are added to the total. For few rows `lost` is NULL, and rows are
 * added to the sum itself. */
typedef struct row_sum {
    int64_t n, rows; /* number of rows in the chain */
    T *sum, *lost, *chain;
} row_sum;

static void row_sum_end_chain(row_sum *t)
{
    if (t->lost)
        total_add_row_kernel(t->n, t->chain, t->sum, t->lost);
}

/* `scratch` holds 2 n elements. */
static row_sum row_sum_of(int64_t n, T *sum, bool is_long, T *scratch)
{
    row_sum t = {.n = n, .sum = sum, .lost = is_long ? scratch : NULL, .chain = is_long ? scratch + n : sum};
    if (is_long)
        memset(scratch, 0, (size_t)(2 * n) * sizeof(T));
    return t;
}

/* Adds factors[j] x_j for some rows. */
static ALWAYS_INLINE void row_sum_add(row_sum *t, int64_t rows, const T *factors, row_matrix x)
{
    for (int64_t j = 0, here; j < rows; j += here, t->rows += here) {
        if (t->lost && t->rows == HEED_LONG_CHAIN) {
            row_sum_end_chain(t);
            memset(t->chain, 0, (size_t)t->n * sizeof(T));
            t->rows = 0;
        }
        here = t->lost ? min_i64(rows - j, HEED_LONG_CHAIN - t->rows) : rows - j;
        add_scaled_rows(here, factors + j, (row_matrix){x.at + j * x.row, x.row}, t->n, t->chain);
    }
}

/* Workspace of a query: arrays with an element per key and space for a whole register, NULL unless the call has dropout
 * or score biases, and memory for row_sum_of. */
typedef struct query_workspace {
    T *weights, *factors, *score_bias, *sums;
} query_workspace;

static query_workspace query_workspace_of(const heed__attention_args *s, arena *a)
{
    const int64_t n = s->keys + WIDTH, widest = s->d > s->e ? s->d : s->e;
    query_workspace w = {0};
    w.weights = take_array(a, n, sizeof(T));
    if (s->dropout)
        w.factors = take_array(a, n, sizeof(T));
    if (heed__has_score_bias(&s->visibility))
        w.score_bias = take_array(a, n, sizeof(T));
    if (heed__is_long(s->keys))
        w.sums = take_array(a, 2 * widest, sizeof(T));
    return w;
}

/* The keys begin .. end - 1 of query i; begin is a multiple of LANES. */
typedef struct query_keys {
    int64_t begin, end;
    bool any; /* true if the query sees one of them */
} query_keys;

static query_keys query_keys_of(const heed__attention_args *s, int64_t i, int64_t begin, int64_t end,
                                const query_workspace *work)
{
    const heed__key_range range = heed__visible_range(&s->visibility, i);
    query_keys of = {begin, min_i64(range.end, end), true};
    if (!work->score_bias) {
        of.any = of.end > begin;
        return of;
    }
    of.begin = range.begin > begin ? range.begin - range.begin % LANES : begin;
    of.any = of.end > of.begin && score_bias_of_row(s, i, of.begin, of.end - of.begin, work->score_bias + of.begin);
    return of;
}

static ALWAYS_INLINE bool is_hidden_key(const T *score_bias, int64_t j)
{
    return score_bias && score_bias[j] == -K(INFINITY);
}

/* Sets x[j], where x is work->weights, to the score q k_j, plus score_bias[j] if there are score biases (-inf hides the
 * key), for j from keys->begin, a multiple of LANES, to keys->end - 1. Fills x with -inf up to the end of the last
 * register. */
static void scores_of_query(const heed__attention_args *s, int64_t i, const query_keys *keys,
                            const query_workspace *work)
{
    const int64_t begin = keys->begin, n = keys->end, d = s->d, k_row = s->k_row;
    const T *q = (const T *)s->q + i * s->q_row, *k = s->k, *score_bias = work->score_bias;
    const T scale = scale_of_queries(s);
    T *x = work->weights;
    int64_t j = begin;
    for (; d >= LANES && j + WIDTH <= n; j += WIDTH)
        scaled_dots(d, scale, q, k + j * k_row, k_row, x + j);
    for (; j < n; j++)
        x[j] = scaled_dot(d, scale, q, k + j * k_row);
    for (j = begin; score_bias && j < n; j++)
        x[j] = is_hidden_key(score_bias, j) ? -K(INFINITY) : x[j] + score_bias[j];
    for (j = n; j % WIDTH != 0; j++)
        x[j] = -K(INFINITY);
}

/* The largest score; -inf if the range is empty or contains only -inf and NaN. */
static ALWAYS_INLINE T largest_score(const T *x, int64_t begin, int64_t end)
{
    vec most = splat(-K(INFINITY));
    int64_t j = begin;
    for (; j + WIDTH <= end; j += WIDTH)
        most = max_vec(load(x + j), most);
    T largest = j > begin ? max_lanes(most) : -K(INFINITY);
    for (; j < end; j++)
        largest = x[j] > largest ? x[j] : largest;
    return largest;
}

/* x[j] = e^(s_j - max) for these keys, then zeros up to the end of the last register. Returns their sum. With
 * `find_max`, max becomes the largest score, or 0 instead of -inf. */
static T exp_scores(const heed__attention_args *s, int64_t i, const query_keys *keys, const query_workspace *work,
                    bool find_max, T *max)
{
    const int64_t begin = keys->begin, n = keys->end;
    const T score_scale = scale_of_scores(s);
    T *x = work->weights;
    scores_of_query(s, i, keys, work);
    if (find_max) {
        const T largest = largest_score(x, begin, n);
        *max = largest == -K(INFINITY) ? 0 : largest;
    }
    const int64_t step = heed__is_long(n - begin) ? CHAIN_TERMS : n;
    lane_sums total = lane_sums_for(n - begin);
    for (int64_t first = begin; first < n; first += step) {
        wide_vec sum = {{{0}}};
        for (int64_t j = first; j < n && j < first + step; j += LANES) {
            UNROLL
            for (int p = 0; p < PARTS; p++) {
                const int64_t at = j + p * WIDTH;
                if (at >= n)
                    break;
                vec weight = exp_below_vec((load(x + at) - splat(*max)) * score_scale);
                store(x + at, weight);
                sum.part[p] += weight;
            }
        }
        lane_sums_add(&total, sum);
    }
    return lane_sums_value(total);
}

/* The factors of the weights: 0 for a dropped weight. */
static void dropout_factors_of_row(const heed__attention_args *s, int64_t i, int64_t n, T *factors)
{
    uint32_t words[DROPOUT_WORDS];
    for (int64_t first = 0; first < n; first += HEED_ATTENTION_KEYS) {
        int64_t count = min_i64(n - first, HEED_ATTENTION_KEYS);
        int64_t element = s->first + i * s->keys + first, skip = element % 4;
        dropout_words(s->dropout, element / 4, (skip + count + 3) / 4, words);
        for (int64_t j = 0; j < count; j++)
            factors[first + j] = words[skip + j] < (uint32_t)s->dropout->threshold ? 0 : (T)s->dropout->factor;
    }
}

/* Adds the rows of x times work->weights, for visible keys. */
static void add_visible(row_sum *total, const query_keys *keys, const query_workspace *work, row_matrix x)
{
    for (int64_t j = keys->begin, n = keys->end, hidden; j < n; j = hidden + 1) {
        for (hidden = work->score_bias ? j : n; hidden < n && !is_hidden_key(work->score_bias, hidden);)
            hidden++;
        row_sum_add(total, hidden - j, work->weights + j, (row_matrix){x.at + j * x.row, x.row});
    }
}

/* Turns e^(s_j - max) into weights. */
static void finish_weights(const heed__attention_args *s, int64_t i, const query_keys *keys, T inverse,
                           const query_workspace *work)
{
    T *weights = work->weights;
    for (int64_t j = keys->begin; j < keys->end; j += WIDTH)
        store(weights + j, load(weights + j) * inverse);
    if (!s->dropout)
        return;
    dropout_factors_of_row(s, i, keys->end, work->factors);
    for (int64_t j = keys->begin; j < keys->end; j++)
        weights[j] = work->factors[j] == 0 ? 0 : weights[j] * work->factors[j];
}

static int64_t attend_by_query(const heed__attention_args *s, int64_t begin, int64_t end, void *scratch)
{
    arena a = {.base = scratch};
    const query_workspace work = query_workspace_of(s, &a);
    for (int64_t i = begin; scratch && i < end; i++) {
        const query_keys keys = query_keys_of(s, i, 0, s->keys, &work);
        T *y = (T *)s->y + i * s->y_row, *statistics = (T *)s->statistics + i, max;
        T sum = exp_scores(s, i, &keys, &work, true, &max), inverse = keys.any ? 1 / sum : 0;
        statistics[0] = max;
        statistics[s->queries] = inverse;
        memset(y, 0, (size_t)s->e * sizeof(T));
        row_sum total = row_sum_of(s->e, y, heed__is_long(keys.end - keys.begin), work.sums);
        finish_weights(s, i, &keys, inverse, &work);
        add_visible(&total, &keys, &work, values_from(s, 0));
        row_sum_end_chain(&total);
    }
    return a.bytes;
}

/* Gradients from keys begin .. end - 1; the results must be cleared, except for sums over pairs. */
static int64_t grad_by_query(const heed__attention_args *s, const heed__attention_grads *out, int64_t begin,
                             int64_t end, void *scratch)
{
    arena a = {.base = scratch};
    const query_workspace work = query_workspace_of(s, &a);
    const T scale = scale_of_queries(s) * scale_of_scores(s);
    for (int64_t i = 0; scratch && i < s->queries; i++) {
        const query_keys keys = query_keys_of(s, i, begin, end, &work);
        const T *q = (const T *)s->q + i * s->q_row, *g = (const T *)out->g + i * out->g_row;
        T max = ((const T *)s->statistics)[i], inverse = ((const T *)s->statistics)[s->queries + i];
        T share = scaled_dot(s->e, 1, g, (const T *)s->y + i * s->y_row);
        T *dq = (T *)out->dq + (out->dq ? i * out->dq_row : 0);
        row_sum total = row_sum_of(s->d, dq, dq && heed__is_long(keys.end - keys.begin), work.sums);
        (void)exp_scores(s, i, &keys, &work, false, &max);
        if (s->dropout)
            dropout_factors_of_row(s, i, keys.end, work.factors);
        for (int64_t j = keys.begin; j < keys.end; j++) {
            if (is_hidden_key(work.score_bias, j))
                continue;
            T weight = work.weights[j] * inverse, slope = scaled_dot(s->e, 1, g, (const T *)s->v + j * s->v_row);
            if (s->dropout)
                slope = work.factors[j] == 0 ? 0 : slope * work.factors[j];
            slope = (slope - share) * weight;
            if (out->dbias)
                ((T *)out->dbias)[i * s->keys + j] += slope;
            if (out->distance_sum)
                total_add_row_kernel(1, &slope, (T *)out->distance_sum + j - i, (T *)out->distance_lost + j - i);
            slope *= scale;
            if (s->dropout)
                weight = work.factors[j] == 0 ? 0 : weight * work.factors[j];
            if (out->dv)
                add_scaled_row(s->e, weight, g, (T *)out->dv + j * out->dv_row);
            if (out->dk)
                add_scaled_row(s->d, slope, q, (T *)out->dk + j * out->dk_row);
            work.weights[j] = slope;
        }
        if (dq)
            add_visible(&total, &keys, &work, keys_from(s, 0));
        row_sum_end_chain(&total);
    }
    return a.bytes;
}

#endif
