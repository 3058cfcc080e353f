/* heed/ops/norm.h - normalisation and dropout. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_NORM_H
#define HEED_OPS_NORM_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* Over the last axes of x, which must be `shape` (rank 1 at least):  y = (x - mean) / sqrt(variance + eps) weight +
 * bias with the variance by n. weight and bias have that shape, or are NULL. HEED_ERR_SHAPE; HEED_ERR_ARGUMENT unless
 * eps is finite and not negative; between 0 and the smallest normal number of the dtype it counts as that.
 * J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016). */
HEED_API heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* While training, each element is 0 with probability p and x / (1 - p) otherwise: x times 1 / (1 - p), which is rounded
 * to x's dtype. The choice is a function of the generator's seed, its position and the element's row-major index:
 * backward makes it again instead of storing it, and it is the same for any number of threads. p = 1 gives zeros,
 * exactly, forward and backward, also where x is NaN. A call moves the generator (the default one) by one position; one
 * that fails does not. Not training, or p = 0: x itself, and the generator stays. Probabilities are multiples of 2^-32.
 * HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not; HEED_ERR_DTYPE.  dx = g, dropped alike */
HEED_API heed_tensor *heed_dropout(heed_tensor *x, double p, bool training);
HEED_API heed_tensor *heed_generator_dropout(heed_generator *generator, heed_tensor *x, double p, bool training);

HEED_END_DECLS

#endif
