/* plot/dots.c - draws dots, lines and boxes in a picture of dots, and series as dots.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/memory.h>

#include "plot/mask.h"
#include "plot/text_plot.h"

static size_t characters(const heed__dots *dots)
{
    return (size_t)dots->columns * (size_t)dots->rows;
}

bool heed__dots_init(heed__dots *dots, int columns, int rows)
{
    *dots = (heed__dots){.columns = columns, .rows = rows};
    dots->bits = heed_calloc(characters(dots), sizeof *dots->bits);
    dots->owners = heed_calloc(characters(dots), sizeof *dots->owners);
    if (dots->bits && dots->owners)
        return true;
    heed__dots_free(dots);
    return false;
}

void heed__dots_free(heed__dots *dots)
{
    heed_free(dots->owners, characters(dots) * sizeof *dots->owners);
    heed_free(dots->bits, characters(dots) * sizeof *dots->bits);
    *dots = (heed__dots){.columns = 0};
}

void heed__dots_set(heed__dots *dots, int64_t x, int64_t y, int owner)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * (int64_t)dots->columns || y >= 4 * (int64_t)dots->rows)
        return;
    size_t at = (size_t)(y / 4) * (size_t)dots->columns + (size_t)(x / 2);
    dots->bits[at] |= bits[y % 4][x % 2];
    dots->owners[at] = owner;
}

static int nearest_dot(double value)
{
    return heed__pixel(value + 0.5);
}

void heed__dots_line(heed__dots *dots, double x0, double y0, double x1, double y1, int owner)
{
    double t0 = 0, t1 = 1, dx = x1 - x0, dy = y1 - y0;
    heed__clip_line((heed__point){x0, y0}, (heed__point){dx, dy},
                    (heed__box){-1, -1, 2.0 * dots->columns, 4.0 * dots->rows}, &t0, &t1);
    if (t0 > t1)
        return;
    int steps = heed__pixel(ceil(fmax(fabs(dx), fabs(dy)) * (t1 - t0)));
    for (int i = 0; i <= steps; i++) {
        double t = steps > 0 ? t0 + (t1 - t0) * i / steps : t0;
        heed__dots_set(dots, nearest_dot(x0 + t * dx), nearest_dot(y0 + t * dy), owner);
    }
}

void heed__dots_box(heed__dots *dots, double x0, double y0, double x1, double y1, int owner)
{
    double right = 2.0 * dots->columns, bottom = 4.0 * dots->rows;
    int from_x = nearest_dot(fmax(fmin(x0, x1), -1)), to_x = nearest_dot(fmin(fmax(x0, x1), right));
    int from_y = nearest_dot(fmax(fmin(y0, y1), -1)), to_y = nearest_dot(fmin(fmax(y0, y1), bottom));
    for (int y = from_y; y <= to_y; y++)
        for (int x = from_x; x <= to_x; x++)
            heed__dots_set(dots, x, y, owner);
}

void heed__dots_character(const heed__dots *dots, int row, int column, char text[4])
{
    unsigned bits = dots->bits[(size_t)row * (size_t)dots->columns + (size_t)column];
    text[0] = bits ? (char)0xe2 : ' ';
    text[1] = bits ? (char)(0xa0 | bits >> 6) : '\0';
    text[2] = (char)(0x80 | (bits & 0x3f));
    text[3] = '\0';
}

/* -- Series ----------------------------------------------------------------------------------------------- */

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
static double end_row(const heed__text_plot *p, double value)
{
    if (!p->y.log || value > 0 || isnan(value))
        return heed__text_plot_row(p, value);
    return p->y.from < p->y.to ? 4.0 * p->dots.rows : -1;
}

static bool is_drawable(heed__point at)
{
    return isfinite(at.x) && isfinite(at.y);
}

/* Draws the points (x, values[i]), with lines between them if `joined`. If `values` are an edge of a band, draws only
 * points at which both edges are finite. */
static void draw_point_dots(heed__text_plot *p, int number, const double *values, bool joined)
{
    const heed__series *s = &p->series[number];
    heed__point last = {(double)NAN, (double)NAN};
    for (int64_t i = 0; i < s->count; i++) {
        heed__point at = {column_of(p, heed__series_x(s, i)), heed__text_plot_row(p, values[i])};
        if (values != s->y && !heed__series_has_band(s, i))
            at.y = (double)NAN;
        if (is_drawable(at)) {
            at = heed__point_clamp(at);
            heed__point from = joined && is_drawable(last) ? last : at;
            heed__dots_line(&p->dots, from.x, from.y, at.x, at.y, number);
        }
        last = at;
    }
}

static void draw_error_dots(heed__text_plot *p, int number)
{
    const heed__series *s = &p->series[number];
    for (int64_t i = 0; i < s->count; i++) {
        double x = column_of(p, heed__series_x(s, i) + s->offset + s->width / 2);
        heed__point low = {x, end_row(p, s->y[i] - s->down[i])}, high = {x, end_row(p, s->y[i] + s->up[i])};
        if (!isfinite(x) || !heed__axis_shows(&p->y, s->y[i]) || !heed__series_has_error(s, i))
            continue;
        low = heed__point_clamp(low);
        high = heed__point_clamp(high);
        heed__dots_line(&p->dots, low.x, low.y, high.x, high.y, number);
    }
}

/* Draws the columns of a series. Neighbouring columns do not overlap, and a narrow column is one dot wide. */
static void draw_column_dots(heed__text_plot *p, int number)
{
    const heed__series *s = &p->series[number];
    double base = end_row(p, 0);
    for (int64_t i = 0; i < s->count; i++) {
        double from = heed__series_x(s, i) + s->offset;
        double x0 = column_of(p, from), x1 = column_of(p, from + s->width), top = heed__text_plot_row(p, s->y[i]);
        if (!isfinite(x0) || !isfinite(x1) || !isfinite(top) || s->y[i] == 0)
            continue;
        double left = fmin(x0, x1), right = fmax(x0, x1);
        heed__dots_box(&p->dots, left, top, fmax(right - 1, left), base, number);
    }
}

void heed__text_plot_draw(heed__text_plot *p)
{
    for (int i = 0; i < p->count; i++)
        if (heed__series_is_columns(&p->series[i]))
            draw_column_dots(p, i);
    for (int i = 0; i < p->count; i++) {
        const heed__series *s = &p->series[i];
        if (s->low) {
            draw_point_dots(p, i, s->low, true);
            draw_point_dots(p, i, s->high, true);
        }
        if (s->up)
            draw_error_dots(p, i);
        if (s->y && !heed__series_is_columns(s))
            draw_point_dots(p, i, s->y, s->style != HEED_LINE_NONE);
    }
}

/* -- Colours ---------------------------------------------------------------------------------------------- */

static int color_distance(const int a[3], const int b[3])
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
    int best = 16, least = color_distance(target, (const int[]){0, 0, 0});
    for (int i = 0; i < 240; i++) {
        int grey = 8 + 10 * (i - 216);
        const int cube[] = {levels[i / 36 % 6], levels[i / 6 % 6], levels[i % 6]}, greys[] = {grey, grey, grey};
        int far = color_distance(target, i < 216 ? cube : greys);
        if (far < least) {
            least = far;
            best = 16 + i;
        }
    }
    return best;
}
