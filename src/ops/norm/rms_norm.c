/* ops/norm/rms_norm.c    y = x / sqrt(mean of x^2 + eps) weight, over the last axes of x.    See normalize.c. */

#include "ops/norm/normalize.h"

const heed_op heed_op_rms_norm = {
    .name = "rms_norm",
    .max_inputs = 2,
    HEED__NORM_RULES,
};

heed_tensor *heed_rms_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, double eps)
{
    const heed__norm_params params = {.shape = shape, .eps = eps, .uncentred = true};
    return heed__norm_apply(&heed_op_rms_norm, &params, x, weight, NULL);
}
