/* tests/optim/test_schedule_parts.c - tests chained and sequential schedules: nested ones, and their ownership.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "schedules.h"

#include "fail_alloc.h"
#include "optimizer_of.h"

/* -- Component schedules ------------------------------------------------------------------------------------------- */

/* A chain in a sequence in a chain, compared with a calculation by hand. */
START_TEST(nested_parts)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *inner =
        heed_schedule_new_chained(NULL, HEED_SCHEDULES(exponential(NULL), heed_schedule_new_step(NULL, 2, 0.5)));
    heed_schedule *middle =
        heed_schedule_new_sequential(NULL, HEED_SCHEDULES(linear(NULL), inner, cosine(NULL)), (const int64_t[]){4, 9});
    heed_schedule *s =
        heed_schedule_new_chained(o, HEED_SCHEDULES(heed_schedule_new_step(NULL, 6, 0.5), middle, growing(NULL)));
    ck_assert_msg(s != NULL, "%s", heed_error_message());
    for (int t = 0; t < 20; t++) {
        double lr = schedule_rates[1] * pow(0.5, t / 6);
        if (t < 4)
            lr *= 0.25 + 0.75 * t / 5;
        else if (t < 9)
            lr *= pow(0.9, t - 4) * pow(0.5, (t - 4) / 2);
        else
            lr *= (1.0 + cos(3.14159265358979323846 * (t - 9) / 20)) / 2;
        lr *= pow(1.25, t);
        ck_assert_near(heed_optimizer_lr(o, 1), lr, 1e-14);
        ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    }
    ck_assert_int_eq(heed_schedule_free(inner), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_free");
    ck_assert_int_eq(heed_schedule_step(middle), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "part of a different schedule");
    ck_assert_int_eq(heed_schedule_set_steps(middle, 3), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_set_steps");
    ck_assert_int_eq(heed_schedule_steps(middle), 0);
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    heed_optimizer_free(o);
}
END_TEST

/* Neither computing the rate nor freeing recurses: 200,000 levels of chains and sequences. */
START_TEST(deeply_nested_parts)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = heed_schedule_new_linear(NULL, 0.0, 1.0, 1000);
    for (int i = 0; i < 100000; i++) {
        s = heed_schedule_new_chained(NULL, &s, 1);
        s = heed_schedule_new_sequential(NULL, HEED_SCHEDULES(heed_schedule_new_step(NULL, 1, 1.0), s),
                                         (const int64_t[]){1});
    }
    s = heed_schedule_new_chained(o, &s, 1);
    ck_assert_int_eq(heed_schedule_set_steps(s, 100500), HEED_OK);
    ck_assert_near(heed_optimizer_lr(o, 0), 0.05, 1e-15);
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    heed_optimizer_free(o);
}
END_TEST

START_TEST(single_part_changes_nothing)
{
    heed_optimizer *o = make_optimizer(), *same = make_optimizer();
    heed_schedule *s = heed_schedule_new_sequential(o, HEED_SCHEDULES(step(NULL)), NULL), *plain = step(same);
    for (int t = 0; t < 10; t++) {
        ck_assert_double_eq(heed_optimizer_lr(o, 0), heed_optimizer_lr(same, 0));
        heed_schedule_step(s);
        heed_schedule_step(plain);
    }
    heed_schedule_free(s);
    heed_schedule_free(plain);
    heed_optimizer_free(o);
    heed_optimizer_free(same);
}
END_TEST

/* If the list is invalid, its schedules are still freed; the leak check after every test verifies this. */
START_TEST(parts_are_freed_on_failure)
{
    heed_optimizer *o = make_optimizer(), *other = make_optimizer();
    heed_schedule *twice = step(NULL), *owned = cosine(NULL);
    heed_schedule *owner = heed_schedule_new_chained(NULL, &owned, 1);
    heed_schedule *first = linear(NULL);
    const struct {
        heed_schedule *parts[3];
        const char *text;
    } wrong[] = {{{step(NULL), NULL, step(NULL)}, "part 1 is NULL"},
                 {{twice, step(NULL), twice}, "part 2 is given twice"},
                 {{step(NULL), linear(other), step(NULL)}, "part 1 has an optimizer"},
                 {{first, step(NULL), owned}, "part 2 is part of a different schedule"}};
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_null(i % 2 ? heed_schedule_new_chained(o, wrong[i].parts, 3)
                                 : heed_schedule_new_sequential(o, wrong[i].parts, 3, (const int64_t[]){1, 2}));
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
    ck_assert_ptr_null(heed_schedule_new_chained(o, HEED_SCHEDULES(step(NULL), heed_schedule_new_step(NULL, 0, 0.5))));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_step: step_size is 0"); /* the cause instead of its consequence */
    ck_assert_ptr_null(heed_schedule_new_chained(o, NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_chained: parts is NULL");
    ck_assert_ptr_null(heed_schedule_new_sequential(o, &owned, 0, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_sequential: n is 0");
    ck_assert_ptr_nonnull(owner); /* not freed, and still owns its component */
    ck_assert_int_eq(heed_schedule_free(owned), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_free");
    heed_schedule *again = step(other); /* the optimizer of the freed component is free again */
    ck_assert_ptr_nonnull(again);
    heed_schedule_free(again);
    heed_schedule_free(owner);
    heed_optimizer_free(o);
    heed_optimizer_free(other);
}
END_TEST

START_TEST(milestones_are_checked)
{
    static const int64_t wrong[][2] = {{0, 5}, {-3, 5}, {5, 5}, {5, 4}, {5, INT64_MIN}};
    heed_optimizer *o = make_optimizer();
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_null(
            heed_schedule_new_sequential(o, HEED_SCHEDULES(step(NULL), linear(NULL), cosine(NULL)), wrong[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_sequential: milestone");
    }
    ck_assert_ptr_null(heed_schedule_new_sequential(o, HEED_SCHEDULES(step(NULL), linear(NULL)), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "milestones is NULL");
    heed_optimizer_free(o);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

static heed_schedule *warm_up_then_cosine(void)
{
    return heed_schedule_new_sequential(
        NULL, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.01, 1.0, 5), heed_schedule_new_cosine(NULL, 15, 0.001)),
        (const int64_t[]){5});
}

static bool build_and_step(double *value)
{
    heed_tensor *p = leaf();
    heed_optimizer *o = p ? adam_of(&p, 1, NULL) : NULL;
    if (!o)
        return false;
    heed_schedule *s =
        heed_schedule_new_chained(o, HEED_SCHEDULES(warm_up_then_cosine(), exponential(NULL), step(NULL)));
    bool done = s && heed_schedule_step(s) == HEED_OK && heed_schedule_set_steps(s, 9) == HEED_OK;
    ck_assert(s || heed_optimizer_lr(o, 0) == 1e-3);
    *value = heed_optimizer_lr(o, 0);
    heed_schedule_free(s);
    heed_optimizer_free(o);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(build_and_step);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("schedule parts", nested_parts, deeply_nested_parts, single_part_changes_nothing,
               parts_are_freed_on_failure, milestones_are_checked, out_of_memory)
