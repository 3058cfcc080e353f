/* kernels/attention/additive_grad.h - the gradients of the scores of additive attention. See
 * attention/additive_pairs.h. */
#ifndef HEED_KERNELS_ATTENTION_ADDITIVE_GRAD_H
#define HEED_KERNELS_ATTENTION_ADDITIVE_GRAD_H

#include "kernels/attention/additive_pairs.h"
#include "kernels/kernels.h"
#include "kernels/simd/total.h"

/* The sums over the pairs of a row, for one or two registers of hidden units: da, without the factor w, and dw. */
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

/* Gradients from keys begin .. end - 1, for 1 or 2 registers of hidden units. */
static ALWAYS_INLINE void grad_by_products(const T *row, const T *keys, int64_t begin, int64_t end, const T *g, T *db,
                                           pair_sums *sums, int registers)
{
    const int64_t width = registers * WIDTH;
    pair_sums local = *sums;
    for (int64_t j = begin; j < end; j++) {
        const T *key = keys + j * KEY_LINES * width;
        T *db_j = db + j * width;
        vec g_j = splat(g[j]), n0, d0, n1, d1;
        fraction(row, key, width, 0, &n0, &d0);
        if (registers == 1) {
            add_pair_grads(&local, 0, g_j, n0 / d0, db_j);
            continue;
        }
        fraction(row, key, width, WIDTH, &n1, &d1);
        vec inverse = 1 / (d0 * d1);
        add_pair_grads(&local, 0, g_j, n0 * (d1 * inverse), db_j);
        add_pair_grads(&local, 1, g_j, n1 * (d0 * inverse), db_j + WIDTH);
    }
    *sums = local;
}

static void grad_by_products_1(const T *row, const T *keys, int64_t begin, int64_t end, const T *g, T *db,
                               pair_sums *sums)
{
    grad_by_products(row, keys, begin, end, g, db, sums, 1);
}

static void grad_by_products_2(const T *row, const T *keys, int64_t begin, int64_t end, const T *g, T *db,
                               pair_sums *sums)
{
    grad_by_products(row, keys, begin, end, g, db, sums, 2);
}

/* A block of hidden units of a batch element, and a block of the keys visible to any row. */
typedef struct unit_block {
    const heed__additive_args *s;
    int64_t h, units; /* the first unit, and the number of units: at most PAIR_WIDTH */
    int64_t first, n; /* first key and number of keys */
    prepared keys, row;
    T *db;           /* (n, width): sums over rows, without the factor w */
    T *total, *lost; /* with many rows: db is added to this total after every HEED_LONG_CHAIN rows, and cleared */
    vec w[2];
    lane_sums dw[2];
} unit_block;

static void grad_by_tanh(const unit_block *k, const T *a, const T *b, int64_t begin, int64_t end, const T *g,
                         pair_sums *sums)
{
    for (int64_t j = begin; j < end; j++)
        for (int v = 0; v * WIDTH < k->units; v++) {
            const int64_t h = v * WIDTH, rest = k->units - h;
            vec x = load_rest(a + h, rest) + load_rest(b + j * k->s->units + h, rest);
            add_pair_grads(sums, v, splat(g[j]), tanh_vec(x), k->db + j * k->keys.width + h);
        }
}

/* Adds the first `rest` elements of x to a total. */
static void add_to_total(vec x, int64_t rest, T *sum, T *lost)
{
    T terms[WIDTH];
    store(terms, x);
    total_add_row_kernel(min_i64(rest, WIDTH), terms, sum, lost);
}

/* Gradients from row i and the keys of the block that it sees. */
static void additive_grad_row(unit_block *k, int64_t i, const T *g, T *da)
{
    const heed__additive_args *s = k->s;
    const T *a = (const T *)s->a + i * s->units + k->h, *b = (const T *)s->b + k->first * s->units + k->h;
    const T *g_i = g + i * s->keys + k->first;
    const int64_t n = min_i64(additive_length(s, i) - k->first, k->n);
    const bool *visible = additive_visible(s, i, k->first);
    pair_sums sums = {{{0}}, {{0}}};
    prepare(&k->row, 0, k->units, a, NULL);
    for (int64_t j = 0, next; j < n; j = next) {
        next = end_of_span(&k->keys, k->row.direct[0], visible, j, n);
        if (visible && !visible[j])
            continue;
        if (k->row.direct[0] || k->keys.direct[j])
            grad_by_tanh(k, a, b, j, next, g_i, &sums);
        else
            (k->units > WIDTH ? grad_by_products_2 : grad_by_products_1)(k->row.first, k->keys.first, j, next, g_i,
                                                                         k->db, &sums);
    }
    for (int v = 0; v < 2; v++) {
        const int64_t at = i * s->units + k->h + v * WIDTH, rest = k->units - v * WIDTH;
        if (s->lost)
            add_to_total(k->w[v] * sums.da[v], rest, da + at, (T *)s->lost + at);
        else
            store_rest(da + at, muladd_vec(k->w[v], sums.da[v], load_rest(da + at, rest)), rest);
        lane_sums_add(&k->dw[v], sums.dw[v]);
    }
}

/* Adds the sums of some rows, in db, to the total. */
static void end_of_rows(unit_block *k)
{
    total_add_row_kernel(k->n * k->keys.width, k->db, k->total, k->lost);
    fill_zeros(k->db, 0, k->n * k->keys.width);
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
        if (many && (i % HEED_LONG_CHAIN == HEED_LONG_CHAIN - 1 || i == s->rows - 1))
            end_of_rows(k);
    }
    const T *sums = many ? k->total : k->db;
    for (int64_t j = 0; j < k->n; j++)
        for (int64_t h = 0; h < width; h += WIDTH)
            store_rest(db + at + j * s->units + h, k->w[h / WIDTH] * load(sums + j * width + h), k->units - h);
}

static int64_t additive_grad_kernel(const heed__additive_args *s, int64_t begin, int64_t end, const void *g, void *da,
                                    void *db, void *dw, void *scratch)
{
    enum { ELEMENTS = HEED_ADDITIVE_KEYS * PAIR_WIDTH };
    arena a = {.base = scratch};
    unit_block k = {.s = s};
    k.row = prepared_of(&a, 1, ROW_LINES, PAIR_WIDTH);
    k.keys = prepared_of(&a, HEED_ADDITIVE_KEYS, KEY_LINES, PAIR_WIDTH);
    k.db = take_array(&a, ELEMENTS, sizeof(T));
    k.total = take_array(&a, ELEMENTS, sizeof(T));
    k.lost = take_array(&a, ELEMENTS, sizeof(T));
    if (!scratch)
        return a.bytes;
    const int64_t longest = longest_length(s);
    for (k.h = begin; k.h < end; k.h += PAIR_WIDTH) {
        k.units = min_i64(end - k.h, PAIR_WIDTH);
        k.row.width = k.keys.width = k.units > WIDTH ? PAIR_WIDTH : WIDTH;
        for (int v = 0; v < 2; v++) {
            k.w[v] = load_rest((const T *)s->w + k.h + v * WIDTH, k.units - v * WIDTH);
            k.dw[v] = lane_sums_for(s->rows * s->keys);
        }
        for (k.first = 0; k.first < longest; k.first += HEED_ADDITIVE_KEYS) {
            k.n = min_i64(longest - k.first, HEED_ADDITIVE_KEYS);
            additive_grad_keys(&k, g, da, db);
        }
        for (int v = 0; v < 2; v++)
            store_rest((T *)dw + k.h + v * WIDTH, k.dw[v].sum, k.units - v * WIDTH);
    }
    return a.bytes;
}

#endif
