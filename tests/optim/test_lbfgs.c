/* tests/optim/test_lbfgs.c - tests that L-BFGS takes PyTorch's steps (tests/reference/lbfgs_reference.py), and makes no
 * change if a step fails.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "optimizer_of.h"
#include "reference/lbfgs_reference.h"
#include "states.h"

/* A loss of p (2) and q (3), which may fail at a chosen evaluation. */
typedef struct problem {
    enum lbfgs_problem which;
    heed_tensor *p, *q;
    int evaluations, fails_at;
    heed_tensor *(*failure)(void);
} problem;

static problem start(enum lbfgs_problem which, heed_dtype dtype)
{
    return (problem){.which = which,
                     .p = heed_set_requires_grad(heed_from_values(dtype, HEED_SHAPE(2), lbfgs_p, 2), true),
                     .q = heed_set_requires_grad(heed_from_values(dtype, HEED_SHAPE(3), lbfgs_q, 3), true)};
}

static heed_tensor *rosenbrock(heed_tensor *p)
{
    heed_tensor *x = heed_slice(p, 0, 0, 1, 1), *y = heed_slice(p, 0, 1, 2, 1);
    return heed_sum(heed_add(heed_mul_scalar(heed_square(heed_sub(y, heed_square(x))), 100),
                             heed_square(heed_add_scalar(heed_mul_scalar(x, -1), 1))));
}

static heed_tensor *quadratic(heed_tensor *p, heed_tensor *q)
{
    heed_tensor *weights = heed_to_dtype(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 30, 900), heed_dtype_of(q));
    return heed_add(heed_sum(heed_mul(weights, heed_square(heed_add_scalar(q, -0.5)))), heed_sum(heed_square(p)));
}

static heed_tensor *logistic(heed_tensor *p, heed_tensor *q)
{
    heed_tensor *losses = heed_log(heed_add_scalar(heed_exp(heed_mul_scalar(q, -4)), 1));
    return heed_add(heed_add(heed_sum(losses), heed_mul_scalar(heed_sum(heed_square(q)), 0.05)),
                    heed_sum(heed_square(heed_square(heed_add_scalar(p, -1)))));
}

static heed_tensor *bumpy(heed_tensor *p, heed_tensor *q)
{
    heed_tensor *waves = heed_sin(heed_mul_scalar(p, 6)), *far = heed_mul_scalar(heed_add_scalar(q, -1), 20);
    return heed_add(heed_sum(heed_add(waves, heed_square(p))),
                    heed_sum(heed_log(heed_add_scalar(heed_square(far), 1))));
}

static heed_tensor *loss_of(void *user)
{
    problem *of = user;
    if (++of->evaluations == of->fails_at)
        return of->failure();
    return of->which == ROSENBROCK  ? rosenbrock(of->p)
           : of->which == QUADRATIC ? quadratic(of->p, of->q)
           : of->which == LOGISTIC  ? logistic(of->p, of->q)
                                    : bumpy(of->p, of->q);
}

static heed_optimizer *make(const problem *of, const heed_optim_lbfgs_options *options)
{
    heed_optimizer *o = lbfgs_of(HEED_TENSORS(of->p, of->q), options);
    ck_assert_msg(o != NULL, "%s", heed_error_message());
    return o;
}

static double parameter(const problem *of, int i)
{
    return i < 2 ? heed_get(of->p, HEED_INDEX(i)) : heed_get(of->q, HEED_INDEX(i - 2));
}

static double step(heed_optimizer *o, problem *of)
{
    double loss = -1.0;
    ck_assert_msg(heed_optimizer_step_closure(o, loss_of, of, &loss) == HEED_OK, "%s", heed_error_message());
    return loss;
}

static int64_t count(const heed_optimizer *o, const char *name)
{
    heed_dict *state = heed_optimizer_state(o);
    int64_t n = heed_item_i64(heed_dict_get(state, name));
    heed_dict_free(state);
    return n;
}

/* -- Iterates ------------------------------------------------------------------------------------------------------ */

START_TEST(follows_pytorch)
{
    for (size_t i = 0; i < sizeof lbfgs_cases / sizeof lbfgs_cases[0]; i++) {
        const struct lbfgs_case *expected = &lbfgs_cases[i];
        const double rounding = 1e-9 * fmax(1.0, expected->options.lr); /* grows with the size of the tried steps */
        problem of = start(expected->problem, HEED_F64);
        heed_optimizer *o = make(&of, &expected->options);
        for (int t = 0; t < LBFGS_STEPS; t++) {
            const double loss = step(o, &of);
            ck_assert_near(loss, expected->steps[t].loss, rounding * (1e-3 + fabs(loss)));
            for (int k = 0; k < 5; k++)
                ck_assert_near(parameter(&of, k), expected->steps[t].at[k], rounding);
            ck_assert_int_eq(count(o, "0.func_evals"), expected->steps[t].func_evals);
            ck_assert_int_eq(count(o, "0.n_iter"), expected->steps[t].n_iter);
            ck_assert_int_eq(of.evaluations, expected->steps[t].func_evals);
        }
        heed_optimizer_free(o);
    }
}
END_TEST

/* Parameters of both dtypes; the computation is in f64. */
START_TEST(single_precision)
{
    problem of = start(QUADRATIC, HEED_F32);
    heed_tensor *twice = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    heed_optimizer *o = lbfgs_of(HEED_TENSORS(of.p, of.q, twice), NULL);
    step(o, &of);
    for (int k = 0; k < 5; k++)
        ck_assert_near(parameter(&of, k), k < 2 ? 0.0 : 0.5, 1e-5);
    ck_assert_double_eq(heed_item(twice), 1.0);
    heed_optimizer_free(o);
}
END_TEST

/* A net given as a module, while the caller does not record; the rate comes from the schedule. */
START_TEST(a_module)
{
    heed_manual_seed(1);
    problem of = start(LOGISTIC, HEED_F64);
    heed_module *m = heed_module_new("m", sizeof *m);
    heed_module_parameter(m, "p", of.p);
    heed_module_parameter(m, "q", of.q);
    heed_optimizer *o = heed_optim_lbfgs(m, NULL);
    heed_schedule *s = heed_schedule_new_step(o, 1, 0.5);
    heed_scope *scope = heed_no_grad_begin();
    const double first = step(o, &of);
    heed_schedule_step(s);
    ck_assert(step(o, &of) < 0.9 * first);
    ck_assert(!heed_grad_enabled());
    heed_scope_end(scope);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.5);
    heed_schedule_free(s);
    heed_optimizer_free(o);
    heed_module_free(m);
}
END_TEST

/* -- State --------------------------------------------------------------------------------------------------------- */

/* A state saved after any step and loaded into a different, already used optimizer continues with the same bits. */
START_TEST(resumes_from_its_state)
{
    static const heed_optim_lbfgs_options options = {.max_iter = 3, .history_size = 4};
    for (int saved = 0; saved <= 3; saved++) {
        problem of_a = start(ROSENBROCK, HEED_F64), of_b = start(LOGISTIC, HEED_F64);
        heed_optimizer *a = make(&of_a, &options), *b = make(&of_b, &options);
        for (int t = 0; t < saved; t++)
            step(a, &of_a);
        step(b, &of_b);
        of_b.which = ROSENBROCK;
        heed_dict *state = heed_optimizer_state(a);
        ck_assert_str_eq(heed_dict_text(state, "kind"), "lbfgs");
        ck_assert_int_eq(heed_dict_size(state), saved == 0 ? 2 : 7 + 2 * (saved == 1 ? 0 : saved == 2 ? 2 : 4));
        ck_assert_msg(heed_optimizer_load_state(b, state, NULL) == HEED_OK, "%s", heed_error_message());
        heed_dict_free(state);
        heed_scope *scope = heed_no_grad_begin();
        heed_copy_(of_b.p, of_a.p);
        heed_copy_(of_b.q, of_a.q);
        heed_scope_end(scope);
        for (int t = 0; t < 4; t++) {
            ck_assert_double_eq(step(a, &of_a), step(b, &of_b));
            for (int k = 0; k < 5; k++)
                ck_assert_double_eq(parameter(&of_a, k), parameter(&of_b, k));
        }
        heed_optimizer_free(a);
        heed_optimizer_free(b);
    }
}
END_TEST

START_TEST(states_that_do_not_match)
{
    problem of = start(ROSENBROCK, HEED_F64);
    heed_optimizer *o = make(&of, &(heed_optim_lbfgs_options){.max_iter = 4, .history_size = 2});
    step(o, &of);
    step(o, &of);
    heed_dict *state = heed_optimizer_state(o);
    check_refused(o, state, "0.n_iter", heed_zeros(HEED_I64, HEED_SCALAR),
                  "0.n_iter 0, with 0.d: these are inconsistent");
    check_refused(o, state, "0.func_evals", heed_full(HEED_I64, HEED_SCALAR, -3), "0.func_evals is -3");
    check_refused(o, state, "0.t", heed_full(HEED_F64, HEED_SCALAR, (double)NAN), "0.t is nan: must be finite");
    check_refused(o, state, "0.d", heed_zeros(HEED_F64, HEED_SHAPE(4)), "0.d is f64 (4): must be f64 (5)");
    heed_dict_set(state, "0.old_dirs.2", heed_zeros(HEED_F64, HEED_SHAPE(5))); /* its history has two entries */
    ck_assert_int_eq(heed_optimizer_load_state(o, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1 unexpected: 0.old_dirs.2");
    heed_dict_free(state);
    const double after = parameter(&of, 0);
    step(o, &of);
    ck_assert(parameter(&of, 0) != after);
    heed_optimizer_free(o);
}
END_TEST

/* The entries of L-BFGS depend on one another: it uses all of them or starts anew. */
START_TEST(lenient_loads_use_all_or_nothing)
{
    static const char *const wrong[] = {"0.d", "0.old_dirs.2", "0.prev_flat_grad"};
    for (int i = 0; i < 3; i++) {
        problem of = start(ROSENBROCK, HEED_F64);
        heed_optimizer *o = make(&of, &(heed_optim_lbfgs_options){.max_iter = 4, .history_size = 2});
        step(o, &of);
        step(o, &of);
        heed_dict *state = heed_optimizer_state(o), *skipped = heed_dict_new();
        heed_dict_set(state, wrong[i], heed_zeros(HEED_F64, HEED_SHAPE(4)));
        heed_dict_load_options lenient = {
            .allow_missing = true, .allow_unexpected = true, .allow_unlike = true, .skipped = skipped};
        ck_assert_int_eq(heed_optimizer_load_state(o, state, &lenient), HEED_OK);
        ck_assert_ptr_nonnull(heed_dict_text(skipped, wrong[i]));
        ck_assert_ptr_nonnull(heed_dict_text(skipped, "0.func_evals"));
        heed_dict_free(state);
        heed_dict_free(skipped);
        state = heed_optimizer_state(o);
        ck_assert_int_eq(heed_dict_size(state), 2); /* the rates */
        heed_dict_free(state);
        step(o, &of);
        heed_optimizer_free(o);
    }
}
END_TEST

/* -- Failures ------------------------------------------------------------------------------------------------------ */

static heed_tensor *find_no_data(void)
{
    return heed_fail_null(HEED_ERR_IO, "my_loss", "no data");
}

static heed_tensor *return_null(void)
{
    return NULL;
}

static heed_tensor *return_leaf(void)
{
    return heed_ones(HEED_F64, HEED_SCALAR);
}

/* Fails at every evaluation in turn: parameters and state are unchanged, and the next step continues as if the failure
 * had not happened. */
static void check_failure(heed_tensor *(*failure)(void), heed_status code, const char *text)
{
    static const heed_optim_lbfgs_options options = {.max_iter = 6};
    problem whole = start(ROSENBROCK, HEED_F64);
    heed_optimizer *o = make(&whole, &options);
    step(o, &whole);
    const int first = whole.evaluations;
    step(o, &whole);
    const int both = whole.evaluations;
    ck_assert_int_gt(both - first, 5);
    heed_optimizer_free(o);
    for (int at = 1; at <= both; at++) {
        problem of = start(ROSENBROCK, HEED_F64);
        o = make(&of, &options);
        if (at > first)
            step(o, &of);
        of.fails_at = at;
        of.failure = failure;
        const double before[] = {parameter(&of, 0), parameter(&of, 1)};
        double loss = 7.0;
        ck_assert_int_eq(heed_optimizer_step_closure(o, loss_of, &of, &loss), code);
        ck_assert_error(code, text);
        ck_assert_double_eq(loss, 7.0);
        ck_assert(parameter(&of, 0) == before[0] && parameter(&of, 1) == before[1]);
        if (at <= first)
            step(o, &of);
        step(o, &of);
        for (int k = 0; k < 5; k++)
            ck_assert_double_eq(parameter(&of, k), parameter(&whole, k));
        heed_optimizer_free(o);
    }
}

START_TEST(a_failing_closure)
{
    check_failure(find_no_data, HEED_ERR_IO, "optimizer_step_closure: my_loss: no data");
    check_failure(return_null, HEED_ERR_STATE, "optimizer_step_closure: the closure returned NULL without an error");
    check_failure(return_leaf, HEED_ERR_STATE, "optimizer_step_closure: backward: ");
}
END_TEST

/* log(x): finite at the start, NaN below 0. */
static heed_tensor *falls_off(void *user)
{
    return heed_sum(heed_log(user));
}

START_TEST(losses_that_are_not_finite)
{
    problem of = start(ROSENBROCK, HEED_F64);
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(of.p, 1e200);
    heed_scope_end(scope);
    heed_optimizer *o = make(&of, NULL);
    ck_assert_int_eq(heed_optimizer_step_closure(o, loss_of, &of, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "optimizer_step_closure: the loss is inf");
    ck_assert_double_eq(parameter(&of, 0), 1e200);
    heed_optimizer_free(o);
    heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(1), 0.5), true);
    o = lbfgs_of(&x, 1, &(heed_optim_lbfgs_options){.no_line_search = true, .lr = 4});
    ck_assert_int_eq(heed_optimizer_step_closure(o, falls_off, x, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "optimizer_step_closure: the loss is nan after a step of 2 along the direction");
    ck_assert_double_eq(heed_item(x), 0.5);
    heed_optimizer_free(o);
}
END_TEST

/* Calls that a closure must not make. */
static heed_tensor *closes_the_scope(void *user)
{
    heed_scope_end(user);
    return NULL;
}

START_TEST(misuse)
{
    problem of = start(ROSENBROCK, HEED_F64);
    heed_optimizer *o = make(&of, NULL);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE,
                    "optimizer_step: heed_optim_lbfgs evaluates the loss itself: use heed_optimizer_step_closure");
    ck_assert_int_eq(heed_optimizer_step_closure(o, NULL, &of, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_step_closure: the closure is NULL");
    ck_assert_int_eq(heed_optimizer_step_closure(NULL, loss_of, &of, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_step_closure: the optimizer is NULL");
    heed_tensor *more = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    ck_assert_int_eq(adam_add(o, &more, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the optimizer was created by heed_optim_lbfgs: must be heed_optim_adam");
    heed_scope *scope = heed_scope_begin();
    ck_assert_int_eq(heed_optimizer_step_closure(o, closes_the_scope, scope, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the closure of optimizer_step_closure");
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    heed_optimizer_free(o);
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct {
        heed_optim_lbfgs_options options;
        const char *text;
    } wrong[] = {
        {{.lr = -1.0}, "optim_lbfgs: lr is -1"},
        {{.max_iter = -1}, "max_iter is -1: must be 0 to 1000000000"},
        {{.max_eval = INT32_MAX}, "max_eval is 2147483647: must be 0 to 1000000000"},
        {{.tolerance_grad = -1.0}, "tolerance_grad is -1"},
        {{.tolerance_change = HUGE_VAL}, "tolerance_change is inf"},
        {{.history_size = 10001}, "history_size is 10001: must be 0 to 10000"},
    };
    problem of = start(ROSENBROCK, HEED_F64);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(lbfgs_of(&of.p, 1, &wrong[i].options));
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static bool two_steps(double *value)
{
    problem of = start(QUADRATIC, HEED_F64);
    heed_optimizer *o = of.p && of.q ? lbfgs_of(HEED_TENSORS(of.p, of.q), NULL) : NULL;
    bool done = o != NULL;
    for (int t = 0; t < 2 && done; t++) {
        const double before = parameter(&of, 4);
        done = heed_optimizer_step_closure(o, loss_of, &of, NULL) == HEED_OK;
        ck_assert(done || parameter(&of, 4) == before);
    }
    heed_dict *state = done ? heed_optimizer_state(o) : NULL;
    done = state && heed_optimizer_load_state(o, state, NULL) == HEED_OK;
    *value = done ? parameter(&of, 4) : 0.0;
    heed_dict_free(state);
    heed_optimizer_free(o);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    heed_thread_cleanup();
    fail_alloc_sweep(two_steps);
    fail_alloc_uninstall();
}
END_TEST

/* A quadratic whose gradients have overflowing squares. */
static heed_tensor *steep(void *user)
{
    heed_tensor *q = user, *weights = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1e160, 3e160, 2e160);
    return heed_sum(heed_mul(weights, heed_square(heed_add_scalar(q, -0.5))));
}

START_TEST(huge_gradients)
{
    for (int search = 0; search < 2; search++) {
        heed_tensor *q = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 2, -1, 3), true);
        const heed_optim_lbfgs_options options = {.max_iter = 30, .no_line_search = !search};
        heed_optimizer *lbfgs = lbfgs_of(&q, 1, &options);
        ck_assert_int_eq(heed_optimizer_step_closure(lbfgs, steep, q, NULL), HEED_OK);
        for (int i = 0; i < 3; i++)
            ck_assert_near(heed_get(q, HEED_INDEX(i)), 0.5, 1e-6);
        heed_optimizer_free(lbfgs);
    }
}
END_TEST

HEED_TEST_MAIN("lbfgs", follows_pytorch, huge_gradients, single_precision, a_module, resumes_from_its_state,
               states_that_do_not_match, lenient_loads_use_all_or_nothing, a_failing_closure,
               losses_that_are_not_finite, misuse, options_are_checked, out_of_memory)
