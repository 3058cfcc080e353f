/* kernels/attention/additive_grad.h - the gradients of the scores of additive attention. See
 * attention/additive_pairs.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_ADDITIVE_GRAD_H
#define HEED_KERNELS_ATTENTION_ADDITIVE_GRAD_H

#include "kernels/attention/additive_pairs.h"
#include "kernels/kernels.h"
#include "kernels/simd/total.h"

/* The sums over the pairs of a row, for the registers of hidden units h and h + LANES of a block: da, without the
 * factor w, and dw. */
typedef struct pair_sums {
    vec da[2], dw[2];
} pair_sums;

/* With u = 1 - t^2:  da += g u,  db += g u,  dw += g t. */
static ALWAYS_INLINE void add_pair_grads(pair_sums *sums, int v, vec g, vec t, T *db)
{
    vec u = muladd_vec(-t, t, splat(1));
    sums->da[v] = muladd_vec(g, u, sums->da[v]);
    store(db, muladd_vec(g, u, load(db)));
    sums->dw[v] = muladd_vec(g, t, sums->dw[v]);
}

enum { PAIR_REGISTERS = 2 * PARTS };
_Static_assert(HEED_ADDITIVE_UNITS % PAIR_UNITS == 0, "blocks of hidden units must not depend on the call");

/* A block of hidden units of a batch element, and a block of the keys visible to any row. */
typedef struct unit_block {
    const heed__additive_args *s;
    int64_t h, units; /* the first unit, and the number of units: at most PAIR_UNITS */
    int64_t first, n; /* first key and number of keys */
    prepared keys, row;
    T *db;           /* (n, width): sums over rows, without the factor w */
    T *total, *lost; /* with many rows: db is added to this total after every HEED_LONG_CHAIN rows, and cleared */
    vec w[PAIR_REGISTERS];
    bool is_long; /* dw[v] + lost_dw[v] is a total */
    vec dw[PAIR_REGISTERS], lost_dw[PAIR_REGISTERS];
} unit_block;

/* Gradients from some keys, for register h of the block and, with WITH_UNITS, for register h + LANES. */
static ALWAYS_INLINE void grad_by_products(const unit_block *k, int64_t h, const enum sharing sharing,
                                           heed__key_range span, const T *g, pair_sums *sums)
{
    const int64_t width = sharing == ALONE ? LANES : PAIR_UNITS; /* equals k->keys.width */
    const T *row = k->row.first + h, *keys = k->keys.first + h;
    T *db = k->db + h;
    pair_sums local = *sums;
    for (int64_t j = span.begin; j < span.end; j++) {
        const T *key = keys + j * KEY_LINES * width;
        T *db_j = db + j * width;
        vec g_j = splat(g[j]), n0, d0, n1, d1;
        fraction(row, key, width, 0, &n0, &d0);
        if (sharing != WITH_UNITS) {
            add_pair_grads(&local, 0, g_j, sharing == ALONE ? n0 / d0 : n0 * (1 / d0), db_j);
            continue;
        }
        fraction(row, key, width, LANES, &n1, &d1);
        vec inverse = 1 / (d0 * d1);
        add_pair_grads(&local, 0, g_j, n0 * (d1 * inverse), db_j);
        add_pair_grads(&local, 1, g_j, n1 * (d0 * inverse), db_j + LANES);
    }
    *sums = local;
}

typedef void grad_fn(const unit_block *k, int64_t h, heed__key_range span, const T *g, pair_sums *sums);

#define DEFINE_GRAD_BY_PRODUCTS(name, sharing)                                                                         \
    static void name(const unit_block *k, int64_t h, heed__key_range span, const T *g, pair_sums *sums)                \
    {                                                                                                                  \
        grad_by_products(k, h, sharing, span, g, sums);                                                                \
    }
DEFINE_GRAD_BY_PRODUCTS(grad_with_units, WITH_UNITS)
DEFINE_GRAD_BY_PRODUCTS(grad_with_padding, WITH_PADDING)
DEFINE_GRAD_BY_PRODUCTS(grad_alone, ALONE)

/* The same by tanh(a + b), directly, for row a. */
static void grad_by_tanh(const unit_block *k, int64_t h, const T *a, heed__key_range span, const T *g, pair_sums *sums)
{
    const T *b = (const T *)k->s->b + k->first * k->s->units + k->h;
    for (int64_t j = span.begin; j < span.end; j++)
        for (int v = 0; v < 2 && h + v * LANES < k->units; v++) {
            const int64_t at = h + v * LANES, rest = k->units - at;
            vec x = load_rest(a + at, rest) + load_rest(b + j * k->s->units + at, rest);
            add_pair_grads(sums, v, splat(g[j]), tanh_vec(x), k->db + j * k->keys.width + at);
        }
}

/* Adds the sums of row i for the registers h and h + LANES of the block. */
static ALWAYS_INLINE void add_pair_sums(unit_block *k, int64_t i, int64_t h, const pair_sums *sums, T *da)
{
    const heed__additive_args *s = k->s;
    for (int v = 0; v < 2 && h + v * LANES < k->units; v++) {
        const int64_t at = i * s->units + k->h + h + v * LANES, rest = k->units - h - v * LANES;
        const int64_t r = h / WIDTH + v * PARTS;
        if (s->lost) {
            T terms[WIDTH];
            store(terms, k->w[r] * sums->da[v]);
            total_add_row_kernel(min_i64(rest, WIDTH), terms, da + at, (T *)s->lost + at);
        } else {
            store_rest(da + at, muladd_vec(k->w[r], sums->da[v], load_rest(da + at, rest)), rest);
        }
        if (k->is_long)
            total_add_vec(&k->dw[r], &k->lost_dw[r], sums->dw[v]);
        else
            k->dw[r] += sums->dw[v];
    }
}

/* Gradients from row i and the keys of the block that it sees. */
static void additive_grad_row(unit_block *k, int64_t i, const T *g, T *da)
{
    const heed__additive_args *s = k->s;
    const T *a = (const T *)s->a + i * s->units + k->h;
    const T *g_i = g + i * s->keys + k->first;
    const int64_t n = min_i64(additive_length(s, i) - k->first, k->n);
    const bool *visible = additive_visible(s, i, k->first);
    prepare(&k->row, 0, k->units, a, NULL);
    for (int64_t h = 0; h < LANES && h < k->units; h += WIDTH) {
        const bool paired = h + LANES < k->units;
        grad_fn *by_products = k->units <= LANES ? grad_alone : paired ? grad_with_units : grad_with_padding;
        pair_sums sums = {{{0}}, {{0}}};
        for (int64_t j = 0, next; j < n; j = next) {
            next = end_of_span(&k->keys, k->row.direct[0], visible, j, n);
            if (visible && !visible[j])
                continue;
            const heed__key_range span = {j, next};
            if (k->row.direct[0] || k->keys.direct[j])
                grad_by_tanh(k, h, a, span, g_i, &sums);
            else
                by_products(k, h, span, g_i, &sums);
        }
        add_pair_sums(k, i, h, &sums, da);
    }
}

static void additive_grad_keys(unit_block *k, const T *g, T *da, T *db)
{
    const heed__additive_args *s = k->s;
    const int64_t at = k->first * s->units + k->h, width = k->keys.width;
    k->keys.any_direct = false;
    for (int64_t j = 0; j < k->n; j++)
        prepare(&k->keys, j, k->units, (const T *)s->b + at + j * s->units, NULL);
    const bool many = heed__is_long(s->rows);
    fill_zeros(k->db, 0, k->n * width);
    if (many) {
        fill_zeros(k->total, 0, k->n * width);
        fill_zeros(k->lost, 0, k->n * width);
    }
    for (int64_t i = 0; i < s->rows; i++) {
        if (additive_length(s, i) > k->first)
            additive_grad_row(k, i, g, da);
        if (many && (i % HEED_LONG_CHAIN == HEED_LONG_CHAIN - 1 || i == s->rows - 1)) {
            total_add_row_kernel(k->n * width, k->db, k->total, k->lost);
            fill_zeros(k->db, 0, k->n * width);
        }
    }
    const T *sums = many ? k->total : k->db;
    for (int64_t j = 0; j < k->n; j++)
        for (int64_t h = 0; h < width; h += WIDTH)
            store_rest(db + at + j * s->units + h, k->w[h / WIDTH] * load(sums + j * width + h), k->units - h);
}

static int64_t additive_grad_kernel(const heed__additive_args *s, const heed__additive_grads *grads, int64_t begin,
                                    int64_t end, void *scratch)
{
    enum { ELEMENTS = HEED_ADDITIVE_KEYS * PAIR_UNITS };
    arena a = {.base = scratch};
    unit_block k = {.s = s};
    k.row = prepared_of(&a, 1, ROW_LINES, PAIR_UNITS);
    k.keys = prepared_of(&a, HEED_ADDITIVE_KEYS, KEY_LINES, PAIR_UNITS);
    k.db = take_array(&a, ELEMENTS, sizeof(T));
    k.total = take_array(&a, ELEMENTS, sizeof(T));
    k.lost = take_array(&a, ELEMENTS, sizeof(T));
    if (!scratch)
        return a.bytes;
    const int64_t longest = longest_length(s);
    k.is_long = heed__is_long(s->rows * s->keys);
    for (k.h = begin; k.h < end; k.h += PAIR_UNITS) {
        k.units = min_i64(end - k.h, PAIR_UNITS);
        k.row.width = k.keys.width = k.units > LANES ? PAIR_UNITS : LANES;
        for (int v = 0; v < PAIR_REGISTERS; v++) {
            k.w[v] = load_rest((const T *)s->w + k.h + v * WIDTH, k.units - v * WIDTH);
            k.dw[v] = k.lost_dw[v] = (vec){0};
        }
        for (k.first = 0; k.first < longest; k.first += HEED_ADDITIVE_KEYS) {
            k.n = min_i64(longest - k.first, HEED_ADDITIVE_KEYS);
            additive_grad_keys(&k, grads->g, grads->da, grads->db);
        }
        for (int v = 0; v < PAIR_REGISTERS; v++)
            store_rest((T *)grads->dw + k.h + v * WIDTH, k.dw[v], k.units - v * WIDTH);
    }
    return a.bytes;
}

#endif
