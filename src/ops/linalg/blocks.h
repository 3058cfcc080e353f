/* ops/linalg/blocks.h - triangular solves, Cholesky and LU factors of matrices of any size, on plain arrays.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LINALG_BLOCKS_H
#define HEED_OPS_LINALG_BLOCKS_H

#include "ops/support.h"

/* The parameters that all functions of this file share. */
typedef struct heed__linalg {
    const char *where;
    heed_dtype dtype;
    bool alone;  /* in one thread, without heed_fail: only for matrices of at most HEED_LINALG_BLOCK rows */
    char *terms; /* room for heed__linalg_terms elements */
} heed__linalg;

/* Elements of scratch memory for matrices of at most n rows with at most `count` right-hand sides. */
int64_t heed__linalg_terms(int64_t n, int64_t count);

/* A triangle of n rows: element (i, j) is at a[i * row + j * column]. If `unit`, its diagonal counts as 1. */
typedef struct heed__triangle {
    char *a;
    int64_t n, row, column;
    bool upper, unit;
} heed__triangle;

/* Right-hand sides: element i of number c is at x[i * step + c * next]. One of the strides is 1. */
typedef struct heed__right_sides {
    char *x;
    int64_t count, step, next;
} heed__right_sides;

/* Solves T x = b in place. Returns false after heed_fail (HEED_ERR_NOMEM). */
bool heed__solve_triangle(const heed__linalg *l, const heed__triangle *t, const heed__right_sides *b);

/* The results of the factorisations: a pivot at which one ended, or one of these. */
enum { HEED_FACTORED = -1, HEED_NOT_FACTORED = -2 /* after heed_fail (HEED_ERR_NOMEM) */ };

/* A = L L^T of n rows, stored by rows. Reads and replaces the lower triangle; the rest becomes undefined. A pivot that
 * is not above 0 ends it, and stays on the diagonal. */
int64_t heed__factor_cholesky(const heed__linalg *l, int64_t n, char *a);

/* P A = L U of n rows, stored by rows: row j was exchanged with row pivots[j], for every j in turn. A pivot that is 0
 * or NaN ends it, and stays on the diagonal. */
int64_t heed__factor_lu(const heed__linalg *l, int64_t n, char *a, int64_t *pivots);

/* Exchanges the rows of x, stored by rows of `columns` elements, as heed__factor_lu did; with `back`, undoes that. */
void heed__permute_rows(const heed__linalg *l, int64_t n, const int64_t *pivots, bool back, char *x, int64_t columns);

#endif
