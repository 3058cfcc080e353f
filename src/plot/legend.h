/* plot/legend.h - the legend: a box with the names of the series. */
#ifndef HEED_PLOT_LEGEND_H
#define HEED_PLOT_LEGEND_H

#include "plot/axes.h"
#include "plot/marks.h"

/* Returns the height of the legend in pixels, including its distance from the edge of `box`. Returns 0 if there is no
 * legend. */
double heed__legend_height(heed__rect box, const heed__plot_lengths *lengths, const heed__series *series, int count);

/* Draws the legend over the series, at that one of nine positions at which it covers the least of them. Series without
 * a label have no entry. Draws nothing if no series has a label. */
void heed__legend_draw(heed__surface *surface, heed__rect box, const heed__plot_lengths *lengths,
                       const heed__series *series, int count);

#endif
