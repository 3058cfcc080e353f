/* heed/distributed_regression.h - kernel regression on several processes, bit-identical to one process.
 *
 *     heed_tensor *f = heed_kernel_regression_by_queries(world, 16, queries, keys, values, width, NULL);
 *     heed_backward(heed_mse_loss(f, targets, HEED_REDUCTION_MEAN));
 *
 * These functions compute heed_kernel_regression (heed/ops/attention.h) for tensors that every process has, and return
 * the result and gradients in every process. The work is divided into shards, as in heed/shards.h, and every process
 * computes its own shards, forward and backward. Gradients are added along the same tree. Results are therefore
 * bit-identical for any number of processes, including one, and equal to the op's results up to rounding: 1e-6 of the
 * largest element for f32, 1e-12 for f64. (heed_kernel_regression_by_keys computes f32 in f64, and is more accurate
 * than the op for distant queries.)
 *
 * All processes must call these functions, and differentiate their results, in the same order. `comm` must outlive the
 * graph. Second derivatives are not supported: a pass with create_graph fails with HEED_ERR_UNSUPPORTED.
 *
 * Queries distributed over the processes do not need these functions: treat them as the samples of a pass
 * (heed/shards.h) or of a step (heed/data_parallel.h), and call heed_kernel_regression for every shard.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DISTRIBUTED_REGRESSION_H
#define HEED_DISTRIBUTED_REGRESSION_H

#include <heed/comm.h>
#include <heed/data.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* Computes f(q) = sum_j a_j(q) v_j as heed_kernel_regression does, and divides the queries into shards.
 * queries: (n) or (n, d). Shared by all queries: keys (m) or (m, d) and values (m) or (m, v). Separate for every query:
 * keys (n, m) or (n, m, d) and values (n, m) or (n, m, v). width: (1) or (d). The result is (n) or (n, v).
 * Differentiable in all four. Shards are as in heed_shards_new. With leave_one_out a shard of b queries needs memory
 * for b (n - 1) keys. Weights are not returned; call heed_kernel_regression on a few queries to see theirs.
 * Errors: HEED_ERR_SHAPE and HEED_ERR_DTYPE as heed_kernel_regression, HEED_ERR_SHAPE without queries;
 * HEED_ERR_ARGUMENT for NULL, an unknown kernel or degree, or a number of shards out of range; HEED_ERR_IO for a
 * process that does not answer; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_kernel_regression_by_queries(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                        heed_tensor *keys, heed_tensor *values, heed_tensor *width,
                                                        const heed_kernel_regression_options *options);

/* Computes the same result, but divides the keys into S shards instead of the queries.
 * All queries share the keys (m) or (m, d) and the values (m) or (m, v). For every query, shard s computes the
 * logarithm L_s of the sum of its weights, and f_s, the weighted mean of its values. These are combined in f64, in the
 * order of the shards:
 *
 *     L = ln sum_s exp(L_s)    f = sum_s exp(L_s - L) f_s
 *
 * This needs memory for n (v + 1) S numbers, and for blocks of 2^18 / d query-key pairs. Use it for few queries and
 * many keys; otherwise call heed_kernel_regression_by_queries, which runs heed_kernel_regression on every shard.
 * Errors: as heed_kernel_regression_by_queries; HEED_ERR_SHAPE without keys; HEED_ERR_UNSUPPORTED for kernels other
 * than the Gaussian, for a degree above 0 and for leave_one_out. */
HEED_API heed_tensor *heed_kernel_regression_by_keys(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                     heed_tensor *keys, heed_tensor *values, heed_tensor *width,
                                                     const heed_kernel_regression_options *options);

/* Computes heed_kernel_regression_by_keys for keys and values in the first two tensors of a dataset, of any dtypes.
 * The dataset may be in files (heed_io_npy_dataset): every process reads the samples of its own shards, forward and
 * again backward. Differentiable in queries and width; the result has their dtype. `data` must outlive the graph.
 * Errors: as heed_kernel_regression_by_queries and heed_kernel_regression_by_keys; errors of heed_dataset_take;
 * HEED_ERR_ARGUMENT for a dataset of fewer than two tensors. */
HEED_API heed_tensor *heed_kernel_regression_by_data(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                     const heed_dataset *data, heed_tensor *width,
                                                     const heed_kernel_regression_options *options);

HEED_END_DECLS

#endif
