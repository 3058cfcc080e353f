/* kernels/linalg/args.h - arguments of the kernels for small blocks of matrices; part of kernels.h, which includes it.
 * ops/linalg/blocks.c builds solves and factorisations of any size from them and from matrix products.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_LINALG_ARGS_H
#define HEED_KERNELS_LINALG_ARGS_H

#include <stdbool.h>
#include <stdint.h>

enum { HEED_LINALG_BLOCK = 16 }; /* the maximal number of unknowns or columns of a block */

/* T x = b in place, for right-hand sides b in any layout: element i of number c is at x[i * step + c * next]. T is the
 * lower triangle of n rows whose element (i, j) is at a[i * row + j * column]. Strides may be negative, so that an
 * upper triangle from its last row to its first is a lower triangle. If `unit`, the diagonal counts as 1 and stays
 * unread. Computes numbers begin .. end - 1. */
typedef struct heed__triangular_args {
    int64_t n;
    const void *a;
    int64_t row, column;
    bool unit;
    void *x;
    int64_t step, next;
} heed__triangular_args;
typedef void heed__triangular_kernel(const heed__triangular_args *args, int64_t begin, int64_t end);

/* A = L L^T for n rows that are `row` elements apart. L replaces the lower triangle, which alone is read and written.
 * Returns -1, or the index of the first pivot that is 0, negative or NaN; its value is then on the diagonal. */
typedef int64_t heed__cholesky_kernel(int64_t n, void *a, int64_t row);

/* P A = L U for m >= n rows of n columns. L, with ones on the diagonal, and U replace A. For every j in turn, row j was
 * exchanged with row pivots[j], in these n columns only. Returns -1, or the index of the first pivot that is 0 or NaN;
 * its value is then on the diagonal. */
typedef int64_t heed__lu_kernel(int64_t m, int64_t n, void *a, int64_t row, int64_t *pivots);

#endif
