/* kernels/matmul/by_few_terms.h - products with so few terms per sum that writing C dominates: C is written in memory
 * order, and B's rows are copied such that no register of a row crosses a cache line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_FEW_TERMS_H
#define HEED_KERNELS_MATMUL_BY_FEW_TERMS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/simd/vec.h"

enum {
    FEW_VECTORS = 8,                           /* registers of C computed at once */
    FEW_ROWS = 16,                             /* rows finished with bias and activation at a time */
    FEW_ELEMENTS = (1 << 15) / (int)sizeof(T), /* elements of B at a time */
};

/* Some rows of C, for some columns of B, which are packed. */
typedef struct few_terms {
    int64_t rows, columns, k;
    const T *a;
    int64_t a_row, a_col;
    const T *b;
    int64_t b_row;
    T *c;
    int64_t c_row;
} few_terms;

/* c[j] = a . b[., j] for `vectors` registers of columns, the last of which has `last` columns. */
static ALWAYS_INLINE void sum_few_terms(const few_terms *f, const T *a, const T *b, T *c, const int vectors,
                                        int64_t last)
{
    vec sum[FEW_VECTORS];
    UNROLL
    for (int v = 0; v < vectors; v++)
        sum[v] = (vec){0};
    for (int64_t k = f->k; k > 0; k--, a += f->a_col, b += f->b_row) {
        const vec a_k = splat(*a);
        UNROLL
        for (int v = 0; v < vectors; v++)
            sum[v] = muladd_vec(a_k, load(b + v * WIDTH), sum[v]);
    }
    UNROLL
    for (int v = 0; v < vectors - 1; v++)
        store(c + v * WIDTH, sum[v]);
    store_up_to(c + (vectors - 1) * WIDTH, sum[vectors - 1], last);
}

/* Computes all rows in a single function, because a function call takes as long as a short row. */
static __attribute__((noinline)) void multiply_few_rows(few_terms f)
{
    const T *a = f.a;
    for (int64_t i = 0; i < f.rows; i++, a += f.a_row) {
        const T *b = f.b;
        T *c = f.c + i * f.c_row;
        int64_t left = f.columns;
        for (; left >= FEW_VECTORS * WIDTH; left -= FEW_VECTORS * WIDTH) {
            sum_few_terms(&f, a, b, c, FEW_VECTORS, WIDTH);
            b += FEW_VECTORS * WIDTH;
            c += FEW_VECTORS * WIDTH;
        }
        for (; left > 3 * WIDTH; left -= 4 * WIDTH) {
            sum_few_terms(&f, a, b, c, 4, left - 3 * WIDTH);
            b += 4 * WIDTH;
            c += 4 * WIDTH;
        }
        if (left > 2 * WIDTH)
            sum_few_terms(&f, a, b, c, 3, left - 2 * WIDTH);
        else if (left > WIDTH)
            sum_few_terms(&f, a, b, c, 2, left - WIDTH);
        else if (left > 0)
            sum_few_terms(&f, a, b, c, 1, left);
    }
}

/* Computes all rows of a range of columns. The elements of B for these columns stay in the first-level cache. */
static void multiply_few_columns(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    const int64_t columns = p->j1 - p->j0, b_row = (columns + WIDTH - 1) / WIDTH * WIDTH;
    pack((const T *)s->b + p->j0 * s->b_col, s->b_col, s->b_row, (int)columns, s->k, scratch, b_row);
    for (int64_t i = p->i0; i < p->i1; i += FEW_ROWS) {
        const int64_t rows = min_i64(p->i1 - i, FEW_ROWS);
        multiply_few_rows((few_terms){.rows = rows,
                                      .columns = columns,
                                      .k = s->k,
                                      .a = (const T *)s->a + i * s->a_row,
                                      .a_row = s->a_row,
                                      .a_col = s->a_col,
                                      .b = scratch,
                                      .b_row = b_row,
                                      .c = (T *)s->c + i * s->n + p->j0,
                                      .c_row = s->n});
        epilogue(s, p, i, rows);
    }
}

static void multiply_few_terms(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    heed__matmul_range some = *p;
    for (; some.j0 < p->j1; some.j0 = some.j1) {
        some.j1 = min_i64(p->j1, some.j0 + FEW_ELEMENTS / s->k);
        multiply_few_columns(s, &some, scratch);
    }
}

#endif
