/* heed/parallel.h - the number of threads that kernels use. Results do not depend on it: all threads compute in the
 * calling thread's mode of floating-point arithmetic (rounding, denormal numbers flushed to zero).
 *
 * The additional threads belong to the library and are shared by all threads of the program. They start when there is
 * work for them, sleep when idle, and block all signals except those of their own faults. If a thread cannot be
 * started, fewer threads do the work. After fork a child starts its own threads. If other processes keep the processors
 * busy, so that sharing the work takes longer, the calling thread works alone. A plugin that contains the static
 * library must not be unloaded (link it with -z nodelete). */
#ifndef HEED_PARALLEL_H
#define HEED_PARALLEL_H

#include <heed/error.h>

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

HEED_END_DECLS

#endif
