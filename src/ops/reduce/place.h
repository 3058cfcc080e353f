/* ops/reduce/place.h - shared by argmax and argmin. */
#ifndef HEED_OPS_REDUCE_PLACE_H
#define HEED_OPS_REDUCE_PLACE_H

#include "ops/support.h"

typedef struct heed__place_params {
    int axis; /* negative: the flattened tensor */
    bool keepdim;
} heed__place_params;

bool heed__infer_place(const heed_call *call, heed_meta *out);

/* The index of the first of equal elements, or of the first NaN. Inputs must be contiguous. */
bool heed__place_largest(const heed_call *call, heed_tensor *const *out);
bool heed__place_smallest(const heed_call *call, heed_tensor *const *out);

heed_tensor *heed__apply_place(const heed_op *op, heed_tensor *x);
heed_tensor *heed__apply_place_axis(const char *where, const heed_op *op, heed_tensor *x, int axis, bool keepdim);

#endif
