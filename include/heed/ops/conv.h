/* heed/ops/conv.h - convolutions, and windows as columns. The rules in heed/ops.h hold here too.
 *
 * Convolutions run along one axis or over a plane; the rank of w decides. Tensors are laid out as in PyTorch: x (B, C,
 * L) and w (O, C / groups, k), or x (B, C, H, W) and w (O, C / groups, kh, kw). Positions outside x are
 * zeros, which are multiplied like any other number. Rounding errors of sums are within the bounds in
 * heed/ops/product.h for any number of threads. The patches under the kernel are never copied all at once, with one
 * exception: for a 1 x 1 kernel with a stride, the patches of at least one image are copied at once; they are a part of
 * x. Every function here is differentiable in all of its tensors, to any order.
 *
 * Kernels of 3 x 3 with dilation 1 use Winograd's algorithm if x and y have 16 channels or more per group. With stride
 * 1, for y with planes of 6 x 6 or more, it computes 2 x 2 results with 16 multiplications instead of 36; with stride
 * 2, for planes of 14 x 14 or more, with 25. Gradients use the algorithm, too. With stride 2 the gradient of x uses it
 * only if the padding is 1 and y has planes of 8 x 8 or more, and the gradient of w only if all images together have 64
 * tiles of 2 x 2 results. Its rounding error is usually as small as with direct summation, a few U of sum |w x| (U is
 * in heed/ops/product.h). In the worst case it is a few U of the sum over channels of the largest of the nine |w| times
 * the largest |x|: a large x that is multiplied by w = 0 affects the last digits. If intermediate sums of an image are
 * not finite, the image is computed again by direct summation, so NaN and infinity appear in the same elements as with
 * direct summation.
 *
 * Reference: Lavin, Gray (2016), "Fast Algorithms for Convolutional Neural Networks".
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_CONV_H
#define HEED_OPS_CONV_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Options of heed_conv; NULL: stride 1, no padding, no dilation, one group. stride, padding and dilation contain one
 * number per axis of the kernel, or one number for all axes: .stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1, 0). */
typedef struct heed_conv_options {
    heed_shape stride;   /* distance on x from one position of the kernel to the next; (): 1 */
    heed_shape padding;  /* zeros before and after each axis; (): 0 */
    heed_shape dilation; /* distance on x from one element of the kernel to the next; (): 1 */
    int64_t groups;      /* number of groups of channels, convolved separately; 0: 1 */
    bool same; /* chooses padding that keeps the size; if its total is odd, the additional zero is after x. Requires
                  stride 1, padding 0 */
    HEED_RESERVED;
} heed_conv_options;

/* Computes a convolution along one axis: x (B, C, L), w (O, C / groups, k) -> (B, O, M), or over a plane: x (B, C, H,
 * W), w (O, C / groups, kh, kw) -> (B, O, M, N). bias: (O), or NULL.
 *
 *     y[b, o, p] = bias[o] + sum over c, t of w[o, c, t] x[b, c, p stride - padding + t dilation]
 *     M = (L + 2 padding - dilation (k - 1) - 1) / stride + 1, rounded down
 *
 * and over a plane the same for each axis. The sum for channel o of y runs over the channels c of its group.
 * Differentiable in x, w and bias; dx = heed_conv_transpose(g, w).
 *
 * Errors: HEED_ERR_SHAPE unless the shapes fit, and for a kernel that is empty or longer than x with its padding;
 * HEED_ERR_ARGUMENT for an invalid stride, padding, dilation or number of groups; HEED_ERR_DTYPE unless all are f32 or
 * all f64.
 * torch: torch.nn.functional.conv1d, torch.nn.functional.conv2d */
HEED_API heed_tensor *heed_conv(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options);

/* Options of heed_conv_transpose; NULL: stride 1, no padding, no dilation, one group. */
typedef struct heed_conv_transpose_options {
    heed_shape stride;         /* distance on y from the results of one element of x to the next; () means 1 */
    heed_shape padding;        /* number of elements removed from both ends of y; () means 0 */
    heed_shape output_padding; /* added to the size of y; less than stride or dilation; (): 0 */
    heed_shape dilation;       /* (): 1 */
    int64_t groups;            /* 0: 1 */
    HEED_RESERVED;
} heed_conv_transpose_options;

/* Computes the transpose of heed_conv, that is, the gradient of heed_conv with respect to its input: x (B, O, M), w
 * (O, C / groups, k) -> (B, C, L), or x (B, O, M, N), w (O, C / groups, kh, kw) -> (B, C, H, W). bias: (C), or NULL.
 *
 *     L = (M - 1) stride - 2 padding + dilation (k - 1) + output_padding + 1
 *
 * Positions outside x count as zeros here too: 0 times an infinite w is NaN; PyTorch skips such terms. Differentiable
 * in x, w and bias; dx = heed_conv(g, w).
 *
 * Errors: as heed_conv; HEED_ERR_SHAPE if L is less than 1; HEED_ERR_ARGUMENT unless output_padding is less than stride
 * or dilation.
 * torch: torch.nn.functional.conv_transpose1d, torch.nn.functional.conv_transpose2d */
HEED_API heed_tensor *heed_conv_transpose(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                          const heed_conv_transpose_options *options);

/* -- Windows as columns -------------------------------------------------------------------------------------------- */

/* Options of heed_unfold and heed_fold; NULL: stride 1, no padding, no dilation. stride, padding and dilation contain
 * one number per axis of the plane, or one number for all axes. */
typedef struct heed_unfold_options {
    heed_shape stride;   /* distance on x from one window to the next; (): 1 */
    heed_shape padding;  /* zeros before and after each axis; (): 0 */
    heed_shape dilation; /* distance on x from one element of a window to the next; (): 1 */
    HEED_RESERVED;
} heed_unfold_options;

/* Returns every window of x as a column: x (B, C, H, W), kernel (kh, kw) or one number for both -> (B, C kh kw, M N).
 * dx = heed_fold(g).
 *
 *     y[b, (c kh + t) kw + u, p N + q] = x[b, c, p stride - padding + t dilation, ...], 0 outside x
 *
 * M and N are the sizes of heed_conv.
 *
 * Errors: HEED_ERR_SHAPE for x of a different rank, and if the kernel does not fit; HEED_ERR_ARGUMENT for an invalid
 * kernel, stride, padding or dilation; HEED_ERR_DTYPE unless f32 or f64.
 * torch: torch.nn.functional.unfold */
HEED_API heed_tensor *heed_unfold(heed_tensor *x, heed_shape kernel, const heed_unfold_options *options);

/* Computes the transpose of heed_unfold: columns (B, C kh kw, M N) -> (B, C, H, W), where size is (H, W) or one number
 * for both. Elements of overlapping windows are added.  dcolumns = heed_unfold(g).
 * Errors: HEED_ERR_SHAPE unless heed_unfold of planes of this size gives columns of the same shape; others as
 * heed_unfold.
 * torch: torch.nn.functional.fold */
HEED_API heed_tensor *heed_fold(heed_tensor *columns, heed_shape size, heed_shape kernel,
                                const heed_unfold_options *options);

HEED_END_DECLS

#endif
