/* kernels/attention/additive_scores.h - the scores of additive attention. See attention/additive_pairs.h. */
#ifndef HEED_KERNELS_ATTENTION_ADDITIVE_SCORES_H
#define HEED_KERNELS_ATTENTION_ADDITIVE_SCORES_H

#include "kernels/attention/additive_pairs.h"
#include "kernels/kernels.h"

/* Sets y[0 .. count - 1] to the scores of a row with `count` consecutive keys. The row and the keys were prepared with
 * the factor w. */
static ALWAYS_INLINE void score_key_tile(const T *row, const T *key, int64_t width, int count, T *y)
{
    const int64_t next = KEY_LINES * width;
    vec sum[KEY_TILE] = {{0}}, n[2], d[2];
    int64_t h = 0;
    for (; h + PAIR_WIDTH <= width; h += PAIR_WIDTH) {
        UNROLL
        for (int c = 0; c < count; c++) {
            fraction(row, key + c * next, width, h, &n[0], &d[0]);
            fraction(row, key + c * next, width, h + WIDTH, &n[1], &d[1]);
            sum[c] = muladd_vec(muladd_vec(n[1], d[0], n[0] * d[1]), 1 / (d[0] * d[1]), sum[c]);
        }
    }
    if (h < width) {
        UNROLL
        for (int c = 0; c < count; c++) {
            fraction(row, key + c * next, width, h, &n[0], &d[0]);
            sum[c] += n[0] / d[0];
        }
    }
    UNROLL
    for (int c = 0; c < count; c++)
        y[c] = add_lanes(sum[c]);
}

static void score_by_products(const T *row, const prepared *keys, int64_t begin, int64_t end, T *y)
{
    int64_t j = begin;
    for (; j + KEY_TILE <= end; j += KEY_TILE)
        score_key_tile(row, prepared_at(keys, j), keys->width, KEY_TILE, y + j);
    for (; j < end; j++)
        score_key_tile(row, prepared_at(keys, j), keys->width, 1, y + j);
}

/* The same by tanh(a + b), directly. */
static void score_by_tanh(int64_t units, const T *a, const T *b, const T *w, int64_t begin, int64_t end, T *y)
{
    for (int64_t j = begin; j < end; j++) {
        vec sum = {0};
        for (int64_t h = 0; h < units; h += WIDTH) {
            vec x = load_rest(a + h, units - h) + load_rest(b + j * units + h, units - h);
            sum = muladd_vec(load(w + h), tanh_vec(x), sum);
        }
        y[j] = add_lanes(sum);
    }
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

/* The scores of row i for the n prepared keys from `first` on, if it sees them. */
static void additive_score_row(const heed__additive_args *s, const prepared *rows, const prepared *keys, int64_t i,
                               int64_t first, int64_t n, const T *w, T *y)
{
    const T *a = (const T *)s->a + i * s->units, *b = (const T *)s->b + first * s->units;
    const bool *visible = additive_visible(s, i, first);
    n = min_i64(additive_length(s, i) - first, n);
    for (int64_t j = 0, next; j < n; j = next) {
        next = end_of_span(keys, rows->direct[i], visible, j, n);
        if (visible && !visible[j])
            fill_zeros(y + i * s->keys + first, j, next);
        else if (rows->direct[i] || keys->direct[j])
            score_by_tanh(s->units, a, b, w, j, next, y + i * s->keys + first);
        else
            score_by_products(prepared_at(rows, i), keys, j, next, y + i * s->keys + first);
    }
}

static int64_t additive_scores_kernel(const heed__additive_args *s, void *y_, void *scratch)
{
    const int64_t units = s->units, width = (units + WIDTH - 1) / WIDTH * WIDTH;
    arena memory = {.base = scratch};
    T *w = take_array(&memory, width, sizeof(T));
    prepared rows = prepared_of(&memory, HEED_ADDITIVE_ROWS, ROW_LINES, width);
    prepared keys = prepared_of(&memory, HEED_ADDITIVE_KEYS, KEY_LINES, width);
    if (!scratch)
        return memory.bytes;
    const int64_t longest = longest_length(s);
    const T *a = s->a, *b = s->b;
    T *y = y_;
    const bool all_direct = any_large_factor(s, width, w);
    for (int64_t i = 0; i < s->rows; i++) {
        prepare(&rows, i, units, a + i * units, w);
        rows.direct[i] = rows.direct[i] || all_direct;
        fill_zeros(y + i * s->keys, additive_length(s, i), s->keys);
    }
    for (int64_t first = 0; first < longest; first += HEED_ADDITIVE_KEYS) {
        const int64_t n = min_i64(longest - first, HEED_ADDITIVE_KEYS);
        keys.any_direct = false;
        for (int64_t j = 0; j < n; j++)
            prepare(&keys, j, units, b + (first + j) * units, w);
        for (int64_t i = 0; i < s->rows; i++)
            additive_score_row(s, &rows, &keys, i, first, n, w, y);
    }
    return memory.bytes;
}

#endif
