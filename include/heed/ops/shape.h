/* heed/ops/shape.h - ops that change shapes. What heed/ops.h says of all ops holds here.
 *
 * All take any dtype. Views share the elements of x and copy nothing; the gradient of f32 and f64 goes back to where
 * each element came from.
 */
#ifndef HEED_OPS_SHAPE_H
#define HEED_OPS_SHAPE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- The same elements, in another shape --------------------------------------------------------------------------- */

/* The elements of x, row-major, as `shape`; one dim may be -1 and is worked out: x (2, 6) as HEED_SHAPE(-1, 4) is (3,
 * 4). A view, or a copy where x's layout does not allow one.  dx = g, reshaped. HEED_ERR_SHAPE when the number of
 * elements differs.
 * torch: torch.reshape   numpy: numpy.reshape */
HEED_API heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape);

/* A view with two axes swapped: x (2, 3, 4) with axes 0 and -1 gives (4, 3, 2).  dx = g, swapped back. HEED_ERR_SHAPE
 * for an axis that is not there.
 * torch: torch.transpose   numpy: numpy.swapaxes */
HEED_API heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b);

/* A view whose axis i is axis order.dims[i] of x: x (2, 3, 4) in the order HEED_AXES(2, 0, 1) is (4, 2, 3).  dx = g,
 * permuted back. HEED_ERR_SHAPE unless the order names each axis once.
 * torch: torch.permute   numpy: numpy.transpose */
HEED_API heed_tensor *heed_permute(heed_tensor *x, heed_shape order);

/* A view without an axis of size 1: x (2, 1, 3) without axis 1 is (2, 3).  dx = g, reshaped. HEED_ERR_SHAPE when its
 * size is not 1, or when it is not there.
 * torch: torch.squeeze   numpy: numpy.squeeze */
HEED_API heed_tensor *heed_squeeze(heed_tensor *x, int axis);

/* A view with an axis of size 1 more, before `axis`; -1 appends: x (2, 3) at 1 is (2, 1, 3).  dx = g, reshaped.
 * HEED_ERR_SHAPE at rank 8, the greatest there is.
 * torch: torch.unsqueeze   numpy: numpy.expand_dims */
HEED_API heed_tensor *heed_unsqueeze(heed_tensor *x, int axis);

/* x with the axes start_axis .. end_axis as one: x (2, 3, 4) from 1 to -1 is (2, 12). A view where x is contiguous; a
 * scalar becomes (1).  dx = g, reshaped. HEED_ERR_SHAPE for axes that are not there, or an end before the start.
 * torch: torch.flatten */
HEED_API heed_tensor *heed_flatten(heed_tensor *x, int start_axis, int end_axis);

/* A view of x broadcast to `shape`, with stride 0: x (3, 1) is (2, 3, 4) by HEED_SHAPE(2, 3, 4). Not to be written to.
 * dx = heed_sum_to(g). HEED_ERR_SHAPE unless x broadcasts to the shape.
 * torch: torch.Tensor.expand   numpy: numpy.broadcast_to */
HEED_API heed_tensor *heed_expand(heed_tensor *x, heed_shape shape);

/* -- Parts --------------------------------------------------------------------------------------------------------- */

/* For heed_slice: up to the end. */
#define HEED_END INT64_MAX

/* A view, x[start:stop:step] on one axis by Python's rules: negative start and stop count from the end, both are
 * clipped, and HEED_END is the end.  dx = heed_unslice(g). HEED_ERR_ARGUMENT unless step >= 1; HEED_ERR_SHAPE for an
 * axis that is not there.
 * torch: torch.narrow */
HEED_API heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step);

/* Zeros of size `size` on `axis`, with the slices of x at start, start + step, ...: the adjoint of heed_slice, a copy.
 * dx = g, sliced. HEED_ERR_INDEX when x does not fit; HEED_ERR_ARGUMENT unless step >= 1.
 * torch: torch.slice_scatter */
HEED_API heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size);

/* A view, x[..., index, ...] without the axis: x (2, 3, 4) at axis 1 is (2, 4); index -1 is the last.  dx = g there, 0
 * elsewhere. HEED_ERR_INDEX for an index outside; HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.select   numpy: numpy.take */
HEED_API heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index);

/* A view of a diagonal of two axes, which comes last: x (2, 3, 3) with axes 1 and 2 gives (2, 3), x[b, i, i + offset].
 * A negative offset is below the main diagonal; one that is outside gives no elements.  dx = g there, 0 elsewhere.
 * HEED_ERR_SHAPE for an axis that is not there, or twice the same.
 * torch: torch.diagonal   numpy: numpy.diagonal */
HEED_API heed_tensor *heed_diagonal(heed_tensor *x, int64_t offset, int axis_a, int axis_b);

/* Of a vector x (n) the matrix with x on that diagonal and 0 elsewhere, (n + |offset|, n + |offset|); of a matrix that
 * diagonal, a view.  dx = g there. HEED_ERR_SHAPE for another rank.
 * torch: torch.diag   numpy: numpy.diag */
HEED_API heed_tensor *heed_diag(heed_tensor *x, int64_t offset);

/* The lower triangle of each matrix of x (..., n, m): x where column - row <= diagonal, 0 above.  dx = tril(g).
 * heed_tril of ones, bool, is the mask of causal attention. HEED_ERR_SHAPE below rank 2.
 * torch: torch.tril   numpy: numpy.tril */
HEED_API heed_tensor *heed_tril(heed_tensor *x, int64_t diagonal);

/* The upper triangle of each matrix of x (..., n, m): x where column - row >= diagonal, 0 below.  dx = triu(g).
 * HEED_ERR_SHAPE below rank 2.
 * torch: torch.triu   numpy: numpy.triu */
HEED_API heed_tensor *heed_triu(heed_tensor *x, int64_t diagonal);

/* -- Several parts: views ---------------------------------------------------------------------------------------------
 * They are written to parts, whose length n must be their number: so what a program expects is checked. Of each, dx is
 * g where the part was. On failure every part is NULL; where n, or another argument, is wrong none is written. */

/* Views of x one after another on the axis, each `size` long but the last, which has what is left: x (7, 2) by 3 on
 * axis 0 gives (3, 2), (3, 2) and (1, 2).  dx = g there. HEED_ERR_ARGUMENT unless size >= 1 and n is the number of
 * parts; HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.split */
HEED_API heed_status heed_split(heed_tensor *x, int axis, int64_t size, heed_tensor **parts, int n);

/* Views of x one after another on the axis, as long as sizes[0] ... sizes[n - 1] say.  dx = g there. HEED_ERR_SHAPE
 * unless the sizes add up to the axis; HEED_ERR_ARGUMENT for a negative one.
 * torch: torch.split   numpy: numpy.split */
HEED_API heed_status heed_split_sizes(heed_tensor *x, int axis, const int64_t *sizes, heed_tensor **parts, int n);

/* n views of x one after another on the axis, each ceil(size / n) long but the last, which has what is left: x (7, 2)
 * in 3 on axis 0 gives (3, 2), (3, 2) and (1, 2).  dx = g there. HEED_ERR_ARGUMENT where that makes fewer than n: 5
 * elements make 3 parts of 2, 2 and 1, and none in 4.
 * torch: torch.chunk */
HEED_API heed_status heed_chunk(heed_tensor *x, int axis, heed_tensor **parts, int n);

/* The n views x[..., i, ...] of an axis of n elements, without the axis: x (2, 3) by axis 0 gives two (3).  dx = g
 * there. HEED_ERR_ARGUMENT unless n is the size of the axis.
 * torch: torch.unbind */
HEED_API heed_status heed_unbind(heed_tensor *x, int axis, heed_tensor **parts, int n);

/* Of n vectors of n_0, n_1, ... elements n views (n_0, n_1, ...), written to grids: grids[i] varies on axis i only, as
 * vectors[i].  dx = g, summed over the other axes. PyTorch's and NumPy's indexing="ij". HEED_ERR_SHAPE unless all are
 * of rank 1; HEED_ERR_ARGUMENT unless n is 1 to 8.
 * torch: torch.meshgrid   numpy: numpy.meshgrid */
HEED_API heed_status heed_meshgrid(heed_tensor *const *vectors, int n, heed_tensor **grids);

/* -- Joined, repeated and padded: copies --------------------------------------------------------------------------- */

/* The tensors one after another on an axis that they have: heed_concat(HEED_TENSORS(x, y), 0) of (2, 3) and (4, 3) is
 * (6, 3).  Each gets its part of g. HEED_ERR_SHAPE unless their shapes agree but for the axis; HEED_ERR_DTYPE unless
 * they have one dtype; HEED_ERR_ARGUMENT unless n >= 1.
 * torch: torch.cat   numpy: numpy.concatenate */
HEED_API heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis);

/* The tensors one after another on a new axis: heed_stack(HEED_TENSORS(x, y), 0) of two (3) is (2, 3).  Each gets its
 * part of g. HEED_ERR_SHAPE unless they have one shape, of rank 7 at most; HEED_ERR_DTYPE unless they have one dtype;
 * HEED_ERR_ARGUMENT unless n >= 1.
 * torch: torch.stack   numpy: numpy.stack */
HEED_API heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis);

/* Each element of the axis `repeats` times in a row: [a b] twice is [a a b b].  dx = the sum of g over the copies.
 * HEED_ERR_ARGUMENT for repeats < 0; HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.repeat_interleave   numpy: numpy.repeat */
HEED_API heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats);

/* The whole tensor repeats.dims[i] times on axis i: [a b] twice is [a b a b]. The shorter of the two ranks is filled
 * with ones in front.  dx = the sum of g over the copies. HEED_ERR_ARGUMENT for a number of times below 0.
 * torch: torch.tile   numpy: numpy.tile */
HEED_API heed_tensor *heed_tile(heed_tensor *x, heed_shape repeats);

/* x with the elements of the listed axes in reverse order.  dx = g, flipped. An empty list flips nothing, as in
 * PyTorch; so does HEED_ALL_AXES, which is the empty list: list every axis to flip all. HEED_ERR_SHAPE if x lacks an
 * axis or an axis is listed twice.
 * torch: torch.flip   numpy: numpy.flip */
HEED_API heed_tensor *heed_flip(heed_tensor *x, heed_shape axes);

/* x, moved by `shift` elements along the axis; what leaves at its end comes in at its beginning: [a b c] by 1 is [c a
 * b]. dx = g, moved back. HEED_ERR_SHAPE for an axis that is not there.
 * torch: torch.roll   numpy: numpy.roll */
HEED_API heed_tensor *heed_roll(heed_tensor *x, int axis, int64_t shift);

/* What stands where heed_pad adds elements: a value; or, of [a b c] with 2 on both sides, x mirrored, [c b a b c b a];
 * its ends, [a a a b c c c]; x again, [b c a b c a b]. */
typedef enum heed_pad_mode {
    HEED_PAD_CONSTANT = 0,
    HEED_PAD_REFLECT,
    HEED_PAD_REPLICATE,
    HEED_PAD_CIRCULAR,
} heed_pad_mode;

/* x with more elements before and behind its last axes, or fewer: pads are, as PyTorch has them, two numbers for the
 * last axis, two for the one before it, and so on; negative ones cut off.  dx = g where x is, and the sum over the
 * copies of each element. pads is a heed_shape of at most 8 numbers, so one call pads at most the last 4 axes;
 * transpose x to pad others. HEED_ERR_SHAPE unless there are two numbers for at most each axis, or where more is cut
 * off, or mirrored, than there is; HEED_ERR_ARGUMENT for another mode, and for a value but 0 where no constant is asked
 * for.
 * torch: torch.nn.functional.pad   numpy: numpy.pad */
HEED_API heed_tensor *heed_pad(heed_tensor *x, heed_shape pads, heed_pad_mode mode, double value);

HEED_END_DECLS

#endif
