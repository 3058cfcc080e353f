/* heed/ops/pool.h - pooling: the largest or the mean of every window of a plane. The rules in heed/ops.h hold here too.
 *
 * x is f32 or f64, with any leading axes: (B, C, H, W), (C, H, W), or for 1d (B, C, L). Every function is
 * differentiable to any order. */
#ifndef HEED_OPS_POOL_H
#define HEED_OPS_POOL_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Options of max pooling; NULL: adjacent windows. stride, padding and dilation are one number per axis, or one for
 * all. */
typedef struct heed_max_pool_options {
    heed_shape stride;   /* distance from one window to the next; (): the size of the kernel */
    heed_shape padding;  /* elements before and after every axis, at most half the kernel; never the largest; (): 0 */
    heed_shape dilation; /* distance from one element of a window to the next; (): 1 */
    bool ceil_mode;      /* an incomplete last window counts, unless it begins after x and its padding */
    HEED_RESERVED;
} heed_max_pool_options;

/* Options of average pooling; NULL: adjacent windows. */
typedef struct heed_avg_pool_options {
    heed_shape stride;  /* distance from one window to the next; (): the size of the kernel */
    heed_shape padding; /* zeros before and after every axis, at most half the kernel; (): 0 */
    bool ceil_mode;     /* an incomplete last window counts, unless it begins after x and its padding */
    bool exclude_pad;   /* averages only the elements of x in the window; else padding counts as zeros */
    int64_t divisor;    /* divisor of the sums; 0: the number of elements of the window */
    HEED_RESERVED;
} heed_avg_pool_options;

/* Returns the largest element of every window: x (..., L), windows of `kernel` elements -> (..., M), M = (L + 2 padding
 * - dilation (kernel - 1) - 1) / stride + 1, rounded down or, with ceil_mode, up.  dx = g at the largest elements.
 *
 * The first of equal elements counts; a window with NaN gives NaN. *indices, unless `indices` is NULL, receives the
 * positions on the axis, i64 (..., M), and NULL on failure.
 *
 * Errors: HEED_ERR_SHAPE if x lacks the axis, if no window fits, and if a window contains only padding;
 * HEED_ERR_ARGUMENT for an invalid kernel, stride, padding or dilation; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.max_pool1d */
HEED_API heed_tensor *heed_max_pool1d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                                      heed_tensor **indices);

/* Returns the largest element of every window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Sizes
 * and gradient are as in heed_max_pool1d. *indices, unless `indices` is NULL, receives i W + j for the largest element,
 * at (i, j) of the plane.
 * Errors: as heed_max_pool1d.
 * torch: torch.nn.functional.max_pool2d */
HEED_API heed_tensor *heed_max_pool2d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                                      heed_tensor **indices);

/* Returns the mean of every window: x (..., L) -> (..., M). Sizes are as in heed_max_pool1d. Sums are computed in f64.
 * Differentiable.
 * Errors: as heed_max_pool1d, and HEED_ERR_ARGUMENT for a divisor below 0.
 * torch: torch.nn.functional.avg_pool1d */
HEED_API heed_tensor *heed_avg_pool1d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options);

/* Returns the mean of every window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Differentiable.
 * Errors: as heed_avg_pool1d.
 * torch: torch.nn.functional.avg_pool2d */
HEED_API heed_tensor *heed_avg_pool2d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options);

/* Returns the largest element of every one of `size` windows: x (..., L) -> (..., size). Window p has the elements from
 * floor(p L / size) to ceil((p + 1) L / size) - 1. *indices and the gradient are as in heed_max_pool1d.
 * Errors: HEED_ERR_SHAPE if x lacks the axis or is empty on it; HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.adaptive_max_pool1d */
HEED_API heed_tensor *heed_adaptive_max_pool1d(heed_tensor *x, heed_shape size, heed_tensor **indices);

/* Returns the largest element of every one of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]).
 * Windows are as in heed_adaptive_max_pool1d, *indices and the gradient as in heed_max_pool2d.
 * Errors: as heed_adaptive_max_pool1d.
 * torch: torch.nn.functional.adaptive_max_pool2d */
HEED_API heed_tensor *heed_adaptive_max_pool2d(heed_tensor *x, heed_shape size, heed_tensor **indices);

/* Returns the mean of every one of `size` windows: x (..., L) -> (..., size). Windows are as in
 * heed_adaptive_max_pool1d. Differentiable.
 * Errors: as heed_adaptive_max_pool1d.
 * torch: torch.nn.functional.adaptive_avg_pool1d */
HEED_API heed_tensor *heed_adaptive_avg_pool1d(heed_tensor *x, heed_shape size);

/* Returns the mean of every one of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]); HEED_SHAPE(1)
 * is the mean of every plane. Windows are as in heed_adaptive_max_pool1d. Differentiable.
 * Errors: as heed_adaptive_max_pool1d.
 * torch: torch.nn.functional.adaptive_avg_pool2d */
HEED_API heed_tensor *heed_adaptive_avg_pool2d(heed_tensor *x, heed_shape size);

HEED_END_DECLS

#endif
