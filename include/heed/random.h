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

/* A seed and a position. */
typedef struct heed_generator heed_generator;

/* A generator of that seed at position 0, to be freed by heed_generator_free. NULL with HEED_ERR_NOMEM.
 * torch: torch.Generator   numpy: numpy.random.default_rng */
HEED_API HEED_NODISCARD heed_generator *heed_generator_new(uint64_t seed);

/* Frees a generator. NULL is ignored, and so is the default generator. */
HEED_API void heed_generator_free(heed_generator *generator);

/* The default generator: one for the whole process, seeded with 0 until heed_manual_seed. The position of a
 * generator moves atomically: threads may share one, and then which thread gets which numbers depends on their
 * order.
 * torch: torch.default_generator */
HEED_API heed_generator *heed_generator_default(void);

/* Starts `generator` (NULL: the default one) again at `seed`, position 0.
 * torch: torch.Generator.manual_seed */
HEED_API void heed_generator_seed(heed_generator *generator, uint64_t seed);

/* Starts the default generator again at `seed`, position 0.
 * torch: torch.manual_seed   numpy: numpy.random.seed */
HEED_API void heed_manual_seed(uint64_t seed);

/* Writes the seed and the position, which are what a checkpoint stores. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Generator.get_state   numpy: numpy.random.get_state */
HEED_API heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position);

/* Goes back to a seed and a position. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Generator.set_state   numpy: numpy.random.set_state */
HEED_API heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position);

/* -- Drawing --------------------------------------------------------------------------------------------------------
 * Functions draw from the default generator; heed_generator_... from the one given, which must not be NULL
 * (HEED_ERR_ARGUMENT). All return NULL with HEED_ERR_SHAPE for a shape that is not valid, HEED_ERR_NOMEM, and then
 * leave the generator's position as it was. */

/* A tensor of numbers uniform in [0, 1): 24 random bits for f32, 53 for f64. NULL on failure: HEED_ERR_DTYPE for
 * another dtype, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.rand   numpy: numpy.random.rand */
HEED_API heed_tensor *heed_rand(heed_dtype dtype, heed_shape shape);

/* heed_rand from a generator of your own: uniform in [0, 1), f32 or f64. NULL on failure: HEED_ERR_DTYPE for another
 * dtype, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.rand   numpy: numpy.random.Generator.random */
HEED_API heed_tensor *heed_generator_rand(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* A tensor of normal numbers, mean 0 and variance 1, by Box and Muller. NULL on failure: HEED_ERR_DTYPE unless f32 or
 * f64, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randn   numpy: numpy.random.randn */
HEED_API heed_tensor *heed_randn(heed_dtype dtype, heed_shape shape);

/* heed_randn from a generator of your own: normal, mean 0 and variance 1, f32 or f64. NULL on failure: HEED_ERR_DTYPE
 * unless f32 or f64, HEED_ERR_ARGUMENT for a NULL generator, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randn   numpy: numpy.random.Generator.standard_normal */
HEED_API heed_tensor *heed_generator_randn(heed_generator *generator, heed_dtype dtype, heed_shape shape);

/* A tensor of normal numbers of that mean and standard deviation: mean + std times what heed_randn draws. NULL on
 * failure: HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_ARGUMENT unless both are finite and std >= 0, HEED_ERR_SHAPE,
 * HEED_ERR_NOMEM.
 * torch: torch.normal   numpy: numpy.random.normal */
HEED_API heed_tensor *heed_normal(heed_dtype dtype, heed_shape shape, double mean, double std);

/* heed_normal from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
 * torch: torch.normal   numpy: numpy.random.Generator.normal */
HEED_API heed_tensor *heed_generator_normal(heed_generator *generator, heed_dtype dtype, heed_shape shape, double mean,
                                            double std);

/* A tensor of exponential numbers, of mean 1 / rate: -ln(1 - u) / rate, never negative. NULL on failure: HEED_ERR_DTYPE
 * unless f32 or f64, HEED_ERR_ARGUMENT unless rate is finite and above 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.Tensor.exponential_   numpy: numpy.random.exponential */
HEED_API heed_tensor *heed_exponential(heed_dtype dtype, heed_shape shape, double rate);

/* heed_exponential from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
 * torch: torch.Tensor.exponential_   numpy: numpy.random.Generator.exponential */
HEED_API heed_tensor *heed_generator_exponential(heed_generator *generator, heed_dtype dtype, heed_shape shape,
                                                 double rate);

/* heed_rand of t's dtype and shape: uniform in [0, 1). NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE
 * unless t is f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.rand_like */
HEED_API heed_tensor *heed_rand_like(const heed_tensor *t);

/* heed_randn of t's dtype and shape: normal, mean 0 and variance 1. NULL on failure: HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.randn_like */
HEED_API heed_tensor *heed_randn_like(const heed_tensor *t);

/* An i64 tensor, uniform in low .. high - 1: the high word of 64 random bits times the range, so a number's
 * probability is off by at most 2^-64. NULL on failure: HEED_ERR_ARGUMENT unless low < high, HEED_ERR_SHAPE,
 * HEED_ERR_NOMEM.
 * torch: torch.randint   numpy: numpy.random.randint */
HEED_API heed_tensor *heed_randint(int64_t low, int64_t high, heed_shape shape);

/* heed_randint from a generator of your own: i64, uniform in low .. high - 1. NULL on failure: HEED_ERR_ARGUMENT for a
 * NULL generator and unless low < high, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randint   numpy: numpy.random.Generator.integers */
HEED_API heed_tensor *heed_generator_randint(heed_generator *generator, int64_t low, int64_t high, heed_shape shape);

/* 0 .. n - 1 in random order, i64 (n), by Fisher and Yates. NULL on failure: HEED_ERR_ARGUMENT for n < 0,
 * HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randperm   numpy: numpy.random.permutation */
HEED_API heed_tensor *heed_permutation(int64_t n);

/* heed_permutation from a generator of your own: 0 .. n - 1 in random order, i64 (n). NULL on failure:
 * HEED_ERR_ARGUMENT for a NULL generator or n < 0, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.randperm   numpy: numpy.random.Generator.permutation */
HEED_API heed_tensor *heed_generator_permutation(heed_generator *generator, int64_t n);

/* A bool tensor: true with probability p, never for 0 and always for 1. NULL on failure: HEED_ERR_ARGUMENT unless 0 <=
 * p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.bernoulli */
HEED_API heed_tensor *heed_bernoulli(double p, heed_shape shape);

/* heed_bernoulli from a generator of your own: bool, true with probability p. NULL on failure: HEED_ERR_ARGUMENT for a
 * NULL generator and unless 0 <= p <= 1, HEED_ERR_SHAPE, HEED_ERR_NOMEM.
 * torch: torch.bernoulli */
HEED_API heed_tensor *heed_generator_bernoulli(heed_generator *generator, double p, heed_shape shape);

/* Of each row of weights (..., C), f32 or f64, `count` numbers of 0 .. C - 1, i64 (..., count): each with the
 * probability that its weight has of the row's sum. With `replacement` they are drawn one by one, from the weights'
 * sums in f64; without, the count smallest of exponential numbers divided by the weights, in this order: no number
 * comes twice, and none of weight 0 comes at all. NULL on failure: HEED_ERR_ARGUMENT for a negative or infinite weight
 * or NaN, for a row that adds up to 0 or beyond all numbers, for count < 0, or without replacement above the number of
 * weights above 0; HEED_ERR_SHAPE for a scalar; HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.multinomial   numpy: numpy.random.choice */
HEED_API heed_tensor *heed_multinomial(heed_tensor *weights, int64_t count, bool replacement);

/* heed_multinomial from a generator of your own. NULL on failure: HEED_ERR_ARGUMENT for a NULL generator, and as there.
 * torch: torch.multinomial   numpy: numpy.random.Generator.choice */
HEED_API heed_tensor *heed_generator_multinomial(heed_generator *generator, heed_tensor *weights, int64_t count,
                                                 bool replacement);

HEED_END_DECLS

#endif
