/* heed/nn/conv.h - convolutions and pooling as layers. The rules in heed/nn.h hold here too. Kernel sizes, strides,
 * paddings and dilations are as in heed/ops/conv.h and heed/ops/pool.h: one number per axis of the plane, or one number
 * for all axes, such as HEED_SHAPE(3, 5) or HEED_SHAPE(3). */
#ifndef HEED_NN_CONV_H
#define HEED_NN_CONV_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Convolutions -------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_conv1d_new and heed_nn_conv2d_new. */
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

/* Options of heed_nn_conv_transpose1d_new and heed_nn_conv_transpose2d_new. */
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

/* A convolution layer: heed_conv1d with parameters. */
typedef struct heed_nn_conv1d {
    heed_module base;          /* the module */
    heed_tensor *weight;       /* (out, in / groups, k) */
    heed_tensor *bias;         /* (out); NULL with no_bias */
    heed_conv_options options; /* options of heed_conv1d */
} heed_nn_conv1d;

/* Makes a convolution layer from `in` to `out` channels with k = kernel_size. The parameters are "weight" (out, in /
 * groups, k) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = k in / groups. NULL options: f32, a
 * bias, stride 1, no padding.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, for groups that do not divide in and out, and for an invalid stride,
 * padding or dilation; HEED_ERR_SHAPE for a weight with more elements than can be counted; HEED_ERR_DTYPE unless f32 or
 * f64; HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d */
HEED_API HEED_NODISCARD heed_nn_conv1d *heed_nn_conv1d_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                           const heed_nn_conv_options *options);

/* Applies the convolution: x (B, in, L) -> (B, out, M), as heed_conv1d does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different number of channels, and if the kernel does not
 * fit; HEED_ERR_DTYPE unless x has the dtype of the layer; HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d.forward */
HEED_API heed_tensor *heed_nn_conv1d_forward(heed_nn_conv1d *net, heed_tensor *x);

/* A convolution layer: heed_conv2d with parameters. */
typedef struct heed_nn_conv2d {
    heed_module base;          /* the module */
    heed_tensor *weight;       /* (out, in / groups, kh, kw) */
    heed_tensor *bias;         /* (out); NULL with no_bias */
    heed_conv_options options; /* options of heed_conv2d */
} heed_nn_conv2d;

/* Makes a convolution layer from `in` to `out` channels with a kernel of kh x kw. The parameters are "weight" (out, in
 * / groups, kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = kh kw in / groups.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_new.
 * torch: torch.nn.Conv2d */
HEED_API HEED_NODISCARD heed_nn_conv2d *heed_nn_conv2d_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                           const heed_nn_conv_options *options);

/* Applies the convolution: x (B, in, H, W) -> (B, out, M, N), as heed_conv2d does.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_forward.
 * torch: torch.nn.Conv2d.forward */
HEED_API heed_tensor *heed_nn_conv2d_forward(heed_nn_conv2d *net, heed_tensor *x);

/* A transposed convolution layer: heed_conv_transpose1d with parameters. */
typedef struct heed_nn_conv_transpose1d {
    heed_module base;                    /* the module */
    heed_tensor *weight;                 /* (in, out / groups, k) */
    heed_tensor *bias;                   /* (out); NULL with no_bias */
    heed_conv_transpose_options options; /* options of heed_conv_transpose1d */
} heed_nn_conv_transpose1d;

/* Makes a transposed convolution layer from `in` to `out` channels with k = kernel_size. The parameters are "weight"
 * (in, out / groups, k) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = k out / groups.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_new.
 * torch: torch.nn.ConvTranspose1d */
HEED_API HEED_NODISCARD heed_nn_conv_transpose1d *
heed_nn_conv_transpose1d_new(int64_t in, int64_t out, heed_shape kernel_size,
                             const heed_nn_conv_transpose_options *options);

/* Applies the transposed convolution: x (B, in, M) -> (B, out, L), as heed_conv_transpose1d does.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_forward.
 * torch: torch.nn.ConvTranspose1d.forward */
HEED_API heed_tensor *heed_nn_conv_transpose1d_forward(heed_nn_conv_transpose1d *net, heed_tensor *x);

/* A transposed convolution layer: heed_conv_transpose2d with parameters. */
typedef struct heed_nn_conv_transpose2d {
    heed_module base;                    /* the module */
    heed_tensor *weight;                 /* (in, out / groups, kh, kw) */
    heed_tensor *bias;                   /* (out); NULL with no_bias */
    heed_conv_transpose_options options; /* options of heed_conv_transpose2d */
} heed_nn_conv_transpose2d;

/* Makes a transposed convolution layer from `in` to `out` channels with a kernel of kh x kw. The parameters are
 * "weight" (in, out / groups, kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = kh kw out /
 * groups.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_new.
 * torch: torch.nn.ConvTranspose2d */
HEED_API HEED_NODISCARD heed_nn_conv_transpose2d *
heed_nn_conv_transpose2d_new(int64_t in, int64_t out, heed_shape kernel_size,
                             const heed_nn_conv_transpose_options *options);

/* Applies the transposed convolution: x (B, in, M, N) -> (B, out, H, W), as heed_conv_transpose2d does.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_conv1d_forward.
 * torch: torch.nn.ConvTranspose2d.forward */
HEED_API heed_tensor *heed_nn_conv_transpose2d_forward(heed_nn_conv_transpose2d *net, heed_tensor *x);

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* A pooling layer: heed_max_pool2d as a module. */
typedef struct heed_nn_max_pool2d {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* size size of the windows */
    heed_max_pool_options options; /* options of heed_max_pool2d */
} heed_nn_max_pool2d;

/* Makes a layer without parameters that returns the largest element of every window. NULL options: adjacent windows.
 * The kernel and the stride are checked at once, the other options by forward.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for an invalid kernel or stride; HEED_ERR_NOMEM.
 * torch: torch.nn.MaxPool2d */
HEED_API HEED_NODISCARD heed_nn_max_pool2d *heed_nn_max_pool2d_new(heed_shape kernel_size,
                                                                   const heed_max_pool_options *options);

/* Applies the pooling: x (..., H, W) -> (..., M, N), as heed_max_pool2d does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_max_pool2d.
 * torch: torch.nn.MaxPool2d.forward */
HEED_API heed_tensor *heed_nn_max_pool2d_forward(heed_nn_max_pool2d *net, heed_tensor *x);

/* A pooling layer: heed_avg_pool2d as a module. */
typedef struct heed_nn_avg_pool2d {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* of the windows */
    heed_avg_pool_options options; /* options of heed_avg_pool2d */
} heed_nn_avg_pool2d;

/* Makes a layer without parameters that returns the mean of every window. NULL options: adjacent windows.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_max_pool2d_new.
 * torch: torch.nn.AvgPool2d */
HEED_API HEED_NODISCARD heed_nn_avg_pool2d *heed_nn_avg_pool2d_new(heed_shape kernel_size,
                                                                   const heed_avg_pool_options *options);

/* Applies the pooling: x (..., H, W) -> (..., M, N), as heed_avg_pool2d does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_avg_pool2d.
 * torch: torch.nn.AvgPool2d.forward */
HEED_API heed_tensor *heed_nn_avg_pool2d_forward(heed_nn_avg_pool2d *net, heed_tensor *x);

/* A pooling layer: heed_adaptive_avg_pool2d as a module. */
typedef struct heed_nn_adaptive_avg_pool2d {
    heed_module base;       /* the module */
    heed_shape output_size; /* number of windows per axis */
} heed_nn_adaptive_avg_pool2d;

/* Makes a layer that returns the mean of every one of output_size[0] x output_size[1] windows; HEED_SHAPE(1) is the
 * mean of every plane.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for invalid sizes; HEED_ERR_NOMEM.
 * torch: torch.nn.AdaptiveAvgPool2d */
HEED_API HEED_NODISCARD heed_nn_adaptive_avg_pool2d *heed_nn_adaptive_avg_pool2d_new(heed_shape output_size);

/* Applies the pooling: x (..., H, W) -> (..., output_size), as heed_adaptive_avg_pool2d does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_adaptive_avg_pool2d.
 * torch: torch.nn.AdaptiveAvgPool2d.forward */
HEED_API heed_tensor *heed_nn_adaptive_avg_pool2d_forward(heed_nn_adaptive_avg_pool2d *net, heed_tensor *x);

HEED_END_DECLS

#endif
