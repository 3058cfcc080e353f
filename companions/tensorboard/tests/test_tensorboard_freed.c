/* tensorboard/tests/test_tensorboard_freed.c - closes a log twice, or writes to it after it was closed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <unistd.h>

#include <heed/tensorboard.h>

#include "freed.h"

static char folder[] = "/tmp/heed-freed-XXXXXX";

static void *make_tensorboard(void)
{
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    if (log)
        (void)unlink(heed_tensorboard_path(log)); /* the file is not needed */
    return log;
}

static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void end(void)
{
    ck_assert_int_eq(rmdir(folder), 0);
}

#include "freed_calls.inc"

FREED_TESTS

FREED_MAIN("freed logs")
