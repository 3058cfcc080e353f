/* kernels/matmul/strip.h - a strip is the part of C that by_pairs.h computes with bf16 before it computes the elements
 * with special numbers again.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_STRIP_H
#define HEED_KERNELS_MATMUL_STRIP_H

#include "kernels/kernels.h"
#include "kernels/matmul/pack_pairs.h"

enum { STRIP_ROWS = 1024, STRIP_COLUMNS = 1024 };

typedef struct strip {
    heed__matmul_args args; /* of one batch element, without bias and activation */
    heed__matmul_range range;
    int64_t rows, columns;                                         /* the size of the range */
    int pieces;                                                    /* the number of bf16 that a number is split into */
    bool special_rows[STRIP_ROWS], special_columns[STRIP_COLUMNS]; /* the row or column has special numbers */
} strip;

/* The bits of the smallest positive number that is not special. If numbers are split into two pieces, it is 2^-100: a
 * second piece is 0 or at least 2^-23 times the power of 2 of the first one, and is then not denormal. */
static BITS least_of(const strip *s)
{
    return (BITS)(s->pieces > 1 ? 127 - 100 : 1) << MANTISSA_BITS;
}

/* The rows of A, from row i of the strip and inner index k on, as a source of pairs. */
static pair_source rows_of_a(const strip *s, int64_t k, int64_t i)
{
    const heed__matmul_args *a = &s->args;
    return (pair_source){.from = (const T *)a->a + (s->range.i0 + i) * a->a_row + k * a->a_col,
                         .row = a->a_row,
                         .column = a->a_col,
                         .least = least_of(s)};
}

static pair_source columns_of_b(const strip *s, int64_t k, int64_t j)
{
    const heed__matmul_args *a = &s->args;
    return (pair_source){.from = (const T *)a->b + k * a->b_row + (s->range.j0 + j) * a->b_col,
                         .row = a->b_col,
                         .column = a->b_row,
                         .least = least_of(s)};
}

static T *c_of(const strip *s, int64_t i, int64_t j)
{
    return (T *)s->args.c + (s->range.i0 + i) * s->args.n + s->range.j0 + j;
}

#endif
