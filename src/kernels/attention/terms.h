/* kernels/attention/terms.h - dot-product attention: the terms added to scores, for some keys of a query or of a tile
 * of queries. A term of -inf hides the key; it combines lengths, window, mask and bias. If the scale is above 1, terms
 * are divided by the factor that multiplies the scores later. */
#ifndef HEED_KERNELS_ATTENTION_TERMS_H
#define HEED_KERNELS_ATTENTION_TERMS_H

#include <math.h>

#include "kernels/attention/queries.h"
#include "kernels/kernels.h"
#include "kernels/simd/total.h"

static int64_t clamp_i64(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* -inf if a or b is -inf, whatever the other is; never -inf otherwise. */
static ALWAYS_INLINE T sum_of_terms(T a, T b)
{
    const T sum = a + b < -LARGEST ? -LARGEST : a + b;
    return a == -K(INFINITY) || b == -K(INFINITY) ? -K(INFINITY) : sum;
}

/* Computes terms[0 .. n - 1] of query i for the keys from `first` on; returns whether the query sees any of these. */
static bool terms_of_row(const heed__attention_args *s, int64_t i, int64_t first, int64_t n, T *terms)
{
    const heed__attention_terms *t = &s->terms;
    const int64_t begin = clamp_i64(heed__first_visible(&s->lengths, i) - first, 0, n);
    const int64_t end = clamp_i64(heed__length(&s->lengths, i) - first, begin, n);
    const T *bias = t->bias ? (const T *)t->bias + i * t->bias_row + first * t->bias_key : NULL;
    const bool *mask = t->mask ? t->mask + i * t->mask_row + first * t->mask_key : NULL;
    const T *by_distance = t->by_distance ? (const T *)t->by_distance + first - i : NULL;
    const T score_scale = scale_of_scores(s);
    for (int64_t j = 0; j < n; j++)
        terms[j] = j < begin || j >= end ? -K(INFINITY) : by_distance ? by_distance[j] : 0;
    for (int64_t j = begin; bias && j < end; j++)
        terms[j] = sum_of_terms(terms[j], bias[j * t->bias_key]);
    for (int64_t j = begin; score_scale != 1 && j < end; j++)
        terms[j] /= score_scale;
    for (int64_t j = begin; mask && j < end; j++)
        terms[j] = mask[j * t->mask_key] ? terms[j] : -K(INFINITY);
    int64_t hidden = 0;
    for (int64_t j = begin; j < end; j++)
        hidden += terms[j] == -K(INFINITY);
    return hidden < end - begin;
}

static bool pair_is_visible(const heed__attention_args *s, int64_t i, int64_t key)
{
    T term;
    return s->terms.any ? terms_of_row(s, i, key, 1, &term) : key < heed__length(&s->lengths, i);
}

/* Computes terms[j][l] of a tile; `rows` holds QUERY_TILE x KEYS elements. Records which queries see any of the keys;
 * returns whether one does. */
static bool terms_of_tile(const heed__attention_args *s, query_tile *tile, int64_t first, int64_t keys, T *rows,
                          T *terms)
{
    bool any = false;
    for (int l = 0; l < tile->count; l++) {
        const bool any_visible = terms_of_row(s, tile->first + l, first, keys, rows + l * HEED_ATTENTION_KEYS);
        tile->any_visible |= (uint32_t)any_visible << l;
        any = any || any_visible;
    }
    if (any)
        pack(rows, HEED_ATTENTION_KEYS, 1, tile->count, keys, terms, QUERY_TILE);
    return any;
}

static ALWAYS_INLINE vec add_term(vec score, vec term)
{
    const vec hidden = splat(-K(INFINITY));
    return select_vec(term == hidden, hidden, score + term);
}

/* scores[j][l] += terms[j][l] */
static void add_terms(int64_t keys, int vectors, const T *terms, T *scores)
{
    for (int64_t at = 0; at < keys * QUERY_TILE; at += QUERY_TILE)
        for (int l = 0; l < vectors * WIDTH; l += WIDTH)
            store(scores + at + l, add_term(load(scores + at + l), load(terms + at + l)));
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

/* Adds the sums over the pairs of every distance to the total: sums[n] belongs to the distance between the tile's last
 * query and key `first` + n. */
static void add_to_distances(const heed__attention_grads *out, const query_tile *tile, int64_t first, int64_t keys,
                             const T *slopes)
{
    T sums[QUERY_TILE + HEED_ATTENTION_KEYS] = {0};
    const int last = tile->count - 1;
    const int64_t at = first - (tile->first + last);
    for (int l = 0; l <= last; l++)
        for (int64_t j = 0; j < keys; j++)
            sums[last - l + j] += slopes[j * QUERY_TILE + l];
    total_add_row_kernel(last + keys, sums, (T *)out->distance_sum + at, (T *)out->distance_lost + at);
}

#endif
