/* plot/draw.h - where figures are drawn: onto pixels, and beside them, if the file is to be SVG, as elements.
 *
 * The pixels are there in both cases: a legend looks in them for a place where it hides little. So each function here
 * draws on the canvas first, and then writes the same shape into the SVG file. */
#ifndef HEED_PLOT_DRAW_H
#define HEED_PLOT_DRAW_H

#include "plot/canvas.h"
#include "plot/sink.h"
#include "plot/stroke.h"
#include "plot/text.h"

typedef struct heed__surface {
    heed__canvas canvas;
    bool vector; /* the file will be SVG */
    heed__sink svg;
} heed__surface;

/* False with HEED_ERR_NOMEM pending. */
bool heed__surface_init(heed__surface *s, int width, int height, bool vector);
void heed__surface_free(heed__surface *s);

/* Whether something could not be drawn; the error is pending. */
bool heed__surface_failed(const heed__surface *s);

/* Nothing is drawn outside `rect`, until the view ends. Views do not nest. */
void heed__view_begin(heed__surface *s, heed__rect rect);
void heed__view_end(heed__surface *s);

/* Whole pixels. */
void heed__draw_fill(heed__surface *s, heed__rect rect, uint32_t color);

/* The border of `rect`, `width` pixels wide around the outside of it. */
void heed__draw_frame(heed__surface *s, heed__rect rect, int width, uint32_t color);

void heed__draw_box(heed__surface *s, double x0, double y0, double x1, double y1, uint32_t color, double opacity);
void heed__draw_disc(heed__surface *s, double x, double y, double radius, uint32_t color, double opacity);
void heed__draw_round_box(heed__surface *s, const heed__round_box *box);

/* A line through the points, broken where one is not finite. It is at least a tenth of a pixel wide, and solid if its
 * dashes and gaps together are shorter than a pixel. */
void heed__draw_line(heed__surface *s, const heed__point *points, size_t count, const heed__pen_style *pen,
                     uint32_t color, double opacity);

/* The area within a closed outline; the points are finite, and within heed__point_hold's bounds. */
void heed__draw_polygon(heed__surface *s, const heed__point *points, size_t count, uint32_t color, double opacity);

void heed__draw_text(heed__surface *s, const char *text, double x, double y, const heed__font_style *style);

/* A table of numbers that are shown as colours. value(context, row, column, &v) returns false, with an error pending,
 * if the number cannot be read. */
typedef struct heed__color_table {
    int64_t rows, columns;
    bool (*value)(void *context, int64_t row, int64_t column, double *value);
    uint32_t (*color)(const void *context, double value);
    void *context;
    double typical; /* pixels with several cells show the number farthest from this one */
} heed__color_table;

/* Each pixel of `box` shows the cell in which its centre lies. With more cells than pixels every cell belongs to one
 * pixel, which shows the number farthest from `typical`, or NaN if all its cells are NaN. */
void heed__draw_table(heed__surface *s, heed__rect box, const heed__color_table *table);

#endif
