/* plot/mask.c - exact area coverage of outlines, and lines as the union of their segments.
 *
 * For every edge of an outline, every cell of a row receives the area to the right of the edge within the cell, minus
 * this area within the cell on its left. After all edges, the running sum along a row is the covered area of a cell,
 * with a sign that depends on the orientation of the outline.
 *
 * For lines, a cell stores the largest coverage by any segment, so that overlaps of consecutive segments do not show.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/memory.h>

#include "plot/mask.h"

/* Pixel coordinates are clamped to this range, so that their differences are finite. */
#define FARTHEST 1e9

static size_t mask_cells(const heed__mask *mask)
{
    return mask->stride * (size_t)(mask->box.y1 - mask->box.y0);
}

bool heed__mask_init(heed__mask *mask, heed__canvas *canvas, heed__rect box)
{
    mask->box = heed__rect_intersect(box, canvas->clip);
    if (heed__rect_empty(mask->box))
        return false;
    mask->open = NULL;
    mask->stride = (size_t)(mask->box.x1 - mask->box.x0) + 2;
    mask->cells = heed_calloc(mask_cells(mask), sizeof *mask->cells);
    canvas->failed = canvas->failed || !mask->cells;
    return mask->cells != NULL;
}

static size_t tiles_along(int cells)
{
    return ((size_t)cells + HEED__TILE - 1) / HEED__TILE;
}

static size_t tile_bytes(const heed__mask *mask)
{
    heed__rect box = mask->box;
    return tiles_along(box.x1 - box.x0) * tiles_along(box.y1 - box.y0) * sizeof *mask->open;
}

bool heed__mask_tile(heed__mask *mask, heed__canvas *canvas)
{
    heed__rect box = mask->box;
    mask->open = heed_calloc(1, tile_bytes(mask));
    canvas->failed = canvas->failed || !mask->open;
    for (int y = box.y0; mask->open && y < box.y1; y++)
        for (int x = box.x0; x < box.x1; x++)
            ++*heed__mask_open(mask, x, y);
    return mask->open != NULL;
}

void heed__mask_free(heed__mask *mask)
{
    heed_free(mask->open, mask->open ? tile_bytes(mask) : 0);
    heed_free(mask->cells, mask_cells(mask) * sizeof *mask->cells);
}

static void add_area(float *cell, double value)
{
    *cell = (float)((double)*cell + value);
}

/* Adds an edge within one row, from xa to xb (xa <= xb), `height` high, positive downwards. Column i of the row
 * receives the area right of the edge in column i minus the area in column i - 1. */
static void add_row_edge(float *row, double xa, double xb, double height)
{
    double left = floor(xa);
    size_t first = (size_t)left, end = (size_t)ceil(xb);
    if (end <= first + 1) {
        double middle = 0.5 * (xa + xb) - left;
        add_area(&row[first], height * (1 - middle));
        add_area(&row[first + 1], height * middle);
        return;
    }
    double slope = 1 / (xb - xa);
    double before = 0; /* area right of the edge in the previous column, as a fraction of `height` */
    for (size_t i = first; i < end; i++) {
        double x0 = fmax(xa, (double)i), x1 = fmin(xb, (double)i + 1);
        double crossed = (x1 - x0) * slope;
        double reached = (x0 - xa) * slope;
        double area = reached + crossed * ((double)i + 1 - 0.5 * (x0 + x1));
        add_area(&row[i], height * (area - before));
        before = area;
    }
    add_area(&row[end], height * (1 - before));
}

void heed__mask_edge(heed__mask *mask, double x0, double y0, double x1, double y1)
{
    double width = mask->box.x1 - mask->box.x0, height = mask->box.y1 - mask->box.y0;
    if (y0 == y1)
        return;
    double sign = y0 < y1 ? 1 : -1;
    double top_x = (y0 < y1 ? x0 : x1) - mask->box.x0, top = fmin(y0, y1) - mask->box.y0;
    double bottom = fmax(y0, y1) - mask->box.y0, slope = (x1 - x0) / (y1 - y0);
    double from = fmax(top, 0), to = fmin(bottom, height);
    for (int y = heed__pixel(from); y < to; y++) {
        double ya = fmax(from, y), yb = fmin(to, y + 1.0);
        double xa = fmin(fmax(top_x + (ya - top) * slope, 0), width);
        double xb = fmin(fmax(top_x + (yb - top) * slope, 0), width);
        add_row_edge(mask->cells + (size_t)y * mask->stride, fmin(xa, xb), fmax(xa, xb), sign * (yb - ya));
    }
}

void heed__mask_fill(heed__mask *mask)
{
    for (int y = mask->box.y0; y < mask->box.y1; y++) {
        float *row = heed__mask_row(mask, y);
        double area = 0;
        for (int i = 0; i < mask->box.x1 - mask->box.x0; i++) {
            area += (double)row[i];
            row[i] = (float)fmin(fabs(area), 1);
        }
    }
}

void heed__mask_paint(const heed__mask *mask, heed__canvas *canvas, uint32_t color, double opacity)
{
    for (int y = mask->box.y0; y < mask->box.y1; y++) {
        const float *row = heed__mask_row(mask, y) - mask->box.x0;
        for (int x = mask->box.x0; x < mask->box.x1; x++)
            if (row[x] > 0)
                heed__canvas_blend(canvas, x, y, color, opacity * (double)row[x]);
    }
}

/* -- Lines ------------------------------------------------------------------------------------------------ */

typedef struct segment {
    heed__point from, to;
    double dx, dy, length; /* dx, dy: unit vector along the segment */
    bool square_start, square_end;
} segment;

/* Returns the coverage of a pixel by a strip whose middle line is `distance` from the pixel's centre. The strip extends
 * `half` to both sides of the line. The pixel is 1 wide. */
static double strip_coverage(double distance, double half)
{
    double covered = fmin(distance + 0.5, half) - fmax(distance - 0.5, -half);
    return fmin(fmax(covered, 0), 1);
}

static double segment_coverage(const segment *s, double x, double y, double half)
{
    double along = (x - s->from.x) * s->dx + (y - s->from.y) * s->dy;
    double across = fabs((x - s->from.x) * s->dy - (y - s->from.y) * s->dx);
    double beyond = fmax(-along, along - s->length);
    bool square = along < s->length / 2 ? s->square_start : s->square_end;
    if (square)
        return strip_coverage(across, half) * strip_coverage(along - s->length / 2, s->length / 2);
    if (beyond > 0)
        across = sqrt(across * across + beyond * beyond);
    return strip_coverage(across, half);
}

/* Restricts the range *t0 .. *t1 to those t for which a + t b lies within low .. high. */
static void clip_parameter(double a, double b, double low, double high, double *t0, double *t1)
{
    if (b == 0) {
        if (a < low || a > high)
            *t1 = -1;
        return;
    }
    double at_low = (low - a) / b, at_high = (high - a) / b;
    *t0 = fmax(*t0, fmin(at_low, at_high));
    *t1 = fmin(*t1, fmax(at_low, at_high));
}

void heed__clip_line(heed__point from, heed__point step, heed__box box, double *t0, double *t1)
{
    clip_parameter(from.x, step.x, box.x0, box.x1, t0, t1);
    clip_parameter(from.y, step.y, box.y0, box.y1, t0, t1);
}

/* Returns the pixels of the rows y0 <= y < y1 that a segment may touch; the rectangle may be empty. */
static heed__rect touched_pixels(const heed__mask *mask, const segment *s, double reach, int y0, int y1)
{
    double t0 = 0, t1 = 1, dx = s->to.x - s->from.x;
    clip_parameter(s->from.y, s->to.y - s->from.y, y0 - reach, y1 + reach, &t0, &t1);
    if (t0 > t1)
        return (heed__rect){0, 0, 0, 0};
    double xa = s->from.x + t0 * dx, xb = s->from.x + t1 * dx;
    return (heed__rect){.x0 = heed__pixel(fmax(fmin(xa, xb) - reach, mask->box.x0)),
                        .y0 = y0,
                        .x1 = heed__pixel(fmin(ceil(fmax(xa, xb) + reach), mask->box.x1)),
                        .y1 = y1};
}

static void cover_rows(heed__mask *mask, const segment *s, double half, int y0, int y1)
{
    const float most = (float)fmin(2 * half, 1); /* maximum coverage, in the middle of the line */
    for (int y = y0; y < y1; y++) {
        heed__rect touched = touched_pixels(mask, s, half + 1, y, y + 1);
        float *row = heed__mask_row(mask, y);
        for (int x = touched.x0; x < touched.x1; x++) {
            float *cell = &row[x - mask->box.x0];
            /* skips cells with maximum coverage, because long noisy curves cover most cells many times */
            if (*cell >= most)
                continue;
            *cell = fmaxf(*cell, (float)segment_coverage(s, x + 0.5, y + 0.5, half));
            if (mask->open && *cell >= most)
                --*heed__mask_open(mask, x, y);
        }
    }
}

/* Returns true if a segment may touch a tile with cells that are not covered fully yet. Considers only the rows y0 <= y
 * < y1, which must be in one row of tiles. */
static bool has_open_tile(const heed__mask *mask, const segment *s, double reach, int y0, int y1)
{
    heed__rect touched = touched_pixels(mask, s, reach, y0, y1);
    if (heed__rect_empty(touched))
        return false;
    const uint16_t *tile = heed__mask_open(mask, touched.x0, y0), *last = heed__mask_open(mask, touched.x1 - 1, y0);
    while (tile < last && *tile == 0)
        tile++;
    return *tile > 0;
}

static void cover_segment(heed__mask *mask, const segment *s, double half)
{
    double reach = half + 1;
    int top = heed__pixel(fmax(fmin(s->from.y, s->to.y) - reach, mask->box.y0));
    int bottom = heed__pixel(fmin(ceil(fmax(s->from.y, s->to.y) + reach), mask->box.y1));
    if (!mask->open)
        cover_rows(mask, s, half, top, bottom);
    for (int y = top, end; mask->open && y < bottom; y = end) {
        end = y + HEED__TILE - (y - mask->box.y0) % HEED__TILE;
        end = end < bottom ? end : bottom;
        if (has_open_tile(mask, s, reach, y, end))
            cover_rows(mask, s, half, y, end);
    }
}

static heed__point point_between(heed__point a, heed__point b, double t)
{
    return (heed__point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

heed__point heed__point_clamp(heed__point p)
{
    return (heed__point){fmin(fmax(p.x, -FARTHEST), FARTHEST), fmin(fmax(p.y, -FARTHEST), FARTHEST)};
}

static double pattern_length(const heed__pen_style *style)
{
    double sum = 0;
    for (int i = 0; i < style->dashes.count; i++)
        sum += style->dashes.lengths[i] * style->width;
    return sum;
}

/* Draws the dashes of a segment between `start` and `end`, which are lengths along the segment. `phase` is the position
 * in the pattern of dashes at which the segment begins. A dash that continues in the next segment has a round end
 * there. */
static void cover_dashes(heed__mask *mask, segment s, double phase, double start, double end,
                         const heed__pen_style *style)
{
    double pattern = pattern_length(style), length = s.length;
    heed__point from = s.from, to = s.to;
    double at = floor((phase + start) / pattern) * pattern - phase;
    while (at < end) {
        for (int i = 0; i < style->dashes.count; i++) {
            double next = at + style->dashes.lengths[i] * style->width;
            double a = fmax(at, 0), b = fmin(next, length);
            if (i % 2 == 0 && a < b && b >= start && a <= end) {
                s.from = point_between(from, to, a / length);
                s.to = point_between(from, to, b / length);
                s.length = b - a;
                s.square_start = at >= 0;
                s.square_end = next <= length;
                cover_segment(mask, &s, style->width / 2);
            }
            at = next;
        }
    }
}

/* Adds a segment of a line, solid or dashed, and returns its length. `phase` is the position in the pattern of dashes
 * at which the segment begins. */
static double stroke_segment(heed__mask *mask, heed__point a, heed__point b, double phase, const heed__pen_style *style)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), t0 = 0, t1 = 1;
    double reach = style->width + 2;
    heed__box visible = {mask->box.x0 - reach, mask->box.y0 - reach, mask->box.x1 + reach, mask->box.y1 + reach};
    heed__clip_line(a, (heed__point){dx, dy}, visible, &t0, &t1);
    if (t0 > t1) /* invisible segments are not drawn, because they may have too many dashes */
        return length;
    segment s = {.from = a, .to = b, .length = length};
    s.dx = length > 0 ? dx / length : 1;
    s.dy = length > 0 ? dy / length : 0;
    if (style->dashes.count > 0 && length > 0) {
        cover_dashes(mask, s, phase, t0 * length, t1 * length, style);
    } else {
        s.from = point_between(a, b, t0);
        s.to = point_between(a, b, t1);
        s.length = (t1 - t0) * length;
        cover_segment(mask, &s, style->width / 2);
    }
    return length;
}

void heed__stroke(heed__mask *mask, const heed__point *points, size_t count, const heed__pen_style *style)
{
    double pattern = pattern_length(style), phase = 0;
    bool drawing = false;
    heed__point last = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) {
            drawing = false;
            continue;
        }
        heed__point point = heed__point_clamp(points[i]);
        if (drawing) {
            phase += stroke_segment(mask, last, point, phase, style);
            phase = pattern > 0 ? fmod(phase, pattern) : 0;
        } else {
            phase = 0;
        }
        drawing = true;
        last = point;
    }
}
