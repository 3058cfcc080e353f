/* tests/core/test_pool_backoff.c - tests that sharing pauses after losses, longer after every failed attempt, and
 * resumes after gains.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "core/pool.h"

START_TEST(gains_change_nothing)
{
    heed__pool_backoff p = {0};
    for (int64_t now = 0; now < 1000000000; now += 1000000) {
        ck_assert(heed__pool_backoff_allows(&p, now));
        heed__pool_backoff_record(&p, now, now % 3 ? 50000 : -90000);
    }
}
END_TEST

/* Returns the length of the pause after a loss at `now`, at most a second. */
static int64_t pause_after_loss(heed__pool_backoff *p, int64_t now)
{
    heed__pool_backoff_record(p, now, -HEED_BACKOFF_LOSS);
    int64_t pause = 0;
    while (!heed__pool_backoff_allows(p, now + pause))
        pause += 1000000;
    return pause;
}

START_TEST(losses_make_it_pause_longer_and_longer)
{
    heed__pool_backoff p = {0};
    int64_t now = 12345, expected = HEED_BACKOFF_FIRST_PAUSE;
    for (int i = 0; i < 12; i++) {
        const int64_t pause = pause_after_loss(&p, now);
        ck_assert_int_eq(pause, expected);
        now += pause;
        expected = 2 * expected < HEED_BACKOFF_LAST_PAUSE ? 2 * expected : HEED_BACKOFF_LAST_PAUSE;
    }
    heed__pool_backoff_record(&p, now, HEED_BACKOFF_MAX_GAIN);
    heed__pool_backoff_record(&p, now, -HEED_BACKOFF_MAX_GAIN);
    ck_assert_int_eq(pause_after_loss(&p, now), HEED_BACKOFF_FIRST_PAUSE);
}
END_TEST

START_TEST(old_gains_do_not_pay_for_ever)
{
    heed__pool_backoff p = {0};
    for (int i = 0; i < 1000; i++)
        heed__pool_backoff_record(&p, 0, 1000000);
    for (int i = 0; i < 5; i++)
        heed__pool_backoff_record(&p, 0, -1000000);
    ck_assert(!heed__pool_backoff_allows(&p, 0));
}
END_TEST

HEED_TEST_MAIN("payoff", gains_change_nothing, losses_make_it_pause_longer_and_longer, old_gains_do_not_pay_for_ever)
