/* heed/shards.h - evaluation and prediction over many samples, shared by a team of processes.
 *
 *     heed_shards *pass = heed_shards_new(world, heed_dataset_size(test), 16);
 *     int64_t begin, end;
 *     while (heed_shards_next(pass, &begin, &end)) {                  the shards of this process
 *         heed_scope *scope = heed_no_grad_begin();
 *         heed_tensor *part[2];
 *         heed_dataset_take(test, heed_arange(HEED_I64, begin, end, 1), part);
 *         heed_tensor *logits = heed_nn_sequential_forward(net, part[0]);
 *         heed_shards_add(pass, HEED_TENSORS(loss_of(logits, part[1]), confusion_of(logits, part[1])));
 *         heed_shards_put(pass, HEED_TENSORS(heed_softmax(logits, 1)));
 *         heed_scope_end(scope);
 *     }
 *     heed_tensor *sums[2], *rows[1];
 *     heed_shards_sum(pass, sums, 2);           sums over all samples, in every process
 *     heed_shards_gather(pass, rows, 1);        (n, ...): the rows put, in sample order, in every process
 *     heed_shards_free(pass);
 *
 * n samples are divided into S shards, and the shards are divided among the processes, as heed/data_parallel.h does
 * with a batch. Shard s is the samples floor(s n / S) to floor((s + 1) n / S) - 1. The sums of the shards are added
 * along the complete binary tree over 0 .. S - 1. Results are therefore bit-identical for any number of processes,
 * including one (heed_comm_self). Choose S so that a shard is a batch of suitable size. Every process runs the same
 * program.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SHARDS_H
#define HEED_SHARDS_H

#include <heed/comm.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

#define HEED_SHARDS_MAX 16 /* the maximum number of sums, and of rows, in a pass */

typedef struct heed_shards heed_shards;

/* Returns a pass over the samples 0 .. samples - 1, divided into `shards` shards.
 * `shards` must be at least the number of processes and at most 2^20. 0 means one shard per process, but then the bits
 * of the results depend on the number of processes. `comm` must outlive the pass. The call does not communicate. Free
 * the pass with heed_shards_free.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, no samples, or a number of shards out of range; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_shards *heed_shards_new(heed_comm *comm, int64_t samples, int64_t shards);

/* Frees the pass, at any point. NULL is ignored. */
HEED_API void heed_shards_free(heed_shards *pass);

/* Writes the range of samples of this process's next shard, *begin .. *end - 1, and returns true.
 * Shards without samples are skipped. Returns false after the last shard and on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE if the previous shard lacks rows for some of its samples, or lacks
 * rows or sums although an earlier shard had them; HEED_ERR_NOMEM. */
HEED_API bool heed_shards_next(heed_shards *pass, int64_t *begin, int64_t *end);

/* Adds k tensors, 1 to HEED_SHARDS_MAX, of any shapes, f32, f64 or i64, to the sums of the shard.
 * Only their elements are added, not gradients. All calls in a pass must have the same k, shapes and dtypes; several
 * calls per shard are added in order. i64 wraps around at 2^63.
 * Errors: HEED_ERR_STATE without a shard, or if an earlier shard had no sums; HEED_ERR_SHAPE or HEED_ERR_DTYPE if the
 * tensors differ from the first call's, and for bool; HEED_ERR_ARGUMENT for NULL or a wrong k; HEED_ERR_NOMEM. */
HEED_API heed_status heed_shards_add(heed_shards *pass, heed_tensor *const *terms, int k);

/* Stores rows for the next samples of the shard: k tensors (m, ...), f32, f64 or i64, which heed_shards_gather combines
 * to (n, ...).
 * Call it once with all samples of the shard, or several times in order. Every process needs memory for all rows.
 * Errors: HEED_ERR_STATE without a shard, or if an earlier shard had no rows; HEED_ERR_SHAPE for more rows than the
 * shard has samples left, and as heed_shards_add. */
HEED_API heed_status heed_shards_put(heed_shards *pass, heed_tensor *const *rows, int k);

/* Writes the sums over all shards to sums[0 .. k - 1], in every process, borrowed from the innermost scope.
 * All processes call it once, after heed_shards_next has returned false for the last shard. After a failure all of sums
 * is NULL.
 * Errors: HEED_ERR_STATE if it is called too early or a second time, or if processes differ in their samples, shards or
 * sums (the message names one that differs, in all processes); HEED_ERR_ARGUMENT for NULL or a k that differs from
 * heed_shards_add; HEED_ERR_IO for a process that does not answer, which all messages name; HEED_ERR_NOMEM.
 * torch: torch.distributed.all_reduce */
HEED_API heed_status heed_shards_sum(heed_shards *pass, heed_tensor **sums, int k);

/* Writes all rows to rows[0 .. k - 1], (n, ...), in the order of the samples, in every process, borrowed from the
 * innermost scope.
 * All processes call it once, after heed_shards_next has returned false for the last shard.
 * Errors: as heed_shards_sum.
 * torch: torch.distributed.all_gather */
HEED_API heed_status heed_shards_gather(heed_shards *pass, heed_tensor **rows, int k);

HEED_END_DECLS

#endif
