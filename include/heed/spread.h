/* heed/spread.h - kernel regression by many processes, with the same bits as by one.
 *
 *     heed_tensor *f = heed_kernel_regression_by_queries(world, 16, queries, keys, values, width, NULL);
 *     heed_backward(heed_mse_loss(f, targets, HEED_REDUCTION_MEAN));
 *
 * Each function is heed_kernel_regression (heed/ops/attention.h) of tensors that every process has, with a result and
 * gradients that every process gets: the work is cut into shards, as heed/shards.h does with samples, and each process
 * does its own, forward and backward. Gradients are added along the same tree. So all has the same bits for any number
 * of processes, one by itself included, and those of the op but for rounding: 1e-6 of the largest for f32, 1e-12 for
 * f64. (By keys, f32 is computed in f64, and for far queries nearer to the truth than the op.)
 *
 * All processes call these functions, and differentiate what comes of them, in the same order. `comm` must outlive the
 * graph. There are no second derivatives: HEED_ERR_UNSUPPORTED in a pass with create_graph.
 *
 * Queries that no process has as a whole need no function: they are the samples of a pass (heed/shards.h), or of a step
 * (heed/data_parallel.h), with heed_kernel_regression for each shard of them.
 */
#ifndef HEED_SPREAD_H
#define HEED_SPREAD_H

#include <heed/comm.h>
#include <heed/data.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* f(q) = sum_j a_j(q) v_j of heed_kernel_regression, each shard some of the queries: queries (n) or (n, d); keys (m) or
 * (m, d), values (m) or (m, v), shared by all queries; or keys (n, m) or (n, m, d), values (n, m) or (n, m, v). Width
 * (1) or (d). Returns (n) or (n, v). Differentiable in all four. Shards as in heed_shards_new. With leave_one_out a
 * shard of b queries takes memory for b (n - 1) keys. The weights are not to be had: those of some queries are
 * heed_kernel_regression's.
 * HEED_ERR_SHAPE and HEED_ERR_DTYPE as heed_kernel_regression, HEED_ERR_SHAPE without queries; HEED_ERR_ARGUMENT for
 * NULL, an unknown kernel or degree, or another number of shards; HEED_ERR_IO for a process that does not answer;
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_kernel_regression_by_queries(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                        heed_tensor *keys, heed_tensor *values, heed_tensor *width,
                                                        const heed_kernel_regression_options *options);

/* The same, each shard some of the keys, which all queries share: keys (m) or (m, d), values (m) or (m, v). A shard
 * gives, for each query, the logarithm L_s of the sum of its weights and its mean f_s, and
 *
 *     L = ln sum_s exp(L_s)    f = sum_s exp(L_s - L) f_s
 *
 * in the order of the shards, computed in f64. Memory: n (v + 1) S numbers, and blocks of 2^18 pairs of a query with a
 * key. For few queries and many keys; otherwise cut by queries, whose shards run in the op's own kernels.
 * Errors as above; HEED_ERR_SHAPE without keys; HEED_ERR_UNSUPPORTED for other kernels than the Gaussian, for a degree
 * above 0 and for leave_one_out. */
HEED_API heed_tensor *heed_kernel_regression_by_keys(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                     heed_tensor *keys, heed_tensor *values, heed_tensor *width,
                                                     const heed_kernel_regression_options *options);

/* The same of the keys and values that are the first two tensors of a dataset, of any dtypes, which may be in files
 * (heed_io_npy_dataset): each process takes those of its own shards, forward and again backward. Differentiable in
 * queries and width; the result has their dtype. `data` must outlive the graph. Errors as above; what heed_dataset_take
 * fails with; HEED_ERR_ARGUMENT for a dataset of fewer tensors. */
HEED_API heed_tensor *heed_kernel_regression_by_data(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                                     const heed_dataset *data, heed_tensor *width,
                                                     const heed_kernel_regression_options *options);

HEED_END_DECLS

#endif
