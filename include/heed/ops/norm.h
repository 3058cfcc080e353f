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
 * normal number of the dtype it counts as that. J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016).
 * torch: torch.nn.functional.layer_norm */
HEED_API heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

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
