/* tests/optim/test_closure.c - tests the sources of a step's gradients: a closure, or several microbatches.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "optimizer_of.h"

static heed_tensor *leaf(void)
{
    return heed_set_requires_grad(heed_linspace(HEED_F64, -1, 2, 4), true);
}

static heed_tensor *loss_of(void *leaf)
{
    return heed_sum(heed_exp(heed_square(leaf)));
}

static heed_tensor *find_no_data(void *leaf)
{
    (void)heed_backward(loss_of(leaf));
    return heed_fail_null(HEED_ERR_IO, "my_loss", "no data");
}

START_TEST(equals_a_step_by_hand)
{
    heed_tensor *a = leaf(), *b = leaf();
    heed_optimizer *by_closure = adam_of(&a, 1, NULL), *by_hand = adam_of(&b, 1, NULL);
    for (int t = 0; t < 3; t++) {
        heed_tensor *loss = loss_of(b);
        double reported = 0.0;
        ck_assert_int_eq(heed_optimizer_step_closure(by_closure, loss_of, a, &reported), HEED_OK);
        ck_assert_double_eq(reported, heed_item(loss));
        heed_optimizer_zero_grad(by_hand);
        heed_backward(loss);
        heed_optimizer_step(by_hand);
        for (int i = 0; i < 4; i++)
            ck_assert_double_eq(heed_get(a, HEED_INDEX(i)), heed_get(b, HEED_INDEX(i)));
    }
    heed_optimizer_free(by_closure);
    heed_optimizer_free(by_hand);
}
END_TEST

START_TEST(a_failing_closure)
{
    heed_tensor *p = leaf();
    heed_optimizer *o = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 1.0});
    double loss = 7.0;
    ck_assert_int_eq(heed_optimizer_step_closure(o, find_no_data, p, &loss), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "optimizer_step_closure: my_loss: no data");
    ck_assert_double_eq(loss, 7.0);
    ck_assert_double_eq(heed_get(p, HEED_INDEX(0)), -1.0);
    ck_assert_int_eq(heed_optimizer_step_closure(o, NULL, p, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_step_closure: the closure is NULL");
    heed_optimizer_free(o);
}
END_TEST

/* Calls that a closure must not make on the running optimizer. */
typedef struct attempt {
    heed_optimizer *o;
    heed_tensor *p;
    heed_dict *state;
} attempt;

static heed_tensor *freeing(void *user)
{
    const attempt *a = user;
    heed_optimizer_free(a->o);
    return loss_of(a->p);
}

static heed_tensor *stepping(void *user)
{
    const attempt *a = user;
    (void)heed_backward(loss_of(a->p));
    (void)heed_optimizer_step(a->o);
    return loss_of(a->p);
}

static heed_tensor *stepping_by_itself(void *user)
{
    const attempt *a = user;
    (void)heed_optimizer_step_closure(a->o, stepping_by_itself, user, NULL);
    return loss_of(a->p);
}

static heed_tensor *loading(void *user)
{
    const attempt *a = user;
    (void)heed_optimizer_load_state(a->o, a->state, NULL);
    return loss_of(a->p);
}

static heed_tensor *extending(void *user)
{
    const attempt *a = user;
    heed_tensor *other = leaf();
    (void)sgd_add(a->o, &other, 1, &(heed_optim_sgd_options){.lr = 1.0});
    return loss_of(a->p);
}

static void check_refused(attempt *a, heed_closure closure, const char *message)
{
    ck_assert_int_eq(heed_optimizer_step_closure(a->o, closure, a, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, message);
    ck_assert_double_eq(heed_get(a->p, HEED_INDEX(0)), -1.0);
}

/* The optimizer must be unchanged afterwards. */
static void check_guarded(heed_optimizer *o, heed_tensor *p)
{
    attempt a = {o, p, heed_optimizer_state(o)};
    check_refused(&a, freeing, "optimizer_free: must not be called from the closure of the optimizer's own step");
    check_refused(&a, stepping_by_itself,
                  "optimizer_step_closure: must not be called from the closure of the optimizer's own step");
    check_refused(&a, loading, "optimizer_load_state: must not be called from the closure of the optimizer's own step");
    ck_assert_int_eq(heed_optimizer_step_closure(o, loss_of, p, NULL), HEED_OK);
    heed_dict_free(a.state);
}

START_TEST(closure_cannot_use_the_optimizer)
{
    heed_tensor *p = leaf(), *q = leaf();
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 1.0});
    heed_optimizer *lbfgs = lbfgs_of(&q, 1, NULL);
    attempt a = {.o = sgd, .p = p};
    check_refused(&a, stepping, "optimizer_step: must not be called from the closure of the optimizer's own step");
    check_refused(&a, extending,
                  "optim_sgd_add_group: must not be called from the closure of the optimizer's own step");
    check_guarded(sgd, p);
    check_guarded(lbfgs, q);
    heed_optimizer_free(lbfgs);
    heed_optimizer_free(sgd);
}
END_TEST

/* A closure records, even if the caller does not. */
START_TEST(recording)
{
    heed_tensor *p = leaf();
    heed_optimizer *o = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 1e-3});
    heed_scope *scope = heed_no_grad_begin();
    ck_assert_int_eq(heed_optimizer_step_closure(o, loss_of, p, NULL), HEED_OK);
    ck_assert(!heed_grad_enabled());
    heed_scope_end(scope);
    ck_assert(heed_get(p, HEED_INDEX(0)) > -1.0);
    heed_optimizer_free(o);
}
END_TEST

/* A batch in several parts, with every loss multiplied by its share of the samples, gives the step of the whole
 * batch. */
START_TEST(gradients_add_up)
{
    static const int64_t bounds[] = {0, 3, 4, 12};
    heed_manual_seed(4);
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(12, 4)), *p[] = {leaf(), leaf()};
    for (int k = 0; k < 2; k++) {
        heed_optimizer *o = sgd_of(&p[k], 1, &(heed_optim_sgd_options){.lr = 0.5});
        for (int chunk = 0; chunk < (k == 0 ? 1 : 3); chunk++) {
            const int64_t begin = k == 0 ? 0 : bounds[chunk], end = k == 0 ? 12 : bounds[chunk + 1];
            heed_tensor *loss = heed_mean(heed_square(heed_mul(heed_slice(x, 0, begin, end, 1), p[k])));
            ck_assert_int_eq(heed_backward(heed_mul_scalar(loss, (double)(end - begin) / 12.0)), HEED_OK);
        }
        ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
        heed_optimizer_free(o);
    }
    for (int i = 0; i < 4; i++)
        ck_assert_near(heed_get(p[0], HEED_INDEX(i)), heed_get(p[1], HEED_INDEX(i)), 1e-14);
}
END_TEST

HEED_TEST_MAIN("closure", equals_a_step_by_hand, a_failing_closure, closure_cannot_use_the_optimizer, recording,
               gradients_add_up)
