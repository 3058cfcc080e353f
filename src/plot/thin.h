/* plot/thin.h - removes points of a dense curve that do not affect its picture. */
#ifndef HEED_PLOT_THIN_H
#define HEED_PLOT_THIN_H

#include "plot/stroke.h"

/* If more than 16 consecutive points lie in a vertical strip a quarter of a pixel wide, keeps only the first, the last,
 * the highest and the lowest, in their order; then does the same for horizontal strips. Returns the number of remaining
 * points. */
size_t heed__thin(heed__point *points, size_t count);

#endif
