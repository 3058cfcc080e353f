/* heed/ops/index.h - sorting and indexing. The rules in heed/ops.h hold here too.
 *
 * Indices are i64 (HEED_ERR_DTYPE) and count from 0; a negative index is out of range (HEED_ERR_INDEX; the message
 * names its position).
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_INDEX_H
#define HEED_OPS_INDEX_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Order --------------------------------------------------------------------------------------------------------- */

/* Sorts x (..., n) in ascending order along its last axis, stably, with NaN last. x is f32, f64 or i64. The gradient
 * goes back to the element that each value came from.
 * Errors: HEED_ERR_SHAPE for a scalar; HEED_ERR_DTYPE for bool.
 * torch: torch.sort   numpy: numpy.sort */
HEED_API heed_tensor *heed_sort(heed_tensor *x);

/* Sorts x along `axis`, ascending with NaN last or descending with NaN first; both are stable. x is f32, f64 or i64.
 * *indices, unless NULL, receives the original indices of the values, i64 of the shape of x, and NULL on failure. The
 * gradient goes back to these indices.
 * Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis; HEED_ERR_DTYPE for bool.
 * torch: torch.sort, torch.argsort   numpy: numpy.sort, numpy.argsort */
HEED_API heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices);

/* Returns the indices that sort x along the axis, as *indices of heed_sort_axis: i64 of the shape of x. No gradient.
 * Errors: HEED_ERR_SHAPE for a scalar or if x lacks the axis; HEED_ERR_DTYPE for bool.
 * torch: torch.argsort   numpy: numpy.argsort */
HEED_API heed_tensor *heed_argsort(heed_tensor *x, int axis, bool descending);

/* Returns the k largest elements along the axis, largest first, or the k smallest, smallest first. The order is the
 * order of heed_sort_axis: NaN is the largest, and equal elements keep their order. *indices, unless NULL, receives the
 * original indices, i64, and NULL on failure. The gradient goes back to these indices.
 * Errors: HEED_ERR_ARGUMENT unless k is between 0 and the size of the axis; HEED_ERR_SHAPE, HEED_ERR_DTYPE as in
 * heed_sort_axis.
 * torch: torch.topk */
HEED_API heed_tensor *heed_topk(heed_tensor *x, int axis, int64_t k, bool largest, heed_tensor **indices);

/* Returns the distinct elements of x in ascending order, (m). No gradient. x has any dtype and shape. Every NaN is
 * distinct, and NaN is last. *inverse, unless NULL, receives the index in the result of every element of x, i64 of the
 * shape of x. *counts, unless NULL, receives the number of occurrences, i64 (m). Both are NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.unique   numpy: numpy.unique */
HEED_API heed_tensor *heed_unique(heed_tensor *x, heed_tensor **inverse, heed_tensor **counts);

/* Returns the first index of the ascending row `sorted` at which every value can be inserted, or with `right` the last.
 * No gradient. The index is the number of elements below the value, or with `right` the number of elements not above
 * it: i64 of the shape of `values`. If `sorted` is a vector, it is used for all values; otherwise `sorted` (..., n) has
 * a row for every row of `values` (..., m). NaN is above every number. `sorted` and `values` are both f32, both f64 or
 * both i64 (HEED_ERR_DTYPE).
 * Errors: HEED_ERR_SHAPE for a scalar `sorted`, and unless the leading axes are the same.
 * torch: torch.searchsorted   numpy: numpy.searchsorted */
HEED_API heed_tensor *heed_searchsorted(heed_tensor *sorted, heed_tensor *values, bool right);

/* Counts how often 0, 1, ... occur in x, i64 of rank 1; with weights, shaped like x, sums the weights instead.
 * dweights = g at x. The counts are i64, the sums have the dtype of the weights. The result is long enough for the
 * largest element of x, and at least min_length long.
 * Errors: HEED_ERR_INDEX for a negative element; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for min_length < 0.
 * torch: torch.bincount   numpy: numpy.bincount */
HEED_API heed_tensor *heed_bincount(heed_tensor *x, heed_tensor *weights, int64_t min_length);

/* -- By a mask ----------------------------------------------------------------------------------------------------- */

/* Replaces the elements of x, f32, f64 or i64, where the mask, bool, is true by `value`; the mask broadcasts to x.
 * dx = g, exactly 0 where the mask is true, whatever g is there.
 * Errors: HEED_ERR_SHAPE unless the mask broadcasts to the shape of x; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT if x is i64,
 * unless the value is a whole number that i64 holds.
 * torch: torch.masked_fill */
HEED_API heed_tensor *heed_masked_fill(heed_tensor *x, heed_tensor *mask, double value);

/* Returns the positions of the nonzero or true elements of x, of any dtype, in row-major order: i64 (m, rank) for m
 * such elements, a row per element. NaN counts as nonzero. No gradient. For a vector x, heed_flatten of the result is
 * the list of indices for heed_index_select.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.nonzero   numpy: numpy.argwhere */
HEED_API heed_tensor *heed_nonzero(heed_tensor *x);

/* Returns the elements of x where the mask, bool, is true, in row-major order: (m) for m true elements. x, of any
 * dtype, and the mask broadcast.  dx = g at the selected elements, 0 elsewhere. The shape depends on the numbers in the
 * mask: heed_where and heed_masked_fill keep the shape.
 * Errors: HEED_ERR_SHAPE unless the shapes broadcast; HEED_ERR_DTYPE unless the mask is bool.
 * torch: torch.masked_select   numpy: numpy.extract */
HEED_API heed_tensor *heed_masked_select(heed_tensor *x, heed_tensor *mask);

/* -- One index per element ----------------------------------------------------------------------------------------- */

/* Gathers elements of x by index: y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on.
 * dx = scatter_sum(g). index is i64, has the rank of x, and is no larger than x on all axes except `axis`. y has the
 * shape of index. x has any dtype.
 * Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE if the shapes do not fit.
 * torch: torch.gather   numpy: numpy.take_along_axis */
HEED_API heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index);

/* Adds the elements of src into zeros of `shape` by index: y[index[i, j], j] += src[i, j] for axis 0, and so on.
 * dsrc = gather(g, index). It is the adjoint of heed_gather. index is i64 and has the shape of src; src is not bool.
 * PyTorch and NumPy add to a given tensor: use heed_add for that.
 * Errors: HEED_ERR_INDEX for an index out of range; HEED_ERR_SHAPE if the shapes do not fit.
 * torch: torch.scatter_add   numpy: numpy.add.at */
HEED_API heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape);

/* Returns x with elements replaced by src: y[index[i, j], j] = src[i, j] for axis 0, y[i, index[i, j]] = src[i, j] for
 * axis 1, and so on; x keeps its other elements.  dx = g, 0 at replaced elements; dsrc = gather(g, index), 0 for
 * elements that a later one replaces. If a position occurs more than once, the last element of src in row-major order
 * wins, for any number of threads; PyTorch leaves that open. index is i64, has the shape of src, and is at most as
 * large as x on all axes except `axis`. x and src have one dtype, any. x itself is unchanged.
 * Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE if the shapes do not fit;
 * HEED_ERR_DTYPE.
 * torch: torch.scatter   numpy: numpy.put_along_axis */
HEED_API heed_tensor *heed_scatter(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src);

/* -- One index per slice ------------------------------------------------------------------------------------------- */

/* Selects the slices of x at index (n), i64, along `axis`: x (A, B, C) gives (A, n, C) for axis 1.  dx = index_sum(g).
 * Indices may repeat; x has any dtype.
 * Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE unless index has rank 1.
 * torch: torch.index_select   numpy: numpy.take */
HEED_API heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index);

/* Adds the n slices of x along `axis` into zeros of size `size` at index (n), i64: the adjoint of heed_index_select.
 * dx = index_select(g, index). x is not bool.
 * Errors: HEED_ERR_INDEX for an index outside 0 .. size - 1; HEED_ERR_SHAPE if the shapes do not fit.
 * torch: torch.index_add   numpy: numpy.add.at */
HEED_API heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size);

/* Returns x with slices replaced by src: slice index[j] of x along `axis` becomes slice j of src. x (A, B, C) and
 * index (n) on axis 1 need src (A, n, C).  dx = g, 0 in replaced slices; dsrc = index_select(g, index), 0 for slices
 * that a later one replaces. If an index occurs more than once, the last slice of src wins, for any number of threads;
 * PyTorch leaves that open. x and src have one dtype, any. x itself is unchanged.
 * Errors: HEED_ERR_INDEX for an index out of range, also a negative one; HEED_ERR_SHAPE if the shapes do not fit;
 * HEED_ERR_DTYPE.
 * torch: torch.index_copy */
HEED_API heed_tensor *heed_index_copy(heed_tensor *x, int axis, heed_tensor *index, heed_tensor *src);

/* -- Classes and words --------------------------------------------------------------------------------------------- */

/* Looks up rows of weight (V, d) by indices of any shape (...), i64: the result is (..., d).  dweight: the sum of g
 * over all occurrences of a row.
 * Errors: HEED_ERR_INDEX for an index outside 0 .. V - 1; HEED_ERR_SHAPE unless weight has rank 2.
 * torch: torch.nn.functional.embedding   numpy: numpy.take */
HEED_API heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight);

/* Looks up rows of weight as heed_embedding does, but the row padding_idx, which stands for padding, gets no gradient.
 * A negative padding_idx counts from the last row: -1 is row V - 1.  dweight: as in heed_embedding, and 0 for the row.
 * Errors: HEED_ERR_INDEX for a padding_idx outside -V .. V - 1, and as heed_embedding.
 * torch: torch.nn.functional.embedding */
HEED_API heed_tensor *heed_embedding_padded(heed_tensor *indices, heed_tensor *weight, int64_t padding_idx);

/* Encodes indices (...), i64, as one-hot vectors (..., classes) of `dtype`: 1 at the index and 0 elsewhere. No
 * gradient.
 * Errors: HEED_ERR_INDEX for an index outside 0 .. classes - 1; HEED_ERR_ARGUMENT for classes < 0.
 * torch: torch.nn.functional.one_hot */
HEED_API heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype);

HEED_END_DECLS

#endif
