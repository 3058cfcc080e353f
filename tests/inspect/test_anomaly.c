/* tests/inspect/test_anomaly.c - tests that anomaly mode names the op that makes a NaN or an infinity, and no other
 * op.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "check_heed.h"

#include <stdio.h>

#define NAN_ ((double)NAN)
#define INF_ ((double)INFINITY)

static void setup(void)
{
    heed_test_setup();
    ck_assert_int_eq(heed_set_anomaly(true), HEED_OK);
}

static void teardown(void)
{
    ck_assert_int_eq(heed_set_anomaly(false), HEED_OK);
    heed_test_teardown();
}

/* Checks that the error is "FILE:line: rest"; clears it. */
static void check_error(int line, const char *rest)
{
    char expected[HEED_ERROR_MESSAGE_MAX];
    snprintf(expected, sizeof expected, "%s:%d: %s", __FILE__, line, rest);
    ck_assert_int_eq(heed_error_code(), HEED_ERR_STATE);
    ck_assert_str_eq(heed_error_message(), expected);
    heed_error_clear();
}

/* Checks that the error's message contains `before`, a line of this file, and `after`; clears it. */
static void check_recorded(const char *before, int line, const char *after)
{
    char end[HEED_ERROR_MESSAGE_MAX];
    snprintf(end, sizeof end, "(recorded at %s:%d%s)", __FILE__, line, after);
    ck_assert_msg(strstr(heed_error_message(), before) != NULL, "%s", heed_error_message());
    ck_assert_msg(strstr(heed_error_message(), end) != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_error_code(), HEED_ERR_STATE);
    heed_error_clear();
}

static heed_tensor *leaf(heed_tensor *t)
{
    return heed_set_requires_grad(t, true);
}

/* -- Forward -- */

START_TEST(a_logarithm_of_0_is_named)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 0.5, 2, 0, 4, 0);
    ck_assert_ptr_null(heed_log(x));
    check_error(__LINE__ - 1,
                "log: the result (2, 3) has 2 of 6 elements that are not finite, the first -inf at (1, 0); "
                "argument 1 (2, 3) is in [0, 4]");
}
END_TEST

START_TEST(an_overflow_and_a_quotient_of_zeros_are_named)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 1000), *zero = heed_zeros(HEED_F64, HEED_SHAPE(2));
    ck_assert_ptr_null(heed_exp(x));
    ck_assert_error(HEED_ERR_STATE,
                    "exp: the result (2) has 1 of 2 elements that are not finite, the first inf at (1)");
    ck_assert_ptr_null(heed_div(zero, zero));
    ck_assert_error(HEED_ERR_STATE,
                    "div: the result (2) has 2 of 2 elements that are not finite, the first nan at (0); "
                    "argument 1 (2) is in [0, 0]; argument 2 (2) is in [0, 0]");
}
END_TEST

START_TEST(a_module_is_named)
{
    heed_nn_sequential *inner = heed_nn_sequential_new(HEED_MODULES(heed_nn_function_new("log", heed_log)));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_function_new("relu", heed_relu), inner));
    ck_assert_ptr_null(heed_module_forward(&net->base, heed_zeros(HEED_F32, HEED_SHAPE(1))));
    check_error(__LINE__ - 1, "module_forward: sequential.1.0: log: the result (1) has 1 of 1 elements that are not "
                              "finite, the first -inf at (0); argument 1 (1) is in [0, 0]");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(nonfinite_inputs_pass)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), NAN_, INF_, 1);
    ck_assert_ptr_nonnull(heed_add_scalar(heed_neg(x), 2));
    ck_assert_ptr_nonnull(heed_sum(x));
    heed_tensor *infinite = heed_full(HEED_F32, HEED_SHAPE(2), INF_);
    ck_assert_ptr_nonnull(heed_square(infinite));
    ck_assert_ptr_null(heed_sub(infinite, infinite));
    ck_assert_error(HEED_ERR_STATE,
                    "sub: the result (2) has 2 of 2 elements that are not finite, the first nan at (0); "
                    "argument 1 (2) has no finite number, with 2 infinite");
}
END_TEST

START_TEST(masks_of_minus_infinity_pass)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_tensor *keep = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 1, 1, 0, 1, 0, 0);
    heed_tensor *scores = heed_where(keep, leaf(x), heed_full(HEED_F32, HEED_SCALAR, -INF_));
    heed_tensor *y = heed_sum(heed_square(heed_softmax(scores, -1)));
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert_ptr_nonnull(heed_neg(heed_log_softmax(scores, -1)));
    heed_tensor *nothing = heed_full(HEED_F32, HEED_SHAPE(1, 2), -INF_);
    ck_assert_ptr_null(heed_softmax(nothing, -1));
    ck_assert_error(HEED_ERR_STATE,
                    "softmax: the result (1, 2) has 2 of 2 elements that are not finite, the first nan at "
                    "(0, 0); argument 1 (1, 2) has no finite number, with 2 infinite");
}
END_TEST

START_TEST(masked_keys_do_not_count)
{
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2);
    heed_tensor *x = heed_reshape(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 2, NAN_, INF_), HEED_SHAPE(1, 1, 4));
    ck_assert_msg(heed_masked_softmax(leaf(x), lens) != NULL, "%s", heed_error_message());
    heed_tensor *q = leaf(heed_ones(HEED_F32, HEED_SHAPE(1, 1, 2))),
                *k = leaf(heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2)));
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 1, 2, NAN_);
    heed_tensor *y = heed_dot_product_attention(q, k, v, &(heed_attention_options){.valid_lens = lens}, NULL);
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert_msg(heed_backward(heed_sum(y)) == HEED_OK, "%s", heed_error_message());
}
END_TEST

/* A NaN hidden by the mask does not conceal one that the op makes. */
START_TEST(masked_nan_conceals_no_error)
{
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2);
    heed_tensor *q = heed_full(HEED_F32, HEED_SHAPE(1, 1, 2), 1e30),
                *k = heed_full(HEED_F32, HEED_SHAPE(1, 3, 2), 1e30);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 1, 2, NAN_);
    ck_assert_ptr_null(heed_dot_product_attention(q, k, v, &(heed_attention_options){.valid_lens = lens}, NULL));
    ck_assert_error(HEED_ERR_STATE,
                    "dot_product_attention: the result (1, 1, 1) has 1 of 1 elements that are not finite");
}
END_TEST

START_TEST(leaves_with_nan_are_taken_as_they_are)
{
    heed_tensor *x = leaf(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), NAN_, 1));
    ck_assert_msg(heed_exp(x) != NULL, "%s", heed_error_message());
}
END_TEST

START_TEST(a_parameter_that_is_nan_is_named)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 1, NULL);
    heed_scope *quiet = heed_no_grad_begin();
    ck_assert_int_eq(heed_set_(net->weight, HEED_INDEX(0, 1), NAN_), HEED_OK);
    heed_scope_end(quiet);
    ck_assert_ptr_null(heed_nn_linear_forward(net, heed_ones(HEED_F32, HEED_SHAPE(1, 2))));
    ck_assert_error(HEED_ERR_STATE, "nn_linear_forward: linear: before it is applied, the parameter that is argument 2 "
                                    "(1, 2) has 1 of 2 elements that are not finite, the first nan at (0, 1)");
    heed_module_free(&net->base);
}
END_TEST

/* -- Backward -- */

START_TEST(a_bad_gradient_names_the_forward_line)
{
    heed_tensor *x = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 4, 0));
    heed_tensor *y = heed_sqrt(x);
    const int recorded = __LINE__ - 1;
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_ERR_STATE);
    ck_assert(!heed_has_grad(x));
    check_recorded(
        "backward: sqrt: the gradient of argument 1 (2) has 1 of 2 elements that are not finite, the first inf "
        "at (1); its result (2) is in [0, 2]; the gradient of its result (2) is in [1, 1]",
        recorded, "");
}
END_TEST

START_TEST(a_bad_gradient_names_the_module)
{
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(1, 1, NULL), heed_nn_function_new("sqrt", heed_sqrt)));
    heed_tensor *x = leaf(heed_zeros(HEED_F32, HEED_SHAPE(1, 1)));
    heed_scope *quiet = heed_no_grad_begin();
    ck_assert_int_eq(heed_fill_(heed_module_find(&net->base, "0.bias"), 0.0), HEED_OK);
    heed_scope_end(quiet);
    heed_tensor *y = heed_module_forward(&net->base, x);
    const int recorded = __LINE__ - 1;
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_ERR_STATE);
    check_recorded("the gradient of its result (1, 1) is in [1, 1]", recorded, " in sequential.1");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(gradients_of_gradients_are_looked_at)
{
    heed_tensor *x = leaf(heed_zeros(HEED_F64, HEED_SCALAR)), *g;
    heed_tensor *y = heed_pow_scalar(x, 1.5);
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
    heed_status status = heed_backward(g);
    ck_assert_int_eq(status, HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the gradient of argument 1 () has 1 of 1 elements that are not finite");
}
END_TEST

START_TEST(an_incoming_gradient_is_not_reported)
{
    heed_tensor *x = leaf(heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_tensor *g = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), INF_, 1);
    heed_tensor *y = heed_mul_scalar(x, 2);
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.grad_output = g}), HEED_OK);
}
END_TEST

/* -- The mode -- */

START_TEST(off_it_inspects_nothing)
{
    ck_assert_int_eq(heed_set_anomaly(false), HEED_OK);
    ck_assert_int_eq(heed_set_anomaly(false), HEED_OK);
    ck_assert_ptr_nonnull(heed_log(heed_zeros(HEED_F32, HEED_SCALAR)));
    ck_assert_int_eq(heed_set_anomaly(true), HEED_OK);
    ck_assert_int_eq(heed_set_anomaly(true), HEED_OK);
    ck_assert_ptr_null(heed_log(heed_zeros(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_STATE, "log: the result () has 1 of 1");
}
END_TEST

START_TEST(odd_tensors_are_looked_at)
{
    ck_assert_ptr_nonnull(heed_log(heed_zeros(HEED_F32, HEED_SHAPE(0, 3))));
    ck_assert_ptr_nonnull(heed_argmax(heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), 0, false));
    heed_tensor *x = heed_transpose(heed_expand(heed_zeros(HEED_F64, HEED_SHAPE(1, 3)), HEED_SHAPE(2, 3)), 0, 1);
    ck_assert_ptr_null(heed_log(x));
    ck_assert_error(HEED_ERR_STATE, "log: the result (3, 2) has 6 of 6");
    heed_tensor *long_one = heed_ones(HEED_F32, HEED_SHAPE(5000));
    heed_set_(long_one, HEED_INDEX(4321), -1);
    ck_assert_ptr_null(heed_log(long_one));
    ck_assert_error(HEED_ERR_STATE,
                    "log: the result (5000) has 1 of 5000 elements that are not finite, the first nan at "
                    "(4321); argument 1 (5000) is in [-1, 1]");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_logarithm_of_0_is_named,
                                  an_overflow_and_a_quotient_of_zeros_are_named,
                                  a_module_is_named,
                                  nonfinite_inputs_pass,
                                  masks_of_minus_infinity_pass,
                                  masked_keys_do_not_count,
                                  masked_nan_conceals_no_error,
                                  leaves_with_nan_are_taken_as_they_are,
                                  a_parameter_that_is_nan_is_named,
                                  a_bad_gradient_names_the_forward_line,
                                  a_bad_gradient_names_the_module,
                                  gradients_of_gradients_are_looked_at,
                                  an_incoming_gradient_is_not_reported,
                                  off_it_inspects_nothing,
                                  odd_tensors_are_looked_at};
    TCase *tcase = tcase_create("anomaly");
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    return heed_run_case("anomaly", tcase);
}
