/* ops/elementwise/slopes.h - slopes of elementwise ops, as ops of their own for use in backward rules.
 *
 * A gradient composed of public ops is differentiated term by term, and the terms can cancel each other, or overflow
 * although their sum does not. Every op here computes a slope as one value and has its own gradient, so that the second
 * and third derivatives are as exact as the first. */
#ifndef HEED_OPS_ELEMENTWISE_SLOPES_H
#define HEED_OPS_ELEMENTWISE_SLOPES_H

#include "ops/support.h"

/* Returns x clamped to -limit .. limit, for slopes that are constant outside this range. Unlike with heed_clamp, the
 * gradient for NaN is g and not 0, so that the derivatives for NaN are also NaN. */
heed_tensor *heed__within(heed_tensor *x, double limit);

/* y = ((1 - x) (1 + x))^(1/2), without forming x^2.    dx = -g x / y */
heed_tensor *heed__circle(heed_tensor *x);

/* y = 1 / (1 + e^-x), the values of heed_sigmoid.    dx = g y(x) y(-x), without forming 1 - y */
heed_tensor *heed__logistic(heed_tensor *x);

/* y = s (1 + x / (1 + e^x)) with s = 1 / (1 + e^-x), the slope of x s.    dx = g s / (1 + e^x) (2 - x tanh(x / 2)) */
heed_tensor *heed__silu_slope(heed_tensor *x);

/* Returns -(g / b) y, the gradient with respect to b of the division y = a / b. The result is finite if g y / b is,
 * even if g / b is infinite. */
heed_tensor *heed__quotient_slope(heed_tensor *g, heed_tensor *y, heed_tensor *b);

/* Returns g x / (x^2 + y^2), the gradient with respect to y of the angle of the point (x, y). It is 0 at infinity and
 * NaN at the origin. No square overflows or underflows. */
heed_tensor *heed__angle_slope(heed_tensor *g, heed_tensor *x, heed_tensor *y);

#endif
