/* tests/io/test_progress_curve.c - tests of the loss curve below a progress line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "../src/io/progress.h"
#include "fail_alloc.h"
#include "terminal.h"

static double now;

static double fake_clock(void)
{
    return now;
}

static heed_progress *progress_at_1000(FILE *out, const heed_progress_options *options)
{
    now = 1000;
    heed_progress *p = heed_progress_new(out, options);
    ck_assert_msg(p != NULL, "%s", heed_error_message());
    heed__progress_set_clock(p, fake_clock);
    return p;
}

static void step(heed_progress *p, double seconds, double loss)
{
    now += seconds;
    ck_assert_msg(heed_progress_step(p, loss, 1) == HEED_OK, "%s", heed_error_message());
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* The screen shows the line and the curve's lines; then the cursor moves back up, unless the curve is final. */
START_TEST(drawn_below_the_line)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.epochs = 2, .steps = 2, .curve = 9});
    step(p, 1, 4);
    const char *output = read_terminal();
    ck_assert_int_eq(count(output, "\n"), 10);
    ck_assert_int_eq(strncmp(output, "\repoch 1/2  step 1/2  loss 4.0000", 33), 0);
    ck_assert_ptr_nonnull(strstr(output, "\nloss "));
    ck_assert_ptr_nonnull(strstr(output, "epoch   ")); /* the x axis */
    ck_assert_str_eq(output + strlen(output) - 5, "\x1b[10A");
    step(p, 1, 3); /* the epoch ends: only the line stays, and the curve below it is erased */
    output = read_terminal();
    ck_assert_int_eq(count(output, "\n"), 1);
    ck_assert_str_eq(output + strlen(output) - 4, "\n\x1b[J");
    step(p, 1, 2);
    ck_assert_int_eq(count(read_terminal(), "\n"), 10);
    step(p, 1, 1); /* the run ends: the curve stays */
    output = read_terminal();
    ck_assert_int_eq(count(output, "\n"), 10);
    ck_assert_ptr_null(strstr(output, "A"));
    ck_assert_int_eq(output[strlen(output) - 1], '\n');
    heed_progress_free(p);
    check_terminal("");
    close_terminal(screen);
}
END_TEST

START_TEST(stays_after_an_aborted_run)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.steps = 3, .curve = 8});
    step(p, 1, 4);
    (void)read_terminal();
    heed_progress_free(p);
    check_terminal("\n\n\n\n\n\n\n\n\n"); /* the cursor is below the curve */
    close_terminal(screen);
}
END_TEST

START_TEST(fits_the_terminal)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    ck_assert_int_eq(heed__curve_columns(screen, 8), 79);
    const struct {
        unsigned short rows, columns;
        int expected;
    } cases[] = {{24, 80, 79}, {24, 200, 79}, {24, 60, 59}, {9, 80, 0}, {10, 80, 79}, {24, 20, 0}, {24, 21, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct winsize size = {.ws_row = cases[i].rows, .ws_col = cases[i].columns};
        ck_assert_int_eq(ioctl(terminal_master, TIOCSWINSZ, &size), 0);
        ck_assert_int_eq(heed__curve_columns(screen, 8), cases[i].expected);
    }
    struct winsize small = {.ws_row = 5, .ws_col = 80};
    ck_assert_int_eq(ioctl(terminal_master, TIOCSWINSZ, &small), 0);
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.steps = 2, .curve = 8});
    step(p, 1, 4);
    step(p, 1, 4);
    const char *output = read_terminal();
    ck_assert_ptr_nonnull(strstr(output, "\x1b[A"));
    ck_assert_int_eq(count(output, "\n"), 2);
    heed_progress_free(p);
    close_terminal(screen);
}
END_TEST

/* A wrapped line could not be overwritten. */
START_TEST(lines_are_no_longer_than_the_terminal)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    struct winsize narrow = {.ws_row = 24, .ws_col = 40}, wide = {.ws_row = 24, .ws_col = 200};
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.epochs = 2, .steps = 9});
    ck_assert_int_eq(ioctl(terminal_master, TIOCSWINSZ, &wide), 0);
    step(p, 1, 4);
    ck_assert_str_eq(read_terminal(), "\repoch 1/2  step 1/9  loss 4.0000  1.00 steps/s  0:00:17 left");
    ck_assert_int_eq(ioctl(terminal_master, TIOCSWINSZ, &narrow), 0);
    step(p, 1, 4);
    ck_assert_str_eq(read_terminal(), "\repoch 1/2  step 2/9  loss 4.0000       ");
    heed_progress_free(p);
    close_terminal(screen);
}
END_TEST

START_TEST(no_curve_in_a_file)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_progress *p = progress_at_1000(file, &(heed_progress_options){.steps = 1, .curve = 8});
    step(p, 1, 4);
    heed_progress_free(p);
    ck_assert_int_eq(ftell(file), (long)strlen("epoch 1/1  step 1/1  loss 4.0000  1.00 steps/s  0:00:01 in all\n"));
    (void)fclose(file);
}
END_TEST

/* Values 1, 2, ... 1000: every point is a mean over 8 steps, and no step is lost. */
START_TEST(means_over_equal_intervals)
{
    heed__progress_curve c;
    heed__curve_start(&c, 0);
    for (int i = 1; i <= 1000; i++)
        heed__curve_add(&c, i);
    ck_assert_int_eq(c.interval_steps, 8);
    ck_assert_int_eq(c.used, 125);
    for (int i = 0; i < c.used; i++) {
        ck_assert_int_eq(c.counts[i], 8);
        ck_assert_double_eq(c.losses[i] / 8, 8 * i + 4.5);
    }
    heed__curve_start(&c, 50);
    ck_assert_int_eq(c.used, 0);
    ck_assert_double_eq(c.first, 50);
}
END_TEST

START_TEST(losses_that_are_not_finite)
{
    const double special[] = {(double)NAN, HUGE_VAL, 1e308, -1e308};
    heed__progress_curve c;
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed__curve_start(&c, 0);
    ck_assert_int_eq(heed__curve_draw(&c, file, 8, 40, 0), HEED_OK); /* empty so far */
    for (int i = 0; i < 400; i++)
        heed__curve_add(&c, special[i % 4]);
    ck_assert_int_eq(heed__curve_draw(&c, file, 8, 40, 0), HEED_OK);
    (void)fclose(file);
}
END_TEST

START_TEST(bad_curves)
{
    for (int i = 0; i < 4; i++) {
        const int bad[] = {-1, 7, 101, 1};
        ck_assert_ptr_null(heed_progress_new(stderr, &(heed_progress_options){.steps = 1, .curve = bad[i]}));
        ck_assert_error(HEED_ERR_ARGUMENT, "must be 0 or 8 to 100");
    }
}
END_TEST

static FILE *program_screen;

static bool program(double *value)
{
    heed_progress *p = heed_progress_new(program_screen, &(heed_progress_options){.steps = 2, .curve = 8});
    bool stepped = p && heed_progress_step(p, 0.5, 1) == HEED_OK;
    *value = stepped ? heed_progress_loss(p) : 0;
    heed_progress_free(p);
    (void)read_terminal();
    return stepped;
}

START_TEST(out_of_memory)
{
    program_screen = open_terminal();
    if (!program_screen)
        return;
    fail_alloc_install();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
    close_terminal(program_screen);
}
END_TEST

HEED_TEST_MAIN("progress_curve", drawn_below_the_line, stays_after_an_aborted_run, fits_the_terminal,
               lines_are_no_longer_than_the_terminal, no_curve_in_a_file, means_over_equal_intervals,
               losses_that_are_not_finite, bad_curves, out_of_memory)
