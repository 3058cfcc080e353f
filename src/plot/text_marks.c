/* plot/text_marks.c - draws series as dots. */
#include <math.h>

#include "plot/limits.h"
#include "plot/stroke.h"
#include "plot/text_plot.h"

static double column_of(const heed__text_plot *p, double value)
{
    return heed__axis_fraction(&p->x, value) * (2 * p->dots.columns - 1);
}

double heed__text_plot_row(const heed__text_plot *p, double value)
{
    return (1 - heed__axis_fraction(&p->y, value)) * (4 * p->dots.rows - 1);
}

/* Returns the row of dots in which a column or an error bar ends. On a log axis, for 0 and negative values, it is
 * outside of the plot, beyond the low end of the axis. */
static double end_of(const heed__text_plot *p, double value)
{
    if (!p->y.log || value > 0 || isnan(value))
        return heed__text_plot_row(p, value);
    return p->y.from < p->y.to ? 4.0 * p->dots.rows : -1;
}

static bool is_visible(heed__point at)
{
    return isfinite(at.x) && isfinite(at.y);
}

/* Draws the points (x, values[i]), with lines between them if `joined`. If `values` are an edge of a band, draws only
 * points at which both edges are finite. */
static void draw_points(heed__text_plot *p, int number, const double *values, bool joined)
{
    const heed__series *s = &p->series[number];
    heed__point last = {(double)NAN, (double)NAN};
    for (int64_t i = 0; i < s->count; i++) {
        heed__point at = {column_of(p, heed__series_x(s, i)), heed__text_plot_row(p, values[i])};
        if (values != s->y && !heed__series_has_band(s, i))
            at.y = (double)NAN;
        if (is_visible(at)) {
            at = heed__point_clamp(at);
            heed__point from = joined && is_visible(last) ? last : at;
            heed__dots_line(&p->dots, from.x, from.y, at.x, at.y, number);
        }
        last = at;
    }
}

static void draw_errors(heed__text_plot *p, int number)
{
    const heed__series *s = &p->series[number];
    for (int64_t i = 0; i < s->count; i++) {
        double x = column_of(p, heed__series_x(s, i) + s->offset + s->width / 2);
        heed__point low = {x, end_of(p, s->y[i] - s->down[i])}, high = {x, end_of(p, s->y[i] + s->up[i])};
        if (!isfinite(x) || !heed__limits_drawable(&p->y, s->y[i]) || !heed__series_has_error(s, i))
            continue;
        low = heed__point_clamp(low);
        high = heed__point_clamp(high);
        heed__dots_line(&p->dots, low.x, low.y, high.x, high.y, number);
    }
}

/* Draws the columns of a series. Neighbouring columns do not overlap, and a narrow column is one dot wide. */
static void draw_columns(heed__text_plot *p, int number)
{
    const heed__series *s = &p->series[number];
    double base = end_of(p, 0);
    for (int64_t i = 0; i < s->count; i++) {
        double from = heed__series_x(s, i) + s->offset;
        double x0 = column_of(p, from), x1 = column_of(p, from + s->width), top = heed__text_plot_row(p, s->y[i]);
        if (!isfinite(x0) || !isfinite(x1) || !isfinite(top) || s->y[i] == 0)
            continue;
        double left = fmin(x0, x1), right = fmax(x0, x1);
        heed__dots_box(&p->dots, left, top, fmax(right - 1, left), base, number);
    }
}

void heed__text_plot_dots(heed__text_plot *p)
{
    for (int i = 0; i < p->count; i++)
        if (heed__series_is_columns(&p->series[i]))
            draw_columns(p, i);
    for (int i = 0; i < p->count; i++) {
        const heed__series *s = &p->series[i];
        if (s->low) {
            draw_points(p, i, s->low, true);
            draw_points(p, i, s->high, true);
        }
        if (s->up)
            draw_errors(p, i);
        if (s->y && !heed__series_is_columns(s))
            draw_points(p, i, s->y, s->style != HEED_LINE_NONE);
    }
}

/* -- Colours ------------------------------------------------------------------------------------------------ */

static int distance(const int a[3], const int b[3])
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Compares all colours that do not depend on the terminal's settings: 6 x 6 x 6 colours from index 16 on, followed by
 * 24 greys. */
int heed__text_plot_color(uint32_t rgb)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    const int target[] = {(int)(rgb >> 16 & 255), (int)(rgb >> 8 & 255), (int)(rgb & 255)};
    int best = 16, least = distance(target, (const int[]){0, 0, 0});
    for (int i = 0; i < 240; i++) {
        int grey = 8 + 10 * (i - 216);
        const int cube[] = {levels[i / 36 % 6], levels[i / 6 % 6], levels[i % 6]}, greys[] = {grey, grey, grey};
        int far = distance(target, i < 216 ? cube : greys);
        if (far < least) {
            least = far;
            best = 16 + i;
        }
    }
    return best;
}
