/* tests/optim/test_sgd.c - tests SGD against PyTorch's rule (tests/reference/sgd_reference.py), and the optimizer
 * base.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "optimizer_of.h"
#include "reference/sgd_reference.h"

/* sum(a (p - c)^2 / 2 + sin(p)) */
static heed_tensor *objective(heed_tensor *p)
{
    heed_dtype dtype = heed_dtype_of(p);
    heed_tensor *a = heed_from_values(dtype, HEED_SHAPE(SGD_SIZE), sgd_a, SGD_SIZE);
    heed_tensor *c = heed_from_values(dtype, HEED_SHAPE(SGD_SIZE), sgd_c, SGD_SIZE);
    return heed_sum(heed_add(heed_mul_scalar(heed_mul(a, heed_square(heed_sub(p, c))), 0.5), heed_sin(p)));
}

static heed_tensor *start(heed_dtype dtype)
{
    return heed_set_requires_grad(heed_from_values(dtype, HEED_SHAPE(SGD_SIZE), sgd_start, SGD_SIZE), true);
}

static void run_case(const struct sgd_case *expected, heed_dtype dtype, double tolerance)
{
    heed_tensor *p = start(dtype);
    heed_optimizer *sgd = sgd_of(&p, 1, &expected->options);
    ck_assert_msg(sgd != NULL, "%s", heed_error_message());
    int mark = 0;
    for (int step = 1; mark < SGD_MARKS; step++) {
        ck_assert_int_eq(heed_optimizer_zero_grad(sgd), HEED_OK);
        ck_assert_int_eq(heed_backward(objective(p)), HEED_OK);
        ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
        if (step != sgd_steps[mark])
            continue;
        for (int i = 0; i < SGD_SIZE; i++)
            ck_assert_near(heed_get(p, HEED_INDEX(i)), expected->p[mark][i],
                           tolerance * (1.0 + fabs(expected->p[mark][i])));
        mark++;
    }
    heed_optimizer_free(sgd);
}

START_TEST(follows_pytorch)
{
    for (size_t i = 0; i < sizeof sgd_cases / sizeof sgd_cases[0]; i++) {
        run_case(&sgd_cases[i], HEED_F64, 1e-13);
        run_case(&sgd_cases[i], HEED_F32, 2e-5);
    }
}
END_TEST

/* -- Which parameters are updated ----------------------------------------------------------------------------- */

START_TEST(skips_parameters_without_gradient)
{
    heed_tensor *list[] = {start(HEED_F64), start(HEED_F32)};
    heed_optimizer *sgd = sgd_of(list, 2, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.5, .dampening = 0.5});
    heed_backward(objective(list[1]));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(list[0], HEED_INDEX(0)), sgd_start[0]);
    double once = heed_get(list[1], HEED_INDEX(0));
    ck_assert(once < sgd_start[0]);

    /* The first step of list[0] has b = g, without dampening, although it is the optimizer's second step. */
    heed_optimizer_zero_grad(sgd);
    heed_backward(heed_sum(list[0]));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(list[0], HEED_INDEX(0)), sgd_start[0] - 0.1);
    ck_assert_double_eq(heed_get(list[1], HEED_INDEX(0)), once);
    heed_optimizer_free(sgd);
}
END_TEST

START_TEST(takes_gradients_of_any_layout_and_size)
{
    int64_t n = 1003;
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(n)), true);
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 0.25});
    heed_tensor *g = heed_flip(heed_arange(HEED_F32, 0.0, (double)n, 1.0), HEED_AXES(0));
    ck_assert_int_eq(heed_set_grad(p, heed_slice(heed_repeat_interleave(g, 0, 2), 0, 0, HEED_END, 2)), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    for (int64_t i = 0; i < n; i++)
        ck_assert_double_eq(heed_get(p, HEED_INDEX(i)), -0.25 * (double)(n - 1 - i));
    heed_set_grad(p, heed_expand(heed_ones(HEED_F32, HEED_SHAPE(1)), HEED_SHAPE(n)));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(p, HEED_INDEX(-1)), -0.25);
    heed_optimizer_free(sgd);
}
END_TEST

START_TEST(of_a_module_takes_tied_parameters_once)
{
    heed_module *top = heed_module_new("top", sizeof *top), *below = heed_module_new("below", sizeof *below);
    heed_tensor *w = heed_module_parameter(top, "w", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_tensor *b = heed_module_buffer(top, "b", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_module_parameter(below, "tied", w);
    heed_tensor *v = heed_module_parameter(below, "v", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_module_child(top, "below", below);
    heed_optimizer *sgd = heed_optim_sgd(top, &(heed_optim_sgd_options){.lr = 0.5});
    heed_backward(heed_sum(heed_mul(b, heed_add(w, v))));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(w, HEED_INDEX(0)), 0.5);
    ck_assert_double_eq(heed_get(v, HEED_INDEX(0)), 0.5);
    ck_assert_double_eq(heed_get(b, HEED_INDEX(0)), 1.0);
    heed_module_free(top); /* the optimizer retains the tensors it needs */
    ck_assert_int_eq(heed_optimizer_zero_grad(sgd), HEED_OK);
    heed_optimizer_free(sgd);
}
END_TEST

/* Frozen parameters are neither moved nor decayed, and keep an earlier gradient. */
START_TEST(skips_frozen_parameters_of_a_module)
{
    const heed_optim_sgd_options options = {.lr = 0.5, .weight_decay = 0.5};
    heed_module *m = heed_module_new("m", sizeof *m);
    heed_tensor *frozen = heed_module_parameter(m, "frozen", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_backward(heed_sum(heed_add(frozen, w)));
    heed_set_requires_grad(frozen, false);
    heed_optimizer *sgd = heed_optim_sgd(m, &options);
    ck_assert_msg(sgd != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_int_eq(heed_optimizer_zero_grad(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(frozen, HEED_INDEX(0)), 1.0);
    ck_assert_double_eq(heed_get(w, HEED_INDEX(0)), 0.25);
    ck_assert(heed_has_grad(frozen) && !heed_has_grad(w));

    /* After unfreezing, it can be added like any parameter. */
    heed_set_requires_grad(frozen, true);
    ck_assert_int_eq(sgd_add(sgd, &frozen, 1, &options), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(frozen, HEED_INDEX(0)), 0.25);
    heed_optimizer_free(sgd);

    heed_set_requires_grad(frozen, false);
    heed_set_requires_grad(w, false);
    ck_assert_ptr_null(heed_optim_sgd(m, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_sgd: no parameter requires a gradient");
    heed_module_free(m);
}
END_TEST

/* A gradient made with create_graph, which itself belongs to a graph. */
START_TEST(takes_gradients_that_are_recorded)
{
    heed_tensor *p = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(2), 3.0), true);
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 0.5, .momentum = 0.5});
    heed_backward_with(heed_sum(heed_square(p)), &(heed_backward_options){.create_graph = true});
    ck_assert(heed_requires_grad(heed_grad_of(p)));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(p, HEED_INDEX(1)), 0.0);
    ck_assert(heed_is_leaf(p) && heed_grad_enabled());
    heed_optimizer_zero_grad(sgd);
    heed_optimizer_free(sgd);
}
END_TEST

START_TEST(the_rate_can_be_changed)
{
    heed_tensor *p = start(HEED_F64);
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 0.5});
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.5);
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 0, 0.0), HEED_OK);
    heed_backward(heed_sum(p));
    heed_optimizer_step(sgd);
    ck_assert_double_eq(heed_get(p, HEED_INDEX(0)), sgd_start[0]);
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 0, -0.1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "-0.1");
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 0, (double)NAN), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nan");
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.0);
    heed_optimizer_free(sgd);
}
END_TEST

START_TEST(pending_backward_detects_the_write)
{
    heed_tensor *p = start(HEED_F64);
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 0.5});
    heed_tensor *old = heed_sum(heed_square(p));
    heed_backward(heed_sum(p));
    heed_optimizer_step(sgd);
    ck_assert_int_eq(heed_backward(old), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "square");
    heed_optimizer_free(sgd);
}
END_TEST

/* -- Errors ----------------------------------------------------------------------------------------------------- */

START_TEST(options_are_checked)
{
    static const struct {
        heed_optim_sgd_options options;
        const char *text;
    } wrong[] = {
        {{.lr = 0.0}, "lr is 0: must be finite and above 0"},
        {{.lr = -1.0}, "lr is -1"},
        {{.lr = HUGE_VAL}, "lr is inf"},
        {{.lr = 0.1, .momentum = -0.5}, "momentum is -0.5: must be finite and 0 or more"},
        {{.lr = 0.1, .dampening = -0.5}, "dampening is -0.5"},
        {{.lr = 0.1, .weight_decay = -0.5}, "weight_decay is -0.5"},
        {{.lr = 0.1, .nesterov = true}, "nesterov"},
        {{.lr = 0.1, .momentum = 0.9, .dampening = 0.1, .nesterov = true}, "nesterov"},
    };
    heed_tensor *p = start(HEED_F64);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(sgd_of(&p, 1, &wrong[i].options));
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
    ck_assert_ptr_null(sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = (double)NAN}));
    ck_assert_error(HEED_ERR_ARGUMENT, "nan");
    ck_assert_ptr_null(sgd_of(&p, 1, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "options is NULL");
}
END_TEST

START_TEST(parameters_are_checked)
{
    const heed_optim_sgd_options options = {.lr = 0.1};
    heed_tensor *p = start(HEED_F64), *plain = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *strided = heed_transpose(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, 1);
    heed_set_requires_grad(strided, true);
    heed_tensor *const lists[][2] = {{p, NULL}, {p, plain}, {p, heed_square(p)}, {p, strided}};
    static const struct {
        heed_status status;
        const char *text;
    } expected[] = {
        {HEED_ERR_ARGUMENT, "nn_parameter_list_new: tensor 1 is NULL"},
        {HEED_ERR_STATE, "nn_parameter_list_new: \"1\" does not require a gradient: call heed_set_requires"},
        {HEED_ERR_STATE, "nn_parameter_list_new: \"1\" is the result of a recorded op: detach it"},
        {HEED_ERR_UNSUPPORTED, "nn_parameter_list_new: \"1\" must be contiguous"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_ptr_null(sgd_of(lists[i], 2, &options));
        ck_assert_error(expected[i].status, expected[i].text);
    }
    ck_assert_ptr_null(sgd_of(&p, 0, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_sgd: no parameter requires a gradient");
    ck_assert_ptr_null(sgd_of(&p, -1, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "n is -1");
    ck_assert_ptr_null(sgd_of(NULL, 1, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_optim_sgd(NULL, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    heed_module *empty = heed_module_new("empty", sizeof *empty);
    ck_assert_ptr_null(heed_optim_sgd(empty, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, "no parameter requires a gradient");
    heed_module_free(empty);
}
END_TEST

START_TEST(null_optimizer)
{
    ck_assert_int_eq(heed_optimizer_step(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_step");
    ck_assert_int_eq(heed_optimizer_zero_grad(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_zero_grad");
    ck_assert_double_nan(heed_optimizer_lr(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_lr");
    ck_assert_int_eq(heed_optimizer_set_lr(NULL, 0, 0.1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_set_lr");
    heed_optimizer_free(NULL);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------ */

/* A step either fails without any change or is complete. */
static bool two_steps(double *value)
{
    heed_tensor *list[] = {start(HEED_F64), start(HEED_F64)};
    if (!list[0] || !list[1])
        return false;
    heed_optimizer *sgd = sgd_of(list, 2, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9});
    heed_tensor *loss = heed_add(objective(list[0]), objective(list[1]));
    bool done = sgd && loss && heed_backward(loss) == HEED_OK;
    if (done) /* a gradient that must be made contiguous */
        done = heed_set_grad(list[1], heed_slice(heed_arange(HEED_F64, 0, 6, 1), 0, 0, HEED_END, 2)) == HEED_OK;
    if (done && heed_optimizer_step(sgd) != HEED_OK) {
        done = false;
        for (int i = 0; i < SGD_SIZE; i++) {
            ck_assert_double_eq(heed_get(list[0], HEED_INDEX(i)), sgd_start[i]);
            ck_assert_double_eq(heed_get(list[1], HEED_INDEX(i)), sgd_start[i]);
        }
    }
    done = done && heed_optimizer_step(sgd) == HEED_OK;
    if (done)
        *value = heed_get(list[0], HEED_INDEX(1)) + heed_get(list[1], HEED_INDEX(2));
    heed_optimizer_free(sgd);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(two_steps);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("sgd", follows_pytorch, skips_parameters_without_gradient, takes_gradients_of_any_layout_and_size,
               of_a_module_takes_tied_parameters_once, skips_frozen_parameters_of_a_module,
               takes_gradients_that_are_recorded, the_rate_can_be_changed, pending_backward_detects_the_write,
               options_are_checked, parameters_are_checked, null_optimizer, out_of_memory)
