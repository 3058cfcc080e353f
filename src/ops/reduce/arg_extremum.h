/* ops/reduce/arg_extremum.h - shared by argmax and argmin. */
#ifndef HEED_OPS_REDUCE_ARG_EXTREMUM_H
#define HEED_OPS_REDUCE_ARG_EXTREMUM_H

#include "ops/support.h"

typedef struct heed__arg_extremum_params {
    int axis; /* negative: the flattened tensor */
    bool keepdim;
} heed__arg_extremum_params;

bool heed__infer_arg_extremum(const heed_call *call, heed_meta *out);

/* The index of the first of equal elements, or of the first NaN. Inputs must be contiguous. */
bool heed__arg_largest(const heed_call *call, heed_tensor *const *out);
bool heed__arg_smallest(const heed_call *call, heed_tensor *const *out);

heed_tensor *heed__apply_arg_extremum(const heed_op *op, heed_tensor *x);
heed_tensor *heed__apply_arg_extremum_axis(const char *where, const heed_op *op, heed_tensor *x, int axis,
                                           bool keepdim);

#endif
