/* plot/saturation.h - finds crowded pixels, where more marks of a series have no effect, to skip the ten millionth
 * marker.
 *
 * If drawing a mark changes no pixel, its position is recorded, and later marks of the same kind whose pixels are all
 * recorded are skipped. Marks on a crowded spot are therefore drawn until their opacity has had its full effect. */
#ifndef HEED_PLOT_SATURATION_H
#define HEED_PLOT_SATURATION_H

#include <stddef.h>

#include "plot/canvas.h"

typedef struct heed__saturation {
    heed__rect box;
    size_t words;   /* per column of pixels */
    uint64_t *bits; /* NULL: draws all marks */
    uint64_t before;
} heed__saturation;

/* `visits` is the number of pixels that drawing all marks would visit. If it is small, all marks are drawn. If memory
 * runs out, sets canvas->failed and returns false. */
bool heed__saturation_init(heed__saturation *s, heed__canvas *canvas, double visits);
void heed__saturation_free(heed__saturation *s);

/* Returns true if a mark on pixels y0 <= y < y1 of column x must be drawn. After drawing it, call heed__saturation_end
 * with the same numbers. */
bool heed__saturation_begin(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);
void heed__saturation_end(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);

#endif
