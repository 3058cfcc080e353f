/* kernels/attention/dense_tile.h - the products of attention: register tiles as in kernels/matmul/tile.h, but only of
 * whole registers, and for matrices at any address. Because rows never end within a register, and the addresses of
 * fourteen rows are computed from five numbers, the loop consists almost only of multiplications.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_DENSE_TILE_H
#define HEED_KERNELS_ATTENTION_DENSE_TILE_H

#include "kernels/matmul/tile.h"

_Static_assert(TILE_ROWS <= 14, "row_address must handle TILE_ROWS rows");

/* The address of row i in a form that an x86 address can hold: a register plus 1, 2, 4 or 8 times a second register.
 * `eighth` is row 7; row, row_3 and row_5 are 1, 3 and 5 times the step between rows, in bytes. i is a constant after
 * unrolling. */
static ALWAYS_INLINE const char *row_address(const char *first, const char *eighth, int64_t row, int64_t row_3,
                                             int64_t row_5, int i)
{
    switch (i) {
    case 0:
        return first;
    case 1:
        return first + row;
    case 2:
        return first + 2 * row;
    case 3:
        return first + row_3;
    case 4:
        return first + 4 * row;
    case 5:
        return first + row_5;
    case 6:
        return first + 2 * row_3;
    case 7:
        return eighth;
    case 8:
        return first + 8 * row;
    case 9:
        return eighth + 2 * row;
    case 10:
        return eighth + row_3;
    case 11:
        return eighth + 4 * row;
    case 12:
        return first + 4 * row_3;
    default:
        return eighth + 2 * row_3;
    }
}

/* c (+)= a b, where every element is summed in the order of k, as in matmul. If `by_rows`, a_col is 1, else a_row is
 * 1. */
static ALWAYS_INLINE void compute_dense_tile(const tile_args *t, int rows, int vectors, bool by_rows, int of)
{
    const int64_t size = sizeof(T);
    const char *a = (const void *)t->a, *a7 = a + 7 * t->a_row * size;
    const char *c = (const void *)t->c, *c7 = c + 7 * t->c_row * size;
    const T *b = t->b;
    const int64_t a_col = by_rows ? size : t->a_col * size, b_row = t->b_row;
    int64_t row = t->c_row * size, row_3 = 3 * row, row_5 = 5 * row;
    vec sum[TILE_ROWS][2];
    OPTIMIZER_HIDE_VAR(row);
    OPTIMIZER_HIDE_VAR(row_3);
    OPTIMIZER_HIDE_VAR(row_5);
    UNROLL16
    for (int i = 0; i < rows; i++) {
        const T *c_i = (const void *)row_address(c, c7, row, row_3, row_5, i);
        UNROLL16
        for (int v = 0; v < vectors; v++)
            sum[i][v] = t->add ? load(c_i + v * WIDTH) : (vec){0};
    }
    int64_t a_row = t->a_row * size, a_row_3 = 3 * a_row, a_row_5 = 5 * a_row;
    for (int64_t k = t->k; k > 0; k--, a += a_col, a7 += a_col, b += b_row) {
        vec b_k[2];
        UNROLL16
        for (int v = 0; v < vectors; v++)
            b_k[v] = load(b + v * WIDTH);
        OPTIMIZER_HIDE_VAR(a_row);
        OPTIMIZER_HIDE_VAR(a_row_3);
        OPTIMIZER_HIDE_VAR(a_row_5);
        UNROLL16
        for (int i = 0; i < rows; i++) {
            const T *a_i = (const void *)(by_rows ? row_address(a, a7, a_row, a_row_3, a_row_5, i) : a + i * size);
            UNROLL16
            for (int v = 0; v < vectors; v++)
                sum[i][v] = multiply_add(splat(*a_i), b_k[v], sum[i][v], of);
        }
    }
    OPTIMIZER_HIDE_VAR(row);
    OPTIMIZER_HIDE_VAR(row_3);
    OPTIMIZER_HIDE_VAR(row_5);
    UNROLL16
    for (int i = 0; i < rows; i++) {
        T *c_i = (T *)(uintptr_t)row_address(c, c7, row, row_3, row_5, i);
        UNROLL16
        for (int v = 0; v < vectors; v++)
            store(c_i + v * WIDTH, sum[i][v]);
    }
}

/* Tiles one below the other, from the highest possible to the lowest. */
static ALWAYS_INLINE void compute_dense_tiles(tile_args t, int64_t rows, int vectors, bool by_rows, int of)
{
#define DENSE_TILES(height)                                                                                            \
    for (; rows >= (height); rows -= (height)) {                                                                       \
        compute_dense_tile(&t, height, vectors, by_rows, of);                                                          \
        t.a += (height)*t.a_row;                                                                                       \
        t.c += (height)*t.c_row;                                                                                       \
    }
    FOR_EACH_TILE_ROWS(DENSE_TILES)
}

#define DEFINE_DENSE_TILES(name, vectors, by_rows, of)                                                                 \
    static void name(tile_args t, int64_t rows)                                                                        \
    {                                                                                                                  \
        compute_dense_tiles(t, rows, vectors, by_rows, of);                                                            \
    }
DEFINE_DENSE_TILES(dense_by_rows_1, 1, true, NUMBERS)
DEFINE_DENSE_TILES(dense_by_rows_2, 2, true, NUMBERS)
DEFINE_DENSE_TILES(dense_by_columns_1, 1, false, NUMBERS)
DEFINE_DENSE_TILES(dense_by_columns_2, 2, false, NUMBERS)
#if defined(HAVE_PAIRS)
DEFINE_DENSE_TILES(dense_pairs_by_rows_1, 1, true, PAIRS)
DEFINE_DENSE_TILES(dense_pairs_by_rows_2, 2, true, PAIRS)
DEFINE_DENSE_TILES(dense_pairs_by_columns_1, 1, false, PAIRS)
DEFINE_DENSE_TILES(dense_pairs_by_columns_2, 2, false, PAIRS)
#endif

/* c (+)= a b, for `rows` rows and 1 or 2 registers of columns. a_row or a_col is 1. */
static void multiply_dense(tile_args t, int64_t rows, int vectors, int of)
{
    const bool by_rows = t.a_col == 1, two = vectors == 2;
#if defined(HAVE_PAIRS)
    if (of == PAIRS) {
        if (by_rows)
            (two ? dense_pairs_by_rows_2 : dense_pairs_by_rows_1)(t, rows);
        else
            (two ? dense_pairs_by_columns_2 : dense_pairs_by_columns_1)(t, rows);
        return;
    }
#endif
    (void)of;
    if (by_rows)
        (two ? dense_by_rows_2 : dense_by_rows_1)(t, rows);
    else
        (two ? dense_by_columns_2 : dense_by_columns_1)(t, rows);
}

#endif
