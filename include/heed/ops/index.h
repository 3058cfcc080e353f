/* heed/ops/index.h - order and indices. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_INDEX_H
#define HEED_OPS_INDEX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Ascending along the last axis, stable, NaN last (descending: first).  The gradient goes back to where each value came
 * from. heed_sort_axis also gives the indices (i64), unless `indices` is NULL. HEED_ERR_DTYPE for bool, HEED_ERR_SHAPE
 * for a scalar. */
HEED_API heed_tensor *heed_sort(heed_tensor *x);
HEED_API heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices);

/* y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on. index is i64 of x's rank and is no
 * larger than x on the other axes. HEED_ERR_INDEX for an index outside; negative ones are outside.
 * HEED_ERR_SHAPE when the shapes do not fit. */
HEED_API heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index);

/* Zeros of that shape, to which src is added at index: the adjoint of heed_gather. index is shaped like src. */
HEED_API heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape);

/* The slices of x at index (i64, rank 1) along axis.  Repeats are legal. */
HEED_API heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index);

/* Zeros of size `size` on `axis`, to which the slices of x are added at index: the adjoint of heed_index_select. */
HEED_API heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size);

/* Rows of weight (V, d) for indices i64 of any shape (...): (..., d). */
HEED_API heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight);

/* i64 (...) -> dtype (..., classes), 1 at the index and 0 elsewhere. No gradient. */
HEED_API heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype);

HEED_END_DECLS

#endif
