/* plot/columns.h - draws bars and bins of histograms, in whole pixels. */
#ifndef HEED_PLOT_COLUMNS_H
#define HEED_PLOT_COLUMNS_H

#include "plot/axes.h"
#include "plot/series.h"

/* Draws the columns of a series. A column within the axes is at least a pixel wide and high. Columns at most a pixel
 * wide that lie in the same pixel column are drawn as one, from the lowest to the highest. Returns HEED_ERR_NOMEM if
 * memory runs out. */
heed_status heed__columns_draw(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                               const heed__series *s);

#endif
