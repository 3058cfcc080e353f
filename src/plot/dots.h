/* plot/dots.h - a picture of dots, 2 x 4 in each character of a terminal: the braille patterns of Unicode. */
#ifndef HEED_PLOT_DOTS_H
#define HEED_PLOT_DOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__dots {
    int columns, rows; /* of characters; there are 2 columns x 4 rows dots */
    uint8_t *bits;     /* (rows, columns): of U+2800 + bits */
    int *owners;       /* (rows, columns): who drew there last */
} heed__dots;

/* No dot is set. False with HEED_ERR_NOMEM pending. */
bool heed__dots_init(heed__dots *dots, int columns, int rows);
void heed__dots_free(heed__dots *dots);

/* Sets a dot, unless it lies outside. */
void heed__dots_set(heed__dots *dots, int64_t x, int64_t y, int owner);

/* A line from one dot to another; what lies outside is cut off. The ends are finite. */
void heed__dots_line(heed__dots *dots, double x0, double y0, double x1, double y1, int owner);

/* The dots x0 <= x <= x1 and y between y0 and y1, both included. */
void heed__dots_box(heed__dots *dots, double x0, double y0, double x1, double y1, int owner);

/* A character in UTF-8: a space where no dot is set, so that no font shows empty ones. */
void heed__dots_character(const heed__dots *dots, int row, int column, char text[4]);

#endif
