/* plot/text_plot.h - plots as lines of text: series as dots, with axes and labels. */
#ifndef HEED_PLOT_TEXT_PLOT_H
#define HEED_PLOT_TEXT_PLOT_H

#include "plot/axis.h"
#include "plot/dots.h"
#include "plot/series.h"
#include "plot/sink.h"

typedef struct heed__text_plot {
    heed_plot_text_options options; /* columns and rows are not 0 */
    int count;
    heed__series *series;
    heed__axis x, y;
    heed__dots dots;
    bool terminal; /* use colours, and fill lines with blanks */
    int left;      /* width of the y axis's labels in columns */
    heed__sink out;
} heed__text_plot;

/* Draws the series on plot->dots. Series i is the owner i of its dots. */
void heed__text_plot_dots(heed__text_plot *plot);

/* Returns the row of dots for a value. Returns NaN if the axis is logarithmic and the value is not positive. */
double heed__text_plot_row(const heed__text_plot *plot, double value);

/* Lays out, draws and writes the plot to plot->out, as exactly options.rows lines. Returns false with HEED_ERR_NOMEM
 * pending. */
bool heed__text_plot_write(heed__text_plot *plot);

/* Returns the index of the terminal's nearest colour, among the 240 colours that do not depend on its settings. */
int heed__text_plot_color(uint32_t rgb);

#endif
