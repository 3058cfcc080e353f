/* kernels/attention/additive_scores.h - the scores of additive attention. See attention/additive_pairs.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_ADDITIVE_SCORES_H
#define HEED_KERNELS_ATTENTION_ADDITIVE_SCORES_H

#include "kernels/attention/additive_pairs.h"
#include "kernels/kernels.h"

/* Adds the terms of register h of the hidden units, of a row and `count` consecutive keys, to part `part` of `sum`. */
static ALWAYS_INLINE void add_units(const T *row, const T *key, int64_t width, int64_t h, int count, const int part,
                                    const enum sharing sharing, wide_vec *sum)
{
    vec n, d, n1, d1;
    UNROLL
    for (int c = 0; c < count; c++, key += KEY_LINES * width) {
        vec *to = &sum[c].part[part];
        fraction(row, key, width, h, &n, &d);
        if (sharing == WITH_UNITS) {
            fraction(row, key, width, h + LANES, &n1, &d1);
            *to = muladd_vec(muladd_vec(n1, d, n * d1), 1 / (d * d1), *to);
        } else {
            *to = sharing == WITH_PADDING ? muladd_vec(n, 1 / d, *to) : *to + n / d;
        }
    }
}

/* Sets y[0 .. count - 1] to the scores of a row with `count` consecutive keys. The row and the keys were prepared with
 * the factor w. */
static ALWAYS_INLINE void score_key_tile(const T *row, const T *key, int64_t width, int count, T *y)
{
    wide_vec sum[KEY_TILE] = {{{{0}}}};
    int64_t h = 0;
    for (; h + LANES < width; h += PAIR_UNITS) {
        UNROLL
        for (int p = 0; p < PARTS; p++) {
            const int64_t at = h + p * WIDTH;
            if (p == 0 || at + LANES < width)
                add_units(row, key, width, at, count, p, WITH_UNITS, sum);
            else
                add_units(row, key, width, at, count, p, WITH_PADDING, sum);
        }
    }
    UNROLL
    for (int p = 0; p < PARTS; p++)
        if (h + p * WIDTH < width)
            add_units(row, key, width, h + p * WIDTH, count, p, ALONE, sum);
    UNROLL
    for (int c = 0; c < count; c++)
        y[c] = add_wide_lanes(sum[c]);
}

static void score_by_products(const T *row, const prepared *keys, int64_t begin, int64_t end, T *y)
{
    int64_t j = begin;
    for (; j + KEY_TILE <= end; j += KEY_TILE)
        score_key_tile(row, prepared_at(keys, j), keys->width, KEY_TILE, y + j);
    for (; j < end; j++)
        score_key_tile(row, prepared_at(keys, j), keys->width, 1, y + j);
}

/* Fills w up to `width`; returns whether one factor is NaN or above PAIR_FACTOR_HIGH in magnitude. */
static bool any_large_factor(const heed__additive_args *s, int64_t width, T *w)
{
    bool large = false;
    for (int64_t h = 0; h < width; h++) {
        w[h] = h < s->units ? ((const T *)s->w)[h] : 0;
        large = large || !(LIBM(fabs)(w[h]) <= PAIR_FACTOR_HIGH);
    }
    return large;
}

/* Rows of a batch element, and a block of the keys visible to any row, prepared with the factors w. */
typedef struct score_block {
    const heed__additive_args *s;
    T *w;
    prepared rows, keys;
    int64_t first, n; /* first key and number of keys */
} score_block;

/* The same as score_by_products by tanh(a + b), directly, for row i. */
static void score_by_tanh(const score_block *k, int64_t i, int64_t begin, int64_t end, T *y)
{
    const int64_t units = k->s->units;
    const T *a = (const T *)k->s->a + i * units, *b = (const T *)k->s->b + k->first * units;
    for (int64_t j = begin; j < end; j++) {
        wide_vec sum = {{{0}}};
        for (int64_t h = 0; h < units; h += LANES) {
            UNROLL
            for (int p = 0; p < PARTS; p++) {
                const int64_t at = h + p * WIDTH;
                if (at >= units)
                    break;
                vec x = load_rest(a + at, units - at) + load_rest(b + j * units + at, units - at);
                sum.part[p] = muladd_vec(load(k->w + at), tanh_vec(x), sum.part[p]);
            }
        }
        y[j] = add_wide_lanes(sum);
    }
}

/* The scores of row i, from y on, for the keys of the block that it sees. */
static void additive_score_row(const score_block *k, int64_t i, T *y)
{
    const bool *visible = additive_visible(k->s, i, k->first);
    const int64_t n = min_i64(additive_length(k->s, i) - k->first, k->n);
    for (int64_t j = 0, next; j < n; j = next) {
        next = end_of_span(&k->keys, k->rows.direct[i], visible, j, n);
        if (visible && !visible[j])
            fill_zeros(y, j, next);
        else if (k->rows.direct[i] || k->keys.direct[j])
            score_by_tanh(k, i, j, next, y);
        else
            score_by_products(prepared_at(&k->rows, i), &k->keys, j, next, y);
    }
}

static int64_t additive_scores_kernel(const heed__additive_args *s, void *y_, void *scratch)
{
    const int64_t units = s->units, width = (units + WIDTH - 1) / WIDTH * WIDTH; /* whole registers */
    arena memory = {.base = scratch};
    score_block k; /* not cleared, which would be measurable in a small attention */
    k.s = s;
    k.w = take_array(&memory, width, sizeof(T));
    k.rows = prepared_of(&memory, HEED_ADDITIVE_ROWS, ROW_LINES, width);
    k.keys = prepared_of(&memory, HEED_ADDITIVE_KEYS, KEY_LINES, width);
    if (!scratch)
        return memory.bytes;
    const int64_t longest = longest_length(s);
    const T *a = s->a, *b = s->b;
    T *y = y_;
    const bool all_direct = any_large_factor(s, width, k.w);
    for (int64_t i = 0; i < s->rows; i++) {
        prepare(&k.rows, i, units, a + i * units, k.w);
        k.rows.direct[i] = k.rows.direct[i] || all_direct;
        fill_zeros(y + i * s->keys, additive_length(s, i), s->keys);
    }
    for (k.first = 0; k.first < longest; k.first += HEED_ADDITIVE_KEYS) {
        k.n = min_i64(longest - k.first, HEED_ADDITIVE_KEYS);
        k.keys.any_direct = false;
        for (int64_t j = 0; j < k.n; j++)
            prepare(&k.keys, j, units, b + (k.first + j) * units, k.w);
        for (int64_t i = 0; i < s->rows; i++)
            additive_score_row(&k, i, y + i * s->keys + k.first);
    }
    return memory.bytes;
}

#endif
