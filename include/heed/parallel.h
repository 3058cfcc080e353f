/* heed/parallel.h - how many threads the kernels use. Results do not depend on it: all of them compute in the calling
 * thread's mode of floating-point arithmetic (rounding, denormal numbers flushed to zero).
 *
 * Those beside the calling thread are the library's own: shared by all threads of the program, started when there
 * is first work for them, asleep when there is none, and with all signals blocked but those of their own faults.
 * Where one cannot be started, fewer do the work. A child after fork starts its own. Beside busy processes, where
 * sharing work does not pay, it pauses. A plugin that has the static library in it must not be unloaded
 * (link it with -z nodelete). */
#ifndef HEED_PARALLEL_H
#define HEED_PARALLEL_H

#include <heed/error.h>

HEED_BEGIN_DECLS

/* Sets how many threads a kernel may use at most, for the calling thread's calls: 1 to 256, HEED_ERR_ARGUMENT
 * otherwise. Default: HEED_NUM_THREADS, else OMP_NUM_THREADS, where that (or the first of its list) is a valid number;
 * else the processors that the thread which first needs the number may run on, as many as the CPU quota of the
 * process's control groups pays for (rounded up; Linux). Small work is always done by the calling thread.
 * torch: torch.set_num_threads */
HEED_API heed_status heed_set_num_threads(int n);

/* How many threads a kernel may use at most, for the calling thread's calls.
 * torch: torch.get_num_threads */
HEED_API int heed_num_threads(void);

HEED_END_DECLS

#endif
