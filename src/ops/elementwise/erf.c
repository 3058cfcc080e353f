/* ops/elementwise/erf.c    y = 2 / sqrt(pi) integral of e^(-t^2) from 0 to x, elementwise.
 *
 *     dx = g 2 / sqrt(pi) e^(-x^2) */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

#define TWO_OVER_SQRT_PI 1.12837916709551257390
/* For |x| above this the slope is 0 in f64. With x clamped, no square overflows, and infinities give 0 instead of
 * infinity times 0. */
#define FLAT 40.0

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *bell = heed_exp(heed_neg(heed_square(heed__within(call->inputs[0], FLAT))));
    dx[0] = heed_mul(g[0], heed_mul_scalar(bell, TWO_OVER_SQRT_PI));
}

const heed_op heed_op_erf = {
    .name = "erf",
    HEED__UNARY(erf),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_erf(heed_tensor *x)
{
    return heed__apply1(&heed_op_erf, x, NULL);
}
