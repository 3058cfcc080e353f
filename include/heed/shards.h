/* heed/shards.h - work over many samples, shared by a team of processes: evaluation, prediction.
 *
 *     heed_shards *pass = heed_shards_new(world, heed_dataset_size(test), 16);
 *     int64_t begin, end;
 *     while (heed_shards_next(pass, &begin, &end)) {                  the shards that are this process's
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
 *     heed_shards_gather(pass, rows, 1);        (n, ...): what was put, in the order of the samples, in every process
 *     heed_shards_free(pass);
 *
 * n samples are cut into S shards, and these shared out, as heed/data_parallel.h does with a batch: shard s is the
 * samples floor(s n / S) to floor((s + 1) n / S) - 1, and sums are added along the complete binary tree over 0 .. S -
 * 1. So all results have the same bits for any number of processes, one by itself (heed_comm_self) included. Take an S
 * for which a shard is a batch of a good size. Every process runs the same program.
 */
#ifndef HEED_SHARDS_H
#define HEED_SHARDS_H

#include <heed/comm.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

#define HEED_SHARDS_MAX 16 /* sums, and rows, of a pass */

typedef struct heed_shards heed_shards;

/* One pass over the samples 0 .. samples - 1 in `shards` shards, at least as many as there are processes and at most
 * 2^20; 0: as many, and so other bits for another number of processes. `comm` must outlive it. Nothing is sent yet. To
 * be freed by heed_shards_free. NULL with HEED_ERR_ARGUMENT for NULL, no samples, or another number of shards;
 * HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_shards *heed_shards_new(heed_comm *comm, int64_t samples, int64_t shards);

/* Frees the pass, wherever it is. NULL is ignored. */
HEED_API void heed_shards_free(heed_shards *pass);

/* The next shard that is this process's: the samples *begin .. *end - 1. A shard without samples is left out. False
 * when there is none left, and after a failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_STATE where the shard before lacks
 * rows, or sums that another shard had; HEED_ERR_NOMEM. */
HEED_API bool heed_shards_next(heed_shards *pass, int64_t *begin, int64_t *end);

/* Adds k tensors, 1 to HEED_SHARDS_MAX, of any shapes, f32, f64 or i64, to the sums of the shard; their elements,
 * without gradients. All calls of a pass have the same k, shapes and dtypes; a shard may have several, which are added
 * in their order. i64 wraps around at 2^63. HEED_ERR_STATE without a shard, or where a shard before had no sums;
 * HEED_ERR_SHAPE or HEED_ERR_DTYPE for other tensors than those of the call before, and for bool; HEED_ERR_ARGUMENT for
 * NULL or another k; HEED_ERR_NOMEM. */
HEED_API heed_status heed_shards_add(heed_shards *pass, heed_tensor *const *terms, int k);

/* Rows for the next samples of the shard: k tensors (m, ...), f32, f64 or i64, of which heed_shards_gather makes (n,
 * ...). One call for all samples of the shard, or several for some each, in their order. Each process has room for all
 * rows. HEED_ERR_STATE without a shard, or where a shard before had no rows; HEED_ERR_SHAPE for more rows than the
 * shard has samples left, and as heed_shards_add. */
HEED_API heed_status heed_shards_put(heed_shards *pass, heed_tensor *const *rows, int k);

/* sums[0 .. k - 1], over all shards, in every process; borrowed from the innermost scope. All processes call it, once,
 * after heed_shards_next has found no more shards. HEED_ERR_STATE before that, a second time, or where processes differ
 * in their samples, shards or sums: one that does is named in all of them; HEED_ERR_ARGUMENT for NULL or another k than
 * was added; HEED_ERR_IO for a process that does not answer, which all name; HEED_ERR_NOMEM. After a failure all of
 * sums is NULL.
 * torch: torch.distributed.all_reduce */
HEED_API heed_status heed_shards_sum(heed_shards *pass, heed_tensor **sums, int k);

/* rows[0 .. k - 1], (n, ...) each: what was put, in the order of the samples, in every process; borrowed from the
 * innermost scope. As heed_shards_sum.
 * torch: torch.distributed.all_gather */
HEED_API heed_status heed_shards_gather(heed_shards *pass, heed_tensor **rows, int k);

HEED_END_DECLS

#endif
