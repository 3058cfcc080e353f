/* ops/norm/layer_norm.c    y = (x - mean) / sqrt(variance + eps) weight + bias, over the last axes of x.    See
 * normalize.c. */

#include "ops/norm/normalize.h"

const heed_op heed_op_layer_norm = {
    .name = "layer_norm",
    .max_inputs = 3,
    HEED__NORM_RULES,
};

heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias, double eps)
{
    if (x && bias && !weight && heed__check_shape("layer_norm", &shape)) {
        HEED_ENTER("layer_norm");
        weight = heed_expand(heed_ones(x->dtype, HEED_SCALAR), shape);
        if (!weight)
            return NULL;
    }
    return heed__norm_apply(&heed_op_layer_norm, &(heed__norm_params){.shape = shape, .eps = eps}, x, weight, bias);
}
