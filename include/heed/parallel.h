/* heed/parallel.h - how many threads the kernels use. Results do not depend on it: all of them compute in the calling
 * thread's mode of floating-point arithmetic (rounding, denormal numbers flushed to zero), whatever their own is, and
 * get that back afterwards. (Under LLVM's OpenMP runtime threads have none of their own.) */
#ifndef HEED_PARALLEL_H
#define HEED_PARALLEL_H

#include <heed/error.h>

HEED_BEGIN_DECLS

/* Most threads a kernel may use, for the calling thread's calls: 1 to 256, HEED_ERR_ARGUMENT otherwise.
 * Default: OMP_NUM_THREADS where that (or the first of its list) is a valid number, else the processors available.
 * Small work is always done by the calling thread, and so is all work in a child after fork. */
HEED_API heed_status heed_set_num_threads(int n);

/* The number in force; 1 when built without OpenMP. */
HEED_API int heed_num_threads(void);

HEED_END_DECLS

#endif
