/* plot/axis.h - one axis: its scale, its limits, its ticks and their labels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_AXIS_H
#define HEED_PLOT_AXIS_H

#include "plot/series.h"
#include "plot/text.h"
#include "plot/ticks.h"

/* Lengths of a figure in pixels. They are matplotlib's defaults, which are in points of 1/72 inch, at 100 pixels per
 * inch. */
typedef struct heed__plot_lengths {
    double pt; /* pixels per point */
    double font, title_font;
    double pad;       /* distance from tick marks to their labels */
    double label_pad; /* distance from tick labels to the axis label */
    double title_pad;
    double margin; /* distance to the edge of the picture */
    int line;      /* width of frames, tick marks and grid lines */
    int tick, minor_tick;
} heed__plot_lengths;

heed__plot_lengths heed__lengths_at(double scale);

/* Rounds `length` to whole pixels, at least 1. */
int heed__whole_pixels(double length);

typedef struct heed__axis {
    double from, to; /* the values at the left or bottom end, and at the opposite end; from > to inverts the axis */
    bool log, dates;
    bool numbered;   /* the axis counts the cells of a heatmap */
    bool horizontal; /* tick labels are side by side along the axis */
    heed__ticks ticks;
    double font;     /* size of tick labels; set by the functions that choose ticks */
    heed__turn turn; /* rotation of tick labels */
    double longest;  /* maximum width of a name in pixels; longer names are shortened */
} heed__axis;

/* Returns the position of a value on the axis: 0 at `from`, 1 at `to`. Returns NaN if the axis is logarithmic and the
 * value is not positive. */
double heed__axis_fraction(const heed__axis *axis, double value);

/* If *low and *high are so close that dividing by their difference is inaccurate, moves both apart by `by` times the
 * larger magnitude. They stay finite. */
void heed__widen(double *low, double *high, double by);

/* Returns true if the caller set these limits of an axis; if both are 0, it did not. */
static inline bool heed__has_limits(const double limits[2])
{
    return limits[0] != 0 || limits[1] != 0;
}

/* Checks the options of the axis called `name`, "x" or "y", and sets the axis's scale, and its limits if the caller set
 * them. The caller did not set them if both are 0. */
heed_status heed__axis_read_limits(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                                   const char *where);

/* Sets the limits that the caller did not set, so that all points are visible. Adds margins, except where columns
 * begin. */
void heed__axes_fit_limits(heed__axis *x, heed__axis *y, const double xlim[2], const double ylim[2],
                           const heed__series *series, int n);

/* Returns true if an axis can show the value. */
bool heed__axis_shows(const heed__axis *axis, double value);

/* Sets ticks with at most `most` steps between them. `whole` means that ticks must be integers. */
void heed__axis_set_ticks(heed__axis *axis, int most, bool whole);

/* Chooses ticks for an axis of `pixels` pixels. */
void heed__axis_find_ticks(heed__axis *axis, const heed__plot_lengths *lengths, double pixels, bool whole);

/* Chooses ticks for an axis with names[i] at every whole number i from 0 to count - 1, `step` pixels apart. Names that
 * are too long for this distance are rotated and made smaller. If this is not sufficient, only every second, third ...
 * name is shown. Names wider than `longest` pixels are shortened. */
void heed__axis_name_ticks(heed__axis *axis, const heed__plot_lengths *lengths, const char *const *names, int64_t count,
                           double step, double longest);

/* Returns tick i, 0 <= i < ticks.count. */
heed__tick heed__axis_tick(const heed__axis *axis, int i);

/* Returns the width of the widest tick label, measured along its text. */
double heed__axis_label_width(const heed__axis *axis);

/* By how many pixels a label of an x axis extends to the left and to the right of its tick, and down from lengths.pad
 * below the tick mark. A horizontal label extends down to its baseline, a rotated one to its end. */
typedef struct heed__label_reach {
    double left, right, down;
} heed__label_reach;
heed__label_reach heed__axis_label_reach(const heed__axis *axis, double width);

#endif
