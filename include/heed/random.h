/* heed/random.h - random tensors from a counter-based generator, Philox4x32-10.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011). A
 * generator is a seed (the key) and a position (the counter). A call advances the position by as many numbers as it
 * needs. Element i of its result depends only on the seed, the position and i, so results are the same for any number
 * of threads. */
#ifndef HEED_RANDOM_H
#define HEED_RANDOM_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* A random number generator: a seed and a position. */
typedef struct heed_generator heed_generator;

/* -- Drawing from the default generator -------------------------------------------------------------------------------
 * All return NULL with HEED_ERR_SHAPE for an invalid shape, or HEED_ERR_NOMEM; the generator's position is then
 * unchanged. */

/* Resets the default generator to `seed`, position 0.
 * torch: torch.manual_seed   numpy: numpy.random.seed */
HEED_API void heed_manual_seed(uint64_t seed);

/* Returns numbers uniform in [0, 1), with 24 random bits for f32 and 53 for f64.
 * Errors: NULL with HEED_ERR_DTYPE for a different dtype, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.rand   numpy: numpy.random.rand */
HEED_API heed_tensor *heed_rand(heed_dtype dtype, heed_shape shape);

/* Returns normal numbers with mean 0 and variance 1, by the method of Box and Muller.
 * Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randn   numpy: numpy.random.randn */
HEED_API heed_tensor *heed_randn(heed_dtype dtype, heed_shape shape);

/* Draws as heed_rand does, with t's dtype and shape: uniform in [0, 1).
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.rand_like */
HEED_API heed_tensor *heed_rand_like(const heed_tensor *t);

/* Draws as heed_randn does, with t's dtype and shape: normal, mean 0 and variance 1.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.randn_like */
HEED_API heed_tensor *heed_randn_like(const heed_tensor *t);

/* Returns normal numbers with the given mean and standard deviation: mean + std times the numbers of heed_randn.
 * Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless both are finite and std >= 0,
 * HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.normal   numpy: numpy.random.normal */
HEED_API heed_tensor *heed_normal(heed_dtype dtype, heed_shape shape, double mean, double std);

/* Returns i64 numbers uniform in low .. high - 1.
 * A number is low plus the upper 64 bits of the product of a random 64-bit number and the range, so its probability
 * differs from the exact one by at most 2^-64.
 * Errors: NULL with HEED_ERR_ARGUMENT unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randint   numpy: numpy.random.randint */
HEED_API heed_tensor *heed_randint(int64_t low, int64_t high, heed_shape shape);

/* Returns 0 .. n - 1 in random order, i64 (n), by the method of Fisher and Yates.
 * Errors: NULL with HEED_ERR_ARGUMENT for n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randperm   numpy: numpy.random.permutation */
HEED_API heed_tensor *heed_permutation(int64_t n);

/* Returns a bool tensor whose elements are true with probability p: never for p = 0 and always for p = 1.
 * Errors: NULL with HEED_ERR_ARGUMENT unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.bernoulli */
HEED_API heed_tensor *heed_bernoulli(double p, heed_shape shape);

/* Draws `count` numbers of 0 .. C - 1 for every row of weights (..., C), f32 or f64; returns i64 (..., count).
 * The probability of a number is its weight divided by the row's sum. With `replacement` the numbers are drawn one by
 * one, from cumulative sums of the weights in f64. Without it, every number is assigned an exponential random number
 * divided by its weight, and the `count` numbers with the smallest quotients are returned, smallest first. No number is
 * drawn twice, and numbers of weight 0 are never drawn.
 * Errors: NULL with HEED_ERR_ARGUMENT for a weight that is negative, infinite or NaN, for a row whose sum is 0 or
 * overflows, for count < 0, or without replacement for a count above the number of weights above 0; HEED_ERR_SHAPE for
 * a scalar; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.multinomial   numpy: numpy.random.choice */
HEED_API heed_tensor *heed_multinomial(heed_tensor *weights, int64_t count, bool replacement);

/* Returns exponential numbers with mean 1 / rate: -ln(1 - u) / rate, never negative.
 * Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless rate is finite and above 0,
 * HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.Tensor.exponential_   numpy: numpy.random.exponential */
HEED_API heed_tensor *heed_exponential(heed_dtype dtype, heed_shape shape, double rate);

/* -- Generators: expert calls -------------------------------------------------------------------------------------- */

/* Returns a generator with that seed at position 0, to be freed by heed_generator_free.
 * Errors: NULL with HEED_ERR_NOMEM.
 * torch: torch.Generator   numpy: numpy.random.default_rng */
HEED_API HEED_NODISCARD heed_generator *heed_generator_new(uint64_t seed);

/* Frees a generator. NULL and the default generator are ignored. */
HEED_API void heed_generator_free(heed_generator *generator);

/* Returns the default generator of the process, which has seed 0 until heed_manual_seed.
 * The position of a generator moves atomically, so threads may share a generator; the numbers that a thread gets then
 * depend on the order of the calls. The call cannot fail.
 * torch: torch.default_generator */
HEED_API heed_generator *heed_generator_default(void);

/* Resets `generator` (NULL: the default one) to `seed`, position 0.
 * torch: torch.Generator.manual_seed */
HEED_API void heed_generator_seed(heed_generator *generator, uint64_t seed);

/* Writes the seed and the position of a generator, as stored in a checkpoint.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Generator.get_state   numpy: numpy.random.get_state */
HEED_API heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position);

/* Sets the seed and the position of a generator.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Generator.set_state   numpy: numpy.random.set_state */
HEED_API heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position);

/* -- Drawing from a given generator: expert calls ---------------------------------------------------------------------
 * `generator` must not be NULL (HEED_ERR_ARGUMENT). After a failure its position is unchanged. */

/* Draws as heed_rand does, from a given generator: uniform in [0, 1), f32 or f64.
 * Errors: NULL with HEED_ERR_DTYPE for a different dtype, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE,
 * HEED_ERR_NOMEM.
 * torch: torch.rand   numpy: numpy.random.Generator.random */
HEED_API heed_tensor *heed_generator_rand(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* Draws as heed_randn does, from a given generator: normal, mean 0 and variance 1, f32 or f64.
 * Errors: NULL with HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE,
 * HEED_ERR_NOMEM.
 * torch: torch.randn   numpy: numpy.random.Generator.standard_normal */
HEED_API heed_tensor *heed_generator_randn(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* Draws as heed_normal does, from a given generator.
 * Errors: NULL as heed_normal, and with HEED_ERR_ARGUMENT for a NULL generator.
 * torch: torch.normal   numpy: numpy.random.Generator.normal */
HEED_API heed_tensor *heed_generator_normal(heed_generator *generator, heed_dtype dtype, heed_shape shape, double mean,
                                            double std);

/* Draws as heed_randint does, from a given generator: i64, uniform in low .. high - 1.
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator and unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randint   numpy: numpy.random.Generator.integers */
HEED_API heed_tensor *heed_generator_randint(heed_generator *generator, int64_t low, int64_t high, heed_shape shape);

/* Draws as heed_permutation does, from a given generator: 0 .. n - 1 in random order, i64 (n).
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator or n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randperm   numpy: numpy.random.Generator.permutation */
HEED_API heed_tensor *heed_generator_permutation(heed_generator *generator, int64_t n);

/* Draws as heed_bernoulli does, from a given generator: bool, true with probability p.
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL generator and unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.bernoulli */
HEED_API heed_tensor *heed_generator_bernoulli(heed_generator *generator, double p, heed_shape shape);

/* Draws as heed_multinomial does, from a given generator.
 * Errors: NULL as heed_multinomial, and with HEED_ERR_ARGUMENT for a NULL generator.
 * torch: torch.multinomial   numpy: numpy.random.Generator.choice */
HEED_API heed_tensor *heed_generator_multinomial(heed_generator *generator, heed_tensor *weights, int64_t count,
                                                 bool replacement);

/* Draws as heed_exponential does, from a given generator.
 * Errors: NULL as heed_exponential, and with HEED_ERR_ARGUMENT for a NULL generator.
 * torch: torch.Tensor.exponential_   numpy: numpy.random.Generator.exponential */
HEED_API heed_tensor *heed_generator_exponential(heed_generator *generator, heed_dtype dtype, heed_shape shape,
                                                 double rate);

HEED_END_DECLS

#endif
