/* heed/ops/shape.h - ops that change shapes. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_SHAPE_H
#define HEED_OPS_SHAPE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* The same elements, row-major, as another shape; one dim may be -1 and is worked out. A copy when x's layout does not
 * allow a view. HEED_ERR_SHAPE when the number of elements differs. */
HEED_API heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape);

/* Swaps two axes. */
HEED_API heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b);

/* Axis i of the result is axis order.dims[i] of x; order names each axis once. */
HEED_API heed_tensor *heed_permute(heed_tensor *x, heed_shape order);

/* Removes an axis of size 1; HEED_ERR_SHAPE when its size is not 1. */
HEED_API heed_tensor *heed_squeeze(heed_tensor *x, int axis);

/* Inserts an axis of size 1 before `axis`; -1 appends. HEED_ERR_SHAPE at rank 8. */
HEED_API heed_tensor *heed_unsqueeze(heed_tensor *x, int axis);

/* Broadcasts to `shape` without copying (stride 0).  dx = sum_to(g) */
HEED_API heed_tensor *heed_expand(heed_tensor *x, heed_shape shape);

/* x[start:stop:step] on one axis, by Python's rules: negative start and stop count from the end, both are clipped.
 * HEED_ERR_ARGUMENT unless step >= 1. Up to the end: HEED_END. */
#define HEED_END INT64_MAX
HEED_API heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step);

/* Zeros of size `size` on `axis`, with x at start, start + step, ...: the adjoint of heed_slice; a copy.
 * HEED_ERR_INDEX when x does not fit. */
HEED_API heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size);

/* x[..., index, ...] without the axis; -1 is the last. HEED_ERR_INDEX for an index outside. */
HEED_API heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index);

/* The tensors one after another on an existing axis, or on a new one; copies: heed_concat(HEED_TENSORS(x, y), axis).
 * All of one dtype, and of one shape but for the axis. HEED_ERR_ARGUMENT unless n >= 1. */
HEED_API heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis);
HEED_API heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis);

/* Each element of the axis `repeats` times in a row: [a b] -> [a a b b]; a copy. HEED_ERR_ARGUMENT for repeats < 0. */
HEED_API heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats);

/* The whole tensor repeats.dims[i] times on axis i, as NumPy's tile: [a b] -> [a b a b]; a copy. Shorter of the two
 * ranks is filled with ones in front. HEED_ERR_ARGUMENT for a number of times below 0. */
HEED_API heed_tensor *heed_tile(heed_tensor *x, heed_shape repeats);

/* Reverses the axes given, HEED_ALL_AXES for all. */
HEED_API heed_tensor *heed_flip(heed_tensor *x, heed_shape axes);

HEED_END_DECLS

#endif
