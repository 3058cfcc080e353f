/* plot/axis.c - scales of axes, and the choice of their tick labels. */
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

/* -- Numbers ---------------------------------------------------------------------------------------------- */

static void find_ticks(heed__axis *axis, int most, bool whole)
{
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    if (axis->log)
        heed__ticks_log(&axis->ticks, low, high, most);
    else
        heed__ticks_linear(&axis->ticks, low, high, most, whole);
}

void heed__axis_find_ticks(heed__axis *axis, const heed__plot_lengths *lengths, double pixels, bool along, bool whole)
{
    double space = pixels / (lengths->font * (along ? 3 : 2));
    int most = space < 1 ? 1 : space > 9 ? 9 : (int)space;
    axis->font = lengths->font;
    axis->turn = HEED__LEVEL;
    find_ticks(axis, most, whole);
    while (along && most > 1 &&
           axis->ticks.count * (heed__axis_label_width(axis) + lengths->font / 2) > pixels + lengths->font)
        find_ticks(axis, --most, whole);
}

/* -- Names ------------------------------------------------------------------------------------------------ */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void heed__axis_name_ticks(heed__axis *axis, const heed__plot_lengths *lengths, const char *const *names, int64_t count,
                           double step, bool along, double longest)
{
    double line = LINE * lengths->font, space = larger(step, 1e-6);
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    axis->font = lengths->font;
    axis->turn = HEED__LEVEL;
    axis->longest = longest;
    heed__ticks_names(&axis->ticks, names, count, 1, low, high);
    if (along && lengths->font / 3 <= step && heed__axis_label_width(axis) + lengths->font / 3 <= step)
        return;
    if (along)
        axis->turn = step * SINE >= line ? HEED__SLANTED : HEED__UPWARD;
    if (space < line)
        axis->font = lengths->font * larger(space / line, SMALLEST);
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
