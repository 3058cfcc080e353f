/* tests/core/test_debug_environment.c - tests that HEED_DEBUG is read once, at the first use, that notices then go to
 * standard error or to the program's handler, and that leaks are reported when the process ends.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "check_heed.h"

#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) /* the leaks are on purpose */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

static char output[8192];

/* Runs `program` in a new process with this value of HEED_DEBUG (NULL: unset) and reads its standard error. The parent
 * process has not used the library yet. */
static void run(const char *value, void (*program)(void))
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (value)
            setenv("HEED_DEBUG", value, 1);
        else
            unsetenv("HEED_DEBUG");
        dup2(ends[1], STDERR_FILENO);
        program();
        exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], output + used, sizeof output - 1 - used)) > 0;)
        used += (size_t)n;
    output[used] = '\0';
    close(ends[0]);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d: %s", status, output);
}

static void leave_things(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m);
    heed_retain(heed_ones(HEED_F32, HEED_SHAPE(1000)));
    heed_mul_scalar(heed_ones(HEED_F32, HEED_SHAPE(100)), 2.0); /* borrowed from the root scope */
    (void)m;
}

static const int left_first = __LINE__ - 6;

START_TEST(leaks_are_reported)
{
    char expected[1024];
    snprintf(
        expected, sizeof expected,
        "heed: at the end of the process 2 blocks (4.7 kB) are still in use, which no scope of this thread holds:\n"
        "heed:     4.6 kB in 1 block: ones at %s:%d\n"
        "heed:     128 bytes in 1 block: module_new at %s:%d\n",
        __FILE__, left_first + 1, __FILE__, left_first);
    run("1", leave_things);
    ck_assert_str_eq(output, expected);
    run("yes", leave_things);
    ck_assert_str_eq(output, expected);
}
END_TEST

START_TEST(without_it_nothing_is)
{
    run(NULL, leave_things);
    ck_assert_str_eq(output, "");
    run("", leave_things);
    ck_assert_str_eq(output, "");
    run("0", leave_things);
    ck_assert_str_eq(output, "");
}
END_TEST

static void leave_an_error(void)
{
    leave_things();
    heed_tanh(NULL);
}

static const int failed_at = __LINE__ - 3;

static void leave_nothing(void)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *o = heed_optim_adam(&net->base, NULL);
    for (int i = 0; i < 100; i++) {
        heed_scope *step = heed_scope_begin();
        heed_backward(heed_sum(heed_nn_linear_forward(net, heed_rand(HEED_F32, HEED_SHAPE(8, 3)))));
        heed_optimizer_step(o);
        heed_scope_end(step);
    }
    heed_optimizer_free(o);
    heed_module_free(&net->base);
}

START_TEST(an_unread_error_is_reported)
{
    char expected[1024];
    snprintf(expected, sizeof expected,
             "heed: at the end of the process an error is pending that was never cleared: %s:%d: tanh: argument 1 "
             "is NULL (HEED_ERR_ARGUMENT)\n",
             __FILE__, failed_at);
    run("1", leave_an_error);
    ck_assert_str_eq(output, expected);
}
END_TEST

START_TEST(no_report_without_leaks)
{
    run("1", leave_nothing);
    ck_assert_str_eq(output, "");
}
END_TEST

static void write_to_freed(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope_end(scope);
    *(volatile int64_t *)(void *)t = 1;
}

START_TEST(writes_to_freed_blocks_are_reported_at_the_end)
{
    run("1", write_to_freed);
    ck_assert_msg(strstr(output, "heed: a freed block was written to, at byte 0: f32 (8), made by ones at ") == output,
                  "%s", output);
}
END_TEST

static void turn_off(void)
{
    heed_set_debug(false);
    leave_things();
}

static void in_brackets(const char *message, void *user)
{
    (void)user;
    fprintf(stderr, "[%s]\n", message);
}

static void own_handler(void)
{
    heed_set_notice_handler(in_brackets, NULL);
    leave_things();
}

static void print_handler(void)
{
    heed_set_notice_handler(heed_print_notice, NULL);
    heed_set_debug(true);
    leave_things();
}

static void no_handler(void)
{
    heed_set_debug(true);
    leave_things();
}

START_TEST(the_program_has_its_say)
{
    run("1", turn_off);
    ck_assert_str_eq(output, "");
    run("1", own_handler);
    ck_assert_msg(strstr(output, "[at the end of the process 2 blocks") == output, "%s", output);
    run("0", print_handler);
    ck_assert_msg(strstr(output, "heed: at the end of the process 2 blocks") == output, "%s", output);
    run("0", no_handler);
    ck_assert_str_eq(output, "");
}
END_TEST

static void fork_again(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *kept = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(8)));
    heed_scope_end(scope);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0) {
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        heed_release(kept);
        return;
    }
    heed_release(kept);
    ck_assert_ptr_null(heed_tanh(kept));
    ck_assert_error(HEED_ERR_STATE, "tanh: argument 1 was freed: f32 (8), made by ones at ");
}

START_TEST(a_child_goes_on)
{
    run("1", fork_again);
    ck_assert_str_eq(output, "");
}
END_TEST

HEED_TEST_MAIN("debug environment", leaks_are_reported, without_it_nothing_is, an_unread_error_is_reported,
               no_report_without_leaks, writes_to_freed_blocks_are_reported_at_the_end, the_program_has_its_say,
               a_child_goes_on)
