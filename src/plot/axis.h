/* plot/axis.h - one side of a box: its scale, and what is written along it. */
#ifndef HEED_PLOT_AXIS_H
#define HEED_PLOT_AXIS_H

#include "plot/text.h"
#include "plot/ticks.h"

/* Lengths of a figure in pixels: matplotlib's defaults, given there in points of 1/72 inch, at 100 pixels per inch. */
typedef struct heed__look {
    double pt; /* pixels in such a point */
    double font, title_font;
    double pad;       /* from marks to numbers */
    double label_pad; /* from numbers to the axis label */
    double title_pad;
    double margin; /* to the edge of the picture */
    int line;      /* width of frames, marks and the grid */
    int tick, minor_tick;
} heed__look;

heed__look heed__look_at(double scale);

/* Whole pixels nearest to `length`, not below 1. */
int heed__whole_pixels(double length);

typedef struct heed__axis {
    double from, to; /* the values at the left or bottom end, and at the other; from > to runs backwards */
    bool log;
    heed__ticks ticks;
    double font;     /* of what is written at the ticks, once they are found */
    heed__turn turn; /* and how it is turned */
    double longest;  /* names are cut to this many pixels */
} heed__axis;

/* 0 at `from`, 1 at `to`; not a number where a logarithm does not exist. */
double heed__axis_fraction(const heed__axis *axis, double value);

/* Widens low..high by `by` times the larger magnitude where they are too close to be divided; both stay finite. */
void heed__widen(double *low, double *high, double by);

/* Chooses ticks for a side of this many pixels. `along`: the numbers stand side by side; `whole`: they are integers. */
void heed__axis_find_ticks(heed__axis *axis, const heed__look *look, double pixels, bool along, bool whole);

/* The same for a side with a name at each whole number from 0 to count - 1, `step` pixels apart: all of them, turned
 * and made smaller where they must be, or as many as there is room for. No name is longer than `longest` pixels. */
void heed__axis_name_ticks(heed__axis *axis, const heed__look *look, const char *const *names, int64_t count,
                           double step, bool along, double longest);

/* Tick i, 0 <= i < ticks.count. */
heed__tick heed__axis_tick(const heed__axis *axis, int i);

/* The widest number or name, along its line. */
double heed__axis_label_width(const heed__axis *axis);

/* How far a text of this width at a tick of an x axis reaches to the left of the tick, to its right, and below the
 * marks' padding down to its baseline or its end. */
typedef struct heed__label_reach {
    double left, right, down;
} heed__label_reach;
heed__label_reach heed__axis_label_reach(const heed__axis *axis, double width);

#endif
