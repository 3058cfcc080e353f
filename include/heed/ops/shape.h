/* heed/ops/shape.h - ops that change shapes. The rules in heed/ops.h hold here too.
 *
 * All accept any dtype. Views share the elements of x and copy nothing. The gradient of f32 and f64 goes back to the
 * element that each value came from.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_SHAPE_H
#define HEED_OPS_SHAPE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- The same elements in a different shape ------------------------------------------------------------------------ */

/* Returns the elements of x, row-major, in a new shape; one dim may be -1 and is computed: x (2, 6) as HEED_SHAPE(-1,
 * 4) is (3, 4).  dx = g, reshaped. The result is a view, or a copy if the layout of x does not allow a view.
 * Errors: HEED_ERR_SHAPE if the number of elements differs.
 * torch: torch.reshape   numpy: numpy.reshape */
HEED_API heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape);

/* Returns a view with two axes swapped: x (2, 3, 4) with axes 0 and -1 gives (4, 3, 2).  dx = g, swapped back.
 * Errors: HEED_ERR_SHAPE if x lacks an axis.
 * torch: torch.transpose   numpy: numpy.swapaxes */
HEED_API heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b);

/* Returns a view whose axis i is axis order.dims[i] of x: x (2, 3, 4) in the order HEED_AXES(2, 0, 1) is (4, 2, 3).
 * dx = g, permuted back.
 * Errors: HEED_ERR_SHAPE unless the order names every axis once.
 * torch: torch.permute   numpy: numpy.transpose */
HEED_API heed_tensor *heed_permute(heed_tensor *x, heed_shape order);

/* Returns a view with axes of x moved: axis source.dims[i] of x becomes axis destination.dims[i], and the other axes
 * keep their order. x (2, 3, 4) with HEED_AXES(0) moved to HEED_AXES(-1) is (3, 4, 2).  dx = g, moved back.
 * Errors: HEED_ERR_SHAPE if the lists differ in length, if x lacks an axis or an axis is given twice.
 * torch: torch.movedim   numpy: numpy.moveaxis */
HEED_API heed_tensor *heed_movedim(heed_tensor *x, heed_shape source, heed_shape destination);

/* Returns a view without an axis of size 1: x (2, 1, 3) without axis 1 is (2, 3).  dx = g, reshaped.
 * Errors: HEED_ERR_SHAPE if x lacks the axis or its size differs from 1.
 * torch: torch.squeeze   numpy: numpy.squeeze */
HEED_API heed_tensor *heed_squeeze(heed_tensor *x, int axis);

/* Returns a view with a new axis of size 1 before `axis`; -1 appends it: x (2, 3) at 1 is (2, 1, 3).  dx = g, reshaped.
 * Errors: HEED_ERR_SHAPE at rank 8, the largest supported rank.
 * torch: torch.unsqueeze   numpy: numpy.expand_dims */
HEED_API heed_tensor *heed_unsqueeze(heed_tensor *x, int axis);

/* Merges the axes start_axis .. end_axis of x into one: x (2, 3, 4) from 1 to -1 is (2, 12).  dx = g, reshaped. The
 * result is a view if x is contiguous. A scalar becomes (1).
 * Errors: HEED_ERR_SHAPE if x lacks an axis, or if the end is before the start.
 * torch: torch.flatten */
HEED_API heed_tensor *heed_flatten(heed_tensor *x, int start_axis, int end_axis);

/* Moves channels into planes: x (..., C r r, H, W) -> (..., C, H r, W r) with r = factor.  dx = g, moved back.
 *
 *     y[..., c, r i + a, r j + b] = x[..., r r c + r a + b, i, j]
 *
 * Errors: HEED_ERR_SHAPE unless x has three axes or more and its channels are a multiple of r r; HEED_ERR_ARGUMENT for
 * a factor below 1.
 * torch: torch.nn.functional.pixel_shuffle */
HEED_API heed_tensor *heed_pixel_shuffle(heed_tensor *x, int64_t factor);

/* Moves planes into channels, the reverse of heed_pixel_shuffle: x (..., C, H r, W r) -> (..., C r r, H, W) with
 * r = factor.  dx = g, moved back.
 * Errors: HEED_ERR_SHAPE unless x has three axes or more and both axes of its planes are multiples of r;
 * HEED_ERR_ARGUMENT for a factor below 1.
 * torch: torch.nn.functional.pixel_unshuffle */
HEED_API heed_tensor *heed_pixel_unshuffle(heed_tensor *x, int64_t factor);

/* Returns a view of x broadcast to `shape`, with stride 0: x (3, 1) becomes (2, 3, 4) by HEED_SHAPE(2, 3, 4).
 * dx = heed_sum_to(g). Do not write to the view.
 * Errors: HEED_ERR_SHAPE unless x broadcasts to the shape.
 * torch: torch.Tensor.expand   numpy: numpy.broadcast_to */
HEED_API heed_tensor *heed_expand(heed_tensor *x, heed_shape shape);

/* -- Parts --------------------------------------------------------------------------------------------------------- */

/* The stop of heed_slice that means the end of the axis. */
#define HEED_END INT64_MAX

/* Returns a view, x[start:stop:step] on one axis by Python's rules: negative start and stop count from the end, both
 * are clipped, and HEED_END is the end.  dx = heed_unslice(g).
 * Errors: HEED_ERR_ARGUMENT unless step >= 1; HEED_ERR_SHAPE if x lacks the axis. */
HEED_API heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step);

/* Returns a view of `length` elements from `start` on, x[start:start + length], on one axis. A negative start counts
 * from the end.  dx = heed_unslice(g). Unlike heed_slice, it does not clip: all elements must exist.
 * Errors: HEED_ERR_INDEX if the elements are not inside the axis; HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.narrow */
HEED_API heed_tensor *heed_narrow(heed_tensor *x, int axis, int64_t start, int64_t length);

/* Returns a view, x[..., index, ...], without the axis: x (2, 3, 4) at axis 1 is (2, 4); index -1 is the last.
 * dx = g at the index, 0 elsewhere.
 * Errors: HEED_ERR_INDEX if the index is out of range; HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.select   numpy: numpy.take */
HEED_API heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index);

/* Returns a view of the diagonal of two axes; the diagonal becomes the last axis: x (2, 3, 3) with axes 1 and 2 gives y
 * (2, 3), y[b, i] = x[b, i, i + offset].  dx = g on the diagonal, 0 elsewhere. A negative offset is below the main
 * diagonal; a diagonal outside x has no elements.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or the two axes are the same.
 * torch: torch.diagonal   numpy: numpy.diagonal */
HEED_API heed_tensor *heed_diagonal(heed_tensor *x, int64_t offset, int axis_a, int axis_b);

/* Makes a matrix with a given diagonal, or returns the diagonal of a matrix.  dx = g on the diagonal.
 * A vector x (n) becomes the matrix (n + |offset|, n + |offset|) with x on the diagonal and 0 elsewhere. For a matrix
 * the result is a view of the diagonal.
 * Errors: HEED_ERR_SHAPE for any other rank.
 * torch: torch.diag   numpy: numpy.diag */
HEED_API heed_tensor *heed_diag(heed_tensor *x, int64_t offset);

/* Returns the lower triangle of every matrix of x (..., n, m): x where column - row <= diagonal, 0 above.
 * dx = tril(g). heed_tril of ones, bool, is the mask of causal attention.
 * Errors: HEED_ERR_SHAPE if the rank is below 2.
 * torch: torch.tril   numpy: numpy.tril */
HEED_API heed_tensor *heed_tril(heed_tensor *x, int64_t diagonal);

/* Returns the upper triangle of every matrix of x (..., n, m): x where column - row >= diagonal, 0 below.
 * dx = triu(g).
 * Errors: HEED_ERR_SHAPE if the rank is below 2.
 * torch: torch.triu   numpy: numpy.triu */
HEED_API heed_tensor *heed_triu(heed_tensor *x, int64_t diagonal);

/* -- Several parts: views ---------------------------------------------------------------------------------------------
 * The views are written to `parts`, an array of length n. n must equal the number of parts, so that a wrong expectation
 * is an error. The gradient of a part goes to its elements in x. On failure every part is NULL; if n or another
 * argument is invalid, `parts` is not written. */

/* Splits x along the axis into n views of the lengths sizes[0] ... sizes[n - 1]: x (2, 9) by 4, 4, 1 on axis 1 gives
 * (2, 4), (2, 4) and (2, 1).  dx = g in the part. If sizes is NULL, the views have length ceil(size / n), and the last
 * view has the remaining elements: x (7, 2) in 3 on axis 0 gives (3, 2), (3, 2) and (1, 2).
 * Errors: HEED_ERR_SHAPE unless the sizes add up to the size of the axis; HEED_ERR_ARGUMENT for a negative size, and
 * without sizes if that makes fewer than n parts: 5 elements in 4 parts of length 2 would make only 3 parts.
 * torch: torch.split, torch.chunk   numpy: numpy.split */
HEED_API heed_status heed_split(heed_tensor *x, int axis, const int64_t *sizes, heed_tensor **parts, int n);

/* Makes a grid from n vectors of n_0, n_1, ... elements: grids receives n views (n_0, n_1, ...), and grids[i] varies
 * only on axis i, like vectors[i].  dx = g, summed over the other axes. This is indexing="ij" of PyTorch and NumPy.
 * Errors: HEED_ERR_SHAPE unless all have rank 1; HEED_ERR_ARGUMENT unless n is 1 to 8.
 * torch: torch.meshgrid   numpy: numpy.meshgrid */
HEED_API heed_status heed_meshgrid(heed_tensor *const *vectors, int n, heed_tensor **grids);

/* Makes a grid as heed_meshgrid does, with the first two axes swapped: grids receives n views (n_1, n_0, n_2, ...), and
 * the first vector varies on axis 1, the second on axis 0.  dx = g, summed over the other axes. This is indexing="xy",
 * the default of NumPy: for a plane, x runs along the rows and y along the columns.
 * Errors: HEED_ERR_SHAPE unless all have rank 1; HEED_ERR_ARGUMENT unless n is 1 to 8.
 * torch: torch.meshgrid   numpy: numpy.meshgrid */
HEED_API heed_status heed_meshgrid_xy(heed_tensor *const *vectors, int n, heed_tensor **grids);

/* -- Joined, repeated and padded: copies --------------------------------------------------------------------------- */

/* Concatenates tensors along an existing axis: heed_concat(HEED_TENSORS(x, y), 0) of (2, 3) and (4, 3) is (6, 3). The
 * gradient of every tensor is its part of g.
 * Errors: HEED_ERR_SHAPE unless the shapes agree except on the axis; HEED_ERR_DTYPE unless all have one dtype;
 * HEED_ERR_ARGUMENT unless n >= 1.
 * torch: torch.cat   numpy: numpy.concatenate */
HEED_API heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis);

/* Concatenates tensors along a new axis: heed_stack(HEED_TENSORS(x, y), 0) of two (3) is (2, 3). The gradient of every
 * tensor is its part of g.
 * Errors: HEED_ERR_SHAPE unless all have one shape, of rank 7 at most; HEED_ERR_DTYPE unless all have one dtype;
 * HEED_ERR_ARGUMENT unless n >= 1.
 * torch: torch.stack   numpy: numpy.stack */
HEED_API heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis);

/* Repeats every element of the axis `repeats` times in a row: [a b] twice is [a a b b].
 * dx = the sum of g over the copies.
 * Errors: HEED_ERR_ARGUMENT for repeats < 0; HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.repeat_interleave   numpy: numpy.repeat */
HEED_API heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats);

/* Repeats the whole tensor repeats.dims[i] times on axis i: [a b] twice is [a b a b].
 * dx = the sum of g over the copies. If the ranks of x and repeats differ, the shorter one is padded with ones in
 * front.
 * Errors: HEED_ERR_ARGUMENT for a negative number of repeats.
 * torch: torch.tile   numpy: numpy.tile */
HEED_API heed_tensor *heed_tile(heed_tensor *x, heed_shape repeats);

/* Reverses the order of the elements along the listed axes.  dx = g, flipped. An empty list flips nothing, as in
 * PyTorch. HEED_ALL_AXES is an empty list, so list every axis to flip all.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or an axis is listed twice.
 * torch: torch.flip   numpy: numpy.flip */
HEED_API heed_tensor *heed_flip(heed_tensor *x, heed_shape axes);

/* Shifts x by `shift` elements along the axis; elements that leave at the end return at the beginning: [a b c] by 1 is
 * [c a b].  dx = g, shifted back.
 * Errors: HEED_ERR_SHAPE if x lacks the axis.
 * torch: torch.roll   numpy: numpy.roll */
HEED_API heed_tensor *heed_roll(heed_tensor *x, int axis, int64_t shift);

/* The elements that heed_pad adds. With 2 on both sides, [a b c] becomes [v v a b c v v] with the constant v
 * (CONSTANT), [c b a b c b a] (REFLECT), [a a a b c c c] (REPLICATE), or [b c a b c a b] (CIRCULAR). */
typedef enum heed_pad_mode {
    HEED_PAD_CONSTANT = 0,
    HEED_PAD_REFLECT,
    HEED_PAD_REPLICATE,
    HEED_PAD_CIRCULAR,
} heed_pad_mode;

/* Adds elements before and after the last axes of x, or removes some.  dx, for every element of x, is the sum of g over
 * the elements of the result to which it was copied, or 0 if it was removed.
 *
 * pads contains, as in PyTorch, two numbers for the last axis (before and after), two for the axis before it, and so
 * on; negative numbers remove elements. pads is a heed_shape of at most 8 numbers, so one call pads at most the last 4
 * axes; transpose x to pad others.
 *
 * Errors: HEED_ERR_SHAPE unless pads has two numbers per axis for at most all axes of x, or if more elements are
 * removed or mirrored than x has; HEED_ERR_ARGUMENT for an unknown mode, and for a nonzero value in a mode other than
 * HEED_PAD_CONSTANT.
 * torch: torch.nn.functional.pad   numpy: numpy.pad */
HEED_API heed_tensor *heed_pad(heed_tensor *x, heed_shape pads, heed_pad_mode mode, double value);

/* -- Expert calls: the reverse of a slice -------------------------------------------------------------------------- */

/* Returns a tensor of size `size` on `axis` with the slices of x at start, start + step, ... and zeros elsewhere. It is
 * a copy; the op is the adjoint of heed_slice.  dx = g, sliced.
 * Errors: HEED_ERR_INDEX if x does not fit; HEED_ERR_ARGUMENT unless step >= 1.
 * torch: torch.slice_scatter */
HEED_API heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size);

HEED_END_DECLS

#endif
