/* kernels/matmul/by_few_terms.h - products with so few terms per sum that writing C dominates: C is written in memory
 * order, and B's rows are copied such that no register of a row crosses a cache line. */
#ifndef HEED_KERNELS_MATMUL_BY_FEW_TERMS_H
#define HEED_KERNELS_MATMUL_BY_FEW_TERMS_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/simd/vec.h"

enum {
    FEW_TERMS = 8,
    FEW_VECTORS = 8,                           /* registers of C computed at once */
    FEW_ROWS = 16,                             /* rows finished with bias and activation at a time */
    FEW_ELEMENTS = (1 << 15) / (int)sizeof(T), /* elements of B at a time */
};

/* c[j] = a . b[., j] for `vectors` registers of columns, the last of which has `last` columns. */
static ALWAYS_INLINE void few_terms(int64_t k, const T *a, int64_t a_col, const T *b, int64_t b_row, T *c,
                                    const int vectors, int64_t last)
{
    vec sum[FEW_VECTORS];
    UNROLL
    for (int v = 0; v < vectors; v++)
        sum[v] = (vec){0};
    for (; k > 0; k--, a += a_col, b += b_row) {
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

/* Computes `rows` rows of C in a single function, because a function call takes as long as a short row. */
static __attribute__((noinline)) void few_terms_of_rows(int64_t rows, int64_t k, const T *a, int64_t a_row,
                                                        int64_t a_col, const T *b_panel, int64_t b_row, T *c_rows,
                                                        int64_t c_row, int64_t columns)
{
    for (int64_t i = 0; i < rows; i++, a += a_row, c_rows += c_row) {
        const T *b = b_panel;
        T *c = c_rows;
        int64_t left = columns;
        for (; left >= FEW_VECTORS * WIDTH; left -= FEW_VECTORS * WIDTH) {
            few_terms(k, a, a_col, b, b_row, c, FEW_VECTORS, WIDTH);
            b += FEW_VECTORS * WIDTH;
            c += FEW_VECTORS * WIDTH;
        }
        for (; left > 3 * WIDTH; left -= 4 * WIDTH) {
            few_terms(k, a, a_col, b, b_row, c, 4, left - 3 * WIDTH);
            b += 4 * WIDTH;
            c += 4 * WIDTH;
        }
        if (left > 2 * WIDTH)
            few_terms(k, a, a_col, b, b_row, c, 3, left - 2 * WIDTH);
        else if (left > WIDTH)
            few_terms(k, a, a_col, b, b_row, c, 2, left - WIDTH);
        else if (left > 0)
            few_terms(k, a, a_col, b, b_row, c, 1, left);
    }
}

/* Tiles are faster if C has few rows, or few columns relative to the number of terms. */
static bool by_few_terms(const heed__matmul_args *s)
{
    return s->k <= FEW_TERMS && s->n > 2 * WIDTH * s->k && s->m > TILE_ROWS;
}

/* Computes all rows of a range of columns. The elements of B for these columns stay in the first-level cache. */
static void multiply_few_columns(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    const int64_t columns = p->j1 - p->j0, b_row = (columns + WIDTH - 1) / WIDTH * WIDTH;
    pack((const T *)s->b + p->j0 * s->b_col, s->b_col, s->b_row, (int)columns, s->k, scratch, b_row);
    for (int64_t i = p->i0; i < p->i1; i += FEW_ROWS) {
        const int64_t rows = min_i64(p->i1 - i, FEW_ROWS);
        few_terms_of_rows(rows, s->k, (const T *)s->a + i * s->a_row, s->a_row, s->a_col, scratch, b_row,
                          (T *)s->c + i * s->n + p->j0, s->n, columns);
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
