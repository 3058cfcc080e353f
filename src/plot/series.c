/* plot/series.c - lines and markers; lengths are matplotlib's. */
#include <math.h>

#include "plot/series.h"

#define MARKER_RADIUS 3.5 /* points, with the edge */
#define CROSS_RADIUS 3.0
#define CROSS_WIDTH 1.2

static void draw_line(heed__canvas *canvas, const heed__point *points, size_t count, const heed__series_look *look,
                      double pt)
{
    static const heed__dashes dashes[] = {[HEED_LINE_SOLID] = {0},
                                          [HEED_LINE_DASHED] = {2, {3.7, 1.6}},
                                          [HEED_LINE_DOTTED] = {2, {1, 1.65}},
                                          [HEED_LINE_DASHDOT] = {4, {6.4, 1.6, 1, 1.6}}};
    heed__pen_style pen = {.width = look->line_width * pt, .dashes = dashes[look->style]};
    heed__mask mask;
    if (!heed__mask_init(&mask, canvas, heed__canvas_bounds(canvas)))
        return;
    heed__stroke(&mask, points, count, &pen);
    heed__mask_paint(&mask, canvas, look->color, look->alpha);
    heed__mask_free(&mask);
}

static void draw_cross(heed__canvas *canvas, heed__point at, const heed__series_look *look, double pt)
{
    double r = CROSS_RADIUS * pt, reach = r + 2 * pt;
    const heed__point falling[] = {{at.x - r, at.y - r}, {at.x + r, at.y + r}};
    const heed__point rising[] = {{at.x - r, at.y + r}, {at.x + r, at.y - r}};
    heed__rect box = {(int)floor(at.x - reach), (int)floor(at.y - reach), (int)ceil(at.x + reach),
                      (int)ceil(at.y + reach)};
    heed__pen_style pen = {.width = CROSS_WIDTH * pt};
    heed__mask mask;
    if (!heed__mask_init(&mask, canvas, box))
        return;
    heed__stroke(&mask, falling, 2, &pen);
    heed__stroke(&mask, rising, 2, &pen);
    heed__mask_paint(&mask, canvas, look->color, look->alpha);
    heed__mask_free(&mask);
}

static void draw_marker(heed__canvas *canvas, heed__point at, const heed__series_look *look, double pt)
{
    double r = MARKER_RADIUS * pt;
    if (!(fabs(at.x) < 1e6 && fabs(at.y) < 1e6)) /* far outside, or no number */
        return;
    if (look->marker == HEED_MARKER_CIRCLE)
        heed__canvas_disc(canvas, at.x, at.y, r, look->color, look->alpha);
    else if (look->marker == HEED_MARKER_SQUARE)
        heed__canvas_box(canvas, at.x - r, at.y - r, at.x + r, at.y + r, look->color, look->alpha);
    else
        draw_cross(canvas, at, look, pt);
}

void heed__series_draw(heed__canvas *canvas, const heed__point *points, size_t count, const heed__series_look *look,
                       double pt)
{
    if (look->style != HEED_LINE_NONE)
        draw_line(canvas, points, count, look, pt);
    for (size_t i = 0; i < count && look->marker != HEED_MARKER_NONE; i++)
        draw_marker(canvas, points[i], look, pt);
}
