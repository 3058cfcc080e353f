/* tests/io/checkpoint_folder.h - makes a temporary folder for every test of checkpoints, with the path of "run.heed" in
 * it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_CHECKPOINT_FOLDER_H
#define HEED_TESTS_CHECKPOINT_FOLDER_H

#include "check_heed.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64], path[96];

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/heed-checkpoint-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.heed", folder);
}

/* Removes a file, or a folder with its contents, whatever the length of its path. */
static void remove_all(const char *name)
{
    if (unlink(name) == 0)
        return;
    DIR *entries = chdir(name) == 0 ? opendir(".") : NULL;
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *it = readdir(entries); it; it = readdir(entries))
        if (strcmp(it->d_name, ".") != 0 && strcmp(it->d_name, "..") != 0)
            remove_all(it->d_name);
    ck_assert(closedir(entries) == 0 && chdir("..") == 0 && rmdir(name) == 0);
}

static void teardown(void)
{
    remove_all(folder);
}

#endif
