/* tests/optim/test_rules.c - tests RMSprop, Adagrad and Lion against PyTorch's or the papers' rules
 * (tests/reference/rules_reference.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "optimizer_of.h"
#include "reference/rules_reference.h"

static heed_tensor *constant(heed_dtype dtype, const double *values)
{
    return heed_from_values(dtype, HEED_SHAPE(RULES_SIZE), values, RULES_SIZE);
}

static heed_tensor *start(heed_dtype dtype)
{
    return heed_set_requires_grad(constant(dtype, rules_start), true);
}

/* a (p - c) + cos(p) */
static heed_tensor *gradient(heed_tensor *p)
{
    heed_dtype dtype = heed_dtype_of(p);
    p = heed_detach(p);
    return heed_add(heed_mul(constant(dtype, rules_a), heed_sub(p, constant(dtype, rules_c))), heed_cos(p));
}

static heed_optimizer *make(const char *kind, heed_tensor *const *list, int n, const void *options)
{
    return strcmp(kind, "rmsprop") == 0   ? rmsprop_of(list, n, options)
           : strcmp(kind, "adagrad") == 0 ? adagrad_of(list, n, options)
                                          : lion_of(list, n, options);
}

static const char *const kinds[] = {"rmsprop", "adagrad", "lion"};

/* -- The rules ---------------------------------------------------------------------------------------------------- */

static void run_case(const struct rules_case *expected, heed_dtype dtype, double tolerance)
{
    heed_tensor *list[] = {start(dtype), start(dtype)};
    heed_optimizer *o = make(expected->kind, list, 2, expected->options);
    ck_assert_msg(o != NULL, "%s", heed_error_message());
    int mark = 0;
    for (int step = 1; mark < RULES_MARKS; step++) {
        heed_set_grad(list[0], gradient(list[0]));
        heed_set_grad(list[1], step % 3 == 0 ? gradient(list[1]) : NULL);
        ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
        if (step != rules_steps[mark])
            continue;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < RULES_SIZE; i++) {
                double p = dtype == HEED_F64 ? expected->f64[mark][k][i] : expected->f32[mark][k][i];
                ck_assert_near(heed_get(list[k], HEED_INDEX(i)), p, tolerance * (1.0 + fabs(p)));
            }
        mark++;
    }
    heed_optimizer_free(o);
}

START_TEST(follow_pytorch)
{
    for (size_t i = 0; i < sizeof rules_cases / sizeof rules_cases[0]; i++) {
        run_case(&rules_cases[i], HEED_F64, 1e-12);
        run_case(&rules_cases[i], HEED_F32, 1e-6);
    }
}
END_TEST

/* Equal elements stay equal in vectors and in the remainder of a loop, with all options. */
static void check_positions(const struct rules_case *of, heed_dtype dtype)
{
    enum { SIZE = 37 };
    heed_tensor *p = heed_set_requires_grad(heed_full(dtype, HEED_SHAPE(SIZE), 0.7), true);
    heed_tensor *one = heed_set_requires_grad(heed_full(dtype, HEED_SCALAR, 0.7), true), *list[] = {p, one};
    heed_optimizer *o = make(of->kind, list, 2, of->options);
    for (int step = 0; step < 3; step++) {
        for (int k = 0; k < 2; k++)
            heed_set_grad(list[k], heed_exp(heed_detach(list[k])));
        ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
    }
    for (int i = 0; i < SIZE; i++)
        ck_assert_double_eq(heed_get(p, HEED_INDEX(i)), heed_item(one));
    heed_optimizer_free(o);
}

START_TEST(results_do_not_depend_on_position)
{
    for (size_t i = 0; i < sizeof rules_cases / sizeof rules_cases[0]; i++) {
        check_positions(&rules_cases[i], HEED_F32);
        check_positions(&rules_cases[i], HEED_F64);
    }
}
END_TEST

START_TEST(nan_is_propagated)
{
    for (size_t i = 0; i < sizeof rules_cases / sizeof rules_cases[0]; i++)
        for (int k = 0; k < 2; k++) {
            heed_dtype dtype = k ? HEED_F32 : HEED_F64;
            heed_tensor *p = start(dtype), *g = heed_ones(dtype, HEED_SHAPE(RULES_SIZE));
            heed_set_(g, HEED_INDEX(1), (double)NAN);
            heed_set_grad(p, g);
            heed_optimizer *o = make(rules_cases[i].kind, &p, 1, rules_cases[i].options);
            ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
            for (int e = 0; e < RULES_SIZE; e++)
                ck_assert(!isnan(heed_get(p, HEED_INDEX(e))) == (e != 1));
            heed_optimizer_free(o);
        }
}
END_TEST

/* The variance of a constant gradient is only rounding error, which must not lead to the square root of a negative
 * number. */
START_TEST(no_variance)
{
    enum { SIZE = 64 };
    static const heed_optim_rmsprop_options options = {.lr = 1e-9, .alpha = 0.5, .centered = true};
    for (int k = 0; k < 2; k++) {
        heed_dtype dtype = k ? HEED_F32 : HEED_F64;
        heed_tensor *p = heed_set_requires_grad(heed_ones(dtype, HEED_SHAPE(SIZE)), true);
        heed_set_grad(p, heed_linspace(dtype, 0.1, 0.7, SIZE));
        heed_optimizer *o = rmsprop_of(&p, 1, &options);
        for (int step = 0; step < 300; step++)
            ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
        for (int i = 0; i < SIZE; i++)
            ck_assert(isfinite(heed_get(p, HEED_INDEX(i))));
        heed_optimizer_free(o);
    }
}
END_TEST

/* Lion moves by lr, or not at all if momentum and gradient are 0. */
START_TEST(a_sign_of_zero)
{
    heed_tensor *p = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(3)), true);
    heed_set_grad(p, HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -1e-30, 0, 1e30));
    heed_optimizer *lion = lion_of(&p, 1, &(heed_optim_lion_options){.lr = 0.25});
    ck_assert_int_eq(heed_optimizer_step(lion), HEED_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq(heed_get(p, HEED_INDEX(i)), 1.25 - 0.25 * i);
    heed_optimizer_free(lion);
}
END_TEST

/* -- Groups, modules, errors ------------------------------------------------------------------------------------- */

static heed_status add(const char *kind, heed_optimizer *o, heed_tensor *const *p, const void *options)
{
    return strcmp(kind, "rmsprop") == 0   ? rmsprop_add(o, p, 1, options)
           : strcmp(kind, "adagrad") == 0 ? adagrad_add(o, p, 1, options)
                                          : lion_add(o, p, 1, options);
}

/* Groups use their own options: every group behaves as in its own optimizer. */
START_TEST(groups)
{
    for (size_t i = 1; i < sizeof rules_cases / sizeof rules_cases[0]; i++) {
        const char *kind = rules_cases[i].kind;
        heed_tensor *p[] = {start(HEED_F64), start(HEED_F64), start(HEED_F64)};
        heed_optimizer *two = make(kind, p, 1, NULL), *alone = make(kind, p + 2, 1, rules_cases[i].options);
        ck_assert_int_eq(add(kind, two, p + 1, rules_cases[i].options), HEED_OK);
        for (int step = 0; step < 3; step++) {
            for (int k = 0; k < 3; k++)
                heed_set_grad(p[k], gradient(p[k]));
            ck_assert_int_eq(heed_optimizer_step(two), HEED_OK);
            ck_assert_int_eq(heed_optimizer_step(alone), HEED_OK);
        }
        for (int e = 0; e < RULES_SIZE; e++)
            ck_assert_double_eq(heed_get(p[1], HEED_INDEX(e)), heed_get(p[2], HEED_INDEX(e)));
        heed_optimizer_free(two);
        heed_optimizer_free(alone);
    }
}
END_TEST

START_TEST(kinds_do_not_mix)
{
    for (int i = 0; i < 3; i++) {
        heed_tensor *p = start(HEED_F64), *q = start(HEED_F64);
        heed_optimizer *o = make(kinds[i], &p, 1, NULL);
        ck_assert_int_eq(add(kinds[(i + 1) % 3], o, &q, NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "must be heed_optim_");
        ck_assert_int_eq(heed_optimizer_groups(o), 1);
        heed_optimizer_free(o);
    }
}
END_TEST

START_TEST(modules)
{
    heed_module *top = heed_module_new("top", sizeof *top);
    heed_tensor *w = heed_module_parameter(top, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_tensor *none = heed_module_parameter(top, "none", heed_zeros(HEED_F64, HEED_SHAPE(0, 3)));
    heed_optimizer *all[] = {heed_optim_rmsprop(top, &(heed_optim_rmsprop_options){.lr = 0.5, .alpha = 0.75}),
                             heed_optim_adagrad(top, &(heed_optim_adagrad_options){.lr = 0.5}),
                             heed_optim_lion(top, &(heed_optim_lion_options){.lr = 0.25, .weight_decay = 1.0})};
    static const double after[] = {0.0, -0.5, -0.625};
    heed_set_grad(w, heed_full(HEED_F32, HEED_SHAPE(2), 3));
    heed_set_grad(none, heed_zeros(HEED_F64, HEED_SHAPE(0, 3)));
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(all[i]);
        ck_assert_int_eq(heed_optimizer_step(all[i]), HEED_OK);
        ck_assert_near(heed_get(w, HEED_INDEX(1)), after[i], 1e-6);
        heed_optimizer_free(all[i]);
    }
    heed_module_free(top);
}
END_TEST

static const struct {
    const char *kind;
    const void *options;
    const char *text;
} wrong[] = {
    {"rmsprop", &(const heed_optim_rmsprop_options){.lr = -1.0}, "lr is -1: must be finite and 0 or more"},
    {"rmsprop", &(const heed_optim_rmsprop_options){.alpha = 1.0}, "alpha is 1: must be in [0, 1)"},
    {"rmsprop", &(const heed_optim_rmsprop_options){.eps = -1.0}, "eps is -1"},
    {"rmsprop", &(const heed_optim_rmsprop_options){.weight_decay = HUGE_VAL}, "weight_decay is inf"},
    {"rmsprop", &(const heed_optim_rmsprop_options){.momentum = -0.5}, "momentum is -0.5"},
    {"adagrad", &(const heed_optim_adagrad_options){.lr = -1.0}, "lr is -1"},
    {"adagrad", &(const heed_optim_adagrad_options){.lr_decay = -1.0}, "lr_decay is -1"},
    {"adagrad", &(const heed_optim_adagrad_options){.weight_decay = -1.0}, "weight_decay is -1"},
    {"adagrad", &(const heed_optim_adagrad_options){.initial_accumulator_value = -1.0},
     "initial_accumulator_value is -1"},
    {"adagrad", &(const heed_optim_adagrad_options){.eps = -1.0}, "eps is -1"},
    {"lion", &(const heed_optim_lion_options){.lr = HUGE_VAL}, "lr is inf"},
    {"lion", &(const heed_optim_lion_options){.beta1 = 1.0}, "beta1 is 1: must be in [0, 1)"},
    {"lion", &(const heed_optim_lion_options){.beta2 = -0.5}, "beta2 is -0.5"},
    {"lion", &(const heed_optim_lion_options){.weight_decay = -1.0}, "weight_decay is -1"},
};

START_TEST(options_are_checked)
{
    heed_tensor *p = start(HEED_F64);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(make(wrong[i].kind, &p, 1, wrong[i].options));
        ck_assert_msg(strncmp(heed_error_message() + 6, wrong[i].kind, 4) == 0, "%s", heed_error_message());
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
}
END_TEST

HEED_TEST_MAIN("rules", follow_pytorch, results_do_not_depend_on_position, nan_is_propagated, no_variance,
               a_sign_of_zero, groups, kinds_do_not_mix, modules, options_are_checked)
