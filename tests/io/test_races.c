/* tests/io/test_races.c - tests changes by other processes between two system calls of a save.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <sys/file.h>

#include "files.h"

static bool lists_twice, replaces_name;

/* Replaces the C library's function; returns every name twice on demand. */
struct dirent *readdir(DIR *list)
{
    static struct dirent *last;
    struct dirent *(*real)(DIR *);
    void *symbol = dlsym(RTLD_NEXT, "readdir");
    memcpy(&real, &symbol, sizeof real);
    struct dirent *found = lists_twice && last ? last : real(list);
    last = found == last ? NULL : found;
    return found;
}

/* Replaces the C library's function. If replaces_name is set, it first renames "other" to the name of a temporary file,
 * as a different process might, and resets replaces_name. */
int flock(int fd, int operation)
{
    int (*real)(int, int);
    void *symbol = dlsym(RTLD_NEXT, "flock");
    memcpy(&real, &symbol, sizeof real);
    if (replaces_name)
        ck_assert_int_eq(rename(in_folder("other"), in_folder(".a.npy.heed-1-0.tmp")), 0);
    replaces_name = false;
    return real(fd, operation);
}

static bool exists(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

/* A folder that changes while it is listed may return a name twice; it counts once among the files to keep. */
START_TEST(name_listed_twice)
{
    heed_checkpoint run = {.step = 0};
    lists_twice = true;
    for (run.step = 1; run.step <= 5; run.step++)
        ck_assert_int_eq(heed_checkpoint_save(in_folder("a.heed"), &run, &(heed_checkpoint_options){.keep = 3}),
                         HEED_OK);
    lists_twice = false;
    ck_assert(!exists("a-000000001.heed") && !exists("a-000000002.heed"));
    ck_assert_int_eq(unlink(in_folder("a-000000003.heed")), 0);
    ck_assert_int_eq(unlink(in_folder("a-000000004.heed")), 0);
    ck_assert_int_eq(unlink(in_folder("a-000000005.heed")), 0);
    remove_folder();
}
END_TEST

/* A killed process left a temporary file. Before it is removed, a new file takes its name; the new file stays. */
START_TEST(name_reused_by_a_new_file)
{
    write_bytes(in_folder(".a.npy.heed-1-0.tmp"), "left", 4);
    write_bytes(in_folder("other"), "new", 3);
    replaces_name = true;
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert(!replaces_name && !exists("other"));
    ck_assert(exists(".a.npy.heed-1-0.tmp"));
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert(!exists(".a.npy.heed-1-0.tmp"));
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("races", name_listed_twice, name_reused_by_a_new_file)
