/* plot/legend.h - the box that names the curves. */
#ifndef HEED_PLOT_LEGEND_H
#define HEED_PLOT_LEGEND_H

#include "plot/axes.h"
#include "plot/series.h"

/* Draws over the curves, at whichever of nine positions covers the least of them. Curves without a label are left out;
 * nothing is drawn when none has one. */
void heed__legend_draw(heed__canvas *canvas, heed__rect box, const heed__look *look, const heed__series_look *series,
                       int count);

#endif
