/* tests/nn/test_local_polynomials.c - tests of kernel regression that fits a line, parabola or cubic around every
 * query.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "check_heed.h"

typedef heed_kernel_regression_options options;

static double worst(heed_tensor *a, heed_tensor *b)
{
    return heed_item(heed_max(heed_abs(heed_sub(a, b))));
}

/* -- Against the definition ---------------------------------------------------------------------------------------- */

/* Every kernel and degree reproduces a polynomial of that degree, within the range of the keys and outside it. */
START_TEST(polynomials_are_reproduced)
{
    heed_manual_seed(1);
    heed_tensor *k = heed_rand(HEED_F64, HEED_SHAPE(40)), *q = heed_linspace(HEED_F64, -0.2, 1.2, 15);
    heed_tensor *w = heed_full(HEED_F64, HEED_SHAPE(1), 1.0);
    for (int kernel = HEED_NW_GAUSSIAN; kernel <= HEED_NW_CONSTANT; kernel++)
        for (int degree = 1; degree <= 3; degree++) {
            heed_tensor *v = heed_add_scalar(heed_pow_scalar(k, degree), 2.0), *weights = NULL;
            heed_tensor *f = heed_kernel_regression(
                q, k, v, w, &(options){.kernel = (heed_nw_kernel)kernel, .degree = degree}, &weights);
            ck_assert_near(worst(f, heed_add_scalar(heed_pow_scalar(q, degree), 2.0)), 0.0, 1e-9);
            ck_assert_near(
                worst(heed_sum_axes(weights, HEED_AXES(1), false), heed_full(heed_dtype_of(q), heed_shape_of(q), 1)),
                0.0, 1e-11);
        }
}
END_TEST

/* Returns a x y of two components. */
static heed_tensor *plane(heed_tensor *x)
{
    heed_tensor *first = heed_select(x, 1, 0), *second = heed_select(x, 1, 1);
    return heed_add(heed_mul(first, second), heed_add(heed_mul_scalar(first, 3.0), heed_square(second)));
}

START_TEST(polynomials_of_two_components_are_reproduced)
{
    heed_manual_seed(2);
    heed_tensor *k = heed_rand(HEED_F64, HEED_SHAPE(60, 2)), *q = heed_rand(HEED_F64, HEED_SHAPE(9, 2));
    heed_tensor *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3.0, 2.0);
    heed_tensor *f = heed_kernel_regression(q, k, plane(k), w, &(options){.degree = 2}, NULL);
    ck_assert_near(worst(f, plane(q)), 0.0, 1e-10);
    f = heed_kernel_regression(q, k, plane(k), w, &(options){.degree = 1}, NULL);
    ck_assert(worst(f, plane(q)) > 1e-3);
}
END_TEST

/* Keys with one, two and three different values determine the constant, the line and the parabola through them. */
START_TEST(degree_is_limited_by_distinct_keys)
{
    heed_tensor *w = heed_ones(HEED_F64, HEED_SHAPE(1)), *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1.0, 3.0);
    heed_tensor *k = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.5, 0.5, 0.5),
                *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 6);
    heed_tensor *f = heed_kernel_regression(q, k, v, w, &(options){.degree = 3}, NULL);
    ck_assert_near(worst(f, heed_full(heed_dtype_of(q), heed_shape_of(q), 3.0)), 0.0, 1e-14);
    k = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.5, 0.5, 1.5);
    f = heed_kernel_regression(q, k, v, w, &(options){.degree = 3}, NULL);
    ck_assert_near(worst(f, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3.75, 12.75)), 0.0, 1e-12);
    k = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 2);
    f = heed_kernel_regression(q, k, v, w, &(options){.degree = 3}, NULL);
    ck_assert_near(worst(f, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2.0, 13.0)), 0.0, 1e-12);
}
END_TEST

/* Shifting and scaling the data neither overflows nor loses digits. */
START_TEST(shifts_and_scales_lose_no_digits)
{
    heed_manual_seed(3);
    heed_tensor *k = heed_rand(HEED_F64, HEED_SHAPE(30)), *v = heed_sin(heed_mul_scalar(k, 5.0));
    heed_tensor *q = heed_rand(HEED_F64, HEED_SHAPE(7)), *w = heed_full(HEED_F64, HEED_SHAPE(1), 4.0);
    for (int degree = 1; degree <= 3; degree++) {
        const options o = {.degree = degree};
        heed_tensor *f = heed_kernel_regression(q, k, v, w, &o, NULL);
        heed_tensor *large = heed_kernel_regression(heed_mul_scalar(q, 0x1p500), heed_mul_scalar(k, 0x1p500), v,
                                                    heed_mul_scalar(w, 0x1p-500), &o, NULL);
        heed_tensor *small = heed_kernel_regression(heed_mul_scalar(q, 0x1p-500), heed_mul_scalar(k, 0x1p-500), v,
                                                    heed_mul_scalar(w, 0x1p500), &o, NULL);
        heed_tensor *moved = heed_kernel_regression(heed_add_scalar(q, 1e6), heed_add_scalar(k, 1e6), v, w, &o, NULL);
        ck_assert_near(worst(f, large), 0.0, 1e-13);
        ck_assert_near(worst(f, small), 0.0, 1e-13);
        ck_assert_near(worst(f, moved), 0.0, 1e-7);
    }
}
END_TEST

/* Even if one key has almost all the weight, the line still goes through the others. */
START_TEST(far_from_the_keys)
{
    heed_manual_seed(4);
    heed_tensor *k = heed_rand(HEED_F64, HEED_SHAPE(16)), *q = heed_linspace(HEED_F64, -3.0, 4.0, 15), *weights;
    for (int degree = 1; degree <= 3; degree++) {
        heed_kernel_regression(q, k, k, heed_full(HEED_F64, HEED_SHAPE(1), 12.0), &(options){.degree = degree},
                               &weights);
        heed_tensor *most = heed_max_axes(heed_abs(weights), HEED_AXES(1), false);
        heed_tensor *off = heed_add_scalar(heed_sum_axes(weights, HEED_AXES(1), false), -1.0);
        ck_assert_near(worst(heed_div(off, most), heed_zeros_like(most)), 0.0, 1e-9);
    }
}
END_TEST

START_TEST(gradients_far_from_the_keys_are_finite)
{
    heed_manual_seed(5);
    heed_tensor *leaves[] = {heed_set_requires_grad(heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(6, 3)), 5.0), true),
                             heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(30, 3)), true),
                             heed_set_requires_grad(heed_full(HEED_F32, HEED_SHAPE(1), 6.3), true)};
    heed_tensor *v = heed_randn(HEED_F32, HEED_SHAPE(30)), *g[3];
    for (int degree = 1; degree <= 3; degree++) {
        heed_tensor *f = heed_kernel_regression(leaves[0], leaves[1], v, leaves[2], &(options){.degree = degree}, NULL);
        heed_tensor *sum = heed_sum(f);
        ck_assert_int_eq(heed_grad(&sum, 1, leaves, 3, g, NULL), HEED_OK);
        for (int i = 0; i < 3; i++)
            ck_assert(isfinite(heed_item(heed_max(heed_abs(g[i])))));
    }
}
END_TEST

/* -- Real data ----------------------------------------------------------------------------------------------------- */

typedef struct problem {
    heed_nn_nw_kernel_regression *net;
    heed_tensor *x, *y;
} problem;

/* Returns ln of the leave-one-out mean squared error. */
static heed_tensor *criterion(void *user)
{
    const problem *p = user;
    heed_tensor *f = heed_nn_nw_kernel_regression_forward(p->net, p->x, p->x, p->y, NULL);
    return heed_log(heed_mse_loss(f, p->y, HEED_REDUCTION_MEAN));
}

/* Compares with the width found by R's np and its criterion (CV.LS). */
static void check_width(const char *file, const char *x_name, const char *y_name, int degree, double h, double value)
{
    heed_io_csv *csv = heed_io_csv_read(file, NULL);
    problem p = {.x = heed_io_csv_column(csv, x_name, HEED_F64), .y = heed_io_csv_column(csv, y_name, HEED_F64)};
    heed_io_csv_free(csv);
    p.net = heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){
        .log_width = true, .width = 2.0, .dtype = HEED_F64, .leave_one_out = true, .degree = degree});
    heed_optimizer *lbfgs = heed_optim_lbfgs(&p.net->base, &(heed_optim_lbfgs_options){.tolerance_change = 1e-14});
    for (int step = 0; step < 3; step++)
        ck_assert_int_eq(heed_optimizer_step_closure(lbfgs, criterion, &p, NULL), HEED_OK);
    ck_assert_near(exp(heed_item(p.net->width)), h, 5e-6);
    ck_assert_near(exp(heed_item(criterion(&p))), value, 6e-10);
    heed_optimizer_free(lbfgs);
    heed_module_free(&p.net->base);
}

START_TEST(widths_of_np)
{
    check_width(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", 0, 0.913829, 595.936344122);
    check_width(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", 1, 1.475794, 561.339453528);
    check_width(HEED_SOURCE_DIR "/examples/data/faithful.csv", "waiting", "eruptions", 0, 3.779873, 0.140647930);
    check_width(HEED_SOURCE_DIR "/examples/data/faithful.csv", "waiting", "eruptions", 1, 2.740802, 0.142334499);
}
END_TEST

HEED_TEST_MAIN("local polynomials", polynomials_are_reproduced, polynomials_of_two_components_are_reproduced,
               degree_is_limited_by_distinct_keys, shifts_and_scales_lose_no_digits, far_from_the_keys,
               gradients_far_from_the_keys_are_finite, widths_of_np)
