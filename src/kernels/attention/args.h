/* kernels/attention/args.h - arguments of dot-product and additive attention; part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_ARGS_H
#define HEED_KERNELS_ATTENTION_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/attention/visibility.h"
#include "kernels/elementwise/args.h"
#include "kernels/matmul/args.h"

/* Dot-product attention of one batch element: y_i = sum_j w_ij v_j, where w_i is the softmax of scale q_i . k_j over
 * the keys that query i sees; dropout may drop some weights. Rows are contiguous, with the given steps between them.
 *
 * Forward writes y, and for every row to statistics (2, queries) its largest score m and 1 / sum of e^(score - m), from
 * which backward recomputes the weights. */
typedef struct heed__attention_args {
    int64_t queries, keys, d, e;
    const void *q, *k, *v; /* (queries, d), (keys, d), (keys, e) */
    int64_t q_row, k_row, v_row;
    void *y; /* (queries, e) */
    int64_t y_row;
    void *statistics;
    double scale;
    const heed__dropout_numbers *dropout; /* dropout of the weights, which are elements `first` and on; may be NULL */
    int64_t first;
    heed__visibility visibility; /* of this batch element only */
    bool by_query;               /* queries are done one at a time, as heed__attention_by_query decides */
    bool pairs; /* products by pairs of bf16: only for heed__attention_bf16 and heed__attention_grad_bf16 */
} heed__attention_args;

/* Backward, with D_i = g_i . y_i:  dw_ij = g_i . v_j  ds_ij = w_ij (dw_ij - D_i) scale  dq_i = sum_j ds_ij k_j  dk_j =
 * sum_i ds_ij q_i  dv_j = sum_i w_ij g_i. NULL results are not computed. */
typedef struct heed__attention_grads {
    const void *g;
    int64_t g_row;
    void *dq, *dk, *dv;
    int64_t dq_row, dk_row, dv_row;
    void *dbias; /* (queries, keys), to which w_ij (dw_ij - D_i) is added; NULL without score biases */
    void *distance_sum, *distance_lost; /* total over the pairs per distance j - i, at 0; NULL without score biases */
} heed__attention_grads;

/* Computes queries begin .. end - 1. Scratch depends on `args` only. */
typedef int64_t heed__attention_kernel(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);

/* Writes rows begin .. end - 1 of dk and dv, and to every row of dq the contribution of these keys. */
typedef int64_t heed__attention_grad_kernel(const heed__attention_args *args, const heed__attention_grads *grads,
                                            int64_t begin, int64_t end, void *scratch);

/* Keys per block; maximal number of queries per block, fewer if rows are long, and their maximal number of elements. Up
 * to FEW products, queries are done one at a time. Pairs of bf16 pay from PAIRS_ROWS queries and keys and PAIRS_COLUMNS
 * columns of q and v together. */
enum {
    HEED_ATTENTION_KEYS = 112,
    HEED_ATTENTION_QUERIES = 128,
    HEED_ATTENTION_ELEMENTS = 65536,
    HEED_ATTENTION_FEW = 1024,
    HEED_ATTENTION_PAIRS_ROWS = 24,
    HEED_ATTENTION_PAIRS_COLUMNS = 48,
};

static inline int64_t heed__attention_queries(const heed__attention_args *args)
{
    int64_t most = (args->queries + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS * HEED_MATMUL_COLUMNS;
    int64_t n = HEED_ATTENTION_QUERIES;
    while (n > HEED_MATMUL_COLUMNS && n * (args->d + args->e) > HEED_ATTENTION_ELEMENTS)
        n /= 2;
    return n < most ? n : most;
}

/* Returns true if packing tiles of queries and keys would take longer than it saves. */
static inline bool heed__attention_by_query(const heed__attention_args *args)
{
    if (args->queries == 1 && args->keys <= HEED_ATTENTION_ELEMENTS)
        return true;
    return args->keys <= HEED_ATTENTION_KEYS && args->queries <= HEED_ATTENTION_FEW &&
           args->d + args->e <= HEED_ATTENTION_FEW &&
           args->queries * args->keys * (args->d + args->e) <= HEED_ATTENTION_FEW;
}

/* -- Additive attention -------------------------------------------------------------------------------------------- */

/* The scores of additive attention between some rows and the keys of their batch element: y_ij = sum over h of w_h
 * tanh(a_ih + b_jh) for the keys that row i sees, and 0 for the other keys. a is (rows, units), b (keys, units), w
 * (units), y (rows, keys). Keys that no row sees are not read. */
typedef struct heed__additive_args {
    int64_t rows, keys, units;
    const void *a, *b, *w;
    heed__visibility visibility; /* of this batch element only, as in heed__masked_args */
    int64_t first;               /* number of the first row within the batch element */
    void *lost; /* for more than HEED_LONG_SUM keys: rounding errors of da, (rows, units), initially 0; else NULL */
} heed__additive_args;

/* Computes at most HEED_ADDITIVE_ROWS rows. */
typedef int64_t heed__additive_kernel(const heed__additive_args *args, void *y, void *scratch);

/* The gradients for the hidden units begin .. end - 1, at most HEED_ADDITIVE_UNITS: of a and b, whose arrays must hold
 * zeros, and of w. g (rows, keys) is read only where the row sees the key. */
typedef struct heed__additive_grads {
    const void *g;
    void *da, *db, *dw;
} heed__additive_grads;
typedef int64_t heed__additive_grad_kernel(const heed__additive_args *args, const heed__additive_grads *grads,
                                           int64_t begin, int64_t end, void *scratch);

/* heed__additive_kernel computes at most HEED_ADDITIVE_ROWS rows per call, heed__additive_grad_kernel at most
 * HEED_ADDITIVE_UNITS hidden units. Both prepare HEED_ADDITIVE_KEYS keys at a time. */
enum { HEED_ADDITIVE_ROWS = 32, HEED_ADDITIVE_UNITS = 32, HEED_ADDITIVE_KEYS = 64 };

#endif
