/* tests/promises/misuse/test_misuse_optim.c - heed/optim.h misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"
#include "optimizer_of.h"

/* -- Optimizers --------------------------------------------------------------------------------------------------- */

START_TEST(sgd_options)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_tensor *none[] = {NULL}, *plain[] = {heed_ones(HEED_F32, HEED_SHAPE(2))};
    heed_optim_sgd_options good = {.lr = 1};
    for (int round = 0; round < 3000; round++) {
        heed_optim_sgd_options options = {ANY_OF(hostile_doubles),
                                          ANY_OF(hostile_doubles),
                                          ANY_OF(hostile_doubles),
                                          ANY_OF(hostile_doubles),
                                          misuse_random() % 2,
                                          misuse_random() % 2,
                                          {0}};
        heed_optimizer *sgd = sgd_of(&w, 1, &options);
        ck_assert((sgd == NULL) == (heed_error_code() != HEED_OK));
        heed_error_clear();
        heed_optimizer_free(sgd);
    }
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        const int n = hostile_ints[i];
        if (n != 0)
            ck_assert_null_fails("nn_parameter_list_new", HEED_ERR_ARGUMENT, n < 0 ? "n is" : "NULL",
                                 heed_nn_parameter_list_new(NULL, n));
        if (n < 0)
            ck_assert_null_fails("nn_parameter_list_new", HEED_ERR_ARGUMENT, "n is", heed_nn_parameter_list_new(&w, n));
    }
    ck_assert_ptr_null(sgd_of(&w, 0, &good));
    ck_assert_error(HEED_ERR_ARGUMENT, "sgd");
    ck_assert_ptr_null(sgd_of(&w, 1, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "sgd");
    ck_assert_ptr_null(heed_optim_sgd(NULL, &good));
    ck_assert_error(HEED_ERR_ARGUMENT, "sgd");
    ck_assert_null_fails("nn_parameter_list_new", HEED_ERR_ARGUMENT, "NULL", heed_nn_parameter_list_new(none, 1));
    ck_assert_null_fails("nn_parameter_list_new", HEED_ERR_STATE, "gradient", heed_nn_parameter_list_new(plain, 1));
}
END_TEST

START_TEST(optimizers)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 2)), true);
    heed_optimizer *sgd = sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.5});
    ck_assert_status_fails("optimizer_step", HEED_ERR_ARGUMENT, "NULL", heed_optimizer_step(NULL));
    ck_assert_status_fails("optimizer_zero_grad", HEED_ERR_ARGUMENT, "NULL", heed_optimizer_zero_grad(NULL));
    ck_assert_status_fails("optimizer_set_lr", HEED_ERR_ARGUMENT, "NULL", heed_optimizer_set_lr(NULL, 0, 1));
    ck_assert(isnan(heed_optimizer_lr(NULL, 0)));
    heed_error_clear();
    for (int k = 0; k < COUNT_OF(hostile_doubles); k++)
        misuse_status("optimizer_set_lr", heed_optimizer_set_lr(sgd, 0, hostile_doubles[k]));
    ck_assert(isfinite(heed_optimizer_lr(sgd, 0)));
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 0, 0.5), HEED_OK);
    ck_assert_int_eq(heed_set_grad(w, heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(2, 2))), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK); /* a strided gradient */
    ck_assert(heed_get(w, HEED_INDEX(1, 1)) == 0.5);
    ck_assert_int_eq(heed_set_grad(w, heed_transpose(heed_detach(w), 0, 1)), HEED_OK); /* one that shares w's storage */
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert(heed_get(w, HEED_INDEX(1, 0)) == 0.25 && heed_get(w, HEED_INDEX(0, 1)) == 0.25);
    heed_optimizer_free(sgd);
    heed_optimizer_free(NULL);
}
END_TEST

START_TEST(adam_options)
{
    heed_tensor *list[] = {heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true),
                           heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true),
                           heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true)};
    for (int round = 0; round < 3000; round++) {
        heed_optim_adam_options options = {ANY_OF(hostile_doubles), ANY_OF(hostile_doubles), ANY_OF(hostile_doubles),
                                           misuse_random() % 2,     ANY_OF(hostile_doubles), ANY_OF(hostile_doubles),
                                           misuse_random() % 2,     misuse_random() % 2,     {0}};
        bool decoupled = misuse_random() % 2;
        heed_optimizer *adam = decoupled ? adamw_of(list, 2, &options) : adam_of(list, 2, &options);
        ck_assert((adam == NULL) == (heed_error_code() != HEED_OK));
        if (!adam)
            misuse_failed(decoupled ? "optim_adamw" : "optim_adam");
        heed_optimizer *good = adam_of(list, 2, NULL);
        heed_status status = adam_add(good, &list[2], 1, &options);
        misuse_status("optim_adam_add_group", status);
        ck_assert_int_eq(heed_optimizer_groups(good), status == HEED_OK ? 2 : 1);
        heed_set_grad(list[0], HEED_TENSOR(HEED_F32, HEED_SHAPE(2), ANY_OF(hostile_doubles), ANY_OF(hostile_doubles)));
        heed_set_grad(list[2], HEED_TENSOR(HEED_F64, HEED_SHAPE(1), ANY_OF(hostile_doubles)));
        ck_assert_int_eq(heed_optimizer_step(good), HEED_OK);
        heed_optimizer_free(good);
        heed_optimizer_free(adam);
    }
}
END_TEST

START_TEST(groups)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_tensor *v = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    const heed_optim_sgd_options rate = {.lr = 1};
    heed_optimizer *sgd = sgd_of(&w, 1, &rate);
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        int n = hostile_ints[i];
        ck_assert_fails("optimizer_lr", HEED_ERR_ARGUMENT, "NULL", isnan(heed_optimizer_lr(NULL, n)));
        ck_assert_status_fails("optimizer_set_lr", HEED_ERR_ARGUMENT, "NULL", heed_optimizer_set_lr(NULL, n, 1));
        if (n == 0)
            continue;
        ck_assert_fails("optimizer_lr", HEED_ERR_INDEX, "outside the optimizer's 1", isnan(heed_optimizer_lr(sgd, n)));
        ck_assert_status_fails("optimizer_set_lr", HEED_ERR_INDEX, "outside the optimizer's 1",
                               heed_optimizer_set_lr(sgd, n, 1));
    }
    ck_assert_fails("optimizer_groups", HEED_ERR_ARGUMENT, "NULL", heed_optimizer_groups(NULL) == 0);
    ck_assert_status_fails("optim_sgd_add_group", HEED_ERR_ARGUMENT, "NULL",
                           heed_optim_sgd_add_group(sgd, NULL, &rate));
    ck_assert_status_fails("optim_sgd_add_group", HEED_ERR_ARGUMENT, "NULL", sgd_add(NULL, &v, 1, &rate));
    ck_assert_status_fails("optim_adam_add_group", HEED_ERR_ARGUMENT, "NULL", adam_add(NULL, &v, 1, NULL));
    ck_assert_status_fails("optim_adamw_add_group", HEED_ERR_ARGUMENT, "optim_sgd", adamw_add(sgd, &v, 1, NULL));
    ck_assert_status_fails("optim_sgd_add_group", HEED_ERR_ARGUMENT, "already", sgd_add(sgd, &w, 1, &rate));
    for (int k = 0; k < COUNT_OF(hostile_doubles); k++)
        misuse_status("optimizer_set_lr", heed_optimizer_set_lr(sgd, 0, hostile_doubles[k]));
    ck_assert(isfinite(heed_optimizer_lr(sgd, 0)));
    heed_optimizer_free(sgd);
}
END_TEST

/* -- Schedules ----------------------------------------------------------------------------------------------------- */

static heed_schedule *any_schedule(heed_optimizer *o, const char **name)
{
    static const char *const names[] = {"schedule_new_step", "schedule_new_cosine", "schedule_new_linear"};
    double x = ANY_OF(hostile_doubles), y = ANY_OF(hostile_doubles);
    int64_t n = ANY_OF(hostile_counts);
    uint64_t which = misuse_random() % 3;
    *name = names[which];
    switch (which) {
    case 0:
        return heed_schedule_new_step(o, n, x);
    case 1:
        return heed_schedule_new_cosine(o, n, x);
    default:
        return heed_schedule_new_linear(o, x, y, n);
    }
}

START_TEST(schedules)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_optimizer *adam = adam_of(&w, 1, NULL);
    const char *name;
    for (int round = 0; round < 3000; round++) {
        heed_schedule *s = any_schedule(adam, &name);
        ck_assert((s == NULL) == (heed_error_code() != HEED_OK));
        if (!s) {
            misuse_failed(name);
            continue;
        }
        for (int k = 0; k < 5; k++) {
            misuse_status("schedule_set_steps", heed_schedule_set_steps(s, ANY_OF(hostile_counts)));
            misuse_status("schedule_step", heed_schedule_step(s));
            ck_assert(heed_schedule_steps(s) >= 0 && isfinite(heed_optimizer_lr(adam, 0)) &&
                      heed_optimizer_lr(adam, 0) >= 0.0);
        }
        ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    }
    ck_assert_status_fails("schedule_step", HEED_ERR_ARGUMENT, "NULL", heed_schedule_step(NULL));
    ck_assert_status_fails("schedule_set_steps", HEED_ERR_ARGUMENT, "NULL", heed_schedule_set_steps(NULL, 0));
    ck_assert_fails("schedule_steps", HEED_ERR_ARGUMENT, "NULL", heed_schedule_steps(NULL) == -1);
    ck_assert_int_eq(heed_schedule_free(NULL), HEED_OK);
    heed_optimizer_free(adam);
}
END_TEST

/* Lists of valid parts, NULLs, parts with an optimizer and parts of different schedules; milestones of any kind. */
START_TEST(schedule_parts)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_optimizer *adam = adam_of(&w, 1, NULL), *other = adam_of(&w, 1, NULL);
    const char *name;
    for (int round = 0; round < 3000; round++) {
        heed_schedule *owned = heed_schedule_new_step(NULL, 2, 0.5),
                      *owner = heed_schedule_new_chained(NULL, &owned, 1), *list[4];
        for (int i = 0; i < 4; i++) {
            uint64_t which = misuse_random() % 16;
            list[i] = which == 0            ? owned
                      : which == 1 && i > 0 ? list[i - 1]
                                            : any_schedule(which == 2 ? other : NULL, &name);
            heed_error_clear();
        }
        const int64_t milestones[] = {ANY_OF(hostile_counts), ANY_OF(hostile_counts), ANY_OF(hostile_counts)};
        bool in_sequence = misuse_random() % 2;
        heed_schedule *s = in_sequence ? heed_schedule_new_sequential(adam, list, 4, milestones)
                                       : heed_schedule_new_chained(adam, list, 4);
        ck_assert((s == NULL) == (heed_error_code() != HEED_OK));
        if (!s)
            misuse_failed(in_sequence ? "schedule_new_sequential" : "schedule_new_chained");
        if (s)
            misuse_status("schedule_set_steps", heed_schedule_set_steps(s, ANY_OF(hostile_counts)));
        ck_assert_status_fails("schedule_free", HEED_ERR_STATE, "part", heed_schedule_free(owned));
        ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
        ck_assert_int_eq(heed_schedule_free(owner), HEED_OK);
    }
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        ck_assert_null_fails("schedule_new_chained", HEED_ERR_ARGUMENT, "NULL",
                             heed_schedule_new_chained(adam, NULL, hostile_ints[i]));
        ck_assert_null_fails("schedule_new_sequential", HEED_ERR_ARGUMENT, "NULL",
                             heed_schedule_new_sequential(NULL, NULL, hostile_ints[i], NULL));
    }
    heed_optimizer_free(adam);
    heed_optimizer_free(other);
}
END_TEST

/* -- Clipping ------------------------------------------------------------------------------------------------------ */

START_TEST(clipping)
{
    zoo z;
    zoo_open(&z);
    double norm;
    for (int round = 0; round < 2000; round++) {
        heed_tensor *list[] = {ANY_OF(z.animals), ANY_OF(z.animals)};
        double limit = ANY_OF(hostile_doubles);
        if (list[0] && heed_is_leaf(list[0]))
            (void)heed_set_grad(list[0], list[1]);
        heed_error_clear();
        heed_module *m = heed_nn_parameter_list_new(list, 1 + (int)(misuse_random() % 2));
        if (!m)
            misuse_failed("nn_parameter_list_new");
        misuse_status("optim_clip_grad_norm_",
                      heed_optim_clip_grad_norm_(m, limit, misuse_random() % 2 ? &norm : NULL));
        misuse_status("optim_clip_grad_value_", heed_optim_clip_grad_value_(m, limit));
        ck_assert_int_eq(heed_module_free(m), HEED_OK);
        if (list[0] && heed_is_leaf(list[0]))
            ck_assert_int_eq(heed_set_grad(list[0], NULL), HEED_OK);
        heed_error_clear(); /* of heed_is_leaf, for a freed tensor */
    }
    ck_assert_status_fails("optim_clip_grad_norm_", HEED_ERR_ARGUMENT, "NULL",
                           heed_optim_clip_grad_norm_(NULL, 1, &norm));
    ck_assert_status_fails("optim_clip_grad_value_", HEED_ERR_ARGUMENT, "NULL", heed_optim_clip_grad_value_(NULL, 1));
}
END_TEST

MISUSE_MAIN("misuse of optimizers", sgd_options, optimizers, adam_options, groups, schedules, schedule_parts, clipping)
