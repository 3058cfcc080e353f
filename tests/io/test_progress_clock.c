/* tests/io/test_progress_clock.c - clocks of the user's that fail. */

#include "check_heed.h"

static double broken_clock(void *user)
{
    if (*(int *)user > 0 && --*(int *)user == 0)
        heed_fail(HEED_ERR_IO, "broken_clock", "it has stopped");
    return 0;
}

/* One that leaves an error fails what has asked it, which changes nothing. */
START_TEST(clocks_that_fail)
{
    int good = 1;
    heed_progress_options o = {.epochs = 2, .steps = 3, .clock = broken_clock, .user = &good};
    ck_assert_ptr_null(heed_progress_new(stdout, &o));
    ck_assert_error(HEED_ERR_IO, "broken_clock");
    heed_progress *p = heed_progress_new(stdout, &o);
    heed_progress_state state = {.epoch = 1, .step = 2, .loss = 4}, found;
    ck_assert_int_eq(heed_progress_set_state(p, &state), HEED_OK);
    good = 1;
    ck_assert_int_eq(heed_progress_set_state(p, &(heed_progress_state){.epoch = 2, .step = 1}), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "broken_clock");
    good = 1;
    ck_assert_int_eq(heed_progress_step(p, 1, 1), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "broken_clock");
    ck_assert_int_eq(heed_progress_get_state(p, &found), HEED_OK);
    ck_assert(found.epoch == 1 && found.step == 2 && found.loss == 4);
    heed_progress_free(p);
}
END_TEST

HEED_TEST_MAIN("progress_clock", clocks_that_fail)
