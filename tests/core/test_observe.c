/* tests/core/test_observe.c - observers are told of ops, rules, modules, spans and shares, and cannot disturb them. */

#define HEED_SITES
#include "check_heed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MOST = 4096 };

typedef struct told {
    heed_event_kind kind;
    char name[32], module[64], site[64], recorded_at[64];
    bool ended, fused, failed;
    int depth, n_inputs, n_outputs, n_returned, n_input_grads, n_grads;
    heed_shape shape; /* of the first input, or of the first result where there is none */
    int64_t began, time, nested, multiply_adds;
} told;

static struct {
    told events[MOST];
    atomic_int n;
} log_;

static int count(heed_tensor *const *tensors, int n)
{
    int there = 0;
    for (int i = 0; tensors && i < n; i++)
        there += tensors[i] != NULL;
    return there;
}

static void note(const heed_event *event, bool ended)
{
    told *t = &log_.events[atomic_fetch_add(&log_.n, 1) % MOST];
    const int n_inputs = event->call ? event->call->n_inputs : 0;
    *t = (told){.kind = event->kind,
                .ended = ended,
                .fused = event->fused,
                .failed = event->failed,
                .depth = event->depth,
                .n_inputs = n_inputs,
                .n_outputs = event->n_outputs,
                .n_returned = event->n_returned,
                .n_grads = count(event->grads, event->n_outputs),
                .n_input_grads = count(event->input_grads, n_inputs),
                .began = event->began,
                .time = event->ended - event->began,
                .nested = event->nested,
                .multiply_adds = heed_event_multiply_adds(event)};
    snprintf(t->name, sizeof t->name, "%s", event->name);
    snprintf(t->site, sizeof t->site, "%s", event->site ? event->site : "");
    snprintf(t->recorded_at, sizeof t->recorded_at, "%s", event->recorded_at ? event->recorded_at : "");
    (void)heed_event_module(event, t->module, sizeof t->module);
    if (n_inputs > 0)
        t->shape = heed_call_shape(event->call, 0);
    else if (event->outputs)
        t->shape = heed_shape_of(event->outputs[0]);
}

static void note_began(const heed_event *event, void *user)
{
    (void)user;
    note(event, false);
}

static void note_ended(const heed_event *event, void *user)
{
    (void)user;
    note(event, true);
}

static int64_t watch(void)
{
    atomic_store(&log_.n, 0);
    int64_t id = heed_add_observer(&(heed_observer){.began = note_began, .ended = note_ended});
    ck_assert_int_gt(id, 0);
    return id;
}

/* The number-th event of that name and kind that ended, or began. */
static const told *event_of(heed_event_kind kind, const char *name, bool ended, int number)
{
    for (int i = 0; i < log_.n; i++) {
        const told *t = &log_.events[i];
        if (t->kind == kind && t->ended == ended && strcmp(t->name, name) == 0 && number-- == 0)
            return t;
    }
    ck_abort_msg("%s was not told of", name);
    return NULL;
}

static void check_line(const char *site, int line)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%s:%d", __FILE__, line);
    ck_assert_str_eq(site, expected);
}

/* -- What is told ------------------------------------------------------------------------------------------------- */

START_TEST(an_op_and_its_rule_are_told)
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
    const told *began = event_of(HEED_EVENT_FORWARD, "linear", false, 0);
    ck_assert_int_eq(began->n_outputs, 0);
    const told *t = event_of(HEED_EVENT_FORWARD, "linear", true, 0);
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

START_TEST(what_a_rule_is_made_of_is_nested)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(1, 2, 3)), true);
    heed_tensor *y = heed_bmm(a, heed_ones(HEED_F32, HEED_SHAPE(1, 3, 4)));
    int64_t id = watch();
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.grad_output = y}), HEED_OK);
    heed_remove_observer(id);
    const told *rule = event_of(HEED_EVENT_BACKWARD, "bmm", true, 0),
               *op = event_of(HEED_EVENT_FORWARD, "bmm", true, 0);
    ck_assert_int_eq(rule->depth, 0);
    ck_assert_int_eq(op->depth, 1);
    ck_assert_int_eq(rule->nested, op->time);
    ck_assert_int_eq(rule->multiply_adds, 0);
    ck_assert_int_eq(op->multiply_adds, 2 * 3 * 4);
}
END_TEST

START_TEST(modules_are_told)
{
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(3, 8, NULL), heed_nn_feed_forward_new(8, 4, NULL), heed_nn_dropout_new(0)));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    int64_t id = watch();
    heed_tensor *y = heed_module_forward(&net->base, x);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    heed_remove_observer(id);
    ck_assert_str_eq(event_of(HEED_EVENT_MODULE, "sequential", false, 0)->module, "sequential");
    const told *t = event_of(HEED_EVENT_MODULE, "sequential", true, 0);
    ck_assert(heed_shape_equal(t->shape, HEED_SHAPE(2, 8)));
    t = event_of(HEED_EVENT_MODULE, "linear", true, 0);
    ck_assert_str_eq(t->module, "sequential.0");
    ck_assert(t->n_outputs == 1 && !t->failed);
    t = event_of(HEED_EVENT_MODULE, "linear", true, 1); /* called by the layer around it, which knows */
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

START_TEST(loaders_optimizers_and_spans_are_told)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4, 1)), true);
    heed_dataset *data = heed_dataset_new(&x, 1);
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 2});
    heed_optimizer *o = heed_optim_sgd_tensors(&x, 1, &(heed_optim_sgd_options){.lr = 1});
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
    const told *t = event_of(HEED_EVENT_SPAN, "outer", true, 0);
    ck_assert_int_ge(t->nested, event_of(HEED_EVENT_SPAN, "loader_next", true, 0)->time +
                                    event_of(HEED_EVENT_SPAN, "optimizer_step", true, 0)->time);
    ck_assert_str_eq(log_.events[0].name, "outer");
    ck_assert_str_eq(log_.events[log_.n - 1].name, "outer");
    heed_optimizer_free(o);
    heed_loader_free(loader);
    heed_dataset_free(data);
}
END_TEST

START_TEST(what_fails_is_told)
{
    int64_t id = watch();
    ck_assert_ptr_null(heed_add(heed_ones(HEED_F32, HEED_SHAPE(2)), heed_ones(HEED_F32, HEED_SHAPE(3))));
    heed_remove_observer(id);
    ck_assert_error(HEED_ERR_SHAPE, "add: shapes (2) and (3) do not broadcast");
    ck_assert(event_of(HEED_EVENT_FORWARD, "add", true, 0)->failed);
    ck_assert_int_eq(event_of(HEED_EVENT_FORWARD, "add", true, 0)->n_outputs, 0);
}
END_TEST

/* -- What observers do ------------------------------------------------------------------------------------------------ */

static void compute(const heed_event *event, void *user)
{
    ++*(int *)user;
    heed_tensor *y = event->kind == HEED_EVENT_FORWARD && event->outputs ? heed_exp(event->outputs[0]) : NULL;
    ck_assert(!y || !heed_requires_grad(y));
    (void)heed_set_grad_enabled(true);
}

START_TEST(what_they_compute_is_not_told_nor_kept)
{
    int calls = 0;
    int64_t id = heed_add_observer(&(heed_observer){.ended = compute, .user = &calls});
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_scope *quiet = heed_no_grad_begin();
    heed_memory_stats before = heed_memory_get_stats();
    heed_tensor *y = heed_tanh(x);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert(!heed_requires_grad(y) && !heed_grad_enabled());
    ck_assert_int_eq(after.live_objects - before.live_objects, 1);
    ck_assert_int_eq(calls, 1);
    heed_scope_end(quiet);
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
}
END_TEST

static void refuse(const heed_event *event, void *user)
{
    if (strcmp(event->name, user) == 0)
        heed_fail(HEED_ERR_STATE, "observer", "no %s%s", event->name,
                  event->kind == HEED_EVENT_BACKWARD ? " back" : "");
}

START_TEST(their_errors_fail_the_op)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    for (int began = 0; began < 2; began++) {
        heed_observer observer = {.user = "tanh"};
        *(began ? &observer.began : &observer.ended) = refuse;
        heed_tensor *y = heed_tanh(x);
        int64_t id = heed_add_observer(&observer);
        ck_assert_ptr_null(heed_tanh(x));
        ck_assert_error(HEED_ERR_STATE, "observer: no tanh");
        ck_assert_ptr_nonnull(heed_exp(x));
        ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_ERR_STATE);
        ck_assert_error(HEED_ERR_STATE, "backward: observer: no tanh back");
        ck_assert(!heed_has_grad(x));
        heed_remove_observer(id);
    }
}
END_TEST

static void close_a_scope(const heed_event *event, void *user)
{
    (void)event;
    ck_assert_int_eq(heed_scope_end(user), HEED_ERR_STATE);
}

static void remove_itself(const heed_event *event, void *user)
{
    (void)event;
    ck_assert_int_eq(heed_remove_observer(*(int64_t *)user), HEED_ERR_STATE);
}

START_TEST(they_cannot_close_scopes_or_go)
{
    heed_scope *scope = heed_scope_begin();
    int64_t id = heed_add_observer(&(heed_observer){.ended = close_a_scope, .user = scope});
    ck_assert_ptr_null(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_STATE, "an observer");
    heed_remove_observer(id);
    heed_scope_end(scope);
    id = heed_add_observer(&(heed_observer){.ended = remove_itself, .user = &id});
    ck_assert_ptr_null(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_STATE, "remove_observer: called from an observer's function");
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
}
END_TEST

START_TEST(there_is_a_number_of_places)
{
    int64_t ids[HEED_MAX_OBSERVERS];
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        ids[i] = watch();
    ck_assert_int_eq(heed_add_observer(&(heed_observer){.ended = note_ended}), 0);
    ck_assert_error(HEED_ERR_STATE, "add_observer: there are 16 observers already");
    ck_assert_ptr_nonnull(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_int_eq(log_.n, 2 * HEED_MAX_OBSERVERS);
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        ck_assert_int_eq(heed_remove_observer(ids[i]), HEED_OK);
    ck_assert_int_eq(heed_remove_observer(ids[0]), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "remove_observer: there is no observer");
    ck_assert_int_eq(heed_add_observer(&(heed_observer){.user = ids}), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "add_observer: .began and .ended are NULL");
}
END_TEST

/* -- Threads -------------------------------------------------------------------------------------------------------------- */

static atomic_bool stop;

static void *apply_ops(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop)) {
        heed_scope *scope = heed_scope_begin();
        ck_assert_ptr_nonnull(heed_exp(heed_ones(HEED_F32, HEED_SHAPE(3))));
        heed_scope_end(scope);
    }
    return NULL;
}

static void count_in(const heed_event *event, void *user)
{
    (void)event;
    atomic_int *alive = user;
    ck_assert_int_eq(atomic_load(alive), 1);
}

START_TEST(they_come_and_go_while_threads_compute)
{
    pthread_t threads[3];
    atomic_store(&stop, false);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, apply_ops, NULL);
    for (int i = 0; i < 300; i++) {
        atomic_int *alive = malloc(sizeof *alive);
        atomic_init(alive, 1);
        int64_t id = heed_add_observer(&(heed_observer){.began = count_in, .ended = count_in, .user = alive});
        ck_assert_int_gt(id, 0);
        sched_yield();
        ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
        atomic_store(alive, 0);
        free(alive);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(shares_of_the_librarys_threads_are_told)
{
    const int threads = heed_num_threads();
    heed_set_num_threads(2);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1 << 22));
    int64_t id = watch();
    int shares = 0;
    for (int run = 0; run < 200 && shares == 0; run++) { /* no worker need come */
        heed_scope *scope = heed_scope_begin();
        atomic_store(&log_.n, 0);
        ck_assert_ptr_nonnull(heed_exp(x));
        for (int i = 0; i < log_.n; i++)
            shares += log_.events[i].kind == HEED_EVENT_SHARE && strcmp(log_.events[i].name, "exp") == 0;
        heed_scope_end(scope);
    }
    heed_remove_observer(id);
    heed_set_num_threads(threads);
    ck_assert_int_gt(shares, 0);
}
END_TEST

HEED_TEST_MAIN("observe", an_op_and_its_rule_are_told, what_a_rule_is_made_of_is_nested, modules_are_told,
               loaders_optimizers_and_spans_are_told, what_fails_is_told, what_they_compute_is_not_told_nor_kept,
               their_errors_fail_the_op, they_cannot_close_scopes_or_go, there_is_a_number_of_places,
               they_come_and_go_while_threads_compute, shares_of_the_librarys_threads_are_told)
