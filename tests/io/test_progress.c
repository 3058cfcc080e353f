/* tests/io/test_progress.c - tests of training progress: plain lines in a file, and the line of a terminal.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../src/io/progress.h"
#include "fail_alloc.h"
#include "foreign_locale.h"
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

/* -- Plain lines in a file -------------------------------------------------------------------------------------- */

static char *text;
static size_t text_size;
static FILE *file;

static heed_progress *begin(heed_progress_options options)
{
    file = open_memstream(&text, &text_size);
    ck_assert_ptr_nonnull(file);
    return progress_at_1000(file, &options);
}

static void step(heed_progress *p, double seconds, double loss, int64_t units)
{
    now += seconds;
    ck_assert_msg(heed_progress_step(p, loss, units) == HEED_OK, "%s", heed_error_message());
}

static void check_end(heed_progress *p, const char *expected)
{
    heed_progress_free(p);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* Checks the line of a run of one step that took `seconds`. */
static void check_line(double seconds, double loss, int64_t units, const char *expected)
{
    char line[200];
    heed_progress *p = begin((heed_progress_options){.epochs = 1, .steps = 1, .unit = "samples"});
    step(p, seconds, loss, units);
    (void)snprintf(line, sizeof line, "epoch 1/1  step 1/1  %s\n", expected);
    check_end(p, line);
}

START_TEST(end_of_every_epoch)
{
    heed_progress *p = begin((heed_progress_options){.epochs = 3, .steps = 2, .unit = "samples"});
    for (int i = 0; i < 6; i++)
        step(p, 1.0, i, 64);
    check_end(p, "epoch 1/3  step 2/2  loss 0.5000  64.0 samples/s  0:00:04 left\n"
                 "epoch 2/3  step 2/2  loss 2.5000  64.0 samples/s  0:00:02 left\n"
                 "epoch 3/3  step 2/2  loss 4.5000  64.0 samples/s  0:00:06 in all\n");
}
END_TEST

START_TEST(lines_within_an_epoch)
{
    heed_progress *p = begin((heed_progress_options){.steps = 10});
    for (int i = 0; i < 10; i++)
        step(p, 4.0, 0.25, -7); /* units are ignored without a unit */
    check_end(p, "epoch 1/1  step 3/10  loss 0.2500  0.250 steps/s  0:00:28 left\n"
                 "epoch 1/1  step 6/10  loss 0.2500  0.250 steps/s  0:00:16 left\n"
                 "epoch 1/1  step 9/10  loss 0.2500  0.250 steps/s  0:00:04 left\n"
                 "epoch 1/1  step 10/10  loss 0.2500  0.250 steps/s  0:00:40 in all\n");
    p = begin((heed_progress_options){.steps = 5, .interval = 1.0});
    for (int i = 0; i < 5; i++)
        step(p, 0.5, 1, 1);
    check_end(p, "epoch 1/1  step 2/5  loss 1.0000  2.00 steps/s  0:00:02 left\n"
                 "epoch 1/1  step 4/5  loss 1.0000  2.00 steps/s  0:00:01 left\n"
                 "epoch 1/1  step 5/5  loss 1.0000  2.00 steps/s  0:00:03 in all\n");
}
END_TEST

/* A resumed run: the loss is the whole epoch's; the rate and the time count from here on. */
START_TEST(resumes)
{
    heed_progress_state state;
    heed_progress *p = begin((heed_progress_options){.epochs = 3, .steps = 4, .unit = "samples"});
    for (int i = 0; i < 6; i++)
        step(p, 1.0, i, 64);
    ck_assert_int_eq(heed_progress_get_state(p, &state), HEED_OK);
    ck_assert(state.epoch == 2 && state.step == 2 && state.loss == 9);
    check_end(p, "epoch 1/3  step 4/4  loss 1.5000  64.0 samples/s  0:00:08 left\n");
    p = begin((heed_progress_options){.epochs = 3, .steps = 4, .unit = "samples"});
    now += 100;
    ck_assert_int_eq(heed_progress_set_state(p, &state), HEED_OK);
    ck_assert_double_eq(heed_progress_loss(p), 4.5);
    for (int i = 6; i < 12; i++)
        step(p, 2.0, i, 64);
    ck_assert_int_eq(heed_progress_step(p, 0, 0), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "are done");
    check_end(p, "epoch 2/3  step 4/4  loss 5.5000  32.0 samples/s  0:00:08 left\n"
                 "epoch 3/3  step 4/4  loss 9.5000  32.0 samples/s  0:00:12 in all\n");
}
END_TEST

START_TEST(bad_states)
{
    static const int64_t bad[][2] = {{0, 1}, {1, 0}, {4, 1}, {1, 5}, {-1, 1}, {1, -1}, {INT64_MAX, 1}, {1, INT64_MIN}};
    heed_progress_state state = {.epoch = 3, .step = 4, .loss = (double)NAN};
    heed_progress *p = begin((heed_progress_options){.epochs = 3, .steps = 4});
    for (int i = 0; i < 8; i++) {
        heed_progress_state other = {.epoch = bad[i][0], .step = bad[i][1]};
        ck_assert_int_eq(heed_progress_set_state(p, &other), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "there are 3 epochs of 4 steps");
    }
    ck_assert_int_eq(heed_progress_set_state(p, &state), HEED_OK);
    ck_assert_int_eq(heed_progress_set_state(p, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_set_state: the state is NULL");
    ck_assert_int_eq(heed_progress_get_state(p, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_get_state: the state is NULL");
    ck_assert_int_eq(heed_progress_get_state(NULL, &state), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the progress is NULL");
    check_end(p, "");
}
END_TEST

START_TEST(losses)
{
    check_line(1, (double)NAN, 200, "loss nan  200 samples/s  0:00:01 in all");
    check_line(1, -(double)NAN, 200, "loss nan  200 samples/s  0:00:01 in all");
    check_line(1, HUGE_VAL, 200, "loss inf  200 samples/s  0:00:01 in all");
    check_line(1, -HUGE_VAL, 200, "loss -inf  200 samples/s  0:00:01 in all");
    check_line(1, 0, 200, "loss 0.0000  200 samples/s  0:00:01 in all");
    check_line(1, -1.5, 200, "loss -1.5000  200 samples/s  0:00:01 in all");
    check_line(1, 0.001, 200, "loss 0.0010  200 samples/s  0:00:01 in all");
    check_line(1, 0.0009876, 200, "loss 9.876e-04  200 samples/s  0:00:01 in all");
    check_line(1, -1e-300, 200, "loss -1.000e-300  200 samples/s  0:00:01 in all");
    check_line(1, 999999, 200, "loss 999999.0000  200 samples/s  0:00:01 in all");
    check_line(1, 1234567, 200, "loss 1.235e+06  200 samples/s  0:00:01 in all");
    check_line(1, 1.7976931348623157e308, 200, "loss 1.798e+308  200 samples/s  0:00:01 in all");
}
END_TEST

START_TEST(rates_and_times)
{
    check_line(10, 1, 0, "loss 1.0000  0.000 samples/s  0:00:10 in all");
    check_line(10, 1, 1, "loss 1.0000  0.100 samples/s  0:00:10 in all");
    check_line(10, 1, 994, "loss 1.0000  99.4 samples/s  0:00:10 in all");
    check_line(10, 1, 9994, "loss 1.0000  999 samples/s  0:00:10 in all");
    check_line(10, 1, 9996, "loss 1.0000  1,000 samples/s  0:00:10 in all");
    check_line(1, 1, 52100, "loss 1.0000  52,100 samples/s  0:00:01 in all");
    check_line(1, 1, 123456789, "loss 1.0000  123,456,789 samples/s  0:00:01 in all");
    check_line(3599, 1, 3599, "loss 1.0000  1.00 samples/s  0:59:59 in all");
    check_line(3661, 1, 3661, "loss 1.0000  1.00 samples/s  1:01:01 in all");
    check_line(35999999, 1, 0, "loss 1.0000  0.000 samples/s");
    check_line(1, 1, INT64_MAX, "loss 1.0000  9.223e+18 samples/s  0:00:01 in all");
}
END_TEST

/* A clock that stands still, runs backwards or is broken: the line shows neither rate nor time. */
START_TEST(broken_clocks)
{
    check_line(0, 1, 5, "loss 1.0000");
    check_line(-5, 1, 5, "loss 1.0000");
    check_line((double)NAN, 1, 5, "loss 1.0000");
    check_line(HUGE_VAL, 1, 5, "loss 1.0000");
    check_line(1e-310, 1, 5, "loss 1.0000"); /* negligible next to 1000 */
}
END_TEST

START_TEST(without_a_fake_clock)
{
    file = open_memstream(&text, &text_size);
    heed_progress *p = heed_progress_new(file, &(heed_progress_options){.steps = 1});
    ck_assert_int_eq(nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL), 0);
    ck_assert_int_eq(heed_progress_step(p, 0.5, 1), HEED_OK);
    heed_progress_free(p);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(strstr(text, "epoch 1/1  step 1/1  loss 0.5000  ") == text, "%s", text);
    ck_assert_msg(strstr(text, " steps/s  0:00:00 in all\n") != NULL, "%s", text);
    free(text);
}
END_TEST

/* The line is cut at 79 columns: the first item that does not fit and all later ones are left out. */
START_TEST(long_lines)
{
    heed_progress *p = begin((heed_progress_options){.epochs = INT64_MAX, .steps = INT64_MAX, .interval = 1});
    step(p, 10, 0.5, 1);
    check_end(p, "epoch 1/9223372036854775807  step 1/9223372036854775807  loss 0.5000\n");
    p = begin((heed_progress_options){.steps = 1, .unit = "a\nb\x1b[31m\x7f a very long unit"});
    step(p, 1, 0.5, 1);
    check_end(p, "epoch 1/1  step 1/1  loss 0.5000  1.00 a\\nb\\u001b[31m\\u007f a /s\n");
    p = begin((heed_progress_options){.steps = 1, .unit = "1234567890123456789012\xC3\xA9"});
    step(p, 1, 0.5, 1);
    check_end(p, "epoch 1/1  step 1/1  loss 0.5000  1.00 1234567890123456789012/s  0:00:01 in all\n");
}
END_TEST

START_TEST(mean_loss)
{
    heed_progress *p = begin((heed_progress_options){.epochs = 2, .steps = 2});
    ck_assert(isnan(heed_progress_loss(p)));
    step(p, 1, 3, 1);
    ck_assert_same(heed_progress_loss(p), 3.0);
    step(p, 1, 4, 1);
    ck_assert_same(heed_progress_loss(p), 3.5);
    step(p, 1, (double)NAN, 1);
    ck_assert(isnan(heed_progress_loss(p)));
    step(p, 1, 4, 1);
    ck_assert(isnan(heed_progress_loss(p)));
    check_end(p, "epoch 1/2  step 2/2  loss 3.5000  1.00 steps/s  0:00:02 left\n"
                 "epoch 2/2  step 2/2  loss nan  1.00 steps/s  0:00:04 in all\n");
}
END_TEST

START_TEST(any_locale)
{
    if (!foreign_locale_begin("de_DE"))
        return;
    check_line(10, 1.5, 123, "loss 1.5000  12.3 samples/s  0:00:10 in all");
    check_line(10, 1.5e-9, 123450, "loss 1.500e-09  12,345 samples/s  0:00:10 in all");
    foreign_locale_end();
}
END_TEST

/* -- A terminal ------------------------------------------------------------------------------------------------- */

START_TEST(terminal)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.epochs = 2, .steps = 4});
    step(p, 0.0625, 12345678, 1);
    check_terminal("\repoch 1/2  step 1/4  loss 1.235e+07  16.0 steps/s  0:00:00 left");
    step(p, 0.0625, 1, 1); /* too soon for a new line */
    check_terminal("");
    step(p, 0.0625, -12345679 + 4.5, 1); /* shorter, so the old line is overwritten with blanks */
    check_terminal("\repoch 1/2  step 3/4  loss 1.5000  16.0 steps/s  0:00:00 left   ");
    step(p, 0.0625, 1.5, 1); /* the end of an epoch is always shown, even so soon after the last line */
    check_terminal("\repoch 1/2  step 4/4  loss 1.5000  16.0 steps/s  0:00:00 left\n");
    step(p, 0.25, 1, 1);
    check_terminal("\repoch 2/2  step 1/4  loss 1.0000  10.0 steps/s  0:00:00 left");
    heed_progress_free(p); /* the run is aborted */
    check_terminal("\n");
    close_terminal(screen);
}
END_TEST

START_TEST(plain_lines_on_a_terminal)
{
    FILE *screen = open_terminal();
    if (!screen)
        return;
    heed_progress *p = progress_at_1000(screen, &(heed_progress_options){.steps = 2, .plain = true});
    step(p, 0.5, 1, 1);
    check_terminal("");
    step(p, 0.5, 1, 1);
    heed_progress_free(p);
    check_terminal("epoch 1/1  step 2/2  loss 1.0000  2.00 steps/s  0:00:01 in all\n");
    close_terminal(screen);
}
END_TEST

/* -- Misuse ----------------------------------------------------------------------------------------------------- */

static void check_options(heed_progress_options options, const char *message)
{
    ck_assert_ptr_null(heed_progress_new(stderr, &options));
    ck_assert_error(HEED_ERR_ARGUMENT, message);
}

START_TEST(bad_options)
{
    ck_assert_ptr_null(heed_progress_new(NULL, &(heed_progress_options){.steps = 1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_new: file is NULL");
    ck_assert_ptr_null(heed_progress_new(stderr, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_new: options is NULL");
    check_options((heed_progress_options){.steps = 0}, "progress_new: steps is 0");
    check_options((heed_progress_options){.steps = INT64_MIN}, "steps is -9223372036854775808");
    check_options((heed_progress_options){.steps = 1, .epochs = -1}, "epochs is -1");
    check_options((heed_progress_options){.steps = 1, .interval = -0.5}, "interval is -0.5");
    check_options((heed_progress_options){.steps = 1, .interval = (double)NAN}, "interval is nan");
}
END_TEST

START_TEST(bad_steps)
{
    ck_assert_int_eq(heed_progress_step(NULL, 0, 0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_step: the progress is NULL");
    ck_assert(isnan(heed_progress_loss(NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_loss: the progress is NULL");
    heed_progress_free(NULL);
    heed_progress *p = begin((heed_progress_options){.steps = 1, .epochs = 1, .unit = "tokens"});
    ck_assert_int_eq(heed_progress_step(p, 1, -1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "progress_step: units is -1");
    step(p, 1, 1, 5); /* the refused step did not count */
    ck_assert_int_eq(heed_progress_step(p, 1, 1), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "progress_step: all 1 steps of 1 epochs are done");
    check_end(p, "epoch 1/1  step 1/1  loss 1.0000  5.00 tokens/s  0:00:01 in all\n");
}
END_TEST

static void check_full_file(int buffering)
{
    FILE *full = fopen("/dev/full", "w");
    ck_assert_int_eq(setvbuf(full, NULL, buffering, BUFSIZ), 0);
    heed_progress *p = heed_progress_new(full, &(heed_progress_options){.epochs = 2, .steps = 1});
    ck_assert_int_eq(heed_progress_step(p, 1, 1), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "progress_step: cannot write the progress line");
    ck_assert_same(heed_progress_loss(p), 1.0); /* the step counts */
    ck_assert_int_eq(heed_progress_step(p, 2, 1), HEED_ERR_IO);
    heed_error_clear();
    heed_progress_free(p);
    (void)fclose(full);
}

/* The write fails immediately, or when the file is flushed. */
START_TEST(full_file)
{
    check_full_file(_IONBF);
    check_full_file(_IOFBF);
}
END_TEST

static bool program(double *value)
{
    heed_progress *p = heed_progress_new(file, &(heed_progress_options){.steps = 2});
    bool stepped = p && heed_progress_step(p, 0.5, 1) == HEED_OK;
    *value = stepped ? heed_progress_loss(p) : 0;
    heed_progress_free(p);
    return stepped;
}

START_TEST(out_of_memory)
{
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fail_alloc_install();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
    (void)fclose(file);
}
END_TEST

HEED_TEST_MAIN("progress", end_of_every_epoch, lines_within_an_epoch, resumes, bad_states, losses, rates_and_times,
               broken_clocks, without_a_fake_clock, long_lines, mean_loss, any_locale, terminal,
               plain_lines_on_a_terminal, bad_options, bad_steps, full_file, out_of_memory)
