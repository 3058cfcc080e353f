/* heed/ops/pool.h - pooling: the largest or the mean of each window of a plane. What heed/ops.h says of all ops holds
 * here.
 *
 * x is f32 or f64, of any leading axes: (B, C, H, W), (C, H, W), or for 1d (B, C, L). Each function is differentiable
 * to any order. */
#ifndef HEED_OPS_POOL_H
#define HEED_OPS_POOL_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* What max pooling may be told; NULL: windows side by side. stride, padding and dilation are one number for each axis,
 * or one for all. */
typedef struct heed_max_pool_options {
    heed_shape stride;   /* from one window to the next; (): the kernel */
    heed_shape padding;  /* before and after each axis, at most half the kernel; what is there is never chosen; (): 0 */
    heed_shape dilation; /* from one element of a window to the next; (): 1 */
    bool ceil_mode;      /* a last window that is not whole counts, unless it begins behind x and its padding */
    HEED_RESERVED;
} heed_max_pool_options;

/* What average pooling may be told; NULL: windows side by side. */
typedef struct heed_avg_pool_options {
    heed_shape stride;  /* from one window to the next; (): the kernel */
    heed_shape padding; /* zeros before and after each axis, at most half the kernel; (): 0 */
    bool ceil_mode;     /* as of max pooling */
    bool exclude_pad;   /* the mean of what x has in the window; else padding counts as zeros */
    int64_t divisor;    /* what sums are divided by; 0: as many elements as the window has */
    HEED_RESERVED;
} heed_avg_pool_options;

/* y[..., p] = the largest x in window p: x (..., L), windows of `kernel` elements -> (..., M),
 * M = (L + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded down or, with ceil_mode, up. The first of
 * equals, and NaN where there is one. *indices, unless NULL, receives i64 (..., M), where it lies on the axis, and NULL
 * on failure. dx = g at those places. HEED_ERR_SHAPE for an x without that axis, where no window fits, and where one
 * sees padding alone; HEED_ERR_ARGUMENT for a kernel, stride, padding or dilation that there cannot be; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.max_pool1d */
HEED_API heed_tensor *heed_max_pool1d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                                      heed_tensor **indices);

/* The largest of each window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N), the sizes and errors as
 * of heed_max_pool1d. *indices receives i W + j of the element (i, j).
 * torch: torch.nn.functional.max_pool2d */
HEED_API heed_tensor *heed_max_pool2d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                                      heed_tensor **indices);

/* y[..., p] = the mean of x in window p: x (..., L) -> (..., M), the sizes and errors as of heed_max_pool1d. Sums are
 * made in f64. HEED_ERR_ARGUMENT also for a divisor below 0.
 * torch: torch.nn.functional.avg_pool1d */
HEED_API heed_tensor *heed_avg_pool1d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options);

/* The mean of each window of kernel[0] x kernel[1] elements: x (..., H, W) -> (..., M, N). Errors as of
 * heed_avg_pool1d.
 * torch: torch.nn.functional.avg_pool2d */
HEED_API heed_tensor *heed_avg_pool2d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options);

/* The largest of each of `size` windows: x (..., L) -> (..., size); window p has the elements p L / size, rounded down,
 * to (p + 1) L / size, rounded up. *indices as of heed_max_pool1d. HEED_ERR_SHAPE for an x without that axis or empty
 * on it; HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_DTYPE.
 * torch: torch.nn.functional.adaptive_max_pool1d */
HEED_API heed_tensor *heed_adaptive_max_pool1d(heed_tensor *x, heed_shape size, heed_tensor **indices);

/* The largest of each of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]). Windows and errors as of
 * heed_adaptive_max_pool1d, *indices as of heed_max_pool2d.
 * torch: torch.nn.functional.adaptive_max_pool2d */
HEED_API heed_tensor *heed_adaptive_max_pool2d(heed_tensor *x, heed_shape size, heed_tensor **indices);

/* The mean of each of `size` windows: x (..., L) -> (..., size). Windows and errors as of heed_adaptive_max_pool1d.
 * torch: torch.nn.functional.adaptive_avg_pool1d */
HEED_API heed_tensor *heed_adaptive_avg_pool1d(heed_tensor *x, heed_shape size);

/* The mean of each of size[0] x size[1] windows: x (..., H, W) -> (..., size[0], size[1]); HEED_SHAPE(1) is the mean of
 * each plane. Windows and errors as of heed_adaptive_max_pool1d.
 * torch: torch.nn.functional.adaptive_avg_pool2d */
HEED_API heed_tensor *heed_adaptive_avg_pool2d(heed_tensor *x, heed_shape size);

HEED_END_DECLS

#endif
