/* plot/svg.h - the shapes of canvas.h, mask.h and text.h as elements of an SVG 1.1 file.
 *
 * Coordinates are pixels of the canvas, y downwards. An opacity of 1 is omitted.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_SVG_H
#define HEED_PLOT_SVG_H

#include "plot/mask.h"
#include "plot/sink.h"
#include "plot/text.h"

void heed__svg_begin(heed__sink *svg, int width, int height);
void heed__svg_end(heed__sink *svg);

/* Clips all elements up to the end of the view to `rect`. */
void heed__svg_view_begin(heed__sink *svg, heed__rect rect);
void heed__svg_view_end(heed__sink *svg);

void heed__svg_box(heed__sink *svg, heed__box box, uint32_t color, double opacity);
void heed__svg_disc(heed__sink *svg, double x, double y, double radius, uint32_t color, double opacity);
void heed__svg_round_box(heed__sink *svg, const heed__round_box *shape);
void heed__svg_text(heed__sink *svg, const char *text, double x, double y, const heed__font_style *style);

/* Writes a line, clipped to `clip`. Leaves out points that change the line by less than a quarter of a pixel, so that
 * the size of the file does not grow with the number of points of a dense curve. */
void heed__svg_line(heed__sink *svg, const heed__point *points, size_t count, const heed__pen_style *pen,
                    heed__rect clip);

/* Writes a filled closed outline. */
void heed__svg_polygon(heed__sink *svg, const heed__point *points, size_t count, uint32_t color, double opacity);

/* Writes a PNG image, shown in `rect`. */
void heed__svg_image(heed__sink *svg, heed__rect rect, const uint8_t *png, size_t size);

#endif
