/* heed/ops/norm.h - normalisation and dropout. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_NORM_H
#define HEED_OPS_NORM_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* -- Normalisation ------------------------------------------------------------------------------------------------- */

/* y = (x - mean) / sqrt(variance + eps) weight + bias over the last axes of x, which must be `shape` (rank 1 at least);
 * the variance is by n. weight and bias have that shape, or are NULL.  Differentiable in x, weight and bias.
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT unless eps is finite and not negative; between 0 and the smallest
 * normal number of the dtype it counts as that. Numbers whose squares overflow or underflow are scaled first, by a
 * power of two: y and dx are right for all finite x. J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016).
 * torch: torch.nn.functional.layer_norm */
HEED_API heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* y = x / sqrt(mean of x^2 + eps) weight over the last axes of x, which must be `shape` (rank 1 at least). weight has
 * that shape, or is NULL.  Differentiable in x and weight. Errors, eps and extreme numbers as of heed_layer_norm; eps 0
 * adds nothing. PyTorch's default, which heed_nn_rms_norm and Python's heed.rms_norm share, is the machine epsilon of
 * x's dtype: 2^-23 for f32, 2^-52 for f64. PyTorch has it as nn.functional.rms_norm from 2.4 on.
 * B. Zhang, R. Sennrich: Root Mean Square Layer Normalization (2019). */
HEED_API heed_tensor *heed_rms_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, double eps);

/* y = (x - mean) / sqrt(variance + eps) weight + bias for each channel, which is axis 1: x (B, C, ...), weight and bias
 * (C) or NULL, 1 and 0. With mean and variance NULL, as in training, they are those of the channel over all other axes,
 * the variance by n; *statistics, unless it is NULL, gets them, (2, C) without a gradient, NaN where x is empty.
 * Channels whose squares overflow or underflow are scaled as in heed_layer_norm: y and dx are right, and the variance
 * that *statistics gets is inf or 0 if x's dtype cannot hold it. Else mean and variance (C)
 * are what was gathered before, both or none.  Differentiable in all tensors. HEED_ERR_SHAPE for other shapes, and for
 * a single number in each channel, which has no variance; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for mean without variance,
 * and for eps as of heed_layer_norm. S. Ioffe, C. Szegedy: Batch Normalization (2015).
 * torch: torch.nn.functional.batch_norm */
HEED_API heed_tensor *heed_batch_norm(heed_tensor *x, heed_tensor *mean, heed_tensor *variance, heed_tensor *weight,
                                      heed_tensor *bias, double eps, heed_tensor **statistics);

/* y = (x - mean) / sqrt(variance + eps) weight + bias, where mean and variance (by n) are those of a sample's group of
 * C / groups channels next to each other, over all of their elements: x (B, C, ...), weight and bias (C) or NULL, 1 and
 * 0. Differentiable in x, weight and bias. Extreme numbers as in heed_layer_norm. HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT unless groups divides C, and for eps as of heed_layer_norm. Y. Wu, K. He: Group Normalization
 * (2018).
 * torch: torch.nn.functional.group_norm */
HEED_API heed_tensor *heed_group_norm(heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* heed_group_norm with a group for each channel, x (B, C, ...). HEED_ERR_SHAPE, too, for a channel of one number, which
 * has no variance. D. Ulyanov, A. Vedaldi, V. Lempitsky: Instance Normalization (2016).
 * torch: torch.nn.functional.instance_norm */
HEED_API heed_tensor *heed_instance_norm(heed_tensor *x, heed_tensor *weight, heed_tensor *bias, double eps);

/* -- Dropout ----------------------------------------------------------------------------------------------------------
 * The choice of what is dropped is a function of the generator's seed, its position and the element's row-major index:
 * backward makes it again instead of storing it, and it is the same for any number of threads. p = 1 gives zeros,
 * exactly, forward and backward, also where x is NaN. A call moves the generator by one position; one that fails, or
 * that drops nothing (not training, or p = 0), does not. Probabilities are multiples of 2^-32. */

/* While training, each element is 0 with probability p, and x times 1 / (1 - p) (rounded to x's dtype) otherwise; not
 * training, or for p = 0, x itself.  dx = g, dropped alike. x is f32 or f64 (HEED_ERR_DTYPE), of any shape. The default
 * generator decides: heed_manual_seed. HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not.
 * torch: torch.nn.functional.dropout */
HEED_API heed_tensor *heed_dropout(heed_tensor *x, double p, bool training);

/* heed_dropout by a generator of yours: while training, each element is 0 with probability p, and x / (1 - p)
 * otherwise.
 * dx = g, dropped alike. HEED_ERR_ARGUMENT for a NULL generator and unless 0 <= p <= 1; HEED_ERR_DTYPE unless x is f32
 * or f64. */
HEED_API heed_tensor *heed_generator_dropout(heed_generator *generator, heed_tensor *x, double p, bool training);

HEED_END_DECLS

#endif
