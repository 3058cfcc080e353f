/* plot/draw.h - surfaces that figures are drawn on: pixels and, for SVG files, also elements.
 *
 * The pixels are drawn for SVG files, too, because the legend searches them for a position at which it hides little.
 * Every function here draws on the canvas and then writes the same shape to the SVG file.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_DRAW_H
#define HEED_PLOT_DRAW_H

#include "plot/mask.h"
#include "plot/sink.h"
#include "plot/text.h"

typedef struct heed__surface {
    heed__canvas canvas;
    bool vector; /* the file will be SVG */
    heed__sink svg;
} heed__surface;

/* Returns false with HEED_ERR_NOMEM pending. */
bool heed__surface_init(heed__surface *s, int width, int height, bool vector);
void heed__surface_free(heed__surface *s);

/* Returns true if a drawing function failed; the error is pending. */
bool heed__surface_failed(const heed__surface *s);

/* heed__view_begin limits drawing to `rect` until heed__view_end. Views must not be nested. */
void heed__view_begin(heed__surface *s, heed__rect rect);
void heed__view_end(heed__surface *s);

/* Fills whole pixels. */
void heed__draw_fill(heed__surface *s, heed__rect rect, uint32_t color);

/* Draws a border `width` pixels wide around `rect`. */
void heed__draw_frame(heed__surface *s, heed__rect rect, int width, uint32_t color);

void heed__draw_box(heed__surface *s, heed__box box, uint32_t color, double opacity);
void heed__draw_disc(heed__surface *s, double x, double y, double radius, uint32_t color, double opacity);
void heed__draw_round_box(heed__surface *s, const heed__round_box *shape);

/* Draws a line through the points, with a gap at non-finite points. It is at least a tenth of a pixel wide, and solid
 * if a dash and a gap together are shorter than a pixel. */
void heed__draw_line(heed__surface *s, const heed__point *points, size_t count, const heed__pen_style *pen);

/* Fills a closed outline. The points must be finite, and within the bounds of heed__point_clamp. */
void heed__draw_polygon(heed__surface *s, const heed__point *points, size_t count, uint32_t color, double opacity);

void heed__draw_text(heed__surface *s, const char *text, double x, double y, const heed__font_style *style);

/* A table of numbers, shown as colours. value(context, row, column, &v) returns false, with an error pending, if it
 * cannot read the number. */
typedef struct heed__color_table {
    int64_t rows, columns;
    bool (*value)(void *context, int64_t row, int64_t column, double *value);
    uint32_t (*color)(const void *context, double value);
    void *context;
    double typical; /* a pixel with several cells shows the number farthest from this one */
} heed__color_table;

/* Draws a table in `box`. Every pixel shows the cell that contains the pixel's centre. If there are more cells than
 * pixels, every cell belongs to one pixel, which shows the number farthest from `typical` among its cells, or NaN if
 * all of them are NaN. */
void heed__draw_table(heed__surface *s, heed__rect box, const heed__color_table *table);

#endif
