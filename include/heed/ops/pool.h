/* heed/ops/pool.h - pooling: the largest or the mean of every window of a line or plane; and lines and planes in a
 * different size. The rules in heed/ops.h hold here too.
 *
 * The windows have as many axes as their list of sizes has numbers, which are the last axes of x: HEED_SHAPE(3) pools
 * lines by windows of 3, HEED_SHAPE(3, 3) pools planes by windows of 3 x 3. x is f32 or f64: lines are (L), (C, L) or
 * (B, C, L), and planes are (H, W), (C, H, W), (B, C, H, W) or have more leading axes. Every function is differentiable
 * to any order.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_POOL_H
#define HEED_OPS_POOL_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Options of heed_max_pool; NULL: adjacent windows. stride, padding and dilation are one number per axis of the kernel,
 * or one for all. */
typedef struct heed_max_pool_options {
    heed_shape stride;   /* distance from one window to the next; (): the size of the kernel */
    heed_shape padding;  /* elements before and after every axis, at most half the kernel; never the largest; (): 0 */
    heed_shape dilation; /* distance from one element of a window to the next; (): 1 */
    bool ceil_mode;      /* an incomplete last window counts, unless it begins after x and its padding */
    HEED_RESERVED;
} heed_max_pool_options;

/* Options of heed_avg_pool; NULL: adjacent windows. */
typedef struct heed_avg_pool_options {
    heed_shape stride;  /* distance from one window to the next; (): the size of the kernel */
    heed_shape padding; /* zeros before and after every axis, at most half the kernel; (): 0 */
    bool ceil_mode;     /* an incomplete last window counts, unless it begins after x and its padding */
    bool exclude_pad;   /* averages only the elements of x in the window; else padding counts as zeros */
    int64_t divisor;    /* divisor of the sums; 0: the number of elements of the window */
    HEED_RESERVED;
} heed_avg_pool_options;

/* Returns the largest element of every window: x (..., L), kernel (k) -> (..., M), or x (..., H, W), kernel (kh, kw) ->
 * (..., M, N).
 *
 *     M = (L + 2 padding - dilation (k - 1) - 1) / stride + 1, rounded down or, with ceil_mode, up
 *     dx = g at the largest elements
 *
 * The first of equal elements counts; a window with NaN gives NaN. *indices, unless `indices` is NULL, receives the
 * positions of the largest elements, i64 of the result's shape: i on a line, i W + j for (i, j) of a plane; and NULL on
 * failure.
 *
 * Errors: HEED_ERR_SHAPE if x lacks an axis, if one size is given for an x of four axes or more, if no window fits, and
 * if a window contains only padding; HEED_ERR_ARGUMENT for an invalid kernel, stride, padding or dilation;
 * HEED_ERR_DTYPE.
 * torch: torch.nn.functional.max_pool1d, torch.nn.functional.max_pool2d */
HEED_API heed_tensor *heed_max_pool(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                                    heed_tensor **indices);

/* Returns the mean of every window: x (..., L), kernel (k) -> (..., M), or x (..., H, W), kernel (kh, kw) -> (..., M,
 * N). Sizes are as in heed_max_pool. Sums are computed in f64. Differentiable.
 * Errors: as heed_max_pool, and HEED_ERR_ARGUMENT for a divisor below 0.
 * torch: torch.nn.functional.avg_pool1d, torch.nn.functional.avg_pool2d */
HEED_API heed_tensor *heed_avg_pool(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options);

/* Returns the largest element of each of `size` windows: x (..., L), size (m) -> (..., m), or x (..., H, W), size (m,
 * n) -> (..., m, n). Window p of m has the elements from floor(p L / m) to ceil((p + 1) L / m) - 1. *indices and the
 * gradient are as in heed_max_pool.
 * Errors: HEED_ERR_SHAPE if x lacks an axis or is empty on it, and if one size is given for an x of four axes or more;
 * HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.adaptive_max_pool1d, torch.nn.functional.adaptive_max_pool2d */
HEED_API heed_tensor *heed_adaptive_max_pool(heed_tensor *x, heed_shape size, heed_tensor **indices);

/* Returns the mean of each of `size` windows: x (..., L), size (m) -> (..., m), or x (..., H, W), size (m, n) -> (...,
 * m, n); HEED_SHAPE(1, 1) is the mean of every plane. Windows are as in heed_adaptive_max_pool. Differentiable.
 * Errors: as heed_adaptive_max_pool.
 * torch: torch.nn.functional.adaptive_avg_pool1d, torch.nn.functional.adaptive_avg_pool2d */
HEED_API heed_tensor *heed_adaptive_avg_pool(heed_tensor *x, heed_shape size);

/* -- Lines and planes in a different size -------------------------------------------------------------------------- */

/* The elements of x from which heed_interpolate computes an element of the result. */
typedef enum heed_interpolate_mode {
    HEED_INTERPOLATE_NEAREST = 0, /* the nearest one */
    HEED_INTERPOLATE_LINEAR,      /* the two adjacent ones on a line */
    HEED_INTERPOLATE_BILINEAR,    /* the four adjacent ones on a plane */
} heed_interpolate_mode;

/* Options of heed_interpolate: either size or scale_factor, and the mode. */
typedef struct heed_interpolate_options {
    heed_shape size;            /* size of the result, one number per axis or one for all; (): by scale_factor */
    double scale_factor;        /* size of the result divided by the size of x, for every axis; 0: by size */
    double scale_factor_w;      /* scale_factor of the last axis, if it differs; 0: scale_factor */
    heed_interpolate_mode mode; /* default: HEED_INTERPOLATE_NEAREST */
    bool align_corners;         /* the first and the last elements of x and of the result have the same positions */
    HEED_RESERVED;
} heed_interpolate_options;

/* Resizes lines or planes: x (B, C, L), size (M) -> (B, C, M), or x (B, C, H, W), size (M, N) -> (B, C, M, N). With a
 * scale factor s, M = floor(L s); without it, s = M / L.
 *
 *     nearest:   y[i] = x[floor(i / s)]
 *     linear:    y[i] = (1 - r) x[k] + r x[k + 1], where k + r = max((i + 0.5) / s - 0.5, 0) with 0 <= r < 1, or with
 *                align_corners k + r = i (L - 1) / (M - 1); x[k + 1] is x[k] at the end
 *     bilinear:  the same for both axes of a plane
 *     dx = the sum of g over the elements of y that depend on the element, times their weights
 *
 * Sizes and positions are rounded as in PyTorch: floor(i / s) is computed in f32 for f32. Sums are computed in f64. An
 * element of weight 0 does not contribute, even if it is infinite.
 *
 * Errors: HEED_ERR_SHAPE unless x is (B, C, L) or (B, C, H, W), (B, C, L) in mode linear and (B, C, H, W) in mode
 * bilinear, if its lines or planes are empty, or if M would be 0; HEED_ERR_ARGUMENT without size and scale_factor, with
 * both, for an invalid size, factor or mode, and for align_corners in mode nearest; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.interpolate */
HEED_API heed_tensor *heed_interpolate(heed_tensor *x, const heed_interpolate_options *options);

HEED_END_DECLS

#endif
