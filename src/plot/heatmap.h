/* plot/heatmap.h - heatmaps: a grid of matrices is read, laid out and drawn into an area of a picture. */
#ifndef HEED_PLOT_HEATMAP_H
#define HEED_PLOT_HEATMAP_H

#include <heed/plot.h>

#include "plot/axes.h"
#include "plot/cells.h"

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
    const heed__plot_lengths *lengths;
    double vmin, vmax;     /* ends of the colour scale, of all panels or of the current one */
    heed__rect area;       /* the pixels that the heatmap may use */
    heed__axes panel, bar; /* panel.box is the box of the first panel */
    int step_x, step_y;    /* distance between the left sides, or the tops, of neighbouring panels */
} heed__heatmap;

/* Checks all options except sizes and scale, and finds the ends of the colour scale. */
heed_status heed__heatmap_read(heed__heatmap *h, heed_tensor *matrices, const heed_plot_heatmap_options *options,
                               const char *where);

/* Sets the ends of the colour scale of one panel, or of all panels if panel is -1. Returns false with an error
 * pending. */
bool heed__heatmap_range(heed__heatmap *h, int64_t panel);

/* Computes the mean of the finite values of a panel, or 0 without finite values. Returns false with an error
 * pending. */
bool heed__heatmap_mean(heed__heatmap *h, int64_t panel, double *mean);

/* Computes all positions. Returns false with an error pending. */
bool heed__heatmap_lay_out(heed__heatmap *h, const heed__plot_lengths *lengths, heed__rect area);

/* Lays the heatmap out and draws it into `area`. Returns false with an error pending. */
bool heed__heatmap_draw(heed__heatmap *h, heed__surface *surface, const heed__plot_lengths *lengths, heed__rect area);

/* Returns the colour of a value; light grey for NaN. */
uint32_t heed__heatmap_color(const heed__heatmap *h, double value);

/* Writes numbers into the cells of a panel, whose pixels are `box`. Returns false with an error pending. */
bool heed__heatmap_write_numbers(heed__heatmap *h, heed__surface *surface, int64_t panel, heed__rect box);

/* Releases the memory of heed__heatmap_read. */
void heed__heatmap_free(heed__heatmap *h);

#endif
