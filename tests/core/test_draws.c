/* tests/core/test_draws.c - tests of heed_normal, heed_exponential, heed_multinomial and the ..._like functions:
 * distributions, equal bits for any number of threads, errors. The generator itself is tested in test_random.c and
 * test_generator.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#define N 100000

#define ck_assert_refused(call, code, text)                                                                            \
    do {                                                                                                               \
        ck_assert_ptr_null(call);                                                                                      \
        ck_assert_error(code, text);                                                                                   \
    } while (0)

static const heed_dtype floats[] = {HEED_F32, HEED_F64};

/* -- Like a given tensor ------------------------------------------------------------------------------------------- */

START_TEST(likes_are_alike)
{
    static const heed_dtype dtypes[] = {HEED_F32, HEED_F64, HEED_I64, HEED_BOOL};
    for (int i = 0; i < 4; i++) {
        heed_tensor *x = heed_transpose(heed_zeros(dtypes[i], HEED_SHAPE(2, 3)), 0, 1);
        if (i < 2)
            (void)heed_set_requires_grad(x, true);
        heed_tensor *likes[] = {heed_zeros_like(x), i < 2 ? heed_rand_like(x) : heed_zeros_like(x),
                                i < 2 ? heed_randn_like(x) : heed_zeros_like(x)};
        for (int j = 0; j < 3; j++) {
            ck_assert_int_eq(heed_dtype_of(likes[j]), dtypes[i]);
            ck_assert(heed_shape_equal(heed_shape_of(likes[j]), HEED_SHAPE(3, 2)));
            ck_assert(heed_is_contiguous(likes[j]) && !heed_requires_grad(likes[j]));
        }
        ck_assert_same(heed_get(likes[0], HEED_INDEX(2, 1)), 0);
    }
    heed_manual_seed(3);
    heed_tensor *a = heed_rand_like(heed_ones(HEED_F32, HEED_SHAPE(5)));
    heed_manual_seed(3);
    ck_assert_mem_eq(heed_data_f32(a), heed_data_f32(heed_rand(HEED_F32, HEED_SHAPE(5))), 5 * sizeof(float));
}
END_TEST

START_TEST(likes_refuse)
{
    heed_tensor *whole = heed_ones(HEED_I64, HEED_SHAPE(2));
    ck_assert_refused(heed_zeros_like(NULL), HEED_ERR_ARGUMENT, "zeros_like:");
    ck_assert_refused(heed_full(HEED_I64, HEED_SHAPE(2), 0.5), HEED_ERR_ARGUMENT, "full:");
    ck_assert_refused(heed_rand_like(NULL), HEED_ERR_ARGUMENT, "rand_like:");
    ck_assert_refused(heed_randn_like(whole), HEED_ERR_DTYPE, "randn_like: dtype is i64");
}
END_TEST

/* -- Normal and exponential ---------------------------------------------------------------------------------------- */

START_TEST(normal_is_randn_moved)
{
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(1);
        heed_tensor *z = heed_to_dtype(heed_randn(floats[i], HEED_SHAPE(7)), HEED_F64);
        heed_manual_seed(1);
        heed_tensor *x = heed_to_dtype(heed_normal(floats[i], HEED_SHAPE(7), 3, 2), HEED_F64);
        heed_tensor *expected = heed_add_scalar(heed_mul_scalar(z, 2), 3);
        ck_assert_near(heed_item(heed_max(heed_abs(heed_sub(x, expected)))), 0, i == 0 ? 2e-6 : 0);
    }
    ck_assert_same(heed_item(heed_normal(HEED_F32, HEED_SCALAR, -4, 0)), -4);
}
END_TEST

/* The share above t is e^(-rate t); mean 1 / rate, second moment 2 / rate^2. */
START_TEST(exponential_is_exponential)
{
    const double rate = 4;
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(2);
        heed_tensor *x = heed_to_dtype(heed_exponential(floats[i], HEED_SHAPE(N), rate), HEED_F64);
        const double *t = heed_data_f64(x);
        ck_assert(heed_item(heed_min(x)) >= 0);
        ck_assert_near(heed_item(heed_mean(x)), 1 / rate, 4 / rate / sqrt(N));
        ck_assert_near(heed_item(heed_mean(heed_square(x))), 2 / rate / rate, 4 * sqrt(20.0 / N) / rate / rate);
        for (double limit = 0.1; limit < 1; limit += 0.2) {
            double above = 0, expected = exp(-rate * limit);
            for (int64_t j = 0; j < N; j++)
                above += t[j] > limit;
            ck_assert_near(above / N, expected, 4 * sqrt(expected * (1 - expected) / N));
        }
    }
}
END_TEST

START_TEST(distributions_refuse)
{
    const heed_shape two = HEED_SHAPE(2);
    ck_assert_refused(heed_normal(HEED_I64, two, 0, 1), HEED_ERR_DTYPE, "normal: dtype is i64");
    ck_assert_refused(heed_normal(HEED_F32, two, 0, -1), HEED_ERR_ARGUMENT, "normal: mean is 0 and std -1: must be");
    ck_assert_refused(heed_normal(HEED_F32, two, 0, (double)INFINITY), HEED_ERR_ARGUMENT, "normal: ");
    ck_assert_refused(heed_normal(HEED_F32, two, (double)NAN, 1), HEED_ERR_ARGUMENT, "normal: mean is nan");
    ck_assert_refused(heed_exponential(HEED_BOOL, two, 1), HEED_ERR_DTYPE, "exponential: dtype is bool");
    ck_assert_refused(heed_exponential(HEED_F64, two, 0), HEED_ERR_ARGUMENT, "exponential: rate is 0: must be");
    ck_assert_refused(heed_exponential(HEED_F64, two, (double)NAN), HEED_ERR_ARGUMENT, "exponential: rate is nan");
}
END_TEST

/* -- Multinomial --------------------------------------------------------------------------------------------------- */

START_TEST(multinomial_has_its_probabilities)
{
    static const double shares[] = {0.1, 0, 0.6, 0.3, 0};
    heed_manual_seed(3);
    heed_tensor *weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 5), 1, 0, 6, 3, 0, 0, 0, 0, 0, 2);
    heed_tensor *drawn = heed_multinomial(weights, N, true);
    ck_assert(heed_shape_equal(heed_shape_of(drawn), HEED_SHAPE(2, N)));
    heed_tensor *counts = heed_bincount(heed_select(drawn, 0, 0), NULL, 5);
    for (int i = 0; i < 5; i++)
        ck_assert_near(heed_get(counts, HEED_INDEX(i)) / N, shares[i], 4 * sqrt(shares[i] * (1 - shares[i]) / N));
    ck_assert_int_eq(heed_get_i64(heed_bincount(heed_select(drawn, 0, 1), NULL, 5), HEED_INDEX(4)), N);
}
END_TEST

/* The first two of three are (i, j) with probability w_i / w * w_j / (w - w_i). */
START_TEST(without_replacement_none_comes_twice)
{
    static const double w[] = {1, 2, 5};
    enum { ROWS = 40000 };
    double counts[3][3] = {{0}};
    heed_manual_seed(4);
    heed_tensor *weights = heed_expand(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, 5, 0), HEED_SHAPE(ROWS, 4));
    const int64_t *drawn = heed_data_i64(heed_multinomial(weights, 3, false));
    for (int64_t row = 0; row < ROWS; row++, drawn += 3) {
        ck_assert_int_eq(drawn[0] + drawn[1] + drawn[2], 3);
        ck_assert(drawn[0] != drawn[1] && drawn[1] != drawn[2] && drawn[0] != drawn[2]);
        counts[drawn[0]][drawn[1]]++;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double p = i == j ? 0 : w[i] / 8 * w[j] / (8 - w[i]);
            ck_assert_near(counts[i][j] / ROWS, p, 4 * sqrt(p * (1 - p) / ROWS));
        }
}
END_TEST

START_TEST(multinomial_of_little)
{
    ck_assert_int_eq(heed_item_i64(heed_multinomial(heed_ones(HEED_F32, HEED_SHAPE(1)), 1, false)), 0);
    ck_assert_int_eq(heed_numel(heed_multinomial(heed_ones(HEED_F32, HEED_SHAPE(3)), 0, true)), 0);
    ck_assert_int_eq(heed_numel(heed_multinomial(heed_ones(HEED_F32, HEED_SHAPE(0, 3)), 2, false)), 0);
    heed_tensor *tiny = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0, 1e-45);
    ck_assert_int_eq(heed_get_i64(heed_multinomial(tiny, 3, true), HEED_INDEX(2)), 1);
}
END_TEST

START_TEST(multinomial_refuses)
{
    uint64_t seed, position;
    heed_manual_seed(5);
    heed_tensor *weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 1, 1, 1, 0, 1);
    ck_assert_refused(heed_multinomial(NULL, 1, true), HEED_ERR_ARGUMENT, "multinomial:");
    ck_assert_refused(heed_multinomial(heed_ones(HEED_I64, HEED_SHAPE(2)), 1, true), HEED_ERR_DTYPE, "multinomial:");
    ck_assert_refused(heed_multinomial(heed_ones(HEED_F32, HEED_SCALAR), 1, true), HEED_ERR_SHAPE, "are a scalar");
    ck_assert_refused(heed_multinomial(weights, -1, true), HEED_ERR_ARGUMENT, "count is -1: must be at least 0");
    ck_assert_refused(heed_multinomial(weights, 3, false), HEED_ERR_ARGUMENT,
                      "count is 3, but row 1 has 2 weights above 0");
    ck_assert_refused(heed_multinomial(weights, INT64_MAX, true), HEED_ERR_SHAPE,
                      "multinomial: (2, 9223372036854775807)");
    ck_assert_refused(heed_multinomial(heed_neg(weights), 1, true), HEED_ERR_ARGUMENT, "weight 0 of row 0 is -1");
    ck_assert_refused(heed_multinomial(heed_full(heed_dtype_of(weights), heed_shape_of(weights), (double)NAN), 1, true),
                      HEED_ERR_ARGUMENT, "is nan");
    ck_assert_refused(
        heed_multinomial(heed_full(heed_dtype_of(weights), heed_shape_of(weights), (double)INFINITY), 1, true),
        HEED_ERR_ARGUMENT, "is inf");
    ck_assert_refused(heed_multinomial(heed_full(HEED_F64, HEED_SHAPE(2), 1e308), 1, true), HEED_ERR_ARGUMENT,
                      "the weights of row 0 add up to inf");
    ck_assert_refused(heed_multinomial(heed_zeros_like(weights), 1, true), HEED_ERR_ARGUMENT, "row 0 add up to 0");
    ck_assert_refused(heed_multinomial(heed_zeros(HEED_F32, HEED_SHAPE(2, 0)), 1, true), HEED_ERR_ARGUMENT,
                      "are empty");
    ck_assert_int_eq(heed_generator_get_state(heed_generator_default(), &seed, &position), HEED_OK);
    ck_assert_uint_eq(position, 0);
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

static heed_tensor *draw(int which)
{
    heed_manual_seed(6);
    heed_tensor *weights = heed_rand(HEED_F32, HEED_SHAPE(300, 40));
    if (which == 0)
        return heed_normal(HEED_F32, HEED_SHAPE(70001), 1, 2);
    if (which == 1)
        return heed_exponential(HEED_F32, HEED_SHAPE(70001), 2);
    return heed_to_dtype(heed_multinomial(weights, 30, which == 2), HEED_F32);
}

START_TEST(the_same_bits_for_any_number_of_threads)
{
    for (int which = 0; which < 4; which++) {
        ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
        heed_tensor *one = draw(which);
        for (int threads = 2; threads <= 5; threads++) {
            ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
            heed_tensor *many = draw(which);
            ck_assert_mem_eq(heed_data_f32(one), heed_data_f32(many), (size_t)heed_numel(one) * sizeof(float));
        }
    }
}
END_TEST

/* 1 / 1e-310 overflows f64, but the weight still counts as positive. */
START_TEST(small_weights_come_before_none)
{
    heed_tensor *weights = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1e-310, 1);
    for (uint64_t seed = 0; seed < 50; seed++) {
        heed_manual_seed(seed);
        const int64_t *drawn = heed_data_i64(heed_multinomial(weights, 2, false));
        ck_assert_int_eq(drawn[0] + drawn[1], 3);
    }
}
END_TEST

HEED_TEST_MAIN("draws", likes_are_alike, likes_refuse, normal_is_randn_moved, exponential_is_exponential,
               distributions_refuse, multinomial_has_its_probabilities, without_replacement_none_comes_twice,
               multinomial_of_little, multinomial_refuses, the_same_bits_for_any_number_of_threads,
               small_weights_come_before_none)
