/* kernels/matmul/args.h - arguments of the kernel for products; part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_ARGS_H
#define HEED_KERNELS_MATMUL_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/elementwise/args.h"

/* C = activation(A B + bias) for `batches` batch elements. Their matrices are a_batch, b_batch and c_batch elements
 * apart. A is (m, k), B is (k, n), and C (m, n) is contiguous and overwritten. Element (i, j) of A is at a[i * a_row +
 * j * a_col], and element (i, j) of B is at b[i * b_row + j * b_col]. bias is (n), or (m) if `bias_of_rows`. activation
 * is an elementwise kernel without numbers, for the same instruction set and dtype. bias and activation may be NULL.
 * Computes rows i0 .. i1 - 1 and columns j0 .. j1 - 1 of every C; k = 0 gives sums of 0. `scratch` holds
 * heed__matmul_scratch elements and is aligned to 64 bytes. */
typedef struct heed__matmul_args {
    int64_t m, n, k;
    const void *a;
    int64_t a_row, a_col;
    const void *b;
    int64_t b_row, b_col;
    void *c;
    int64_t batches, a_batch, b_batch, c_batch;
    const void *bias;
    bool bias_of_rows;
    heed__unary_kernel *activation;
    int64_t chain; /* the maximal number of terms summed before their sum is added to the others; 0: k */
    int unit;      /* for heed__matmul_bf16: a matrix unit with 1 or 2 bf16 per number; 0: no matrix unit */
} heed__matmul_args;
typedef struct heed__matmul_range {
    int64_t i0, i1, j0, j1; /* i0 is a multiple of HEED_MATMUL_GROUP, j0 of HEED_MATMUL_COLUMNS */
} heed__matmul_range;
typedef int64_t heed__matmul_kernel(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch);

/* Thresholds of heed__matmul_bf16. Packing pays only for sums of at least HEED_PAIRS_TERMS terms, and if a number is
 * used at least HEED_PAIRS_USES times on average, or HEED_PIECES_USES times if it is split into two bf16. */
enum { HEED_PAIRS_TERMS = 32, HEED_PAIRS_USES = 24, HEED_PIECES_USES = 96 };

/* HEED_MATMUL_K is the maximal number of inner indices per pass, for which a range of B's columns (a multiple of
 * HEED_MATMUL_COLUMNS) and a few rows of A are packed. */
enum { HEED_MATMUL_K = 320, HEED_MATMUL_COLUMNS = 32, HEED_MATMUL_GROUP = 16 };

/* The number of inner indices packed per pass, rounded up to whole tiles of a matrix unit. */
static inline int64_t heed__matmul_depth(int64_t k)
{
    return k < HEED_MATMUL_K ? (k + 31) / 32 * 32 : HEED_MATMUL_K;
}

#endif
