/* plot/marks.c - draws curves, markers, bars, bands and error bars. Lengths are matplotlib's, except the caps of error
 * bars. */
#include <math.h>

#include <heed/memory.h>

#include "plot/columns.h"
#include "plot/limits.h"
#include "plot/marks.h"
#include "plot/saturation.h"
#include "plot/thin.h"

#define MARKER_RADIUS 3.5 /* in points, including the edge */
#define CROSS_RADIUS 3.0
#define CROSS_WIDTH 1.2
#define ERROR_WIDTH 1.2
#define CAP 2.5           /* length of an error bar's caps to either side */
#define BAND_OPACITY 0.25 /* opacity of bands, as a fraction of the opacity of the series */
#define DARK 0x262626u    /* colour of error bars on bars */

/* -- Curves and markers ----------------------------------------------------------------------------------- */

static void draw_line(heed__surface *surface, const heed__point *points, size_t count, const heed__series *s, double pt)
{
    static const heed__dashes dashes[] = {[HEED_LINE_SOLID] = {0},
                                          [HEED_LINE_DASHED] = {2, {3.7, 1.6}},
                                          [HEED_LINE_DOTTED] = {2, {1, 1.65}},
                                          [HEED_LINE_DASHDOT] = {4, {6.4, 1.6, 1, 1.6}}};
    heed__pen_style pen = {.width = s->line_width * pt, .dashes = dashes[s->style]};
    heed__draw_line(surface, points, count, &pen, s->color, s->alpha);
}

static void draw_cross(heed__surface *surface, heed__point at, const heed__series *s, double pt)
{
    double r = CROSS_RADIUS * pt;
    const heed__point gap = {(double)NAN, (double)NAN};
    const heed__point strokes[] = {
        {at.x - r, at.y - r}, {at.x + r, at.y + r}, gap, {at.x - r, at.y + r}, {at.x + r, at.y - r}};
    heed__draw_line(surface, strokes, 5, &(heed__pen_style){.width = CROSS_WIDTH * pt}, s->color, s->alpha);
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
        heed__draw_box(surface, at.x - r, at.y - r, at.x + r, at.y + r, s->color, s->alpha);
    else
        draw_cross(surface, at, s, pt);
}

/* -- Points ----------------------------------------------------------------------------------------------- */

/* The arguments of drawing a series. */
typedef struct job {
    heed__surface *surface;
    const heed__axes *axes;
    const heed__plot_lengths *lengths;
    const heed__series *s;
} job;

static double x_of(const job *j, int64_t i)
{
    return heed__axes_x(j->axes, j->lengths, heed__series_x(j->s, i));
}

double heed__marks_end(const heed__axes *axes, const heed__plot_lengths *lengths, double value)
{
    if (!axes->y.log || value > 0 || isnan(value))
        return heed__axes_y(axes, lengths, value);
    return axes->y.from < axes->y.to ? axes->box.y1 + 100 : axes->box.y0 - 100;
}

static double end_of(const job *j, double value)
{
    return heed__marks_end(j->axes, j->lengths, value);
}

static heed__point point_of(const job *j, int64_t i)
{
    return (heed__point){x_of(j, i), heed__axes_y(j->axes, j->lengths, j->s->y[i])};
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
    draw_line(j->surface, points, heed__thin(points, count), j->s, j->lengths->pt);
    heed_free(points, bytes);
    return HEED_OK;
}

static heed_status draw_markers(const job *j)
{
    heed__canvas *canvas = &j->surface->canvas;
    heed__saturation saturation;
    double size = 2 * (MARKER_RADIUS * j->lengths->pt + 1);
    if (!heed__saturation_init(&saturation, canvas, (double)j->s->count * size * size))
        return HEED_ERR_NOMEM;
    for (int64_t i = 0; i < j->s->count; i++) {
        heed__point at = point_of(j, i);
        int x = heed__pixel(at.x), y = heed__pixel(at.y);
        if (!heed__saturation_begin(&saturation, canvas, x, y, y + 1))
            continue;
        draw_marker(j->surface, at, j->s, j->lengths->pt);
        heed__saturation_end(&saturation, canvas, x, y, y + 1);
    }
    heed__saturation_free(&saturation);
    return HEED_OK;
}

/* -- Error bars ------------------------------------------------------------------------------------------- */

static void draw_error(const job *j, double x, double from, double to)
{
    double cap = CAP * j->lengths->pt;
    heed__point low = heed__point_clamp((heed__point){x, from}), high = heed__point_clamp((heed__point){x, to});
    const heed__point strokes[][2] = {
        {low, high}, {{x - cap, low.y}, {x + cap, low.y}}, {{x - cap, high.y}, {x + cap, high.y}}};
    for (int i = 0; i < 3; i++)
        heed__draw_line(j->surface, strokes[i], 2, &(heed__pen_style){.width = ERROR_WIDTH * j->lengths->pt},
                        heed__series_is_columns(j->s) ? DARK : j->s->color, j->s->alpha);
}

/* Computes the x of error bar i and the y of both its ends, in pixels. Returns false if point i lacks an error bar. */
static bool find_error(const job *j, int64_t i, double *x, double *low, double *high)
{
    const heed__series *s = j->s;
    *x = heed__axes_x(j->axes, j->lengths, heed__series_x(s, i) + s->offset + s->width / 2);
    if (!isfinite(*x) || !heed__limits_drawable(&j->axes->y, s->y[i]) || !heed__series_has_error(s, i))
        return false;
    *low = end_of(j, s->y[i] - s->down[i]);
    *high = end_of(j, s->y[i] + s->up[i]);
    return true;
}

static heed_status draw_errors(const job *j)
{
    heed__canvas *canvas = &j->surface->canvas;
    heed__saturation saturation;
    double height = j->axes->box.y1 - j->axes->box.y0, width = ERROR_WIDTH * j->lengths->pt + 2, x, low, high;
    if (!heed__saturation_init(&saturation, canvas, (double)j->s->count * width * height))
        return HEED_ERR_NOMEM;
    for (int64_t i = 0; i < j->s->count; i++) {
        if (!find_error(j, i, &x, &low, &high))
            continue;
        int column = heed__pixel(x), y0 = heed__pixel(fmax(fmin(low, high), canvas->clip.y0));
        int y1 = heed__pixel(fmin(fmax(low, high), canvas->clip.y1 - 1)) + 1;
        if (!heed__saturation_begin(&saturation, canvas, column, y0, y1))
            continue;
        draw_error(j, x, low, high);
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
        heed__point a = {x_of(j, i), end_of(j, s->high[i])}, b = {a.x, end_of(j, s->low[i])};
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

/* -- Series ----------------------------------------------------------------------------------------------- */

heed_status heed__marks_draw(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                             const heed__series *s, heed__layer layer)
{
    const job j = {surface, axes, lengths, s};
    bool columns = heed__series_is_columns(s);
    if (layer == HEED__COLUMNS && columns)
        return heed__columns_draw(surface, axes, lengths, s);
    if (layer == HEED__BANDS && s->low && s->count > 0)
        return draw_band(&j);
    if (layer != HEED__CURVES)
        return HEED_OK;
    heed_status status = s->up ? draw_errors(&j) : HEED_OK;
    if (columns || !s->y || s->count == 0 || status != HEED_OK)
        return status;
    status = s->style != HEED_LINE_NONE ? draw_curve(&j) : HEED_OK;
    return status == HEED_OK && s->marker != HEED_MARKER_NONE ? draw_markers(&j) : status;
}

void heed__marks_sample(heed__surface *surface, const heed__series *s, double x, double y, double length, double height,
                        double pt)
{
    const heed__point ends[] = {{x, y}, {x + length, y}}, middle = {x + length / 2, y};
    if (heed__series_is_columns(s) || s->low)
        heed__draw_box(surface, floor(x + 0.5), floor(y - height / 2 + 0.5), floor(x + length + 0.5),
                       floor(y + height / 2 + 0.5), s->color, s->low ? BAND_OPACITY * s->alpha : s->alpha);
    if (heed__series_is_columns(s))
        return;
    if (s->up) {
        const heed__point bar[] = {{middle.x, y - height / 2}, {middle.x, y + height / 2}};
        heed__draw_line(surface, bar, 2, &(heed__pen_style){.width = ERROR_WIDTH * pt}, s->color, s->alpha);
    }
    if (s->style != HEED_LINE_NONE)
        draw_line(surface, ends, 2, s, pt);
    if (s->marker != HEED_MARKER_NONE)
        draw_marker(surface, middle, s, pt);
}
