/* plot/saturation.h - finds pixels at which more marks of a series have no effect, so that a series with millions of
 * marks can be drawn quickly.
 *
 * If drawing a mark changes no pixel, its position is recorded, and later marks of the same kind whose pixels are all
 * recorded are skipped. Marks on top of each other are therefore drawn until their opacities have added up to a solid
 * colour. */
#ifndef HEED_PLOT_SATURATION_H
#define HEED_PLOT_SATURATION_H

#include <stddef.h>

#include "plot/canvas.h"

typedef struct heed__saturation {
    heed__rect box;
    size_t words;   /* number of words per column of pixels */
    uint64_t *bits; /* NULL if all marks are drawn */
    uint64_t before;
} heed__saturation;

/* Begins a series. `visits` is the number of pixels that drawing all marks would visit; if it is small, all marks are
 * drawn. If memory runs out, sets canvas->failed and returns false. */
bool heed__saturation_init(heed__saturation *s, heed__canvas *canvas, double visits);
void heed__saturation_free(heed__saturation *s);

/* Returns true if a mark on pixels y0 <= y < y1 of column x must be drawn. After drawing it, call heed__saturation_end
 * with the same numbers. */
bool heed__saturation_begin(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);
void heed__saturation_end(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);

#endif
