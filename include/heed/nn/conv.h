/* heed/nn/conv.h - convolutions, pooling and resizing as layers. The rules in heed/nn.h hold here too.
 *
 * A list of sizes with one number makes a layer for lines, two numbers make a layer for planes: HEED_SHAPE(3) is
 * PyTorch's Conv1d with a kernel of 3, HEED_SHAPE(3, 3) its Conv2d. Strides, paddings and dilations are one number per
 * axis, or one number for all axes, as in heed/ops/conv.h and heed/ops/pool.h.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_CONV_H
#define HEED_NN_CONV_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Convolutions -------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_conv_new. */
typedef struct heed_nn_conv_options {
    heed_shape stride;   /* (): 1 */
    heed_shape padding;  /* zeros before and after every axis; (): 0 */
    heed_shape dilation; /* (): 1 */
    int64_t groups;      /* 0: 1; divides both numbers of channels */
    bool same;           /* chooses padding that keeps the size; requires stride 1 */
    bool no_bias;        /* without a bias */
    heed_dtype dtype;    /* of the parameters, x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_conv_options;

/* Options of heed_nn_conv_transpose_new. */
typedef struct heed_nn_conv_transpose_options {
    heed_shape stride;         /* (): 1 */
    heed_shape padding;        /* number of elements removed from both ends of y; (): 0 */
    heed_shape output_padding; /* added to the size of y; (): 0 */
    heed_shape dilation;       /* (): 1 */
    int64_t groups;            /* 0: 1; divides both numbers of channels */
    bool no_bias;              /* without a bias */
    heed_dtype dtype;          /* of the parameters, x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_conv_transpose_options;

/* A convolution layer: heed_conv with parameters. */
typedef struct heed_nn_conv {
    heed_module base;          /* the module */
    heed_tensor *weight;       /* (out, in / groups, kernel_size) */
    heed_tensor *bias;         /* (out); NULL with no_bias */
    heed_conv_options options; /* options of heed_conv */
} heed_nn_conv;

/* Makes a convolution layer from `in` to `out` channels along one axis, for kernel_size (k), or over planes, for
 * kernel_size (kh, kw). The parameters are "weight" (out, in / groups, kernel_size) and "bias" (out), both drawn from
 * U(-1/sqrt(n), 1/sqrt(n)), where n is in / groups times the sizes of the kernel. NULL options: f32, a bias, stride 1,
 * no padding.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, for a kernel without one or two sizes, for groups that do not divide in
 * and out, and for an invalid stride, padding or dilation; HEED_ERR_SHAPE for a weight with more elements than can be
 * counted; HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d, torch.nn.Conv2d */
HEED_API HEED_NODISCARD heed_nn_conv *heed_nn_conv_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                       const heed_nn_conv_options *options);

/* Applies the convolution: x (B, in, L) -> (B, out, M), or x (B, in, H, W) -> (B, out, M, N), as heed_conv does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different rank or number of channels, and if the kernel does
 * not fit; HEED_ERR_DTYPE unless x has the dtype of the layer; HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d.forward, torch.nn.Conv2d.forward */
HEED_API heed_tensor *heed_nn_conv_forward(heed_nn_conv *net, heed_tensor *x);

/* A transposed convolution layer: heed_conv_transpose with parameters. */
typedef struct heed_nn_conv_transpose {
    heed_module base;                    /* the module */
    heed_tensor *weight;                 /* (in, out / groups, kernel_size) */
    heed_tensor *bias;                   /* (out); NULL with no_bias */
    heed_conv_transpose_options options; /* options of heed_conv_transpose */
} heed_nn_conv_transpose;

/* Makes a transposed convolution layer from `in` to `out` channels, for kernel_size (k) or (kh, kw). The parameters are
 * "weight" (in, out / groups, kernel_size) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)), where n is out /
 * groups times the sizes of the kernel.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv_new.
 * torch: torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d */
HEED_API HEED_NODISCARD heed_nn_conv_transpose *
heed_nn_conv_transpose_new(int64_t in, int64_t out, heed_shape kernel_size,
                           const heed_nn_conv_transpose_options *options);

/* Applies the transposed convolution: x (B, in, M) -> (B, out, L), or x (B, in, M, N) -> (B, out, H, W), as
 * heed_conv_transpose does.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv_forward.
 * torch: torch.nn.ConvTranspose1d.forward, torch.nn.ConvTranspose2d.forward */
HEED_API heed_tensor *heed_nn_conv_transpose_forward(heed_nn_conv_transpose *net, heed_tensor *x);

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* A pooling layer: heed_max_pool as a module. */
typedef struct heed_nn_max_pool {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* size of the windows */
    heed_max_pool_options options; /* options of heed_max_pool */
} heed_nn_max_pool;

/* Makes a layer without parameters that returns the largest element of every window. NULL options: adjacent windows.
 * The kernel and the stride are checked at once, the other options by forward.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for an invalid kernel or stride; HEED_ERR_NOMEM.
 * torch: torch.nn.MaxPool1d, torch.nn.MaxPool2d */
HEED_API HEED_NODISCARD heed_nn_max_pool *heed_nn_max_pool_new(heed_shape kernel_size,
                                                               const heed_max_pool_options *options);

/* Applies the pooling: x (..., L) -> (..., M), or x (..., H, W) -> (..., M, N), as heed_max_pool does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_max_pool.
 * torch: torch.nn.MaxPool1d.forward, torch.nn.MaxPool2d.forward */
HEED_API heed_tensor *heed_nn_max_pool_forward(heed_nn_max_pool *net, heed_tensor *x);

/* A pooling layer: heed_avg_pool as a module. */
typedef struct heed_nn_avg_pool {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* size of the windows */
    heed_avg_pool_options options; /* options of heed_avg_pool */
} heed_nn_avg_pool;

/* Makes a layer without parameters that returns the mean of every window. NULL options: adjacent windows.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_max_pool_new.
 * torch: torch.nn.AvgPool1d, torch.nn.AvgPool2d */
HEED_API HEED_NODISCARD heed_nn_avg_pool *heed_nn_avg_pool_new(heed_shape kernel_size,
                                                               const heed_avg_pool_options *options);

/* Applies the pooling: x (..., L) -> (..., M), or x (..., H, W) -> (..., M, N), as heed_avg_pool does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_avg_pool.
 * torch: torch.nn.AvgPool1d.forward, torch.nn.AvgPool2d.forward */
HEED_API heed_tensor *heed_nn_avg_pool_forward(heed_nn_avg_pool *net, heed_tensor *x);

/* A pooling layer: heed_adaptive_avg_pool as a module. */
typedef struct heed_nn_adaptive_avg_pool {
    heed_module base;       /* the module */
    heed_shape output_size; /* number of windows per axis */
} heed_nn_adaptive_avg_pool;

/* Makes a layer that returns the mean of each of output_size windows: (m) on lines, (m, n) on planes; HEED_SHAPE(1, 1)
 * is the mean of every plane.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for invalid sizes; HEED_ERR_NOMEM.
 * torch: torch.nn.AdaptiveAvgPool1d, torch.nn.AdaptiveAvgPool2d */
HEED_API HEED_NODISCARD heed_nn_adaptive_avg_pool *heed_nn_adaptive_avg_pool_new(heed_shape output_size);

/* Applies the pooling: x (..., L) or (..., H, W) -> (..., output_size), as heed_adaptive_avg_pool does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_adaptive_avg_pool.
 * torch: torch.nn.AdaptiveAvgPool1d.forward, torch.nn.AdaptiveAvgPool2d.forward */
HEED_API heed_tensor *heed_nn_adaptive_avg_pool_forward(heed_nn_adaptive_avg_pool *net, heed_tensor *x);

/* A pooling layer: heed_adaptive_max_pool as a module. */
typedef struct heed_nn_adaptive_max_pool {
    heed_module base;       /* the module */
    heed_shape output_size; /* number of windows per axis */
} heed_nn_adaptive_max_pool;

/* Makes a layer that returns the largest element of each of output_size windows: (m) on lines, (m, n) on planes.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_adaptive_avg_pool_new.
 * torch: torch.nn.AdaptiveMaxPool1d, torch.nn.AdaptiveMaxPool2d */
HEED_API HEED_NODISCARD heed_nn_adaptive_max_pool *heed_nn_adaptive_max_pool_new(heed_shape output_size);

/* Applies the pooling: x (..., L) or (..., H, W) -> (..., output_size), as heed_adaptive_max_pool does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_adaptive_max_pool.
 * torch: torch.nn.AdaptiveMaxPool1d.forward, torch.nn.AdaptiveMaxPool2d.forward */
HEED_API heed_tensor *heed_nn_adaptive_max_pool_forward(heed_nn_adaptive_max_pool *net, heed_tensor *x);

/* -- Resizing ------------------------------------------------------------------------------------------------------ */

/* A layer that resizes lines or planes: heed_interpolate as a module. */
typedef struct heed_nn_upsample {
    heed_module base;                 /* the module */
    heed_interpolate_options options; /* options of heed_interpolate */
} heed_nn_upsample;

/* Makes a layer without parameters that resizes its input to a fixed size or by a factor:
 *
 *     heed_nn_upsample *twice = heed_nn_upsample_new(&(heed_interpolate_options){.scale_factor = 2});
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT without size and scale_factor, with both, for an invalid size, factor or mode, and for
 * align_corners in mode nearest; HEED_ERR_NOMEM.
 * torch: torch.nn.Upsample, torch.nn.UpsamplingNearest2d, torch.nn.UpsamplingBilinear2d */
HEED_API HEED_NODISCARD heed_nn_upsample *heed_nn_upsample_new(const heed_interpolate_options *options);

/* Resizes x (B, C, L) -> (B, C, M), or (B, C, H, W) -> (B, C, M, N), as heed_interpolate does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_interpolate.
 * torch: torch.nn.Upsample.forward */
HEED_API heed_tensor *heed_nn_upsample_forward(heed_nn_upsample *net, heed_tensor *x);

HEED_END_DECLS

#endif
