/* plot/mask.h - how much of each pixel in a rectangle a shape covers, 0 to 1: gathered first and painted once, so
 * that where a shape overlaps itself does not show. */
#ifndef HEED_PLOT_MASK_H
#define HEED_PLOT_MASK_H

#include <stddef.h>

#include "plot/canvas.h"

typedef struct heed__mask {
    heed__rect box;
    size_t stride; /* cells from one row to the next: two more than the box is wide */
    float *cells;
    uint16_t *open; /* NULL, or for each tile the number of cells that the line can still cover more */
} heed__mask;

/* The side of a tile in cells. Tiles at the right and at the bottom may be cut off. */
#define HEED__TILE 16

/* Counts the open cells of tiles from now on. False, with canvas->failed set, when there is no memory. */
bool heed__mask_tile(heed__mask *mask, heed__canvas *canvas);

/* The tile of a pixel of the mask. */
static inline uint16_t *heed__mask_open(const heed__mask *mask, int x, int y)
{
    int columns = (mask->box.x1 - mask->box.x0 + HEED__TILE - 1) / HEED__TILE;
    int row = (y - mask->box.y0) / HEED__TILE, column = (x - mask->box.x0) / HEED__TILE;
    return mask->open + (size_t)row * (size_t)columns + (size_t)column;
}

/* An empty mask for the part of `box` that lies in the canvas's clip rectangle. False when that is empty, and, with
 * canvas->failed set, when there is no memory. */
bool heed__mask_init(heed__mask *mask, heed__canvas *canvas, heed__rect box);
void heed__mask_free(heed__mask *mask);

static inline float *heed__mask_row(const heed__mask *mask, int y)
{
    return mask->cells + (size_t)(y - mask->box.y0) * mask->stride;
}

/* Closed outlines: add every edge in order of travel, then fill. Outlines that overlap must turn the same way. */
void heed__mask_edge(heed__mask *mask, double x0, double y0, double x1, double y1);
void heed__mask_fill(heed__mask *mask);

/* Paints the covered pixels. */
void heed__mask_paint(const heed__mask *mask, heed__canvas *canvas, uint32_t color, double opacity);

#endif
