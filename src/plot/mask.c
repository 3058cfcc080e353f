/* plot/mask.c - exact area coverage of outlines.
 *
 * For every edge of an outline, every cell of a row receives the area to the right of the edge within the cell, minus
 * this area within the cell on its left. After all edges, the running sum along a row is the covered area of a cell,
 * with a sign that depends on the orientation of the outline.
 */
#include <math.h>

#include <heed/memory.h>

#include "plot/mask.h"

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

static void add(float *cell, double value)
{
    *cell = (float)((double)*cell + value);
}

/* Adds an edge within one row, from xa to xb (xa <= xb), `height` high, positive downwards. Column i of the row
 * receives the area right of the edge in column i minus the area in column i - 1. */
static void add_row(float *row, double xa, double xb, double height)
{
    double left = floor(xa);
    size_t first = (size_t)left, end = (size_t)ceil(xb);
    if (end <= first + 1) {
        double middle = 0.5 * (xa + xb) - left;
        add(&row[first], height * (1 - middle));
        add(&row[first + 1], height * middle);
        return;
    }
    double slope = 1 / (xb - xa);
    double before = 0; /* area right of the edge in the previous column, as a fraction of `height` */
    for (size_t i = first; i < end; i++) {
        double x0 = fmax(xa, (double)i), x1 = fmin(xb, (double)i + 1);
        double crossed = (x1 - x0) * slope;
        double reached = (x0 - xa) * slope;
        double area = reached + crossed * ((double)i + 1 - 0.5 * (x0 + x1));
        add(&row[i], height * (area - before));
        before = area;
    }
    add(&row[end], height * (1 - before));
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
        add_row(mask->cells + (size_t)y * mask->stride, fmin(xa, xb), fmax(xa, xb), sign * (yb - ya));
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
