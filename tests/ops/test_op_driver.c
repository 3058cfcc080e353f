/* tests/ops/test_op_driver.c - the driver of the ops' cases (tests/ops/driver.h) detects every kind of mistake.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "driver.h"
#include "rows.h"

/* -- An op with mistakes: y = x^2 ---------------------------------------------------------------------------------- */

typedef enum mistake_kind { NONE, COMPOSED, FUSED, FORWARD_F32, BACKWARD_F32, ZERO_GRADIENT } mistake_kind;
static mistake_kind mistake;

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *y = heed_mul(call->inputs[0], call->inputs[0]);
    if (mistake == FORWARD_F32 && heed_dtype_of(y) == HEED_F32)
        y = heed_mul_scalar(y, 1.001);
    return y && heed_copy_(out[0], y) == HEED_OK;
}

static heed_tensor *gradient_of(const heed_call *call, heed_tensor *const *g)
{
    heed_tensor *dx = heed_mul(heed_mul_scalar(g[0], 2), call->inputs[0]);
    return mistake == BACKWARD_F32 && heed_call_dtype(call, 0) == HEED_F32 ? heed_mul_scalar(dx, 1.001) : dx;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = gradient_of(call, g);
    if (mistake == COMPOSED)
        dx[0] = heed_mul_scalar(dx[0], 1 + 1e-10);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = gradient_of(call, g);
    if (mistake == FUSED)
        dx[0] = heed_mul_scalar(dx[0], 1 + 1e-10);
    if (mistake == ZERO_GRADIENT)
        dx[0] = heed_add_scalar(dx[0], 1e-14);
}

static const heed_op square_op = {.name = "square",
                                  .n_inputs = 1,
                                  .n_outputs = 1,
                                  .saved = HEED_SAVE_INPUTS,
                                  .infer = heed_infer_same,
                                  .forward = forward,
                                  .backward = backward,
                                  .backward_fused = backward_fused};

static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_apply(&square_op, in, 1, NULL);
}

/* -- Functions with mistakes --------------------------------------------------------------------------------------- */

static heed_tensor *leaked;

static heed_tensor *leaks(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    if (!leaked)
        leaked = heed_retain(heed_zeros(HEED_F64, HEED_SCALAR));
    return heed_square(in[0]);
}

static heed_tensor *leaves_an_error(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    heed_fail(HEED_ERR_IO, "leaves_an_error", "but goes on");
    return heed_square(in[0]);
}

static heed_tensor *forgets_strides(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_is_contiguous(in[0]) ? heed_square(in[0]) : heed_add_scalar(heed_square(in[0]), 1e-11);
}

static heed_tensor *forgets_gradient(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_square(heed_detach(in[0]));
}

static heed_tensor *fails(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_reshape(in[0], HEED_SHAPE(100));
}

/* Wrong if one of the two needs no gradient. */
static heed_tensor *wants_both(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    bool both = heed_requires_grad(in[0]) && heed_requires_grad(in[1]);
    return heed_mul(in[0], both || !heed_grad_enabled() ? in[1] : heed_mul_scalar(in[1], 1 + 1e-10));
}

static heed_tensor *three(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 0, NAN);
}

static heed_tensor *no_three(void)
{
    return heed_reshape(three(), HEED_SHAPE(2, 2));
}

/* -- Driving ------------------------------------------------------------------------------------------------------- */

/* Keeps the first report. */
static void keep_first(const char *report, void *user)
{
    char *first = user;
    if (first[0] == '\0')
        (void)snprintf(first, 1024, "%s", report);
}

static void expect_red(const op_cases *cases, const char *text)
{
    char first[1024] = "";
    op_result r;
    op_listener listener = {.failed = keep_first, .user = first};
    op_entry op = {"planted", cases};
    ck_assert_msg(!op_run(&op, 0, &listener, &r), "passed where \"%s\" was expected", text);
    ck_assert_int_gt(r.failures, 0);
    ck_assert_msg(strstr(first, text), "\"%s\" is not in \"%s\"", text, first);
}

static void expect_red_case(heed_tensor *(*f)(heed_tensor *const *in, const op_case *c), const char *text)
{
    const op_case cases[] = {{.name = "(2, 3)", .run = f, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}}, {0}};
    expect_red(&(op_cases){.cases = cases}, text);
}

START_TEST(passes_correct_functions)
{
    const op_case cases[] = {{.name = "(2, 3)", .run = run, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}}, {0}};
    const op_value values[] = {{"three", three, DIMS(3), 0, (const double[]){1, 0, NAN}}, {0}};
    const op_error errors[] = {{"no three", no_three, HEED_ERR_SHAPE, "reshape"}, {0}};
    op_result r;
    mistake = NONE;
    const op_cases all = {.cases = cases, .values = values, .errors = errors};
    ck_assert(op_run(&(op_entry){"planted", &all}, 0, &(op_listener){.user = NULL}, &r));
    ck_assert_int_eq(r.failures, 0);
    ck_assert_int_ge(r.samples, 13);
    ck_assert(r.compared > 0 && r.worst[0] < 1e-10 && r.worst[1] < 1e-10);
}
END_TEST

START_TEST(finds_wrong_ops)
{
    static const struct {
        mistake_kind mistake;
        const char *text;
    } expected[] = {{COMPOSED, "fused and composed gradients differ by"},
                    {FUSED, "fused and composed gradients differ by"},
                    {FORWARD_F32, "f32 against f64: f32 and f64 values differ by"},
                    {BACKWARD_F32, "f32 against f64: f32 and f64 gradients differ by"},
                    {ZERO_GRADIENT, "output gradient zero: the gradient and 0 differ by"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        mistake = expected[i].mistake;
        expect_red_case(run, expected[i].text);
    }
}
END_TEST

START_TEST(finds_wrong_functions)
{
    expect_red_case(leaves_an_error, "leaves_an_error: but goes on");
    expect_red_case(forgets_strides, "transposed: values from views and from copies differ by 9");
    expect_red_case(forgets_gradient, "is 0 by backward but");
    expect_red_case(fails, "reshape: ");
    const op_case two[] = {
        {.name = "two", .run = wants_both, .n_inputs = 2, .in = {{.shape = DIMS(3)}, {.shape = DIMS(3)}}}, {0}};
    expect_red(&(op_cases){.cases = two}, "input 0 without gradient: the others' fused gradients differ by");
}
END_TEST

START_TEST(finds_leaks)
{
    expect_red_case(leaks, " bytes are left");
    heed_release(leaked);
    leaked = NULL;
}
END_TEST

START_TEST(finds_wrong_values)
{
    static const double right[] = {1, 0, NAN}, wrong[] = {1, 0, 0}, minus[] = {1, -0.0, NAN},
                        near[] = {1 + 1e-15, 0, NAN};
    expect_red(&(op_cases){.values = (const op_value[]){{"v", three, DIMS(3), 0, wrong}, {0}}},
               "element 2 of (3) is nan");
    expect_red(&(op_cases){.values = (const op_value[]){{"v", three, DIMS(3), 0, minus}, {0}}},
               "element 1 of (3) is 0");
    expect_red(&(op_cases){.values = (const op_value[]){{"v", three, DIMS(3), 0, near}, {0}}}, "element 0 of (3) is 1");
    expect_red(&(op_cases){.values = (const op_value[]){{"v", three, DIMS(1, 3), 0, right}, {0}}}, "the shape is (3)");
    expect_red(&(op_cases){.values = (const op_value[]){{"v", no_three, DIMS(3), 0, right}, {0}}}, "reshape: ");
}
END_TEST

START_TEST(finds_wrong_errors)
{
    expect_red(&(op_cases){.errors = (const op_error[]){{"e", three, HEED_ERR_SHAPE, ""}, {0}}}, "no error where");
    expect_red(&(op_cases){.errors = (const op_error[]){{"e", no_three, HEED_ERR_DTYPE, ""}, {0}}},
               "got HEED_ERR_SHAPE");
    expect_red(&(op_cases){.errors = (const op_error[]){{"e", no_three, HEED_ERR_SHAPE, "bmm"}, {0}}},
               "\"bmm\" is not in");
}
END_TEST

/* Accepts every dtype, and has the name of a different op. */
static heed_tensor *doubles(heed_tensor *const *in, const op_case *c)
{
    return in[0] ? heed_mul_scalar(heed_to_dtype(in[0], HEED_F64), c->p[0]) : NULL;
}

START_TEST(finds_wrong_rows)
{
    const double right[] = {1, 2, -0.0, -0.0}, wrong[] = {1, 2, 3, 5}, whole[] = {-0x1p64, 0x1p64, 10, 0, -7};
    op_cases row = {.run = doubles, .n_inputs = 1, .p = {2}};
    row.points = (const op_points[]){{"points", 0, 2, right, NULL}, {.name = NULL}};
    expect_red(&row, "error, i64: no error where");
    row.points = (const op_points[]){{"points", 0, 2, wrong, NULL}, {.name = NULL}};
    expect_red(&row, "value, points: element 1 of (2) is 6");
    row = (op_cases){.run = doubles, .n_inputs = 1, .p = {2}, .accepts_i64 = true, .whole = whole};
    expect_red(&row, "value, i64: element 4 of (5) is -6");
    row.whole = NULL;
    expect_red(&row, "error, NULL: expected HEED_ERR_ARGUMENT, got HEED_OK");
}
END_TEST

/* Returns twice the first input plus c->i[0]. */
static heed_tensor *doubles_and_adds(heed_tensor *const *in, const op_case *c)
{
    return heed_add_scalar(heed_mul_scalar(in[0], 2), (double)c->i[0]);
}

static const op_example right_examples[] = {
    {"numbers", {GIVEN(HEED_F64, DIMS(2), 1, 2)}, .i = {3}, RESULT(DIMS(2), 0, 5, 7)},
    {"ones", {GIVEN_ONES(HEED_F64, DIMS(2))}, .i = {1}, RESULT(DIMS(2), 0, 3, 3)},
    {"counting", {COUNTING(HEED_F64, DIMS(2))}, RESULT(DIMS(2), 0, 0, 2)},
    {"made", {MADE_BY(three)}, .run = doubles, .p = {1}, RESULT(DIMS(3), 0, 1, 0, NAN)},
    {"slope", {GIVEN(HEED_F64, DIMS(2), 1, 2)}, .slope = 1, RESULT(DIMS(2), 0, 2, 2)},
    {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, "mul_scalar:")},
    {0}};
static const op_example wrong_value[] = {{"v", {GIVEN_ONES(HEED_F64, DIMS(1))}, .i = {1}, RESULT(DIMS(1), 0, 4)}, {0}};
static const op_example wrong_slope[] = {{"s", {GIVEN_ONES(HEED_F64, DIMS(1))}, .slope = 1, RESULT(DIMS(1), 0, 3)},
                                         {0}};
static const op_example wrong_error[] = {{"e", {{0}}, FAILS(HEED_ERR_ARGUMENT, ": x is NULL")}, {0}};

START_TEST(finds_wrong_examples)
{
    op_result r;
    op_cases row = {.run = doubles_and_adds, .examples = right_examples};
    ck_assert(op_run(&(op_entry){"planted", &row}, 0, &(op_listener){.user = NULL}, &r));
    ck_assert_int_eq(r.samples, 6);
    expect_red(&(op_cases){.run = doubles_and_adds, .examples = wrong_value}, "value, v: element 0 of (1) is 3");
    expect_red(&(op_cases){.run = doubles_and_adds, .examples = wrong_slope}, "value, s: element 0 of (1) is 2");
    expect_red(&(op_cases){.run = doubles_and_adds, .examples = wrong_error},
               "error, e: \"planted: x is NULL\" is not in");
    row = (op_cases){.run = doubles_and_adds,
                     .shared = {{.examples = right_examples}, {.examples = wrong_value, .run = doubles}}};
    expect_red(&row, "value, v: element 0 of (1) is 0");
    row.shared[1] = (op_shared){.examples = wrong_error, .name = "other"};
    expect_red(&row, "\"other: x is NULL\" is not in");
}
END_TEST

HEED_TEST_MAIN("op_driver", passes_correct_functions, finds_wrong_ops, finds_wrong_functions, finds_leaks,
               finds_wrong_values, finds_wrong_errors, finds_wrong_rows, finds_wrong_examples)
