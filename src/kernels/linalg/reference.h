/* kernels/linalg/reference.h - the computation of this folder as plain loops: the solution of a triangular system, the
 * Cholesky factor and the LU factors of a small block. The tests take expected values from here. The library does not
 * contain this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_LINALG_REFERENCE_H
#define HEED_KERNELS_LINALG_REFERENCE_H

#include <math.h>
#include <stdint.h>

/* T x = b for a lower triangle T (n, n), by rows; b becomes x. */
static inline void reference_triangular(int64_t n, const double *t, bool unit, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        long double sum = b[i];
        for (int64_t j = 0; j < i; j++)
            sum -= (long double)t[i * n + j] * b[j];
        b[i] = (double)(unit ? sum : sum / t[i * n + i]);
    }
}

/* A = L L^T: L replaces the lower triangle of A (n, n), which must be positive definite. */
static inline void reference_cholesky(int64_t n, double *a)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            long double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++)
                sum -= (long double)a[i * n + k] * a[j * n + k];
            a[i * n + j] = (double)(i == j ? sqrtl(sum) : sum / a[j * n + j]);
        }
}

/* P A = L U: exchanges rows so that the pivot is the largest element of its column; L and U replace A (m, n). */
static inline void reference_lu(int64_t m, int64_t n, double *a, int64_t *pivots)
{
    for (int64_t j = 0; j < n; j++) {
        pivots[j] = j;
        for (int64_t i = j + 1; i < m; i++)
            if (fabs(a[i * n + j]) > fabs(a[pivots[j] * n + j]))
                pivots[j] = i;
        for (int64_t k = 0; k < n; k++) {
            const double x = a[j * n + k];
            a[j * n + k] = a[pivots[j] * n + k];
            a[pivots[j] * n + k] = x;
        }
        for (int64_t i = j + 1; i < m; i++) {
            a[i * n + j] /= a[j * n + j];
            for (int64_t k = j + 1; k < n; k++)
                a[i * n + k] -= a[i * n + j] * a[j * n + k];
        }
    }
}

#endif
