/* heed/ops/index.h - order and indices. What heed/ops.h says of all ops holds here.
 *
 * Indices are i64 (HEED_ERR_DTYPE) and count from 0; a negative one is outside (HEED_ERR_INDEX, with its place).
 */
#ifndef HEED_OPS_INDEX_H
#define HEED_OPS_INDEX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Order --------------------------------------------------------------------------------------------------------- */

/* x (..., n) in ascending order along its last axis: stable, NaN last. f32, f64 or i64.  The gradient goes back to
 * where each value came from. HEED_ERR_SHAPE for a scalar, HEED_ERR_DTYPE for bool.
 * torch: torch.sort   numpy: numpy.sort */
HEED_API heed_tensor *heed_sort(heed_tensor *x);

/* x in order along `axis`, ascending with NaN last or descending with NaN first; stable both ways. f32, f64 or i64.
 * *indices, unless NULL, receives where each value came from: i64, of x's shape, NULL on failure.  The gradient goes
 * back there. HEED_ERR_SHAPE for a scalar or an axis that is not there, HEED_ERR_DTYPE for bool.
 * torch: torch.sort, torch.argsort   numpy: numpy.sort, numpy.argsort */
HEED_API heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices);

/* Where the elements of x are in order along the axis: the indices of heed_sort_axis. i64, of x's shape. No gradient.
 * HEED_ERR_SHAPE for a scalar or an axis that is not there, HEED_ERR_DTYPE for bool.
 * torch: torch.argsort   numpy: numpy.argsort */
HEED_API heed_tensor *heed_argsort(heed_tensor *x, int axis, bool descending);

/* The k largest elements along the axis, the largest first, or the k smallest, the smallest first: as heed_sort_axis
 * has them, so NaN is the largest and of equals the first counts. *indices, unless NULL, receives where each came from:
 * i64, NULL on failure.  The gradient goes back there. HEED_ERR_ARGUMENT unless k is in 0 .. the axis's size;
 * HEED_ERR_SHAPE, HEED_ERR_DTYPE as there.
 * torch: torch.topk */
HEED_API heed_tensor *heed_topk(heed_tensor *x, int axis, int64_t k, bool largest, heed_tensor **indices);

/* The different elements of x in ascending order, (m); of any dtype and shape. Each NaN is one of its own, last.
 * *inverse, unless NULL, receives for each element of x which of them it is, i64 of x's shape; *counts, unless NULL,
 * how often each comes, i64 (m). Both are NULL on failure. No gradient.
 * torch: torch.unique   numpy: numpy.unique */
HEED_API heed_tensor *heed_unique(heed_tensor *x, heed_tensor **inverse, heed_tensor **counts);

/* How many elements of the row `sorted`, ascending, are below each value: the first place where the value can be put
 * in; with `right` how many are not above it, the last such place. i64 of the values' shape. A vector is the row of all
 * values; (..., n) are the rows of values (..., m). NaN is above every number. No gradient. f32, f64 or i64, both alike
 * (HEED_ERR_DTYPE); HEED_ERR_SHAPE for a scalar `sorted`, and unless the leading axes are the same.
 * torch: torch.searchsorted   numpy: numpy.searchsorted */
HEED_API heed_tensor *heed_searchsorted(heed_tensor *sorted, heed_tensor *values, bool right);

/* How often each of 0, 1, ... comes in x, i64 of rank 1: i64 as long as x's largest element asks for, and at least
 * min_length; with weights, shaped like x, the sums of those, in their dtype.  dweights = g at x. HEED_ERR_INDEX for a
 * negative element; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for min_length < 0.
 * torch: torch.bincount   numpy: numpy.bincount */
HEED_API heed_tensor *heed_bincount(heed_tensor *x, heed_tensor *weights, int64_t min_length);

/* -- By a mask ----------------------------------------------------------------------------------------------------- */

/* x, f32, f64 or i64, with `value` where the mask, bool, is true; the mask broadcasts to x.  dx = g, exactly 0 where
 * the mask is true, whatever g is there. HEED_ERR_SHAPE unless the mask broadcasts to x's shape; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT for a value that is no whole number that i64 holds, where x is i64.
 * torch: torch.masked_fill */
HEED_API heed_tensor *heed_masked_fill(heed_tensor *x, heed_tensor *mask, double value);

/* -- One index for each element ------------------------------------------------------------------------------------ */

/* y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on: y is shaped like index, which is i64
 * of x's rank and no larger than x on the other axes. x of any dtype.  dx = scatter_sum(g). HEED_ERR_INDEX for an index
 * outside, negative ones too; HEED_ERR_SHAPE when the shapes do not fit.
 * torch: torch.gather   numpy: numpy.take_along_axis */
HEED_API heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index);

/* y = zeros of `shape`, then y[index[i, j], j] += src[i, j] for axis 0, and so on: the adjoint of heed_gather. index is
 * i64, shaped like src; src is not bool.  dsrc = gather(g, index). HEED_ERR_INDEX for an index outside; HEED_ERR_SHAPE
 * when the shapes do not fit. PyTorch's and NumPy's add to a tensor that is given: heed_add does that.
 * torch: torch.scatter_add   numpy: numpy.add.at */
HEED_API heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape);

/* -- One index for each slice -------------------------------------------------------------------------------------- */

/* The slices of x at index (n), i64, along `axis`: x (A, B, C) gives (A, n, C) for axis 1. Repeats are legal; x of any
 * dtype.  dx = index_sum(g). HEED_ERR_INDEX for an index outside, negative ones too; HEED_ERR_SHAPE unless index has
 * rank 1.
 * torch: torch.index_select   numpy: numpy.take */
HEED_API heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index);

/* Zeros of size `size` on `axis`, to which the slices of x are added at index (n), i64, with n the size of x there: the
 * adjoint of heed_index_select. x is not bool.  dx = index_select(g, index). HEED_ERR_INDEX for an index outside
 * 0 .. size - 1; HEED_ERR_SHAPE when the shapes do not fit.
 * torch: torch.index_add   numpy: numpy.add.at */
HEED_API heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size);

/* -- Classes and words --------------------------------------------------------------------------------------------- */

/* Rows of weight (V, d) for indices of any shape (...), i64: (..., d).  dweight: the sum of the g of each row's places.
 * HEED_ERR_INDEX for an index outside 0 .. V - 1; HEED_ERR_SHAPE unless weight has rank 2.
 * torch: torch.nn.functional.embedding   numpy: numpy.take */
HEED_API heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight);

/* indices (...), i64 -> (..., classes) of `dtype`: 1 at the index and 0 elsewhere. No gradient. HEED_ERR_INDEX for an
 * index outside 0 .. classes - 1; HEED_ERR_ARGUMENT for classes < 0.
 * torch: torch.nn.functional.one_hot */
HEED_API heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype);

HEED_END_DECLS

#endif
