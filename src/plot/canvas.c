/* plot/canvas.c - pixels and simple shapes. The coverage of a pixel by a disc or a rounded box follows from the
 * distance of its centre to the edge of the shape, which is exact for edges along the axes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <heed/memory.h>

#include "plot/canvas.h"

heed__rect heed__rect_intersect(heed__rect a, heed__rect b)
{
    return (heed__rect){.x0 = a.x0 > b.x0 ? a.x0 : b.x0,
                        .y0 = a.y0 > b.y0 ? a.y0 : b.y0,
                        .x1 = a.x1 < b.x1 ? a.x1 : b.x1,
                        .y1 = a.y1 < b.y1 ? a.y1 : b.y1};
}

bool heed__rect_empty(heed__rect r)
{
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

static size_t canvas_bytes(const heed__canvas *canvas)
{
    return (size_t)canvas->width * (size_t)canvas->height * 3;
}

bool heed__canvas_init(heed__canvas *canvas, int width, int height)
{
    *canvas = (heed__canvas){.width = width, .height = height, .clip = {0, 0, width, height}};
    canvas->rgb = heed_alloc(canvas_bytes(canvas));
    if (!canvas->rgb)
        return false;
    memset(canvas->rgb, 0xff, canvas_bytes(canvas));
    return true;
}

void heed__canvas_free(heed__canvas *canvas)
{
    heed_free(canvas->rgb, canvas_bytes(canvas));
    canvas->rgb = NULL;
}

heed__rect heed__canvas_bounds(const heed__canvas *canvas)
{
    return (heed__rect){0, 0, canvas->width, canvas->height};
}

static uint8_t mix_channel(uint8_t below, uint32_t above, double opacity)
{
    double value = (double)below + ((double)(above & 0xff) - (double)below) * opacity;
    return (uint8_t)(value + 0.5);
}

void heed__canvas_blend(heed__canvas *canvas, int x, int y, uint32_t color, double opacity)
{
    uint8_t *pixel = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)x) * 3;
    uint8_t red = mix_channel(pixel[0], color >> 16, opacity), green = mix_channel(pixel[1], color >> 8, opacity);
    uint8_t blue = mix_channel(pixel[2], color, opacity);
    canvas->changes += red != pixel[0] || green != pixel[1] || blue != pixel[2];
    pixel[0] = red;
    pixel[1] = green;
    pixel[2] = blue;
}

void heed__canvas_fill(heed__canvas *canvas, heed__rect rect, uint32_t color)
{
    heed__rect r = heed__rect_intersect(rect, canvas->clip);
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++)
            heed__canvas_blend(canvas, x, y, color, 1);
}

void heed__canvas_frame(heed__canvas *canvas, heed__rect rect, int width, uint32_t color)
{
    heed__rect outer = {rect.x0 - width, rect.y0 - width, rect.x1 + width, rect.y1 + width};
    heed__canvas_fill(canvas, (heed__rect){outer.x0, outer.y0, outer.x1, rect.y0}, color);
    heed__canvas_fill(canvas, (heed__rect){outer.x0, rect.y1, outer.x1, outer.y1}, color);
    heed__canvas_fill(canvas, (heed__rect){outer.x0, rect.y0, rect.x0, rect.y1}, color);
    heed__canvas_fill(canvas, (heed__rect){rect.x1, rect.y0, outer.x1, rect.y1}, color);
}

/* Returns the pixels of the clip rectangle that a shape within `reach` of `box` may touch. */
static heed__rect touched(const heed__canvas *canvas, heed__box box, double reach)
{
    heed__rect clip = canvas->clip;
    double x0 = box.x0 - reach, y0 = box.y0 - reach, x1 = box.x1 + reach, y1 = box.y1 + reach;
    if (!(x0 < clip.x1 && y0 < clip.y1 && x1 > clip.x0 && y1 > clip.y0))
        return (heed__rect){0, 0, 0, 0};
    return (heed__rect){.x0 = x0 > clip.x0 ? heed__pixel(x0) : clip.x0,
                        .y0 = y0 > clip.y0 ? heed__pixel(y0) : clip.y0,
                        .x1 = x1 < clip.x1 ? heed__pixel(ceil(x1)) : clip.x1,
                        .y1 = y1 < clip.y1 ? heed__pixel(ceil(y1)) : clip.y1};
}

/* Returns the length of the intersection of [a0, a1] and the pixel [i, i + 1]. */
static double overlap(double a0, double a1, int i)
{
    double length = fmin(a1, i + 1.0) - fmax(a0, i);
    return length > 0 ? length : 0;
}

void heed__canvas_box(heed__canvas *canvas, heed__box box, uint32_t color, double opacity)
{
    heed__rect r = touched(canvas, box, 0);
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++)
            heed__canvas_blend(canvas, x, y, color, opacity * overlap(box.x0, box.x1, x) * overlap(box.y0, box.y1, y));
}

/* Returns the coverage of a pixel whose centre is `distance` outside of the shape's edge. A negative distance means
 * inside. */
static double edge_coverage(double distance)
{
    return fmin(fmax(0.5 - distance, 0), 1);
}

void heed__canvas_disc(heed__canvas *canvas, double x, double y, double radius, uint32_t color, double opacity)
{
    heed__rect r = touched(canvas, (heed__box){x, y, x, y}, radius + 1);
    for (int j = r.y0; j < r.y1; j++)
        for (int i = r.x0; i < r.x1; i++) {
            double dx = i + 0.5 - x, dy = j + 0.5 - y;
            double coverage = edge_coverage(sqrt(dx * dx + dy * dy) - radius);
            if (coverage > 0)
                heed__canvas_blend(canvas, i, j, color, opacity * coverage);
        }
}

/* Returns the distance of a point from the outline, which is negative inside the box. */
static double round_box_distance(const heed__round_box *shape, double x, double y)
{
    const heed__box *box = &shape->box;
    double dx = fabs(x - (box->x0 + box->x1) / 2) - (box->x1 - box->x0) / 2 + shape->radius;
    double dy = fabs(y - (box->y0 + box->y1) / 2) - (box->y1 - box->y0) / 2 + shape->radius;
    double ax = fmax(dx, 0), ay = fmax(dy, 0);
    return sqrt(ax * ax + ay * ay) + fmin(fmax(dx, dy), 0) - shape->radius;
}

void heed__canvas_round_box(heed__canvas *canvas, const heed__round_box *shape)
{
    double half = shape->edge_width / 2;
    heed__rect r = touched(canvas, shape->box, half + 1);
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++) {
            double distance = round_box_distance(shape, x + 0.5, y + 0.5);
            double inside = edge_coverage(distance + half);
            double edge = edge_coverage(distance - half) - inside;
            if (inside > 0)
                heed__canvas_blend(canvas, x, y, shape->fill, shape->opacity * inside);
            if (edge > 0)
                heed__canvas_blend(canvas, x, y, shape->edge, shape->opacity * edge);
        }
}
