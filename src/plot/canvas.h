/* plot/canvas.h - a picture of 8-bit RGB pixels, and simple shapes: rectangles, discs, rounded boxes.
 *
 * Coordinates are in pixels, x to the right and y down; pixel (i, j) covers [i, i + 1) x [j, j + 1). Edges that do not
 * fall on pixel borders are anti-aliased. Drawing is limited to the clip rectangle. Colours are 0xRRGGBB.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_CANVAS_H
#define HEED_PLOT_CANVAS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define HEED__BLACK 0x000000u
#define HEED__WHITE 0xffffffu

/* Rounds `value` down and clamps it to -2^24 .. 2^24; NaN gives the lowest number. Every conversion of a coordinate to
 * an integer calls this function, because converting a double that does not fit in an int is undefined behaviour. */
static inline int heed__pixel(double value)
{
    return (int)fmin(fmax(floor(value), -0x1p24), 0x1p24);
}

/* Pixels x0 <= x < x1, y0 <= y < y1. */
typedef struct heed__rect {
    int x0, y0, x1, y1;
} heed__rect;

heed__rect heed__rect_intersect(heed__rect a, heed__rect b);
bool heed__rect_empty(heed__rect r);

/* The rectangle x0 <= x < x1, y0 <= y < y1, whose edges may lie within pixels. */
typedef struct heed__box {
    double x0, y0, x1, y1;
} heed__box;

typedef struct heed__canvas {
    int width, height;
    uint8_t *rgb; /* height rows of width pixels of 3 bytes */
    heed__rect clip;
    uint64_t changes; /* counts the calls of heed__canvas_blend that changed a pixel */
    bool failed;      /* a drawing function failed, usually for lack of memory; the error is pending */
} heed__canvas;

/* Makes a white picture. Returns false with HEED_ERR_NOMEM pending. */
bool heed__canvas_init(heed__canvas *canvas, int width, int height);
void heed__canvas_free(heed__canvas *canvas);

heed__rect heed__canvas_bounds(const heed__canvas *canvas);

/* Blends `color` into one pixel with an opacity of 0 to 1. The pixel must lie in the canvas; the clip rectangle is
 * ignored. */
void heed__canvas_blend(heed__canvas *canvas, int x, int y, uint32_t color, double opacity);

/* Sets the pixels of `rect` within the clip rectangle. */
void heed__canvas_fill(heed__canvas *canvas, heed__rect rect, uint32_t color);

/* Draws a border `width` pixels wide around `rect`. */
void heed__canvas_frame(heed__canvas *canvas, heed__rect rect, int width, uint32_t color);

/* Draws a rectangle with anti-aliased edges. */
void heed__canvas_box(heed__canvas *canvas, heed__box box, uint32_t color, double opacity);

void heed__canvas_disc(heed__canvas *canvas, double x, double y, double radius, uint32_t color, double opacity);

typedef struct heed__round_box {
    heed__box box;
    double radius; /* of the corners */
    uint32_t fill, edge;
    double edge_width; /* width of the edge, which is centred on the outline */
    double opacity;
} heed__round_box;

void heed__canvas_round_box(heed__canvas *canvas, const heed__round_box *shape);

#endif
