/* heed/ops/conv.h - convolutions, and windows as columns. What heed/ops.h says of all ops holds here.
 *
 * Planes and kernels lie as in PyTorch: x (B, C, H, W), w (O, C / groups, kh, kw). Positions outside of x are zeros,
 * which are multiplied like any other number. Sums keep to what heed/ops/product.h says, whatever the number of
 * threads; nothing as large as all patches is ever made, but of a 1 x 1 kernel with a stride, for an image at least:
 * those are a part of x. Each function here is differentiable in all of its tensors, to any order.
 *
 * Kernels of 3 x 3 with dilation 1 are done by Winograd's algorithm where x and y have 16 channels or more in a group:
 * with stride 1, where y has planes of 6 x 6 or more, in 16 multiplications for 2 x 2 results, where the formula has
 * 36, of sums of x and of w; with stride 2, of 14 x 14 or more, in 25. So are their gradients; with stride 2 that by x
 * where the padding is 1 and y has planes of 8 x 8 or more, that by w where all images together have 64 such tiles. Its
 * rounding is that of the formula as a rule, a few U of sum |w x|, but at the worst it is a few U of the sum over
 * channels of the largest |w| times the largest |x| of the nine: a large x under a w of 0 leaves digits of itself. An
 * image whose sums on the way are not finite is done again by the formula, so that NaN and infinity are where that has
 * them. Source: Lavin, Gray (2016), "Fast Algorithms for Convolutional Neural Networks".
 */
#ifndef HEED_OPS_CONV_H
#define HEED_OPS_CONV_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* What a convolution may be told; NULL: stride 1, no padding, no dilation, one group. stride, padding and dilation are
 * one number for each axis of the plane, or one for all: .stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1, 0). */
typedef struct heed_conv_options {
    heed_shape stride;   /* from one position of the kernel to the next; (): 1 */
    heed_shape padding;  /* zeros before and after each axis; (): 0 */
    heed_shape dilation; /* from one element of the kernel to the next, as they lie on x; (): 1 */
    int64_t groups;      /* channels are cut into so many groups, each convolved by itself; 0: 1 */
    bool same;           /* Padding that keeps the size; an odd zero goes after x. Needs stride 1 and padding 0. */
    HEED_RESERVED;
} heed_conv_options;

/* What a transposed convolution may be told; NULL: as above. */
typedef struct heed_conv_transpose_options {
    heed_shape stride;         /* of the convolution that it is the transpose of; (): 1 */
    heed_shape padding;        /* of that convolution: so much is left out at each end of y; (): 0 */
    heed_shape output_padding; /* so much larger is y; less than stride or dilation; (): 0 */
    heed_shape dilation;       /* (): 1 */
    int64_t groups;            /* 0: 1 */
    HEED_RESERVED;
} heed_conv_transpose_options;

/* y[b, o, p] = bias[o] + sum over c, t of w[o, c, t] x[b, c, p stride - padding + t dilation]: x (B, C, L),
 * w (O, C / groups, k), bias (O) or NULL -> (B, O, M), M = (L + 2 padding - dilation (k - 1) - 1) / stride + 1, rounded
 * down. Channel o sees the channels c of its group. HEED_ERR_SHAPE unless the shapes fit, and for a kernel that is
 * empty or longer than x with its padding; HEED_ERR_ARGUMENT for a stride, padding, dilation or number of groups that
 * there cannot be; HEED_ERR_DTYPE unless all are f32 or all f64.
 * torch: torch.nn.functional.conv1d */
HEED_API heed_tensor *heed_conv1d(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options);

/* y[b, o, p, q] = bias[o] + sum over c, t, u of
 *     w[o, c, t, u] x[b, c, p stride - padding + t dilation, q stride - padding + u dilation]
 * x (B, C, H, W), w (O, C / groups, kh, kw), bias (O) or NULL -> (B, O, M, N), the sizes and errors as of heed_conv1d.
 * dx = heed_conv_transpose2d(g, w), dw = heed_conv2d_weight(x, g).
 * torch: torch.nn.functional.conv2d */
HEED_API heed_tensor *heed_conv2d(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options);

/* The transpose of heed_conv1d, what its gradient by x is: x (B, O, M), w (O, C / groups, k), bias (C) or NULL ->
 * (B, C, L), L = (M - 1) stride - 2 padding + dilation (k - 1) + output_padding + 1. Errors as of heed_conv1d;
 * HEED_ERR_SHAPE where L is less than 1; HEED_ERR_ARGUMENT for an output_padding that is not less than stride or
 * dilation. Places outside of x count as zeros here, too: 0 times an infinite w is NaN, where PyTorch leaves it out.
 * torch: torch.nn.functional.conv_transpose1d */
HEED_API heed_tensor *heed_conv_transpose1d(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                            const heed_conv_transpose_options *options);

/* The transpose of heed_conv2d: x (B, O, M, N), w (O, C / groups, kh, kw), bias (C) or NULL -> (B, C, H, W), the sizes
 * and errors as of heed_conv_transpose1d. dx = heed_conv2d(g, w), dw = heed_conv2d_weight(g, x).
 * torch: torch.nn.functional.conv_transpose2d */
HEED_API heed_tensor *heed_conv_transpose2d(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                            const heed_conv_transpose_options *options);

/* The gradient of heed_conv2d by w: x (B, C, H, W), g (B, O, M, N), kernel (kh, kw) or one number for both ->
 * (O, C / groups, kh, kw), the sum over b, p, q of g[b, o, p, q] x[b, c, ...] as heed_conv2d has it. HEED_ERR_SHAPE
 * unless a convolution of x gives g's sizes; other errors as of heed_conv2d.
 * torch: torch.nn.grad.conv2d_weight */
HEED_API heed_tensor *heed_conv2d_weight(heed_tensor *x, heed_tensor *g, heed_shape kernel,
                                         const heed_conv_options *options);

/* -- Windows as columns -------------------------------------------------------------------------------------------- */

/* What heed_unfold and heed_fold may be told; NULL: stride 1, no padding, no dilation. One number for each axis of the
 * plane, or one for all. */
typedef struct heed_unfold_options {
    heed_shape stride;   /* from one window to the next; (): 1 */
    heed_shape padding;  /* zeros before and after each axis; (): 0 */
    heed_shape dilation; /* from one element of a window to the next, as they lie on x; (): 1 */
    HEED_RESERVED;
} heed_unfold_options;

/* Every window of x as a column: x (B, C, H, W), kernel (kh, kw) or one number for both -> (B, C kh kw, M N), M and N
 * as those of heed_conv2d: y[b, (c kh + t) kw + u, p N + q] = x[b, c, p stride - padding + t dilation, ...], 0 outside
 * of x. dx = heed_fold(g). HEED_ERR_SHAPE for x of another rank, and where the kernel does not fit; HEED_ERR_ARGUMENT
 * for a kernel, stride, padding or dilation that there cannot be; HEED_ERR_DTYPE unless f32 or f64.
 * torch: torch.nn.functional.unfold */
HEED_API heed_tensor *heed_unfold(heed_tensor *x, heed_shape kernel, const heed_unfold_options *options);

/* The transpose of heed_unfold: columns (B, C kh kw, M N) -> (B, C, H, W), size being (H, W) or one number for both;
 * where windows overlap, their elements are added up.  dcolumns = heed_unfold(g). HEED_ERR_SHAPE unless unfolding such
 * planes gives as many columns of that height; else as heed_unfold.
 * torch: torch.nn.functional.fold */
HEED_API heed_tensor *heed_fold(heed_tensor *columns, heed_shape size, heed_shape kernel,
                                const heed_unfold_options *options);

HEED_END_DECLS

#endif
