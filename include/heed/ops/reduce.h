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

/* The sum of all elements, a scalar; of nothing 0.  dx = g, expanded. Of i64 the sum is i64, modulo 2^64, as in PyTorch;
 * of bool it is i64, too: how many are true. Neither has a gradient.
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

/* -- Extremes ------------------------------------------------------------------------------------------------------ */

/* The largest element, a scalar; NaN if there is one.  dx = g, shared evenly by equal largest elements. x is f32, f64
 * or i64 (HEED_ERR_DTYPE). HEED_ERR_SHAPE for the max of nothing. Of two tensors: heed_maximum.
 * torch: torch.max   numpy: numpy.max */
HEED_API heed_tensor *heed_max(heed_tensor *x);

/* The largest elements over some axes of x, f32, f64 or i64, which keepdim leaves as size 1; NaN where there is one.  dx =
 * g, shared evenly by equal largest elements. HEED_ERR_SHAPE for the max of nothing, or an axis that is not there or is
 * given twice; HEED_ERR_DTYPE.
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

/* -- Back from a broadcast ----------------------------------------------------------------------------------------- */

/* x, f32 or f64, summed down to a shape that broadcasts to x's: the adjoint of heed_expand.  dx = expand(g). x itself
 * when it has that shape. HEED_ERR_SHAPE unless `shape` broadcasts to x's; HEED_ERR_DTYPE.
 * torch: torch.Tensor.sum_to_size */
HEED_API heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape);

HEED_END_DECLS

#endif
