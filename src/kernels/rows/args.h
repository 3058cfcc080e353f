/* kernels/rows/args.h - arguments of the kernels for rows: sums, softmax, cross entropy, norms and rotary embedding;
 * part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_ARGS_H
#define HEED_KERNELS_ROWS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/attention/visibility.h"

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* A sum of more than HEED_LONG_SUM terms (over inner indices, keys or rows) is split into blocks of at most
 * HEED_LONG_BLOCK terms. Within a block, a term is rounded about HEED_LONG_CHAIN times at most. The sums of the blocks
 * are added in order, by compensated summation (kernels/simd/total.h). Shorter sums use the fastest order. */
enum { HEED_LONG_SUM = 4096, HEED_LONG_BLOCK = 2048, HEED_LONG_CHAIN = 64 };

static inline bool heed__is_long(int64_t terms)
{
    return terms > HEED_LONG_SUM;
}

/* Adds the elements of x to those of `sum` by compensated summation, and the rounding errors to `lost`
 * (kernels/simd/total.h). */
typedef void heed__total_add_kernel(int64_t n, const void *x, void *sum, void *lost);

/* The sum of a[i] b[i]. */
typedef double heed__total_product_kernel(int64_t n, const void *a, const void *b);

/* -- Reductions, and functions of rows of n ------------------------------------------------------------------------ */

typedef void heed__reduce_kernel(int64_t outer, int64_t r, int64_t inner, const void *x, void *y);
typedef void heed__rows_kernel(int64_t rows, int64_t n, const void *x, void *y);
typedef void heed__rows_grad_kernel(int64_t rows, int64_t n, const void *y, const void *g, void *dx);

/* Masked softmax of rows with one number per key: y is the softmax over the keys that the row sees, and dx = y (g -
 * sum(g y)). y and dx are 0 for all other keys, whose inputs are not read. Computes the rows begin .. end - 1 of all
 * batch elements. */
typedef struct heed__masked_args {
    int64_t rows;                /* per batch element */
    heed__visibility visibility; /* without biases; a mask has key step 1 */
} heed__masked_args;
typedef void heed__masked_softmax_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *x,
                                         void *y);
typedef void heed__masked_softmax_grad_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *y,
                                              const void *g, void *dx);

/* Cross entropy of rows of n logits with one class number per row: y[row] = logsumexp(x) - sum t x, where t is
 * smoothing / n for every class, plus 1 - smoothing for the target; and dx[row, :] = g[row] (softmax(x) - t). A row
 * whose target is `ignored` is not read and gives 0. All other targets are in 0 .. n - 1. */
typedef struct heed__cross_entropy_args {
    int64_t n;
    int64_t ignored;
    double smoothing;
} heed__cross_entropy_args;
typedef void heed__cross_entropy_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                        const int64_t *targets, void *y);
typedef void heed__cross_entropy_grad_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                             const int64_t *targets, const void *g, void *dx);

/* -- Norms --------------------------------------------------------------------------------------------------------- */

/* The arrays of the gradient of layer norm and of batch norm. dx must differ from x and g. */
typedef struct heed__norm_grads {
    const void *x, *g;
    void *dx, *dweight, *dbias;
} heed__norm_grads;

/* Layer norm of rows of n: y = h weight + bias, with h = (x - mean) / sqrt(variance + eps). weight and bias (n) may be
 * NULL, for 1 and 0. If uncentred (RMS norm), the mean counts as 0, so that the variance is the mean of x^2. The
 * gradient writes dx for every row, and the sums of g h and of g over these rows to dweight (n) and dbias (n), unless
 * they are NULL. These sums are in T, so a call should have few rows; the caller adds up the sums of its calls. Rows
 * whose squares overflow or underflow are scaled first: kernels/rows/scale.h. */
typedef struct heed__layer_norm_args {
    int64_t n;
    double eps;
    bool uncentred;
    const void *weight, *bias;
} heed__layer_norm_args;
typedef void heed__layer_norm_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, void *y);
typedef void heed__layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows,
                                          const heed__norm_grads *grads);

/* Batch norm of x (outer, channels, inner): y = h weight + bias, with h = (x - mean) / sqrt(variance + eps). The mean
 * and variance of a channel are computed from x, or given. Computes channels begin .. end - 1; the bits do not depend
 * on the division into ranges. The gradient writes dx and, per channel, the sum of g h to dweight and the sum of g to
 * dbias; given statistics are constants. Channels whose squares overflow or underflow are scaled first:
 * kernels/rows/scale.h. */
typedef struct heed__batch_norm_args {
    int64_t outer, channels, inner;
    double eps;
    const void *weight, *bias, *mean, *variance; /* (channels); NULL: 1, 0, the mean of x, its variance */
    void *statistics;                            /* (2, channels), or NULL: receives mean and variance */
} heed__batch_norm_args;
typedef void heed__batch_norm_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x,
                                     void *y);
typedef void heed__batch_norm_grad_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end,
                                          const heed__norm_grads *grads);

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* Rotates the first 2 * pairs numbers of rows of n as pairs, and copies the others. The numbers a and b of pair i
 * become a c - b s and b c + a s with c = c[i] and s = s[i]; if `back`, the inverse rotation is applied. The two
 * numbers of a pair are neighbours if `interleaved`, else `pairs` apart. table holds c (pairs), then s (pairs), of the
 * first row; table_row is the number of elements from one row of the table to the next. */
typedef struct heed__rope_args {
    int64_t n, pairs, table_row;
    bool interleaved, back;
} heed__rope_args;
typedef void heed__rope_kernel(const heed__rope_args *args, int64_t rows, const void *table, const void *x, void *y);

#endif
