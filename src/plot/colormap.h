/* plot/colormap.h - numbers to colours. */
#ifndef HEED_PLOT_COLORMAP_H
#define HEED_PLOT_COLORMAP_H

#include <heed/plot.h>

/* The colour at `part` of the scale: 0 its lower end, 1 its upper end. */
uint32_t heed__colormap_color(heed_colormap map, double part);

#endif
