/* plot/colormap.h - colour maps. */
#ifndef HEED_PLOT_COLORMAP_H
#define HEED_PLOT_COLORMAP_H

#include <heed/plot.h>

/* Returns the colour at a fraction of the scale, from 0 (lower end) to 1 (upper end). */
uint32_t heed__colormap_color(heed_colormap map, double fraction);

#endif
