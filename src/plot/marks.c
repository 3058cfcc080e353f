/* plot/marks.c - draws series on axes: curves, markers, error bars, bands, bars and bins of histograms. Lengths are
 * matplotlib's, except the caps of error bars.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/memory.h>

#include "plot/chart.h"
#include "plot/dense.h"

#define MARKER_RADIUS 3.5 /* in points, including the edge */
#define CROSS_RADIUS 3.0
#define CROSS_WIDTH 1.2
#define ERROR_WIDTH 1.2
#define CAP 2.5           /* length of an error bar's caps to either side */
#define BAND_OPACITY 0.25 /* opacity of bands, as a fraction of the opacity of the series */
#define DARK 0x262626u    /* colour of error bars on bars */
#define SAMPLE_HEIGHT 7.0

/* -- Curves and markers ----------------------------------------------------------------------------------- */

/* Returns a pen with the colour of a series. */
static heed__pen_style pen_of(const heed__series *s, double width)
{
    return (heed__pen_style){.width = width, .color = s->color, .opacity = s->alpha};
}

static void draw_curve_line(heed__surface *surface, const heed__point *points, size_t count, const heed__series *s,
                            double pt)
{
    static const heed__dashes dashes[] = {[HEED_LINE_SOLID] = {0},
                                          [HEED_LINE_DASHED] = {2, {3.7, 1.6}},
                                          [HEED_LINE_DOTTED] = {2, {1, 1.65}},
                                          [HEED_LINE_DASHDOT] = {4, {6.4, 1.6, 1, 1.6}}};
    heed__pen_style pen = pen_of(s, s->line_width * pt);
    pen.dashes = dashes[s->style];
    heed__draw_line(surface, points, count, &pen);
}

static void draw_cross(heed__surface *surface, heed__point at, const heed__series *s, double pt)
{
    double r = CROSS_RADIUS * pt;
    const heed__point gap = {(double)NAN, (double)NAN};
    const heed__point strokes[] = {
        {at.x - r, at.y - r}, {at.x + r, at.y + r}, gap, {at.x - r, at.y + r}, {at.x + r, at.y - r}};
    const heed__pen_style pen = pen_of(s, CROSS_WIDTH * pt);
    heed__draw_line(surface, strokes, 5, &pen);
}

static void draw_marker(heed__surface *surface, heed__point at, const heed__series *s, double pt)
{
    double r = fmax(MARKER_RADIUS * pt, 0.5), reach = r + pt;
    heed__rect clip = surface->canvas.clip;
    bool visible = at.x > clip.x0 - reach && at.x < clip.x1 + reach && at.y > clip.y0 - reach && at.y < clip.y1 + reach;
    if (!visible) /* the point is outside of the axes, or NaN */
        return;
    if (s->marker == HEED_MARKER_CIRCLE)
        heed__draw_disc(surface, at.x, at.y, r, s->color, s->alpha);
    else if (s->marker == HEED_MARKER_SQUARE)
        heed__draw_box(surface, (heed__box){at.x - r, at.y - r, at.x + r, at.y + r}, s->color, s->alpha);
    else
        draw_cross(surface, at, s, pt);
}

/* -- Points ----------------------------------------------------------------------------------------------- */

/* The arguments of drawing a series. */
typedef struct job {
    heed__surface *surface;
    const heed__axes *axes;
    const heed__series *s;
} job;

static double x_of(const job *j, int64_t i)
{
    return heed__axes_x(j->axes, heed__series_x(j->s, i));
}

/* Returns the pixel row in which a column, a band or an error bar ends. On a log axis, for 0 and negative values, it is
 * outside of the axes, beyond their low end. */
static double end_of_mark(const job *j, double value)
{
    const heed__axes *axes = j->axes;
    if (!axes->y.log || value > 0 || isnan(value))
        return heed__axes_y(axes, value);
    return axes->y.from < axes->y.to ? axes->box.y1 + 100 : axes->box.y0 - 100;
}

static heed__point point_of(const job *j, int64_t i)
{
    return (heed__point){x_of(j, i), heed__axes_y(j->axes, j->s->y[i])};
}

static heed__point *new_points(int64_t count, int each, size_t *bytes)
{
    if (__builtin_mul_overflow(count, (size_t)each * sizeof(heed__point), bytes))
        *bytes = SIZE_MAX;
    return heed_alloc(*bytes);
}

static heed_status draw_curve(const job *j)
{
    size_t bytes, count = (size_t)j->s->count;
    heed__point *points = new_points(j->s->count, 1, &bytes);
    if (!points)
        return HEED_ERR_NOMEM;
    for (size_t i = 0; i < count; i++)
        points[i] = point_of(j, (int64_t)i);
    draw_curve_line(j->surface, points, heed__thin(points, count), j->s, j->axes->lengths->pt);
    heed_free(points, bytes);
    return HEED_OK;
}

static heed_status draw_markers(const job *j)
{
    heed__canvas *canvas = &j->surface->canvas;
    heed__saturation saturation;
    double size = 2 * (MARKER_RADIUS * j->axes->lengths->pt + 1);
    if (!heed__saturation_init(&saturation, canvas, (double)j->s->count * size * size))
        return HEED_ERR_NOMEM;
    for (int64_t i = 0; i < j->s->count; i++) {
        heed__point at = point_of(j, i);
        int x = heed__pixel(at.x), y = heed__pixel(at.y);
        if (!heed__saturation_begin(&saturation, canvas, x, y, y + 1))
            continue;
        draw_marker(j->surface, at, j->s, j->axes->lengths->pt);
        heed__saturation_end(&saturation, canvas, x, y, y + 1);
    }
    heed__saturation_free(&saturation);
    return HEED_OK;
}

/* -- Error bars ------------------------------------------------------------------------------------------- */

static void draw_error_bar(const job *j, double x, double from, double to)
{
    double cap = CAP * j->axes->lengths->pt;
    heed__point low = heed__point_clamp((heed__point){x, from}), high = heed__point_clamp((heed__point){x, to});
    const heed__point strokes[][2] = {
        {low, high}, {{x - cap, low.y}, {x + cap, low.y}}, {{x - cap, high.y}, {x + cap, high.y}}};
    heed__pen_style pen = pen_of(j->s, ERROR_WIDTH * j->axes->lengths->pt);
    pen.color = heed__series_is_columns(j->s) ? DARK : pen.color;
    for (int i = 0; i < 3; i++)
        heed__draw_line(j->surface, strokes[i], 2, &pen);
}

/* Computes the x of error bar i and the y of both its ends, in pixels. Returns false if point i lacks an error bar. */
static bool find_error(const job *j, int64_t i, double *x, double *low, double *high)
{
    const heed__series *s = j->s;
    *x = heed__axes_x(j->axes, heed__series_x(s, i) + s->offset + s->width / 2);
    if (!isfinite(*x) || !heed__axis_shows(&j->axes->y, s->y[i]) || !heed__series_has_error(s, i))
        return false;
    *low = end_of_mark(j, s->y[i] - s->down[i]);
    *high = end_of_mark(j, s->y[i] + s->up[i]);
    return true;
}

static heed_status draw_error_bars(const job *j)
{
    heed__canvas *canvas = &j->surface->canvas;
    heed__saturation saturation;
    double height = j->axes->box.y1 - j->axes->box.y0, width = ERROR_WIDTH * j->axes->lengths->pt + 2, x, low, high;
    if (!heed__saturation_init(&saturation, canvas, (double)j->s->count * width * height))
        return HEED_ERR_NOMEM;
    for (int64_t i = 0; i < j->s->count; i++) {
        if (!find_error(j, i, &x, &low, &high))
            continue;
        int column = heed__pixel(x), y0 = heed__pixel(fmax(fmin(low, high), canvas->clip.y0));
        int y1 = heed__pixel(fmin(fmax(low, high), canvas->clip.y1 - 1)) + 1;
        if (!heed__saturation_begin(&saturation, canvas, column, y0, y1))
            continue;
        draw_error_bar(j, x, low, high);
        heed__saturation_end(&saturation, canvas, column, y0, y1);
    }
    heed__saturation_free(&saturation);
    return HEED_OK;
}

/* -- Bands ------------------------------------------------------------------------------------------------ */

/* Adds a point to both edges of a band. Merges it with the previous point if both lie in the same quarter of a pixel
 * column. Returns the new number of points. */
static size_t add_to_band(heed__point *upper, heed__point *lower, size_t count, heed__point a, heed__point b)
{
    if (count > 1 && floor(4 * upper[count - 1].x) == floor(4 * a.x)) {
        upper[count - 1].y = fmin(upper[count - 1].y, fmin(a.y, b.y));
        lower[count - 1].y = fmax(lower[count - 1].y, fmax(a.y, b.y));
        return count;
    }
    upper[count] = a;
    lower[count] = b;
    return count + 1;
}

/* Fills the area between the edges of a band. Its outline goes forward along the upper edge and back along the lower
 * one. */
static void fill_band(const job *j, heed__point *upper, heed__point *lower, size_t count)
{
    if (count < 2)
        return;
    for (size_t i = 0; i < count / 2; i++) {
        heed__point swapped = lower[i];
        lower[i] = lower[count - 1 - i];
        lower[count - 1 - i] = swapped;
    }
    for (size_t i = 0; i < count; i++)
        upper[count + i] = lower[i];
    heed__draw_polygon(j->surface, upper, 2 * count, j->s->color, BAND_OPACITY * j->s->alpha);
}

static heed_status draw_band(const job *j)
{
    const heed__series *s = j->s;
    size_t bytes, count = 0;
    heed__point *points = new_points(s->count, 3, &bytes); /* upper edge, outline of both edges, lower edge */
    if (!points)
        return HEED_ERR_NOMEM;
    heed__point *lower = points + 2 * s->count;
    for (int64_t i = 0; i < s->count; i++) {
        heed__point a = {x_of(j, i), end_of_mark(j, s->high[i])}, b = {a.x, end_of_mark(j, s->low[i])};
        bool drawn = isfinite(a.x) && heed__series_has_band(s, i);
        if (drawn) {
            count = add_to_band(points, lower, count, heed__point_clamp(a), heed__point_clamp(b));
            continue;
        }
        fill_band(j, points, lower, count);
        count = 0;
    }
    fill_band(j, points, lower, count);
    heed_free(points, bytes);
    return HEED_OK;
}

/* -- Columns ---------------------------------------------------------------------------------------------- */

/* The pixels from <= i < end of a row or column of pixels. */
typedef struct interval {
    int from, end;
} interval;

/* Rounds an edge to whole pixels, so that neighbouring columns neither overlap nor leave a gap. Clamps it to one pixel
 * outside of the axis. */
static int edge_of(double pixel, interval axis)
{
    return heed__pixel(fmin(fmax(pixel, axis.from - 1), axis.end + 1) + 0.5);
}

/* Returns the pixels of the range a..b along an axis. The axis extends `half` beyond its pixels at both ends. A range
 * that touches the axis covers at least one of its pixels. */
static interval find_pixel_range(double a, double b, interval axis, double half)
{
    interval pixels = {edge_of(a, axis), edge_of(b, axis)};
    bool within = b >= axis.from - half && a <= axis.end + half;
    bool visible = pixels.from < pixels.end && pixels.from < axis.end && pixels.end > axis.from;
    if (!within || visible)
        return pixels;
    int middle = heed__pixel((fmax(a, axis.from) + fmin(b, axis.end)) / 2);
    pixels.from = middle < axis.from ? axis.from : middle < axis.end ? middle : axis.end - 1;
    pixels.end = pixels.from + 1;
    return pixels;
}

/* Computes the pixels of column i. Returns false if the column cannot be drawn. */
static bool find_column(const job *j, int64_t i, heed__rect *column)
{
    const heed__series *s = j->s;
    heed__rect box = j->axes->box;
    double from = heed__series_x(s, i) + s->offset, half = j->axes->lengths->line / 2.0;
    double x0 = heed__axes_x(j->axes, from), x1 = heed__axes_x(j->axes, from + s->width);
    double top = heed__axes_y(j->axes, s->y[i]), base = end_of_mark(j, 0);
    if (!isfinite(x0) || !isfinite(x1) || !isfinite(top) || s->y[i] == 0)
        return false;
    interval x = find_pixel_range(fmin(x0, x1), fmax(x0, x1), (interval){box.x0, box.x1}, half);
    interval y = find_pixel_range(fmin(top, base), fmax(top, base), (interval){box.y0, box.y1}, half);
    *column = (heed__rect){x.from, y.from, x.end, y.end};
    return true;
}

/* Adds a column at most a pixel wide to `narrow`, which has an element per pixel column of the axes: the area that
 * narrow columns cover there. */
static void add_narrow(const job *j, heed__rect *narrow, heed__rect column)
{
    heed__rect box = j->axes->box;
    if (column.x0 < box.x0 || column.x0 >= box.x1)
        return;
    heed__rect *all = &narrow[column.x0 - box.x0];
    if (all->x0 < all->x1) {
        column.y0 = column.y0 < all->y0 ? column.y0 : all->y0;
        column.y1 = column.y1 > all->y1 ? column.y1 : all->y1;
    }
    *all = column;
}

static void draw_column(const job *j, heed__rect r)
{
    heed__draw_box(j->surface, (heed__box){r.x0, r.y0, r.x1, r.y1}, j->s->color, j->s->alpha);
}

static void draw_all_columns(const job *j, heed__saturation *saturation, heed__rect *narrow)
{
    const heed__canvas *canvas = &j->surface->canvas;
    heed__rect box = j->axes->box, column;
    for (int64_t i = 0; i < j->s->count; i++) {
        if (!find_column(j, i, &column))
            continue;
        if (column.x1 - column.x0 <= 1) {
            add_narrow(j, narrow, column);
            continue;
        }
        heed__rect visible = heed__rect_intersect(column, canvas->clip);
        if (!heed__saturation_begin(saturation, canvas, visible.x0, visible.y0, visible.y1))
            continue;
        draw_column(j, column);
        heed__saturation_end(saturation, canvas, visible.x0, visible.y0, visible.y1);
    }
    for (int x = 0; x < box.x1 - box.x0; x++)
        if (narrow[x].x0 < narrow[x].x1)
            draw_column(j, narrow[x]);
}

/* Draws the columns of a series. A column within the axes is at least a pixel wide and high. Columns at most a pixel
 * wide that lie in the same pixel column are drawn as one, from the lowest to the highest. */
static heed_status draw_columns(const job *j)
{
    const heed__axes *axes = j->axes;
    heed__canvas *canvas = &j->surface->canvas;
    heed__saturation saturation = {.bits = NULL};
    double width = fabs(heed__axes_x(axes, j->s->width) - heed__axes_x(axes, 0));
    double visits = (double)j->s->count * fmin(width, axes->box.x1 - axes->box.x0) * (axes->box.y1 - axes->box.y0);
    size_t bytes = (size_t)(axes->box.x1 - axes->box.x0) * sizeof(heed__rect);
    heed__rect *narrow = heed_calloc(1, bytes);
    if (narrow && heed__saturation_init(&saturation, canvas, visits))
        draw_all_columns(j, &saturation, narrow);
    heed__saturation_free(&saturation);
    heed_free(narrow, bytes);
    return narrow && !canvas->failed ? HEED_OK : HEED_ERR_NOMEM;
}

/* -- Series ----------------------------------------------------------------------------------------------- */

heed_status heed__marks_draw(heed__surface *surface, const heed__axes *axes, const heed__series *s, heed__layer layer)
{
    const job j = {surface, axes, s};
    bool columns = heed__series_is_columns(s);
    if (layer == HEED__COLUMNS && columns)
        return draw_columns(&j);
    if (layer == HEED__BANDS && s->low && s->count > 0)
        return draw_band(&j);
    if (layer != HEED__CURVES)
        return HEED_OK;
    heed_status status = s->up ? draw_error_bars(&j) : HEED_OK;
    if (columns || !s->y || s->count == 0 || status != HEED_OK)
        return status;
    status = s->style != HEED_LINE_NONE ? draw_curve(&j) : HEED_OK;
    return status == HEED_OK && s->marker != HEED_MARKER_NONE ? draw_markers(&j) : status;
}

void heed__marks_sample(heed__surface *surface, const heed__series *s, double x, double y, double pt)
{
    double length = HEED__SAMPLE * pt, height = SAMPLE_HEIGHT * pt;
    const heed__point ends[] = {{x, y}, {x + length, y}}, middle = {x + length / 2, y};
    const heed__box box = {floor(x + 0.5), floor(y - height / 2 + 0.5), floor(x + length + 0.5),
                           floor(y + height / 2 + 0.5)};
    if (heed__series_is_columns(s) || s->low)
        heed__draw_box(surface, box, s->color, s->low ? BAND_OPACITY * s->alpha : s->alpha);
    if (heed__series_is_columns(s))
        return;
    if (s->up) {
        const heed__point bar[] = {{middle.x, y - height / 2}, {middle.x, y + height / 2}};
        const heed__pen_style pen = pen_of(s, ERROR_WIDTH * pt);
        heed__draw_line(surface, bar, 2, &pen);
    }
    if (s->style != HEED_LINE_NONE)
        draw_curve_line(surface, ends, 2, s, pt);
    if (s->marker != HEED_MARKER_NONE)
        draw_marker(surface, middle, s, pt);
}
