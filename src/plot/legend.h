/* plot/legend.h - the legend: a box with the names of the series. */
#ifndef HEED_PLOT_LEGEND_H
#define HEED_PLOT_LEGEND_H

#include "plot/axes.h"
#include "plot/marks.h"

/* The height of the legend in pixels, including its distance from the edge of the box; 0 without a legend. */
double heed__legend_height(heed__rect box, const heed__plot_lengths *lengths, const heed__series *series, int count);

/* Draws over the series, at the one of nine positions that covers the least of them. Series without a label are left
 * out; if all are, nothing is drawn. */
void heed__legend_draw(heed__surface *surface, heed__rect box, const heed__plot_lengths *lengths,
                       const heed__series *series, int count);

#endif
