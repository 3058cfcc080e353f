/* plot/chart.h - a chart: one panel of series on axes, with a legend.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_CHART_H
#define HEED_PLOT_CHART_H

#include "plot/axes.h"
#include "plot/series.h"

typedef struct heed__chart {
    int count;
    heed__series *series; /* the caller owns the memory */
    heed_plot_lines_options options;
    heed__axes axes;
    double fitted; /* axes.y.to that fits the data; a legend above bars may increase axes.y.to */
} heed__chart;

/* Distances from the sides of a panel to the box of its axes. */
typedef struct heed__margins {
    double left, right, top, bottom;
} heed__margins;

/* Checks and reads the arguments and finds the limits. `chart->series` and `chart->count` must be set; values of
 * tensors live until the innermost scope ends. */
heed_status heed__chart_read(heed__chart *chart, const heed_plot_series *series, const heed_plot_lines_options *options,
                             const char *where);

/* Returns the margins that the chart needs in a panel of this size. `lengths` must live until the chart is drawn. */
heed__margins heed__chart_margins(heed__chart *chart, const heed__plot_lengths *lengths, int width, int height);

/* Draws the chart into a panel of the picture, after heed__chart_margins. Returns HEED_ERR_NOMEM if memory runs out. */
heed_status heed__chart_draw(heed__chart *chart, heed__surface *surface, heed__rect panel,
                             const heed__margins *margins);

/* -- marks.c ---------------------------------------------------------------------------------------------- */

/* Layers of a picture. A layer is drawn for all series before the next layer. */
typedef enum heed__layer { HEED__COLUMNS, HEED__BANDS, HEED__CURVES, HEED__LAYERS } heed__layer;

/* Draws the parts of a series that belong to this layer. Returns HEED_ERR_NOMEM if memory runs out. */
heed_status heed__marks_draw(heed__surface *surface, const heed__axes *axes, const heed__series *s, heed__layer layer);

#define HEED__SAMPLE 20.0 /* length of the sample of a series in a legend, in points */

/* Draws the sample of a series in a legend: a line from (x, y) to the right, a marker in its middle, and the box or
 * error bar of the series, vertically centred at y. `pt` is the number of pixels per point. */
void heed__marks_sample(heed__surface *surface, const heed__series *s, double x, double y, double pt);

#endif
