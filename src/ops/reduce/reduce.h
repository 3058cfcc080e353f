/* ops/reduce/reduce.h - shared by the ops that reduce axes: sum, max, min, any and all. heed__reduce (ops/support.h)
 * runs their loops on any layout.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_REDUCE_REDUCE_H
#define HEED_OPS_REDUCE_REDUCE_H

#include "ops/support.h"

/* The parameters: the reduced axes as bits, and whether they remain with size 1. */
typedef struct heed__reduce_params {
    unsigned mask;
    bool keepdim;
} heed__reduce_params;

/* The fields that the records (heed_op) have in common. */
#define HEED__REDUCTION(name_)                                                                                         \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(heed__reduce_params),                        \
    .fields = HEED_FIELDS(HEED_FIELD(heed__reduce_params, mask), HEED_FIELD(heed__reduce_params, keepdim))

heed_tensor *heed__apply_reduction(const char *where, const heed_op *op, heed_tensor *x, heed_shape axes, bool keepdim);

/* Kernels for i64. The sum wraps around. */
heed__reduce_kernel heed__sum_i64, heed__max_i64, heed__min_i64;

#endif
