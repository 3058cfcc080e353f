/* tests/core/test_thread_keys_gone.c - tests a host program that has taken all thread-specific keys of the process. If
 * they are taken before the library is loaded, an error says so; afterwards the library has its own key. This is a
 * separate program because it takes all keys.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <unistd.h>

#define MAX_KEYS 4096

static pthread_key_t keys[MAX_KEYS];
static int taken;

static void take_all_keys(void)
{
    while (taken < MAX_KEYS && pthread_key_create(&keys[taken], NULL) == 0)
        taken++;
}

/* Runs before the library's constructors if the library is linked statically; a shared library is loaded earlier. */
__attribute__((constructor(101))) static void before_the_library(void)
{
    if (getenv("HEED_TEST_KEYS_GONE"))
        take_all_keys();
}

START_TEST(keys_gone_after_loading)
{
    take_all_keys();
    ck_assert_int_gt(taken, 0);
    ck_assert_ptr_nonnull(heed_ones(HEED_F32, HEED_SHAPE(1)));
}
END_TEST

START_TEST(keys_gone_before_loading)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(1));
    if (t) /* a shared library already had its key */
        return;
    ck_assert_error(HEED_ERR_NOMEM, "ones: no thread-specific key or fork handler is left in this process");
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    const TTest *const after[] = {keys_gone_after_loading}, *const before[] = {keys_gone_before_loading};
    if (getenv("HEED_TEST_KEYS_GONE"))
        return heed_run_tests("keys gone before loading", before, 1);
    int failed = heed_run_tests("keys gone after loading", after, 1);
    setenv("HEED_TEST_KEYS_GONE", "1", 1);
    return failed ? failed : execv(argv[0], argv);
}
