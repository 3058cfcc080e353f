/* plot/axes.h - a box of pixels with a scale along each side. */
#ifndef HEED_PLOT_AXES_H
#define HEED_PLOT_AXES_H

#include "plot/canvas.h"
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
} heed__axis;

/* 0 at `from`, 1 at `to`; not a number where a logarithm does not exist. */
double heed__axis_fraction(const heed__axis *axis, double value);

/* Widens low..high by `by` times the larger magnitude where they are too close to be divided; both stay finite. */
void heed__widen(double *low, double *high, double by);

/* Chooses ticks for a side of this many pixels. `along`: the numbers stand side by side; `whole`: they are integers. */
void heed__axis_find_ticks(heed__axis *axis, const heed__look *look, double pixels, bool along, bool whole);

/* The same for a side with a name at each whole number from 0 to count - 1: as many as there is room for. */
void heed__axis_name_ticks(heed__axis *axis, const heed__look *look, const char *const *names, int64_t count,
                           double pixels, bool along);

/* The widest number. */
double heed__axis_label_width(const heed__axis *axis, const heed__look *look);

typedef struct heed__axes {
    heed__rect box; /* the data's pixels; the frame lies around them */
    heed__axis x, y;
    bool no_x_labels, no_y_labels; /* marks without numbers */
    bool right;                    /* the marks of y are on the right */
} heed__axes;

/* Where a value lies, in pixels. */
double heed__axes_x(const heed__axes *axes, const heed__look *look, double value);
double heed__axes_y(const heed__axes *axes, const heed__look *look, double value);

void heed__axes_grid(heed__canvas *canvas, const heed__axes *axes, const heed__look *look);

/* Frame, marks and numbers. */
void heed__axes_draw(heed__canvas *canvas, const heed__axes *axes, const heed__look *look);

/* Axis labels and title, made smaller where they do not fit into `room` less a margin on each side. */
void heed__axes_xlabel(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                       double room);
void heed__axes_ylabel(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                       double room);
void heed__axes_title(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                      double room);

/* Space that axes need below their box, and to the left of it, for marks, numbers and a label if there is one. */
double heed__axes_below(const heed__axis *x, const heed__look *look, const char *label);
double heed__axes_beside(const heed__axis *y, const heed__look *look, const char *label);

#endif
