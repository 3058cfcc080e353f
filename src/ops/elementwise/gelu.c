/* ops/elementwise/gelu.c    y = x Phi(x), elementwise, Phi the normal distribution and phi its density.
 *
 * dx = g (Phi(x) + x phi(x)),  Phi(x) = (1 + erf(x / sqrt(2))) / 2,  phi(x) = e^(-x^2 / 2) / sqrt(2 pi)
 */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

/* For |x| above this the slope is 0 or 1 in f64. With x clamped, infinities give these limits, although x phi(x) would
 * be infinity times 0. */
#define FLAT 40.0
#define SQRT_HALF 0.70710678118654752440
#define SQRT_TWO_PI 2.50662827463100050242

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = heed__within(call->inputs[0], FLAT);
    heed_tensor *distribution = heed_mul_scalar(heed_add_scalar(heed_erf(heed_mul_scalar(x, SQRT_HALF)), 1.0), 0.5);
    heed_tensor *density = heed_mul_scalar(heed_exp(heed_mul_scalar(heed_square(x), -0.5)), 1.0 / SQRT_TWO_PI);
    dx[0] = heed_mul(g[0], heed_add(distribution, heed_mul(x, density)));
}

const heed_op heed_op_gelu = {
    .name = "gelu",
    HEED__UNARY_FUSED(gelu, gelu_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_gelu(heed_tensor *x)
{
    return heed__apply1(&heed_op_gelu, x, NULL);
}
