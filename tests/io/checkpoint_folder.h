/* tests/io/checkpoint_folder.h - a folder of its own for each test of checkpoints, and "run.heed" in it. */
#ifndef HEED_TESTS_CHECKPOINT_FOLDER_H
#define HEED_TESTS_CHECKPOINT_FOLDER_H

#include "check_heed.h"

#include <stdio.h>
#include <stdlib.h>

static char folder[64], path[96];

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/heed-checkpoint-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.heed", folder);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

#endif
