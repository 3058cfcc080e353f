/* tests/optim/test_adam.c - tests Adam and AdamW against PyTorch's rules (tests/reference/adam_reference.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "optimizer_of.h"
#include "reference/adam_reference.h"

/* sum(a (p - c)^2 / 2 + sin(p)) */
static heed_tensor *objective(heed_tensor *p)
{
    heed_dtype dtype = heed_dtype_of(p);
    heed_tensor *a = heed_from_values(dtype, HEED_SHAPE(ADAM_SIZE), adam_a, ADAM_SIZE);
    heed_tensor *c = heed_from_values(dtype, HEED_SHAPE(ADAM_SIZE), adam_c, ADAM_SIZE);
    return heed_sum(heed_add(heed_mul_scalar(heed_mul(a, heed_square(heed_sub(p, c))), 0.5), heed_sin(p)));
}

static heed_tensor *start(heed_dtype dtype)
{
    return heed_set_requires_grad(heed_from_values(dtype, HEED_SHAPE(ADAM_SIZE), adam_start, ADAM_SIZE), true);
}

static heed_optimizer *make(bool decoupled, heed_tensor *const *list, int n, const heed_optim_adam_options *options)
{
    heed_optimizer *adam = decoupled ? adamw_of(list, n, options) : adam_of(list, n, options);
    ck_assert_msg(adam != NULL, "%s", heed_error_message());
    return adam;
}

static void step_on(heed_optimizer *adam, heed_tensor *const *list, int n)
{
    ck_assert_int_eq(heed_optimizer_zero_grad(adam), HEED_OK);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(heed_backward(objective(list[i])), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
}

/* -- The rule ----------------------------------------------------------------------------------------------------- */

static void run_case(const struct adam_case *expected, heed_dtype dtype, double tolerance)
{
    heed_tensor *list[] = {start(dtype), start(dtype)};
    heed_optimizer *adam = make(expected->decoupled, list, 2, &expected->options);
    int mark = 0;
    for (int step = 1; mark < ADAM_MARKS; step++) {
        step_on(adam, list, step % 3 == 0 ? 2 : 1);
        if (step != adam_steps[mark])
            continue;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < ADAM_SIZE; i++) {
                double p = dtype == HEED_F64 ? expected->f64[mark][k][i] : expected->f32[mark][k][i];
                ck_assert_near(heed_get(list[k], HEED_INDEX(i)), p, tolerance * (1.0 + fabs(p)));
            }
        mark++;
    }
    heed_optimizer_free(adam);
}

START_TEST(follows_pytorch)
{
    for (size_t i = 0; i < sizeof adam_cases / sizeof adam_cases[0]; i++) {
        run_case(&adam_cases[i], HEED_F64, 1e-12);
        run_case(&adam_cases[i], HEED_F32, 1e-6);
    }
}
END_TEST

/* Equal elements stay equal in vectors and in the remainder of a loop, with all options. */
static void check_positions(heed_dtype dtype, const heed_optim_adam_options *options)
{
    enum { SIZE = 37 };
    heed_tensor *p = heed_set_requires_grad(heed_full(dtype, HEED_SHAPE(SIZE), 0.7), true);
    heed_tensor *one = heed_set_requires_grad(heed_full(dtype, HEED_SCALAR, 0.7), true);
    heed_tensor *list[] = {p, one};
    heed_optimizer *adam = make(false, list, 2, options);
    for (int step = 0; step < 3; step++) {
        heed_optimizer_zero_grad(adam);
        ck_assert_int_eq(heed_backward(heed_add(heed_sum(heed_exp(p)), heed_exp(one))), HEED_OK);
        ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
    }
    for (int i = 0; i < SIZE; i++)
        ck_assert_double_eq(heed_get(p, HEED_INDEX(i)), heed_item(one));
    heed_optimizer_free(adam);
}

START_TEST(results_do_not_depend_on_position)
{
    for (int i = 0; i < 8; i++) {
        heed_optim_adam_options options = {
            .weight_decay = i & 1 ? 0.1 : 0.0, .amsgrad = (i & 2) != 0, .maximize = (i & 4) != 0};
        check_positions(HEED_F32, &options);
        check_positions(HEED_F64, &options);
    }
}
END_TEST

START_TEST(zero_means_the_defaults)
{
    static const heed_optim_adam_options written = {.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    for (int decoupled = 0; decoupled < 2; decoupled++) {
        heed_tensor *a = start(HEED_F64), *b = start(HEED_F64);
        heed_optimizer *by_default = make(decoupled, &a, 1, NULL), *by_hand = make(decoupled, &b, 1, &written);
        ck_assert_double_eq(heed_optimizer_lr(by_default, 0), 1e-3);
        for (int step = 0; step < 5; step++) {
            step_on(by_default, &a, 1);
            step_on(by_hand, &b, 1);
        }
        for (int i = 0; i < ADAM_SIZE; i++)
            ck_assert_double_eq(heed_get(a, HEED_INDEX(i)), heed_get(b, HEED_INDEX(i)));
        heed_optimizer_free(by_default);
        heed_optimizer_free(by_hand);
    }
}
END_TEST

START_TEST(nan_is_propagated)
{
    for (int i = 0; i < 4; i++) {
        heed_dtype dtype = i & 1 ? HEED_F32 : HEED_F64;
        heed_tensor *p = start(dtype), *g = heed_ones(dtype, HEED_SHAPE(ADAM_SIZE));
        heed_set_(g, HEED_INDEX(1), (double)NAN);
        heed_set_(g, HEED_INDEX(4), (double)NAN);
        heed_optimizer *adam = make(false, &p, 1, &(heed_optim_adam_options){.amsgrad = i & 2});
        heed_set_grad(p, heed_ones(dtype, HEED_SHAPE(ADAM_SIZE)));
        ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
        heed_set_grad(p, g);
        ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
        for (int k = 0; k < ADAM_SIZE; k++)
            ck_assert(isnan(heed_get(p, HEED_INDEX(k))) == (k == 1 || k == 4));
        heed_optimizer_free(adam);
    }
}
END_TEST

/* The first step has size lr for any gradient, since m / sqrt(v) is then its sign. */
START_TEST(takes_gradients_of_any_layout)
{
    heed_tensor *p = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), true);
    heed_optimizer *adam = make(false, &p, 1, &(heed_optim_adam_options){.lr = 0.25});
    heed_set_grad(p, heed_expand(heed_full(HEED_F64, HEED_SCALAR, 8.0), HEED_SHAPE(2, 3)));
    ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
    for (int i = 0; i < 6; i++)
        ck_assert_near(heed_get(p, HEED_INDEX(i / 3, i % 3)), 0.75, 1e-8);
    heed_optimizer_free(adam);

    /* The gradient lies in the parameter's own memory, shifted by one element: all of it is read before p is
     * written. */
    heed_tensor *both = heed_from_values(HEED_F64, HEED_SHAPE(4), (const double[]){1, 2, -3, 5}, 4);
    p = heed_set_requires_grad(heed_detach(heed_slice(both, 0, 1, HEED_END, 1)), true);
    adam = make(false, &p, 1, &(heed_optim_adam_options){.lr = 4.0});
    ck_assert_int_eq(heed_set_grad(p, heed_slice(both, 0, 0, -1, 1)), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
    static const double expected[] = {1, -2, -7, 9};
    for (int i = 0; i < 4; i++)
        ck_assert_near(heed_get(both, HEED_INDEX(i)), expected[i], 1e-7);
    heed_optimizer_free(adam);
}
END_TEST

START_TEST(empty_and_module_parameters)
{
    heed_module *top = heed_module_new("top", sizeof *top);
    heed_tensor *w = heed_module_parameter(top, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_module_parameter(top, "tied", w);
    heed_tensor *none = heed_module_parameter(top, "none", heed_zeros(HEED_F64, HEED_SHAPE(0, 3)));
    heed_optimizer *list[] = {heed_optim_adam(top, &(heed_optim_adam_options){.lr = 0.5}),
                              heed_optim_adamw(top, &(heed_optim_adam_options){.lr = 0.5, .weight_decay = 1.0})};
    heed_set_grad(w, heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_set_grad(none, heed_zeros(HEED_F64, HEED_SHAPE(0, 3)));
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_nonnull(list[i]);
        ck_assert_int_eq(heed_optimizer_step(list[i]), HEED_OK);
        ck_assert_near(heed_get(w, HEED_INDEX(1)), i == 0 ? 0.5 : 0.25 - 0.5, 1e-6);
        heed_optimizer_free(list[i]);
    }
    heed_module_free(top);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(options_are_checked)
{
    static const struct {
        heed_optim_adam_options options;
        const char *text;
    } wrong[] = {
        {{.lr = -1.0}, "lr is -1"},
        {{.lr = HUGE_VAL}, "lr is inf"},
        {{.beta1 = -0.1}, "beta1 is -0.1"},
        {{.beta1 = 1.0}, "beta1 is 1"},
        {{.beta1 = 0.5, .no_momentum = true}, "beta1 is 0.5: must be 0 with no_momentum"},
        {{.beta2 = 1.5}, "beta2 is 1.5"},
        {{.beta2 = -1e-300}, "beta2 is -1e-300"},
        {{.eps = -1e-8}, "eps is -1e-08"},
        {{.weight_decay = -0.5}, "weight_decay is -0.5"},
    };
    heed_tensor *p = start(HEED_F64), *q = start(HEED_F64);
    heed_optimizer *good = make(true, &q, 1, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(adam_of(&p, 1, &wrong[i].options));
        ck_assert_msg(strncmp(heed_error_message(), "optim_adam: ", 12) == 0, "%s", heed_error_message());
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
        ck_assert_ptr_null(adamw_of(&p, 1, &wrong[i].options));
        ck_assert_msg(strncmp(heed_error_message(), "optim_adamw: ", 13) == 0, "%s", heed_error_message());
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
        ck_assert_int_eq(adamw_add(good, &p, 1, &wrong[i].options), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
    ck_assert_ptr_null(adam_of(&p, 1, &(heed_optim_adam_options){.beta2 = (double)NAN}));
    ck_assert_error(HEED_ERR_ARGUMENT, "beta2 is nan");
    ck_assert_int_eq(heed_optimizer_groups(good), 1);
    heed_optimizer_free(good);
}
END_TEST

START_TEST(parameters_are_checked)
{
    heed_tensor *p = start(HEED_F64), *plain = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *list[] = {p, plain};
    ck_assert_ptr_null(adam_of(list, 2, NULL));
    ck_assert_error(HEED_ERR_STATE, "nn_parameter_list_new: \"1\" does not require a gradient");
    ck_assert_ptr_null(adamw_of(list, 0, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_adamw: no parameter");
    ck_assert_ptr_null(heed_optim_adam(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_adam: the module is NULL");
    ck_assert_ptr_null(heed_optim_adamw(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_adamw: the module is NULL");
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

/* Makes two steps; allocation `fail_at` of the second one fails, must change nothing, and a repeated step then gives
 * the same result as without the failure. Returns false if there were fewer allocations. */
static bool second_step_failing(long fail_at, double *value)
{
    heed_tensor *list[] = {start(HEED_F64), start(HEED_F64)};
    heed_optimizer *adam =
        make(true, list, 2, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.1, .amsgrad = true});
    step_on(adam, list, 1);
    double before = heed_get(list[0], HEED_INDEX(2));
    heed_set_grad(list[1], heed_slice(heed_arange(HEED_F64, 1, 11, 1), 0, 0, HEED_END, 2));
    fail_alloc.count = 0;
    fail_alloc.fail_at = fail_at;
    bool failed = heed_optimizer_step(adam) != HEED_OK;
    fail_alloc.fail_at = 0;
    if (failed) {
        ck_assert_error(HEED_ERR_NOMEM, "");
        ck_assert_double_eq(heed_get(list[0], HEED_INDEX(2)), before);
        for (int i = 0; i < ADAM_SIZE; i++)
            ck_assert_double_eq(heed_get(list[1], HEED_INDEX(i)), adam_start[i]);
        ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
    }
    *value = heed_get(list[0], HEED_INDEX(2)) + heed_get(list[1], HEED_INDEX(3));
    heed_optimizer_free(adam);
    heed_thread_cleanup();
    return failed;
}

START_TEST(failed_step_changes_nothing)
{
    fail_alloc_install();
    double expected, value;
    ck_assert(!second_step_failing(0, &expected));
    long k = 1;
    while (second_step_failing(k, &value)) {
        ck_assert_double_eq(value, expected);
        k++;
    }
    ck_assert_int_ge(k, 6); /* a scope, a gradient, three buffers of two blocks each */
    fail_alloc_uninstall();
}
END_TEST

static bool whole_run(double *value)
{
    heed_tensor *list[] = {start(HEED_F64), start(HEED_F32)};
    if (!list[0] || !list[1])
        return false;
    heed_optimizer *adam = adam_of(list, 2, &(heed_optim_adam_options){.amsgrad = true});
    bool done = adam != NULL;
    for (int step = 0; done && step < 2; step++) {
        heed_optimizer_zero_grad(adam);
        done = heed_backward(objective(list[0])) == HEED_OK && heed_backward(objective(list[1])) == HEED_OK &&
               heed_optimizer_step(adam) == HEED_OK;
    }
    if (done)
        *value = heed_get(list[0], HEED_INDEX(0)) + heed_get(list[1], HEED_INDEX(1));
    heed_optimizer_free(adam);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(whole_run);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("adam", follows_pytorch, results_do_not_depend_on_position, zero_means_the_defaults, nan_is_propagated,
               takes_gradients_of_any_layout, empty_and_module_parameters, options_are_checked, parameters_are_checked,
               failed_step_changes_nothing, out_of_memory)
