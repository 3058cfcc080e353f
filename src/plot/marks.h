/* plot/marks.h - draws series on axes, and their samples in the legend. */
#ifndef HEED_PLOT_MARKS_H
#define HEED_PLOT_MARKS_H

#include "plot/axes.h"
#include "plot/series.h"

/* Layers of a picture. A layer is drawn for all series before the next layer. */
typedef enum heed__layer { HEED__COLUMNS, HEED__BANDS, HEED__CURVES, HEED__LAYERS } heed__layer;

/* Draws the parts of a series that belong to this layer. Returns HEED_ERR_NOMEM if memory runs out. */
heed_status heed__marks_draw(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                             const heed__series *s, heed__layer layer);

/* Returns the pixel row in which a column, a band or an error bar ends. On a log axis, for 0 and negative values, it is
 * outside of the axes, beyond their low end. */
double heed__marks_end(const heed__axes *axes, const heed__plot_lengths *lengths, double value);

/* Draws the sample of a series in a legend: a line of `length` from (x, y), a marker in its middle, and the box or
 * error bar of the series. The sample is at most `height` high and vertically centred at y. */
void heed__marks_sample(heed__surface *surface, const heed__series *s, double x, double y, double length, double height,
                        double pt);

#endif
