/* heed/ops/elementwise.h - elementwise ops and conversions. The rules in heed/ops.h hold here too.
 *
 * In formulas, y is the result, g the gradient that arrives at y, and dx, da, db are the gradients of x, a and b.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Two tensors ------------------------------------------------------------------------------------------------------
 * a and b are both f32 or both f64 (HEED_ERR_DTYPE), unless a function says otherwise, and their shapes broadcast by
 * NumPy's rules (HEED_ERR_SHAPE). The gradient of a broadcast input is summed back to the shape of the input. Two i64
 * tensors have no gradient; results that do not fit i64 are taken modulo 2^64, as in PyTorch and NumPy: 2^63 - 1 plus 1
 * is -2^63. */

/* Adds two tensors: a + b, elementwise with broadcasting.  da = g, db = g.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.add   numpy: numpy.add */
HEED_API heed_tensor *heed_add(heed_tensor *a, heed_tensor *b);

/* Subtracts two tensors: a - b, elementwise with broadcasting.  da = g, db = -g.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.sub   numpy: numpy.subtract */
HEED_API heed_tensor *heed_sub(heed_tensor *a, heed_tensor *b);

/* Multiplies two tensors: a b, elementwise with broadcasting.  da = g b, db = g a.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.mul   numpy: numpy.multiply */
HEED_API heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b);

/* Divides two tensors: a / b, elementwise with broadcasting; x / 0 is infinite and 0 / 0 is NaN.  da = g / b,
 * db = -g a / b^2.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.div   numpy: numpy.divide */
HEED_API heed_tensor *heed_div(heed_tensor *a, heed_tensor *b);

/* Returns the larger of a and b, elementwise with broadcasting; NaN if either is NaN. heed_max reduces one tensor.
 * da = g if a > b, db = g if b > a; both are g / 2 if a = b.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.maximum   numpy: numpy.maximum */
HEED_API heed_tensor *heed_maximum(heed_tensor *a, heed_tensor *b);

/* Returns the smaller of a and b, elementwise with broadcasting; NaN if either is NaN. heed_min reduces one tensor.
 * da = g if a < b, db = g if b < a; both are g / 2 if a = b.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.minimum   numpy: numpy.minimum */
HEED_API heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b);

/* Returns the largest whole number that is at most the exact quotient of a and b, elementwise with broadcasting.
 * da = 0, db = 0.
 *
 * The result is not floor(a / b), which rounds a / b first: 1 // 0.1 is 9, because 0.1 in binary is a little more than
 * 1/10. A result that f32 or f64 cannot hold is rounded. x / 0 is infinite, 0 / 0 and infinity / b are NaN, and a
 * finite a divided by an infinity is 0 or -1.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
 * HEED_ERR_ARGUMENT for an i64 divided by 0.
 * torch: torch.floor_divide   numpy: numpy.floor_divide */
HEED_API heed_tensor *heed_floor_divide(heed_tensor *a, heed_tensor *b);

/* Returns the remainder of a divided by b, with the sign of b, elementwise with broadcasting.
 *
 *     y = a - b heed_floor_divide(a, b)     da = g, db = -g heed_floor_divide(a, b)
 *
 * It is computed exactly by fmod: remainder(1e9, pi) is 1.02 in f32. If b is infinite, the result is a if a is 0 or has
 * the sign of b, and b otherwise. It is NaN for b = 0 and for an infinite a.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
 * HEED_ERR_ARGUMENT for an i64 divided by 0.
 * torch: torch.remainder   numpy: numpy.remainder */
HEED_API heed_tensor *heed_remainder(heed_tensor *a, heed_tensor *b);

/* Raises a to the power b: a^b, elementwise with broadcasting. heed_pow_scalar takes one number as the power.
 *
 *     da = g b a^(b-1), and 0 for b = 0     db = g a^b ln a, and 0 for a = 0 and b >= 0
 *
 * A float a < 0 gives NaN unless b is whole; db is NaN for every a < 0. 0^0 is 1. i64 numbers are taken modulo 2^64.
 * Derivatives of all orders by b and of 32 orders by a exist; they are right at a = 0, too.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
 * HEED_ERR_ARGUMENT for a negative i64 power.
 * torch: torch.pow   numpy: numpy.power */
HEED_API heed_tensor *heed_pow(heed_tensor *a, heed_tensor *b);

/* Returns the angle of the point (x, y) in radians, from -pi to pi, elementwise with broadcasting.
 *
 *     dy = g x / (x^2 + y^2), dx = -g y / (x^2 + y^2)
 *
 * The signs of x and y count, even of zeros: y = -0 and x < 0 give -pi. The gradients are right even if squares
 * overflow; they are NaN at the origin.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.atan2   numpy: numpy.arctan2 */
HEED_API heed_tensor *heed_atan2(heed_tensor *y, heed_tensor *x);

/* Returns the length of the vector (a, b), elementwise with broadcasting.
 *
 *     y = sqrt(a^2 + b^2)     da = g a / y, db = g b / y
 *
 * The result is right even if squares overflow or underflow. It is infinite if a or b is infinite, even if the other is
 * NaN. The gradients are NaN at the origin, and so is the gradient of an infinite a or b.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.hypot   numpy: numpy.hypot */
HEED_API heed_tensor *heed_hypot(heed_tensor *a, heed_tensor *b);

/* Returns ln(e^a + e^b), elementwise with broadcasting, without overflow.
 *
 *     y = max(a, b) + ln(1 + e^-|a - b|)     da = g / (1 + e^(b-a)), db = g / (1 + e^(a-b))
 *
 * Two equal infinities give this infinity. Their gradients are g / 2 (NaN in PyTorch). heed_logsumexp reduces an axis.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.logaddexp   numpy: numpy.logaddexp */
HEED_API heed_tensor *heed_logaddexp(heed_tensor *a, heed_tensor *b);

/* Interpolates between a and b: a + weight (b - a), elementwise; all three broadcast.
 *
 *     da = g (1 - weight), db = g weight, dweight = g (b - a)
 *
 * A weight of 0 gives a and a weight of 1 gives b, both exactly, if a and b are finite and b - a does not overflow.
 *
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless all are f32 or all f64.
 * torch: torch.lerp */
HEED_API heed_tensor *heed_lerp(heed_tensor *a, heed_tensor *b, heed_tensor *weight);

/* Interpolates like heed_lerp, with one number as the weight, which is rounded to the dtype of a.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless a and b are both f32 or both f64.
 * torch: torch.lerp */
HEED_API heed_tensor *heed_lerp_scalar(heed_tensor *a, heed_tensor *b, double weight);

/* Selects elements of a where condition is true and of b where it is false; all three broadcast.
 * da = g where condition is true, db = g where it is false, and both are exactly 0 elsewhere, even if the unselected
 * elements are NaN.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless condition is bool and a, b are both f32,
 * both f64 or both i64.
 * torch: torch.where   numpy: numpy.where */
HEED_API heed_tensor *heed_where(heed_tensor *condition, heed_tensor *a, heed_tensor *b);

/* The comparison of heed_compare: equal, not equal, less, less or equal, greater, greater or equal. */
typedef enum heed_comparison {
    HEED_COMPARE_EQ,
    HEED_COMPARE_NE,
    HEED_COMPARE_LT,
    HEED_COMPARE_LE,
    HEED_COMPARE_GT,
    HEED_COMPARE_GE
} heed_comparison;

/* Compares a and b of the same dtype, elementwise with broadcasting, and returns a bool tensor. No gradient. Any dtype
 * is accepted. A comparison with NaN is false, except that HEED_COMPARE_NE is true.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE if the dtypes differ; HEED_ERR_ARGUMENT if
 * `comparison` is not one of HEED_COMPARE_*.
 * torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
 * numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal */
HEED_API heed_tensor *heed_compare(heed_tensor *a, heed_comparison comparison, heed_tensor *b);

/* Compares every element of x with the number c and returns a bool tensor. No gradient. If x is f32, c is rounded to
 * f32.
 * Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds, if x is bool and c is neither 0 nor
 * 1, and if `comparison` is not one of HEED_COMPARE_*.
 * torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
 * numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal */
HEED_API heed_tensor *heed_compare_scalar(heed_tensor *x, heed_comparison comparison, double c);

/* -- One tensor and a number ------------------------------------------------------------------------------------------
 * x is f32, f64 or i64 (HEED_ERR_DTYPE), of any shape. The number is first rounded to the dtype of x: if x is f32,
 * 1e300 becomes infinity, 1e-50 becomes 0, and 0.1 becomes 0.100000001490116. If x is i64, the number must be a whole
 * number that i64 holds (HEED_ERR_ARGUMENT), results are taken modulo 2^64, and there is no gradient. */

/* Multiplies x by a number: c x, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = c g.
 * Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
 * torch: torch.mul   numpy: numpy.multiply */
HEED_API heed_tensor *heed_mul_scalar(heed_tensor *x, double c);

/* Adds a number to x: x + c, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = g.
 * Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
 * torch: torch.add   numpy: numpy.add */
HEED_API heed_tensor *heed_add_scalar(heed_tensor *x, double c);

/* Subtracts x from a number: c - x, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = -g.
 * Errors: HEED_ERR_ARGUMENT if x is i64, unless c is a whole number that i64 holds.
 * torch: torch.rsub   numpy: numpy.subtract */
HEED_API heed_tensor *heed_rsub_scalar(heed_tensor *x, double c);

/* Raises x to the power p: x^p, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = g p x^(p-1), and 0 for p = 0. A
 * float x < 0 gives NaN unless p is whole. 0^0 is 1.
 * Errors: HEED_ERR_ARGUMENT if x is i64, unless p is a whole number of i64 and at least 0.
 * torch: torch.pow   numpy: numpy.power */
HEED_API heed_tensor *heed_pow_scalar(heed_tensor *x, double p);

/* Limits x to the interval low .. high: min(max(x, low), high), elementwise; x is f32, f64 or i64.  dx = g if low <= x
 * <= high, else 0. NaN stays NaN. A low of -infinity or a high of infinity is no limit.
 * Errors: HEED_ERR_ARGUMENT unless low <= high, and if x is i64 and a finite limit is not a whole number that i64
 * holds.
 * torch: torch.clamp   numpy: numpy.clip */
HEED_API heed_tensor *heed_clamp(heed_tensor *x, double low, double high);

/* -- One tensor -------------------------------------------------------------------------------------------------------
 * x is f32 or f64 (HEED_ERR_DTYPE), of any shape; heed_neg, heed_square, heed_abs and heed_sign also accept i64. */

/* Negates x: -x, elementwise; x is f32, f64 or i64. The i64 number -2^63 stays -2^63.  dx = -g.
 * Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
 * torch: torch.neg   numpy: numpy.negative */
HEED_API heed_tensor *heed_neg(heed_tensor *x);

/* Squares x: x^2, elementwise; x is f32, f64 or i64 (modulo 2^64).  dx = 2 g x.
 * Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
 * torch: torch.square   numpy: numpy.square */
HEED_API heed_tensor *heed_square(heed_tensor *x);

/* Computes the square root: y = x^(1/2), elementwise; NaN for x < 0.  dx = g / (2 y), infinite at 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.sqrt   numpy: numpy.sqrt */
HEED_API heed_tensor *heed_sqrt(heed_tensor *x);

/* Computes the reciprocal of the square root: y = x^(-1/2), elementwise; infinite at 0, NaN for x < 0.
 * dx = -g y^3 / 2, infinite at 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.rsqrt */
HEED_API heed_tensor *heed_rsqrt(heed_tensor *x);

/* Computes the exponential: y = e^x, elementwise.  dx = g y.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.exp   numpy: numpy.exp */
HEED_API heed_tensor *heed_exp(heed_tensor *x);

/* Computes the natural logarithm: ln x, elementwise; -infinity at 0, NaN for x < 0.  dx = g / x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.log   numpy: numpy.log */
HEED_API heed_tensor *heed_log(heed_tensor *x);

/* Computes the logarithm to base 2: log2 x, elementwise; -infinity at 0, NaN for x < 0, and exact for powers of 2.
 * dx = g / (x ln 2).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.log2   numpy: numpy.log2 */
HEED_API heed_tensor *heed_log2(heed_tensor *x);

/* Computes the logarithm to base 10: log10 x, elementwise; -infinity at 0, NaN for x < 0.  dx = g / (x ln 10).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.log10   numpy: numpy.log10 */
HEED_API heed_tensor *heed_log10(heed_tensor *x);

/* Computes y = e^x - 1, elementwise, accurate to the last digits even for small x.  dx = g (y + 1).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.expm1   numpy: numpy.expm1 */
HEED_API heed_tensor *heed_expm1(heed_tensor *x);

/* Computes ln(1 + x), elementwise, accurate to the last digits even for small x.  dx = g / (1 + x). The result is
 * -infinity at -1 and NaN for x < -1.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.log1p   numpy: numpy.log1p */
HEED_API heed_tensor *heed_log1p(heed_tensor *x);

/* Computes the sine of x in radians, elementwise.  dx = g cos x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.sin   numpy: numpy.sin */
HEED_API heed_tensor *heed_sin(heed_tensor *x);

/* Computes the cosine of x in radians, elementwise.  dx = -g sin x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.cos   numpy: numpy.cos */
HEED_API heed_tensor *heed_cos(heed_tensor *x);

/* Computes the tangent of x in radians: y = tan x, elementwise.  dx = g (1 + y^2).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.tan   numpy: numpy.tan */
HEED_API heed_tensor *heed_tan(heed_tensor *x);

/* Computes the arcsine of x in radians, from -pi / 2 to pi / 2, elementwise; NaN for |x| > 1.  dx = g / sqrt(1 - x^2),
 * infinite at -1 and 1.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.asin   numpy: numpy.arcsin */
HEED_API heed_tensor *heed_asin(heed_tensor *x);

/* Computes the arccosine of x in radians, from 0 to pi, elementwise; NaN for |x| > 1.  dx = -g / sqrt(1 - x^2),
 * infinite at -1 and 1.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.acos   numpy: numpy.arccos */
HEED_API heed_tensor *heed_acos(heed_tensor *x);

/* Computes the arctangent of x in radians, from -pi / 2 to pi / 2, elementwise.  dx = g / (1 + x^2). heed_atan2 takes
 * two tensors.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.atan   numpy: numpy.arctan */
HEED_API heed_tensor *heed_atan(heed_tensor *x);

/* Computes the hyperbolic sine: sinh x = (e^x - e^-x) / 2, elementwise.  dx = g cosh x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.sinh   numpy: numpy.sinh */
HEED_API heed_tensor *heed_sinh(heed_tensor *x);

/* Computes the hyperbolic cosine: cosh x = (e^x + e^-x) / 2, elementwise.  dx = g sinh x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.cosh   numpy: numpy.cosh */
HEED_API heed_tensor *heed_cosh(heed_tensor *x);

/* Computes the hyperbolic tangent: y = tanh x, elementwise.  dx = g (1 - y^2).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.tanh   numpy: numpy.tanh */
HEED_API heed_tensor *heed_tanh(heed_tensor *x);

/* Computes the logistic sigmoid: y = 1 / (1 + e^-x), elementwise, without overflow for any x.  dx = g y (1 - y).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.sigmoid */
HEED_API heed_tensor *heed_sigmoid(heed_tensor *x);

/* Computes the rectified linear unit: max(x, 0), elementwise; NaN stays NaN.  dx = g if x > 0, else 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.nn.functional.relu */
HEED_API heed_tensor *heed_relu(heed_tensor *x);

/* Computes the absolute value: |x|, elementwise; x is f32, f64 or i64. The i64 number -2^63 stays -2^63.  dx = g sign
 * x, which is 0 at 0.
 * Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
 * torch: torch.abs   numpy: numpy.absolute */
HEED_API heed_tensor *heed_abs(heed_tensor *x);

/* Returns the sign of x as -1, 0 or 1, elementwise; x is f32, f64 or i64.  dx = 0. NaN stays NaN, as in NumPy (PyTorch
 * returns 0).
 * Errors: HEED_ERR_DTYPE unless x is f32, f64 or i64.
 * torch: torch.sign   numpy: numpy.sign */
HEED_API heed_tensor *heed_sign(heed_tensor *x);

/* Rounds x down to a whole number, elementwise.  dx = 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.floor   numpy: numpy.floor */
HEED_API heed_tensor *heed_floor(heed_tensor *x);

/* Rounds x up to a whole number, elementwise.  dx = 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.ceil   numpy: numpy.ceil */
HEED_API heed_tensor *heed_ceil(heed_tensor *x);

/* Rounds x to the nearest whole number, elementwise; ties go to the even number: 0.5 gives 0 and 1.5 gives 2.  dx = 0.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.round   numpy: numpy.round */
HEED_API heed_tensor *heed_round(heed_tensor *x);

/* Computes the error function, 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x, elementwise.
 * dx = g 2 / sqrt(pi) e^(-x^2).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.erf */
HEED_API heed_tensor *heed_erf(heed_tensor *x);

/* Computes the Gaussian error linear unit in its exact form, not the tanh approximation, elementwise.
 *
 *     y = x Phi(x) = x (1 + erf(x / sqrt 2)) / 2     dx = g (Phi(x) + x phi(x))
 *
 * where Phi and phi are the distribution function and the density of the standard normal distribution.
 *
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
 * torch: torch.nn.functional.gelu */
HEED_API heed_tensor *heed_gelu(heed_tensor *x);

/* Computes the tanh approximation of the Gaussian error linear unit, as GPT-2 does, elementwise.
 *
 *     y = x (1 + tanh(u)) / 2     with u = sqrt(2 / pi) (x + 0.044715 x^3)
 *     dx = g (s + 2 x s (1 - s) du/dx)     with s = (1 + tanh(u)) / 2
 *
 * The result is NaN for -infinity, and derivatives are NaN if x^3 overflows.
 *
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
 * torch: torch.nn.functional.gelu */
HEED_API heed_tensor *heed_gelu_tanh(heed_tensor *x);

/* Computes softplus, a smooth relu: ln(1 + e^x), elementwise, without overflow for any x.  dx = g / (1 + e^-x).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Dugas et al.: Incorporating Second-Order Functional Knowledge (2001).
 * torch: torch.nn.functional.softplus */
HEED_API heed_tensor *heed_softplus(heed_tensor *x);

/* Computes the sigmoid linear unit, also called swish: x s with s = 1 / (1 + e^-x), elementwise.  dx = g s (1 + x (1 -
 * s)).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Elfwing, Uchibe and Doya: Sigmoid-Weighted Linear Units (2018).
 * torch: torch.nn.functional.silu */
HEED_API heed_tensor *heed_silu(heed_tensor *x);

/* Computes mish, a smooth relu: x tanh(ln(1 + e^x)), elementwise, without overflow for any x.
 *
 *     dx = g (t + x s (1 - t^2))     with t = tanh(ln(1 + e^x)), s = 1 / (1 + e^-x)
 *
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Misra: Mish: A Self Regularized Non-Monotonic Activation Function (2020).
 * torch: torch.nn.functional.mish */
HEED_API heed_tensor *heed_mish(heed_tensor *x);

/* Computes hardswish, a piecewise approximation of silu: 0 for x <= -3, x for x >= 3, else x (x + 3) / 6, elementwise.
 * dx = 0 for x <= -3, g for x >= 3, else g (x / 3 + 1 / 2).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Howard et al.: Searching for MobileNetV3 (2019).
 * torch: torch.nn.functional.hardswish */
HEED_API heed_tensor *heed_hardswish(heed_tensor *x);

/* Computes the gated linear unit: the first half of x along the axis times the sigmoid of the second half.
 *
 *     y = a s     with x = (a, b) along the axis and s = 1 / (1 + e^-b)
 *     dx = (g s, g a s (1 - s))
 *
 * x: (..., 2 n, ...); the result: (..., n, ...). PyTorch's default axis is -1.
 *
 * Errors: HEED_ERR_SHAPE if x lacks the axis or its size is odd; HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Dauphin, Fan, Auli and Grangier: Language Modeling with Gated Convolutional Networks (2017).
 * torch: torch.nn.functional.glu */
HEED_API heed_tensor *heed_glu(heed_tensor *x, int axis);

/* Computes the leaky rectified linear unit with learned slopes: x for x > 0, else slope x, elementwise.
 *
 *     dx = g for x > 0, else slope g     dslope = the sum of g x over all x <= 0 of the slope
 *
 * slope: one number, of shape () or (1), or one number per channel, of shape (C) for x of shape (N, C, ...).
 *
 * Errors: HEED_ERR_SHAPE if slope has a different shape; HEED_ERR_DTYPE unless x and slope are both f32 or both f64.
 * Reference: He, Zhang, Ren and Sun: Delving Deep into Rectifiers (2015).
 * torch: torch.nn.functional.prelu */
HEED_API heed_tensor *heed_prelu(heed_tensor *x, heed_tensor *slope);

/* Computes the leaky rectified linear unit: x for x > 0, else slope x, elementwise.  dx = g for x > 0, else slope g.
 * PyTorch's default slope is 0.01.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Maas, Hannun and Ng: Rectifier Nonlinearities Improve Neural Network Acoustic Models (2013).
 * torch: torch.nn.functional.leaky_relu */
HEED_API heed_tensor *heed_leaky_relu(heed_tensor *x, double slope);

/* Computes the exponential linear unit: x for x > 0, else alpha (e^x - 1), elementwise.  dx = g for x > 0, else g alpha
 * e^x. PyTorch's default alpha is 1.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Clevert, Unterthiner and Hochreiter: Exponential Linear Units (2016).
 * torch: torch.nn.functional.elu */
HEED_API heed_tensor *heed_elu(heed_tensor *x, double alpha);

/* Computes the scaled exponential linear unit: s x for x > 0, else s alpha (e^x - 1), elementwise, with
 * s = 1.0507009873554805 and alpha = 1.6732632423543772.  dx = g s for x > 0, else g s alpha e^x.
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * Reference: Klambauer, Unterthiner, Mayr and Hochreiter: Self-Normalizing Neural Networks (2017).
 * torch: torch.nn.functional.selu */
HEED_API heed_tensor *heed_selu(heed_tensor *x);

/* Limits x to the interval low .. high with gradient 0 at the limits: min(max(x, low), high), elementwise.
 * dx = g if low < x < high, else 0. Only the gradient at the limits differs from heed_clamp. NaN stays NaN. PyTorch's
 * default limits are -1 and 1.
 * Errors: HEED_ERR_ARGUMENT unless low <= high.
 * torch: torch.nn.functional.hardtanh */
HEED_API heed_tensor *heed_hardtanh(heed_tensor *x, double low, double high);

/* -- Copies and conversions ---------------------------------------------------------------------------------------- */

/* Copies x, of any dtype, into a new contiguous tensor; the copy is recorded, unlike heed_detach.  dx = g.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.clone   numpy: numpy.copy */
HEED_API heed_tensor *heed_clone(heed_tensor *x);

/* Returns x itself if its elements lie in row-major order without gaps, else a contiguous copy; any dtype.  dx = g.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.Tensor.contiguous   numpy: numpy.ascontiguousarray */
HEED_API heed_tensor *heed_contiguous(heed_tensor *x);

/* Converts x to the given dtype; returns x itself if it already has that dtype.  dx = g, between f32 and f64. Floats
 * become i64 by truncation; any number becomes bool by x != 0.
 * Errors: HEED_ERR_ARGUMENT if a float does not fit i64 (NaN, infinity, 2^63 and beyond); HEED_ERR_DTYPE if `dtype` is
 * not one of heed_dtype.
 * torch: torch.Tensor.to   numpy: numpy.ndarray.astype */
HEED_API heed_tensor *heed_to_dtype(heed_tensor *x, heed_dtype dtype);

HEED_END_DECLS

#endif
