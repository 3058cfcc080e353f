/* tests/promises/misuse/test_misuse_apply.c - heed_apply with too few or too many inputs, for users' ops and the
 * library's, and rules that access wrong data or leave objects behind. test_misuse_op.c has other mistakes of ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

#include "ops/support.h"

static bool same(const heed_call *call, heed_meta *out)
{
    return heed_infer_same(call, out);
}

static bool fill(const heed_call *call, heed_tensor *const *out)
{
    (void)call;
    return heed_fill_(out[0], 2) == HEED_OK;
}

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 2)), true);
}

/* -- The number of inputs ------------------------------------------------------------------------------------------ */

START_TEST(a_number_of_inputs_within_bounds)
{
    static const heed_op op = {
        .name = "mine", .n_inputs = 2, .max_inputs = 3, .n_outputs = 1, .infer = same, .forward = fill};
    heed_tensor *x = new_leaf(), *inputs[] = {x, x, x, x};
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 0: must be 2 to 3", heed_apply(&op, inputs, 0, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 1: must be 2 to 3", heed_apply(&op, inputs, 1, NULL));
    ck_assert_ptr_nonnull(heed_apply(&op, inputs, 2, NULL));
    ck_assert_ptr_nonnull(heed_apply(&op, inputs, 3, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 4: must be 2 to 3", heed_apply(&op, inputs, 4, NULL));
}
END_TEST

/* -- The ops of the library, applied by hand ----------------------------------------------------------------------- */

static const char no_params[4096];

static const heed_op *const library[] = {
#define HEED_OP(name) &heed_op_##name,
#define HEED_COMPOSITE(name)
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE
};

START_TEST(optional_inputs)
{
    heed_tensor *x = new_leaf(), *inputs[] = {x, x, x, x, x};
    static const heed_op *const linear[] = {&heed_op_linear, &heed_op_linear_activated};
    for (int i = 0; i < COUNT_OF(linear); i++) {
        const heed_op *op = linear[i];
        ck_assert_null_fails(op->name, HEED_ERR_ARGUMENT, "n_inputs is 1: must be 2 to 3",
                             heed_apply(op, inputs, 1, no_params));
        ck_assert_null_fails(op->name, HEED_ERR_ARGUMENT, "n_inputs is 4: must be 2 to 3",
                             heed_apply(op, inputs, 4, no_params));
    }
    ck_assert_ptr_nonnull(heed_apply(&heed_op_linear, inputs, 2, NULL));
    ck_assert_null_fails("layer_norm", HEED_ERR_ARGUMENT, "n_inputs is 4: must be 1 to 3",
                         heed_apply(&heed_op_layer_norm, inputs, 4, no_params));
}
END_TEST

START_TEST(a_sum_of_bools)
{
    heed_tensor *x = heed_ones(HEED_BOOL, HEED_SHAPE(2, 3));
    ck_assert_null_fails("sum_to", HEED_ERR_DTYPE, "bool", heed_apply(&heed_op_sum_to, &x, 1, no_params));
}
END_TEST

/* Applies the op to n inputs: `first` n - 1 times, then `last`. Their array has exactly n pointers, so that reading
 * past its end is detected. */
static void apply_by_hand(const heed_op *op, heed_tensor *first, heed_tensor *last, int n)
{
    heed_tensor *outputs[HEED_MAX_OUTPUTS], **inputs = malloc((size_t)(n + !n) * sizeof(heed_tensor *));
    ck_assert_ptr_nonnull(inputs);
    for (int i = 0; i < n; i++)
        inputs[i] = i < n - 1 ? first : last;
    ck_assert_uint_le(op->params_size, sizeof no_params);
    bool done = heed_apply_all(op, inputs, n, no_params, outputs);
    ck_assert_msg(done == (heed_error_code() == HEED_OK), "%s of %d: \"%s\"", op->name, n, heed_error_message());
    heed_error_clear();
    free(inputs);
}

/* Every op on 0 to 8 inputs of all kinds: a result or an error. */
START_TEST(ops_of_the_library)
{
    heed_tensor *kinds[] = {heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(2, 3)), true),
                            heed_ones(HEED_F64, HEED_SHAPE(3)),
                            heed_ones(HEED_F64, HEED_SHAPE(2, 3, 3)),
                            heed_zeros(HEED_I64, HEED_SHAPE(2)),
                            heed_zeros(HEED_BOOL, HEED_SHAPE(2, 3)),
                            heed_zeros(HEED_F32, HEED_SHAPE(0)),
                            heed_ones(HEED_F32, HEED_SCALAR)};
    for (int k = 0; k < COUNT_OF(library); k++)
        for (int pair = 0; pair < COUNT_OF(kinds) * COUNT_OF(kinds); pair++) {
            heed_scope *scope = heed_scope_begin();
            for (int n = 0; n <= 8; n++)
                apply_by_hand(library[k], kinds[pair / COUNT_OF(kinds)], kinds[pair % COUNT_OF(kinds)], n);
            ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        }
}
END_TEST

/* The number of results of every op: callers of heed_apply_all pass an array of this length. */
START_TEST(few_ops_have_several_results)
{
    for (int k = 0; k < COUNT_OF(library); k++) {
        bool two = library[k] == &heed_op_sort || library[k] == &heed_op_kernel_regression ||
                   library[k] == &heed_op_max_pool || library[k] == &heed_op_batch_norm ||
                   library[k] == &heed_op_slogdet;
        int results = library[k] == &heed_op_recurrence ? 3 : two ? 2 : 1;
        ck_assert_int_le(results, HEED_MAX_OUTPUTS);
        ck_assert_msg(library[k]->n_outputs == results, "%s has %d", library[k]->name, library[k]->n_outputs);
    }
}
END_TEST

/* The memory after the results is the caller's, also if there are more results than an op may have. */
START_TEST(no_bytes_after_the_results_are_written)
{
    static const heed_op one = {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = same, .forward = fill};
    heed_op most = one;
    most.n_outputs = HEED_MAX_OUTPUTS + 1;
    heed_tensor *x = new_leaf(), *outputs[HEED_MAX_OUTPUTS + 1];
    for (int i = 0; i <= HEED_MAX_OUTPUTS; i++)
        outputs[i] = x;
    ck_assert(heed_apply_all(&one, &x, 1, NULL, outputs));
    ck_assert_ptr_eq(outputs[1], x);
    ck_assert(!heed_apply_all(&most, &x, 1, NULL, outputs));
    ck_assert_error(HEED_ERR_ARGUMENT, "mine");
    ck_assert_ptr_eq(outputs[HEED_MAX_OUTPUTS], x);
}
END_TEST

/* -- The rules of infer in backward -------------------------------------------------------------------------------- */

/* Inputs that were not kept are NULL here; their shapes and dtypes are known all the same. */
static void ones_like_the_inputs(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)g;
    heed_meta like, all;
    ck_assert(heed_infer_same(call, &like) && heed_infer_broadcast(call, &all));
    ck_assert(like.dtype == HEED_F64 && heed_shape_equal(like.shape, HEED_SHAPE(2, 1)));
    ck_assert(all.dtype == HEED_F64 && heed_shape_equal(all.shape, HEED_SHAPE(2, 3)));
    for (int i = 0; i < call->n_inputs; i++)
        dx[i] = heed_ones(all.dtype, all.shape);
}

static bool broadcast(const heed_call *call, heed_meta *out)
{
    return heed_infer_broadcast(call, out);
}

START_TEST(inference_in_backward)
{
    static heed_op op = {.name = "mine",
                         .n_inputs = 2,
                         .n_outputs = 1,
                         .infer = broadcast,
                         .forward = fill,
                         .backward = ones_like_the_inputs};
    static const unsigned saved[] = {HEED_SAVE_NOTHING, HEED_SAVE_INPUT(1), HEED_SAVE_INPUTS};
    for (int i = 0; i < COUNT_OF(saved); i++) {
        op.saved = saved[i];
        heed_tensor *x[] = {heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 1)), true),
                            heed_ones(HEED_F64, HEED_SHAPE(3))};
        ck_assert_int_eq(heed_backward(heed_sum(heed_apply(&op, x, 2, NULL))), HEED_OK);
        ck_assert(heed_get(heed_grad_of(x[0]), HEED_INDEX(1, 0)) == 3);
    }
}
END_TEST

/* No gradient flows to indices, but they are inputs. */
static void infer_from_indices(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_meta out;
    ck_assert_fails("backward", HEED_ERR_DTYPE, "and argument 2 is i64 of shape (2): must both be",
                    !heed_infer_broadcast(call, &out));
    dx[0] = g[0];
}

START_TEST(inference_in_backward_refuses)
{
    static const heed_op op = {
        .name = "mine", .n_inputs = 2, .n_outputs = 1, .infer = same, .forward = fill, .backward = infer_from_indices};
    heed_tensor *x = new_leaf(), *inputs[] = {x, heed_zeros(HEED_I64, HEED_SHAPE(2))};
    ck_assert_int_eq(heed_backward(heed_sum(heed_apply(&op, inputs, 2, NULL))), HEED_OK);
}
END_TEST

/* -- Rules that switch recording ----------------------------------------------------------------------------------- */

static bool infer_switches(const heed_call *call, heed_meta *out)
{
    (void)heed_set_grad_enabled(!heed_grad_enabled());
    return heed_infer_same(call, out);
}

static bool forward_switches(const heed_call *call, heed_tensor *const *out)
{
    (void)heed_set_grad_enabled(!heed_grad_enabled());
    return fill(call, out);
}

static bool forward_opens(const heed_call *call, heed_tensor *const *out)
{
    return heed_no_grad_begin() && heed_scope_begin() && fill(call, out);
}

static bool forward_switches_and_fails(const heed_call *call, heed_tensor *const *out)
{
    (void)forward_switches(call, out);
    return false;
}

static bool view_switches(const heed_call *call, heed_layout *out)
{
    (void)heed_set_grad_enabled(!heed_grad_enabled());
    *out = (heed_layout){.shape = heed_call_shape(call, 0), .strides = {2, 1}};
    return true;
}

static void pass_on(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

/* An op is recorded as the caller set it, and the caller's setting is restored. */
START_TEST(rules_that_switch_recording)
{
    static const heed_op ops[] = {
        {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = infer_switches, .forward = fill, .backward = pass_on},
        {.name = "mine",
         .n_inputs = 1,
         .n_outputs = 1,
         .infer = same,
         .forward = forward_switches,
         .backward = pass_on},
        {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = same, .forward = forward_opens, .backward = pass_on},
        {.name = "mine", .n_inputs = 1, .n_outputs = 1, .view = view_switches, .backward = pass_on},
    };
    for (int i = 0; i < 2 * COUNT_OF(ops); i++) {
        bool recording = i % 2 == 0;
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = new_leaf();
        (void)heed_set_grad_enabled(recording);
        heed_tensor *y = heed_apply(&ops[i / 2], &x, 1, NULL);
        ck_assert_int_eq(heed_grad_enabled(), recording);
        ck_assert_int_eq(heed_requires_grad(y), recording);
        if (recording) {
            ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
            ck_assert(heed_has_grad(x));
        }
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert(heed_grad_enabled());
    }
}
END_TEST

START_TEST(a_rule_that_switches_recording_and_fails)
{
    static const heed_op op = {
        .name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = same, .forward = forward_switches_and_fails};
    heed_tensor *x = new_leaf();
    ck_assert_null_fails("mine", HEED_ERR_STATE, "forward failed", heed_apply(&op, &x, 1, NULL));
    ck_assert(heed_grad_enabled());
}
END_TEST

MISUSE_MAIN("misuse of heed_apply", a_number_of_inputs_within_bounds, optional_inputs, a_sum_of_bools,
            ops_of_the_library, few_ops_have_several_results, no_bytes_after_the_results_are_written,
            inference_in_backward, inference_in_backward_refuses, rules_that_switch_recording,
            a_rule_that_switches_recording_and_fails)
