/* heed/data_parallel.h - training on several threads and processes, bit-identical to training on one.
 *
 *     static heed_tensor *loss_of(heed_tensor *const *part, double *count, void *net)
 *     {
 *         return heed_cross_entropy(heed_nn_sequential_forward(net, part[0]), part[1],
 *                                   &(heed_class_loss_options){.reduction = HEED_REDUCTION_SUM});
 *     }
 *     ...
 *     heed_comm *self = heed_comm_self();         this process alone; or heed_comm_mpi
 *     heed_data_parallel *team = heed_data_parallel_new(self, adam, &(heed_data_parallel_options){.shards = 16});
 *     while (heed_data_parallel_steps(team) < steps) {
 *         heed_data_parallel_gradients(team, loader, loss_of, net);      of all shards, several at a time
 *         heed_data_parallel_step(team);          sums over all processes, divides by the counts, clips, updates
 *     }
 *
 * A program that has to compute its shards one after another calls heed_data_parallel_next and
 * heed_data_parallel_backward in place of heed_data_parallel_gradients, with the same results:
 *
 *     while (heed_data_parallel_steps(team) < steps) {
 *         heed_tensor *part[2];
 *         while (heed_data_parallel_next(team, loader, part)) {      reads this process's next shard
 *             heed_scope *scope = heed_scope_begin();
 *             heed_tensor *loss = ... a sum over the samples of part ...
 *             heed_data_parallel_backward(team, loss, heed_dim(part[0], 0));
 *             heed_scope_end(scope);
 *         }
 *         heed_data_parallel_step(team);
 *     }
 *
 * A batch of n samples is divided into S shards; shard s is the samples floor(s n / S) to floor((s + 1) n / S) - 1.
 * Process r of R works on the shards floor(r S / R) to floor((r + 1) S / R) - 1. The gradients of the shards are added
 * along the complete binary tree over 0 .. S - 1. The numbers that a shard draws from the generator in use depend only
 * on the seed, s and the step, so two teams of one program draw the same numbers. Parameters are therefore
 * bit-identical for any number of threads and processes, even if it changes between two steps, provided S is the same.
 * Processes with AVX2, AVX-512 and NEON may train together, because they compute the same bits. The scalar kernels
 * compute different bits: if a processor lacks AVX2, set HEED_ISA=scalar for all processes.
 *
 * Every process runs the same program, on the same data, and calls these functions in the same order. With
 * heed_data_parallel_backward, gradients are sent as soon as they are complete, already during the backward pass of a
 * process's last shard.
 *
 * Shards in threads pay for small networks, whose ops are too short to be shared among threads. They do not pay if the
 * weights are large compared with a shard's activations: every shard computes, stores and adds a gradient of all
 * weights, and products with fewer rows are less efficient. Large ops use all threads without shards, too.
 *
 * Instead of accumulating gradients over k batches of n samples, use one batch of k n samples and k times the number of
 * shards: only one shard's graph is in memory at a time.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DATA_PARALLEL_H
#define HEED_DATA_PARALLEL_H

#include <heed/checkpoint.h>
#include <heed/comm.h>
#include <heed/data.h>
#include <heed/optim.h>

HEED_BEGIN_DECLS

typedef struct heed_data_parallel heed_data_parallel;

typedef struct heed_data_parallel_options {
    int64_t shards; /* S: at least the number of processes and at most 2^20. 0 means one shard per process, but then the
                       bits of the results depend on the number of processes */
    double max_norm;     /* gradients are clipped to this 2-norm (heed_optim_clip_grad_norm_); 0: no clipping */
    bool broadcast;      /* if parameters or buffers differ between processes, copies them from process 0 instead of
                            failing; the optimizers' states must be the same in any case */
    bool sharded_state;  /* every process keeps the optimizer's state for its share of the elements and updates only
                            these elements: stage 1 of S. Rajbhandari, J. Rasley, O. Ruwase, Y. He: ZeRO (SC 2020). The
                            results have the same bits. The optimizer then belongs to the team */
    heed_module *module; /* also synchronises the buffers of this module, such as the running statistics of batch norm:
                            every shard starts with the buffers from before the step, and a step changes the buffers by
                            the mean of the shards' changes. Bool buffers are ignored. NULL: every process keeps the
                            buffers of its own shards */
    HEED_RESERVED;
} heed_data_parallel_options;

/* Returns a team of processes that train the parameters of `optimizer` together; `comm` and `optimizer` must outlive
 * it.
 * The call compares all processes first, and fails in all of them if one differs.
 * Errors: NULL with HEED_ERR_STATE, in all processes, if one of them differs in version, arithmetic (scalar kernels, a
 * C library that rounds differently), shards, seed, precision of matrix products or instructions for bf16, optimizer
 * (type, groups, options, state), parameters or buffers (their number, shapes, dtypes, and values unless `broadcast`);
 * the message names that process. HEED_ERR_STATE also for an optimizer whose state a team has sharded.
 * HEED_ERR_ARGUMENT for NULL, fewer shards than processes, a negative or non-finite max_norm;
 * HEED_ERR_UNSUPPORTED for a non-contiguous buffer; HEED_ERR_IO for a process that does not answer (all messages name
 * it); HEED_ERR_NOMEM.
 * torch: torch.nn.parallel.DistributedDataParallel */
HEED_API heed_data_parallel *heed_data_parallel_new(heed_comm *comm, heed_optimizer *optimizer,
                                                    const heed_data_parallel_options *options);

/* Frees the team, between two steps or during one, but neither the comm nor the optimizer.
 * An optimizer with sharded_state cannot be used afterwards: create a new one, and load a checkpoint. NULL is ignored.
 * */
HEED_API void heed_data_parallel_free(heed_data_parallel *team);

/* The loss of a shard: a sum over *count items (samples, tokens). batch[i] holds the shard's samples of tensor i of the
 * loader's dataset. *count is the number of these samples unless the function changes it. Returns NULL on failure. */
typedef heed_tensor *(*heed_shard_loss)(heed_tensor *const *batch, double *count, void *user);

/* Computes the gradients of all shards of this process, in up to heed_num_threads() threads.
 * Calls fn(batch, &count, user) for every shard that has samples. The calls run at the same time and in any order
 * (heed_parallel_for describes what they may do). They may run the same modules; in training, batch norm and spectral
 * norm require that options->module contains it. No parameter may have a gradient before the call, and none has one
 * afterwards. After a failure the step has failed, in all processes, which are notified.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE if a step has begun, for a parameter that has a gradient, for a
 * parameter added to the optimizer after the team was created, if fn returns NULL without an error, or writes a
 * module's buffer that is not in options->module, and if processes start at different positions of the data; and errors
 * of fn, heed_data_parallel_backward and heed_dataset_take. If several shards fail, the first one's error is
 * reported. */
HEED_API heed_status heed_data_parallel_gradients(heed_data_parallel *team, heed_loader *loader, heed_shard_loss fn,
                                                  void *user);

/* Reads this process's next shard of the step and returns true: batch[i] holds the shard's samples of tensor i of the
 * loader's dataset.
 * batch is valid until the next call. All calls of a step use the same loader. A process reads only the samples of its
 * own shards; shards without samples (S above n) are skipped. Returns false after the last shard and on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE if heed_data_parallel_backward was not called for the previous
 * shard, if a shard of this step or a message has failed, and if processes start at different positions of the data or
 * with different loaders (the message names one that differs); HEED_ERR_IO as heed_data_parallel_step; errors of
 * heed_loader_next and heed_dataset_take. */
HEED_API bool heed_data_parallel_next(heed_data_parallel *team, heed_loader *loader, heed_tensor **batch);

/* Computes the gradients of `loss`, a sum over `count` items (samples, tokens), and adds them to the gradients of the
 * step.
 * No parameter may have a gradient before the call, and none has one afterwards. For a parameter that is frozen, or
 * that the loss does not depend on, the gradient counts as 0. If heed_backward fails, the step ends with an error in
 * this and all other processes, which are notified.
 * Errors: HEED_ERR_ARGUMENT for NULL, or a negative or non-finite count; HEED_ERR_SHAPE unless the loss is a
 * single number; HEED_ERR_STATE without a shard from heed_data_parallel_next, for a parameter that has a gradient, and
 * for a parameter added to the optimizer, or groups split, after the team was created; errors of heed_backward. */
HEED_API heed_status heed_data_parallel_backward(heed_data_parallel *team, heed_tensor *loss, double count);

/* Ends a step: sums the gradients over all processes, divides them by the sum of the counts, clips them, and updates
 * the parameters.
 * After a failure the parameters and buffers are unchanged. The exceptions are HEED_ERR_IO and HEED_ERR_NOMEM with
 * sharded_state: a process may be lost while updated parameters are sent. Then continue from a checkpoint.
 *
 * Errors: HEED_ERR_STATE if shards are left or have failed, which ends this step and the team. HEED_ERR_STATE, in all
 * processes, if all counts are 0; if a loss or a gradient is not finite (the message names the process, and the shard
 * with that loss) or the norm to be clipped is not; or if a process differs from the others in learning rates,
 * parameter groups, their options, the number of updates, the generator's seed, the precision of matrix
 * products or the samples of the step (the message names the process): the run can then continue with the next step.
 * HEED_ERR_IO if a process does not answer, is gone or has failed; HEED_ERR_NOMEM. */
HEED_API heed_status heed_data_parallel_step(heed_data_parallel *team);

/* Saves a checkpoint in process 0, as heed_checkpoint_save does, with the optimizer's state from all processes.
 * A sharded state can be saved only with this function. All processes call it; to resume, every process reads the file
 * with heed_checkpoint_load, in a team of any size, before or after creating its team. The checkpoint's optimizer is
 * the team's, or NULL. After a failure the old file is unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL and a different optimizer; HEED_ERR_STATE during a step; errors of
 * heed_checkpoint_save, in all processes (only the message in process 0 gives the reason); HEED_ERR_IO if a process
 * does not answer; HEED_ERR_NOMEM. */
HEED_API heed_status heed_data_parallel_save(heed_data_parallel *team, const char *path,
                                             const heed_checkpoint *checkpoint, const heed_checkpoint_options *options);

/* Returns the number of steps so far.
 * Errors: -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_data_parallel_steps(const heed_data_parallel *team);

/* Sets the number of steps so far, which determines the random numbers of every shard: for a run that continues from a
 * checkpoint, with any number of processes.
 * Errors: HEED_ERR_ARGUMENT for NULL, and for a number below 0 or from 2^24 on; HEED_ERR_STATE during a step. */
HEED_API heed_status heed_data_parallel_set_steps(heed_data_parallel *team, int64_t steps);

/* Returns the last step's loss over all processes, the sum of the losses divided by the sum of the counts; NaN before
 * the first step.
 * Errors: NaN with HEED_ERR_ARGUMENT for NULL. */
HEED_API double heed_data_parallel_loss(const heed_data_parallel *team);

HEED_END_DECLS

#endif
