/* heed/ops/reduce.h - reductions. What heed/ops.h says of all ops holds here.
 *
 * The short forms, heed_sum(x), reduce everything to a scalar. The long ones reduce the axes given, HEED_ALL_AXES for
 * all; each axis at most once (HEED_ERR_SHAPE), a negative one counts from the end. keepdim leaves them as size 1:
 * x (2, 3, 4) over HEED_AXES(1) gives (2, 4), or (2, 1, 4).
 */
#ifndef HEED_OPS_REDUCE_H
#define HEED_OPS_REDUCE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Sums and means ---------------------------------------------------------------------------------------------------
 * Made in fixed blocks: the same bits for any number of threads. */

/* The sum of all elements, a scalar; of nothing 0.  dx = g, expanded. Of i64 the sum is i64, modulo 2^64, as in
 * PyTorch; of bool it is i64, too: how many are true. Neither has a gradient.
 * torch: torch.sum   numpy: numpy.sum */
HEED_API heed_tensor *heed_sum(heed_tensor *x);

/* The sum over some axes of x, which keepdim leaves as size 1; of nothing 0.  dx = g, expanded. Of i64 the sum is i64,
 * modulo 2^64, as in PyTorch; of bool it is i64, too: how many are true. Neither has a gradient. HEED_ERR_SHAPE for an
 * axis that is not there or is given twice.
 * torch: torch.sum   numpy: numpy.sum */
HEED_API heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* The mean of all n elements, a scalar: sum / n; of nothing NaN. x is f32 or f64 (HEED_ERR_DTYPE).  dx = g / n
 * torch: torch.mean   numpy: numpy.mean */
HEED_API heed_tensor *heed_mean(heed_tensor *x);

/* The mean over some axes of x, f32 or f64, which keepdim leaves as size 1: sum / n; of nothing NaN.  dx = g / n.
 * HEED_ERR_SHAPE for an axis that is not there or is given twice; HEED_ERR_DTYPE.
 * torch: torch.mean   numpy: numpy.mean */
HEED_API heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* The variance of all n elements, a scalar: sum((x - mean)^2) / (n - correction), where 1, PyTorch's default, makes it
 * unbiased, and 0, NumPy's, is the mean square. The divisor is at least 0: of one element with correction 1 NaN. x is
 * f32 or f64 (HEED_ERR_DTYPE).  dx = 2 g (x - mean) / (n - correction). A sum of squares may overflow: the result is
 * right if x's dtype can hold it. For the deviation of numbers beyond 1e19 in f32 take heed_std, whose square
 * overflows.
 * torch: torch.var   numpy: numpy.var */
HEED_API heed_tensor *heed_var(heed_tensor *x, int correction);

/* The variance over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_var has it.
 * dx = 2 g (x - mean) / (n - correction). HEED_ERR_SHAPE for an axis that is not there or is given twice;
 * HEED_ERR_DTYPE.
 * torch: torch.var   numpy: numpy.var */
HEED_API heed_tensor *heed_var_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim);

/* The standard deviation y of all elements, the square root of heed_var: a scalar. x is f32 or f64 (HEED_ERR_DTYPE).
 * dx = g (x - mean) / (y (n - correction)), and 0 where y is 0. Higher derivatives are 0 there, too; the second
 * derivative of y^2 is not, so use heed_var for y^2. If squares overflow or underflow, y and dx are computed in
 * f64 and of x times a power of two: they are right wherever the dtype can hold them, from the smallest x to the
 * largest.
 * torch: torch.std   numpy: numpy.std */
HEED_API heed_tensor *heed_std(heed_tensor *x, int correction);

/* The standard deviation over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_std has it.
 * dx = g (x - mean) / (y (n - correction)), and 0 where y is 0. HEED_ERR_SHAPE for an axis that is not there or is
 * given twice; HEED_ERR_DTYPE.
 * torch: torch.std   numpy: numpy.std */
HEED_API heed_tensor *heed_std_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim);

/* The norm y of all elements, a scalar: (sum |x|^p)^(1/p); the largest |x| for p = INFINITY, the smallest for
 * -INFINITY, how many are not 0 for p = 0. x is f32 or f64 (HEED_ERR_DTYPE).  dx = g sign(x) (|x| / y)^(p - 1), 0 where
 * x or y is 0, shared evenly by equal extremes. If powers overflow or underflow, y and dx are computed in f64 and of x
 * times a power of two: they are right wherever the dtype can hold them. Only in f64, for p < 0 or p > 500, dx needs
 * |x| in 1e-290 .. 1e290. Higher derivatives are 0 if y is 0; the second derivative of y^2 is not, so use heed_sum of
 * heed_square for y^2. HEED_ERR_ARGUMENT for a p that is NaN; HEED_ERR_SHAPE for nothing where p is INFINITY or below
 * 0; else its norm is 0.
 * torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm */
HEED_API heed_tensor *heed_norm(heed_tensor *x, double p);

/* The norms over some axes of x, f32 or f64, which keepdim leaves as size 1, as heed_norm has them.
 * dx = g sign(x) (|x| / y)^(p - 1), 0 where x or y is 0. HEED_ERR_SHAPE, also for an axis that is not there or is given
 * twice; HEED_ERR_ARGUMENT; HEED_ERR_DTYPE.
 * torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm */
HEED_API heed_tensor *heed_norm_axes(heed_tensor *x, double p, heed_shape axes, bool keepdim);

/* The product of all elements, a scalar; of nothing 1. x is f32, f64 or i64 (HEED_ERR_DTYPE), whose product is taken
 * modulo 2^64.  dx = g times the product of the others, also where x is 0. Halves are multiplied by each other: where
 * factors of 1e200 meet those of 1e-200, products on the way may overflow.
 * torch: torch.prod   numpy: numpy.prod */
HEED_API heed_tensor *heed_prod(heed_tensor *x);

/* The product over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; of nothing 1.  dx = g times the
 * product of the others, also where x is 0. HEED_ERR_SHAPE for an axis that is not there or is given twice;
 * HEED_ERR_DTYPE.
 * torch: torch.prod   numpy: numpy.prod */
HEED_API heed_tensor *heed_prod_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* -- Along an axis ------------------------------------------------------------------------------------------------- */

/* The sums of what precedes on one axis: y[i] = x[0] + ... + x[i]. x is f32, which is summed in f64, f64 or i64, modulo
 * 2^64 (HEED_ERR_DTYPE).  dx[i] = g[i] + g[i + 1] + ... HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.cumsum   numpy: numpy.cumsum */
HEED_API heed_tensor *heed_cumsum(heed_tensor *x, int axis);

/* The integral of y over one axis by the trapezoidal rule: the sum of (y[i] + y[i - 1]) (x[i] - x[i - 1]) / 2, without
 * the axis; 0 of less than two points. x holds the places, (n) for the n points of the axis, or has y's rank and
 * broadcasts. Both f32 or both f64 (HEED_ERR_DTYPE). Differentiable in both. HEED_ERR_SHAPE for an x that does not fit
 * or an axis that is not there.
 * torch: torch.trapezoid   numpy: numpy.trapz */
HEED_API heed_tensor *heed_trapezoid(heed_tensor *y, heed_tensor *x, int axis);

/* The same of points that lie dx apart: dx (y[0] / 2 + y[1] + ... + y[n - 1] / 2). y is f32 or f64 (HEED_ERR_DTYPE).
 * Differentiable. HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.trapezoid   numpy: numpy.trapz */
HEED_API heed_tensor *heed_trapezoid_scalar(heed_tensor *y, double dx, int axis);

/* -- Extremes ------------------------------------------------------------------------------------------------------ */

/* The largest element, a scalar; NaN if there is one.  dx = g, shared evenly by equal largest elements. x is f32, f64
 * or i64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for the max of nothing. Of two tensors: heed_maximum.
 * torch: torch.max   numpy: numpy.max */
HEED_API heed_tensor *heed_max(heed_tensor *x);

/* The largest elements over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; NaN where there is one. 
 * dx = g, shared evenly by equal largest elements. HEED_ERR_SHAPE for the max of nothing, or an axis that is not there
 * or is given twice; HEED_ERR_DTYPE.
 * torch: torch.amax   numpy: numpy.max */
HEED_API heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* The smallest element, a scalar; NaN if there is one.  dx = g, shared evenly by equal smallest elements. x is f32,
 * f64 or i64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for the min of nothing. Of two tensors: heed_minimum.
 * torch: torch.min   numpy: numpy.min */
HEED_API heed_tensor *heed_min(heed_tensor *x);

/* The smallest elements over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; NaN where there is one.
 * dx = g, shared evenly by equal smallest elements. HEED_ERR_SHAPE for the min of nothing, or an axis that is not there
 * or is given twice; HEED_ERR_DTYPE.
 * torch: torch.amin   numpy: numpy.min */
HEED_API heed_tensor *heed_min_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Where the largest element is in the flattened tensor: an i64 scalar, the first of several, the first NaN if any. x is
 * f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmax of nothing.
 * torch: torch.argmax   numpy: numpy.argmax */
HEED_API heed_tensor *heed_argmax(heed_tensor *x);

/* Where the largest elements are on one axis, which keepdim leaves as size 1: i64, the first of several, the first NaN
 * if any. x is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmax of nothing, or an axis that
 * is not there.
 * torch: torch.argmax   numpy: numpy.argmax */
HEED_API heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim);

/* Where the smallest element is in the flattened tensor: an i64 scalar, the first of several, the first NaN if any. x
 * is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmin of nothing.
 * torch: torch.argmin   numpy: numpy.argmin */
HEED_API heed_tensor *heed_argmin(heed_tensor *x);

/* Where the smallest elements are on one axis, which keepdim leaves as size 1: i64, the first of several, the first NaN
 * if any. x is f32, f64 or i64 (HEED_ERR_DTYPE). No gradient. HEED_ERR_SHAPE for the argmin of nothing, or an axis that
 * is not there.
 * torch: torch.argmin   numpy: numpy.argmin */
HEED_API heed_tensor *heed_argmin_axis(heed_tensor *x, int axis, bool keepdim);

/* -- Back from a broadcast ----------------------------------------------------------------------------------------- */

/* x, f32 or f64, summed down to a shape that broadcasts to x's: the adjoint of heed_expand.  dx = expand(g). x itself
 * when it has that shape. HEED_ERR_SHAPE unless `shape` broadcasts to x's; HEED_ERR_DTYPE.
 * torch: torch.Tensor.sum_to_size */
HEED_API heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape);

HEED_END_DECLS

#endif
