/* tests/promises/misuse/test_misuse_saved.c - ops whose backward uses inputs or outputs that .saved does not name.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

static bool fill(const heed_call *call, heed_tensor *const *out)
{
    (void)call;
    return heed_fill_(out[0], 2) == HEED_OK;
}

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), true);
}

/* The one of its inputs and outputs that backward squares; 2: reads one, 3: an output. */
static int used;

static void backward_uses(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = used == 3 ? call->outputs[0] : call->inputs[used % 2];
    for (int i = 0; i < call->n_inputs; i++)
        dx[i] = used == 2 && !heed_data_f64(y) ? NULL : heed_mul(g[0], heed_square(y));
}

START_TEST(unsaved_tensors)
{
    static const struct {
        unsigned saved;
        int used;
        const char *message;
    } cases[] = {
        {HEED_SAVE_INPUT(1) | HEED_SAVE_OUTPUTS, 0,
         "mine: backward uses input 0, which .saved does not name (square: argument 1 is NULL)"},
        {HEED_SAVE_INPUT(0) | HEED_SAVE_OUTPUTS, 1, "backward uses input 1, which .saved does not name (square: "},
        {HEED_SAVE_NOTHING, 1, "backward uses input 0 or input 1 or an output, which .saved does not name (square: "},
        {HEED_SAVE_INPUT(1), 2,
         "backward uses input 0 or an output, which .saved does not name (data_f64: the tensor is NULL)"},
        {HEED_SAVE_INPUTS, 3, "backward uses an output, which .saved does not name (square: argument 1 is NULL)"},
    };
    heed_tensor *inputs[] = {new_leaf(), new_leaf()};
    for (int i = 0; i < COUNT_OF(cases); i++) {
        heed_op op = {.name = "mine",
                      .n_inputs = 2,
                      .n_outputs = 1,
                      .saved = cases[i].saved,
                      .infer = heed_infer_same,
                      .forward = fill,
                      .backward = backward_uses};
        used = cases[i].used;
        heed_tensor *loss = heed_sum(heed_apply(&op, inputs, 2, NULL));
        ck_assert_status_fails("backward", HEED_ERR_ARGUMENT, cases[i].message, heed_backward(loss));
        op.saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS;
        ck_assert_int_eq(heed_backward(heed_sum(heed_apply(&op, inputs, 2, NULL))), HEED_OK);
    }
}
END_TEST

/* A NULL passed to a different op's rule concerns that rule only. */
static bool forward_of_nothing(const heed_call *call, heed_tensor *const *out)
{
    (void)call;
    (void)out;
    return heed_square(NULL) != NULL;
}

static void backward_calls(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    static const heed_op inner = {
        .name = "inner", .n_inputs = 1, .n_outputs = 1, .infer = heed_infer_same, .forward = forward_of_nothing};
    (void)call;
    dx[0] = heed_apply(&inner, g, 1, NULL);
}

START_TEST(what_a_different_rule_lacks)
{
    static const heed_op op = {.name = "mine",
                               .n_inputs = 1,
                               .n_outputs = 1,
                               .infer = heed_infer_same,
                               .forward = fill,
                               .backward = backward_calls};
    heed_tensor *x = new_leaf();
    ck_assert_status_fails("backward", HEED_ERR_ARGUMENT, "backward: square: argument 1 is NULL",
                           heed_backward(heed_sum(heed_apply(&op, &x, 1, NULL))));
    ck_assert_null_fails("square", HEED_ERR_ARGUMENT, "square: argument 1 is NULL", heed_square(NULL));
}
END_TEST

MISUSE_MAIN("misuse of .saved", unsaved_tensors, what_a_different_rule_lacks)
