/* tests/promises/misuse/test_misuse_callbacks.c - user functions that heed calls, of every kind: they cannot release
 * objects that their caller still uses, by closing scopes or cleaning up the thread; one that leaves an error has
 * failed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

/* -- The functions ------------------------------------------------------------------------------------------------- */

static heed_scope *callers;
static heed_tensor *of_callers;

static void end_scope(void)
{
    ck_assert_int_eq(heed_scope_end(callers), HEED_ERR_STATE);
}

static void return_scope(void)
{
    ck_assert_ptr_null(heed_scope_return(callers, of_callers));
}

static void leave_error(void)
{
    heed_fail(HEED_ERR_IO, "mine", "left behind");
}

static void switch_recording(void)
{
    (void)heed_set_grad_enabled(false);
}

static void (*action)(void);

/* -- Call sites: they return true if the call succeeded ------------------------------------------------------------ */

static bool infer(const heed_call *call, heed_meta *out)
{
    action();
    return heed_infer_same(call, out);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    action();
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK;
}

static bool copy(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK;
}

static bool view(const heed_call *call, heed_layout *out)
{
    action();
    *out = (heed_layout){.shape = heed_call_shape(call, 0), .strides = {1}};
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    action();
    dx[0] = heed_mul(g[0], heed_add(call->inputs[0], call->outputs[0]));
}

static void pass_on(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

#define OP .name = "mine", .n_inputs = 1, .n_outputs = 1, .backward = pass_on
static const heed_op infers = {OP, .infer = infer, .forward = copy};
static const heed_op computes = {OP, .infer = heed_infer_same, .forward = forward};
static const heed_op computes_dense = {OP, .infer = heed_infer_same, .forward = forward, .contiguous = true};
static const heed_op views = {OP, .view = view};
static const heed_op differentiates = {.name = "mine",
                                       .n_inputs = 1,
                                       .n_outputs = 1,
                                       .infer = heed_infer_same,
                                       .forward = copy,
                                       .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
                                       .backward = backward};
static const heed_op differentiates_fast = {.name = "mine",
                                            .n_inputs = 1,
                                            .n_outputs = 1,
                                            .infer = heed_infer_same,
                                            .forward = copy,
                                            .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
                                            .backward = pass_on,
                                            .backward_fused = backward};

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(4)), true);
}

static bool apply(const heed_op *op)
{
    heed_tensor *x = heed_slice(new_leaf(), 0, 0, HEED_END, 2);
    return heed_apply(op, &x, 1, NULL) != NULL;
}

static bool in_infer(void)
{
    return apply(&infers);
}

static bool in_forward(void)
{
    return apply(&computes);
}

static bool in_dense_forward(void)
{
    return apply(&computes_dense);
}

static bool in_view(void)
{
    return apply(&views);
}

static bool in_backward(void)
{
    heed_tensor *x = new_leaf();
    return heed_backward(heed_sum(heed_apply(&differentiates, &x, 1, NULL))) == HEED_OK;
}

static bool in_fused_backward(void)
{
    heed_tensor *x = new_leaf(), *y = heed_sum(heed_apply(&differentiates_fast, &x, 1, NULL)), *g;
    return heed_grad(&y, 1, &x, 1, &g, NULL) == HEED_OK;
}

static heed_tensor *hook(heed_tensor *grad, void *user)
{
    (void)user;
    action();
    return grad;
}

static bool in_hook(void)
{
    heed_tensor *x = heed_square(new_leaf());
    return heed_add_hook(x, hook, NULL) > 0 && heed_backward(heed_sum(x)) == HEED_OK;
}

static bool in_hook_of_a_leaf(void)
{
    heed_tensor *x = new_leaf(), *y = heed_sum(heed_square(x)), *g;
    (void)heed_add_hook(x, hook, NULL);
    return heed_grad(&y, 1, &x, 1, &g, NULL) == HEED_OK;
}

static heed_tensor *function(heed_tensor *x)
{
    heed_tensor *y = heed_tanh(x);
    action();
    return y;
}

static heed_tensor *checked(heed_tensor *const *inputs, void *user)
{
    (void)user;
    return function(inputs[0]);
}

static heed_tensor *checked_with_hook(heed_tensor *const *inputs, void *user)
{
    heed_tensor *y = heed_square(inputs[0]);
    if (heed_grad_enabled())
        (void)heed_add_hook(y, hook, user);
    return heed_square(y);
}

static bool in_gradcheck(void)
{
    heed_tensor *x = new_leaf();
    return heed_gradcheck(checked, NULL, &x, 1, NULL, NULL) == HEED_OK;
}

static bool in_gradgradcheck(void)
{
    heed_tensor *x = new_leaf();
    return heed_gradgradcheck(checked, NULL, &x, 1, NULL, NULL) == HEED_OK;
}

static bool in_jacobian(void)
{
    heed_tensor *x = new_leaf(), *d;
    return heed_jacobian(checked, NULL, &x, 1, &d, NULL) != NULL;
}

static bool in_checkpointed(void)
{
    heed_tensor *x = new_leaf(), *y = heed_checkpointed(checked, NULL, &x, 1);
    return y && heed_backward(heed_sum(y)) == HEED_OK;
}

static bool in_hook_in_gradcheck(void)
{
    heed_tensor *x = new_leaf();
    return heed_gradcheck(checked_with_hook, NULL, &x, 1, NULL, NULL) == HEED_OK;
}

static bool in_module_function(void)
{
    heed_nn_function *net = heed_nn_function_new("mine", function);
    bool ok = heed_nn_function_forward(net, new_leaf()) != NULL;
    heed_module_free(&net->base);
    return ok;
}

static heed_tensor *module_forward(heed_module *m, heed_tensor *x)
{
    (void)m;
    return function(x);
}

static bool in_module_forward(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m);
    m->forward = module_forward;
    bool ok = heed_module_forward(m, new_leaf()) != NULL;
    heed_module_free(m);
    return ok;
}

static bool in_sequential(void)
{
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_function_new("mine", function), heed_nn_linear_new(4, 2, NULL)));
    bool ok = heed_nn_sequential_forward(net, heed_to_dtype(new_leaf(), HEED_F32)) != NULL;
    heed_module_free(&net->base);
    return ok;
}

static bool in_activation(void)
{
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(
        4, 2, 8, &(heed_nn_transformer_options){.activation = function, .dtype = HEED_F64});
    bool ok = heed_nn_transformer_encoder_block_forward(net, heed_rand(HEED_F64, HEED_SHAPE(2, 3, 4)), NULL, NULL);
    heed_module_free(&net->base);
    return ok;
}

static heed_status visitor(const heed_module_visit *visit, void *user)
{
    (void)user;
    action();
    ck_assert_int_eq(heed_rank(visit->tensor), 2);
    return HEED_OK;
}

static bool in_visitor(void)
{
    heed_nn_linear *net = heed_nn_linear_new(4, 2, &(heed_nn_linear_options){.no_bias = true});
    bool ok = heed_module_walk(&net->base, visitor, NULL) == HEED_OK;
    heed_module_free(&net->base);
    return ok;
}

static void on_free(heed_module *m)
{
    (void)m;
    action();
}

static bool in_on_free(void)
{
    heed_module *inner = heed_module_new("mine", sizeof *inner), *outer = heed_module_new("outer", sizeof *outer);
    inner->on_free = on_free;
    ck_assert_ptr_nonnull(heed_module_child(outer, "inner", inner));
    return heed_module_free(outer) == HEED_OK;
}

typedef struct call_site {
    bool (*run)(void);
    const char *name; /* in messages */
} call_site;

static const call_site call_sites[] = {
    {in_infer, "mine"},
    {in_forward, "mine"},
    {in_dense_forward, "mine"},
    {in_view, "mine"},
    {in_backward, "mine"},
    {in_fused_backward, "mine"},
    {in_hook, "a hook"},
    {in_hook_of_a_leaf, "a hook"},
    {in_gradcheck, "fn"},
    {in_gradgradcheck, "fn"},
    {in_jacobian, "fn"},
    {in_checkpointed, "fn"},
    {in_hook_in_gradcheck, "a hook"},
    {in_module_function, "mine"},
    {in_module_forward, "mine"},
    {in_sequential, "mine"},
    {in_activation, "the activation"},
    {in_visitor, "the visitor"},
    {in_on_free, "on_free"},
};

/* -- Tests --------------------------------------------------------------------------------------------------------- */

/* Runs one in its own scope; the tensors of the scope are checked afterwards. */
static bool run(bool (*in_place)(void), void (*what)(void))
{
    action = what;
    callers = heed_scope_begin();
    of_callers = heed_full(HEED_F64, HEED_SHAPE(2), 7);
    bool ok = in_place();
    ck_assert(heed_grad_enabled());
    ck_assert(heed_get(of_callers, HEED_INDEX(1)) == 7);
    return ok;
}

START_TEST(none_releases_what_is_its_callers)
{
    static const struct {
        void (*action)(void);
        const char *text;
    } actions[] = {
        {end_scope, "scope_end: "}, {return_scope, "scope_return: "}, {heed_thread_cleanup, "thread_cleanup: "}};
    for (int i = 0; i < COUNT_OF(call_sites); i++)
        for (int k = 0; k < COUNT_OF(actions); k++) {
            ck_assert_msg(!run(call_sites[i].run, actions[k].action), "place %d", i);
            ck_assert_msg(strstr(heed_error_message(), call_sites[i].name), "place %d: %s", i, heed_error_message());
            ck_assert_error(HEED_ERR_STATE, actions[k].text);
            ck_assert_int_eq(heed_scope_end(callers), HEED_OK);
        }
}
END_TEST

START_TEST(a_pending_error_counts)
{
    for (int i = 0; i < COUNT_OF(call_sites); i++) {
        ck_assert_msg(!run(call_sites[i].run, leave_error), "place %d", i);
        ck_assert_error(HEED_ERR_IO, "mine: left behind");
        ck_assert_int_eq(heed_scope_end(callers), HEED_OK);
    }
}
END_TEST

START_TEST(an_error_from_before_does_not)
{
    for (int i = 0; i < COUNT_OF(call_sites); i++) {
        heed_fail(HEED_ERR_IO, "before", "something else");
        ck_assert_msg(run(call_sites[i].run, switch_recording), "place %d", i);
        ck_assert_int_eq(heed_scope_end(callers), HEED_OK);
        ck_assert_error(HEED_ERR_IO, "before: something else");
        ck_assert_msg(run(call_sites[i].run, switch_recording), "place %d: %s", i, heed_error_message());
        ck_assert_int_eq(heed_scope_end(callers), HEED_OK);
    }
}
END_TEST

static void end_in_handler(heed_status status, const char *message, void *user)
{
    (void)status;
    (void)message;
    heed_thread_cleanup();
    *(heed_status *)user = heed_scope_end(callers);
}

START_TEST(handlers_release_nothing)
{
    heed_status ended = HEED_OK;
    callers = heed_scope_begin();
    heed_tensor *x = new_leaf();
    heed_set_error_handler(end_in_handler, &ended);
    ck_assert_null_fails("reshape", HEED_ERR_SHAPE, "", heed_reshape(x, HEED_SHAPE(7)));
    heed_set_error_handler(NULL, NULL);
    ck_assert_int_eq(ended, HEED_ERR_STATE);
    ck_assert_int_eq(heed_dim(x, 0), 4);
    ck_assert_int_eq(heed_scope_end(callers), HEED_OK);
}
END_TEST

/* Without an open scope there is none to close, but the tensors of the root scope are also the caller's. */
START_TEST(the_root_scope)
{
    heed_tensor *x = new_leaf();
    action = heed_thread_cleanup;
    ck_assert_null_fails("thread_cleanup", HEED_ERR_STATE, "mine", heed_apply(&computes, &x, 1, NULL));
    ck_assert(heed_requires_grad(x));
    heed_callback call = heed_callback_begin(NULL);
    heed_thread_cleanup();
    ck_assert(!heed_callback_end(&call));
    ck_assert_error(HEED_ERR_STATE, "thread_cleanup: a function ");
    ck_assert_int_eq(heed_numel(x), 4);
    ck_assert(!heed_callback_end(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "callback_end: the callback is NULL");
}
END_TEST

MISUSE_MAIN("misuse of functions that heed calls", none_releases_what_is_its_callers, a_pending_error_counts,
            an_error_from_before_does_not, handlers_release_nothing, the_root_scope)
