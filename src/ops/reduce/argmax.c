/* ops/reduce/argmax.c    y = the index of the first largest element along an axis, or of the first NaN.    No
 * gradient */

#include "ops/reduce/arg_extremum.h"

const heed_op heed_op_argmax = {
    .name = "argmax",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__arg_extremum_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__arg_extremum_params, axis), HEED_FIELD(heed__arg_extremum_params, keepdim)),
    .contiguous = true,
    .infer = heed__infer_arg_extremum,
    .forward = heed__arg_largest,
};

heed_tensor *heed_argmax(heed_tensor *x)
{
    return heed__apply_arg_extremum(&heed_op_argmax, x);
}

heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim)
{
    return heed__apply_arg_extremum_axis("argmax_axis", &heed_op_argmax, x, axis, keepdim);
}
