/* kernels/matmul/reference.h - the computation of this folder as plain loops: the product of two matrices,
 *
 *     C[i, j] = sum over l of A[i, l] B[l, j] + bias[i, j]
 *
 * where A is (m, k), B is (k, n), and C is (m, n), stored by rows. The kernels compute the same up to rounding: they
 * keep a tile of C in registers (tile.h) and read A and B from packed copies (pack.h). The tests take expected values
 * from here. The library does not contain this file.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_REFERENCE_H
#define HEED_KERNELS_MATMUL_REFERENCE_H

#include <stdint.h>

/* A matrix in any layout: element (i, j) is at [i * row + j * column]. A bias for every column is a matrix whose `row`
 * is 0; a bias for every row is one whose `column` is 0. */
typedef struct reference_matrix {
    const double *at;
    int64_t row, column;
} reference_matrix;

/* `bias` may be NULL. */
static inline void reference_matmul(int64_t m, int64_t k, int64_t n, reference_matrix a, reference_matrix b,
                                    const reference_matrix *bias, double *c)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            long double sum = bias ? bias->at[i * bias->row + j * bias->column] : 0;
            for (int64_t l = 0; l < k; l++)
                sum += (long double)a.at[i * a.row + l * a.column] * b.at[l * b.row + j * b.column];
            c[i * n + j] = (double)sum;
        }
}

#endif
