/* plot/stroke.h - lines with a width, solid or dashed. */
#ifndef HEED_PLOT_STROKE_H
#define HEED_PLOT_STROKE_H

#include "plot/mask.h"

typedef struct heed__point {
    double x, y;
} heed__point;

/* Lengths of dashes and gaps in turn, in multiples of the line's width; count 0 is solid. */
typedef struct heed__dashes {
    int count;
    double lengths[4];
} heed__dashes;

typedef struct heed__pen_style {
    double width;
    heed__dashes dashes;
} heed__pen_style;

/* Restricts t0..t1 to where a + t b lies within low..high; t0 > t1 when it does nowhere. */
void heed__clip_parameter(double a, double b, double low, double high, double *t0, double *t1);

/* The point, held within bounds whose differences are finite; it is finite itself. */
heed__point heed__point_hold(heed__point p);

/* Adds a line through the points to the mask. Ends and corners are round, ends of dashes square. A point that is not
 * finite breaks the line. */
void heed__stroke(heed__mask *mask, const heed__point *points, size_t count, const heed__pen_style *style);

#endif
