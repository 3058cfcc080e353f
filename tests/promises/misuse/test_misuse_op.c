/* tests/promises/misuse/test_misuse_op.c - user-defined ops with mistakes: every mistake is reported as an error,
 * without further damage.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

/* -- Correct rules, to combine with wrong ones ------------------------------------------------------------------- */

static bool same(const heed_call *call, heed_meta *out)
{
    return heed_infer_same(call, out);
}

static bool fill(const heed_call *call, heed_tensor *const *out)
{
    for (int j = 0; j < call->op->n_outputs; j++)
        if (heed_fill_(out[j], 2) != HEED_OK)
            return false;
    return true;
}

static void pass_on(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < call->n_inputs; i++)
        dx[i] = g[0];
}

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), true);
}

/* -- The op itself ------------------------------------------------------------------------------------------------ */

static bool whole(const heed_call *call, heed_layout *out)
{
    *out = (heed_layout){.shape = heed_call_shape(call, 0), .strides = {3, 1}};
    return true;
}

#define ONE .name = "mine", .n_inputs = 1, .n_outputs = 1
#define RULES .infer = same, .forward = fill
#define VALID ONE, RULES, .backward = pass_on

static const heed_op any_number = {VALID, .max_inputs = HEED_MAX_INPUTS};
static const heed_op any_view = {ONE, .max_inputs = HEED_MAX_INPUTS, .view = whole};
static const heed_op many_results = {.name = "mine", .n_inputs = 1, .n_outputs = HEED_MAX_OUTPUTS, RULES};
static const heed_op nameless = {.n_inputs = 1, .n_outputs = 1, .infer = same};
static const heed_op valid = {VALID};

START_TEST(ops_that_are_no_ops)
{
    static const struct {
        heed_op op;
        const char *message;
    } wrong[] = {
        {{ONE, .forward = fill}, "mine: .infer and .view are NULL"},
        {{ONE, .infer = same}, "mine: .forward and .view are NULL"},
        {{.name = "mine"}, "mine: .n_outputs is 0: must be 1 to 4"},
        {{.name = "mine", .n_inputs = -1, RULES}, "mine: .n_inputs is -1: must be at least 0"},
        {{.name = "mine", .n_inputs = 1, RULES}, "mine: .n_outputs is 0: must be 1 to 4"},
        {{.name = "mine", .n_inputs = 1, .n_outputs = 5, RULES}, "mine: .n_outputs is 5: must be 1 to 4"},
        {{.name = "mine", .n_inputs = 1, .n_outputs = INT_MIN, RULES}, "mine: .n_outputs is -2147483648: must be"},
        {{.name = "mine", .n_inputs = 2, .n_outputs = 1, RULES}, "mine: n_inputs is 1: must be 2"},
        {{.name = "mine", .n_outputs = 1, .view = whole}, "mine: .n_inputs is 0: must be at least 1 with .view"},
        {{.name = "mine", .n_inputs = 1, .n_outputs = 2, .view = whole},
         "mine: .n_outputs is 2: must be 1 to 4, and 1"},
        {{ONE, .saved = HEED_SAVE_OUTPUTS | HEED_SAVE_INPUT(0), .view = whole},
         "mine: .saved is 0x8001: must not include HEED_SAVE_OUTPUTS with .view"},
        {{VALID, .params_size = 16}, "mine: params is NULL: must be 16 bytes"},
    };
    heed_tensor *x = new_leaf(), *outputs[HEED_MAX_OUTPUTS];
    for (int i = 0; i < COUNT_OF(wrong); i++) {
        const heed_op *op = &wrong[i].op;
        ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, wrong[i].message, heed_apply(op, &x, 1, NULL));
        ck_assert_fails("mine", HEED_ERR_ARGUMENT, wrong[i].message, !heed_apply_all(op, &x, 1, NULL, outputs));
        ck_assert_fails("mine", HEED_ERR_ARGUMENT, "", !heed_apply_all(op, NULL, 0, NULL, outputs));
    }
    ck_assert_null_fails("apply", HEED_ERR_ARGUMENT, "apply: op is NULL", heed_apply(NULL, &x, 1, NULL));
    ck_assert_fails("apply", HEED_ERR_ARGUMENT, "apply: op is NULL", !heed_apply_all(NULL, &x, 1, NULL, outputs));
    ck_assert_fails("mine", HEED_ERR_ARGUMENT, "outputs", !heed_apply_all(&valid, &x, 1, NULL, NULL));
    ck_assert(heed_apply_all(&many_results, &x, 1, NULL, outputs) && heed_item(outputs[HEED_MAX_OUTPUTS - 1]) == 2);
    ck_assert_fails("apply", HEED_ERR_ARGUMENT, "outputs", !heed_apply_all(NULL, NULL, -1, NULL, NULL));
}
END_TEST

START_TEST(inputs_that_do_not_fit)
{
    heed_tensor *x = new_leaf(), *none = NULL;
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        if (hostile_ints[i] != 1) {
            ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "", heed_apply(&valid, &x, hostile_ints[i], NULL));
            ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "", heed_apply(&valid, NULL, hostile_ints[i], NULL));
        }
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 0: must be 1 to 1048576",
                         heed_apply(&any_number, &x, 0, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 1048577: must be 1 to 1048576",
                         heed_apply(&any_number, &x, 1048577, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "n_inputs is 0: must be 1 to 1048576",
                         heed_apply(&any_view, &x, 0, NULL));
    ck_assert_null_fails("apply", HEED_ERR_ARGUMENT, ".forward and .view are NULL", heed_apply(&nameless, &x, 1, NULL));
    ck_assert_fails("apply", HEED_ERR_ARGUMENT, "outputs", !heed_apply_all(&nameless, &x, 1, NULL, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "mine: inputs is NULL", heed_apply(&valid, NULL, 1, NULL));
    ck_assert_null_fails("mine", HEED_ERR_ARGUMENT, "argument 1 is NULL", heed_apply(&valid, &none, 1, NULL));
}
END_TEST

/* -- infer and forward --------------------------------------------------------------------------------------------- */

static heed_meta wrong_meta;

static bool infer_wrong(const heed_call *call, heed_meta *out)
{
    (void)call;
    *out = wrong_meta;
    return true;
}

static bool infer_refuses(const heed_call *call, heed_meta *out)
{
    (void)call;
    (void)out;
    return false;
}

static bool infer_asks_beyond(const heed_call *call, heed_meta *out)
{
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        if (hostile_ints[i] == 0)
            continue;
        ck_assert_int_eq(heed_call_shape(call, hostile_ints[i]).rank, 0);
        ck_assert_error(HEED_ERR_ARGUMENT, "call_shape: there is no input");
        ck_assert_int_eq(heed_call_dtype(call, hostile_ints[i]), HEED_F32);
        ck_assert_error(HEED_ERR_ARGUMENT, "call_dtype: there is no input");
        ck_assert(!heed_call_needs(call, hostile_ints[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "call_needs: there is no input");
    }
    ck_assert(heed_shape_equal(heed_call_shape(call, 0), HEED_SHAPE(2, 3)));
    ck_assert(heed_call_dtype(call, 0) == HEED_F64 && !heed_call_needs(call, 0));
    return heed_infer_same(call, out);
}

static bool forward_refuses(const heed_call *call, heed_tensor *const *out)
{
    (void)call;
    (void)out;
    return false;
}

START_TEST(wrong_results)
{
    static const heed_op op = {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = infer_wrong, .forward = fill};
    heed_tensor *x = new_leaf();
    for (int i = 0; i < COUNT_OF(hostile_shapes); i++) {
        wrong_meta = (heed_meta){HEED_F64, hostile_shapes[i]};
        if (!heed_apply(&op, &x, 1, NULL))
            misuse_failed("mine");
        ck_assert_int_eq(heed_error_code(), HEED_OK);
    }
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        wrong_meta = (heed_meta){(heed_dtype)hostile_ints[i], HEED_SHAPE(2)};
        if (hostile_ints[i] < 0 || hostile_ints[i] >= HEED_DTYPE_COUNT)
            ck_assert_null_fails("mine", HEED_ERR_DTYPE, "must be a heed_dtype", heed_apply(&op, &x, 1, NULL));
    }
}
END_TEST

START_TEST(rules_that_refuse_in_silence)
{
    static const heed_op infers = {
        .name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = infer_refuses, .forward = fill};
    static const heed_op computes = {
        .name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = same, .forward = forward_refuses, .contiguous = true};
    static const heed_op asks = {
        .name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = infer_asks_beyond, .forward = fill};
    heed_tensor *x = new_leaf(), *turned = heed_transpose(x, 0, 1);
    ck_assert_null_fails("mine", HEED_ERR_STATE, "infer failed", heed_apply(&infers, &x, 1, NULL));
    ck_assert_null_fails("mine", HEED_ERR_STATE, "forward failed", heed_apply(&computes, &x, 1, NULL));
    ck_assert_null_fails("mine", HEED_ERR_STATE, "forward failed", heed_apply(&computes, &turned, 1, NULL));
    ck_assert_ptr_nonnull(heed_apply(&asks, &x, 1, NULL));
}
END_TEST

START_TEST(common_rules_without_inputs)
{
    heed_call empty = {.op = &valid};
    heed_meta meta;
    ck_assert_fails("infer_same", HEED_ERR_ARGUMENT, "no input 0", !heed_infer_same(&empty, &meta));
    ck_assert_fails("infer_same", HEED_ERR_ARGUMENT, "no input 0", !heed_infer_same(NULL, &meta));
    ck_assert_fails("infer_broadcast", HEED_ERR_ARGUMENT, "no input 0", !heed_infer_broadcast(&empty, &meta));
    ck_assert_fails("infer_broadcast", HEED_ERR_ARGUMENT, "no input 0", !heed_infer_broadcast(NULL, &meta));
    ck_assert(!heed_call_needs(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "call_needs");
    heed_tensor *x = new_leaf();
    heed_call call = {.op = &valid, .n_inputs = 1, .inputs = &x};
    ck_assert_fails("infer_same", HEED_ERR_ARGUMENT, "out is NULL", !heed_infer_same(&call, NULL));
    ck_assert_fails("infer_broadcast", HEED_ERR_ARGUMENT, "out is NULL", !heed_infer_broadcast(&call, NULL));
}
END_TEST

/* These bytes do not exist: they would be read when the call is recorded, but it fails before that. */
START_TEST(parameters_beyond_memory)
{
    static const size_t sizes[] = {SIZE_MAX,       SIZE_MAX - 14,  SIZE_MAX - 15, SIZE_MAX - 16,
                                   SIZE_MAX - 100, SIZE_MAX - 300, SIZE_MAX / 2,  (size_t)1 << 47};
    heed_tensor *x = new_leaf(), *plain = heed_detach(x);
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        heed_op op = {VALID, .params_size = sizes[i]};
        ck_assert_null_fails("mine", HEED_ERR_NOMEM, "cannot allocate", heed_apply(&op, &x, 1, "x"));
        ck_assert_ptr_nonnull(heed_apply(&op, &plain, 1, "x"));
    }
}
END_TEST

/* -- Views -------------------------------------------------------------------------------------------------------- */

static heed_layout wrong_layout;

static bool view_wrong(const heed_call *call, heed_layout *out)
{
    (void)call;
    *out = wrong_layout;
    return true;
}

static void sum_all(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_expand(heed_sum(g[0]), heed_call_shape(call, 0));
}

static const heed_op a_view = {.name = "mine", .n_inputs = 1, .n_outputs = 1, .view = view_wrong, .backward = sum_all};

START_TEST(views_outside_the_storage)
{
    static const heed_layout outside[] = {
        {.shape = {1, {7}}, .strides = {1}},
        {.shape = {1, {2}}, .strides = {6}},
        {.shape = {1, {2}}, .strides = {-1}},
        {.shape = {0, {0}}, .offset = 6},
        {.shape = {0, {0}}, .offset = -1},
        {.shape = {0, {0}}, .offset = INT64_MIN},
        {.shape = {1, {1}}, .strides = {1}, .offset = INT64_MAX},
        {.shape = {1, {2}}, .strides = {INT64_MAX}, .offset = 1},
        {.shape = {1, {2}}, .strides = {INT64_MIN}},
        {.shape = {1, {1}}, .strides = {INT64_MIN}},
        {.shape = {1, {1}}, .strides = {INT64_MAX}},
        {.shape = {1, {3}}, .strides = {INT64_MAX}},
        {.shape = {1, {2}}, .strides = {TWO62 >> 4}, .offset = INT64_MAX},
        {.shape = {2, {TWO31, TWO31}}, .strides = {TWO31, 1}},
        {.shape = {2, {2, 2}}, .strides = {INT64_MAX, INT64_MAX}},
        {.shape = {2, {2, 2}}, .strides = {-3, 4}},
        {.shape = {-1, {0}}},
        {.shape = {9, {1, 1, 1, 1, 1, 1, 1, 1}}},
        {.shape = {1, {-1}}, .strides = {1}},
        {.shape = {1, {INT64_MIN}}, .strides = {1}},
    };
    heed_tensor *x = new_leaf();
    for (int i = 0; i < COUNT_OF(outside); i++) {
        wrong_layout = outside[i];
        ck_assert_msg(heed_apply(&a_view, &x, 1, NULL) == NULL, "layout %d", i);
        ck_assert_error(HEED_ERR_INDEX, "mine: a view of shape");
    }
    heed_tensor *later = heed_slice(x, 0, 1, 2, 1);
    wrong_layout = (heed_layout){.shape = {0, {0}}, .offset = INT64_MAX};
    ck_assert_null_fails("mine", HEED_ERR_INDEX, "leaves the storage", heed_apply(&a_view, &later, 1, NULL));
}
END_TEST

/* Valid but odd views: overlapping elements, negative strides, empty ones with absurd strides. */
START_TEST(odd_views_are_read_rightly)
{
    static const heed_layout inside[] = {
        {.shape = {2, {3, 3}}, .strides = {1, 1}},
        {.shape = {1, {6}}, .strides = {-1}, .offset = 5},
        {.shape = {2, {5, 2}}, .strides = {0, 3}, .offset = 2},
        {.shape = {2, {0, 3}}, .strides = {INT64_MIN, INT64_MAX}, .offset = INT64_MAX},
        {.shape = {2, {TWO62, 0}}, .strides = {INT64_MIN, INT64_MIN}, .offset = INT64_MIN + 1},
        {.shape = {3, {1, 2, 1}}, .strides = {1000, 3, -1000}},
    };
    heed_tensor *x = new_leaf();
    for (int i = 0; i < COUNT_OF(inside); i++) {
        wrong_layout = inside[i];
        heed_tensor *y = heed_apply(&a_view, &x, 1, NULL);
        ck_assert_msg(y != NULL, "layout %d: %s", i, heed_error_message());
        heed_tensor *turned = heed_flip(heed_transpose(y, 0, -1), HEED_AXES(0));
        ck_assert(heed_item(heed_sum(turned)) == (double)heed_numel(y));
        ck_assert(heed_item(heed_sum(heed_reshape(heed_square(y), HEED_SHAPE(-1, 1)))) == (double)heed_numel(y) ||
                  heed_error_code() == HEED_ERR_SHAPE);
        heed_error_clear();
        ck_assert_int_eq(heed_backward(heed_sum(turned)), HEED_OK);
        (void)heed_set_grad(x, NULL);
    }
}
END_TEST

/* -- backward ------------------------------------------------------------------------------------------------------ */

static int mistake;

static heed_tensor *mistaken(heed_tensor *g)
{
    switch (mistake) {
    case 0:
        return NULL;
    case 1:
        return heed_to_dtype(g, HEED_F32);
    case 2:
        return heed_to_dtype(g, HEED_I64);
    case 3:
        return heed_ones(HEED_F64, HEED_SHAPE(3, 2));
    case 4:
        return heed_ones(HEED_F64, HEED_SCALAR);
    case 5:
        return heed_ones(HEED_F64, HEED_SHAPE(0, 2, 3));
    default:
        return heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 1));
    }
}

static void backward_wrong(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < call->n_inputs; i++)
        dx[i] = mistaken(g[0]);
}

static void backward_leaves_a_mess(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)heed_no_grad_begin();
    (void)heed_scope_begin();
    (void)heed_set_grad_enabled(mistake != 0);
    dx[0] = heed_mul_scalar(g[0], 3);
    ck_assert_int_eq(heed_backward(call->inputs[0]), HEED_ERR_SHAPE);
    heed_error_clear();
}

START_TEST(wrong_gradients)
{
    static const heed_op op = {.name = "mine",
                               .n_inputs = 1,
                               .max_inputs = HEED_MAX_INPUTS,
                               .n_outputs = 1,
                               .infer = same,
                               .forward = fill,
                               .backward = backward_wrong};
    heed_tensor *x = new_leaf();
    static const heed_status expected[] = {HEED_ERR_STATE, HEED_ERR_DTYPE, HEED_ERR_DTYPE, HEED_ERR_SHAPE,
                                           HEED_ERR_SHAPE, HEED_OK,        HEED_ERR_SHAPE};
    for (mistake = 0; mistake < COUNT_OF(expected); mistake++)
        for (int n = 1; n <= 20; n += 19) {
            heed_tensor *inputs[20], *g;
            for (int i = 0; i < n; i++)
                inputs[i] = x;
            heed_tensor *loss = heed_sum(heed_apply(&op, inputs, n, NULL));
            heed_status status = heed_grad(&loss, 1, &x, 1, &g, NULL);
            ck_assert_msg(status == expected[mistake], "mistake %d: %s", mistake, heed_error_message());
            ck_assert((g == NULL) == (status != HEED_OK));
            ck_assert(status == HEED_OK || strstr(heed_error_message(), "mine") || status == HEED_ERR_SHAPE);
            heed_error_clear();
            ck_assert_ptr_null(heed_grad_of(x));
        }
}
END_TEST

START_TEST(a_rule_that_leaves_a_mess)
{
    static const heed_op op = {.name = "mine",
                               .n_inputs = 1,
                               .n_outputs = 1,
                               .saved = HEED_SAVE_INPUTS,
                               .infer = same,
                               .forward = fill,
                               .backward = backward_leaves_a_mess};
    for (mistake = 0; mistake < 2; mistake++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = new_leaf(), *y = heed_square(x), *loss = heed_sum(heed_apply(&op, &y, 1, NULL)), *g;
        ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &g, &(heed_grad_options){.create_graph = mistake == 0}), HEED_OK);
        ck_assert(heed_get(g, HEED_INDEX(0, 0)) == 6.0);
        ck_assert(heed_requires_grad(g) == (mistake == 0));
        ck_assert(heed_grad_enabled());
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
}
END_TEST

START_TEST(without_a_gradient)
{
    static const heed_op op = {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = same, .forward = fill};
    heed_tensor *x = new_leaf();
    ck_assert_status_fails("backward", HEED_ERR_UNSUPPORTED, "mine has no gradient",
                           heed_backward(heed_sum(heed_apply(&op, &x, 1, NULL))));
    ck_assert_ptr_null(heed_grad_of(x));
}
END_TEST

MISUSE_MAIN("misuse of heed/op.h", ops_that_are_no_ops, inputs_that_do_not_fit, wrong_results,
            rules_that_refuse_in_silence, parameters_beyond_memory, common_rules_without_inputs,
            views_outside_the_storage, odd_views_are_read_rightly, wrong_gradients, a_rule_that_leaves_a_mess,
            without_a_gradient)
