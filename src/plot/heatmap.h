/* plot/heatmap.h - a grid of matrices: read, laid out and drawn into a part of a picture. */
#ifndef HEED_PLOT_HEATMAP_H
#define HEED_PLOT_HEATMAP_H

#include <heed/plot.h>

#include "plot/axes.h"
#include "plot/cells.h"

/* How all numbers in cells are written. */
typedef struct heed__number_format {
    bool known;
    bool powers; /* 1.5e+06 */
    int digits;  /* after the point */
    double widest;
} heed__number_format;

typedef struct heed__heatmap {
    const char *where;
    heed__cells matrices, numbers; /* numbers.t is NULL where cells have no text */
    heed_plot_heatmap_options options;
    heed__number_format format; /* found with the first panel */
    const heed__look *look;
    double vmin, vmax;     /* of all panels, or of the one at hand */
    heed__rect area;       /* the part of the picture */
    heed__axes panel, bar; /* panel.box is that of the first one */
    int step_x, step_y;    /* from one panel to the next */
} heed__heatmap;

/* Checks everything but sizes and scale, and finds the range of the colours. */
heed_status heed__heatmap_read(heed__heatmap *h, heed_tensor *matrices, const heed_plot_heatmap_options *options,
                               const char *where);

/* Ends of the colour scale of one panel, or of all with panel -1. False with an error pending. */
bool heed__heatmap_range(heed__heatmap *h, int64_t panel);

/* The mean of the finite values of a panel; 0 without any. False with an error pending. */
bool heed__heatmap_mean(heed__heatmap *h, int64_t panel, double *mean);

/* Where everything is drawn. False with an error pending. */
bool heed__heatmap_lay_out(heed__heatmap *h, const heed__look *look, heed__rect area);

/* Lays it out and draws it into `area`. False with an error pending. */
bool heed__heatmap_draw(heed__heatmap *h, heed__surface *surface, const heed__look *look, heed__rect area);

/* Light grey for what is not a number. */
uint32_t heed__heatmap_color(const heed__heatmap *h, double value);

/* Writes numbers into the cells of a panel, whose pixels are `box`. False with an error pending. */
bool heed__heatmap_write_numbers(heed__heatmap *h, heed__surface *surface, int64_t panel, heed__rect box);

/* Lets go what was read. */
void heed__heatmap_free(heed__heatmap *h);

#endif
