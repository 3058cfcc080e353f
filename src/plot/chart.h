/* plot/chart.h - one panel of series on axes: read, laid out and drawn. */
#ifndef HEED_PLOT_CHART_H
#define HEED_PLOT_CHART_H

#include "plot/axes.h"
#include "plot/series.h"

typedef struct heed__chart {
    int count;
    heed__series *series; /* its memory is the caller's */
    heed_plot_lines_options options;
    heed__axes axes;
    double fitted; /* the end of the y axis that the data ask for */
} heed__chart;

/* From the sides of a panel to the box of its axes. */
typedef struct heed__margins {
    double left, right, top, bottom;
} heed__margins;

/* Checks and reads, and finds the limits. `chart->series` and `chart->count` are set; tensors' values live as long as
 * the innermost scope. */
heed_status heed__chart_read(heed__chart *chart, const heed_plot_series *series, const heed_plot_lines_options *options,
                             const char *where);

/* The margins that it needs in a panel of this size. */
heed__margins heed__chart_margins(heed__chart *chart, const heed__look *look, int width, int height);

/* Draws it into that part of the picture. HEED_ERR_NOMEM. */
heed_status heed__chart_draw(heed__chart *chart, heed__surface *surface, const heed__look *look, heed__rect panel,
                             const heed__margins *margins);

#endif
