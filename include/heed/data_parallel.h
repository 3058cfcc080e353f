/* heed/data_parallel.h - training on many processes, with the same bits as on one.
 *
 *     heed_data_parallel *team = heed_data_parallel_new(world, adam, &(heed_data_parallel_options){.shards = 16});
 *     while (heed_data_parallel_steps(team) < steps) {
 *         heed_tensor *part[2];
 *         while (heed_data_parallel_take(team, loader, part)) {      one of this process's shards of the step
 *             heed_scope *scope = heed_scope_begin();
 *             heed_tensor *loss = ... a sum over the samples of part ...
 *             heed_data_parallel_backward(team, loss, heed_dim(part[0], 0));
 *             heed_scope_end(scope);
 *         }
 *         heed_data_parallel_step(team);          adds up over all processes, divides by the counts, clips, steps
 *     }
 *
 * A batch of n samples is cut into S shards, shard s being samples floor(s n / S) to floor((s + 1) n / S) - 1; process
 * r of R works on the shards floor(r S / R) to floor((r + 1) S / R) - 1. Gradients of shards are added along the
 * complete binary tree over 0 .. S - 1, and what a shard draws from the default generator depends on the seed, on s and
 * on the step, so that two teams of one program draw alike. Parameters then have the same bits for any number of
 * processes, also where this number changes between two steps, as long as S is the same. Instruction sets differ in
 * bits: where processors differ, set HEED_ISA.
 *
 * Every process runs the same program, on the same data, and calls these functions in the same order. While the last
 * shard's backward pass walks, gradients that are complete are on their way to other processes already.
 *
 * What accumulates gradients over k batches of n samples elsewhere is here a batch of k n samples in k times as many
 * shards: one shard's graph is in memory at a time.
 */
#ifndef HEED_DATA_PARALLEL_H
#define HEED_DATA_PARALLEL_H

#include <heed/checkpoint.h>
#include <heed/comm.h>
#include <heed/data.h>
#include <heed/optim.h>

HEED_BEGIN_DECLS

typedef struct heed_data_parallel heed_data_parallel;

typedef struct heed_data_parallel_options {
    int64_t shards;      /* S, at least the number of processes, at most 2^20; 0: that number, and so other bits
                           for another number */
    double max_norm;     /* gradients are clipped to this 2-norm (heed_optim_clip_grad_norm_); 0: they are not */
    bool broadcast;      /* parameters and buffers that differ between processes are taken from process 0, and are no
                           error; what the optimizer keeps of them must be the same all the same */
    bool sharded_state;  /* each process keeps the optimizer's state of its share of the elements, and updates these:
                           S. Rajbhandari, J. Rasley, O. Ruwase, Y. He: ZeRO (SC 2020), stage 1. The same bits. The
                           optimizer is the team's from then on */
    heed_module *module; /* whose buffers have the same bits too, such as the running statistics of batch norm: each
                            shard begins with those of before the step, which change by the mean of what the shards
                            change them by; those of bool are left alone. NULL: each process keeps what its own
                            shards make of them */
    HEED_RESERVED;
} heed_data_parallel_options;

/* Processes that train the parameters of `optimizer` together; `comm` and `optimizer` must outlive it. All processes
 * are compared first: NULL with HEED_ERR_STATE, in all of them, naming one that differs in version, instruction set,
 * shards, seed, precision of matrix products, optimizer (kind, groups, options, state), or in parameters or buffers
 * (their number, shapes, dtypes, and values
 * unless `broadcast`). HEED_ERR_STATE also for an optimizer whose state a team has spread. HEED_ERR_ARGUMENT for NULL,
 * fewer shards than processes, a max_norm that is negative or not finite; HEED_ERR_UNSUPPORTED for a buffer that is not
 * contiguous; HEED_ERR_IO for a process that does not answer, which all name; HEED_ERR_NOMEM.
 * torch: torch.nn.parallel.DistributedDataParallel */
HEED_API heed_data_parallel *heed_data_parallel_new(heed_comm *comm, heed_optimizer *optimizer,
                                                    const heed_data_parallel_options *options);

/* Frees the team, between two steps or in the middle of one; not the comm, nor the optimizer, which after sharded_state
 * is of no more use: make another, and load a checkpoint. NULL is ignored. */
HEED_API void heed_data_parallel_free(heed_data_parallel *team);

/* The next shard of the step that is this process's: batch[i] holds its samples of tensor i of the loader's dataset, to
 * be read until the next call. False when there is none left, and after a failure: HEED_ERR_ARGUMENT for NULL;
 * HEED_ERR_STATE where the shard before had no heed_data_parallel_backward, where a shard of this step or a message has
 * failed, and where processes begin at different places of the data, or with loaders that differ: one that does is
 * named; HEED_ERR_IO as heed_data_parallel_step; what heed_loader_next and heed_dataset_take fail with. A process reads
 * only the samples of its own shards, until the step from the same loader. A shard without samples (S above n) is left
 * out. */
HEED_API bool heed_data_parallel_take(heed_data_parallel *team, heed_loader *loader, heed_tensor **batch);

/* Adds the gradients of `loss`, a sum over what `count` counts (samples, tokens), to those of the step. The parameters'
 * own gradients must be empty before, and are afterwards; a parameter that the loss does not depend on, or that is
 * frozen, counts as 0. HEED_ERR_ARGUMENT for NULL, or a count that is negative or not finite; HEED_ERR_SHAPE for a loss
 * that is not one number; HEED_ERR_STATE without a shard that was taken, for a parameter that has a gradient, and for
 * one that the optimizer got after the team was made. What heed_backward fails with is the end of the step, here and in
 * all other processes: they are told that this one has failed. */
HEED_API heed_status heed_data_parallel_backward(heed_data_parallel *team, heed_tensor *loss, double count);

/* The end of a step: gradients are added up over all processes, divided by the sum of the counts and clipped, and the
 * optimizer steps. HEED_ERR_STATE when shards are left or have failed, which is the end of this step and of the team;
 * and, in all processes alike, when all counts are 0, a loss or a gradient is not finite (the message names the
 * process, and the shard whose loss it is), a norm that was to be clipped is not, or one process differs from the
 * others in learning rates, parameter groups, their options, the number of updates, the default generator's seed, the
 * precision of matrix products or the samples of the step (the message names the process): then the run can go on with
 * the next step. HEED_ERR_IO when a process does not answer, is gone or has failed; HEED_ERR_NOMEM. After a failure
 * parameters and buffers are as they were, but for HEED_ERR_IO and HEED_ERR_NOMEM with sharded_state, where a process
 * may be lost while updated parameters travel: go on from a checkpoint. */
HEED_API heed_status heed_data_parallel_step(heed_data_parallel *team);

/* heed_checkpoint_save by process 0, with the optimizer's state from all: where that is sharded, there is no other way
 * to save it. All processes call it; each reads the file by heed_checkpoint_load, in a team of any size, before or
 * after it makes its team. The checkpoint's optimizer is the team's, or NULL. HEED_ERR_ARGUMENT for NULL and another
 * optimizer; HEED_ERR_STATE in the middle of a step; what heed_checkpoint_save fails with, in all processes, while
 * process 0 says why; HEED_ERR_IO when a process does not answer; HEED_ERR_NOMEM. After a failure the old file is as it
 * was. */
HEED_API heed_status heed_data_parallel_save(heed_data_parallel *team, const char *path,
                                             const heed_checkpoint *checkpoint, const heed_checkpoint_options *options);

/* Steps so far. -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_data_parallel_steps(const heed_data_parallel *team);

/* Sets the number of steps so far, of which the draws of each shard are a function: for a run that goes on from a
 * checkpoint, whatever the number of processes before. HEED_ERR_ARGUMENT for NULL, below 0 or from 2^24 on;
 * HEED_ERR_STATE in the middle of a step. */
HEED_API heed_status heed_data_parallel_set_steps(heed_data_parallel *team, int64_t steps);

/* The last step's loss over all processes: the sum of the losses over the sum of the counts. NaN before the first step,
 * and with HEED_ERR_ARGUMENT for NULL. */
HEED_API double heed_data_parallel_loss(const heed_data_parallel *team);

HEED_END_DECLS

#endif
