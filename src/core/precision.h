/* core/precision.h - selects how f32 products are computed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_PRECISION_H
#define HEED_CORE_PRECISION_H

#include "kernels/kernels.h"

/* Products by heed__matmul_bf16. If a matrix unit computes them, `unit` is the number of bf16 values per f32 value
 * (heed__matmul_args.unit). */
typedef struct heed__rounding {
    heed__matmul_kernel *kernel; /* NULL means f32 products */
    int unit;
} heed__rounding;

/* Returns the rounding that the calling thread's precision allows and that this processor and system support. Requests
 * the matrix unit's registers from the system on first use. */
heed__rounding heed__rounding_allowed(void);

#endif
