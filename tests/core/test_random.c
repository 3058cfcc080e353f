/* tests/core/test_random.c - tests of random tensors: known values, distributions, errors. test_generator.c tests that
 * equal states give equal bits.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "from.h"
#include "kernels/philox.h"
#include "reference/random_reference.h"

#include <pthread.h>
#include <semaphore.h>

#define N 100000

/* -- The block function ----------------------------------------------------------------------------------------- */

/* The test vectors are Random123's kat_vectors. */
START_TEST(philox_vectors)
{
    static const uint32_t vectors[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
         0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
         0x24126ea1},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        heed__philox(vectors[i], vectors[i] + 4, out);
        for (int j = 0; j < 4; j++)
            ck_assert_uint_eq(out[j], vectors[i][6 + j]);
    }
}
END_TEST

/* -- Values ----------------------------------------------------------------------------------------------------- */

static void go_to_reference(void)
{
    ck_assert_int_eq(heed_generator_set_state(heed_generator_default(), REFERENCE_SEED, REFERENCE_POSITION), HEED_OK);
}

static void check_floats(heed_tensor *t, const double *expected, double tolerance)
{
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < REFERENCE_COUNT; i++)
        ck_assert_near(heed_get(t, HEED_INDEX(i)), expected[i], tolerance);
}

static void check_integers(heed_tensor *t, const int64_t *expected)
{
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < REFERENCE_COUNT; i++)
        ck_assert_int_eq(heed_get_i64(t, HEED_INDEX(i)), expected[i]);
}

START_TEST(values_match_the_reference)
{
    heed_shape shape = HEED_SHAPE(REFERENCE_COUNT);
    go_to_reference();
    check_floats(heed_rand(HEED_F32, shape), reference_rand_f32, 0);
    go_to_reference();
    check_floats(heed_rand(HEED_F64, shape), reference_rand_f64, 0);
    go_to_reference();
    check_floats(heed_randn(HEED_F32, shape), reference_randn_f32, 2e-7);
    go_to_reference();
    check_floats(heed_randn(HEED_F64, shape), reference_randn_f64, 2e-15);
    go_to_reference();
    check_integers(heed_randint(-1000, 3000000000000, shape), reference_randint);
    go_to_reference();
    check_integers(heed_permutation(REFERENCE_COUNT), reference_permutation);
    go_to_reference();
    heed_tensor *b = heed_bernoulli(0.4, shape);
    for (int i = 0; i < REFERENCE_COUNT; i++)
        ck_assert_int_eq(heed_data_bool(b)[i], reference_bernoulli[i]);
}
END_TEST

/* -- Distributions ---------------------------------------------------------------------------------------------- */

/* Pearson's statistic over 100 bins has mean 99 and standard deviation 14.07. The seed is fixed, so this checks the
 * code and cannot fail by chance. */
static void check_uniform(const int64_t counts[100], int64_t n)
{
    double expected = (double)n / 100, statistic = 0;
    for (int i = 0; i < 100; i++)
        statistic += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    ck_assert_msg(statistic > 50 && statistic < 150, "chi-square is %g", statistic);
}

static void check_rand(heed_dtype dtype)
{
    heed_tensor *t = heed_rand(dtype, HEED_SHAPE(N));
    int64_t counts[100] = {0};
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < N; i++) {
        double u = dtype == HEED_F32 ? (double)heed_data_f32(t)[i] : heed_data_f64(t)[i];
        ck_assert_msg(u >= 0 && u < 1, "%g is not in [0, 1)", u);
        counts[(int)(u * 100)]++;
        sum += u;
        squares += u * u;
    }
    check_uniform(counts, N);
    ck_assert_near(sum / N, 0.5, 4 * sqrt(1.0 / 12 / N));
    ck_assert_near(squares / N, 1.0 / 3, 4 * sqrt(4.0 / 45 / N));
}

START_TEST(rand_is_uniform)
{
    heed_manual_seed(1);
    check_rand(HEED_F32);
    check_rand(HEED_F64);
}
END_TEST

/* Checks bins of equal probability under the distribution function, and the first four moments: 0, 1, 0, 3. */
static void check_randn(heed_dtype dtype)
{
    heed_tensor *t = heed_randn(dtype, HEED_SHAPE(N));
    int64_t counts[100] = {0};
    double moments[4] = {0}, products = 0, before = 0;
    for (int64_t i = 0; i < N; i++) {
        double z = dtype == HEED_F32 ? (double)heed_data_f32(t)[i] : heed_data_f64(t)[i];
        ck_assert(isfinite(z));
        int bin = (int)(0.5 * erfc(-z / sqrt(2.0)) * 100);
        counts[bin < 100 ? bin : 99]++;
        for (int m = 0; m < 4; m++)
            moments[m] += pow(z, m + 1) / N;
        products += z * before / N;
        before = z;
    }
    check_uniform(counts, N);
    ck_assert_near(moments[0], 0, 4 / sqrt(N));
    ck_assert_near(moments[1], 1, 4 * sqrt(2.0 / N));
    ck_assert_near(moments[2], 0, 4 * sqrt(15.0 / N));
    ck_assert_near(moments[3], 3, 4 * sqrt(96.0 / N));
    ck_assert_near(products, 0, 4 / sqrt(N));
}

START_TEST(randn_is_normal)
{
    heed_manual_seed(2);
    check_randn(HEED_F32);
    check_randn(HEED_F64);
}
END_TEST

START_TEST(randint_is_uniform)
{
    heed_manual_seed(3);
    const int64_t *t = heed_data_i64(heed_randint(-50, 50, HEED_SHAPE(N)));
    int64_t counts[100] = {0};
    for (int64_t i = 0; i < N; i++) {
        ck_assert(t[i] >= -50 && t[i] < 50);
        counts[t[i] + 50]++;
    }
    check_uniform(counts, N);
}
END_TEST

START_TEST(randint_takes_every_range)
{
    heed_manual_seed(4);
    const int64_t *t = heed_data_i64(heed_randint(INT64_MIN, INT64_MAX, HEED_SHAPE(1000)));
    int64_t negative = 0, large = 0;
    for (int i = 0; i < 1000; i++) {
        negative += t[i] < 0;
        large += t[i] > INT64_MAX / 2 || t[i] < INT64_MIN / 2;
    }
    ck_assert(negative > 400 && negative < 600);
    ck_assert(large > 400 && large < 600);
    ck_assert_int_eq(heed_item_i64(heed_randint(7, 8, HEED_SCALAR)), 7);
    ck_assert_int_eq(heed_item_i64(heed_randint(INT64_MAX - 1, INT64_MAX, HEED_SCALAR)), INT64_MAX - 1);
    ck_assert_int_eq(heed_item_i64(heed_randint(INT64_MIN, INT64_MIN + 1, HEED_SCALAR)), INT64_MIN);
}
END_TEST

START_TEST(bernoulli_has_its_probability)
{
    heed_manual_seed(5);
    static const double ps[] = {0, 0.1, 0.5, 0.9, 1};
    for (int k = 0; k < 5; k++) {
        const bool *t = heed_data_bool(heed_bernoulli(ps[k], HEED_SHAPE(N)));
        int64_t count = 0;
        for (int64_t i = 0; i < N; i++)
            count += t[i];
        ck_assert_near((double)count / N, ps[k], 4 * sqrt(ps[k] * (1 - ps[k]) / N));
    }
}
END_TEST

START_TEST(permutation_is_one)
{
    heed_manual_seed(6);
    static const int64_t sizes[] = {1, 2, 3, 127, 128, 129, 5000};
    for (int k = 0; k < 7; k++) {
        int64_t n = sizes[k];
        const int64_t *p = heed_data_i64(heed_permutation(n));
        bool *drawn = calloc((size_t)n, sizeof *drawn);
        for (int64_t i = 0; i < n; i++) {
            ck_assert(p[i] >= 0 && p[i] < n && !drawn[p[i]]);
            drawn[p[i]] = true;
        }
        free(drawn);
    }
}
END_TEST

/* The 24 orders of 4: chi-square with 23 degrees of freedom, mean 23 and standard deviation 6.8. */
START_TEST(permutation_is_uniform)
{
    heed_manual_seed(7);
    int counts[256] = {0}, orders = 0;
    double statistic = 0;
    for (int i = 0; i < 24000; i++) {
        heed_scope *scope = heed_scope_begin();
        const int64_t *p = heed_data_i64(heed_permutation(4));
        counts[p[0] * 64 + p[1] * 16 + p[2] * 4 + p[3]]++;
        heed_scope_end(scope);
    }
    for (int i = 0; i < 256; i++) {
        orders += counts[i] > 0;
        statistic += counts[i] ? (counts[i] - 1000.0) * (counts[i] - 1000.0) / 1000 : 0;
    }
    ck_assert_int_eq(orders, 24);
    ck_assert_msg(statistic > 6 && statistic < 50, "chi-square is %g", statistic);
}
END_TEST

/* -- Shapes and errors ------------------------------------------------------------------------------------------ */

START_TEST(shapes)
{
    heed_tensor *t = heed_rand(HEED_F32, HEED_SHAPE(2, 0, 3));
    ck_assert_int_eq(heed_numel(t), 0);
    ck_assert(heed_shape_equal(heed_shape_of(t), HEED_SHAPE(2, 0, 3)));
    ck_assert_int_eq(heed_rank(heed_randn(HEED_F64, HEED_SCALAR)), 0);
    ck_assert(heed_shape_equal(heed_shape_of(heed_randint(0, 9, HEED_SHAPE(4, 5))), HEED_SHAPE(4, 5)));
    ck_assert_int_eq(heed_numel(heed_permutation(0)), 0);
    ck_assert_int_eq(heed_numel(heed_bernoulli(0.5, HEED_SHAPE(0))), 0);
}
END_TEST

#define ck_assert_refused(call, code, text)                                                                            \
    do {                                                                                                               \
        ck_assert_ptr_null(call);                                                                                      \
        ck_assert_error(code, text);                                                                                   \
    } while (0)

START_TEST(errors)
{
    uint64_t seed, position;
    heed_manual_seed(15);
    ck_assert_refused(heed_rand(HEED_I64, HEED_SHAPE(2)), HEED_ERR_DTYPE, "rand: dtype is i64");
    ck_assert_refused(heed_randn(HEED_BOOL, HEED_SHAPE(2)), HEED_ERR_DTYPE, "randn: dtype is bool");
    ck_assert_refused(heed_randn((heed_dtype)99, HEED_SHAPE(2)), HEED_ERR_DTYPE, "unknown");
    ck_assert_refused(heed_rand(HEED_F32, HEED_SHAPE(2, -1)), HEED_ERR_SHAPE, "(2, -1)");
    ck_assert_refused(heed_randint(0, 2, HEED_SHAPE(-1)), HEED_ERR_SHAPE, "randint");
    ck_assert_refused(heed_bernoulli(0.5, (heed_shape){.rank = 9}), HEED_ERR_SHAPE, "bernoulli");
    ck_assert_refused(heed_randint(5, 5, HEED_SHAPE(2)), HEED_ERR_ARGUMENT, "low is 5: must be less than high, 5");
    ck_assert_refused(heed_randint(1, INT64_MIN, HEED_SHAPE(2)), HEED_ERR_ARGUMENT, "randint");
    ck_assert_refused(heed_permutation(-1), HEED_ERR_ARGUMENT, "n is -1");
    ck_assert_refused(heed_bernoulli(-0.1, HEED_SHAPE(2)), HEED_ERR_ARGUMENT, "p is -0.1");
    ck_assert_refused(heed_bernoulli(1.5, HEED_SHAPE(2)), HEED_ERR_ARGUMENT, "p is 1.5");
    ck_assert_refused(heed_bernoulli((double)NAN, HEED_SHAPE(2)), HEED_ERR_ARGUMENT, "p is nan");
    ck_assert_refused(heed_permutation(INT64_MAX), HEED_ERR_SHAPE, "permutation");
    ck_assert_int_eq(heed_generator_get_state(heed_generator_default(), &seed, &position), HEED_OK);
    ck_assert_uint_eq(position, 0);
}
END_TEST

START_TEST(null_is_the_generator_in_use)
{
    uint64_t seed = 1, position = 1;
    heed_generator *own = heed_generator_new(5);
    ck_assert_ptr_eq(heed_generator_use(own), heed_generator_default());
    ck_assert_int_eq(heed_generator_set_state(NULL, 6, 7), HEED_OK);
    ck_assert_int_eq(heed_generator_get_state(own, &seed, &position), HEED_OK);
    ck_assert(seed == 6 && position == 7);
    ck_assert_ptr_eq(heed_generator_use(NULL), own);
    heed_manual_seed(3);
    ck_assert_int_eq(heed_generator_get_state(NULL, &seed, &position), HEED_OK);
    ck_assert(seed == 3 && position == 0);
    ck_assert_int_eq(heed_generator_get_state(NULL, NULL, &seed), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "seed is NULL");
    ck_assert_int_eq(heed_generator_get_state(NULL, &seed, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "position is NULL");
    heed_generator_free(own);
}
END_TEST

/* The weights of a layer, after draws by three calls. */
static heed_tensor *draw_weights(heed_nn_linear **linear)
{
    heed_tensor *uniform = heed_rand(HEED_F32, HEED_SHAPE(2, 3)), *normal = heed_randn(HEED_F32, HEED_SHAPE(2, 3));
    heed_tensor *dropped = heed_dropout(heed_add(uniform, normal), 0.5, true);
    *linear = heed_nn_linear_new(3, 2, NULL);
    return heed_add(dropped, (*linear)->weight);
}

START_TEST(every_draw_takes_the_generator_in_use)
{
    heed_generator *own = heed_generator_new(5);
    heed_nn_linear *linear, *same_linear;
    heed_manual_seed(5);
    heed_tensor *expected = draw_weights(&linear);
    heed_generator *outer = heed_generator_use(own);
    heed_tensor *same = draw_weights(&same_linear);
    heed_generator_use(outer);
    ck_assert(heed_allclose(same, expected, 0, 0, false));
    heed_generator_free(own);
    heed_module_free(&linear->base);
    heed_module_free(&same_linear->base);
}
END_TEST

static heed_tensor *drop(heed_tensor *const *x, void *user)
{
    (void)user;
    return heed_dropout(heed_square(x[0]), 0.5, true);
}

START_TEST(a_repeated_function_needs_no_generator)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(64)), true);
    heed_generator *own = heed_generator_new(5);
    heed_generator_use(own);
    heed_tensor *y = heed_checkpointed(drop, NULL, &x, 1);
    heed_generator_free(own);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    ck_assert(heed_allclose(heed_grad_of(x), heed_mul_scalar(y, 2), 0, 0, false));
}
END_TEST

static void *draw_elsewhere(void *generator)
{
    ck_assert_ptr_eq(heed_generator_use(generator), heed_generator_default()); /* not this thread's choice yet */
    return NULL;
}

/* AddressSanitizer reports the first read of a freed generator itself. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER true
#else
#define ADDRESS_SANITIZER false
#endif

START_TEST(every_thread_has_a_generator_in_use)
{
    heed_generator *own = heed_generator_new(5);
    heed_generator_use(own);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, draw_elsewhere, own), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    heed_generator_free(own);
    if (!ADDRESS_SANITIZER)
        ck_assert_refused(heed_generator_use(own), HEED_ERR_STATE, "generator_use: the generator was freed");
    ck_assert_ptr_eq(heed_generator_use(NULL), heed_generator_default());
    ck_assert_ptr_nonnull(heed_rand(HEED_F32, HEED_SHAPE(2)));
}
END_TEST

/* A thread that uses `generator` while the main thread frees it and makes a new one. */
typedef struct freed_elsewhere {
    heed_generator *generator;
    heed_loader *loader; /* draws from a generator of its own, and returns to the thread's */
    sem_t used, freed;
} freed_elsewhere;

static void *draw_after_free(void *user)
{
    freed_elsewhere *s = user;
    heed_generator_use(s->generator);
    ck_assert_int_eq(sem_post(&s->used), 0);
    ck_assert_int_eq(sem_wait(&s->freed), 0);
    if (ADDRESS_SANITIZER)
        return NULL;
    ck_assert_refused(heed_rand(HEED_F32, HEED_SHAPE(2)), HEED_ERR_STATE, "rand: the generator was freed");
    ck_assert_refused(heed_generator_use(s->generator), HEED_ERR_STATE,
                      "generator_use: the generator in use was freed");
    ck_assert_refused(heed_loader_next_numbers(s->loader), HEED_ERR_STATE, "the generator in use was freed");
    ck_assert_refused(heed_rand(HEED_F32, HEED_SHAPE(2)), HEED_ERR_STATE, "rand: the generator was freed");
    heed_generator_use(NULL);
    heed_generator_use(s->generator);
    ck_assert_ptr_nonnull(heed_rand(HEED_F32, HEED_SHAPE(2)));
    return NULL;
}

START_TEST(a_thread_does_not_draw_from_a_generator_with_the_address_of_its_own)
{
    heed_tensor *samples = heed_zeros(HEED_F32, HEED_SHAPE(4));
    heed_dataset *data = heed_dataset_new(&samples, 1);
    freed_elsewhere s = {.generator = heed_generator_new(5),
                         .loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 2, .shuffle = true})};
    ck_assert(sem_init(&s.used, 0, 0) == 0 && sem_init(&s.freed, 0, 0) == 0);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, draw_after_free, &s), 0);
    ck_assert_int_eq(sem_wait(&s.used), 0);
    heed_generator_free(s.generator);
    s.generator = heed_generator_new(6); /* usually at the same address */
    ck_assert_int_eq(sem_post(&s.freed), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    heed_generator_free(s.generator);
    heed_loader_free(s.loader);
    heed_dataset_free(data);
}
END_TEST

/* Running out of memory must not advance the default generator: a program fails if its first call finds a different
 * position. */
static bool out_of_memory_program(double *value)
{
    uint64_t seed, position;
    heed_manual_seed(16);
    heed_generator *g = heed_generator_new(16);
    heed_tensor *p = g ? FROM(g, heed_permutation(50)) : NULL;
    heed_generator_free(g);
    heed_tensor *t = p ? heed_randn(HEED_F64, HEED_SHAPE(50)) : NULL;
    heed_generator_get_state(heed_generator_default(), &seed, &position);
    ck_assert_uint_eq(position, t ? 25 : 0);
    *value = t ? heed_get(t, HEED_INDEX(49)) + heed_get(p, HEED_INDEX(7)) : 0;
    return t != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(out_of_memory_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("random", philox_vectors, values_match_the_reference, rand_is_uniform, randn_is_normal,
               randint_is_uniform, randint_takes_every_range, bernoulli_has_its_probability, permutation_is_one,
               permutation_is_uniform, shapes, errors, null_is_the_generator_in_use,
               every_draw_takes_the_generator_in_use, a_repeated_function_needs_no_generator,
               every_thread_has_a_generator_in_use, a_thread_does_not_draw_from_a_generator_with_the_address_of_its_own,
               out_of_memory)
