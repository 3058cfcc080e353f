/* tests/core/test_threads_default.c - how many threads there are before anybody says so: what OMP_NUM_THREADS asks for,
 * where it is a valid number. It is read once, so each case is a new process: this program itself, with an argument. */

#include "check_heed.h"

#include <unistd.h>

#include <sys/wait.h>

/* The number that a process with this setting finds; the setting NULL: none. */
static int threads_with(const char *setting)
{
    pid_t child = fork();
    if (child == 0) {
        if (setting)
            setenv("OMP_NUM_THREADS", setting, 1);
        else
            unsetenv("OMP_NUM_THREADS");
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
    ck_assert_int_ge(threads_with(NULL), 1);
    ck_assert_int_eq(threads_with("1"), 1);
    ck_assert_int_eq(threads_with("3"), HEED_THREADS ? 3 : 1);
    ck_assert_int_eq(threads_with("3,2,1"), HEED_THREADS ? 3 : 1);
    ck_assert_int_eq(threads_with("200"), HEED_THREADS ? 200 : 1);
}
END_TEST

START_TEST(others_do_not)
{
    static const char *const unsound[] = {
        "0",
        "3 ",
        "257",
        "100000",
#if !defined(__clang__) /* whose OpenMP runtime ends the process over these before anybody can read them */
        "abc",
        ",",
        "",
        "-4",
        "3x",
        "99999999999999999999",
#endif
    };
    int usual = threads_with(NULL);
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++)
        ck_assert_msg(threads_with(unsound[i]) == usual, "\"%s\": %d threads", unsound[i], threads_with(unsound[i]));
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--report") == 0)
        return heed_num_threads();
    const TTest *const tests[] = {sound_numbers_count, others_do_not};
    return heed_run_tests("threads_default", tests, sizeof tests / sizeof tests[0]);
}
