/* plot/mask.h - coverage masks of outlines and lines: the fraction, 0 to 1, of every pixel in a rectangle that a shape
 * covers. A shape is painted only when its mask is complete, so that overlaps of a shape with itself do not show.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_MASK_H
#define HEED_PLOT_MASK_H

#include <stddef.h>

#include "plot/canvas.h"

typedef struct heed__mask {
    heed__rect box;
    size_t stride; /* cells per row, which is the width of the box plus 2 */
    float *cells;
    uint16_t *open; /* (tiles): number of cells in a tile that the line does not cover fully yet; NULL if not counted */
} heed__mask;

/* The side of a tile in cells. Tiles at the right and at the bottom may be smaller. */
#define HEED__TILE 16

/* Starts to count the cells of every tile that the line does not cover fully yet. If memory runs out, sets
 * canvas->failed and returns false. */
bool heed__mask_tile(heed__mask *mask, heed__canvas *canvas);

/* Returns the element of mask->open for the tile that contains pixel (x, y). */
static inline uint16_t *heed__mask_open(const heed__mask *mask, int x, int y)
{
    int columns = (mask->box.x1 - mask->box.x0 + HEED__TILE - 1) / HEED__TILE;
    int row = (y - mask->box.y0) / HEED__TILE, column = (x - mask->box.x0) / HEED__TILE;
    return mask->open + (size_t)row * (size_t)columns + (size_t)column;
}

/* Makes an empty mask for the intersection of `box` and the canvas's clip rectangle. Returns false if the intersection
 * is empty, or, with canvas->failed set, if memory runs out. */
bool heed__mask_init(heed__mask *mask, heed__canvas *canvas, heed__rect box);
void heed__mask_free(heed__mask *mask);

static inline float *heed__mask_row(const heed__mask *mask, int y)
{
    return mask->cells + (size_t)(y - mask->box.y0) * mask->stride;
}

/* To fill closed outlines, call heed__mask_edge for all edges in order, and then heed__mask_fill. Outlines that overlap
 * must have the same orientation. */
void heed__mask_edge(heed__mask *mask, double x0, double y0, double x1, double y1);
void heed__mask_fill(heed__mask *mask);

typedef struct heed__point {
    double x, y;
} heed__point;

/* Alternating lengths of dashes and gaps, in multiples of the line width; count 0 means solid. */
typedef struct heed__dashes {
    int count;
    double lengths[4];
} heed__dashes;

typedef struct heed__pen_style {
    double width;
    heed__dashes dashes;
    uint32_t color;
    double opacity;
} heed__pen_style;

/* Restricts the range *t0 .. *t1 to those t for which from + t step lies within the box or on its edge. If there are
 * none, *t0 > *t1. */
void heed__clip_line(heed__point from, heed__point step, heed__box box, double *t0, double *t1);

/* Clamps a finite point to bounds that are so close that differences of points are finite. */
heed__point heed__point_clamp(heed__point p);

/* Adds a line through the points to the mask; the colour does not matter. Ends and corners of the line are round, and
 * ends of dashes are square. The line has a gap at a non-finite point. */
void heed__stroke(heed__mask *mask, const heed__point *points, size_t count, const heed__pen_style *style);

/* Paints the covered pixels. */
void heed__mask_paint(const heed__mask *mask, heed__canvas *canvas, uint32_t color, double opacity);

#endif
