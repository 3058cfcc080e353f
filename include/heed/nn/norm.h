/* heed/nn/norm.h - batch, group, instance and RMS norm; layer norm is in heed/nn/layers.h. What heed/nn.h says of all
 * layers holds here.
 */
#ifndef HEED_NN_NORM_H
#define HEED_NN_NORM_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Batch norm ------------------------------------------------------------------------------------------------------
 * While base.training each channel is normalised by its mean and variance over the batch, and the running statistics
 * move towards these:
 *     running = (1 - momentum) running + momentum found
 * where the variance found is divided by n - 1. After heed_module_eval the running ones are used instead. They are
 * buffers, saved with the module's state and not trained; a forward that fails, or an empty batch, leaves them as they
 * were. While base.training a forward writes to its module, so two threads must not run it at once. In a team
 * (heed/data_parallel.h) each shard is normalised by itself, so that parameters have the same bits for any number of
 * processes; and so have running statistics where the team is told of the module.
 * S. Ioffe, C. Szegedy: Batch Normalization (2015). */

/* What heed_nn_batch_norm1d_new and heed_nn_batch_norm2d_new may be told. */
typedef struct heed_nn_batch_norm_options {
    double eps;            /* 0: 1e-5 */
    double momentum;       /* the weight of what is found, up to 1; 0: 0.1 */
    bool cumulative;       /* instead of momentum: the mean over all batches so far, PyTorch's momentum=None */
    bool no_affine;        /* neither weight nor bias */
    bool no_running_stats; /* no buffers: statistics of the batch also after heed_module_eval */
    heed_dtype dtype;      /* of parameters and buffers, and so of x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_batch_norm_options;

/* y = (x - mean) / sqrt(variance + eps) weight + bias for each channel. */
typedef struct heed_nn_batch_norm {
    heed_module base;                        /* the module */
    int64_t num_features;                    /* C */
    double eps, momentum;                    /* as in the options, or their defaults */
    bool cumulative;                         /* as in the options */
    heed_tensor *weight, *bias;              /* (C); NULL with no_affine */
    heed_tensor *running_mean, *running_var; /* (C); NULL with no_running_stats */
    heed_tensor *num_batches_tracked;        /* i64 (), how many batches they are of; NULL with no_running_stats */
} heed_nn_batch_norm;

/* Batch norm of (B, C) and (B, C, L), and of (B, C, H, W). */
typedef heed_nn_batch_norm heed_nn_batch_norm1d;
typedef heed_nn_batch_norm heed_nn_batch_norm2d;

/* Batch norm of num_features channels: parameters "weight", ones, and "bias", zeros, buffers "running_mean", zeros, and
 * "running_var", ones, all (C), and "num_batches_tracked", i64 (). NULL on failure: HEED_ERR_ARGUMENT for a size below
 * 1, an eps that is negative or not finite, a momentum outside [0, 1] or given with cumulative, HEED_ERR_SHAPE for more
 * elements than can be counted, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.nn.BatchNorm1d */
HEED_API HEED_NODISCARD heed_nn_batch_norm1d *heed_nn_batch_norm1d_new(int64_t num_features,
                                                                       const heed_nn_batch_norm_options *options);

/* x (B, C) or (B, C, L) to the same shape, as heed_batch_norm; moves the running statistics while training. NULL on
 * failure, and nothing has moved: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for other shapes, and while training for a
 * single number in each channel, which has no variance; HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_NOMEM.
 * torch: torch.nn.BatchNorm1d.forward */
HEED_API heed_tensor *heed_nn_batch_norm1d_forward(heed_nn_batch_norm1d *net, heed_tensor *x);

/* The same for planes, with the same parameters and buffers. NULL on failure, as heed_nn_batch_norm1d_new.
 * torch: torch.nn.BatchNorm2d */
HEED_API HEED_NODISCARD heed_nn_batch_norm2d *heed_nn_batch_norm2d_new(int64_t num_features,
                                                                       const heed_nn_batch_norm_options *options);

/* x (B, C, H, W) to the same shape. NULL on failure, as heed_nn_batch_norm1d_forward.
 * torch: torch.nn.BatchNorm2d.forward */
HEED_API heed_tensor *heed_nn_batch_norm2d_forward(heed_nn_batch_norm2d *net, heed_tensor *x);

/* -- Group and instance norm --------------------------------------------------------------------------------------- */

/* What heed_nn_group_norm_new may be told. */
typedef struct heed_nn_group_norm_options {
    double eps;       /* 0: 1e-5 */
    bool no_affine;   /* neither weight nor bias: forward takes f32 and f64 */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_group_norm_options;

/* y = (x - mean) / sqrt(variance + eps) weight + bias for each sample and group of channels. */
typedef struct heed_nn_group_norm {
    heed_module base;                 /* the module */
    int64_t num_groups, num_channels; /* C channels, in how many groups */
    double eps;                       /* added to the variance */
    heed_tensor *weight, *bias;       /* (C); NULL where there is none */
} heed_nn_group_norm;

/* Group norm: parameters "weight", ones, and "bias", zeros, (C). NULL on failure: HEED_ERR_ARGUMENT for a size below 1,
 * groups that do not divide the channels, or an eps that is negative or not finite, HEED_ERR_SHAPE for more elements
 * than can be counted, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.nn.GroupNorm */
HEED_API HEED_NODISCARD heed_nn_group_norm *heed_nn_group_norm_new(int64_t num_groups, int64_t num_channels,
                                                                   const heed_nn_group_norm_options *options);

/* x (B, C, ...) to the same shape, as heed_group_norm. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for
 * other channels, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
 * torch: torch.nn.GroupNorm.forward */
HEED_API heed_tensor *heed_nn_group_norm_forward(heed_nn_group_norm *net, heed_tensor *x);

/* What heed_nn_instance_norm1d_new and heed_nn_instance_norm2d_new may be told. */
typedef struct heed_nn_instance_norm_options {
    double eps;       /* 0: 1e-5 */
    bool affine;      /* a weight and a bias; without them forward takes f32 and f64 */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_instance_norm_options;

/* y = (x - mean) / sqrt(variance + eps) weight + bias for each sample and channel. */
typedef struct heed_nn_instance_norm {
    heed_module base;           /* the module */
    int64_t num_features;       /* C */
    double eps;                 /* added to the variance */
    heed_tensor *weight, *bias; /* (C); NULL unless affine */
} heed_nn_instance_norm;

/* Instance norm of (B, C, L), and of (B, C, H, W). */
typedef heed_nn_instance_norm heed_nn_instance_norm1d;
typedef heed_nn_instance_norm heed_nn_instance_norm2d;

/* Instance norm of num_features channels; affine: parameters "weight", ones, and "bias", zeros, (C). NULL on failure,
 * as heed_nn_group_norm_new.
 * torch: torch.nn.InstanceNorm1d */
HEED_API HEED_NODISCARD heed_nn_instance_norm1d *
heed_nn_instance_norm1d_new(int64_t num_features, const heed_nn_instance_norm_options *options);

/* x (B, C, L) to the same shape, as heed_instance_norm, training or not. NULL on failure: HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_SHAPE for other shapes and for L = 1, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
 * torch: torch.nn.InstanceNorm1d.forward */
HEED_API heed_tensor *heed_nn_instance_norm1d_forward(heed_nn_instance_norm1d *net, heed_tensor *x);

/* The same for planes, with the same parameters. NULL on failure, as heed_nn_group_norm_new.
 * torch: torch.nn.InstanceNorm2d */
HEED_API HEED_NODISCARD heed_nn_instance_norm2d *
heed_nn_instance_norm2d_new(int64_t num_features, const heed_nn_instance_norm_options *options);

/* x (B, C, H, W) to the same shape. NULL on failure, as heed_nn_instance_norm1d_forward.
 * torch: torch.nn.InstanceNorm2d.forward */
HEED_API heed_tensor *heed_nn_instance_norm2d_forward(heed_nn_instance_norm2d *net, heed_tensor *x);

/* -- RMS norm ------------------------------------------------------------------------------------------------------ */

/* What heed_nn_rms_norm_new may be told. */
typedef struct heed_nn_rms_norm_options {
    double eps;       /* 0: that of x's dtype, 2^-23 or 2^-52 */
    bool no_affine;   /* no weight: forward takes f32 and f64 */
    heed_dtype dtype; /* of the weight; 0: f32 */
    HEED_RESERVED;
} heed_nn_rms_norm_options;

/* y = x / sqrt(mean of x^2 + eps) weight. */
typedef struct heed_nn_rms_norm {
    heed_module base;    /* the module */
    heed_shape shape;    /* of the last axes, which are normalised together */
    double eps;          /* added to the mean square; 0: by x's dtype */
    heed_tensor *weight; /* of that shape; NULL with no_affine */
} heed_nn_rms_norm;

/* RMS norm over last axes of the given shape (rank 1 or more): parameter "weight", ones, of that shape. NULL on
 * failure, as heed_nn_layer_norm_new. B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019). */
HEED_API HEED_NODISCARD heed_nn_rms_norm *heed_nn_rms_norm_new(heed_shape shape,
                                                               const heed_nn_rms_norm_options *options);

/* x (..., shape) to the same shape, as heed_rms_norm. NULL on failure, as heed_nn_layer_norm_forward. */
HEED_API heed_tensor *heed_nn_rms_norm_forward(heed_nn_rms_norm *net, heed_tensor *x);

HEED_END_DECLS

#endif
