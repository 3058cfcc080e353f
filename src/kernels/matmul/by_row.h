/* kernels/matmul/by_row.h - one row times B, if B's rows are contiguous, and A times few columns, if A's columns are
 * contiguous: then C^T = B^T A^T has few rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_ROW_H
#define HEED_KERNELS_MATMUL_BY_ROW_H

#include "kernels/kernels.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/simd/vec.h"

/* -- One row: multiples of several rows of B are added to C at a time; B is read in memory order ------------------- */

enum {
    ROW_TERMS = 4,                            /* rows of B added at once */
    ROW_COLUMNS = (1 << 11) / (int)sizeof(T), /* columns of C computed at once; they stay in the first-level cache */
};

/* Some columns of one row of C. */
typedef struct row_columns {
    const heed__matmul_args *s;
    int64_t first, columns;
} row_columns;

/* sum[j] = the sum of `terms` terms from k on for the columns, or += if `adds`. */
static ALWAYS_INLINE void row_add_terms(const row_columns *r, int64_t k, T *sum, bool adds, const int terms)
{
    const int64_t columns = r->columns, b_row = r->s->b_row;
    const T *a = (const T *)r->s->a + k * r->s->a_col, *b = (const T *)r->s->b + k * b_row + r->first;
    vec a_k[ROW_TERMS];
    UNROLL
    for (int i = 0; i < terms; i++)
        a_k[i] = splat(a[i * r->s->a_col]);
    for (int64_t j = 0; j < columns; j += WIDTH) {
        vec y = adds ? load_at(sum, j, columns) : (vec){0};
        UNROLL
        for (int i = 0; i < terms; i++)
            y = muladd_vec(a_k[i], load_at(b + i * b_row, j, columns), y);
        store_at(sum, j, columns, y);
    }
}

/* sum[j] = the sum of the terms begin .. end - 1. */
static void row_sum_terms(const row_columns *r, int64_t begin, int64_t end, T *sum)
{
    int64_t k = begin;
    for (; end - k >= ROW_TERMS; k += ROW_TERMS)
        row_add_terms(r, k, sum, k > begin, ROW_TERMS);
    for (; k < end; k++)
        row_add_terms(r, k, sum, k > begin, 1);
}

/* Sums at most `chain` terms at a time, as tiles do, and then adds these sums to C. */
static void multiply_columns_of_row(const row_columns *r, int64_t chain)
{
    const int64_t terms = r->s->k;
    T *c = (T *)r->s->c + r->first, sum[ROW_COLUMNS];
    row_sum_terms(r, 0, min_i64(terms, chain), c);
    for (int64_t k = chain; k < terms; k += chain) {
        row_sum_terms(r, k, min_i64(terms, k + chain), sum);
        add_kernel(r->columns, c, 1, sum, 1, c, NULL);
    }
}

static void multiply_row(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain)
{
    for (int64_t j = p->j0; j < p->j1; j += ROW_COLUMNS)
        multiply_columns_of_row(&(row_columns){s, j, min_i64(p->j1 - j, ROW_COLUMNS)}, chain);
    epilogue(s, p, 0, p->i1 - p->i0);
}

/* -- Few columns --------------------------------------------------------------------------------------------------- */

enum {
    COLUMNS_ROWS = 8 * WIDTH, /* rows of C at a time */
    COLUMNS_MOST = LANES / 2, /* maximal number of columns, as in path.h */
};

/* Computes the rows i .. i + rows - 1 of C, for the columns of the range. A single column is contiguous like a row and
 * computed in place; more columns are computed as C^T in scratch and transposed. */
static void multiply_some_columns(const heed__matmul_args *s, const heed__matmul_range *p, int64_t i, int64_t rows,
                                  int64_t chain, T *scratch)
{
    const int64_t columns = p->j1 - p->j0;
    T *c = (T *)s->c + i * s->n + p->j0;
    const heed__matmul_args transposed = {.m = columns,
                                          .n = rows,
                                          .k = s->k,
                                          .a = (const T *)s->b + p->j0 * s->b_col,
                                          .a_row = s->b_col,
                                          .a_col = s->b_row,
                                          .b = (const T *)s->a + i,
                                          .b_row = s->a_col,
                                          .b_col = 1,
                                          .c = s->n == 1 ? c : scratch};
    const heed__matmul_range all = {0, columns, 0, rows};
    if (s->n == 1) {
        multiply_row(&transposed, &all, chain);
        return;
    }
    multiply_in_place(&transposed, &all, chain);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t r = 0; r < rows; r++)
            c[r * s->n + j] = scratch[j * rows + r];
}

static void multiply_by_columns(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain, T *scratch)
{
    const int64_t most = s->n == 1 ? p->i1 - p->i0 : COLUMNS_ROWS;
    for (int64_t i = p->i0; i < p->i1; i += most)
        multiply_some_columns(s, p, i, min_i64(p->i1 - i, most), min_i64(chain, MATMUL_CHAIN), scratch);
    epilogue(s, p, p->i0, p->i1 - p->i0);
}

#endif
