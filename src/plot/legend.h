/* plot/legend.h - the box that names the series. */
#ifndef HEED_PLOT_LEGEND_H
#define HEED_PLOT_LEGEND_H

#include "plot/axes.h"
#include "plot/marks.h"

/* Pixels of a box's height that the legend takes, with its distance from the edge; 0 where there is none. */
double heed__legend_height(heed__rect box, const heed__look *look, const heed__series *series, int count);

/* Draws over the series, at whichever of nine positions covers the least of them. Series without a label are left out;
 * nothing is drawn when none has one. */
void heed__legend_draw(heed__surface *surface, heed__rect box, const heed__look *look, const heed__series *series,
                       int count);

#endif
