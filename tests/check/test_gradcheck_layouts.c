/* tests/check/test_gradcheck_layouts.c - tests that heed_gradcheck finds ops with an error in one layout of the output
 * gradient.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "square_op.h"

/* `user` is the op. */
static heed_tensor *apply(heed_tensor *const *in, void *user)
{
    return heed_apply(*(const heed_op *const *)user, in, 1, NULL);
}

/* -- Ops whose gradient is 10 % off for one layout of the output gradient ------------------------------------------ */

static heed_tensor *off_if(heed_tensor *g, bool wrong)
{
    return wrong ? heed_mul_scalar(g, 1.1) : g;
}

static void expanded_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const bool expanded = heed_stride(g[0], 0) == 0 && heed_stride(g[0], 1) == 0;
    dx[0] = heed_mul(off_if(g[0], expanded), heed_mul_scalar(call->inputs[0], 2));
}
SQUARE_OP(wrong_if_expanded, expanded_backward)

static void last_axis_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(off_if(g[0], heed_stride(g[0], 1) == 0 && heed_stride(g[0], 0) != 0),
                     heed_mul_scalar(call->inputs[0], 2));
}
SQUARE_OP(wrong_if_expanded_on_1, last_axis_backward)

static void transposed_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(off_if(g[0], heed_stride(g[0], 0) == 1 && heed_stride(g[0], 1) > 1),
                     heed_mul_scalar(call->inputs[0], 2));
}
SQUARE_OP(wrong_if_transposed, transposed_backward)

static void flipped_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(off_if(g[0], heed_stride(g[0], 1) < 0), heed_mul_scalar(call->inputs[0], 2));
}
SQUARE_OP(wrong_if_flipped, flipped_backward)

START_TEST(finds_a_layout_of_the_output_gradient)
{
    static const struct {
        const heed_op *op;
        const char *text;
    } mistakes[] = {{&wrong_if_expanded, "expanded (as by sum and mean)"},
                    {&wrong_if_expanded_on_1, "expanded on axis 1"},
                    {&wrong_if_transposed, "transposed"},
                    {&wrong_if_flipped, "flipped"}};
    heed_tensor *x = leaf(HEED_SHAPE(3, 4), 1);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        for (int projection = 0; projection < 2; projection++) {
            const heed_op *op = mistakes[i].op;
            heed_gradcheck_options options = {.random_projection = projection};
            heed_gradcheck_result r;
            ck_assert_int_eq(heed_gradcheck(apply, &op, &x, 1, &options, &r), HEED_ERR_STATE);
            ck_assert(!r.passed && r.input == 0);
            ck_assert_msg(strstr(r.report, mistakes[i].text) != NULL, "%s", r.report);
            ck_assert_error(HEED_ERR_STATE, mistakes[i].text);
            options.contiguous_only = true;
            ck_assert_int_eq(heed_gradcheck(apply, &op, &x, 1, &options, &r), HEED_OK);
        }
}
END_TEST

HEED_TEST_MAIN("gradcheck_layouts", finds_a_layout_of_the_output_gradient)
