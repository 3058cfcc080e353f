/* tests/optim/test_optimizer_state.c - tests an optimizer's state: its contents, resuming with the same bits, and that
 * a state that does not fit changes nothing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"
#include "optimizer_of.h"

#define PARAMETERS 3

/* Two groups over three parameters, the last of which never gets a gradient; and a schedule. */
typedef struct training {
    heed_tensor *p[PARAMETERS];
    heed_optimizer *optimizer;
    heed_schedule *schedule;
} training;

typedef heed_optimizer *make_fn(heed_tensor **p);

static void begin(training *t, make_fn *make, heed_dtype dtype)
{
    for (int i = 0; i < PARAMETERS; i++)
        t->p[i] = heed_set_requires_grad(heed_to_dtype(heed_linspace(HEED_F64, -1, 1, 3 + i), dtype), true);
    t->optimizer = make(t->p);
    ck_assert_msg(t->optimizer != NULL, "%s", heed_error_message());
    t->schedule = heed_schedule_new_step(t->optimizer, 2, 0.5);
}

static void end(training *t)
{
    heed_schedule_free(t->schedule);
    heed_optimizer_free(t->optimizer);
}

static void step(training *t, int number)
{
    for (int i = 0; i < PARAMETERS - 1; i++)
        heed_set_grad(t->p[i], heed_sin(heed_add_scalar(heed_mul_scalar(heed_detach(t->p[i]), 3), number)));
    ck_assert_int_eq(heed_optimizer_step(t->optimizer), HEED_OK);
    ck_assert_int_eq(heed_schedule_step(t->schedule), HEED_OK);
}

static heed_optimizer *sgd(heed_tensor **p)
{
    heed_optim_sgd_options o = {.lr = 0.1, .momentum = 0.9, .dampening = 0.25};
    heed_optimizer *optimizer = sgd_of(p, 1, &o);
    ck_assert_int_eq(sgd_add(optimizer, p + 1, 2, &(heed_optim_sgd_options){.lr = 0.3, .momentum = 0.5}), HEED_OK);
    return optimizer;
}

static heed_optimizer *plain_sgd(heed_tensor **p)
{
    return sgd_of(p, PARAMETERS, &(heed_optim_sgd_options){.lr = 0.1});
}

static heed_optimizer *adam(heed_tensor **p)
{
    heed_optimizer *optimizer = adam_of(p, 1, &(heed_optim_adam_options){.lr = 0.1, .amsgrad = true});
    ck_assert_int_eq(adam_add(optimizer, p + 1, 2, NULL), HEED_OK);
    return optimizer;
}

static heed_optimizer *adamw(heed_tensor **p)
{
    return adamw_of(p, PARAMETERS, &(heed_optim_adam_options){.lr = 0.1, .weight_decay = 0.1});
}

/* The groups have different optional buffers: momentum_buffer in the first, grad_avg in the second. */
static heed_optimizer *rmsprop(heed_tensor **p)
{
    heed_optimizer *optimizer = rmsprop_of(p, 1, &(heed_optim_rmsprop_options){.momentum = 0.5});
    ck_assert_int_eq(rmsprop_add(optimizer, p + 1, 2, &(heed_optim_rmsprop_options){.centered = true}), HEED_OK);
    return optimizer;
}

static heed_optimizer *adagrad(heed_tensor **p)
{
    return adagrad_of(p, PARAMETERS, &(heed_optim_adagrad_options){.lr_decay = 0.5, .initial_accumulator_value = 0.25});
}

static heed_optimizer *lion(heed_tensor **p)
{
    return lion_of(p, PARAMETERS, NULL);
}

/* Makes a Muon optimizer. Unlike in begin(), the parameters are matrices. */
static heed_optimizer *muon(heed_tensor **p)
{
    for (int i = 0; i < PARAMETERS; i++)
        p[i] = heed_set_requires_grad(heed_reshape(heed_detach(p[i]), HEED_SHAPE(1, -1)), true);
    return muon_of(p, PARAMETERS, NULL);
}

static void check_same(const training *a, const training *b)
{
    for (int i = 0; i < PARAMETERS; i++)
        ck_assert_mem_eq(heed_data_bytes(a->p[i]), heed_data_bytes(b->p[i]),
                         (size_t)heed_numel(a->p[i]) * heed_dtype_size(heed_dtype_of(a->p[i])));
    ck_assert_int_eq(heed_schedule_steps(a->schedule), heed_schedule_steps(b->schedule));
    for (int i = 0; i < heed_optimizer_groups(a->optimizer); i++)
        ck_assert_double_eq(heed_optimizer_lr(a->optimizer, i), heed_optimizer_lr(b->optimizer, i));
}

/* -- Resuming ----------------------------------------------------------------------------------------------------- */

/* Makes 4 steps, copies parameters and states to a second training, which has made 2 different steps, and continues
 * both. */
static void check_resumed(make_fn *make, heed_dtype dtype, int before)
{
    training a, b;
    begin(&a, make, dtype);
    begin(&b, make, dtype);
    for (int i = 0; i < before; i++)
        step(&a, i);
    heed_optimizer_set_lr(a.optimizer, 0, 0.07); /* takes effect at once, and the schedule continues from it */
    for (int i = 0; i < 2; i++)
        step(&b, 50 + i);
    heed_dict *state = heed_optimizer_state(a.optimizer);
    ck_assert_msg(heed_optimizer_load_state(b.optimizer, state, NULL) == HEED_OK, "%s", heed_error_message());
    heed_dict_free(state);
    heed_scope *scope = heed_no_grad_begin();
    for (int i = 0; i < PARAMETERS; i++)
        heed_copy_(b.p[i], a.p[i]);
    heed_scope_end(scope);
    check_same(&a, &b);
    for (int i = 0; i < 5; i++) {
        step(&a, 9 * i);
        step(&b, 9 * i);
        check_same(&a, &b);
    }
    end(&a);
    end(&b);
}

START_TEST(resumes_with_the_same_bits)
{
    make_fn *const all[] = {sgd, plain_sgd, adam, adamw, rmsprop, adagrad, lion, muon};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int before = 0; before <= 4; before += 2) {
            check_resumed(all[i], HEED_F64, before);
            check_resumed(all[i], HEED_F32, before);
        }
}
END_TEST

START_TEST(contents_of_the_state)
{
    training t;
    begin(&t, adam, HEED_F32);
    step(&t, 0);
    step(&t, 1);
    step(&t, 2);
    heed_dict *state = heed_optimizer_state(t.optimizer);
    static const char *const names[] = {"lr",           "initial_lr",       "schedule", "0.step",    "0.exp_avg",
                                        "0.exp_avg_sq", "0.max_exp_avg_sq", "1.step",   "1.exp_avg", "1.exp_avg_sq"};
    ck_assert_int_eq(heed_dict_size(state), 10);
    for (int i = 0; i < 10; i++)
        ck_assert_str_eq(heed_dict_name(state, i), names[i]);
    ck_assert_str_eq(heed_dict_text(state, "kind"), "adam");
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "1.step")), 3);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "schedule")), 3);
    ck_assert_double_eq(heed_get(heed_dict_get(state, "lr"), HEED_INDEX(0)), 0.05);
    ck_assert_double_eq(heed_get(heed_dict_get(state, "initial_lr"), HEED_INDEX(0)), 0.1);
    ck_assert_double_eq(heed_get(heed_dict_get(state, "initial_lr"), HEED_INDEX(1)), 1e-3);
    ck_assert(heed_shape_equal(heed_shape_of(heed_dict_get(state, "1.exp_avg")), HEED_SHAPE(4)));
    double mean = heed_get(heed_dict_get(state, "0.exp_avg"), HEED_INDEX(1));
    step(&t, 3); /* the optimizer has copies of the buffers */
    ck_assert(heed_get(heed_dict_get(state, "0.exp_avg"), HEED_INDEX(1)) != mean);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "1.step")), 3);
    heed_dict_free(state);
    end(&t);
}
END_TEST

static void check_names(make_fn *make, const char *kind, const char *const *names, int n)
{
    training t;
    begin(&t, make, HEED_F32);
    step(&t, 0);
    heed_dict *state = heed_optimizer_state(t.optimizer);
    ck_assert_str_eq(heed_dict_text(state, "kind"), kind);
    ck_assert_int_eq(heed_dict_size(state), 3 + n);
    for (int i = 0; i < n; i++)
        ck_assert_str_eq(heed_dict_name(state, 3 + i), names[i]);
    heed_dict_free(state);
    end(&t);
}

START_TEST(contents_of_other_kinds)
{
    check_names(rmsprop, "rmsprop",
                (const char *[]){"0.step", "0.square_avg", "0.momentum_buffer", "1.step", "1.square_avg", "1.grad_avg"},
                6);
    check_names(adagrad, "adagrad", (const char *[]){"0.step", "0.sum", "1.step", "1.sum"}, 4);
    check_names(muon, "muon", (const char *[]){"0.step", "0.momentum_buffer", "1.step", "1.momentum_buffer"}, 4);
    check_names(lion, "lion", (const char *[]){"0.step", "0.exp_avg", "1.step", "1.exp_avg"}, 4);
}
END_TEST

/* -- States that do not fit --------------------------------------------------------------------------------------- */

static void check_refused(training *t, const heed_dict *state, const char *prefix, const char *text)
{
    heed_dict *before = heed_optimizer_state(t->optimizer);
    ck_assert_int_eq(heed_optimizer_load_state(t->optimizer, state, &(heed_dict_load_options){.prefix = prefix}),
                     HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
    heed_dict *after = heed_optimizer_state(t->optimizer);
    ck_assert_int_eq(heed_dict_size(before), heed_dict_size(after));
    for (int64_t i = 0; i < heed_dict_size(before); i++)
        if (strstr(heed_dict_name(before, i), "exp_avg"))
            ck_assert_ptr_eq(heed_dict_at(before, i), heed_dict_at(after, i));
        else
            ck_assert_double_eq(heed_get(heed_reshape(heed_dict_at(before, i), HEED_SHAPE(-1)), HEED_INDEX(0)),
                                heed_get(heed_reshape(heed_dict_at(after, i), HEED_SHAPE(-1)), HEED_INDEX(0)));
    heed_dict_free(before);
    heed_dict_free(after);
}

START_TEST(state_of_a_different_kind)
{
    training a, b;
    begin(&a, adam, HEED_F64);
    begin(&b, adamw, HEED_F64);
    step(&a, 0);
    heed_dict *state = heed_optimizer_state(b.optimizer), *none = heed_dict_new();
    check_refused(&a, state, NULL, "optimizer_load_state: kind is adamw: must be adam");
    check_refused(&a, none, NULL, "kind is missing: must be adam");
    check_refused(&a, state, "optimizer.", "kind is missing");
    heed_dict_set_text(state, "kind", "adam");
    check_refused(&a, state, NULL, "lr is f64 (1): must be f64 (2)");
    heed_dict_free(state);
    heed_dict_free(none);
    end(&a);
    end(&b);
}
END_TEST

START_TEST(other_parameters)
{
    training a, b;
    begin(&a, adam, HEED_F64);
    begin(&b, adam, HEED_F64);
    step(&a, 0);
    step(&b, 0);
    step(&b, 1);
    heed_dict *state = heed_optimizer_state(b.optimizer);
    heed_dict_set(state, "2.exp_avg", heed_zeros(HEED_F64, HEED_SHAPE(5)));
    check_refused(&a, state, NULL, "optimizer_load_state: dict_load: 1 unexpected: 2.exp_avg");
    heed_dict_set(state, "2.step", heed_ones(HEED_I64, HEED_SCALAR));
    check_refused(&a, state, NULL, "1 missing: 2.exp_avg_sq");
    heed_dict_set(state, "2.exp_avg_sq", heed_zeros(HEED_F32, HEED_SHAPE(5)));
    check_refused(&a, state, NULL, "2.exp_avg_sq is f32 (5): must be f64 (5)");
    heed_dict_set(state, "2.exp_avg_sq", heed_zeros(HEED_F64, HEED_SHAPE(5)));
    heed_dict_set(state, "7.step", heed_ones(HEED_I64, HEED_SCALAR));
    check_refused(&a, state, NULL, "1 unexpected: 7.step");
    heed_dict_free(state);
    heed_schedule_free(b.schedule);
    b.schedule = NULL;
    state = heed_optimizer_state(b.optimizer);
    check_refused(&a, state, NULL, "1 missing: schedule");
    heed_dict_free(state);
    end(&a);
    end(&b);
}
END_TEST

static void check_skipped(const heed_dict *skipped, const char *name, const char *reason)
{
    const char *text = heed_dict_text(skipped, name);
    ck_assert_msg(text && strcmp(text, reason) == 0, "%s: %s", name, text ? text : "not skipped");
}

/* Parameter 0 has a different shape, parameter 1 fits, and the saved rates belong to one group. */
START_TEST(lenient_loads)
{
    training a, b;
    begin(&a, adam, HEED_F64);
    begin(&b, adam, HEED_F64);
    for (int i = 0; i < 3; i++)
        step(&a, i);
    step(&b, 0);
    heed_dict *state = heed_optimizer_state(a.optimizer), *skipped = heed_dict_new();
    heed_dict_set(state, "0.exp_avg", heed_zeros(HEED_F64, HEED_SHAPE(9)));
    heed_dict_set(state, "lr", heed_zeros(HEED_F64, HEED_SHAPE(1)));
    heed_dict_set(state, "5.step", heed_ones(HEED_I64, HEED_SCALAR));
    heed_dict_load_options o = {.allow_unexpected = true, .skipped = skipped};
    check_refused(&b, state, NULL, "optimizer_load_state: dict_load: 1 unexpected: 5.step; 2 with a different");
    ck_assert_int_eq(heed_optimizer_load_state(b.optimizer, state, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "0.exp_avg is f64 (9): must be f64 (3) (.allow_unlike leaves");
    o.allow_unlike = o.check_only = true;
    ck_assert_int_eq(heed_optimizer_load_state(b.optimizer, state, &o), HEED_OK);
    heed_dict *now = heed_optimizer_state(b.optimizer);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(now, "1.step")), 1);
    heed_dict_free(now);
    o.check_only = false;
    ck_assert_int_eq(heed_optimizer_load_state(b.optimizer, state, &o), HEED_OK);
    check_skipped(skipped, "0.exp_avg", "is f64 (9): must be f64 (3)");
    check_skipped(skipped, "0.step", "incomplete without the other skipped entries");
    check_skipped(skipped, "0.exp_avg_sq", "incomplete without the other skipped entries");
    check_skipped(skipped, "lr", "is f64 (1): must be f64 (2)");
    check_skipped(skipped, "initial_lr", "incomplete without the other skipped entries");
    check_skipped(skipped, "5.step", "unexpected");
    ck_assert_int_eq(heed_dict_text_count(skipped), 7); /* and 0.max_exp_avg_sq */
    now = heed_optimizer_state(b.optimizer);
    ck_assert(!heed_dict_has(now, "0.step"));
    ck_assert_int_eq(heed_item_i64(heed_dict_get(now, "1.step")), 3);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(now, "schedule")), 3);
    ck_assert_double_eq(heed_get(heed_dict_get(now, "1.exp_avg"), HEED_INDEX(2)),
                        heed_get(heed_dict_get(state, "1.exp_avg"), HEED_INDEX(2)));
    ck_assert_double_eq(heed_optimizer_lr(b.optimizer, 0), 0.1); /* after one step of the schedule */
    step(&b, 3);
    heed_dict_free(now);
    heed_dict_free(skipped);
    heed_dict_free(state);
    end(&a);
    end(&b);
}
END_TEST

/* The t of the schedule and one buffer are missing: the schedule keeps its t, the parameter loses all its state. */
START_TEST(lenient_loads_of_missing_entries)
{
    training a, b;
    begin(&a, adam, HEED_F64);
    begin(&b, adam, HEED_F64);
    step(&a, 0);
    step(&b, 0);
    step(&b, 1);
    heed_dict *whole = heed_optimizer_state(a.optimizer), *state = heed_dict_new(), *skipped = heed_dict_new();
    heed_dict_set_text(state, "kind", "adam");
    for (int64_t i = 0; i < heed_dict_size(whole); i++)
        if (strcmp(heed_dict_name(whole, i), "schedule") != 0 && strcmp(heed_dict_name(whole, i), "1.exp_avg_sq") != 0)
            heed_dict_set(state, heed_dict_name(whole, i), heed_dict_at(whole, i));
    check_refused(&b, state, NULL, "2 missing: schedule 1.exp_avg_sq (.allow_missing leaves them as they are)");
    heed_dict_load_options o = {.allow_missing = true, .skipped = skipped};
    ck_assert_int_eq(heed_optimizer_load_state(b.optimizer, state, &o), HEED_OK);
    check_skipped(skipped, "schedule", "missing");
    check_skipped(skipped, "1.exp_avg_sq", "missing");
    check_skipped(skipped, "1.exp_avg", "incomplete without the other skipped entries");
    ck_assert_int_eq(heed_schedule_steps(b.schedule), 2);
    heed_dict *now = heed_optimizer_state(b.optimizer);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(now, "0.step")), 1);
    ck_assert(!heed_dict_has(now, "1.step"));
    /* invalid numbers are still refused */
    heed_dict_set(state, "0.step", heed_full(HEED_I64, HEED_SCALAR, -4));
    ck_assert_int_eq(heed_optimizer_load_state(b.optimizer, state, &o), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "0.step is -4: must be 1 to");
    heed_dict_free(now);
    heed_dict_free(skipped);
    heed_dict_free(state);
    heed_dict_free(whole);
    end(&a);
    end(&b);
}
END_TEST

START_TEST(impossible_numbers)
{
    training t;
    begin(&t, adam, HEED_F64);
    step(&t, 0);
    static const double bad[] = {-0.5, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 6; i++) {
        heed_dict *state = heed_optimizer_state(t.optimizer);
        heed_dict_set(state, i < 3 ? "lr" : "initial_lr", HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, bad[i % 3]));
        check_refused(&t, state, NULL, i < 3 ? "optimizer_load_state: lr is" : "optimizer_load_state: initial_lr is");
        heed_dict_free(state);
    }
    heed_dict *state = heed_optimizer_state(t.optimizer);
    heed_dict_set(state, "schedule", heed_full(HEED_I64, HEED_SCALAR, -1));
    check_refused(&t, state, NULL, "schedule is -1: must be 0 to 9223372036854775807");
    heed_dict_set(state, "1.step", heed_zeros(HEED_I64, HEED_SCALAR));
    check_refused(&t, state, NULL, "1.step is 0: must be 1 to");
    heed_dict_set(state, "1.step", heed_from_array(HEED_I64, HEED_SCALAR, (int64_t[]){INT64_MAX}, 1));
    check_refused(&t, state, NULL, "1.step is 9223372036854775807: must be 1 to 9223372036854775806");
    heed_dict_free(state);
    end(&t);
}
END_TEST

/* The step count reaches its maximum; its state can be loaded, and the next step changes nothing. */
START_TEST(maximum_of_steps)
{
    training t;
    begin(&t, adam, HEED_F64);
    step(&t, 0);
    heed_dict *state = heed_optimizer_state(t.optimizer);
    heed_dict_set(state, "1.step", heed_from_array(HEED_I64, HEED_SCALAR, (int64_t[]){INT64_MAX - 2}, 1));
    ck_assert_int_eq(heed_optimizer_load_state(t.optimizer, state, NULL), HEED_OK);
    heed_dict_free(state);
    step(&t, 1);
    state = heed_optimizer_state(t.optimizer);
    ck_assert(heed_item_i64(heed_dict_get(state, "1.step")) == INT64_MAX - 1);
    ck_assert_int_eq(heed_optimizer_load_state(t.optimizer, state, NULL), HEED_OK);
    double before = heed_get(t.p[0], HEED_INDEX(0));
    ck_assert_int_eq(heed_optimizer_step(t.optimizer), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE,
                    "optimizer_step: the maximum of 9223372036854775806 updates per parameter is reached");
    ck_assert_double_eq(heed_get(t.p[0], HEED_INDEX(0)), before);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "0.step")), 2);
    heed_dict_free(state);
    end(&t);
}
END_TEST

START_TEST(null)
{
    training t;
    begin(&t, sgd, HEED_F32);
    heed_dict *state = heed_optimizer_state(t.optimizer);
    ck_assert_ptr_null(heed_optimizer_state(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_state: the optimizer is NULL");
    ck_assert_int_eq(heed_optimizer_load_state(NULL, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_load_state: the optimizer is NULL");
    ck_assert_int_eq(heed_optimizer_load_state(t.optimizer, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_load_state: the state is NULL");
    heed_dict_free(state);
    end(&t);
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------- */

static heed_dict *saved; /* a state of Adam with one parameter (2), after 7 steps */

static bool load(double *value)
{
    heed_tensor *p = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_optimizer *o = p ? adam_of(&p, 1, NULL) : NULL;
    heed_dict *skipped = o ? heed_dict_new() : NULL;
    bool done = skipped && heed_optimizer_load_state(o, saved,
                                                     &(heed_dict_load_options){.prefix = "optimizer.",
                                                                               .allow_missing = true,
                                                                               .skipped = skipped}) == HEED_OK;
    heed_dict_free(skipped);
    heed_dict *state = o ? heed_optimizer_state(o) : NULL;
    if (state) /* loaded completely or not at all */
        ck_assert_int_eq(heed_dict_size(state), done ? 5 : 2);
    *value = state && done ? heed_get(heed_dict_get(state, "0.exp_avg"), HEED_INDEX(1)) : 0.0;
    done = done && state;
    heed_dict_free(state);
    heed_optimizer_free(o);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    saved = heed_dict_new();
    heed_dict_set(saved, "optimizer.lr", heed_full(HEED_F64, HEED_SHAPE(1), 0.5));
    heed_dict_set(saved, "optimizer.initial_lr", heed_full(HEED_F64, HEED_SHAPE(1), 0.25));
    heed_dict_set(saved, "optimizer.0.step", heed_full(HEED_I64, HEED_SCALAR, 7));
    heed_dict_set(saved, "optimizer.0.exp_avg", heed_full(HEED_F64, HEED_SHAPE(2), 3));
    heed_dict_set(saved, "optimizer.0.exp_avg_sq", heed_full(HEED_F64, HEED_SHAPE(2), 4));
    heed_dict_set(saved, "other", heed_full(HEED_F64, HEED_SHAPE(2), 4));
    heed_dict_set_text(saved, "optimizer.kind", "adam");
    heed_thread_cleanup();
    fail_alloc_sweep(load);
    heed_dict_free(saved);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("optimizer_state", resumes_with_the_same_bits, contents_of_the_state, contents_of_other_kinds,
               state_of_a_different_kind, other_parameters, lenient_loads, lenient_loads_of_missing_entries,
               impossible_numbers, maximum_of_steps, null, out_of_memory)
