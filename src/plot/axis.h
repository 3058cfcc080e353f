/* plot/axis.h - one axis: its scale, its ticks and their labels. */
#ifndef HEED_PLOT_AXIS_H
#define HEED_PLOT_AXIS_H

#include "plot/text.h"
#include "plot/ticks.h"

/* Lengths of a figure in pixels. They are matplotlib's defaults, which are in points of 1/72 inch, at 100 pixels per
 * inch. */
typedef struct heed__plot_lengths {
    double pt; /* pixels per point */
    double font, title_font;
    double pad;       /* from tick marks to their labels */
    double label_pad; /* from tick labels to the axis label */
    double title_pad;
    double margin; /* to the edge of the picture */
    int line;      /* width of frames, tick marks and grid lines */
    int tick, minor_tick;
} heed__plot_lengths;

heed__plot_lengths heed__lengths_at(double scale);

/* Rounds `length` to whole pixels, at least 1. */
int heed__whole_pixels(double length);

typedef struct heed__axis {
    double from, to; /* the values at the left or bottom end, and at the opposite end; from > to inverts the axis */
    bool log;
    heed__ticks ticks;
    double font;     /* of tick labels; set with the ticks */
    heed__turn turn; /* rotation of tick labels */
    double longest;  /* names are shortened to this width in pixels */
} heed__axis;

/* The position of a value: 0 at `from`, 1 at `to`; NaN if its logarithm does not exist. */
double heed__axis_fraction(const heed__axis *axis, double value);

/* Widens low..high by `by` times the larger magnitude if they are too close to divide by their difference; both stay
 * finite. */
void heed__widen(double *low, double *high, double by);

/* Chooses ticks for an axis of this many pixels. `along`: labels stand side by side; `whole`: ticks are integers. */
void heed__axis_find_ticks(heed__axis *axis, const heed__plot_lengths *lengths, double pixels, bool along, bool whole);

/* The same for an axis with a name at every whole number from 0 to count - 1, `step` pixels apart. All names are shown,
 * rotated and made smaller if necessary, or as many as fit. No name is wider than `longest` pixels. */
void heed__axis_name_ticks(heed__axis *axis, const heed__plot_lengths *lengths, const char *const *names, int64_t count,
                           double step, bool along, double longest);

/* Tick i, 0 <= i < ticks.count. */
heed__tick heed__axis_tick(const heed__axis *axis, int i);

/* The width of the widest tick label, along its line of text. */
double heed__axis_label_width(const heed__axis *axis);

/* How far a label of this width at a tick of an x axis extends to the left and right of the tick, and from the padding
 * below the tick mark down to its baseline or its end. */
typedef struct heed__label_reach {
    double left, right, down;
} heed__label_reach;
heed__label_reach heed__axis_label_reach(const heed__axis *axis, double width);

#endif
