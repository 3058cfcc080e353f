/* tests/core/test_threads_default.c - tests the default number of threads: HEED_NUM_THREADS, otherwise OMP_NUM_THREADS,
 * if it is a valid number. The variables are read once, so every case runs this program again in a new process, with an
 * argument.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <unistd.h>

#include <sys/wait.h>

static void set(const char *variable, const char *setting)
{
    if (setting)
        setenv(variable, setting, 1);
    else
        unsetenv(variable);
}

/* Returns the number of threads in a process with these settings; NULL means unset. */
static int threads_with(const char *heeds, const char *openmps)
{
    pid_t child = fork();
    if (child == 0) {
        set("HEED_NUM_THREADS", heeds);
        set("OMP_NUM_THREADS", openmps);
        execl("/proc/self/exe", "test_threads_default", "--report", (char *)NULL);
        _exit(255);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 255, "status %d", status);
    return WEXITSTATUS(status);
}

START_TEST(sound_numbers_count)
{
    ck_assert_int_ge(threads_with(NULL, NULL), 1);
    ck_assert_int_eq(threads_with("1", NULL), 1);
    ck_assert_int_eq(threads_with("3", NULL), 3);
    ck_assert_int_eq(threads_with(NULL, "3"), 3);
    ck_assert_int_eq(threads_with(NULL, "3,2,1"), 3);
    ck_assert_int_eq(threads_with("200", "3"), 200);
    ck_assert_int_eq(threads_with("none", "3"), 3);
}
END_TEST

START_TEST(others_do_not)
{
    static const char *const unsound[] = {
        "0", "3 ", "257", "100000", "abc", ",", "", "-4", "3x", "99999999999999999999",
    };
    int usual = threads_with(NULL, NULL);
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++) {
        ck_assert_msg(threads_with(unsound[i], NULL) == usual, "HEED_NUM_THREADS=\"%s\" counts", unsound[i]);
        ck_assert_msg(threads_with(NULL, unsound[i]) == usual, "OMP_NUM_THREADS=\"%s\" counts", unsound[i]);
    }
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--report") == 0)
        return heed_num_threads();
    const TTest *const tests[] = {sound_numbers_count, others_do_not};
    return heed_run_tests("threads_default", tests, sizeof tests / sizeof tests[0]);
}
