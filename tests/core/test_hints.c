/* tests/core/test_hints.c - tests of the notice about a training loop without a scope: scripts that installed
 * heed_exit_on_error get it once, on standard error; no other program gets it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <sys/wait.h>
#include <unistd.h>

static char output[4096];

/* Runs `program` in a new process and reads its standard error. */
static void run(void (*program)(void))
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        program();
        heed_thread_cleanup();
        _exit(0);
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

static void train(int steps, bool scoped)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(4, 3));
    for (int i = 0; i < steps; i++) {
        heed_scope *scope = scoped ? heed_scope_begin() : NULL;
        (void)heed_backward(heed_mean(heed_square(heed_nn_linear_forward(net, x))));
        (void)heed_optimizer_step(sgd);
        (void)heed_optimizer_zero_grad(sgd);
        if (scope)
            heed_scope_end(scope);
    }
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
}

static void script(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    train(5000, false);
}

static void short_script(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    train(990, false);
}

static void script_with_scopes(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    train(5000, true);
}

/* Runs outside a scope but retains no tensors. */
static void script_that_cleans_up(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    for (int i = 0; i < 50; i++) {
        train(100, false);
        heed_thread_cleanup();
    }
}

static void program_without_handlers(void)
{
    train(5000, false);
}

static void own_error_handler(heed_status status, const char *message, void *user)
{
    (void)status, (void)message, (void)user;
}

static void program_with_a_handler(void)
{
    heed_set_error_handler(own_error_handler, NULL);
    train(5000, false);
}

static void script_that_does_not_want_it(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_set_notice_handler(NULL, NULL);
    train(5000, false);
}

static int n_notices;

static void count(const char *notice, void *user)
{
    n_notices += *notice != '\0' && user == &n_notices;
}

static void program_that_asks(void)
{
    heed_set_notice_handler(count, &n_notices);
    train(5000, false);
    (void)fprintf(stderr, "%d", n_notices);
}

static void script_with_grad(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4)), true);
    for (int i = 0; i < 1100; i++) {
        heed_tensor *loss = heed_sum(heed_square(w)), *grad;
        (void)heed_grad(&loss, 1, &w, 1, &grad, NULL);
    }
}

static const char beginning[] = "heed: 1000 backward passes have run without a scope, and ";

static void check_one_notice(void)
{
    ck_assert_msg(strncmp(output, beginning, sizeof beginning - 1) == 0, "\"%s\"", output);
    ck_assert_ptr_nonnull(strstr(output, "begin each step with heed_scope_begin()"));
    ck_assert_ptr_eq(strchr(output, '\n'), output + strlen(output) - 1);
}

START_TEST(a_script_gets_one_notice)
{
    run(script);
    check_one_notice();
    run(script_with_grad);
    check_one_notice();
}
END_TEST

START_TEST(other_programs_get_no_notice)
{
    static void (*const programs[])(void) = {
        short_script,           script_with_scopes,       script_that_cleans_up,
        program_with_a_handler, program_without_handlers, script_that_does_not_want_it};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        run(programs[i]);
        ck_assert_msg(output[0] == '\0', "program %zu: \"%s\"", i, output);
    }
}
END_TEST

START_TEST(who_asks_is)
{
    run(program_that_asks);
    ck_assert_str_eq(output, "1");
}
END_TEST

HEED_TEST_MAIN("hints", a_script_gets_one_notice, other_programs_get_no_notice, who_asks_is)
