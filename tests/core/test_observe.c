/* tests/core/test_observe.c - tests of the events that observers receive: ops, rules, modules, spans.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "event_log.h"
#include "optimizer_of.h"

static void check_line(const char *site, int line)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%s:%d", __FILE__, line);
    ck_assert_str_eq(site, expected);
}

/* -- Events ------------------------------------------------------------------------------------------------------- */

START_TEST(an_op_and_its_rule_have_events)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(5, 3)), true);
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), true);
    int64_t id = watch();
    heed_tensor *y = heed_linear(x, w, NULL);
    const int line = __LINE__ - 1;
    ck_assert_int_eq(log_.n, 2);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    const int backward = __LINE__ - 1;
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
    const int n = log_.n;
    ck_assert_ptr_nonnull(heed_tanh(x));
    ck_assert_int_eq(log_.n, n);
    const logged_event *began = event_of(HEED_EVENT_FORWARD, "linear", false, 0);
    ck_assert_int_eq(began->n_outputs, 0);
    const logged_event *t = event_of(HEED_EVENT_FORWARD, "linear", true, 0);
    check_line(t->site, line);
    ck_assert_int_eq(t->n_inputs, 2);
    ck_assert_int_eq(t->n_outputs, 1);
    ck_assert_int_eq(t->n_returned, 1);
    ck_assert_int_eq(t->multiply_adds, 5 * 3 * 2);
    ck_assert_int_ge(t->time, 0);
    t = event_of(HEED_EVENT_BACKWARD, "linear", true, 0);
    check_line(t->recorded_at, line);
    check_line(t->site, backward);
    ck_assert(t->fused && !t->failed);
    ck_assert_int_eq(t->n_grads, 1);
    ck_assert_int_eq(t->n_input_grads, 2);
    ck_assert_int_eq(t->multiply_adds, 2 * 5 * 3 * 2);
    ck_assert(heed_shape_equal(t->shape, HEED_SHAPE(5, 3)));
    t = event_of(HEED_EVENT_SPAN, "backward", true, 0);
    ck_assert_int_ge(t->nested, event_of(HEED_EVENT_BACKWARD, "linear", true, 0)->time);
    ck_assert_int_ge(t->time, t->nested);
}
END_TEST

START_TEST(ops_of_a_rule_are_nested)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1, 2, 3)), true);
    heed_tensor *y = heed_bmm(a, heed_ones(HEED_F32, HEED_SHAPE(1, 3, 4)));
    int64_t id = watch();
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.grad_output = y}), HEED_OK);
    heed_remove_observer(id);
    const logged_event *rule = event_of(HEED_EVENT_BACKWARD, "bmm", true, 0),
                       *op = event_of(HEED_EVENT_FORWARD, "bmm", true, 0);
    ck_assert_int_eq(rule->depth, 0);
    ck_assert_int_eq(op->depth, 1);
    ck_assert_int_eq(rule->nested, op->time);
    ck_assert_int_eq(rule->multiply_adds, 0);
    ck_assert_int_eq(op->multiply_adds, 2 * 3 * 4);
}
END_TEST

START_TEST(sums_of_gradients_have_events)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(3)), true);
    heed_tensor *y = heed_sum(heed_mul(heed_exp(x), heed_mul(x, x)));
    int64_t id = watch();
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    heed_remove_observer(id);
    int sums = 0;
    for (int i = 0; i < log_.n; i++)
        sums += log_.events[i].ended && strcmp(log_.events[i].name, "add") == 0;
    ck_assert_int_eq(sums, 2); /* three gradients flow into x, which takes two sums */
}
END_TEST

START_TEST(modules_have_events)
{
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(3, 8, NULL), heed_nn_feed_forward_new(8, 4, NULL), heed_nn_dropout_new(0)));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    int64_t id = watch();
    heed_tensor *y = heed_module_forward(&net->base, x);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    heed_remove_observer(id);
    ck_assert_str_eq(event_of(HEED_EVENT_MODULE, "sequential", false, 0)->module, "sequential");
    const logged_event *t = event_of(HEED_EVENT_MODULE, "sequential", true, 0);
    ck_assert(heed_shape_equal(t->shape, HEED_SHAPE(2, 8)));
    t = event_of(HEED_EVENT_MODULE, "linear", true, 0);
    ck_assert_str_eq(t->module, "sequential.0");
    ck_assert(t->n_outputs == 1 && !t->failed);
    t = event_of(HEED_EVENT_MODULE, "linear", true, 1); /* the enclosing layer calls it and supplies its name */
    ck_assert_str_eq(t->module, "sequential.1.linear2");
    ck_assert_int_eq(t->n_outputs, 0);
    ck_assert_str_eq(event_of(HEED_EVENT_MODULE, "dropout", true, 0)->module, "sequential.2");
    ck_assert_str_eq(event_of(HEED_EVENT_FORWARD, "linear", true, 0)->module, "sequential.0");
    ck_assert_str_eq(event_of(HEED_EVENT_BACKWARD, "linear", true, 1)->module, "sequential.0");
    int modules = 0;
    for (int i = 0; i < log_.n; i++)
        modules += log_.events[i].kind == HEED_EVENT_MODULE && !log_.events[i].ended;
    ck_assert_int_eq(modules, 5);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(loaders_optimizers_and_spans_have_events)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4, 1)), true);
    heed_dataset *data = heed_dataset_new(&x, 1);
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 2});
    heed_optimizer *o = sgd_of(&x, 1, &(heed_optim_sgd_options){.lr = 1});
    heed_tensor *batch;
    heed_span early = heed_span_begin("early");
    int64_t id = watch();
    heed_span_end(&early);
    heed_span outer = heed_span_begin("outer");
    ck_assert_int_eq(heed_loader_next(loader, &batch), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
    heed_span_end(&outer);
    heed_span_end(&outer);
    heed_remove_observer(id);
    ck_assert_int_gt(event_of(HEED_EVENT_SPAN, "loader_next", true, 0)->nested, 0);
    const logged_event *t = event_of(HEED_EVENT_SPAN, "outer", true, 0);
    ck_assert_int_ge(t->nested, event_of(HEED_EVENT_SPAN, "loader_next", true, 0)->time +
                                    event_of(HEED_EVENT_SPAN, "optimizer_step", true, 0)->time);
    ck_assert_str_eq(log_.events[0].name, "outer");
    ck_assert_str_eq(log_.events[log_.n - 1].name, "outer");
    heed_optimizer_free(o);
    heed_loader_free(loader);
    heed_dataset_free(data);
}
END_TEST

START_TEST(failures_have_events)
{
    int64_t id = watch();
    ck_assert_ptr_null(heed_add(heed_ones(HEED_F32, HEED_SHAPE(2)), heed_ones(HEED_F32, HEED_SHAPE(3))));
    heed_remove_observer(id);
    ck_assert_error(HEED_ERR_SHAPE, "add: shapes (2) and (3) do not broadcast");
    ck_assert(event_of(HEED_EVENT_FORWARD, "add", true, 0)->failed);
    ck_assert_int_eq(event_of(HEED_EVENT_FORWARD, "add", true, 0)->n_outputs, 0);
}
END_TEST

HEED_TEST_MAIN("observe", an_op_and_its_rule_have_events, ops_of_a_rule_are_nested, sums_of_gradients_have_events,
               modules_have_events, loaders_optimizers_and_spans_have_events, failures_have_events)
