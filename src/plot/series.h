/* plot/series.h - series on axes, read from the tensors of the caller and checked.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_SERIES_H
#define HEED_PLOT_SERIES_H

#include <math.h>

#include <heed/plot.h>

typedef struct heed__series {
    heed_plot_kind kind;
    const char *label;
    heed_line_style style;
    heed_marker marker;
    uint32_t color;
    double alpha;
    double line_width; /* in points */
    int64_t count;     /* number of points, bars or bins */
    const double *x;   /* NULL if x is 0, 1, ... */
    const double *y;   /* NULL if the series is only a band */
    const double *low, *high;
    const double *down, *up; /* error bars from y - down to y + up */
    double offset, width;    /* bars and bins extend from x + offset to x + offset + width */
    int end_row;             /* in text plots: the row in which the last point of the series lies, or -1 */
} heed__series;

/* Checks and reads all series. Their numbers are valid until the innermost scope ends. With `log_x`, histograms ignore
 * 0 and negative numbers. The errors are listed in heed/plot.h and reported on behalf of `where`. */
heed_status heed__series_read(heed__series *all, const heed_plot_series *given, int n, bool log_x, const char *where);

static inline double heed__series_x(const heed__series *s, int64_t i)
{
    return s->x ? s->x[i] : (double)i;
}

/* Returns true if point i has an error bar: its numbers are finite, and neither length is negative. */
static inline bool heed__series_has_error(const heed__series *s, int64_t i)
{
    return s->up && isfinite(s->y[i]) && s->down[i] >= 0 && s->up[i] >= 0 && isfinite(s->down[i]) && isfinite(s->up[i]);
}

/* Returns true if the band covers point i: both of its edges are finite there. */
static inline bool heed__series_has_band(const heed__series *s, int64_t i)
{
    return s->low && isfinite(s->low[i]) && isfinite(s->high[i]);
}

static inline bool heed__series_is_columns(const heed__series *s)
{
    return s->kind != HEED_PLOT_CURVE;
}

#endif
