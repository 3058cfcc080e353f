/* kernels/attention/grad_product.h - dot-product attention, backward: the products whose sums are the gradients.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_GRAD_PRODUCT_H
#define HEED_KERNELS_ATTENTION_GRAD_PRODUCT_H

#include "kernels/attention/dense_tile.h"
#include "kernels/attention/queries.h"
#include "kernels/attention/score_bias.h"
#include "kernels/kernels.h"
#include "kernels/simd/total.h"

/* c += a b, for `rows` rows, summed over `depth`. */
typedef struct grad_product {
    int64_t rows, columns, depth;
    const T *a;
    int64_t a_row, a_col;
    const T *b;
    int64_t b_row;
    T *c;
    int64_t c_row;
    row_matrix b_pairs; /* pairs across depth, or NO_ROWS */
    T *factor;          /* scratch for the pairs of a */
    T *lost, *block;    /* for long sums: rounding errors of c, (rows, columns), and a product; else NULL */
    bool by_query;      /* summed over queries; if false, over keys */
    int64_t query, key; /* the first query and key */
} grad_product;

/* Overwrites c unless `add`. Whether a sum begins with the old c (multiply_dense) or is added to it at the end
 * (compute_tiles) depends on the number of columns only, in groups of 2 LANES. */
static ALWAYS_INLINE void multiply_columns(const grad_product *p, T *c, int64_t c_row, bool add, int of)
{
    for (int64_t column = 0; column < p->columns; column += TILE_COLUMNS) {
        tile_args t = {.k = p->depth,
                       .a = p->a,
                       .a_row = p->a_row,
                       .a_col = p->a_col,
                       .b = p->b + column,
                       .b_row = p->b_row,
                       .c = c + column,
                       .c_row = c_row,
                       .add = add};
        const int64_t group = min_i64(p->columns - (column - column % (2 * LANES)), 2 * LANES);
        int vectors = registers_for(min_i64(p->columns - column, TILE_COLUMNS), &t.last);
        if (group % LANES == 0)
            multiply_dense(t, p->rows, vectors, of);
        else
            compute_tiles(t, p->rows, vectors, false, of);
    }
}

/* The same product by pairs, if available. */
static bool multiply_grad_by_pairs(const grad_product *p, T *c, int64_t c_row, bool add)
{
    if (!p->b_pairs.at)
        return false;
    const row_matrix a = p->by_query ? pairs_along((row_matrix){p->a, p->a_row}, p->rows, p->depth, COMPUTED, p->factor)
                                     : pairs_across((row_matrix){p->a, p->a_col}, p->depth, p->rows, COMPUTED,
                                                    p->factor, whole_columns(p->rows));
    grad_product by_pairs = *p;
    by_pairs.depth = pairs_in(p->depth);
    by_pairs.a = a.at;
    by_pairs.a_row = p->by_query ? a.row : 1;
    by_pairs.a_col = p->by_query ? 1 : a.row;
    by_pairs.b = p->b_pairs.at;
    by_pairs.b_row = p->b_pairs.row;
    if (a.at)
        multiply_columns(&by_pairs, c, c_row, add, PAIRS);
    return a.at != NULL;
}

static void multiply_grad(const grad_product *p, T *c, int64_t c_row, bool add)
{
    if (!multiply_grad_by_pairs(p, c, c_row, add))
        multiply_columns(p, c, c_row, add, NUMBERS);
}

static void add_product(const grad_product *p)
{
    if (!p->lost) {
        multiply_grad(p, p->c, p->c_row, true);
        return;
    }
    multiply_grad(p, p->block, p->columns, false);
    for (int64_t i = 0; i < p->rows; i++)
        total_add_row_kernel(p->columns, p->block + i * p->columns, p->c + i * p->c_row, p->lost + i * p->columns);
}

/* True if row `n` of b is left out of the product, because it is masked somewhere and not finite. */
static bool is_excluded(const heed__attention_args *s, const grad_product *p, int64_t n, int64_t min_length)
{
    bool masked = p->by_query ? heed__visible_range(&s->visibility, p->query + n).end < p->key + p->rows
                              : p->key + n >= min_length;
    return (masked || heed__has_score_bias(&s->visibility)) && !is_finite(p->columns, p->b + n * p->b_row);
}

/* Rows left out of the product are added only for pairs that see each other. */
static void add_product_not_finite(const heed__attention_args *s, const grad_product *p, int64_t min_length, T *copy)
{
    grad_product plain = *p;
    plain.b = copy;
    plain.b_row = p->columns;
    for (int64_t n = 0; n < p->depth; n++) {
        bool excluded = is_excluded(s, p, n, min_length);
        for (int64_t c = 0; c < p->columns; c++)
            copy[n * p->columns + c] = excluded ? 0 : p->b[n * p->b_row + c];
    }
    add_product(&plain);
    for (int64_t n = 0; n < p->depth; n++)
        for (int64_t m = 0; m < p->rows && is_excluded(s, p, n, min_length); m++) {
            int64_t query = p->query + (p->by_query ? n : m), key = p->key + (p->by_query ? m : n);
            const bool visible = pair_is_visible(s, query, key);
            for (int64_t c = 0; c < p->columns && visible; c++)
                p->c[m * p->c_row + c] += p->a[m * p->a_row + n * p->a_col] * p->b[n * p->b_row + c];
        }
}

#endif
