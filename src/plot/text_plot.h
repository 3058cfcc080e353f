/* plot/text_plot.h - series as dots, and the lines of text around them. */
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
    bool terminal; /* colours, and lines filled with blanks */
    int left;      /* columns of the y axis's numbers */
    heed__sink out;
} heed__text_plot;

/* Draws the series on plot->dots; series i owns its dots as i. */
void heed__text_plot_dots(heed__text_plot *plot);

/* The row of dots in which a value lies; not a number where a logarithm does not exist. */
double heed__text_plot_row(const heed__text_plot *plot, double value);

/* Lays out, draws and writes everything to plot->out, as exactly options.rows lines. False with HEED_ERR_NOMEM
 * pending. */
bool heed__text_plot_write(heed__text_plot *plot);

/* The nearest of the 240 fixed colours of a terminal. */
int heed__text_plot_color(uint32_t rgb);

#endif
