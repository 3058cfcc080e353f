/* heed/ops/reduce.h - reductions. The rules in heed/ops.h hold here too.
 *
 * heed_sum, heed_mean, heed_max and heed_min reduce all elements to a scalar, and heed_sum_axes and so on the given
 * axes. All other reductions take axes, HEED_ALL_AXES for all. Every axis may be given once (HEED_ERR_SHAPE), and a
 * negative axis counts from the end. keepdim keeps the reduced axes with size 1: x (2, 3, 4) over HEED_AXES(1) is (2,
 * 4), or (2, 1, 4) with keepdim.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_REDUCE_H
#define HEED_OPS_REDUCE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Sums and means ---------------------------------------------------------------------------------------------------
 * Sums are computed in fixed blocks: the bits are the same for any number of threads. */

/* Sums all elements to a scalar; the sum of an empty tensor is 0.  dx = g, expanded. The sum of i64 is i64, modulo
 * 2^64, as in PyTorch. The sum of bool is i64 too: the number of true elements. Neither has a gradient.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.sum   numpy: numpy.sum */
HEED_API heed_tensor *heed_sum(heed_tensor *x);

/* Sums x over some axes; keepdim keeps them with size 1. An empty sum is 0.  dx = g, expanded. The sum of i64 is i64,
 * modulo 2^64, as in PyTorch. The sum of bool is i64 too: the number of true elements. Neither has a gradient.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice.
 * torch: torch.sum   numpy: numpy.sum */
HEED_API heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Computes the mean of all n elements, a scalar: sum / n; NaN for an empty tensor.  dx = g / n. x is f32 or f64
 * (HEED_ERR_DTYPE).
 * Errors: HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.mean   numpy: numpy.mean */
HEED_API heed_tensor *heed_mean(heed_tensor *x);

/* Computes the mean over some axes of x, f32 or f64: sum / n; NaN if n is 0.  dx = g / n. keepdim keeps the axes with
 * size 1.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
 * torch: torch.mean   numpy: numpy.mean */
HEED_API heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Sums x over some axes and skips NaN; keepdim keeps the axes with size 1.  dx = g, 0 at NaN. If all elements are NaN,
 * the sum is 0. The sum of i64 or bool is the result of heed_sum_axes.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice.
 * torch: torch.nansum   numpy: numpy.nansum */
HEED_API heed_tensor *heed_nansum(heed_tensor *x, heed_shape axes, bool keepdim);

/* Computes the mean over some axes of x, f32 or f64, and skips NaN: heed_nansum / n, where n counts the other elements;
 * NaN if n is 0.  dx = g / n, 0 at NaN, also in a row of NaN. keepdim keeps the axes with size 1.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.nanmean   numpy: numpy.nanmean */
HEED_API heed_tensor *heed_nanmean(heed_tensor *x, heed_shape axes, bool keepdim);

/* Computes the variance over some axes: y = sum((x - mean)^2) / (n - correction).
 * dx = 2 g (x - mean) / (n - correction).
 *
 * Correction 1, PyTorch's default, makes the variance unbiased; correction 0, NumPy's default, gives the mean square. A
 * divisor below 0 counts as 0, so one element with correction 1 gives NaN. keepdim keeps the axes with size 1. x is f32
 * or f64. The result is right if the dtype of x can hold it, even if the sum of squares overflows. For the deviation of
 * numbers beyond 1e19 in f32, whose variance overflows, use heed_std.
 *
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.var   numpy: numpy.var */
HEED_API heed_tensor *heed_var(heed_tensor *x, heed_shape axes, int correction, bool keepdim);

/* Computes the standard deviation y over some axes: the square root of heed_var.
 * dx = g (x - mean) / (y (n - correction)), and 0 if y is 0.
 *
 * If y is 0, higher derivatives are 0 too. The second derivative of y^2 differs from 0 there, so use heed_var for y^2.
 * keepdim keeps the axes with size 1. x is f32 or f64. If squares overflow or underflow, y and dx are computed in f64
 * from x times a power of two. They are right wherever the dtype can hold them, from the smallest x to the largest.
 *
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.std   numpy: numpy.std */
HEED_API heed_tensor *heed_std(heed_tensor *x, heed_shape axes, int correction, bool keepdim);

/* Computes the p-norm y over some axes: (sum |x|^p)^(1/p).
 * dx = g sign(x) (|x| / y)^(p - 1), 0 if x or y is 0; with p = INFINITY or -INFINITY, equal extreme elements share the
 * gradient evenly.
 *
 * p = INFINITY gives the largest |x|, -INFINITY the smallest, and p = 0 the number of nonzero elements. The norm of an
 * empty tensor is 0 for other p. keepdim keeps the axes with size 1. x is f32 or f64. If powers overflow or underflow,
 * y and dx are computed in f64 from x times a power of two; they are right wherever the dtype can hold them. There is
 * one exception: in f64, for p < 0 or p > 500, dx needs |x| in 1e-290 .. 1e290. If y is 0, higher derivatives are 0.
 * The second derivative of y^2 differs from 0 there, so use heed_sum_axes of heed_square for y^2.
 *
 * Errors: HEED_ERR_ARGUMENT if p is NaN; HEED_ERR_SHAPE if x lacks an axis or an axis is given twice, and for an empty
 * tensor if p is INFINITY or below 0; HEED_ERR_DTYPE unless x is f32 or f64.
 * torch: torch.linalg.vector_norm   numpy: numpy.linalg.norm */
HEED_API heed_tensor *heed_norm(heed_tensor *x, double p, heed_shape axes, bool keepdim);

/* Multiplies the elements of x over some axes; keepdim keeps them with size 1. An empty product is 1.  dx = g times the
 * product of the other elements, also if x is 0. x is f32, f64 or i64; products of i64 are taken modulo 2^64. The two
 * halves of the list of elements are multiplied elementwise, repeatedly, until one element remains. With factors such
 * as 1e200 and 1e-200, intermediate products may therefore overflow.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE unless x is f32, f64 or i64.
 * torch: torch.prod   numpy: numpy.prod */
HEED_API heed_tensor *heed_prod(heed_tensor *x, heed_shape axes, bool keepdim);

/* -- Along an axis ------------------------------------------------------------------------------------------------- */

/* Computes the cumulative sums along an axis: y[i] = x[0] + ... + x[i].  dx[i] = g[i] + g[i + 1] + ... x is f32 (summed
 * in f64), f64 or i64 (modulo 2^64).
 * Errors: HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.cumsum   numpy: numpy.cumsum */
HEED_API heed_tensor *heed_cumsum(heed_tensor *x, int axis);

/* Computes the cumulative products along an axis: y[i] = x[0] ... x[i].
 * dx[i] = x[0] ... x[i - 1] (g[i] + x[i + 1] g[i + 1] + x[i + 1] x[i + 2] g[i + 2] + ...), also if x contains 0. x is
 * f32 (multiplied in f64), f64 or i64 (modulo 2^64). The gradient multiplies elements of x from every position on, so
 * it is NaN if such a product overflows after a 0.
 * Errors: HEED_ERR_SHAPE if x lacks the axis; HEED_ERR_DTYPE for bool.
 * torch: torch.cumprod   numpy: numpy.cumprod */
HEED_API heed_tensor *heed_cumprod(heed_tensor *x, int axis);

/* Integrates y along an axis by the trapezoidal rule: the sum of (y[i] + y[i - 1]) (x[i] - x[i - 1]) / 2. The result
 * lacks the axis. Differentiable in x and y. x (n) contains the positions of the n points of the axis, or x has the
 * rank of y and broadcasts to y; dx is then 0. If x is NULL, the points are at distance dx. Fewer than two points give
 * 0. x and y are both f32 or both f64 (HEED_ERR_DTYPE).
 * Errors: HEED_ERR_SHAPE if x does not fit or y lacks the axis; HEED_ERR_ARGUMENT unless either x or a nonzero dx is
 * given.
 * torch: torch.trapezoid   numpy: numpy.trapz */
HEED_API heed_tensor *heed_trapezoid(heed_tensor *y, heed_tensor *x, double dx, int axis);

/* -- Extremes ------------------------------------------------------------------------------------------------------ */

/* Returns the largest element, a scalar; NaN if x contains NaN.  dx = g, shared evenly by equal largest elements. x is
 * f32, f64 or i64 (HEED_ERR_DTYPE). heed_maximum compares two tensors.
 * Errors: HEED_ERR_SHAPE for an empty tensor.
 * torch: torch.max   numpy: numpy.max */
HEED_API heed_tensor *heed_max(heed_tensor *x);

/* Returns the largest elements over some axes of x, f32, f64 or i64; keepdim keeps the axes with size 1.  dx = g,
 * shared evenly by equal largest elements. The result is NaN if there is a NaN among the elements.
 * Errors: HEED_ERR_SHAPE if an axis to reduce is empty, if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
 * torch: torch.amax   numpy: numpy.max */
HEED_API heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Returns the smallest element, a scalar; NaN if x contains NaN.  dx = g, shared evenly by equal smallest elements. x
 * is f32, f64 or i64 (HEED_ERR_DTYPE). heed_minimum compares two tensors.
 * Errors: HEED_ERR_SHAPE for an empty tensor.
 * torch: torch.min   numpy: numpy.min */
HEED_API heed_tensor *heed_min(heed_tensor *x);

/* Returns the smallest elements over some axes of x, f32, f64 or i64; keepdim keeps the axes with size 1.  dx = g,
 * shared evenly by equal smallest elements. The result is NaN if there is a NaN among the elements.
 * Errors: HEED_ERR_SHAPE if an axis to reduce is empty, if x lacks an axis or an axis is given twice; HEED_ERR_DTYPE.
 * torch: torch.amin   numpy: numpy.min */
HEED_API heed_tensor *heed_min_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* Returns the indices of the largest elements along an axis, i64; keepdim keeps the axis with size 1. No gradient.
 * Among equal elements it is the index of the first; if there is a NaN, the index of the first NaN. x is f32, f64 or
 * i64 (HEED_ERR_DTYPE). For the index among all elements, flatten x first: heed_argmax(heed_flatten(x, 0, -1), 0,
 * false).
 * Errors: HEED_ERR_SHAPE if the axis is empty or x lacks it.
 * torch: torch.argmax   numpy: numpy.argmax */
HEED_API heed_tensor *heed_argmax(heed_tensor *x, int axis, bool keepdim);

/* Returns the indices of the smallest elements along an axis, i64; keepdim keeps the axis with size 1. No gradient.
 * Among equal elements it is the index of the first; if there is a NaN, the index of the first NaN. x is f32, f64 or
 * i64 (HEED_ERR_DTYPE).
 * Errors: HEED_ERR_SHAPE if the axis is empty or x lacks it.
 * torch: torch.argmin   numpy: numpy.argmin */
HEED_API heed_tensor *heed_argmin(heed_tensor *x, int axis, bool keepdim);

/* -- Median and quantiles ------------------------------------------------------------------------------------------ */

/* Returns the median along an axis: element (n - 1) / 2, rounded down, of the n elements in ascending order. For even
 * n it is the lower of the two middle elements, as in PyTorch; heed_quantile gives their mean.  dx = g at the index of
 * the median. The median of a row with NaN is its first NaN. keepdim keeps the axis with size 1. x is f32, f64 or i64.
 * *indices, unless NULL, receives the indices of the medians, i64, and NULL on failure. Among equal elements, the index
 * is the one that a stable sort brings to the middle.
 * Errors: HEED_ERR_SHAPE if the axis is empty or x lacks it; HEED_ERR_DTYPE for bool.
 * torch: torch.median */
HEED_API heed_tensor *heed_median(heed_tensor *x, int axis, bool keepdim, heed_tensor **indices);

/* The number that heed_quantile returns for a rank r between two elements of a sorted row: a point on the line through
 * both (LINEAR), the LOWER element, the HIGHER element, their mean (MIDPOINT), or the nearer element, which in the
 * middle is the element of even rank (NEAREST). */
typedef enum heed_quantile_interpolation {
    HEED_QUANTILE_LINEAR = 0,
    HEED_QUANTILE_LOWER,
    HEED_QUANTILE_HIGHER,
    HEED_QUANTILE_MIDPOINT,
    HEED_QUANTILE_NEAREST,
} heed_quantile_interpolation;

/* Computes quantiles along an axis: the element of rank r = q (n - 1), counted from 0, of the n elements in ascending
 * order; between two elements, `interpolation` decides.  dx = g at the elements of the result, with their weights;
 * dq = g (n - 1) times the difference of the two elements for HEED_QUANTILE_LINEAR, else 0.
 *
 * q holds numbers from 0 to 1, in the dtype of x, f32 or f64. For a scalar q the result lacks the axis, or has it with
 * size 1 if keepdim. For q (k) the result has k such quantiles on a new first axis: x (2, 3) and q (4) along axis 1
 * give (4, 2). All quantiles of a row with NaN are NaN. A quantile between an infinite element and a different one may
 * be NaN too, as in PyTorch.
 *
 * Errors: HEED_ERR_ARGUMENT if a q is NaN or outside 0 .. 1, and for an unknown interpolation; HEED_ERR_SHAPE if the
 * axis is empty or x lacks it, unless q has rank 0 or 1, and if the result would have rank 9; HEED_ERR_DTYPE.
 * torch: torch.quantile   numpy: numpy.quantile */
HEED_API heed_tensor *heed_quantile(heed_tensor *x, heed_tensor *q, int axis, bool keepdim,
                                    heed_quantile_interpolation interpolation);

/* -- Expert calls: the reverse of a broadcast ---------------------------------------------------------------------- */

/* Sums x, f32 or f64, down to a shape that broadcasts to the shape of x: the adjoint of heed_expand.  dx = expand(g).
 * Returns x itself if it already has that shape.
 * Errors: HEED_ERR_SHAPE unless `shape` broadcasts to the shape of x; HEED_ERR_DTYPE.
 * torch: torch.Tensor.sum_to_size */
HEED_API heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape);

HEED_END_DECLS

#endif
