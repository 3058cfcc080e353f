/* tests/check/test_gradcheck_mistakes.c - tests that heed_gradcheck and heed_gradgradcheck find planted mistakes and
 * name them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "square_op.h"

static heed_tensor *first_only(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_sin(in[0]);
}

/* -- Ops with a mistake -------------------------------------------------------------------------------------------- */

/* y = a b; the gradient with respect to b is 1.5 times too large at [1, 2] */
static bool product_forward(const heed_call *call, heed_tensor *const *out)
{
    const double *a = heed_data_f64(call->inputs[0]), *b = heed_data_f64(call->inputs[1]);
    double *y = heed_mutable_f64(out[0]);
    for (int64_t i = 0; i < heed_numel(out[0]); i++)
        y[i] = a[i] * b[i];
    return true;
}

static void product_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *factor = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    heed_set_(factor, HEED_INDEX(1, 2), 1.5);
    dx[0] = heed_mul(g[0], call->inputs[1]);
    dx[1] = heed_mul(heed_mul(g[0], call->inputs[0]), factor);
}

static const heed_op product_op = {.name = "product",
                                   .n_inputs = 2,
                                   .n_outputs = 1,
                                   .saved = HEED_SAVE_INPUTS,
                                   .contiguous = true,
                                   .infer = heed_infer_broadcast,
                                   .forward = product_forward,
                                   .backward = product_backward};

static heed_tensor *product(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_apply(&product_op, in, 2, NULL);
}

SQUARE_OP(no_first, NULL)

/* Returns the right numbers, but without a graph that leads to x. */
static void detached_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_mul_scalar(heed_detach(call->inputs[0]), 2));
}
SQUARE_OP(wrong_second, detached_backward)

/* 2 x = x^2 (2 / x), computed from an x^2 without a derivative. */
static void dead_end_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *dead_end = heed_apply(&no_first, call->inputs, 1, NULL);
    dx[0] = heed_mul(g[0], heed_mul(dead_end, heed_pow_scalar(heed_mul_scalar(call->inputs[0], 0.5), -1)));
}
SQUARE_OP(no_second, dead_end_backward)

static void drifting_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    static double drift = 0;
    drift += 1e-13;
    dx[0] = heed_mul(g[0], heed_add_scalar(heed_mul_scalar(call->inputs[0], 2), drift));
}
SQUARE_OP(drifting, drifting_backward)

/* `user` is the op. */
static heed_tensor *apply(heed_tensor *const *in, void *user)
{
    return heed_apply(*(const heed_op *const *)user, in, 1, NULL);
}

static heed_status check_op(const heed_op *op, int order, heed_gradcheck_result *r)
{
    heed_tensor *x = leaf(HEED_SHAPE(4), 1);
    return order == 1 ? heed_gradcheck(apply, &op, &x, 1, NULL, r) : heed_gradgradcheck(apply, &op, &x, 1, NULL, r);
}

static void right_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_mul_scalar(call->inputs[0], 2));
}

static void shifted_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_add_scalar(heed_mul_scalar(call->inputs[0], 2), 0.1));
}

#define SQUARE_OF_TWO_RULES(name_, fused_, composed_)                                                                  \
    static const heed_op name_ = {.name = #name_,                                                                      \
                                  .n_inputs = 1,                                                                       \
                                  .n_outputs = 1,                                                                      \
                                  .saved = HEED_SAVE_INPUTS,                                                           \
                                  .contiguous = true,                                                                  \
                                  .infer = heed_infer_same,                                                            \
                                  .forward = square_forward,                                                           \
                                  .backward = composed_,                                                               \
                                  .backward_fused = fused_};

SQUARE_OF_TWO_RULES(wrong_composed, right_backward, shifted_backward)
SQUARE_OF_TWO_RULES(wrong_fused, shifted_backward, right_backward)
SQUARE_OF_TWO_RULES(both_wrong, shifted_backward, shifted_backward)

/* The op's own rules are right and agree; its second derivative uses an op whose composed rule is wrong. */
static void through_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *squared = heed_apply(&wrong_composed, call->inputs, 1, NULL);
    dx[0] = heed_mul(g[0], heed_mul_scalar(heed_pow_scalar(squared, 0.5), 2));
}
SQUARE_OP(wrong_third, through_backward)

/* -- Mistakes ------------------------------------------------------------------------------------------------------ */

START_TEST(finds_a_wrong_derivative)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(2, 3), 2)};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(product, NULL, in, 2, NULL, &r), HEED_ERR_STATE);
    double right = heed_get(in[0], HEED_INDEX(1, 2));
    ck_assert(!r.passed);
    ck_assert_int_eq(r.input, 1);
    ck_assert_int_eq(r.input_index, 5);
    ck_assert_int_eq(r.output_index, 5);
    ck_assert_near(r.analytic, 1.5 * right, 1e-15);
    ck_assert_near(r.numeric, right, 1e-11);
    ck_assert_near(r.max_error, 0.5 * right / (1 + right), 1e-10);
    ck_assert_int_eq(r.compared, 72); /* and the strided views were skipped after this failure */
    ck_assert_str_eq(r.report, heed_error_message());
    ck_assert_error(HEED_ERR_STATE, "gradcheck: d output[1, 2] / d input 1[1, 2] is ");
    ck_assert_msg(strstr(r.report, "; 1 of 72 wrong"), "%s", r.report);
}
END_TEST

START_TEST(finds_it_with_projections)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(2, 3), 2)};
    heed_gradcheck_options options = {.random_projection = true};
    heed_gradcheck_result r;
    for (options.seed = 0; options.seed < 20; options.seed++) {
        ck_assert_int_eq(heed_gradcheck(product, NULL, in, 2, &options, &r), HEED_ERR_STATE);
        ck_assert_int_eq(r.input, 1);
        ck_assert_int_eq(r.output_index, -1);
        ck_assert_error(HEED_ERR_STATE, "random projection of the derivatives by input 1 is");
    }
}
END_TEST

START_TEST(tolerances_and_eps_count)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(2, 3), 2)};
    heed_gradcheck_options absolute = {.atol = 2, .rtol = 1e-9}, relative = {.atol = 1e-9, .rtol = 0.51};
    heed_gradcheck_options tight = {.atol = 1e-9, .rtol = 0.49}, coarse = {.eps = 1};
    ck_assert_int_eq(heed_gradcheck(product, NULL, in, 2, &absolute, NULL), HEED_OK);
    ck_assert_int_eq(heed_gradcheck(product, NULL, in, 2, &relative, NULL), HEED_OK);
    ck_assert_int_eq(heed_gradcheck(product, NULL, in, 2, &tight, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "atol 1.0e-09 + rtol 4.9e-01");
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, in, 1, &coarse, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "d output[");
}
END_TEST

/* The derivatives are 10 and 0.01; backward returns 13 and 0.02. */
static heed_tensor *shifted(heed_tensor *const *in, void *user)
{
    (void)user;
    heed_tensor *value = heed_mul(in[0], HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 0.01));
    heed_tensor *nothing = heed_sub(in[0], heed_detach(in[0]));
    return heed_add(value, heed_mul(nothing, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3, 0.01)));
}

START_TEST(reports_wrong_ones_before_larger_errors)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1);
    heed_gradcheck_options options = {.atol = 1e-9, .rtol = 0.4};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(shifted, NULL, &x, 1, &options, &r), HEED_ERR_STATE);
    ck_assert_int_eq(r.input_index, 1);
    ck_assert_near(r.analytic, 0.02, 1e-15);
    ck_assert_near(r.numeric, 0.01, 1e-12);
    ck_assert_near(r.max_error, 0.01 / 1.01, 1e-10);
    ck_assert_error(HEED_ERR_STATE, "; 1 of 4 wrong");
}
END_TEST

START_TEST(finds_a_wrong_second_derivative)
{
    heed_gradcheck_result r;
    ck_assert_int_eq(check_op(&wrong_second, 1, &r), HEED_OK);
    ck_assert_int_eq(check_op(&wrong_second, 2, &r), HEED_ERR_STATE);
    ck_assert_int_eq(r.input, 0);
    ck_assert_int_eq(r.input_index, r.output_index);
    ck_assert_same(r.analytic, 0);
    ck_assert(fabs(r.numeric) >= 1 && fabs(r.numeric) <= 2);
    ck_assert_error(HEED_ERR_STATE, "gradgradcheck: d gradient of input 0[");
    ck_assert_msg(strstr(r.report, "4 of 32 wrong"), "%s", r.report);
}
END_TEST

START_TEST(finds_which_rule_is_wrong)
{
    static const struct {
        const heed_op *op;
        const char *by, *right;
    } cases[] = {{&wrong_composed, " by backward with create_graph but ", "(backward_fused is right)"},
                 {&wrong_fused, " by backward_fused but ", "(backward with create_graph is right)"},
                 {&both_wrong, " by backward but ", " by differences, error "}};
    for (int i = 0; i < 3; i++) {
        heed_gradcheck_result r;
        ck_assert_int_eq(check_op(cases[i].op, 1, &r), HEED_ERR_STATE);
        ck_assert_near(r.analytic, r.numeric + 0.1, 1e-9);
        ck_assert_msg(strstr(r.report, cases[i].right), "%s", r.report);
        ck_assert_msg(strstr(r.report, "4 of 16 wrong"), "%s", r.report);
        ck_assert_error(HEED_ERR_STATE, cases[i].by);
        heed_tensor *x = leaf(HEED_SHAPE(4), 1);
        heed_gradcheck_options projected = {.random_projection = true};
        ck_assert_int_eq(heed_gradcheck(apply, &(const heed_op *){cases[i].op}, &x, 1, &projected, &r), HEED_ERR_STATE);
        ck_assert_error(HEED_ERR_STATE, cases[i].by);
        if (check_op(cases[i].op, 2, &r) == HEED_OK && i == 2) /* right for the (wrong) first derivative */
            continue;
        ck_assert_error(HEED_ERR_STATE, "gradgradcheck: gradient of input 0[0] is ");
    }
}
END_TEST

START_TEST(finds_which_rule_is_wrong_one_order_higher)
{
    heed_gradcheck_result r;
    ck_assert_int_eq(check_op(&wrong_third, 1, &r), HEED_OK);
    ck_assert_int_eq(check_op(&wrong_third, 2, &r), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, " by backward with create_graph but ");
}
END_TEST

/* Computes a different function while recording is off. */
static heed_tensor *two_faced(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_add_scalar(heed_square(in[0]), heed_grad_enabled() ? 0 : 0.5);
}

START_TEST(finds_dependence_on_recording)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1);
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(two_faced, NULL, &x, 1, NULL, &r), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "gradcheck: output[0] is ");
    ck_assert_int_eq(heed_gradgradcheck(two_faced, NULL, &x, 1, NULL, &r), HEED_OK);
}
END_TEST

static heed_tensor *forgets(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_mul(in[0], heed_detach(in[0]));
}

START_TEST(finds_a_lost_dependence)
{
    heed_tensor *x = leaf(HEED_SCALAR, 1);
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(forgets, NULL, &x, 1, NULL, &r), HEED_ERR_STATE);
    ck_assert_near(r.analytic, 0.5 * r.numeric, 1e-10);
    ck_assert_error(HEED_ERR_STATE, "d output / d input 0 is ");
}
END_TEST

START_TEST(reports_a_missing_derivative)
{
    heed_gradcheck_result r;
    ck_assert_int_eq(check_op(&no_first, 1, &r), HEED_ERR_UNSUPPORTED);
    ck_assert(!r.passed && strstr(r.report, "no_first"));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "no_first");
    ck_assert_int_eq(check_op(&no_second, 1, &r), HEED_OK);
    ck_assert_int_eq(check_op(&no_second, 2, &r), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "no_first");
}
END_TEST

static heed_tensor *root(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_sqrt(in[0]);
}

START_TEST(nan_fails)
{
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 0, 2), true);
    heed_gradcheck_result r;
    heed_gradcheck_options options = {.atol = 1e300, .rtol = 1e300};
    ck_assert_int_eq(heed_gradcheck(root, NULL, &x, 1, &options, &r), HEED_ERR_STATE);
    ck_assert_int_eq(r.input_index, 1);
    ck_assert(isnan(r.analytic) && isnan(r.max_error) && !r.passed);
    ck_assert_error(HEED_ERR_STATE, "nan by backward");
    options.random_projection = true;
    ck_assert_int_eq(heed_gradcheck(root, NULL, &x, 1, &options, &r), HEED_ERR_STATE);
    ck_assert(isnan(r.numeric) && isnan(r.max_error));
    ck_assert_error(HEED_ERR_STATE, "nan by differences");
}
END_TEST

static heed_tensor *overflows(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_exp(in[0]);
}

START_TEST(infinity_fails)
{
    heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, 703), true);
    heed_gradcheck_options options = {.eps = 5e-3}; /* e^(x + 2 h) is infinite, 8 e^(x + h) is not */
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(overflows, NULL, &x, 1, &options, &r), HEED_ERR_STATE);
    ck_assert(isfinite(r.analytic) && isinf(r.numeric) && isnan(r.max_error));
    ck_assert_error(HEED_ERR_STATE, "inf by differences");
}
END_TEST

static heed_tensor *counting(heed_tensor *const *in, void *user)
{
    return heed_add_scalar(in[0], 1e-12 * (*(int *)user)++);
}

static heed_tensor *growing(heed_tensor *const *in, void *user)
{
    return heed_expand(in[0], HEED_SHAPE(++*(int *)user, 2));
}

START_TEST(finds_nondeterminism)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1);
    int calls = 0;
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(counting, &calls, &x, 1, NULL, &r), HEED_ERR_STATE);
    ck_assert(!r.passed);
    ck_assert_error(HEED_ERR_STATE, "not deterministic");
    ck_assert_int_eq(heed_gradcheck(growing, &calls, &x, 1, NULL, &r), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "not deterministic");
    ck_assert_int_eq(check_op(&drifting, 1, &r), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "backward is not deterministic");
}
END_TEST

/* Right only for contiguous inputs. */
static heed_tensor *stride_blind(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_is_contiguous(in[0]) ? heed_square(in[0]) : forgets(in, NULL);
}

START_TEST(finds_a_mistake_of_views)
{
    heed_tensor *x = leaf(HEED_SHAPE(2, 3), 1);
    heed_gradcheck_result r;
    heed_gradcheck_options options = {.contiguous_only = true};
    ck_assert_int_eq(heed_gradcheck(stride_blind, NULL, &x, 1, &options, &r), HEED_OK);
    ck_assert_int_eq(heed_gradcheck(stride_blind, NULL, &x, 1, NULL, &r), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "for strided views");
    ck_assert_int_eq(r.input_index, r.output_index);
}
END_TEST

HEED_TEST_MAIN("gradcheck_mistakes", finds_a_wrong_derivative, finds_it_with_projections, tolerances_and_eps_count,
               reports_wrong_ones_before_larger_errors, finds_a_wrong_second_derivative, finds_which_rule_is_wrong,
               finds_which_rule_is_wrong_one_order_higher, finds_dependence_on_recording, finds_a_lost_dependence,
               reports_a_missing_derivative, nan_fails, infinity_fails, finds_nondeterminism, finds_a_mistake_of_views)
