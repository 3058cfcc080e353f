/* plot/stroke.h - solid and dashed lines with a width. */
#ifndef HEED_PLOT_STROKE_H
#define HEED_PLOT_STROKE_H

#include "plot/mask.h"

typedef struct heed__point {
    double x, y;
} heed__point;

/* Alternating lengths of dashes and gaps, in multiples of the line width; count 0 means solid. */
typedef struct heed__dashes {
    int count;
    double lengths[4];
} heed__dashes;

typedef struct heed__pen_style {
    double width;
    heed__dashes dashes;
} heed__pen_style;

/* Restricts the range *t0 .. *t1 to those t for which a + t b lies within low .. high. If there are none, *t0 > *t1. */
void heed__clip_parameter(double a, double b, double low, double high, double *t0, double *t1);

/* Clamps a finite point to bounds that are so close that differences of points are finite. */
heed__point heed__point_clamp(heed__point p);

/* Adds a line through the points to the mask. Ends and corners of the line are round, and ends of dashes are square.
 * The line has a gap at a non-finite point. */
void heed__stroke(heed__mask *mask, const heed__point *points, size_t count, const heed__pen_style *style);

#endif
