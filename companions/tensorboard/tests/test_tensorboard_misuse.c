/* tensorboard/tests/test_tensorboard_misuse.c - every function of heed/tensorboard.h with hostile arguments of every
 * kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "logs.h"
#include "promises/misuse/misuse_draw.h"

static heed_tensorboard *shared;

static heed_tensorboard *any_log(void)
{
    return one_in(8) ? NULL : shared;
}

static void events(void)
{
    static const char *const paths[] = {NULL,        "",         "/",           ".",    "/dev/zero",
                                        "/dev/null", "/nowhere", "/etc/passwd", "\xff", "%s%n"};
    STATUS(heed_tensorboard_scalar(any_log(), any_text(), any_count(), any_real()));
    STATUS(heed_tensorboard_histogram(any_log(), any_text(), any_count(), any_tensor()));
    STATUS(heed_tensorboard_image(any_log(), any_text(), any_count(), any_tensor()));
    STATUS(heed_tensorboard_figure(any_log(), any_text(), any_count(), ANY_OF(paths)));
    STATUS(heed_tensorboard_text(any_log(), any_text(), any_count(), any_text()));
    STATUS(heed_tensorboard_flush(one_in(2) ? NULL : shared));
    POINTER(heed_tensorboard_path(any_log()));
}

static void openings(void)
{
    static const char *const folders[] = {
        NULL, "", "/dev/null", "/dev/full", "/proc/none", "/etc/passwd/x", "/proc/self/fd/x"};
    const heed_tensorboard_options o = {.suffix = any_text(), .purge = any_flag(), .purge_step = any_count()};
    heed_tensorboard *log = heed_tensorboard_open(one_in(2) ? folder : ANY_OF(folders), one_in(4) ? NULL : &o);
    ck_assert((log != NULL) == (heed_error_code() == HEED_OK));
    judge_error("tensorboard_open");
    STATUS(heed_tensorboard_close(log));
}

static void begin(void)
{
    make_folder();
    shared = heed_tensorboard_open(folder, NULL);
    ck_assert_ptr_nonnull(shared);
}

static void end(void)
{
    ck_assert_int_eq(heed_tensorboard_close(shared), HEED_OK);
    remove_folder();
}

START_TEST(rounds)
{
    begin();
    in_rounds(events);
    in_rounds(openings);
    end();
}
END_TEST

MISUSE_MAIN("tensorboard misused", rounds)
