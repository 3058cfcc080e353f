/* plot/text_plot.h - plots as lines of text: series as dots, with axes and labels. */
#ifndef HEED_PLOT_TEXT_PLOT_H
#define HEED_PLOT_TEXT_PLOT_H

#include "plot/axis.h"
#include "plot/dots.h"
#include "plot/series.h"
#include "plot/sink.h"

typedef struct heed__text_plot {
    heed_plot_text_options options; /* columns and rows are set */
    int count;
    heed__series *series;
    heed__axis x, y;
    heed__dots dots;
    bool terminal; /* use colours, and fill lines with blanks */
    int left;      /* width of the y axis's labels in columns */
    heed__sink out;
} heed__text_plot;

/* Draws the series on plot->dots; the owner of series i's dots is i. */
void heed__text_plot_dots(heed__text_plot *plot);

/* The row of dots for a value; NaN if its logarithm does not exist. */
double heed__text_plot_row(const heed__text_plot *plot, double value);

/* Lays out, draws and writes the plot to plot->out, as exactly options.rows lines. Returns false with HEED_ERR_NOMEM
 * pending. */
bool heed__text_plot_write(heed__text_plot *plot);

/* The nearest of the 240 fixed colours of a terminal. */
int heed__text_plot_color(uint32_t rgb);

#endif
