/* plot/axis.c - scales and limits of axes, and the choice of their tick labels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/axis.h"

#define SINE 0.70710678118654752 /* sin(45 degrees) */
#define LINE 1.1                 /* distance between lines of names, in ems */
#define SMALLEST 0.6             /* minimum size of names, as a fraction of the usual size */
#define FARTHEST 1e100 /* limit on positions, in lengths of the axis, so that positions in pixels are finite */
#define ELLIPSIS "\xe2\x80\xa6"

heed__plot_lengths heed__lengths_at(double scale)
{
    double pt = scale * 100 / 72;
    return (heed__plot_lengths){.pt = pt,
                                .font = 10 * pt,
                                .title_font = 12 * pt,
                                .pad = 3.5 * pt,
                                .label_pad = 4 * pt,
                                .title_pad = 6 * pt,
                                .margin = 4 * pt,
                                .line = heed__whole_pixels(0.8 * pt),
                                .tick = heed__whole_pixels(3.5 * pt),
                                .minor_tick = heed__whole_pixels(2 * pt)};
}

int heed__whole_pixels(double length)
{
    return length < 1.5 ? 1 : heed__pixel(length + 0.5);
}

/* -- Scales ----------------------------------------------------------------------------------------------- */

/* Computes log10 by arithmetic alone, so that pixels do not depend on the C library: v = m 2^e with m near 1, ln m = 2
 * (z + z^3/3 + z^5/5 + ...) with z = (m - 1) / (m + 1). */
static double log10_of(double v)
{
    int exponent = 0;
    double m = frexp(v, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1), power = z, sum = 0;
    for (int k = 1; k < 26; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return exponent * 0.30102999566398120 + 2 * sum * 0.43429448190325183;
}

double heed__axis_fraction(const heed__axis *axis, double value)
{
    if (axis->log) {
        if (!(value > 0))
            return (double)NAN;
        double from = log10_of(axis->from);
        return (log10_of(value) - from) / (log10_of(axis->to) - from);
    }
    double fraction = (value / 2 - axis->from / 2) / (axis->to / 2 - axis->from / 2);
    return isfinite(value) ? fmin(fmax(fraction, -FARTHEST), FARTHEST) : fraction;
}

void heed__widen(double *low, double *high, double by)
{
    double largest = fmax(fabs(*low), fabs(*high));
    if (largest < 1e-290) {
        *low = -by;
        *high = by;
    } else if (*high / 2 - *low / 2 <= largest * 1e-12) {
        *low = fmax(*low - by * largest, -DBL_MAX);
        *high = fmin(*high + by * largest, DBL_MAX);
    }
}

/* -- Limits ----------------------------------------------------------------------------------------------- */

/* Returns true if the limits are too close for distinct ticks. */
static bool too_close(double a, double b)
{
    double half = fabs(a / 2 - b / 2);
    return half < 4e-301 || half < 5e-14 * fmax(fabs(a), fabs(b));
}

heed_status heed__axis_read_limits(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                                   const char *where)
{
    if ((unsigned)scale > HEED_AXIS_DATES)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%sscale must be one of HEED_AXIS_*, not %d", name, (int)scale);
    axis->log = scale == HEED_AXIS_LOG;
    axis->dates = scale == HEED_AXIS_DATES;
    if (!heed__has_limits(limits))
        return HEED_OK;
    if (!isfinite(limits[0]) || !isfinite(limits[1]) || too_close(limits[0], limits[1]))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%slim is %g, %g: must be finite and further apart", name, limits[0],
                         limits[1]);
    if (axis->log && !(limits[0] > 0 && limits[1] > 0))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%slim is %g, %g on a log axis: must be positive", name, limits[0],
                         limits[1]);
    axis->from = limits[0];
    axis->to = limits[1];
    return HEED_OK;
}

bool heed__axis_shows(const heed__axis *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0);
}

typedef struct range {
    double low, high;
    bool stands; /* the axis has columns, which begin at 0 */
} range;

static void include(range *r, const heed__axis *axis, double value)
{
    if (!heed__axis_shows(axis, value))
        return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/* Extends the ranges so that they contain point i of a series with its column, error bar and band. */
static void include_point(range *xs, range *ys, const heed__axis *x, const heed__axis *y, const heed__series *s,
                          int64_t i)
{
    double at = heed__series_x(s, i);
    bool columns = heed__series_is_columns(s), visible = s->y && heed__axis_shows(y, s->y[i]);
    if (!heed__axis_shows(x, at))
        return;
    if (s->y)
        include(ys, y, s->y[i]);
    if (visible && heed__series_has_error(s, i)) {
        include(ys, y, s->y[i] + s->up[i]);
        include(ys, y, s->y[i] - s->down[i]);
    }
    if (heed__series_has_band(s, i)) {
        include(ys, y, s->low[i]);
        include(ys, y, s->high[i]);
        visible = visible || heed__axis_shows(y, s->low[i]) || heed__axis_shows(y, s->high[i]);
    }
    if (!visible)
        return;
    include(xs, x, columns ? at + s->offset : at);
    include(xs, x, columns ? at + s->offset + s->width : at);
}

/* Sets the limits of an axis to a range plus margins. A margin is 5 % of the range on a linear axis. On a logarithmic
 * axis it is 3/64 of the range, because the factor (high / low)^(3/64) needs only square roots, which are correctly
 * rounded everywhere. */
static void fit_axis(heed__axis *axis, range r)
{
    if (r.low > r.high)
        r = axis->log ? (range){1, 10, false} : (range){0, 1, false};
    if (axis->log) {
        double root = sqrt(r.high) / sqrt(r.low); /* (high / low)^(1/2) */
        double root32 = sqrt(sqrt(sqrt(sqrt(root))));
        double factor = r.high / 2 - r.low / 2 <= r.high * 1e-12 ? 10 : root32 * sqrt(root32);
        axis->from = fmax(r.low / factor, DBL_TRUE_MIN);
        axis->to = fmin(r.high * factor, DBL_MAX);
        return;
    }
    if (r.stands && r.low == 0 && r.high == 0)
        r.high = 1;
    heed__widen(&r.low, &r.high, 0.05);
    axis->from = r.stands && r.low == 0 ? 0 : fmax(1.05 * r.low - 0.05 * r.high, -DBL_MAX);
    axis->to = r.stands && r.high == 0 ? 0 : fmin(1.05 * r.high - 0.05 * r.low, DBL_MAX);
}

void heed__axes_fit_limits(heed__axis *x, heed__axis *y, const double xlim[2], const double ylim[2],
                           const heed__series *series, int n)
{
    range xs = {HUGE_VAL, -HUGE_VAL, false}, ys = xs;
    for (int s = 0; s < n; s++) {
        bool columns = heed__series_is_columns(&series[s]);
        if (columns && series[s].count > 0 && !y->log) {
            ys.stands = true;
            include(&ys, y, 0);
        }
        for (int64_t i = 0; i < series[s].count; i++)
            include_point(&xs, &ys, x, y, &series[s], i);
    }
    if (!heed__has_limits(xlim))
        fit_axis(x, xs);
    if (!heed__has_limits(ylim))
        fit_axis(y, ys);
}

/* -- Numbers ---------------------------------------------------------------------------------------------- */

void heed__axis_set_ticks(heed__axis *axis, int most, bool whole)
{
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    if (axis->log)
        heed__ticks_log(&axis->ticks, low, high, most);
    else if (axis->dates && low >= -719528 && high < 2932897) /* years 0 to 9999 */
        heed__ticks_dates(&axis->ticks, low, high, most);
    else
        heed__ticks_linear(&axis->ticks, low, high, most, whole);
}

void heed__axis_find_ticks(heed__axis *axis, const heed__plot_lengths *lengths, double pixels, bool whole)
{
    double space = pixels / (lengths->font * (axis->horizontal ? 3 : 2));
    int most = space < 1 ? 1 : space > 9 ? 9 : (int)space;
    axis->font = lengths->font;
    axis->turn = HEED__LEVEL;
    heed__axis_set_ticks(axis, most, whole);
    while (axis->horizontal && most > 1 &&
           axis->ticks.count * (heed__axis_label_width(axis) + lengths->font / 2) > pixels + lengths->font)
        heed__axis_set_ticks(axis, --most, whole);
}

/* -- Names ------------------------------------------------------------------------------------------------ */

void heed__axis_name_ticks(heed__axis *axis, const heed__plot_lengths *lengths, const char *const *names, int64_t count,
                           double step, double longest)
{
    double line = LINE * lengths->font, space = fmax(step, 1e-6);
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    axis->font = lengths->font;
    axis->turn = HEED__LEVEL;
    axis->longest = longest;
    heed__ticks_names(&axis->ticks, names, count, 1, low, high);
    if (axis->horizontal && lengths->font / 3 <= step && heed__axis_label_width(axis) + lengths->font / 3 <= step)
        return;
    if (axis->horizontal)
        axis->turn = step * SINE >= line ? HEED__SLANTED : HEED__UPWARD;
    if (space < line)
        axis->font = lengths->font * fmax(space / line, SMALLEST);
    heed__ticks_names(&axis->ticks, names, count, (int64_t)ceil(fmin(LINE * axis->font / space, 1e9) * (1 - 1e-9)), low,
                      high);
}

/* Replaces whole characters at the end of the label by an ellipsis until it is short enough. */
static void shorten(char *label, const heed__axis *axis)
{
    size_t end = strlen(label);
    while (end > 0 && heed__text_width(label, axis->font) > axis->longest) {
        do
            end--;
        while (end > 0 && heed__utf8_is_tail(label[end]));
        memcpy(label + end, ELLIPSIS, sizeof ELLIPSIS);
    }
}

heed__tick heed__axis_tick(const heed__axis *axis, int i)
{
    if (!axis->ticks.names)
        return axis->ticks.at[i];
    heed__tick tick = heed__ticks_name(&axis->ticks, i);
    shorten(tick.label, axis);
    return tick;
}

double heed__axis_label_width(const heed__axis *axis)
{
    double widest = 0;
    for (int i = 0; i < axis->ticks.count; i++) {
        heed__tick tick = heed__axis_tick(axis, i);
        widest = fmax(widest, heed__text_width(tick.label, axis->font));
    }
    return widest;
}

heed__label_reach heed__axis_label_reach(const heed__axis *axis, double width)
{
    double rise = heed__text_rise(axis->font);
    if (axis->turn == HEED__UPWARD)
        return (heed__label_reach){rise / 2, rise / 2, width};
    if (axis->turn == HEED__SLANTED)
        return (heed__label_reach){(width + rise / 2) * SINE, rise / 2 * SINE, (rise + width) * SINE};
    return (heed__label_reach){width / 2, width / 2, rise};
}
