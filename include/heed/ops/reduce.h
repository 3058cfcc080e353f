/* heed/ops/reduce.h - reductions. What heed/ops.h says of all ops holds here.
 *
 * Over the axes given, HEED_ALL_AXES for all; each axis at most once. keepdim leaves them as size 1. The short forms
 * reduce everything to a scalar.
 */
#ifndef HEED_OPS_REDUCE_H
#define HEED_OPS_REDUCE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Sums in fixed blocks: the same bits for any number of threads. dx = g, expanded. The sum of nothing is 0. */
HEED_API heed_tensor *heed_sum(heed_tensor *x);
HEED_API heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* sum / n; of nothing NaN.  dx = g / n */
HEED_API heed_tensor *heed_mean(heed_tensor *x);
HEED_API heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* The largest and smallest element; NaN if there is one. dx = g, shared evenly by equal largest elements.
 * HEED_ERR_SHAPE for the max of nothing. */
HEED_API heed_tensor *heed_max(heed_tensor *x);
HEED_API heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim);
HEED_API heed_tensor *heed_min(heed_tensor *x);
HEED_API heed_tensor *heed_min_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* i64: the index of the first largest element (of the first NaN, if any); heed_argmax in the flattened tensor. No
 * gradient. Takes i64 too. HEED_ERR_SHAPE for the argmax of nothing. */
HEED_API heed_tensor *heed_argmax(heed_tensor *x);
HEED_API heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim);

/* Sums x down to a shape that broadcasts to x's: the adjoint of heed_expand, and the other way round. x itself when it
 * has that shape. */
HEED_API heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape);

HEED_END_DECLS

#endif
