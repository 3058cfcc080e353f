/* heed/nn/conv.h - convolutions and pooling as layers. What heed/nn.h says of all layers holds here; what
 * heed/ops/conv.h and heed/ops/pool.h say of a kernel, a stride and the like holds of these: one number for each axis
 * of the plane, or one for all, as HEED_SHAPE(3) or HEED_SHAPE(3, 5).
 */
#ifndef HEED_NN_CONV_H
#define HEED_NN_CONV_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Convolutions -------------------------------------------------------------------------------------------------- */

/* What heed_nn_conv1d_new and heed_nn_conv2d_new may be told. */
typedef struct heed_nn_conv_options {
    heed_shape stride;   /* (): 1 */
    heed_shape padding;  /* zeros before and after each axis; (): 0 */
    heed_shape dilation; /* (): 1 */
    int64_t groups;      /* 0: 1; divides both numbers of channels */
    bool same;           /* as much padding as keeps the size; stride 1 */
    bool no_bias;        /* the sum alone */
    heed_dtype dtype;    /* of the parameters, and so of x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_conv_options;

/* What heed_nn_conv_transpose1d_new and heed_nn_conv_transpose2d_new may be told. */
typedef struct heed_nn_conv_transpose_options {
    heed_shape stride;         /* (): 1 */
    heed_shape padding;        /* so much is left out at each end of y; (): 0 */
    heed_shape output_padding; /* so much larger is y; (): 0 */
    heed_shape dilation;       /* (): 1 */
    int64_t groups;            /* 0: 1; divides both numbers of channels */
    bool no_bias;              /* the sum alone */
    heed_dtype dtype;          /* of the parameters, and so of x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_conv_transpose_options;

/* heed_conv1d with parameters. */
typedef struct heed_nn_conv1d {
    heed_module base;          /* the module */
    heed_tensor *weight;       /* (out, in / groups, k) */
    heed_tensor *bias;         /* (out); NULL with no_bias */
    heed_conv_options options; /* what heed_conv1d is told */
} heed_nn_conv1d;

/* A convolution from `in` to `out` channels with k = kernel_size: parameters "weight" (out, in / groups, k) and "bias"
 * (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups k. NULL options: f32, a bias, stride 1, no
 * padding. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, groups that do not divide in and out, and a stride,
 * padding or dilation that there cannot be, HEED_ERR_SHAPE for a weight too large to be counted, HEED_ERR_DTYPE unless
 * f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d */
HEED_API HEED_NODISCARD heed_nn_conv1d *heed_nn_conv1d_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                           const heed_nn_conv_options *options);

/* x (B, in, L) -> (B, out, M), as heed_conv1d. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for other
 * channels and where the kernel does not fit, HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_NOMEM.
 * torch: torch.nn.Conv1d.forward */
HEED_API heed_tensor *heed_nn_conv1d_forward(heed_nn_conv1d *net, heed_tensor *x);

/* heed_conv2d with parameters. */
typedef struct heed_nn_conv2d {
    heed_module base;          /* the module */
    heed_tensor *weight;       /* (out, in / groups, kh, kw) */
    heed_tensor *bias;         /* (out); NULL with no_bias */
    heed_conv_options options; /* what heed_conv2d is told */
} heed_nn_conv2d;

/* A convolution from `in` to `out` channels with a kernel of kh x kw: parameters "weight" (out, in / groups, kh, kw)
 * and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = in / groups kh kw. NULL on failure, as
 * heed_nn_conv1d_new.
 * torch: torch.nn.Conv2d */
HEED_API HEED_NODISCARD heed_nn_conv2d *heed_nn_conv2d_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                           const heed_nn_conv_options *options);

/* x (B, in, H, W) -> (B, out, M, N), as heed_conv2d. NULL on failure, as heed_nn_conv1d_forward.
 * torch: torch.nn.Conv2d.forward */
HEED_API heed_tensor *heed_nn_conv2d_forward(heed_nn_conv2d *net, heed_tensor *x);

/* heed_conv_transpose1d with parameters. */
typedef struct heed_nn_conv_transpose1d {
    heed_module base;                    /* the module */
    heed_tensor *weight;                 /* (in, out / groups, k) */
    heed_tensor *bias;                   /* (out); NULL with no_bias */
    heed_conv_transpose_options options; /* what heed_conv_transpose1d is told */
} heed_nn_conv_transpose1d;

/* A transposed convolution from `in` to `out` channels with k = kernel_size: parameters "weight" (in, out / groups, k)
 * and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups k. NULL on failure, as
 * heed_nn_conv1d_new.
 * torch: torch.nn.ConvTranspose1d */
HEED_API HEED_NODISCARD heed_nn_conv_transpose1d *
heed_nn_conv_transpose1d_new(int64_t in, int64_t out, heed_shape kernel_size,
                             const heed_nn_conv_transpose_options *options);

/* x (B, in, M) -> (B, out, L), as heed_conv_transpose1d. NULL on failure, as heed_nn_conv1d_forward.
 * torch: torch.nn.ConvTranspose1d.forward */
HEED_API heed_tensor *heed_nn_conv_transpose1d_forward(heed_nn_conv_transpose1d *net, heed_tensor *x);

/* heed_conv_transpose2d with parameters. */
typedef struct heed_nn_conv_transpose2d {
    heed_module base;                    /* the module */
    heed_tensor *weight;                 /* (in, out / groups, kh, kw) */
    heed_tensor *bias;                   /* (out); NULL with no_bias */
    heed_conv_transpose_options options; /* what heed_conv_transpose2d is told */
} heed_nn_conv_transpose2d;

/* A transposed convolution from `in` to `out` channels with a kernel of kh x kw: parameters "weight" (in, out / groups,
 * kh, kw) and "bias" (out), both drawn from U(-1/sqrt(n), 1/sqrt(n)) with n = out / groups kh kw. NULL on failure, as
 * heed_nn_conv1d_new.
 * torch: torch.nn.ConvTranspose2d */
HEED_API HEED_NODISCARD heed_nn_conv_transpose2d *
heed_nn_conv_transpose2d_new(int64_t in, int64_t out, heed_shape kernel_size,
                             const heed_nn_conv_transpose_options *options);

/* x (B, in, M, N) -> (B, out, H, W), as heed_conv_transpose2d. NULL on failure, as heed_nn_conv1d_forward.
 * torch: torch.nn.ConvTranspose2d.forward */
HEED_API heed_tensor *heed_nn_conv_transpose2d_forward(heed_nn_conv_transpose2d *net, heed_tensor *x);

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* heed_max_pool2d as a layer. */
typedef struct heed_nn_max_pool2d {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* of the windows */
    heed_max_pool_options options; /* what heed_max_pool2d is told */
} heed_nn_max_pool2d;

/* The largest of each window, without parameters. NULL options: windows side by side. NULL on failure:
 * HEED_ERR_ARGUMENT for a kernel or stride that there cannot be, HEED_ERR_NOMEM. The rest of the options is looked at
 * by forward.
 * torch: torch.nn.MaxPool2d */
HEED_API HEED_NODISCARD heed_nn_max_pool2d *heed_nn_max_pool2d_new(heed_shape kernel_size,
                                                                   const heed_max_pool_options *options);

/* x (..., H, W) -> (..., M, N), as heed_max_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and what
 * heed_max_pool2d fails with.
 * torch: torch.nn.MaxPool2d.forward */
HEED_API heed_tensor *heed_nn_max_pool2d_forward(heed_nn_max_pool2d *net, heed_tensor *x);

/* heed_avg_pool2d as a layer. */
typedef struct heed_nn_avg_pool2d {
    heed_module base;              /* the module */
    heed_shape kernel_size;        /* of the windows */
    heed_avg_pool_options options; /* what heed_avg_pool2d is told */
} heed_nn_avg_pool2d;

/* The mean of each window, without parameters. NULL options: windows side by side. NULL on failure, as
 * heed_nn_max_pool2d_new.
 * torch: torch.nn.AvgPool2d */
HEED_API HEED_NODISCARD heed_nn_avg_pool2d *heed_nn_avg_pool2d_new(heed_shape kernel_size,
                                                                   const heed_avg_pool_options *options);

/* x (..., H, W) -> (..., M, N), as heed_avg_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and what
 * heed_avg_pool2d fails with.
 * torch: torch.nn.AvgPool2d.forward */
HEED_API heed_tensor *heed_nn_avg_pool2d_forward(heed_nn_avg_pool2d *net, heed_tensor *x);

/* heed_adaptive_avg_pool2d as a layer. */
typedef struct heed_nn_adaptive_avg_pool2d {
    heed_module base;       /* the module */
    heed_shape output_size; /* how many windows */
} heed_nn_adaptive_avg_pool2d;

/* The mean of each of output_size[0] x output_size[1] windows; HEED_SHAPE(1) is that of each plane. NULL on failure:
 * HEED_ERR_ARGUMENT for sizes that there cannot be, HEED_ERR_NOMEM.
 * torch: torch.nn.AdaptiveAvgPool2d */
HEED_API HEED_NODISCARD heed_nn_adaptive_avg_pool2d *heed_nn_adaptive_avg_pool2d_new(heed_shape output_size);

/* x (..., H, W) -> (..., output_size), as heed_adaptive_avg_pool2d. NULL on failure: HEED_ERR_ARGUMENT for NULL, and
 * what heed_adaptive_avg_pool2d fails with.
 * torch: torch.nn.AdaptiveAvgPool2d.forward */
HEED_API heed_tensor *heed_nn_adaptive_avg_pool2d_forward(heed_nn_adaptive_avg_pool2d *net, heed_tensor *x);

HEED_END_DECLS

#endif
