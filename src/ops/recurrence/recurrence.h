/* ops/recurrence/recurrence.h - shared by the op and its composed gradient. */
#ifndef HEED_OPS_RECURRENCE_RECURRENCE_H
#define HEED_OPS_RECURRENCE_RECURRENCE_H

#include "ops/support.h"

/* The inputs, followed by b and the lengths if given, and the outputs, the last of which only backward uses. */
enum { HEED__REC_X, HEED__REC_W, HEED__REC_STATE, HEED__REC_MORE };
enum { HEED__REC_Y, HEED__REC_FINAL_STATE, HEED__REC_KEPT, HEED__REC_OUTPUTS };

typedef struct heed__recurrence_params {
    heed__cell cell;
    bool reverse, keeps, has_b, has_lens;
} heed__recurrence_params;

heed_tensor *heed__recurrence_b(const heed_call *call);
heed_tensor *heed__recurrence_lens(const heed_call *call); /* NULL means all steps */

/* Stores the gradients of all inputs, composed of public ops. Those of w and b are computed from ds (T, B, gates h),
 * the gradient of W h + b, and from the states before every step (T, B, h). */
void heed__recurrence_store(const heed_call *call, heed_tensor *d_x, heed_tensor *ds, heed_tensor *h_before,
                            heed_tensor *d_before, heed_tensor **dx);

/* heed_op.backward: composed, for derivatives of any order. */
void heed__recurrence_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

#endif
