/* io/progress.h - the loss curve of a run and the clock of a progress, for tests.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_PROGRESS_H
#define HEED_IO_PROGRESS_H

#include <heed/progress.h>

#define HEED__CURVE_INTERVALS 160

/* Mean losses over intervals of equal length. When the arrays are full, adjacent pairs are merged and the interval
 * length doubles. */
typedef struct heed__progress_curve {
    double losses[HEED__CURVE_INTERVALS]; /* sum of the losses of every interval, in order of time */
    int64_t counts[HEED__CURVE_INTERVALS];
    int used;
    int64_t interval_steps; /* steps per interval; 0 before the first step */
    double first;           /* number of steps before the first interval */
} heed__progress_curve;

/* Starts an empty curve after `steps_before` steps of the run. */
void heed__curve_start(heed__progress_curve *curve, double steps_before);

void heed__curve_add(heed__progress_curve *curve, double loss);

/* Draws the curve in `rows` lines of at most `columns` columns. The x axis is in epochs of `steps_per_epoch` steps, or
 * in steps if steps_per_epoch is 0. */
heed_status heed__curve_draw(const heed__progress_curve *c, FILE *file, int rows, int columns, double steps_per_epoch);

/* Returns the number of columns available to a curve of `rows` rows below a line of text in this terminal. Returns 0 if
 * the curve does not fit. */
int heed__curve_columns(FILE *file, int rows);

/* Replaces the system's time by `clock`, in seconds, and restarts the time count. */
void heed__progress_set_clock(heed_progress *progress, double (*clock)(void));

#endif
