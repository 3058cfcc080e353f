/* core/precision.h - what products of f32 may be computed by. */
#ifndef HEED_CORE_PRECISION_H
#define HEED_CORE_PRECISION_H

#include "kernels/bf16.h"

/* By heed__matmul_bf16, with so many bf16 for each number (heed__matmul_args.unit) where a matrix unit does it. */
typedef struct heed__rounding {
    heed__matmul_kernel *kernel; /* NULL: products are f32's own */
    int unit;
} heed__rounding;

/* What the calling thread's precision allows, and this processor and system have. Asks the system for the unit's
 * registers where they are wanted first. */
heed__rounding heed__rounding_allowed(void);

#endif
