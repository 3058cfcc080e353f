/* kernels/matmul/by_columns.h - products with few columns of C, if A's columns are contiguous: C^T = B^T A^T has few
 * rows, and by_row.h or in_place.h computes it. */
#ifndef HEED_KERNELS_MATMUL_BY_COLUMNS_H
#define HEED_KERNELS_MATMUL_BY_COLUMNS_H

#include "kernels/kernels.h"
#include "kernels/matmul/by_row.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/in_place.h"

enum {
    COLUMNS_ROWS = MOST_VECTORS * WIDTH, /* rows of C at a time */
    COLUMNS_MOST = WIDTH / 2,            /* maximal number of columns */
};

static bool by_columns(const heed__matmul_args *s)
{
    return s->a_row == 1 && (s->n == 1 ? s->m > 1 : s->n <= COLUMNS_MOST && s->m >= 2 * WIDTH);
}

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
        multiply_some_columns(s, p, i, min_i64(p->i1 - i, most), min_i64(chain, IN_PLACE_CHAIN), scratch);
    epilogue(s, p, p->i0, p->i1 - p->i0);
}

#endif
