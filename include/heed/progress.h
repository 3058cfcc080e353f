/* heed/progress.h - how far a training run is: one line that is redrawn on a terminal, plain lines elsewhere.
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
 */
#ifndef HEED_PROGRESS_H
#define HEED_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <heed/error.h>

HEED_BEGIN_DECLS

/* A line, and how far the run is. */
typedef struct heed_progress heed_progress;

/* What heed_progress_new is told. */
typedef struct heed_progress_options {
    int64_t epochs;   /* of the run; 0: 1 */
    int64_t steps;    /* of an epoch, 1 or more: there is no default */
    const char *unit; /* what the rate counts, "samples" or "tokens" (copied); NULL: steps */
    double interval;  /* seconds between plain lines within an epoch; 0: 10. Each epoch ends with a line in any case */
    bool plain;       /* plain lines on a terminal, too */
    int curve; /* on a terminal, lines of a plot of the loss below the line (heed_plot_text), 8 .. 100; none where
                         the terminal is too low for it. 0: none */
    HEED_RESERVED;
} heed_progress_options;

/* A progress before its first step; the clock starts. `file` must stay open until heed_progress_free, and is a terminal
 * when isatty says so. NULL with HEED_ERR_ARGUMENT for a NULL file or options, negative epochs, steps below 1, a
 * negative interval or a curve out of its range; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_progress *heed_progress_new(FILE *file, const heed_progress_options *options);

/* Counts one step, with its loss, and `units` that it processed (0 or more; ignored without a unit). Shown are the
 * mean loss of the epoch so far, and
 *     rate = units / t        time left = t (steps to do / steps done)
 * with t, units and steps counted since the start, or since heed_progress_set_state. A terminal's line is redrawn at
 * most ten times a second, and at the end of each epoch, where it stays. HEED_ERR_ARGUMENT for NULL or negative units,
 * HEED_ERR_STATE after the last step of the last epoch, HEED_ERR_IO when the file cannot be written; with a curve
 * HEED_ERR_NOMEM. The curve's points are means over stretches of equal length, over the whole run; it is drawn with the
 * line, goes away while an epoch ends, so that what the program prints then stands alone, and stays at the end. */
HEED_API heed_status heed_progress_step(heed_progress *progress, double loss, int64_t units);

/* The mean loss of the current epoch's steps; between two epochs, that of the one that has ended. NaN before the
 * first step, and with HEED_ERR_ARGUMENT for NULL. */
HEED_API double heed_progress_loss(const heed_progress *progress);

/* How far a run is: what a checkpoint stores. */
typedef struct heed_progress_state {
    int64_t epoch, step; /* of the last step done: 1 .. epochs, 1 .. steps; 0 and 0 before the first */
    double loss;         /* sum of the losses of that epoch's steps */
} heed_progress_state;

/* Writes how far the run is. HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_progress_get_state(const heed_progress *progress, heed_progress_state *state);

/* Goes on from a state, and starts the clock again, so that rate and time left are those of the resumed run.
 * HEED_ERR_ARGUMENT for NULL, and for an epoch or a step that this progress does not have. */
HEED_API heed_status heed_progress_set_state(heed_progress *progress, const heed_progress_state *state);

/* Ends the line on a terminal and frees the progress; the file stays open. NULL is ignored. */
HEED_API void heed_progress_free(heed_progress *progress);

HEED_END_DECLS

#endif
