/* tests/promises/misuse/test_misuse_every_debug.c - every function of heed/debug.h, and heed_memory_report, with
 * hostile arguments of every kind, in and out of debug mode.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

#include "../src/base/escape.h"

static int n_notices;

static void on_message(const char *message, void *user)
{
    ck_assert(*message && (!user || user == &n_notices));
    n_notices++;
}

static void modes(void)
{
    bool on = any_flag();
    VALUE(heed_set_debug(on));
    ck_assert(heed_set_debug(on) == on);
    heed_set_notice_handler(any_flag() ? on_message : NULL, any_flag() ? &n_notices : NULL);
    judge_error("set_notice_handler");
    heed_tensor *t = any_tensor();
    if (one_in(2))
        VALUE(heed_mul(t, t));
    VALUE(heed_set_debug(any_flag()));
}

/* Calls functions with or without a handler of notices. test_hints.c counts the calls of the handler. */
static void hints(void)
{
    heed_set_notice_handler(any_flag() ? on_message : NULL, any_flag() ? &n_notices : NULL);
    judge_error("set_notice_handler");
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    for (int i = 0; i < 50; i++)
        (void)heed_backward(heed_sum(w));
    heed_set_notice_handler(NULL, NULL);
}

static void freed(void)
{
    (void)heed_set_debug(any_flag());
    void *block = one_in(4) ? NULL : heed_alloc(100);
    const char *where = any_flag() ? "mine" : NULL, *what = any_text();
    ck_assert(!heed_fail_freed(where, what, block));
    ck_assert_error(HEED_ERR_STATE, what ? heed__escaped(what).s : "the object");
    heed_free(block, 100);
    ck_assert(!heed_fail_freed(where, what, one_in(4) ? (const void *)where : block));
    ck_assert_error(HEED_ERR_STATE, " was freed");
    (void)heed_set_debug(false);
}

static void holding(void)
{
    (void)heed_set_debug(any_flag());
    heed_module *m = heed_module_new("mine", sizeof *m);
    heed_tensor *t = any_tensor(), *own = heed_ones(HEED_F32, HEED_SHAPE(3));
    FILE *file = tmpfile();
    heed_debug_set_owner(t, one_in(2) ? m : NULL, any_text());
    heed_debug_set_owner(own, one_in(2) ? m : NULL, any_text());
    judge_error("debug_set_owner");
    STATUS(heed_memory_report(one_in(4) ? NULL : file));
    heed_debug_set_owner(t, m, NULL);
    heed_debug_set_owner(own, m, NULL);
    STATUS(heed_memory_report(file));
    heed_module_free(m);
    (void)fclose(file);
    (void)heed_set_debug(false);
}

ROUNDS_OF(modes)
ROUNDS_OF(hints)
ROUNDS_OF(freed)
ROUNDS_OF(holding)

MISUSE_MAIN("every function of debug mode misused", rounds_of_modes, rounds_of_hints, rounds_of_freed,
            rounds_of_holding)
