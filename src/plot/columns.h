/* plot/columns.h - bars and the bins of histograms, as whole pixels. */
#ifndef HEED_PLOT_COLUMNS_H
#define HEED_PLOT_COLUMNS_H

#include "plot/axes.h"
#include "plot/series.h"

/* Draws the columns of a series. A column within the axes is at least a pixel wide and high. Columns no wider than a
 * pixel that stand in the same one are drawn as one, from the lowest to the highest. HEED_ERR_NOMEM. */
heed_status heed__columns_draw(heed__surface *surface, const heed__axes *axes, const heed__look *look,
                               const heed__series *s);

#endif
