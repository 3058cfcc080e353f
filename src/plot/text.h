/* plot/text.h - anti-aliased text from the baked font, level, or turned to the left.
 *
 * Text is UTF-8; a character that the font lacks, or a byte that is not UTF-8, is drawn as a box. `size` is the
 * height of an em in pixels. */
#ifndef HEED_PLOT_TEXT_H
#define HEED_PLOT_TEXT_H

#include "plot/canvas.h"

typedef enum heed__align { HEED__START, HEED__CENTER, HEED__END } heed__align;

typedef enum heed__turn {
    HEED__LEVEL,
    HEED__SLANTED, /* by an eighth: rises to the right */
    HEED__UPWARD   /* by a quarter: reads from bottom to top */
} heed__turn;

typedef struct heed__font_style {
    double size;
    uint32_t color;
    heed__align align; /* where the given point lies along the text */
    heed__turn turn;
} heed__font_style;

/* Length of the text along its line. Characters after the first 65,536 neither count nor are drawn. */
double heed__text_width(const char *text, double size);

/* From the baseline up to the top of capitals and digits, and down to the lowest letters; both positive. */
double heed__text_rise(double size);
double heed__text_drop(double size);

/* `size`, or as much less, down to 0.6 of it, as the text needs to fit into `room`. */
double heed__text_fit(const char *text, double size, double room);

/* Draws with the baseline through (x, y). Does nothing for NULL and "". */
void heed__text_draw(heed__canvas *canvas, const char *text, double x, double y, const heed__font_style *style);

#endif
