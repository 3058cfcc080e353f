/* ops/reduce/argmax.c    y = the index of the first largest element along an axis, or of the first NaN.    No
 * gradient */

#include "ops/reduce/place.h"

const heed_op heed_op_argmax = {
    .name = "argmax",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__place_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__place_params, axis), HEED_FIELD(heed__place_params, keepdim)),
    .contiguous = true,
    .infer = heed__infer_place,
    .forward = heed__place_largest,
};

heed_tensor *heed_argmax(heed_tensor *x)
{
    return heed__apply_place(&heed_op_argmax, x);
}

heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim)
{
    return heed__apply_place_axis("argmax_axis", &heed_op_argmax, x, axis, keepdim);
}
