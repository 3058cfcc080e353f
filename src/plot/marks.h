/* plot/marks.h - draws series on axes, and their samples in the legend. */
#ifndef HEED_PLOT_MARKS_H
#define HEED_PLOT_MARKS_H

#include "plot/axes.h"
#include "plot/series.h"

/* What is drawn of all series before the next is drawn of any. */
typedef enum heed__layer { HEED__COLUMNS, HEED__BANDS, HEED__CURVES, HEED__LAYERS } heed__layer;

/* Draws what a series has in this layer. HEED_ERR_NOMEM. */
heed_status heed__marks_draw(heed__surface *surface, const heed__axes *axes, const heed__look *look,
                             const heed__series *s, heed__layer layer);

/* The pixel in which a column, a band or an error bar ends: on a log axis, 0 and negative values lie below the
 * picture. */
double heed__marks_end(const heed__axes *axes, const heed__look *look, double value);

/* A line `length` long from (x, y), a marker in its middle and whatever else the series is made of; no higher than
 * `height`, with y in the middle. */
void heed__marks_sample(heed__surface *surface, const heed__series *s, double x, double y, double length, double height,
                        double pt);

#endif
