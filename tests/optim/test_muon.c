/* tests/optim/test_muon.c - tests Muon against the paper's rule (tests/reference/muon_reference.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "kernels/kernels.h"
#include "optimizer_of.h"
#include "reference/muon_reference.h"

static heed_tensor *start(heed_dtype dtype, int64_t rows, int64_t columns)
{
    heed_tensor *p = heed_sin(heed_linspace(HEED_F64, 1, (double)(rows * columns), rows * columns));
    return heed_set_requires_grad(heed_to_dtype(heed_reshape(p, HEED_SHAPE(rows, columns)), dtype), true);
}

/* p - 1 + cos(p) */
static void set_gradient(heed_tensor *p)
{
    heed_tensor *x = heed_detach(p);
    heed_set_grad(p, heed_add(heed_add_scalar(x, -1), heed_cos(x)));
}

/* -- The rule ------------------------------------------------------------------------------------------------------ */

static void run_case(const struct muon_case *expected, heed_dtype dtype, double tolerance)
{
    heed_tensor *p = start(dtype, expected->rows, expected->columns);
    heed_optimizer *muon = muon_of(&p, 1, &expected->options);
    ck_assert_msg(muon != NULL, "%s", heed_error_message());
    for (int step = 1, mark = 0; mark < MUON_MARKS; step++) {
        set_gradient(p);
        ck_assert_int_eq(heed_optimizer_step(muon), HEED_OK);
        if (step != muon_steps[mark])
            continue;
        for (int i = 0; i < heed_numel(p); i++)
            ck_assert_near(heed_get(p, HEED_INDEX(i / expected->columns, i % expected->columns)),
                           dtype == HEED_F64 ? expected->f64[mark][i] : expected->f32[mark][i], tolerance);
        mark++;
    }
    heed_optimizer_free(muon);
}

/* Rounding grows by 3.4445 in every one of the five iterations. Plain kernels do not fuse multiply and add, unlike
 * PyTorch's products: in one case they differ by 1.7e-4 after ten steps. */
static double bound_f32(void)
{
    return strcmp(heed__isa_name(), "scalar") == 0 ? 5e-4 : 1e-4;
}

START_TEST(follows_the_paper)
{
    for (size_t i = 0; i < sizeof muon_cases / sizeof muon_cases[0]; i++) {
        run_case(&muon_cases[i], HEED_F64, 1e-12);
        run_case(&muon_cases[i], HEED_F32, bound_f32());
    }
}
END_TEST

/* The step depends neither on the size of a gradient whose squares overflow nor on how its norm is rounded to f32. */
START_TEST(steps_of_huge_gradients)
{
    const heed_dtype dtypes[] = {HEED_F32, HEED_F64};
    const double scales[] = {2e38, 1e300};
    for (int d = 0; d < 2; d++) {
        double found[2];
        for (int huge = 0; huge < 2; huge++) {
            heed_tensor *p = heed_set_requires_grad(heed_zeros(dtypes[d], HEED_SHAPE(6, 4)), true);
            heed_optimizer *muon = muon_of(&p, 1, NULL);
            heed_set_grad(p, heed_mul_scalar(heed_detach(start(dtypes[d], 6, 4)), huge ? scales[d] : 1e6));
            ck_assert_int_eq(heed_optimizer_step(muon), HEED_OK);
            found[huge] = heed_get(p, HEED_INDEX(2, 3));
            heed_optimizer_free(muon);
        }
        ck_assert(fabs(found[0]) > 1e-4);
        ck_assert_near(found[1] / found[0], 1, d == 0 ? 1e-3 : 1e-9);
    }
}
END_TEST

/* All singular values of the step are within the bounds of the coefficients, whatever the gradient's singular values
 * are; so is the length of the image of any unit vector. */
START_TEST(singular_values_come_near_one)
{
    heed_manual_seed(5);
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(30, 50)), true);
    heed_set_grad(p, heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(30, 50)), 1e-3));
    heed_optimizer *muon = muon_of(&p, 1, &(heed_optim_muon_options){.lr = 1.0});
    ck_assert_int_eq(heed_optimizer_step(muon), HEED_OK);
    for (int i = 0; i < 20; i++) {
        heed_tensor *v = heed_randn(HEED_F32, HEED_SHAPE(1, 30));
        const double length = sqrt(heed_item(heed_sum(heed_square(v))));
        const double image = sqrt(heed_item(heed_sum(heed_square(heed_matmul(v, heed_detach(p))))));
        ck_assert(image > 0.65 * length && image < 1.25 * length);
    }
    heed_optimizer_free(muon);
}
END_TEST

START_TEST(no_gradient_and_no_elements)
{
    heed_tensor *p[] = {start(HEED_F64, 2, 3), start(HEED_F64, 2, 3),
                        heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(3, 0)), true),
                        heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(0, 3)), true)};
    heed_optimizer *muon = muon_of(p, 4, NULL);
    const double first = heed_get(p[0], HEED_INDEX(0, 0));
    heed_set_grad(p[1], heed_zeros(HEED_F64, HEED_SHAPE(2, 3))); /* a zero gradient has no direction */
    heed_set_grad(p[2], heed_zeros(HEED_F32, HEED_SHAPE(3, 0)));
    heed_set_grad(p[3], heed_zeros(HEED_F32, HEED_SHAPE(0, 3)));
    ck_assert_msg(heed_optimizer_step(muon) == HEED_OK, "%s", heed_error_message());
    ck_assert_double_eq(heed_get(p[0], HEED_INDEX(0, 0)), first);
    ck_assert_double_eq(heed_get(p[1], HEED_INDEX(0, 0)), first);
    heed_optimizer_free(muon);
}
END_TEST

/* -- Parameters that are not matrices ------------------------------------------------------------------------------ */

START_TEST(only_matrices)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 2, NULL);
    heed_tensor *both[] = {net->weight, net->bias};
    ck_assert_ptr_null(heed_optim_muon(&net->base, NULL));
    ck_assert_error(HEED_ERR_SHAPE,
                    "optim_muon: \"bias\" is (2): must be a matrix; use a second optimizer for biases and "
                    "other vectors, such as heed_optim_adamw");
    ck_assert_ptr_null(muon_of(both, 2, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "optim_muon: \"1\" is (2): must be a matrix");
    heed_optimizer *muon = muon_of(both, 1, NULL), *rest = adamw_of(both + 1, 1, NULL);
    ck_assert_int_eq(muon_add(muon, both + 1, 1, NULL), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "optim_muon_add_group: \"0\" is (2): must be a matrix");
    ck_assert_int_eq(heed_optimizer_groups(muon), 1);
    ck_assert_int_eq(muon_add(rest, both, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the optimizer was created by heed_optim_adamw: must be heed_optim_muon");
    heed_optimizer_free(muon);
    heed_optimizer_free(rest);
    heed_module_set_requires_grad(&net->base, "bias", false); /* frozen parameters do not count */
    muon = heed_optim_muon(&net->base, NULL);
    ck_assert_ptr_nonnull(muon);
    heed_optimizer_free(muon);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct {
        heed_optim_muon_options options;
        const char *text;
    } wrong[] = {
        {{.lr = -1.0}, "lr is -1"},
        {{.momentum = 1.0}, "momentum is 1: must be in [0, 1)"},
        {{.weight_decay = -1.0}, "weight_decay is -1"},
        {{.steps = -1}, "steps is -1: must be 0 to 100"},
        {{.steps = 101}, "steps is 101: must be 0 to 100"},
    };
    heed_tensor *p = start(HEED_F64, 2, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(muon_of(&p, 1, &wrong[i].options));
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
}
END_TEST

HEED_TEST_MAIN("muon", follows_the_paper, steps_of_huge_gradients, singular_values_come_near_one,
               no_gradient_and_no_elements, only_matrices, options_are_checked)
