/* kernels/matmul/by_row.h - one row times B, if B's rows are contiguous. Adds multiples of several rows of B to C at a
 * time. Every element of B is used once, and B is read in memory order. */
#ifndef HEED_KERNELS_MATMUL_BY_ROW_H
#define HEED_KERNELS_MATMUL_BY_ROW_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/simd/vec.h"

enum {
    ROW_TERMS = 4,                            /* rows of B added at once */
    ROW_COLUMNS = (1 << 11) / (int)sizeof(T), /* columns of C computed at once; they stay in the first-level cache */
};

/* sum[j] = a . b[., j], or += if `adds`, for `terms` terms and `columns` columns. */
static ALWAYS_INLINE void row_add_terms(const T *a, int64_t a_col, const T *b, int64_t b_row, T *sum, int64_t columns,
                                        bool adds, const int terms)
{
    vec a_k[ROW_TERMS];
    UNROLL
    for (int k = 0; k < terms; k++)
        a_k[k] = splat(a[k * a_col]);
    for (int64_t j = 0; j < columns; j += WIDTH) {
        vec y = adds ? load_at(sum, j, columns) : (vec){0};
        UNROLL
        for (int k = 0; k < terms; k++)
            y = muladd_vec(a_k[k], load_at(b + k * b_row, j, columns), y);
        store_at(sum, j, columns, y);
    }
}

static void row_sum_terms(int64_t k, const T *a, int64_t a_col, const T *b, int64_t b_row, T *sum, int64_t columns)
{
    bool adds = false;
    for (; k >= ROW_TERMS; k -= ROW_TERMS, a += ROW_TERMS * a_col, b += ROW_TERMS * b_row, adds = true)
        row_add_terms(a, a_col, b, b_row, sum, columns, adds, ROW_TERMS);
    for (; k > 0; k--, a += a_col, b += b_row, adds = true)
        row_add_terms(a, a_col, b, b_row, sum, columns, adds, 1);
}

/* Computes some columns of C. Sums at most `chain` terms at a time, as tiles do, and then adds these sums to C. */
static void multiply_columns_of_row(const heed__matmul_args *s, int64_t chain, int64_t j, int64_t columns)
{
    const T *a = s->a, *b = (const T *)s->b + j;
    T *c = (T *)s->c + j, sum[ROW_COLUMNS];
    row_sum_terms(min_i64(s->k, chain), a, s->a_col, b, s->b_row, c, columns);
    for (int64_t k = chain; k < s->k; k += chain) {
        row_sum_terms(min_i64(s->k - k, chain), a + k * s->a_col, s->a_col, b + k * s->b_row, s->b_row, sum, columns);
        add_kernel(columns, c, 1, sum, 1, c, NULL);
    }
}

static bool by_row(const heed__matmul_args *s)
{
    return s->m == 1 && s->b_col == 1 && s->n > 2 * WIDTH;
}

static void multiply_row(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain)
{
    for (int64_t j = p->j0; j < p->j1; j += ROW_COLUMNS)
        multiply_columns_of_row(s, chain, j, min_i64(p->j1 - j, ROW_COLUMNS));
    epilogue(s, p, 0, p->i1 - p->i0);
}

#endif
