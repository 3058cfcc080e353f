/* tests/ops/test_dropout.c - dropout's choices: how many, which, and that only seed, position and element determine
 * them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"

#include <pthread.h>

#include "from.h"
#include "reference/dropout_reference.h"

/* Ones through dropout at a state of a generator: dropped elements are 0. */
static heed_tensor *drop_ones(uint64_t seed, uint64_t position, heed_dtype dtype, heed_shape shape, double p)
{
    heed_generator *g = heed_generator_new(seed);
    ck_assert_int_eq(heed_generator_set_state(g, seed, position), HEED_OK);
    heed_tensor *y = FROM(g, heed_dropout(heed_ones(dtype, shape), p, true));
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    heed_generator_free(g);
    return y;
}

static uint64_t position_of(heed_generator *g)
{
    uint64_t seed, position;
    ck_assert_int_eq(heed_generator_get_state(g, &seed, &position), HEED_OK);
    return position;
}

static bool equal(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *differs = heed_compare(a, HEED_COMPARE_NE, b);
    return heed_item(heed_max(heed_to_dtype(differs, HEED_F64))) == 0;
}

/* -- Which --------------------------------------------------------------------------------------------------------- */

START_TEST(follows_the_reference)
{
    heed_tensor *y = drop_ones(REFERENCE_SEED, REFERENCE_POSITION, HEED_F64, HEED_SHAPE(5, 8), REFERENCE_P);
    const double *values = heed_data_f64(y);
    ck_assert_int_eq(heed_numel(y), REFERENCE_COUNT);
    for (int i = 0; i < REFERENCE_COUNT; i++)
        ck_assert_double_eq(values[i], reference_dropped[i] ? 0 : 1 / (1 - REFERENCE_P));
}
END_TEST

/* count - n p| within five standard deviations: violated by chance once in two million. */
static void expect_share(const char *what, double count, double n, double p)
{
    double limit = 5 * sqrt(n * p * (1 - p)) + 0.5;
    ck_assert_msg(fabs(count - n * p) <= limit, "%s: %g of %g, expected %g +- %g", what, count, n, n * p, limit);
}

START_TEST(drops_with_the_probability)
{
    static const double ps[] = {1e-4, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999};
    enum { N = 200003 };
    for (size_t k = 0; k < sizeof ps / sizeof ps[0]; k++) {
        heed_tensor *y = drop_ones(5, k, HEED_F32, HEED_SHAPE(N), ps[k]);
        const float *values = heed_data_f32(y), kept = (float)(1 / (1 - ps[k]));
        int dropped = 0;
        for (int i = 0; i < N; i++) {
            ck_assert_msg(values[i] == 0 || values[i] == kept, "element %d is %g", i, (double)values[i]);
            dropped += values[i] == 0;
        }
        expect_share("dropped", dropped, N, ps[k]);
    }
}
END_TEST

/* The share of elements at which two masks of p = 1/2 agree, with b shifted by `shift`. */
static double agreements(heed_tensor *a, heed_tensor *b, int64_t shift)
{
    int64_t n = heed_numel(a) - shift;
    heed_tensor *same = heed_compare(heed_slice(a, 0, 0, n, 1), HEED_COMPARE_EQ, heed_slice(b, 0, shift, HEED_END, 1));
    return heed_item(heed_sum(heed_to_dtype(same, HEED_F64)));
}

/* A different position, a different seed, different elements. */
START_TEST(choices_are_independent)
{
    const int64_t n = 100000;
    heed_shape shape = HEED_SHAPE(n);
    heed_tensor *a = drop_ones(8, 100, HEED_F64, shape, 0.5);
    ck_assert(equal(a, drop_ones(8, 100, HEED_F64, shape, 0.5)));
    static const uint64_t others[][2] = {
        {8, 101}, {8, 99}, {9, 100}, {8, 100 + (UINT64_C(1) << 32)}, {8 + (UINT64_C(1) << 32), 100}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        heed_tensor *b = drop_ones(others[k][0], others[k][1], HEED_F64, shape, 0.5);
        for (int64_t shift = 0; shift < 9; shift++)
            expect_share("agree", agreements(a, b, shift), (double)(n - shift), 0.5);
    }
    for (int64_t shift = 1; shift < 9; shift++)
        expect_share("agree with their neighbours", agreements(a, a, shift), (double)(n - shift), 0.5);
}
END_TEST

/* rand < 1/2 tests the same bit of a word as a threshold of 2^31. */
START_TEST(stream_is_not_the_generators)
{
    const int64_t n = 20000, positions = 40;
    heed_generator *g = heed_generator_new(6);
    heed_tensor *mask = drop_ones(6, 20, HEED_F32, HEED_SHAPE(n), 0.5);
    heed_tensor *uniform = FROM(g, heed_rand(HEED_F32, HEED_SHAPE(n + 4 * positions)));
    heed_tensor *half = heed_full(HEED_F32, HEED_SCALAR, 0.5), *two = heed_full(HEED_F32, HEED_SCALAR, 2);
    heed_tensor *stream =
        heed_where(heed_compare(uniform, HEED_COMPARE_LT, half), heed_zeros(HEED_F32, HEED_SCALAR), two);
    for (int64_t shift = 0; shift < 4 * positions; shift++)
        expect_share("agree with rand", agreements(mask, heed_slice(stream, 0, shift, shift + n, 1), 0), (double)n,
                     0.5);
    heed_generator_free(g);
}
END_TEST

/* -- Properties without effect ------------------------------------------------------------------------------------- */

START_TEST(threads_do_not_matter)
{
    static const int counts[] = {2, 3, 4, 7};
    static const int64_t sizes[] = {1, 5, 16383, 16385, 300001};
    int threads = heed_num_threads();
    for (int dtype = HEED_F32; dtype <= HEED_F64; dtype++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
            heed_tensor *serial = drop_ones(3, 4, (heed_dtype)dtype, HEED_SHAPE(sizes[s]), 0.4);
            for (int k = 0; k < 4; k++) {
                ck_assert_int_eq(heed_set_num_threads(counts[k]), HEED_OK);
                ck_assert_msg(equal(serial, drop_ones(3, 4, (heed_dtype)dtype, HEED_SHAPE(sizes[s]), 0.4)),
                              "%d threads, %lld elements", counts[k], (long long)sizes[s]);
            }
        }
    ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
}
END_TEST

/* The first elements do not depend on the number of later ones, nor on the shape. */
START_TEST(sizes_do_not_matter)
{
    heed_tensor *all = drop_ones(3, 4, HEED_F64, HEED_SHAPE(1200), 0.4);
    for (int64_t n = 1; n < 1200; n += n < 20 ? 1 : 97)
        ck_assert(equal(heed_slice(all, 0, 0, n, 1), drop_ones(3, 4, HEED_F64, HEED_SHAPE(n), 0.4)));
    ck_assert(equal(heed_reshape(all, HEED_SHAPE(3, 1, 400)), drop_ones(3, 4, HEED_F64, HEED_SHAPE(3, 1, 400), 0.4)));
    ck_assert(equal(heed_to_dtype(heed_compare(all, HEED_COMPARE_EQ, heed_zeros(HEED_F64, HEED_SCALAR)), HEED_F32),
                    heed_to_dtype(heed_compare(drop_ones(3, 4, HEED_F32, HEED_SHAPE(1200), 0.4), HEED_COMPARE_EQ,
                                               heed_zeros(HEED_F32, HEED_SCALAR)),
                                  HEED_F32)));
}
END_TEST

START_TEST(layout_does_not_matter)
{
    heed_generator *g = heed_generator_new(2);
    heed_tensor *x = FROM(g, heed_rand(HEED_F64, HEED_SHAPE(7, 9, 5)));
    heed_tensor *views[] = {heed_transpose(x, 0, 2), heed_slice(x, 1, 1, HEED_END, 3), heed_flip(x, HEED_AXES(0, 1, 2)),
                            heed_expand(heed_slice(x, 0, 2, 3, 1), HEED_SHAPE(6, 9, 5))};
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(heed_generator_set_state(g, 2, 50), HEED_OK);
        heed_tensor *y = FROM(g, heed_dropout(views[k], 0.5, true));
        ck_assert_int_eq(heed_generator_set_state(g, 2, 50), HEED_OK);
        ck_assert(equal(y, FROM(g, heed_dropout(heed_clone(views[k]), 0.5, true))));
    }
    heed_generator_free(g);
}
END_TEST

/* -- The generator ------------------------------------------------------------------------------------------------- */

START_TEST(takes_one_position)
{
    heed_generator *g = heed_generator_new(7);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1001)), *nothing = heed_zeros(HEED_F64, HEED_SHAPE(0, 3));
    ck_assert_ptr_nonnull(FROM(g, heed_dropout(x, 0.5, true)));
    ck_assert_uint_eq(position_of(g), 1);
    ck_assert_ptr_nonnull(FROM(g, heed_dropout(x, 1, true)));
    ck_assert_uint_eq(position_of(g), 2);
    ck_assert_ptr_nonnull(FROM(g, heed_dropout(nothing, 1e-300, true)));
    ck_assert_uint_eq(position_of(g), 3);
    ck_assert_ptr_eq(FROM(g, heed_dropout(x, 0.5, false)), x);
    ck_assert_ptr_eq(FROM(g, heed_dropout(x, 0, true)), x);
    ck_assert_uint_eq(position_of(g), 3);
    ck_assert_int_eq(heed_generator_set_state(g, 7, UINT64_MAX), HEED_OK);
    heed_tensor *last = FROM(g, heed_dropout(x, 0.5, true));
    ck_assert_uint_eq(position_of(g), 0);
    ck_assert(!equal(last, FROM(g, heed_dropout(x, 0.5, true))));
    heed_manual_seed(7);
    ck_assert_ptr_nonnull(heed_dropout(x, 0.5, true));
    ck_assert_uint_eq(position_of(heed_generator_default()), 1);
    heed_generator_free(g);
}
END_TEST

START_TEST(state_gives_the_same_continuation)
{
    heed_generator *g = heed_generator_new(11);
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(300));
    (void)FROM(g, heed_rand(HEED_F32, HEED_SHAPE(17)));
    uint64_t seed, position;
    ck_assert_int_eq(heed_generator_get_state(g, &seed, &position), HEED_OK);
    heed_tensor *first = FROM(g, heed_dropout(x, 0.3, true)), *next = FROM(g, heed_dropout(x, 0.3, true));
    ck_assert(!equal(first, next));
    ck_assert_int_eq(heed_generator_set_state(g, seed, position), HEED_OK);
    ck_assert(equal(first, FROM(g, heed_dropout(x, 0.3, true))));
    ck_assert(equal(next, FROM(g, heed_dropout(x, 0.3, true))));
    heed_generator_free(g);
}
END_TEST

static void expect_failure(heed_generator *g, heed_tensor *x, double p, heed_status code)
{
    ck_assert_ptr_null(FROM(g, heed_dropout(x, p, true)));
    ck_assert_error(code, "dropout:");
    ck_assert_uint_eq(position_of(g), 30);
}

START_TEST(errors_leave_the_generator)
{
    heed_generator *g = heed_generator_new(1);
    ck_assert_int_eq(heed_generator_set_state(g, 1, 30), HEED_OK);
    expect_failure(g, NULL, 0.5, HEED_ERR_ARGUMENT);
    expect_failure(g, heed_ones(HEED_I64, HEED_SHAPE(2)), 0.5, HEED_ERR_DTYPE);
    expect_failure(g, heed_ones(HEED_F32, HEED_SHAPE(2)), 1.5, HEED_ERR_ARGUMENT);
    expect_failure(g, heed_ones(HEED_F32, HEED_SHAPE(2)), NAN, HEED_ERR_ARGUMENT);
    heed_generator_free(g);
}
END_TEST

static heed_tensor *drop_half(heed_generator *g, heed_tensor *x)
{
    return FROM(g, heed_dropout(x, 0.5, true));
}

static heed_tensor *drop_in_dot_product(heed_generator *g, heed_tensor *x)
{
    return heed_dot_product_attention(x, x, x, &(heed_attention_options){.dropout = 0.5, .generator = g}, NULL);
}

static heed_tensor *drop_in_additive(heed_generator *g, heed_tensor *x)
{
    heed_tensor *weights = NULL, *map = heed_ones(HEED_F64, HEED_SHAPE(1, heed_dim(x, -1)));
    const heed_attention_options options = {.dropout = 0.5, .causal = true, .generator = g};
    return heed_additive_attention(x, x, x, map, map, heed_ones(HEED_F64, HEED_SHAPE(1)), &options, &weights);
}

static heed_tensor *(*const droppers[])(heed_generator *g, heed_tensor *x) = {drop_half, drop_in_dot_product,
                                                                              drop_in_additive};

/* Every allocation fails in turn; the successful call returns the same result as without failures. */
START_TEST(out_of_memory_leaves_the_generator)
{
    fail_alloc_install();
    heed_generator *g = heed_generator_new(1);
    heed_tensor *x = heed_transpose(heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1, 9, 5)), true), 1, 2);
    heed_tensor *expected = droppers[_i](g, x), *y = NULL;
    ck_assert_int_eq(heed_generator_set_state(g, 1, 0), HEED_OK);
    int failures = -1;
    for (long k = 1; !y; k++, failures++) {
        heed_error_clear();
        ck_assert_uint_eq(position_of(g), 0);
        fail_alloc.count = 0;
        fail_alloc.fail_at = k;
        y = droppers[_i](g, x);
        fail_alloc.fail_at = 0;
        ck_assert(y || heed_error_code() == HEED_ERR_NOMEM);
    }
    ck_assert_int_ge(failures, 3);
    ck_assert_uint_eq(position_of(g), 1);
    ck_assert(equal(y, expected));
    heed_generator_free(g);
    fail_alloc_uninstall();
}
END_TEST

#define SHARERS 4
#define CALLS 200

static void *drop_shared(void *generator)
{
    for (int i = 0; i < CALLS; i++)
        ck_assert_ptr_nonnull(FROM(generator, heed_dropout(heed_ones(HEED_F32, HEED_SHAPE(3)), 0.5, true)));
    heed_thread_cleanup();
    return NULL;
}

START_TEST(threads_may_share_a_generator)
{
    heed_generator *g = heed_generator_new(14);
    pthread_t threads[SHARERS];
    for (int i = 0; i < SHARERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, drop_shared, g), 0);
    for (int i = 0; i < SHARERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(position_of(g), SHARERS * CALLS);
    heed_generator_free(g);
}
END_TEST

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* The mask is recomputed, also if the generator has advanced or been reseeded; and that does not move it. */
START_TEST(backward_drops_alike)
{
    heed_generator *g = heed_generator_new(4);
    heed_tensor *x = heed_set_requires_grad(FROM(g, heed_rand(HEED_F64, HEED_SHAPE(40, 25))), true);
    heed_tensor *y = FROM(g, heed_dropout(heed_add_scalar(x, 1), 0.25, true));
    heed_generator_set_state(g, 1234, 0);
    heed_tensor *loss = heed_sum(y), *dx[2];
    for (int create = 0; create < 2; create++)
        ck_assert_int_eq(
            heed_grad(&loss, 1, &x, 1, &dx[create], &(heed_grad_options){.retain_graph = true, .create_graph = create}),
            HEED_OK);
    ck_assert_uint_eq(position_of(g), 0);
    ck_assert(equal(dx[0], dx[1]));
    ck_assert(equal(heed_mul(heed_add_scalar(x, 1), dx[0]), y));
    heed_generator_free(g);
}
END_TEST

/* Dropout selects elements instead of multiplying by a mask: a dropped NaN becomes 0, forward and backward, and a kept
 * NaN stays. */
START_TEST(nan_is_dropped_or_kept)
{
    heed_tensor *mask = drop_ones(9, 0, HEED_F64, HEED_SHAPE(100), 0.5);
    heed_generator *g = heed_generator_new(9);
    heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(100), NAN), true), *dx = NULL;
    heed_tensor *y = FROM(g, heed_dropout(x, 0.5, true)), *nan = heed_full(HEED_F64, HEED_SHAPE(100), NAN);
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &dx, &(heed_grad_options){.grad_outputs = &nan}), HEED_OK);
    for (int i = 0; i < 100; i++) {
        bool dropped = heed_data_f64(mask)[i] == 0;
        ck_assert_same(heed_data_f64(y)[i], dropped ? 0 : NAN);
        ck_assert_same(heed_data_f64(dx)[i], dropped ? 0 : NAN);
    }
    heed_generator_free(g);
}
END_TEST

/* A small network whose calls all draw the same masks. */
static heed_tensor *network(heed_tensor *const *in, void *generator)
{
    heed_generator *g = generator;
    if (heed_generator_set_state(g, 21, 5) != HEED_OK)
        return NULL;
    heed_tensor *hidden = FROM(g, heed_dropout(heed_tanh(heed_matmul(in[0], in[1])), 0.3, true));
    return FROM(g, heed_dropout(heed_square(hidden), 0.2, true));
}

START_TEST(gradients_are_right)
{
    heed_generator *g = heed_generator_new(0);
    heed_tensor *in[] = {heed_set_requires_grad(FROM(g, heed_rand(HEED_F64, HEED_SHAPE(4, 3))), true),
                         heed_set_requires_grad(FROM(g, heed_rand(HEED_F64, HEED_SHAPE(3, 6))), true)};
    heed_gradcheck_result r;
    ck_assert_msg(heed_gradcheck(network, g, in, 2, NULL, &r) == HEED_OK, "%s", r.report);
    ck_assert_msg(heed_gradgradcheck(network, g, in, 2, NULL, &r) == HEED_OK, "%s", r.report);
    heed_generator_free(g);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {&follows_the_reference,
                                                &drops_with_the_probability,
                                                &choices_are_independent,
                                                &stream_is_not_the_generators,
                                                &threads_do_not_matter,
                                                &sizes_do_not_matter,
                                                &layout_does_not_matter,
                                                &takes_one_position,
                                                &state_gives_the_same_continuation,
                                                &errors_leave_the_generator,
                                                &threads_may_share_a_generator,
                                                &backward_drops_alike,
                                                &nan_is_dropped_or_kept,
                                                &gradients_are_right};
    TCase *tcase = heed_test_case("dropout");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    tcase_add_loop_test(tcase, out_of_memory_leaves_the_generator, 0, sizeof droppers / sizeof droppers[0]);
    return heed_run_case("dropout", tcase);
}
