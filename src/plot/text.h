/* plot/text.h - anti-aliased text from the built-in font, horizontal or rotated counterclockwise.
 *
 * Text is UTF-8. Invalid bytes, and characters that the font lacks, are drawn as boxes. `size` is the height of an em
 * in pixels.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_TEXT_H
#define HEED_PLOT_TEXT_H

#include "plot/canvas.h"

typedef enum heed__align { HEED__START, HEED__CENTER, HEED__END } heed__align;

typedef enum heed__turn {
    HEED__LEVEL,
    HEED__SLANTED, /* by 45 degrees: rises to the right */
    HEED__UPWARD   /* by 90 degrees: reads from bottom to top */
} heed__turn;

typedef struct heed__font_style {
    double size;
    uint32_t color;
    heed__align align; /* which point of the text is at the given position */
    heed__turn turn;
} heed__font_style;

/* Returns the width of the text, measured along its line. Only the first 65,536 characters are measured and drawn. */
double heed__text_width(const char *text, double size);

/* heed__text_rise returns the distance from the baseline up to the top of capitals and digits, and heed__text_drop the
 * distance down to the bottom of letters such as g. Both are positive. */
double heed__text_rise(double size);
double heed__text_drop(double size);

/* Returns the largest size, at most `size`, at which the text fits into `space`; but at least 0.6 of `size`. */
double heed__text_fit(const char *text, double size, double space);

/* Draws text with the baseline through (x, y). Does nothing for NULL and "". */
void heed__text_draw(heed__canvas *canvas, const char *text, double x, double y, const heed__font_style *style);

#endif
