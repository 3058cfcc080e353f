/* tests/ops/test_scales.c - numbers of the user at the ends of the dtype's range and beyond: attention's scale,
 * factors, the eps of layer norm and of Adam. If the true result is finite, so is heed's.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "optimizer_of.h"

#include <float.h>

static const heed_dtype dtypes[] = {HEED_F32, HEED_F64};
static const double scales[] = {1e300, 1e155, 1e100, 3e38, 1e30, 1e20, 1e10};
enum { SCALES = sizeof scales / sizeof scales[0] };

static void all_finite(const heed_tensor *t, const char *what, double scale)
{
    heed_tensor *copy = heed_to_dtype(heed_contiguous(heed_detach((heed_tensor *)(uintptr_t)t)), HEED_F64);
    for (int64_t i = 0; i < heed_numel(copy); i++)
        ck_assert_msg(isfinite(heed_data_f64(copy)[i]), "%s, %s, scale %g: element %d is %g", what,
                      heed_dtype_name(heed_dtype_of(t)), scale, (int)i, heed_data_f64(copy)[i]);
}

static void near(const heed_tensor *a, const heed_tensor *b)
{
    for (int64_t i = 0; i < heed_numel(a); i++)
        ck_assert_near(heed_data_f64(a)[i], heed_data_f64(b)[i], 1e-13 * (1 + fabs(heed_data_f64(b)[i])));
}

/* -- Attention ----------------------------------------------------------------------------------------------------- */

/* The keys are 1, 2, 3 and 0. `queries` queries are 1 and as many are -1, so a score is a key or its negative. */
typedef struct problem {
    heed_tensor *in[3];
    heed_attention_options options;
} problem;

static problem problem_of(heed_dtype dtype, int64_t queries, double scale)
{
    heed_tensor *kinds = HEED_TENSOR(dtype, HEED_SHAPE(1, 2, 1), 1, -1);
    problem p = {.options = {.scale = scale}};
    p.in[0] = heed_repeat_interleave(kinds, 1, queries);
    p.in[1] = HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 1), 1, 2, 3, 0);
    p.in[2] = HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 2), 1, 10, 2, 20, 3, 30, 4, 40);
    for (int i = 0; i < 3; i++)
        p.in[i] = heed_set_requires_grad(heed_detach(p.in[i]), true);
    return p;
}

static heed_tensor *attend(const problem *p, heed_tensor **weights)
{
    heed_tensor *y = heed_dot_product_attention(p->in[0], p->in[1], p->in[2], &p->options, weights);
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    return y;
}

/* The first query of either kind takes these keys, the rows of v from 1. */
static void check_attention(problem p, int64_t queries, int first, int second)
{
    heed_tensor *made = NULL;
    for (int with_weights = 0; with_weights < 2; with_weights++) {
        heed_tensor **weights = with_weights ? &made : NULL, *y = attend(&p, weights);
        all_finite(y, "attention", p.options.scale);
        ck_assert_double_eq(heed_get(y, HEED_INDEX(0, 0, 1)), 10 * first);
        ck_assert_double_eq(heed_get(y, HEED_INDEX(0, queries, 0)), second);
        for (int composed = 0; composed < 2; composed++) {
            heed_tensor *loss = heed_sum(attend(&p, weights)), *dx[3];
            heed_grad_options o = {.create_graph = composed};
            ck_assert_msg(heed_grad(&loss, 1, p.in, 3, dx, &o) == HEED_OK, "%s", heed_error_message());
            for (int i = 0; i < 3; i++)
                all_finite(dx[i], "gradient of attention", p.options.scale);
        }
    }
}

START_TEST(large_scales_take_the_largest_score)
{
    static const int64_t counts[] = {1, 70, 700}; /* by query, and in panels */
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < SCALES; i++)
            for (int n = 0; n < 3; n++) {
                check_attention(problem_of(dtypes[d], counts[n], scales[i]), counts[n], 3, 4);
                check_attention(problem_of(dtypes[d], counts[n], -scales[i]), counts[n], 4, 3);
                problem masked = problem_of(dtypes[d], counts[n], scales[i]);
                masked.options.valid_lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2);
                check_attention(masked, counts[n], 2, 1);
            }
}
END_TEST

/* Equal scores stay equal. */
START_TEST(small_scales_average)
{
    for (int d = 0; d < 2; d++)
        for (double scale = 1e-20; scale > 0; scale *= 1e-60) {
            problem p = problem_of(dtypes[d], 3, scale);
            ck_assert_near(heed_get(attend(&p, NULL), HEED_INDEX(0, 0, 0)), 2.5, 1e-6);
        }
}
END_TEST

/* A scale above 1 has the same effect as the same factor of q. */
START_TEST(scales_are_factors)
{
    for (int queries = 1; queries <= 40; queries += 39)
        for (double scale = -2.5; scale < 3; scale += 0.75) {
            heed_tensor *y[2], *dx[2][3];
            for (int scaled = 0; scaled < 2; scaled++) {
                problem p = problem_of(HEED_F64, queries, scaled ? scale : 1);
                heed_tensor *q = scaled ? p.in[0] : heed_mul_scalar(p.in[0], scale);
                y[scaled] = heed_dot_product_attention(q, p.in[1], p.in[2], &p.options, NULL);
                heed_tensor *loss = heed_sum(heed_square(y[scaled]));
                ck_assert_int_eq(heed_grad(&loss, 1, p.in, 3, dx[scaled], NULL), HEED_OK);
            }
            near(y[0], y[1]);
            for (int i = 0; i < 3; i++)
                near(dx[0][i], dx[1][i]);
        }
}
END_TEST

/* -- Factors ------------------------------------------------------------------------------------------------------- */

START_TEST(factors_beyond_f32)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 0, 1e-38, -2, 1);
    heed_tensor *large = heed_mul_scalar(x, 1e39), *small = heed_mul_scalar(heed_mul_scalar(x, 1e38), 1e-50);
    ck_assert(isnan(heed_get(large, HEED_INDEX(0))));
    ck_assert(heed_get(large, HEED_INDEX(1)) == (double)INFINITY);
    ck_assert(heed_get(large, HEED_INDEX(2)) == -(double)INFINITY);
    ck_assert_double_eq(heed_get(small, HEED_INDEX(2)), 0);
    ck_assert_double_eq(heed_get(heed_mul_scalar(x, (double)INFINITY), HEED_INDEX(3)), (double)INFINITY);
    ck_assert(isnan(heed_get(heed_mul_scalar(x, (double)INFINITY), HEED_INDEX(0))));
}
END_TEST

/* -- eps ----------------------------------------------------------------------------------------------------------- */

START_TEST(layer_norm_of_equal_numbers)
{
    for (int d = 0; d < 2; d++)
        for (double eps = 1e-5; eps > 0; eps *= 1e-45) {
            heed_tensor *x = heed_set_requires_grad(heed_full(dtypes[d], HEED_SHAPE(2, 7), 3), true);
            heed_tensor *y = heed_layer_norm(x, HEED_SHAPE(7), NULL, NULL, eps), *loss, *dx = NULL;
            ck_assert_double_eq(heed_get(y, HEED_INDEX(1, 1)), 0);
            for (int composed = 0; composed < 2; composed++) {
                heed_grad_options o = {.create_graph = composed};
                loss = heed_sum(heed_layer_norm(x, HEED_SHAPE(7), NULL, NULL, eps));
                ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &dx, &o), HEED_OK);
                all_finite(dx, "gradient of layer_norm", eps);
            }
        }
}
END_TEST

START_TEST(adam_of_no_gradient)
{
    for (int d = 0; d < 2; d++)
        for (double eps = 1e-8; eps > 0; eps *= 1e-45) {
            heed_tensor *p = heed_set_requires_grad(heed_ones(dtypes[d], HEED_SHAPE(3)), true);
            heed_optimizer *adam = adam_of(&p, 1, &(heed_optim_adam_options){.lr = 0.1, .eps = eps});
            ck_assert_int_eq(heed_set_grad(p, heed_zeros(dtypes[d], HEED_SHAPE(3))), HEED_OK);
            ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
            ck_assert_double_eq(heed_get(p, HEED_INDEX(1)), 1);
            heed_optimizer_free(adam);
            (void)heed_set_grad(p, NULL);
        }
}
END_TEST

HEED_TEST_MAIN("scales at the ends", large_scales_take_the_largest_score, small_scales_average, scales_are_factors,
               factors_beyond_f32, layer_norm_of_equal_numbers, adam_of_no_gradient)
