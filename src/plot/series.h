/* plot/series.h - one curve: its look, and how it is drawn, in the axes and in the legend. */
#ifndef HEED_PLOT_SERIES_H
#define HEED_PLOT_SERIES_H

#include <heed/plot.h>

#include "plot/stroke.h"

typedef struct heed__series_look {
    const char *label;
    heed_line_style style;
    heed_marker marker;
    uint32_t color;
    double alpha;
    double line_width; /* in points */
} heed__series_look;

/* Draws the line through the points, and the markers on them; points that are not finite are left out. `pt` is the
 * number of pixels in a typographic point. */
void heed__series_draw(heed__canvas *canvas, const heed__point *points, size_t count, const heed__series_look *look,
                       double pt);

#endif
