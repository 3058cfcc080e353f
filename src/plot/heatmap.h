/* plot/heatmap.h - heatmaps: a grid of matrices is read, laid out and drawn into an area of a picture.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_HEATMAP_H
#define HEED_PLOT_HEATMAP_H

#include <heed/plot.h>

#include "plot/axes.h"
#include "plot/figure.h"

/* The ends of a colour scale. */
typedef struct heed__color_scale {
    heed_colormap map;
    double vmin, vmax;
} heed__color_scale;

/* The common format of the numbers in cells. */
typedef struct heed__number_format {
    bool known;
    bool powers; /* exponential: 1.5e+06 */
    int digits;  /* after the decimal point */
    double widest;
} heed__number_format;

typedef struct heed__heatmap {
    const char *where;
    heed__cells matrices, numbers; /* numbers.t is NULL if cells have no text */
    heed_plot_heatmap_options options;
    heed__number_format format; /* set with the first panel */
    heed__color_scale scale;    /* of all panels together */
    heed__rect area;            /* the pixels that the heatmap may use */
    heed__axes panel;           /* panel.box is the box of the first panel */
    heed__axes bar;             /* the colour bar that was measured or drawn last */
    int bar_x, bar_y;           /* the left side and top of the common bar or of the first panel's bar */
    double bar_height;
    int step_x, step_y; /* distance between the left sides, or the tops, of neighbouring panels */
} heed__heatmap;

/* Checks all options except sizes and scale, and finds the ends of the colour scale. */
heed_status heed__heatmap_read(heed__heatmap *h, heed_tensor *matrices, const heed_plot_heatmap_options *options,
                               const char *where);

/* Finds the colour scale of one panel, or of all panels if panel is -1. Returns false with an error pending. */
bool heed__heatmap_scale(heed__heatmap *h, int64_t panel, heed__color_scale *scale);

/* Lays the heatmap out and draws it into `area`. Returns false with an error pending. */
bool heed__heatmap_draw(heed__heatmap *h, heed__surface *surface, const heed__plot_lengths *lengths, heed__rect area);

/* Releases the memory of heed__heatmap_read. */
void heed__heatmap_free(heed__heatmap *h);

/* Returns the colour at a fraction of the scale, from 0 (lower end) to 1 (upper end). */
uint32_t heed__colormap_color(heed_colormap map, double fraction);

#endif
