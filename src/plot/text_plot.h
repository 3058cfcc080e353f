/* plot/text_plot.h - plots as lines of text: series as dots, with axes and labels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_TEXT_PLOT_H
#define HEED_PLOT_TEXT_PLOT_H

#include "plot/axis.h"
#include "plot/sink.h"

/* A picture of dots. Every character of a terminal shows 2 x 4 dots as one of Unicode's braille patterns. */
typedef struct heed__dots {
    int columns, rows; /* size in characters; the picture is 2 * columns dots wide and 4 * rows dots high */
    uint8_t *bits;     /* (rows, columns): the character is U+2800 + bits */
    int *owners;       /* (rows, columns): the owner that drew the last dot of the character */
} heed__dots;

/* Makes a picture without dots. Returns false with HEED_ERR_NOMEM pending. */
bool heed__dots_init(heed__dots *dots, int columns, int rows);
void heed__dots_free(heed__dots *dots);

/* Sets a dot for `owner`, a number that the caller chooses. Does nothing if the dot lies outside of the picture. */
void heed__dots_set(heed__dots *dots, int64_t x, int64_t y, int owner);

/* Draws a line from one dot to another, clipped to the picture. The ends must be finite. */
void heed__dots_line(heed__dots *dots, double x0, double y0, double x1, double y1, int owner);

/* Sets the dots of the rectangle from (x0, y0) to (x1, y1), including both corners. */
void heed__dots_box(heed__dots *dots, double x0, double y0, double x1, double y1, int owner);

/* Writes a character in UTF-8: a space if no dot is set, so that no font shows empty dots. */
void heed__dots_character(const heed__dots *dots, int row, int column, char text[4]);

typedef struct heed__text_plot {
    heed_plot_text_options options; /* columns and rows are not 0 */
    int count;
    heed__series *series;
    heed__axis x, y;
    heed__dots dots;
    bool terminal; /* use colours, and fill lines with blanks */
    int left;      /* width of the y axis's labels in columns */
    heed__sink out;
} heed__text_plot;

/* Draws the series on plot->dots. Series i is the owner i of its dots. */
void heed__text_plot_draw(heed__text_plot *plot);

/* Returns the row of dots for a value. Returns NaN if the axis is logarithmic and the value is not positive. */
double heed__text_plot_row(const heed__text_plot *plot, double value);

/* Returns the index of the terminal's nearest colour, among the 240 colours that do not depend on its settings. */
int heed__text_plot_color(uint32_t rgb);

#endif
