/* heed/random.h - random tensors from a counter-based generator, Philox4x32-10.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011). A
 * generator is a seed (the key) and a position (the counter). A call advances the position by as many numbers as it
 * needs. Element i of its result depends only on the seed, the position and i, so results are the same for any number
 * of threads.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_RANDOM_H
#define HEED_RANDOM_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* A random number generator: a seed and a position. */
typedef struct heed_generator heed_generator;

/* -- Drawing ----------------------------------------------------------------------------------------------------------
 * All draw from the generator in use: the default one, unless the thread has chosen a different one by
 * heed_generator_use. All return NULL with HEED_ERR_SHAPE for an invalid shape, or HEED_ERR_NOMEM; the generator's
 * position is then unchanged. */

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

/* Frees a generator. NULL and the default generator are ignored. If the calling thread uses the generator, the default
 * one takes its place; draws of a different thread that uses it fail with HEED_ERR_STATE. */
HEED_API void heed_generator_free(heed_generator *generator);

/* Makes `generator` (NULL: the default one) the generator in use: the calling thread draws from it, also in dropout,
 * initial values, splits, loaders and sampling without a generator of their own.
 *
 *     heed_generator *previous = heed_generator_use(mine);
 *     heed_nn_init_xavier_uniform(w, 1);
 *     heed_generator_use(previous);
 *
 * Every thread has its own choice, at first the default generator. Functions that compute a second time, such as
 * heed_checkpointed, repeat their numbers, whatever generator is in use.
 *
 * Returns the generator that was in use.
 * Errors: NULL with HEED_ERR_STATE for a freed generator, and if a different thread has freed the generator in use,
 * which only heed_generator_use(NULL) replaces. The generator in use is then unchanged. */
HEED_API heed_generator *heed_generator_use(heed_generator *generator);

/* Returns the default generator of the process, which has seed 0 until heed_manual_seed.
 * The position of a generator moves atomically, so threads may share a generator; the numbers that a thread gets then
 * depend on the order of the calls. The call cannot fail.
 * torch: torch.default_generator */
HEED_API heed_generator *heed_generator_default(void);

/* Writes the seed and the position of a generator (NULL: the one in use), as stored in a checkpoint.
 * Errors: HEED_ERR_ARGUMENT if seed or position is NULL.
 * torch: torch.Generator.get_state   numpy: numpy.random.get_state */
HEED_API heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position);

/* Sets the seed and the position of a generator (NULL: the one in use). Position 0 restarts the seed's numbers.
 * Errors: HEED_ERR_STATE for a freed generator.
 * torch: torch.Generator.manual_seed, torch.Generator.set_state   numpy: numpy.random.set_state */
HEED_API heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position);

HEED_END_DECLS

#endif
