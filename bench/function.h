/* bench/function.h - a differentiable function, timed without a graph, and with a graph and its backward pass.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_FUNCTION_H
#define HEED_BENCH_FUNCTION_H

#include <heed/heed.h>

#include "measure.h"

enum { BENCH_MAX_LEAVES = 8 };

typedef struct bench_function {
    heed_tensor *(*output)(void *context);
    void *context;
    heed_tensor *leaves[BENCH_MAX_LEAVES]; /* require a gradient, cleared before a backward pass; NULL ends */
    heed_tensor *g;                        /* the incoming gradient, shaped like the output */
} bench_function;

/* Normal, and requiring a gradient. */
heed_tensor *bench_leaf(heed_shape shape);

/* Ragged lengths i64 (B) of mean 0.75 K: K/2 + K (2 b + 1) / (4 B). */
heed_tensor *bench_lengths(int64_t batch, int64_t keys);

/* A softmax of scores (B, Q, K) over the first `lens` keys, lens i64 (B) or (B, Q), as PyTorch users write it: a mask,
 * masked_fill and softmax. */
heed_tensor *bench_masked_softmax_by_ops(heed_tensor *x, heed_tensor *lens);

/* Prints "fwd peak_..." and "fwdbwd peak_..."; call it first. */
void bench_function_peaks(const bench_case *c, bench_function *f);

/* Prints "fwd ms" and "fwdbwd ms". */
void bench_function_times(const bench_case *c, bench_function *f);

/* Prints "fwd GFLOP/s" and "fwdbwd GFLOP/s", for `operations` forward, and three times this number with backward. */
void bench_function_rates(const bench_case *c, bench_function *f, double operations);

#endif
