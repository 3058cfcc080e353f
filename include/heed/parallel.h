/* heed/parallel.h - the number of threads that kernels use, and calls of a function in several threads. Results do not
 * depend on the number of threads: all threads compute in the calling thread's mode of floating-point arithmetic
 * (rounding, denormal numbers flushed to zero).
 *
 * The additional threads belong to the library and are shared by all threads of the program. They start when there is
 * work for them, sleep when idle, and block all signals except their own faults. If a thread cannot be
 * started, fewer threads do the work. After fork a child starts its own threads. If other processes keep the processors
 * busy, so that sharing the work takes longer, the calling thread works alone. A plugin that contains the static
 * library must not be unloaded (link it with -z nodelete).
 *
 * Stability: stable, except for heed_parallel_for, heed_parallel_own_buffers, heed_parallel_buffer
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PARALLEL_H
#define HEED_PARALLEL_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Sets the maximum number of threads, 1 to 256, that kernels use for calls of this thread.
 * The default is the environment variable HEED_NUM_THREADS if it is a valid number, else OMP_NUM_THREADS (or the first
 * entry of its list) if that is one. Otherwise it is the number of processors on which the thread that first needs it
 * may run, limited by the CPU quota of the process's control groups (rounded up; Linux). Small work is always done by
 * the calling thread.
 * Errors: HEED_ERR_ARGUMENT for a number outside 1 to 256.
 * torch: torch.set_num_threads */
HEED_API heed_status heed_set_num_threads(int n);

/* Returns the maximum number of threads that kernels use for calls of this thread.
 * torch: torch.get_num_threads */
HEED_API int heed_num_threads(void);

/* -- Calls in several threads -------------------------------------------------------------------------------------- */

#define HEED_PARALLEL_MAX ((int64_t)1 << 24) /* the maximum number of calls */

/* A function that heed_parallel_for calls. It returns HEED_OK, or a different code after heed_fail. */
typedef heed_status (*heed_parallel_fn)(int64_t i, void *user);

/* Calls fn(i, user) for i = 0 .. n - 1, in this thread and the library's threads, up to heed_num_threads() at a time.
 *
 *     static heed_status score(int64_t fold, void *user)
 *     {
 *         study *s = user;
 *         s->errors[fold] = heed_item(error_of_fold(s, fold));
 *         return heed_error_code();
 *     }
 *     ...
 *     heed_parallel_for(10, score, &s);
 *
 * This pays for many small graphs, such as shards of a batch, folds or simulations, whose ops are too small to be
 * shared among threads. Calls run in any order and must write to separate memory. They may read the same tensors and
 * run the same modules (heed/module.h), but only heed_grad may differentiate with respect to tensors that calls share,
 * because heed_backward writes their .grad. Every call has its own scope, and is a callback under the rules of
 * heed/scope.h. The calling thread's recording mode and precision hold in all calls, its error handler in none. Ops
 * within a call use one thread.
 *
 * Every call has its own generator in use, which exists until the call returns. Its seed is derived from a
 * position of the generator that is in use outside, and from i, so that results do not depend on the number of threads.
 *
 * After a failure no later call starts. The lowest i that fails determines the pending error.
 * Returns: HEED_OK, or the code of that error.
 * Errors: HEED_ERR_ARGUMENT for a NULL fn or n outside 0 .. 2^24; errors of fn. A code other than HEED_OK without an
 * error becomes an error with this code. */
HEED_API heed_status heed_parallel_for(int64_t n, heed_parallel_fn fn, void *user);

/* Makes own[k] stand for buffers[k], a buffer of a module, until the present call of heed_parallel_for returns.
 * Calls that run a module with batch norm or spectral norm in training need copies of its buffers;
 * heed_data_parallel_gradients makes them. The two lists of n tensors must exist until the call returns.
 * Errors: HEED_ERR_STATE outside of such a call; HEED_ERR_ARGUMENT for NULL or a negative n. */
HEED_API heed_status heed_parallel_own_buffers(heed_tensor *const *buffers, heed_tensor *const *own, int n);

/* Returns the tensor that a module's forward pass reads and writes for one of its buffers: the buffer, or within a call
 * of heed_parallel_for, its copy by heed_parallel_own_buffers.
 * Only forward passes that write buffers need it.
 * Errors: NULL with HEED_ERR_STATE within such a call if the buffer has no copy; HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_parallel_buffer(heed_tensor *buffer);

HEED_END_DECLS

#endif
