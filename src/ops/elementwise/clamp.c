/* ops/elementwise/clamp.c    y = min(max(x, low), high), elementwise; NaN stays NaN.
 *
 *     dx = g where low <= x <= high, else 0 */

#include "ops/elementwise/elementwise.h"

typedef struct clamp_params {
    double low, high;
} clamp_params;

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const clamp_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *low = heed_full(x->dtype, HEED_SCALAR, params->low);
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, params->high);
    dx[0] = heed_where(heed_compare(x, HEED_COMPARE_GE, low),
                       heed_where(heed_compare(x, HEED_COMPARE_LE, high), g[0], zero), zero);
}

const heed_op heed_op_clamp = {
    .name = "clamp",
    HEED__UNARY_FUSED(clamp, clamp_grad),
    .params_size = sizeof(clamp_params),
    .fields = HEED_FIELDS(HEED_FIELD(clamp_params, low), HEED_FIELD(clamp_params, high)),
    .keeps = HEED_KEEP_INPUTS,
    .backward = backward,
};

heed_tensor *heed_clamp(heed_tensor *x, double low, double high)
{
    if (!(low <= high))
        return heed_fail_null(HEED_ERR_ARGUMENT, "clamp", "low is %g: must be at most high, %g", low, high);
    return heed__apply1(&heed_op_clamp, x, &(clamp_params){.low = low, .high = high});
}
