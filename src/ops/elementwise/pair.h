/* ops/elementwise/pair.h - a check of ops that take two tensors of one floating-point dtype and do not broadcast them. */
#ifndef HEED_OPS_ELEMENTWISE_PAIR_H
#define HEED_OPS_ELEMENTWISE_PAIR_H

#include "ops/support.h"

/* False after heed_fail. */
static inline bool heed__check_pair(const char *where, const heed_tensor *a, const heed_tensor *b)
{
    if (a->dtype == b->dtype && heed_dtype_is_float(a->dtype))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "takes two tensors of f32 or of f64, not %s %s and %s %s",
                           heed_dtype_name(a->dtype), heed_shape_text(a->shape).s, heed_dtype_name(b->dtype),
                           heed_shape_text(b->shape).s);
}

#endif
