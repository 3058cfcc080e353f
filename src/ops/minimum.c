/* ops/minimum.c    y = the smaller of a and b, elementwise with broadcasting; NaN where either is NaN.
 *
 * da = g (0 where a > b, 1/2 where a = b, else 1), db likewise; where one is NaN, both get g.
 */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map2(heed__kernels(out[0]->dtype)->minimum, call->inputs[0], call->inputs[1], out[0], NULL);
    return true;
}

/* g for the chosen one, half of it for one of two equals. */
static heed_tensor *share(heed_tensor *x, heed_tensor *other, heed_tensor *g)
{
    heed_tensor *zero = heed_zeros(g->dtype, HEED_SCALAR);
    heed_tensor *won = heed_where(heed_compare(x, HEED_EQ, other), heed_scale(g, 0.5), g);
    return heed_where(heed_compare(x, HEED_GT, other), zero, won);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = share(call->inputs[0], call->inputs[1], g[0]);
    if (heed_call_needs(call, 1))
        dx[1] = share(call->inputs[1], call->inputs[0], g[0]);
}

const heed_op heed_op_minimum = {
    .name = "minimum",
    .n_inputs = 2,
    .n_outputs = 1,
    .keeps = HEED_KEEP_INPUTS,
    .infer = heed_infer_broadcast,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_minimum, a, b, NULL);
}
