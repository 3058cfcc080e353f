/* plot/colormap.h - numbers to colours. */
#ifndef HEED_PLOT_COLORMAP_H
#define HEED_PLOT_COLORMAP_H

#include <heed/plot.h>

/* The colour at a fraction of the scale: 0 is its lower end, 1 its upper end. */
uint32_t heed__colormap_color(heed_colormap map, double fraction);

#endif
