/* heed/random.h - random tensors from a counter-based generator, Philox4x32-10.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011).
 * A generator is a seed (the key) and a position (the counter). A call takes the positions it needs, and
 * element i is a function of seed, position and i alone: the same for any number of threads.
 */
#ifndef HEED_RANDOM_H
#define HEED_RANDOM_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_generator heed_generator;

/* A generator at position 0. NULL with HEED_ERR_NOMEM. */
HEED_API heed_generator *heed_generator_new(uint64_t seed);
HEED_API void heed_generator_free(heed_generator *generator);

/* The default generator: one for the whole process, seeded with 0 until heed_manual_seed. The position of a
 * generator moves atomically: threads may share one, and then which thread gets which numbers depends on their
 * order. */
HEED_API heed_generator *heed_generator_default(void);

/* Starts `generator` (NULL: the default one) again at `seed`, position 0. */
HEED_API void heed_generator_seed(heed_generator *generator, uint64_t seed);

/* Seeds the default generator. */
HEED_API void heed_manual_seed(uint64_t seed);

/* Seed and position, and back to a position: what a checkpoint stores. HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position);
HEED_API heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position);

/* The functions below draw from the default generator; heed_generator_... from the one given, which must not be
 * NULL. All fail with HEED_ERR_SHAPE and HEED_ERR_NOMEM, and leave the generator's position as it was. */

/* Uniform in [0, 1): 24 random bits for f32, 53 for f64. HEED_ERR_DTYPE for another dtype. */
HEED_API heed_tensor *heed_rand(heed_dtype dtype, heed_shape shape);
HEED_API heed_tensor *heed_generator_rand(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* Normal, mean 0 and variance 1, by Box and Muller. HEED_ERR_DTYPE unless f32 or f64. */
HEED_API heed_tensor *heed_randn(heed_dtype dtype, heed_shape shape);
HEED_API heed_tensor *heed_generator_randn(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* i64, uniform in low .. high - 1: the high word of 64 random bits times the range, so a number's probability
 * is off by at most 2^-64. HEED_ERR_ARGUMENT unless low < high. */
HEED_API heed_tensor *heed_randint(int64_t low, int64_t high, heed_shape shape);
HEED_API heed_tensor *heed_generator_randint(heed_generator *generator, int64_t low, int64_t high, heed_shape shape);

/* i64 (n): 0 .. n - 1 in random order (Fisher and Yates). HEED_ERR_ARGUMENT for n < 0. */
HEED_API heed_tensor *heed_permutation(int64_t n);
HEED_API heed_tensor *heed_generator_permutation(heed_generator *generator, int64_t n);

/* bool: true with probability p, never for 0 and always for 1. HEED_ERR_ARGUMENT unless 0 <= p <= 1. */
HEED_API heed_tensor *heed_bernoulli(double p, heed_shape shape);
HEED_API heed_tensor *heed_generator_bernoulli(heed_generator *generator, double p, heed_shape shape);

HEED_END_DECLS

#endif
