/* ops/elementwise/hardtanh.c    y = min(max(x, low), high), elementwise.    dx = g if low < x < high, else 0 */

#include "ops/elementwise/elementwise.h"

typedef struct hardtanh_params {
    double low, high;
} hardtanh_params;

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const hardtanh_params *params = call->params;
    heed_tensor *x = call->inputs[0], *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *below = heed_where(heed_compare_scalar(x, HEED_COMPARE_LT, params->high), g[0], zero);
    dx[0] = heed_where(heed_compare_scalar(x, HEED_COMPARE_GT, params->low), below, zero);
}

const heed_op heed_op_hardtanh = {
    .name = "hardtanh",
    HEED__UNARY_FUSED(clamp, hardtanh_grad),
    .params_size = sizeof(hardtanh_params),
    .fields = HEED_FIELDS(HEED_FIELD(hardtanh_params, low), HEED_FIELD(hardtanh_params, high)),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_hardtanh(heed_tensor *x, double low, double high)
{
    if (!(low <= high))
        return heed_fail_null(HEED_ERR_ARGUMENT, "hardtanh", "low is %g: must be at most high, %g", low, high);
    return heed__apply1(&heed_op_hardtanh, x, &(hardtanh_params){.low = low, .high = high});
}
