/* ops/loss/smooth_l1_loss.c    d^2 / (2 beta) if |d| < beta, else |d| - beta / 2, with d = input - target.
 *
 * dinput = g min(max(d / beta, -1), 1), dtarget = -dinput */

#include "ops/elementwise/elementwise.h"
#include "ops/loss/loss.h"

#include <math.h>

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const double *beta = call->params;
    heed_tensor *d = heed_sub(call->inputs[0], call->inputs[1]);
    heed_tensor *slope = heed_hardtanh(heed_div(d, heed_full(g[0]->dtype, HEED_SCALAR, *beta)), -1, 1);
    heed_tensor *dinput = heed_mul(g[0], slope);
    if (heed_call_needs(call, 0))
        dx[0] = dinput;
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(dinput);
}

const heed_op heed_op_smooth_l1_loss = {
    .name = "smooth_l1_loss",
    HEED__BINARY(smooth_l1),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "beta")),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta, heed_reduction reduction)
{
    HEED_ENTER("smooth_l1_loss");
    if (!heed__check_loss("smooth_l1_loss", input, target, reduction))
        return NULL;
    if (!(beta >= 0 && beta < (double)INFINITY))
        return heed_fail_null(HEED_ERR_ARGUMENT, "smooth_l1_loss", "beta is %g: must be finite and not negative", beta);
    if ((input->dtype == HEED_F32 ? (double)(float)beta : beta) == 0)
        return heed_l1_loss(input, target, reduction);
    return heed__reduce_loss(heed__apply2(&heed_op_smooth_l1_loss, input, target, &beta), reduction);
}
