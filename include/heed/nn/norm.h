/* heed/nn/norm.h - batch, group, instance and RMS norm; layer norm is in heed/nn/layers.h. The rules in heed/nn.h hold
 * here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_NORM_H
#define HEED_NN_NORM_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Batch norm -------------------------------------------------------------------------------------------------------
 * While base.training, every channel is normalised by its mean and variance over the batch, and the running statistics
 * move towards them:
 *     running = (1 - momentum) running + momentum batch
 * where the variance of a batch is the sum of squares divided by n - 1, for n numbers per channel. After
 * heed_module_eval the running statistics are used instead. They are buffers, saved with the module's state and not
 * trained; a forward that fails, or an empty batch, does not change them. While base.training a forward writes to its
 * module, so two threads must not run it at once. In a team (heed/data_parallel.h) every shard is normalised
 * separately, so parameters have the same bits for any number of processes. The running statistics do, too, if the
 * module is set in heed_data_parallel_options.
 *
 * Reference: S. Ioffe, C. Szegedy: Batch Normalization (2015). */

/* Options of heed_nn_batch_norm_new. */
typedef struct heed_nn_batch_norm_options {
    double eps;      /* 0: 1e-5 */
    double momentum; /* the weight of the batch statistics, up to 1; 0: 0.1 */
    bool cumulative; /* running statistics are the mean over all batches so far, as with PyTorch's momentum=None */
    bool no_affine;  /* without weight and bias */
    bool no_running_stats; /* no buffers: use the statistics of the batch after heed_module_eval too */
    heed_dtype dtype;      /* of parameters, buffers, x and y; 0: f32 */
    HEED_RESERVED;
} heed_nn_batch_norm_options;

/* A batch norm: y = (x - mean) / sqrt(variance + eps) weight + bias per channel. */
typedef struct heed_nn_batch_norm {
    heed_module base;                        /* the module */
    int64_t num_features;                    /* C */
    double eps, momentum;                    /* as in the options, or their defaults */
    bool cumulative;                         /* as in the options */
    heed_tensor *weight, *bias;              /* (C); NULL with no_affine */
    heed_tensor *running_mean, *running_var; /* (C); NULL with no_running_stats */
    heed_tensor *num_batches_tracked;        /* i64 (), the number of batches; NULL with no_running_stats */
} heed_nn_batch_norm;

/* Makes a batch norm of C = num_features channels. The parameters (C) are "weight", which begins as 1, and "bias",
 * which begins as 0. The buffers are "running_mean" (C), which begins as 0, "running_var" (C), which begins as 1, and
 * "num_batches_tracked", an i64 scalar.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, a negative or non-finite eps, a momentum outside [0, 1], and a momentum
 * together with `cumulative`; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * torch: torch.nn.BatchNorm1d, torch.nn.BatchNorm2d */
HEED_API HEED_NODISCARD heed_nn_batch_norm *heed_nn_batch_norm_new(int64_t num_features,
                                                                   const heed_nn_batch_norm_options *options);

/* Normalises x (B, C), (B, C, L) or (B, C, H, W) to the same shape, as heed_batch_norm does, and updates the running
 * statistics while training.
 *
 * Returns NULL on failure; the statistics are then unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for other shapes, and while training for a single number per
 * channel, which has no variance; HEED_ERR_DTYPE unless x has the dtype of the layer; HEED_ERR_NOMEM.
 * torch: torch.nn.BatchNorm1d.forward, torch.nn.BatchNorm2d.forward */
HEED_API heed_tensor *heed_nn_batch_norm_forward(heed_nn_batch_norm *net, heed_tensor *x);

/* -- Group and instance norm --------------------------------------------------------------------------------------- */

/* Options of heed_nn_group_norm_new. */
typedef struct heed_nn_group_norm_options {
    double eps;       /* 0: 1e-5 */
    bool no_affine;   /* without weight and bias; forward then takes f32 and f64 */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_group_norm_options;

/* A group norm: y = (x - mean) / sqrt(variance + eps) weight + bias per sample and group of channels. */
typedef struct heed_nn_group_norm {
    heed_module base;                 /* the module */
    int64_t num_groups, num_channels; /* the numbers of groups and of channels C */
    double eps;                       /* added to the variance */
    heed_tensor *weight, *bias;       /* (C); NULL with no_affine */
} heed_nn_group_norm;

/* Makes a group norm. The parameters (C) are "weight", which begins as 1, and "bias", which begins as 0.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, for num_groups that does not divide num_channels, and for a negative or
 * non-finite eps; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * torch: torch.nn.GroupNorm */
HEED_API HEED_NODISCARD heed_nn_group_norm *heed_nn_group_norm_new(int64_t num_groups, int64_t num_channels,
                                                                   const heed_nn_group_norm_options *options);

/* Normalises x (B, C, ...) to the same shape, as heed_group_norm does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different number of channels; HEED_ERR_DTYPE unless x has
 * the dtype of the parameters; HEED_ERR_NOMEM.
 * torch: torch.nn.GroupNorm.forward */
HEED_API heed_tensor *heed_nn_group_norm_forward(heed_nn_group_norm *net, heed_tensor *x);

/* Options of heed_nn_instance_norm_new. */
typedef struct heed_nn_instance_norm_options {
    double eps;       /* 0: 1e-5 */
    bool affine;      /* with a weight and a bias; without them forward takes f32 and f64 */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_instance_norm_options;

/* An instance norm: y = (x - mean) / sqrt(variance + eps) weight + bias per sample and channel. */
typedef struct heed_nn_instance_norm {
    heed_module base;           /* the module */
    int64_t num_features;       /* C */
    double eps;                 /* added to the variance */
    heed_tensor *weight, *bias; /* (C); NULL unless affine */
} heed_nn_instance_norm;

/* Makes an instance norm of num_features channels. If affine, the parameters (C) are "weight", which begins as 1, and
 * "bias", which begins as 0.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_group_norm_new.
 * torch: torch.nn.InstanceNorm1d, torch.nn.InstanceNorm2d */
HEED_API HEED_NODISCARD heed_nn_instance_norm *heed_nn_instance_norm_new(int64_t num_features,
                                                                         const heed_nn_instance_norm_options *options);

/* Normalises x (B, C, L) or (B, C, H, W) to the same shape, as heed_instance_norm does. It does the same in training
 * and evaluation.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for other shapes and for a single number per channel;
 * HEED_ERR_DTYPE unless x has the dtype of the parameters; HEED_ERR_NOMEM.
 * torch: torch.nn.InstanceNorm1d.forward, torch.nn.InstanceNorm2d.forward */
HEED_API heed_tensor *heed_nn_instance_norm_forward(heed_nn_instance_norm *net, heed_tensor *x);

/* -- RMS norm ------------------------------------------------------------------------------------------------------ */

/* Options of heed_nn_rms_norm_new. */
typedef struct heed_nn_rms_norm_options {
    double eps;       /* 0: the machine epsilon of x's dtype, 2^-23 or 2^-52 */
    bool no_affine;   /* without a weight; forward then takes f32 and f64 */
    heed_dtype dtype; /* of the weight; 0: f32 */
    HEED_RESERVED;
} heed_nn_rms_norm_options;

/* An RMS norm: y = x / sqrt(mean of x^2 + eps) weight. */
typedef struct heed_nn_rms_norm {
    heed_module base;    /* the module */
    heed_shape shape;    /* sizes of the last axes, which are normalised together */
    double eps;          /* added to the mean square; 0: the machine epsilon of x's dtype */
    heed_tensor *weight; /* has the shape `shape`; NULL with no_affine */
} heed_nn_rms_norm;

/* Makes an RMS norm over the last axes, whose sizes are `shape` (rank 1 or more). The parameter is "weight", which has
 * this shape and begins as 1.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_layer_norm_new.
 * Reference: B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019). */
HEED_API HEED_NODISCARD heed_nn_rms_norm *heed_nn_rms_norm_new(heed_shape shape,
                                                               const heed_nn_rms_norm_options *options);

/* Normalises x (..., shape) to the same shape, as heed_rms_norm does.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_layer_norm_forward. */
HEED_API heed_tensor *heed_nn_rms_norm_forward(heed_nn_rms_norm *net, heed_tensor *x);

HEED_END_DECLS

#endif
