/* tests/core/test_sites.c - tests that errors name the calling line and the module of a tree that failed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "check_heed.h"

#include <setjmp.h>
#include <stdio.h>

/* Checks that the error begins with line `line` of this file; clears it. */
static void check_site(int line, const char *rest)
{
    char expected[HEED_ERROR_MESSAGE_MAX];
    snprintf(expected, sizeof expected, "%s:%d: %s", __FILE__, line, rest);
    ck_assert_str_eq(heed_error_message(), expected);
    heed_error_clear();
}

START_TEST(an_error_names_the_line_that_called)
{
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_ptr_null(heed_add(a, b));
    check_site(__LINE__ - 1, "add: shapes (2) and (3) do not broadcast");
    ck_assert_int_eq(heed_backward(a), HEED_ERR_STATE);
    ck_assert_msg(strstr(heed_error_message(), "test_sites.c:") != NULL, "%s", heed_error_message());
    heed_error_clear();
}
END_TEST

START_TEST(arguments_note_lines_of_their_own)
{
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_ones(HEED_F32, HEED_SHAPE(3));
    heed_tensor *sum = heed_add(heed_exp(a), /* a different line than heed_add's */
                                heed_tanh(b));
    ck_assert_ptr_null(sum);
    const int outer = __LINE__ - 3; /* the line of the macro's name, or the line where its call ends */
    char first[HEED_ERROR_MESSAGE_MAX], last[HEED_ERROR_MESSAGE_MAX];
    snprintf(first, sizeof first, "%s:%d: add: ", __FILE__, outer);
    snprintf(last, sizeof last, "%s:%d: add: ", __FILE__, outer + 1);
    ck_assert_msg(strncmp(heed_error_message(), first, strlen(first)) == 0 ||
                      strncmp(heed_error_message(), last, strlen(last)) == 0,
                  "%s", heed_error_message());
    heed_error_clear();
}
END_TEST

/* Calls heed_relu on this line. The tests use the result as an argument of a call on a different line. */
static heed_tensor *relu_elsewhere(heed_tensor *x)
{
    return heed_relu(x);
}

START_TEST(a_call_has_its_line_again_after_its_arguments)
{
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_ptr_null(heed_add(relu_elsewhere(a), relu_elsewhere(b)));
    check_site(__LINE__ - 1, "add: shapes (2) and (3) do not broadcast");
}
END_TEST

/* Returns x negated n times, by n nested calls: every call is the argument of the next. */
static heed_tensor *deep(heed_tensor *x, int n)
{
    return n > 0 ? heed_neg(deep(x, n - 1)) : x;
}

START_TEST(deep_calls_show_the_right_line_or_none)
{
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_ptr_null(heed_add(deep(a, HEED_SITE_DEPTH), b));
    check_site(__LINE__ - 1, "add: shapes (2) and (3) do not broadcast");
    ck_assert_ptr_null(heed_add(deep(a, HEED_SITE_DEPTH + 1), b));
    ck_assert_str_eq(heed_error_message(), "add: shapes (2) and (3) do not broadcast");
    heed_error_clear();
    ck_assert_ptr_null(*heed_site());
    ck_assert_ptr_null(heed_add(a, b));
    check_site(__LINE__ - 1, "add: shapes (2) and (3) do not broadcast");
}
END_TEST

static jmp_buf landing;

static heed_tensor *leave(heed_tensor *x)
{
    if (x)
        longjmp(landing, 1);
    return x;
}

static void call_and_leave(heed_tensor *x)
{
    if (setjmp(landing) == 0)
        heed_exp(leave(x));
}

START_TEST(a_call_that_is_left_keeps_no_line)
{
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2));
    for (int i = 0; i < 3 * HEED_SITE_DEPTH; i++) {
        call_and_leave(a);
        heed_error_clear();
        ck_assert_ptr_null(*heed_site());
    }
    ck_assert_ptr_null(heed_exp(NULL));
    check_site(__LINE__ - 1, "exp: argument 1 is NULL");
}
END_TEST

static heed_tensor *quiet(heed_tensor *x)
{
    return (heed_sum)(x);
}

START_TEST(the_line_is_forgotten_when_the_call_returns)
{
    ck_assert_ptr_null(*heed_site());
    ck_assert_ptr_nonnull(heed_ones(HEED_F32, HEED_SCALAR));
    ck_assert_ptr_null(*heed_site());
    ck_assert_ptr_null(quiet(NULL));
    ck_assert_str_eq(heed_error_message(), "sum: the tensor is NULL");
    heed_error_clear();
    heed_tensor *(*function)(heed_tensor * x) = heed_relu;
    ck_assert_ptr_null(function(NULL));
    ck_assert_str_eq(heed_error_message(), "relu: argument 1 is NULL");
    heed_error_clear();
}
END_TEST

/* -- The program's own op -- */

static bool fail_forward(const heed_call *call, heed_tensor *const *out)
{
    (void)out;
    return heed_fail_false(HEED_ERR_STATE, call->op->name, "not today");
}

static const heed_op fail_op = {
    .name = "fail_op", .n_inputs = 1, .n_outputs = 1, .infer = heed_infer_same, .forward = fail_forward};

static heed_tensor *failing(heed_tensor *x)
{
    return heed_apply(&fail_op, &x, 1, NULL);
}

HEED_SITED(heed_tensor *, failing)
#define failing(...) HEED_AT(failing, __VA_ARGS__)

static void fail_quietly(heed_tensor *x)
{
    heed_apply(&fail_op, &x, 1, NULL);
}

#define fail_quietly(...) HEED_AT_VOID(fail_quietly, __VA_ARGS__)

START_TEST(ops_of_ones_own_name_their_callers_line)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SCALAR);
    ck_assert_ptr_null(failing(x));
    check_site(__LINE__ - 1, "fail_op: not today");
    fail_quietly(x);
    check_site(__LINE__ - 1, "fail_op: not today");
    ck_assert_ptr_null(*heed_site());
}
END_TEST

/* -- Backward -- */

static bool one_way_view(const heed_call *call, heed_layout *out)
{
    *out = (heed_layout){.shape = heed_call_shape(call, 0)};
    return true;
}

static void fail_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)g;
    (void)dx;
    heed_fail(HEED_ERR_STATE, call->op->name, "no way back");
}

static const heed_op one_way = {
    .name = "one_way", .n_inputs = 1, .n_outputs = 1, .view = one_way_view, .backward = fail_backward};

static heed_tensor *go(heed_tensor *x)
{
    return heed_apply(&one_way, &x, 1, NULL);
}

HEED_SITED(heed_tensor *, go)
#define go(...) HEED_AT(go, __VA_ARGS__)

START_TEST(a_backward_pass_names_both_lines)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SCALAR);
    heed_set_requires_grad(x, true);
    heed_tensor *y = go(x);
    const int forward = __LINE__ - 1;
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    char rest[HEED_ERROR_MESSAGE_MAX];
    snprintf(rest, sizeof rest, "backward: one_way: no way back (recorded at %s:%d)", __FILE__, forward);
    check_site(__LINE__ - 3, rest);
}
END_TEST

/* -- Modules -- */

START_TEST(a_module_in_a_tree_is_named_by_its_path)
{
    heed_nn_sequential *inner =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(9, 4, NULL)));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 8, NULL), inner));
    ck_assert_ptr_null(heed_nn_sequential_forward(net, heed_ones(HEED_F32, HEED_SHAPE(2, 3))));
    check_site(__LINE__ - 1,
               "nn_sequential_forward: sequential.1.1: linear: x (2, 8) has 8 features, w (4, 9) takes 9");
    heed_module_free(&net->base);
}
END_TEST

typedef struct model {
    heed_module base;
    heed_nn_linear *inner;
} model;

static heed_tensor *model_forward(model *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("model_forward", net);
    return heed_nn_linear_forward(net->inner, x);
}

START_TEST(modules_of_ones_own_too)
{
    model *net = heed_module_new("model", sizeof *net);
    net->inner = heed_nn_linear_new(9, 4, NULL);
    heed_module_child(&net->base, "inner", &net->inner->base);
    ck_assert_ptr_null(model_forward(net, heed_ones(HEED_F32, HEED_SHAPE(2, 3))));
    ck_assert_msg(strstr(heed_error_message(), ": model_forward: model.inner: linear: x (2, 3)") != NULL, "%s",
                  heed_error_message());
    heed_error_clear();
    ck_assert_ptr_null(heed_exp(NULL)); /* no module is running any more */
    check_site(__LINE__ - 1, "exp: argument 1 is NULL");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(a_deep_tree_shows_its_end)
{
    heed_module *top = heed_module_new("top", sizeof *top), *m = top;
    char name[16];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "m%d", i);
        m = heed_module_child(m, name, heed_module_new("level", sizeof *m));
    }
    ck_assert_ptr_null(heed_module_forward(m, NULL));
    ck_assert_msg(strstr(heed_error_message(), ": ...m24.m25.") != NULL, "%s", heed_error_message());
    ck_assert_msg(strstr(heed_error_message(), ".m38.m39: ") != NULL, "%s", heed_error_message());
    heed_error_clear();
    heed_module_free(top);
}
END_TEST

HEED_TEST_MAIN("sites", an_error_names_the_line_that_called, arguments_note_lines_of_their_own,
               a_call_has_its_line_again_after_its_arguments, deep_calls_show_the_right_line_or_none,
               a_call_that_is_left_keeps_no_line, the_line_is_forgotten_when_the_call_returns,
               ops_of_ones_own_name_their_callers_line, a_backward_pass_names_both_lines,
               a_module_in_a_tree_is_named_by_its_path, modules_of_ones_own_too, a_deep_tree_shows_its_end)
