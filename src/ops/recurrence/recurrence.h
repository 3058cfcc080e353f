/* ops/recurrence/recurrence.h - shared by the op (recurrence.c) and by its gradient from public ops (composed.c).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_RECURRENCE_RECURRENCE_H
#define HEED_OPS_RECURRENCE_RECURRENCE_H

#include "ops/support.h"

/* The inputs, then the outputs. If b and the lengths are given, they are inputs HEED__REC_MORE and HEED__REC_MORE + 1;
 * without b, the lengths are HEED__REC_MORE. Only backward uses the output HEED__REC_KEPT. */
enum { HEED__REC_X, HEED__REC_W, HEED__REC_STATE, HEED__REC_MORE };
enum { HEED__REC_Y, HEED__REC_FINAL_STATE, HEED__REC_KEPT, HEED__REC_OUTPUTS };

typedef struct heed__recurrence_params {
    heed__cell cell;
    bool reverse, keeps, has_b, has_lens;
} heed__recurrence_params;

heed_tensor *heed__recurrence_b(const heed_call *call);
heed_tensor *heed__recurrence_lens(const heed_call *call); /* NULL means all steps */

/* Stores the requested gradients of all inputs in dx. The gradients of w and b are computed with public ops from ds (T,
 * B, gates h), the gradient of w h + b, and from h_before (T, B, h), the states before every step. */
void heed__recurrence_store(const heed_call *call, heed_tensor *d_x, heed_tensor *ds, heed_tensor *h_before,
                            heed_tensor *d_before, heed_tensor **dx);

/* heed_op.backward of recurrence. Composed of public ops, for derivatives of any order. */
void heed__recurrence_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

#endif
