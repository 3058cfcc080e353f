/* plot/draw.c - draws every shape as pixels and, for SVG files, also as an element.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/memory.h>

#include "plot/figure.h"
#include "plot/svg.h"

/* a table with more cells, or with cells smaller than a pixel, becomes an image in the SVG file */
#define MOST_ELEMENTS 4096
/* minimum width of lines in pixels; thinner lines are invisible and have too many dashes to draw */
#define THINNEST 0.1
#define MANY_POINTS 1024 /* curves with at least this number of points skip tiles that they have already covered */
#define FINER 2          /* resolution of the image in the SVG file, in image pixels per pixel of the canvas */

bool heed__surface_init(heed__surface *s, int width, int height, bool vector)
{
    *s = (heed__surface){.vector = vector};
    if (!heed__canvas_init(&s->canvas, width, height))
        return false;
    if (vector)
        heed__svg_begin(&s->svg, width, height);
    return true;
}

void heed__surface_free(heed__surface *s)
{
    heed__canvas_free(&s->canvas);
    heed__sink_free(&s->svg);
}

bool heed__surface_failed(const heed__surface *s)
{
    return s->canvas.failed || s->svg.failed;
}

void heed__view_begin(heed__surface *s, heed__rect rect)
{
    s->canvas.clip = heed__rect_intersect(rect, heed__canvas_bounds(&s->canvas));
    if (s->vector)
        heed__svg_view_begin(&s->svg, rect);
}

void heed__view_end(heed__surface *s)
{
    s->canvas.clip = heed__canvas_bounds(&s->canvas);
    if (s->vector)
        heed__svg_view_end(&s->svg);
}

void heed__draw_fill(heed__surface *s, heed__rect rect, uint32_t color)
{
    heed__canvas_fill(&s->canvas, rect, color);
    if (s->vector)
        heed__svg_box(&s->svg, (heed__box){rect.x0, rect.y0, rect.x1, rect.y1}, color, 1);
}

void heed__draw_frame(heed__surface *s, heed__rect rect, int width, uint32_t color)
{
    const heed__pen_style pen = {.width = width, .color = color, .opacity = 1};
    double half = width / 2.0;
    const heed__point corners[] = {{rect.x0 - half, rect.y0 - half},
                                   {rect.x1 + half, rect.y0 - half},
                                   {rect.x1 + half, rect.y1 + half},
                                   {rect.x0 - half, rect.y1 + half},
                                   {rect.x0 - half, rect.y0 - half}};
    heed__canvas_frame(&s->canvas, rect, width, color);
    if (s->vector)
        heed__svg_line(&s->svg, corners, 5, &pen, s->canvas.clip);
}

void heed__draw_box(heed__surface *s, heed__box box, uint32_t color, double opacity)
{
    heed__canvas_box(&s->canvas, box, color, opacity);
    if (s->vector)
        heed__svg_box(&s->svg, box, color, opacity);
}

void heed__draw_disc(heed__surface *s, double x, double y, double radius, uint32_t color, double opacity)
{
    heed__canvas_disc(&s->canvas, x, y, radius, color, opacity);
    if (s->vector)
        heed__svg_disc(&s->svg, x, y, radius, color, opacity);
}

void heed__draw_round_box(heed__surface *s, const heed__round_box *shape)
{
    heed__canvas_round_box(&s->canvas, shape);
    if (s->vector)
        heed__svg_round_box(&s->svg, shape);
}

/* Returns a rectangle that contains all pixels within `reach` of the points. */
static heed__rect touched_by(const heed__point *points, size_t count, double reach)
{
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        x0 = fmin(x0, points[i].x);
        x1 = fmax(x1, points[i].x);
        y0 = fmin(y0, points[i].y);
        y1 = fmax(y1, points[i].y);
    }
    return (heed__rect){heed__pixel(x0 - reach - 1), heed__pixel(y0 - reach - 1), heed__pixel(x1 + reach + 2),
                        heed__pixel(y1 + reach + 2)};
}

/* Returns a style in which a line is visible: at least THINNEST wide, and solid if a dash and a gap together are
 * shorter than a pixel. */
static heed__pen_style visible_pen(const heed__pen_style *pen)
{
    heed__pen_style style = *pen;
    double pattern = 0;
    style.width = fmax(style.width, THINNEST);
    for (int i = 0; i < style.dashes.count; i++)
        pattern += style.dashes.lengths[i] * style.width;
    if (pattern < 1)
        style.dashes.count = 0;
    return style;
}

void heed__draw_line(heed__surface *s, const heed__point *points, size_t count, const heed__pen_style *pen)
{
    heed__mask mask;
    heed__pen_style style = visible_pen(pen);
    if (heed__mask_init(&mask, &s->canvas, touched_by(points, count, style.width + 2))) {
        if (count < MANY_POINTS || heed__mask_tile(&mask, &s->canvas))
            heed__stroke(&mask, points, count, &style);
        heed__mask_paint(&mask, &s->canvas, style.color, style.opacity);
        heed__mask_free(&mask);
    }
    if (s->vector)
        heed__svg_line(&s->svg, points, count, &style, s->canvas.clip);
}

void heed__draw_polygon(heed__surface *s, const heed__point *points, size_t count, uint32_t color, double opacity)
{
    heed__mask mask;
    if (heed__mask_init(&mask, &s->canvas, touched_by(points, count, 0))) {
        for (size_t i = 0; i < count; i++) {
            heed__point from = points[i], to = points[i + 1 < count ? i + 1 : 0];
            heed__mask_edge(&mask, from.x, from.y, to.x, to.y);
        }
        heed__mask_fill(&mask);
        heed__mask_paint(&mask, &s->canvas, color, opacity);
        heed__mask_free(&mask);
    }
    if (s->vector)
        heed__svg_polygon(&s->svg, points, count, color, opacity);
}

void heed__draw_text(heed__surface *s, const char *text, double x, double y, const heed__font_style *style)
{
    heed__text_draw(&s->canvas, text, x, y, style);
    if (s->vector)
        heed__svg_text(&s->svg, text, x, y, style);
}

/* -- Tables of colours ------------------------------------------------------------------------------------ */

/* A pixel that covers several cells shows the number farthest from `typical`, and NaN only if all are NaN. Returns true
 * if such a pixel shows `value` rather than `than`. */
static bool is_farther(double value, double than, double typical)
{
    if (isnan(value) || isnan(than))
        return isnan(than) && !isnan(value);
    return fabs(value / 2 - typical / 2) > fabs(than / 2 - typical / 2);
}

/* Computes the cells *from <= i < *end that belong to pixel `at`, when `cells` cells are shown by `pixels` pixels. */
static void cells_of(int at, int pixels, int64_t cells, int64_t *from, int64_t *end)
{
    *from = cells > pixels ? at * cells / pixels : (int64_t)((at + 0.5) * (double)cells / pixels);
    *end = cells > pixels ? (at + 1) * cells / pixels : *from + 1;
}

/* Writes to `shown` the numbers that the pixels x0 <= x < x1 in row y show. Returns false if a number cannot be
 * read. */
static bool read_pixel_row(const heed__color_table *t, heed__rect box, int y, int x0, int x1, double *shown)
{
    int64_t row, last_row, from, end;
    bool first = true;
    cells_of(y - box.y0, box.y1 - box.y0, t->rows, &row, &last_row);
    for (; row < last_row; row++, first = false)
        for (int x = x0; x < x1; x++) {
            double *best = &shown[x - x0], value = 0;
            cells_of(x - box.x0, box.x1 - box.x0, t->columns, &from, &end);
            for (int64_t column = from; column < end; column++) {
                if (!t->value(t->context, row, column, &value))
                    return false;
                if ((first && column == from) || is_farther(value, *best, t->typical))
                    *best = value;
            }
        }
    return true;
}

static void draw_pixels(heed__canvas *canvas, heed__rect box, const heed__color_table *t)
{
    heed__rect clipped = heed__rect_intersect(box, canvas->clip);
    if (heed__rect_empty(clipped))
        return;
    size_t bytes = (size_t)(clipped.x1 - clipped.x0) * sizeof(double);
    double *shown = heed_alloc(bytes);
    canvas->failed = canvas->failed || !shown;
    for (int y = clipped.y0; y < clipped.y1 && !canvas->failed; y++) {
        canvas->failed = !read_pixel_row(t, box, y, clipped.x0, clipped.x1, shown);
        for (int x = clipped.x0; x < clipped.x1 && !canvas->failed; x++)
            heed__canvas_blend(canvas, x, y, t->color(t->context, shown[x - clipped.x0]), 1);
    }
    heed_free(shown, shown ? bytes : 0);
}

/* Writes a rectangle for consecutive cells of equal colour in a row. Without shape-rendering="crispEdges", gaps would
 * show between the rectangles. */
static bool write_rectangles(heed__sink *svg, heed__rect box, const heed__color_table *t)
{
    double width = (double)(box.x1 - box.x0) / (double)t->columns, height = (double)(box.y1 - box.y0) / (double)t->rows;
    heed__sink_text(svg, "<g shape-rendering=\"crispEdges\">\n");
    for (int64_t row = 0; row < t->rows; row++) {
        double y = box.y0 + (double)row * height, value = 0;
        uint32_t color = 0, next = 0;
        for (int64_t from = 0, end = 0; end <= t->columns; end++) {
            if (end < t->columns && !t->value(t->context, row, end, &value))
                return false;
            next = t->color(t->context, value);
            if (end > from && (end == t->columns || next != color)) {
                heed__box cells = {box.x0 + (double)from * width, y, box.x0 + (double)end * width, y + height};
                heed__svg_box(svg, cells, color, 1);
                from = end;
            }
            color = next;
        }
    }
    heed__sink_text(svg, "</g>\n");
    return true;
}

/* Writes the cells as a PNG image with FINER times the resolution of the canvas. Returns false with an error
 * pending. */
static bool write_image(heed__sink *svg, heed__rect box, const heed__color_table *t)
{
    heed__canvas fine;
    int width = FINER * (box.x1 - box.x0), height = FINER * (box.y1 - box.y0);
    size_t size = 0;
    if (!heed__canvas_init(&fine, width, height))
        return false;
    draw_pixels(&fine, heed__canvas_bounds(&fine), t);
    uint8_t *png = fine.failed ? NULL : heed__png_encode("plot_heatmap", fine.rgb, width, height, 3, &size);
    if (png)
        heed__svg_image(svg, box, png, size);
    heed_free(png, size);
    heed__canvas_free(&fine);
    return png != NULL;
}

void heed__draw_table(heed__surface *s, heed__rect box, const heed__color_table *table)
{
    draw_pixels(&s->canvas, box, table);
    if (!s->vector || s->canvas.failed || heed__rect_empty(box))
        return;
    bool few = table->rows <= MOST_ELEMENTS && table->columns <= MOST_ELEMENTS / table->rows &&
               table->rows <= box.y1 - box.y0 && table->columns <= box.x1 - box.x0;
    if (!(few ? write_rectangles(&s->svg, box, table) : write_image(&s->svg, box, table)))
        s->canvas.failed = true;
}
