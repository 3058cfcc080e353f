/* plot/dense.h - leaves out points and marks that do not affect a picture, so that the time to draw a dense series
 * depends on the size of the picture and not on the number of points.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_DENSE_H
#define HEED_PLOT_DENSE_H

#include "plot/mask.h"

/* If more than 16 consecutive points lie in a vertical strip a quarter of a pixel wide, keeps only the first, the last,
 * the highest and the lowest, in their order; then does the same for horizontal strips. Returns the number of remaining
 * points. */
size_t heed__thin(heed__point *points, size_t count);

/* Finds pixels at which more marks of a series have no effect. If drawing a mark changes no pixel, its position is
 * recorded, and later marks of the same kind whose pixels are all recorded are skipped. Marks on top of each other are
 * therefore drawn until their opacities have added up to a solid colour. */
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
