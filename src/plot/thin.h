/* plot/thin.h - leaves out points of a dense curve that its picture does not show. */
#ifndef HEED_PLOT_THIN_H
#define HEED_PLOT_THIN_H

#include "plot/stroke.h"

/* Of more than 16 consecutive points within a column of pixels a quarter of a pixel wide, only the first, the last, the
 * highest and the lowest stay, in their order. The same is then done for rows. Returns how many points are left. */
size_t heed__thin(heed__point *points, size_t count);

#endif
