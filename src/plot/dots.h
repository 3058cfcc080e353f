/* plot/dots.h - a picture of dots. Every character of a terminal shows 2 x 4 dots as one of Unicode's braille
 * patterns. */
#ifndef HEED_PLOT_DOTS_H
#define HEED_PLOT_DOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
