/* heed/ops/pool.h - pooling: the largest or the mean of every window of a line or plane. The rules in heed/ops.h hold
 * here too.
 *
 * The windows have as many axes as their list of sizes has numbers, which are the last axes of x: HEED_SHAPE(3) pools
 * lines by windows of 3, HEED_SHAPE(3, 3) pools planes by windows of 3 x 3. x is f32 or f64: lines are (L), (C, L) or
 * (B, C, L), and planes are (H, W), (C, H, W), (B, C, H, W) or have more leading axes. Every function is differentiable
 * to any order. */
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

HEED_END_DECLS

#endif
