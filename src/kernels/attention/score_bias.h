/* kernels/attention/score_bias.h - dot-product attention: the score biases for some keys of a query or of a tile of
 * queries. They are the sums of the biases, or -inf if lengths, window, mask or a bias hide the key. If the scale is
 * above 1, they are divided by the factor that multiplies the scores later.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_SCORE_BIAS_H
#define HEED_KERNELS_ATTENTION_SCORE_BIAS_H

#include <math.h>
#include <string.h>

#include "kernels/attention/queries.h"
#include "kernels/kernels.h"
#include "kernels/simd/total.h"

static int64_t clamp_i64(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* -inf if a or b is -inf, whatever the other is; never -inf otherwise. */
static ALWAYS_INLINE T sum_of_biases(T a, T b)
{
    const T sum = a + b < -LARGEST ? -LARGEST : a + b;
    return a == -K(INFINITY) || b == -K(INFINITY) ? -K(INFINITY) : sum;
}

/* Computes score_bias[0 .. n - 1] of query i for the keys from `first` on; returns whether the query sees any of
 * these. */
static bool score_bias_of_row(const heed__attention_args *s, int64_t i, int64_t first, int64_t n, T *score_bias)
{
    const heed__visibility *v = &s->visibility;
    const heed__pair_steps mask_step = v->mask_step, bias_step = v->bias_step;
    const heed__key_range range = heed__visible_range(v, i);
    const int64_t begin = clamp_i64(range.begin - first, 0, n), end = clamp_i64(range.end - first, begin, n);
    const T *bias = v->bias ? (const T *)v->bias + i * bias_step.query + first * bias_step.key : NULL;
    const bool *mask = v->mask ? v->mask + i * mask_step.query + first * mask_step.key : NULL;
    const T *relative_bias = v->relative_bias ? (const T *)v->relative_bias + first - i : NULL;
    const T score_scale = scale_of_scores(s);
    for (int64_t j = 0; j < n; j++)
        score_bias[j] = j < begin || j >= end ? -K(INFINITY) : relative_bias ? relative_bias[j] : 0;
    for (int64_t j = begin; bias && j < end; j++)
        score_bias[j] = sum_of_biases(score_bias[j], bias[j * bias_step.key]);
    for (int64_t j = begin; score_scale != 1 && j < end; j++)
        score_bias[j] /= score_scale;
    for (int64_t j = begin; mask && j < end; j++)
        score_bias[j] = mask[j * mask_step.key] ? score_bias[j] : -K(INFINITY);
    int64_t hidden = 0;
    for (int64_t j = begin; j < end; j++)
        hidden += score_bias[j] == -K(INFINITY);
    return hidden < end - begin;
}

static bool pair_is_visible(const heed__attention_args *s, int64_t i, int64_t key)
{
    T bias;
    return heed__has_score_bias(&s->visibility) ? score_bias_of_row(s, i, key, 1, &bias)
                                                : key < heed__visible_range(&s->visibility, i).end;
}

/* Computes score_bias[j][l] of a tile; `rows` holds QUERY_TILE x KEYS elements. Records which queries see any of the
 * keys; returns whether one does. */
static bool score_bias_of_tile(const heed__attention_args *s, query_tile *tile, int64_t first, int64_t keys, T *rows,
                               T *score_bias)
{
    bool any = false;
    for (int l = 0; l < tile->count; l++) {
        const bool any_visible = score_bias_of_row(s, tile->first + l, first, keys, rows + l * HEED_ATTENTION_KEYS);
        tile->any_visible |= (uint32_t)any_visible << l;
        any = any || any_visible;
    }
    if (any)
        pack(rows, HEED_ATTENTION_KEYS, 1, tile->count, keys, score_bias, QUERY_TILE);
    return any;
}

static ALWAYS_INLINE vec add_bias(vec score, vec bias)
{
    const vec hidden = splat(-K(INFINITY));
    return select_vec(bias == hidden, hidden, score + bias);
}

/* scores[j][l] += score_bias[j][l] */
static void add_score_bias(int64_t keys, int vectors, const T *score_bias, T *scores)
{
    for (int64_t at = 0; at < keys * QUERY_TILE; at += QUERY_TILE)
        for (int l = 0; l < vectors * WIDTH; l += WIDTH)
            store(scores + at + l, add_bias(load(scores + at + l), load(score_bias + at + l)));
}

/* dbias[i][first + j] += slopes[j][l] */
static void add_to_bias(const heed__attention_args *s, const query_tile *tile, int64_t first, int64_t keys,
                        const T *slopes, T *dbias)
{
    for (int l = 0; l < tile->count; l++) {
        T *row = dbias + (tile->first + l) * s->keys + first;
        for (int64_t j = 0; j < keys; j++)
            row[j] += slopes[j * QUERY_TILE + l];
    }
}

/* Sums by distance over the pairs of a group of queries and a block of keys. Number n belongs to the distance between
 * the last query of a whole group and key n of the block. */
enum { DISTANCE_SUMS = QUERY_GROUP + HEED_ATTENTION_KEYS };

/* Adds the slopes of a tile. */
static void sum_by_distance(const query_tile *tile, int64_t keys, const T *slopes, T *sums)
{
    sums += QUERY_GROUP - 1 - tile->first % QUERY_GROUP;
    for (int l = 0; l < tile->count; l++)
        for (int64_t j = 0; j < keys; j++)
            sums[j - l] += slopes[j * QUERY_TILE + l];
}

/* Adds the sums of a group, whose last tile is `tile`, to the totals, and clears them. `first` and `keys` describe the
 * block. */
static void add_to_distances(const heed__attention_grads *out, const query_tile *tile, int64_t first, int64_t keys,
                             T *sums)
{
    const int64_t last = tile->first + tile->count - 1, at = first - last;
    const T *begin = sums + QUERY_GROUP - 1 - last % QUERY_GROUP;
    total_add_row_kernel(last % QUERY_GROUP + keys, begin, (T *)out->distance_sum + at, (T *)out->distance_lost + at);
    memset(sums, 0, DISTANCE_SUMS * sizeof(T));
}

#endif
