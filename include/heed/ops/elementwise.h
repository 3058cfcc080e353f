/* heed/ops/elementwise.h - elementwise ops, and conversions. What heed/ops.h says of all ops holds here.
 *
 * In formulas y is the result, g the gradient that arrives at it, and dx, da, db are what goes on to x, a and b.
 */
#ifndef HEED_OPS_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Two tensors ------------------------------------------------------------------------------------------------------
 * Both f32 or both f64 (HEED_ERR_DTYPE), unless a function says otherwise, of shapes that NumPy's rules broadcast
 * (HEED_ERR_SHAPE). The gradient of what was broadcast is summed back to its own shape. Whole numbers, both i64, have
 * no gradient; what does not fit i64 is taken modulo 2^64, as PyTorch and NumPy do: 2^63 - 1 plus 1 is -2^63. */

/* a + b, elementwise with broadcasting.  da = g, db = g.
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.add   numpy: numpy.add */
HEED_API heed_tensor *heed_add(heed_tensor *a, heed_tensor *b);

/* a - b, elementwise with broadcasting.  da = g, db = -g.
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.sub   numpy: numpy.subtract */
HEED_API heed_tensor *heed_sub(heed_tensor *a, heed_tensor *b);

/* a b, elementwise with broadcasting.  da = g b, db = g a.
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64.
 * torch: torch.mul   numpy: numpy.multiply */
HEED_API heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b);

/* a / b, elementwise with broadcasting; x / 0 is infinite and 0 / 0 NaN.  da = g / b, db = -g a / b^2.
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.div   numpy: numpy.divide */
HEED_API heed_tensor *heed_div(heed_tensor *a, heed_tensor *b);

/* The larger of a and b, elementwise with broadcasting; NaN where either is NaN.  da = g where a > b, db = g where
 * b > a, and each gets g / 2 where they are equal. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
 * both are f32, both f64 or both i64. Of one tensor: heed_max.
 * torch: torch.maximum   numpy: numpy.maximum */
HEED_API heed_tensor *heed_maximum(heed_tensor *a, heed_tensor *b);

/* The smaller of a and b, elementwise with broadcasting; NaN where either is NaN.  da = g where a < b, db = g where
 * b < a, and each gets g / 2 where they are equal. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
 * both are f32, both f64 or both i64. Of one tensor: heed_min.
 * torch: torch.minimum   numpy: numpy.minimum */
HEED_API heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b);

/* The largest whole number that is at most the exact quotient of a and b, elementwise with broadcasting. It is not
 * floor(a / b), whose a / b is rounded first: 1 // 0.1 is 9, because 0.1 in binary is a little more than 1/10. A result
 * that f32 or f64 cannot hold is rounded. x / 0 is infinite, 0 / 0 and infinity / b are NaN, and a finite a divided by
 * an infinity is 0 or -1.  da = 0, db = 0.
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
 * HEED_ERR_ARGUMENT for an i64 divided by 0.
 * torch: torch.floor_divide   numpy: numpy.floor_divide */
HEED_API heed_tensor *heed_floor_divide(heed_tensor *a, heed_tensor *b);

/* The rest of a after division by b, elementwise with broadcasting: a - b heed_floor_divide(a, b), computed exactly by
 * fmod, with the sign of b: remainder(1e9, pi) is 1.02 in f32. For an infinite b it is a if a has the sign of b or is
 * 0, and b otherwise. For b = 0 and for an infinite a it is NaN.  da = g, db = -g heed_floor_divide(a, b).
 * HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless both are f32, both f64 or both i64;
 * HEED_ERR_ARGUMENT for an i64 divided by 0.
 * torch: torch.remainder   numpy: numpy.remainder */
HEED_API heed_tensor *heed_remainder(heed_tensor *a, heed_tensor *b);

/* The angle of the point (x, y) in radians, from -pi to pi, elementwise with broadcasting; by the signs of both, so
 * that y = -0 and x < 0 give -pi.  dy = g x / (x^2 + y^2), dx = -g y / (x^2 + y^2), without overflow of a
 * square; NaN at the origin. HEED_ERR_SHAPE unless
 * the shapes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.atan2   numpy: numpy.arctan2 */
HEED_API heed_tensor *heed_atan2(heed_tensor *y, heed_tensor *x);

/* condition ? a : b elementwise; condition is bool, and all three broadcast.  da = g where true, db = g where false,
 * and exactly 0 elsewhere, whatever is stored there. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless
 * condition is bool and a, b both f32, both f64 or both i64.
 * torch: torch.where   numpy: numpy.where */
HEED_API heed_tensor *heed_where(heed_tensor *condition, heed_tensor *a, heed_tensor *b);

/* Which question heed_compare asks: equal, not equal, less, less or equal, greater, greater or equal. */
typedef enum heed_comparison {
    HEED_COMPARE_EQ,
    HEED_COMPARE_NE,
    HEED_COMPARE_LT,
    HEED_COMPARE_LE,
    HEED_COMPARE_GT,
    HEED_COMPARE_GE
} heed_comparison;

/* A bool tensor, a ? b elementwise with broadcasting, for two tensors of one dtype (any). Comparing with NaN is false
 * but for HEED_COMPARE_NE. No gradient. HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE for two dtypes;
 * HEED_ERR_ARGUMENT for a number that is no comparison.
 * torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
 * numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal */
HEED_API heed_tensor *heed_compare(heed_tensor *a, heed_comparison comparison, heed_tensor *b);

/* The same with one number c, which is rounded to x's dtype where that is f32. No gradient. HEED_ERR_ARGUMENT for a c
 * that is no whole number that i64 holds, where x is i64, or not 0 or 1, where it is bool, and for a number that is no
 * comparison.
 * torch: torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge
 * numpy: numpy.equal, numpy.not_equal, numpy.less, numpy.less_equal, numpy.greater, numpy.greater_equal */
HEED_API heed_tensor *heed_compare_scalar(heed_tensor *x, heed_comparison comparison, double c);

/* -- One tensor and a number ------------------------------------------------------------------------------------------
 * x is f32, f64 or i64 (HEED_ERR_DTYPE), of any shape. The number is rounded to the dtype of x before anything else:
 * with an x of f32, 1e300 is infinity, 1e-50 is 0, and 0.1 is 0.100000001490116. If x is i64, the number must be a
 * whole one that i64 holds (HEED_ERR_ARGUMENT), results are taken modulo 2^64, and there is no gradient. */

/* c x, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = c g. HEED_ERR_ARGUMENT for a c that is no whole number
 * that i64 holds, where x is i64.
 * torch: torch.mul   numpy: numpy.multiply */
HEED_API heed_tensor *heed_mul_scalar(heed_tensor *x, double c);

/* x + c, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = g. HEED_ERR_ARGUMENT for a c that is no whole number of
 * i64, where x is i64.
 * torch: torch.add   numpy: numpy.add */
HEED_API heed_tensor *heed_add_scalar(heed_tensor *x, double c);

/* c - x, elementwise, of f32, f64 or i64 (modulo 2^64): the subtraction the other way round.  dx = -g.
 * HEED_ERR_ARGUMENT for a c that is no whole number that i64 holds, where x is i64.
 * torch: torch.rsub   numpy: numpy.subtract */
HEED_API heed_tensor *heed_rsub_scalar(heed_tensor *x, double c);

/* x^p, elementwise, of f32, f64 or i64 (modulo 2^64); NaN for a float x < 0 unless p is whole. 0^0 is 1.
 * dx = g p x^(p-1), and 0 for p = 0. HEED_ERR_ARGUMENT for a p that is no whole number of i64 or below 0, where x is
 * i64.
 * torch: torch.pow   numpy: numpy.power */
HEED_API heed_tensor *heed_pow_scalar(heed_tensor *x, double p);

/* min(max(x, low), high), elementwise, of f32, f64 or i64; NaN stays NaN, and a low of -infinity or a high of infinity
 * is no limit.  dx = g where low <= x <= high, else 0. HEED_ERR_ARGUMENT unless low <= high, and for another limit that
 * is no whole number of i64, where x is i64.
 * torch: torch.clamp   numpy: numpy.clip */
HEED_API heed_tensor *heed_clamp(heed_tensor *x, double low, double high);

/* -- One tensor -------------------------------------------------------------------------------------------------------
 * x is f32 or f64 (HEED_ERR_DTYPE), of any shape; of heed_neg, heed_square, heed_abs and heed_sign it may be i64,
 * too. */

/* -x, elementwise, of f32, f64 or i64, where that of -2^63 is itself.  dx = -g
 * torch: torch.neg   numpy: numpy.negative */
HEED_API heed_tensor *heed_neg(heed_tensor *x);

/* x^2, elementwise, of f32, f64 or i64 (modulo 2^64).  dx = 2 g x
 * torch: torch.square   numpy: numpy.square */
HEED_API heed_tensor *heed_square(heed_tensor *x);

/* y = x^(1/2), elementwise, of f32 or f64; NaN for x < 0.  dx = g / (2 y), infinite at 0
 * torch: torch.sqrt   numpy: numpy.sqrt */
HEED_API heed_tensor *heed_sqrt(heed_tensor *x);

/* y = e^x, elementwise, of f32 or f64.  dx = g y
 * torch: torch.exp   numpy: numpy.exp */
HEED_API heed_tensor *heed_exp(heed_tensor *x);

/* ln x, elementwise, of f32 or f64; -infinity at 0, NaN for x < 0.  dx = g / x
 * torch: torch.log   numpy: numpy.log */
HEED_API heed_tensor *heed_log(heed_tensor *x);

/* y = e^x - 1, elementwise, of f32 or f64; exact to the last digits for small x, too.  dx = g (y + 1)
 * torch: torch.expm1   numpy: numpy.expm1 */
HEED_API heed_tensor *heed_expm1(heed_tensor *x);

/* ln(1 + x), elementwise, of f32 or f64; exact to the last digits for small x, too. -infinity at -1, NaN for x < -1.
 * dx = g / (1 + x)
 * torch: torch.log1p   numpy: numpy.log1p */
HEED_API heed_tensor *heed_log1p(heed_tensor *x);

/* sin x, elementwise, of f32 or f64, x in radians.  dx = g cos x
 * torch: torch.sin   numpy: numpy.sin */
HEED_API heed_tensor *heed_sin(heed_tensor *x);

/* cos x, elementwise, of f32 or f64, x in radians.  dx = -g sin x
 * torch: torch.cos   numpy: numpy.cos */
HEED_API heed_tensor *heed_cos(heed_tensor *x);

/* arcsin x in radians, from -pi / 2 to pi / 2, elementwise, of f32 or f64; NaN for |x| > 1.  dx = g / sqrt(1 - x^2),
 * infinite at -1 and 1
 * torch: torch.asin   numpy: numpy.arcsin */
HEED_API heed_tensor *heed_asin(heed_tensor *x);

/* arccos x in radians, from 0 to pi, elementwise, of f32 or f64; NaN for |x| > 1.  dx = -g / sqrt(1 - x^2), infinite at
 * -1 and 1
 * torch: torch.acos   numpy: numpy.arccos */
HEED_API heed_tensor *heed_acos(heed_tensor *x);

/* arctan x in radians, from -pi / 2 to pi / 2, elementwise, of f32 or f64.  dx = g / (1 + x^2). Of two: heed_atan2.
 * torch: torch.atan   numpy: numpy.arctan */
HEED_API heed_tensor *heed_atan(heed_tensor *x);

/* sinh x = (e^x - e^-x) / 2, elementwise, of f32 or f64.  dx = g cosh x
 * torch: torch.sinh   numpy: numpy.sinh */
HEED_API heed_tensor *heed_sinh(heed_tensor *x);

/* cosh x = (e^x + e^-x) / 2, elementwise, of f32 or f64.  dx = g sinh x
 * torch: torch.cosh   numpy: numpy.cosh */
HEED_API heed_tensor *heed_cosh(heed_tensor *x);

/* y = tanh x, elementwise, of f32 or f64.  dx = g (1 - y^2)
 * torch: torch.tanh   numpy: numpy.tanh */
HEED_API heed_tensor *heed_tanh(heed_tensor *x);

/* y = 1 / (1 + e^-x), elementwise, of f32 or f64; without overflow for any x.  dx = g y (1 - y)
 * torch: torch.sigmoid */
HEED_API heed_tensor *heed_sigmoid(heed_tensor *x);

/* max(x, 0), elementwise, of f32 or f64; NaN stays NaN.  dx = g where x > 0, else 0
 * torch: torch.nn.functional.relu */
HEED_API heed_tensor *heed_relu(heed_tensor *x);

/* |x|, elementwise, of f32, f64 or i64, where that of -2^63 is itself.  dx = g sign x, which is 0 at 0
 * torch: torch.abs   numpy: numpy.absolute */
HEED_API heed_tensor *heed_abs(heed_tensor *x);

/* -1, 0 or 1 by the sign of x, elementwise, of f32, f64 or i64; NaN stays NaN, as in NumPy (PyTorch makes it 0).  dx =
 * 0
 * torch: torch.sign   numpy: numpy.sign */
HEED_API heed_tensor *heed_sign(heed_tensor *x);

/* The largest whole number that is at most x, elementwise, of f32 or f64.  dx = 0
 * torch: torch.floor   numpy: numpy.floor */
HEED_API heed_tensor *heed_floor(heed_tensor *x);

/* The smallest whole number that is at least x, elementwise, of f32 or f64.  dx = 0
 * torch: torch.ceil   numpy: numpy.ceil */
HEED_API heed_tensor *heed_ceil(heed_tensor *x);

/* The whole number nearest to x, elementwise, of f32 or f64; of two that are equally near the even one, so 0.5 gives 0
 * and 1.5 gives 2.  dx = 0
 * torch: torch.round   numpy: numpy.round */
HEED_API heed_tensor *heed_round(heed_tensor *x);

/* The error function, elementwise, of f32 or f64: 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.
 * dx = g 2 / sqrt(pi) e^(-x^2)
 * torch: torch.erf */
HEED_API heed_tensor *heed_erf(heed_tensor *x);

/* x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, elementwise, of f32 or f64: the exact form, not the one by tanh.
 * dx = g (Phi(x) + x phi(x)), Phi and phi being distribution and density of the standard normal.
 * Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
 * torch: torch.nn.functional.gelu */
HEED_API heed_tensor *heed_gelu(heed_tensor *x);

/* x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3), elementwise, of f32 or f64: gelu by tanh, as GPT-2 has
 * it. NaN for -infinity.  dx = g (s + 2 x s (1 - s) du/dx) with s = (1 + tanh(u)) / 2; derivatives are NaN if x^3
 * overflows.
 * Hendrycks and Gimpel: Gaussian Error Linear Units (2016).
 * torch: torch.nn.functional.gelu */
HEED_API heed_tensor *heed_gelu_tanh(heed_tensor *x);

/* ln(1 + e^x), elementwise, of f32 or f64: a smooth relu, without overflow for any x.  dx = g / (1 + e^-x).
 * Dugas et al.: Incorporating Second-Order Functional Knowledge (2001).
 * torch: torch.nn.functional.softplus */
HEED_API heed_tensor *heed_softplus(heed_tensor *x);

/* x s with s = 1 / (1 + e^-x), elementwise, of f32 or f64; also called swish.  dx = g s (1 + x (1 - s)).
 * Elfwing, Uchibe and Doya: Sigmoid-Weighted Linear Units (2018).
 * torch: torch.nn.functional.silu */
HEED_API heed_tensor *heed_silu(heed_tensor *x);

/* x for x > 0, else slope x, elementwise, of f32 or f64; PyTorch's slope is 0.01 by default.  dx = g for x > 0, else
 * slope g. Maas, Hannun and Ng: Rectifier Nonlinearities Improve Neural Network Acoustic Models (2013).
 * torch: torch.nn.functional.leaky_relu */
HEED_API heed_tensor *heed_leaky_relu(heed_tensor *x, double slope);

/* x for x > 0, else alpha (e^x - 1), elementwise, of f32 or f64; PyTorch's alpha is 1 by default.  dx = g for x > 0,
 * else g alpha e^x. Clevert, Unterthiner and Hochreiter: Exponential Linear Units (2016).
 * torch: torch.nn.functional.elu */
HEED_API heed_tensor *heed_elu(heed_tensor *x, double alpha);

/* min(max(x, low), high), elementwise, of f32 or f64; NaN stays NaN. As heed_clamp, but dx = g where low < x < high,
 * else 0, also at the limits; PyTorch's are -1 and 1 by default. HEED_ERR_ARGUMENT unless low <= high.
 * torch: torch.nn.functional.hardtanh */
HEED_API heed_tensor *heed_hardtanh(heed_tensor *x, double low, double high);

/* -- Copies and conversions ---------------------------------------------------------------------------------------- */

/* A contiguous copy of x, of any dtype; recorded, unlike heed_detach.  dx = g
 * torch: torch.clone   numpy: numpy.copy */
HEED_API heed_tensor *heed_clone(heed_tensor *x);

/* x itself when its elements lie in row-major order without gaps, else a copy that does; any dtype.  dx = g
 * torch: torch.Tensor.contiguous   numpy: numpy.ascontiguousarray */
HEED_API heed_tensor *heed_contiguous(heed_tensor *x);

/* x itself when it has that dtype, else converted.  dx = g, between f32 and f64. Floats become i64 by truncation,
 * HEED_ERR_ARGUMENT when one does not fit (NaN, infinite, 2^63 and beyond); anything becomes bool by x != 0.
 * HEED_ERR_DTYPE for a number that is no dtype.
 * torch: torch.Tensor.to   numpy: numpy.ndarray.astype */
HEED_API heed_tensor *heed_to_dtype(heed_tensor *x, heed_dtype dtype);

HEED_END_DECLS

#endif
