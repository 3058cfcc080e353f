/* heed/ops/norm.h - normalisation and dropout. The rules in heed/ops.h hold here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_NORM_H
#define HEED_OPS_NORM_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* -- Normalisation ------------------------------------------------------------------------------------------------- */

/* Normalises over the last axes of x: y = (x - mean) / sqrt(variance + eps) weight + bias. Differentiable in x, weight
 * and bias.
 *
 * The last axes must have the sizes `shape` (rank 1 at least). The variance is the biased one: the sum of squares
 * divided by the number of elements. weight and bias have that shape, or are NULL. An eps between 0 and the smallest
 * normal number of the dtype counts as that smallest number. Numbers whose squares overflow or underflow are first
 * scaled by a power of two: y and dx are right for all finite x.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless eps is finite and 0 or more.
 * Reference: J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016).
 * torch: torch.nn.functional.layer_norm */
HEED_API heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* Divides by the root mean square over the last axes of x: y = x / sqrt(mean of x^2 + eps) weight. Differentiable in x
 * and weight.
 *
 * The last axes must have the sizes `shape` (rank 1 at least). weight has that shape, or is NULL. eps and extreme
 * numbers are treated as in heed_layer_norm; eps 0 adds 0. PyTorch's default eps, which heed_nn_rms_norm and Python's
 * heed.rms_norm share, is the machine epsilon of the dtype of x: 2^-23 for f32, 2^-52 for f64. PyTorch has the function
 * as nn.functional.rms_norm from 2.4 on.
 *
 * Errors: as heed_layer_norm.
 * Reference: B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019). */
HEED_API heed_tensor *heed_rms_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, double eps);

/* Normalises every channel, axis 1 of x (B, C, ...): y = (x - mean) / sqrt(variance + eps) weight + bias.
 * Differentiable in all tensors.
 *
 * weight and bias are (C), or NULL for 1 and 0. If mean and variance are NULL, as in training, they are computed per
 * channel over all other axes; the variance is the sum of squares divided by the number of elements. *statistics,
 * unless `statistics` is NULL, then receives mean and variance, (2, C), without a gradient and NaN if x is empty.
 * Otherwise mean and variance (C) are the running statistics; give both or neither.
 *
 * Channels whose squares overflow or underflow are scaled as in heed_layer_norm: y and dx are right, and the variance
 * in *statistics is inf or 0 if the dtype of x cannot hold it.
 *
 * Errors: HEED_ERR_SHAPE for other shapes, and for a single number per channel, which has no variance; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT for a mean without a variance or the reverse, and for eps as in heed_layer_norm.
 * Reference: S. Ioffe, C. Szegedy: Batch Normalization (2015).
 * torch: torch.nn.functional.batch_norm */
HEED_API heed_tensor *heed_batch_norm(heed_tensor *x, heed_tensor *mean, heed_tensor *variance, heed_tensor *weight,
                                      heed_tensor *bias, double eps, heed_tensor **statistics);

/* Normalises groups of channels of every sample of x (B, C, ...): y = (x - mean) / sqrt(variance + eps) weight + bias.
 * Differentiable in x, weight and bias.
 *
 * The mean and the variance (sum of squares divided by the number of elements) are taken over all elements of a
 * sample's group of C / groups consecutive channels. weight and bias are (C), or NULL for 1 and 0. Extreme numbers are
 * handled as in heed_layer_norm.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless groups divides C, and for eps as in heed_layer_norm.
 * Reference: Y. Wu, K. He: Group Normalization (2018).
 * torch: torch.nn.functional.group_norm */
HEED_API heed_tensor *heed_group_norm(heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* Normalises every channel of every sample: heed_group_norm with one channel per group, x (B, C, ...).
 * Errors: as heed_group_norm; HEED_ERR_SHAPE also for a channel of one number, which has no variance.
 * Reference: D. Ulyanov, A. Vedaldi, V. Lempitsky: Instance Normalization (2016).
 * torch: torch.nn.functional.instance_norm */
HEED_API heed_tensor *heed_instance_norm(heed_tensor *x, heed_tensor *weight, heed_tensor *bias, double eps);

/* -- Dropout ----------------------------------------------------------------------------------------------------------
 * Whether an element is dropped is a function of the generator's seed, its position and the row-major index of the
 * element. Backward computes this function again instead of storing a mask. The result is the same for any number of
 * threads. p = 1 gives exact zeros, forward and backward, also if x is NaN. A call advances the generator by one
 * position; a call that fails, or that drops no element (not training, or p = 0), does not. Probabilities are multiples
 * of 2^-32. */

/* Drops elements at random while training: every element is 0 with probability p, and x times 1 / (1 - p) (rounded to
 * the dtype of x) otherwise. If not training, or for p = 0, the result is x itself.  dx = g, with the same elements
 * dropped and the same factor. x is f32 or f64 (HEED_ERR_DTYPE), of any shape. The generator in use
 * decides: heed_manual_seed, heed_generator_use.
 * Errors: HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not.
 * torch: torch.nn.functional.dropout */
HEED_API heed_tensor *heed_dropout(heed_tensor *x, double p, bool training);

HEED_END_DECLS

#endif
