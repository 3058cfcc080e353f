/* heed/progress.h - progress of a training run: a line that is redrawn on a terminal, or plain lines in a file.
 *
 *     heed_progress *progress = heed_progress_new(stdout, &(heed_progress_options){
 *         .epochs = 10, .steps = 938, .unit = "samples"});
 *     for (int epoch = 1; epoch <= 10; epoch++)
 *         for (int step = 1; step <= 938; step++) {
 *             ...
 *             heed_progress_step(progress, heed_item(loss), 64);
 *         }
 *     heed_progress_free(progress);
 *
 *     epoch 3/10  step 412/938  loss 0.3412  52,100 samples/s  0:02:10 left
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PROGRESS_H
#define HEED_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

/* A progress line and the position of the run. */
typedef struct heed_progress heed_progress;

/* Options of heed_progress_new. */
typedef struct heed_progress_options {
    int64_t epochs;   /* epochs of the run; 0: 1 */
    int64_t steps;    /* steps per epoch, 1 or more; required */
    const char *unit; /* the unit of the rate, "samples" or "tokens" (copied); NULL: steps */
    double interval;  /* seconds between plain lines within an epoch; 0: 10. Every epoch ends with a line */
    bool plain;       /* plain lines even on a terminal */
    int curve; /* height of a plot of the loss (heed_plot_text) below the progress line: 8 .. 100 lines; 0: no plot.
                  Drawn only on a terminal with enough lines */
    HEED_RESERVED;
} heed_progress_options;

/* Returns a progress before its first step, and starts its clock.
 * `file` must stay open until heed_progress_free; isatty decides whether it is a terminal.
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL file or options, negative epochs, steps below 1, a negative interval
 * or a curve out of its range; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_progress *heed_progress_new(FILE *file, const heed_progress_options *options);

/* Counts a step with its loss and the number of `units` it processed (0 or more; ignored without a unit), and updates
 * the line.
 * The line shows the mean loss of the epoch so far, and
 *
 *     rate = units / t        time left = t (remaining steps / steps done)
 *
 * where t, units and steps are counted from the start, or from heed_progress_set_state. On a terminal the line is
 * redrawn at most ten times a second, and at the end of every epoch, where it stays. The points of the curve are mean
 * losses of equally long intervals of the whole run. The curve is redrawn with the line. At the end of an epoch it is
 * removed, so that it does not mix with the program's output; at the end of the run it stays.
 * Errors: HEED_ERR_ARGUMENT for NULL or negative units, HEED_ERR_STATE after the last step of the last epoch,
 * HEED_ERR_IO if the file cannot be written; with a curve HEED_ERR_NOMEM. */
HEED_API heed_status heed_progress_step(heed_progress *progress, double loss, int64_t units);

/* Returns the mean loss of the current epoch's steps, or, between two epochs, of the epoch that has ended; NaN before
 * the first step.
 * Errors: NaN with HEED_ERR_ARGUMENT for NULL. */
HEED_API double heed_progress_loss(const heed_progress *progress);

/* Ends the line on a terminal and frees the progress; the file stays open. NULL is ignored. */
HEED_API void heed_progress_free(heed_progress *progress);

/* -- Expert calls: resuming ---------------------------------------------------------------------------------------- */

/* The position of a run, as stored in a checkpoint. */
typedef struct heed_progress_state {
    int64_t epoch, step; /* epoch (1 .. epochs) and step (1 .. steps) of the last completed step; both 0 before the
                            first */
    double loss;         /* sum of the losses of that epoch's steps */
} heed_progress_state;

/* Writes the position of the run to *state.
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_progress_get_state(const heed_progress *progress, heed_progress_state *state);

/* Continues from a state and restarts the clock, so that rate and time left are measured from the resumption.
 * Errors: HEED_ERR_ARGUMENT for NULL, and for an epoch or step that this progress does not have. */
HEED_API heed_status heed_progress_set_state(heed_progress *progress, const heed_progress_state *state);

HEED_END_DECLS

#endif
