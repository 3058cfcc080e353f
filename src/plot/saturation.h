/* plot/saturation.h - where more of a series changes nothing, so that the ten millionth marker need not be drawn.
 *
 * A mark that has changed no pixel is entered with the pixels it stands on, and later marks of the same kind that stand
 * on such pixels alone are left out. So marks on a crowded spot are drawn until their opacity has had its effect. */
#ifndef HEED_PLOT_SATURATION_H
#define HEED_PLOT_SATURATION_H

#include <stddef.h>

#include "plot/canvas.h"

typedef struct heed__saturation {
    heed__rect box;
    size_t words;   /* for each column of pixels */
    uint64_t *bits; /* NULL: nothing is left out */
    uint64_t before;
} heed__saturation;

/* `visits` is the number of pixels that drawing all marks would visit. If it is small, every mark is drawn. False, with
 * canvas->failed set, when there is no memory. */
bool heed__saturation_init(heed__saturation *s, heed__canvas *canvas, double visits);
void heed__saturation_free(heed__saturation *s);

/* Whether a mark that stands on pixels y0 <= y < y1 of column x is to be drawn. After drawing call heed__saturation_end
 * with the same numbers. */
bool heed__saturation_begin(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);
void heed__saturation_end(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1);

#endif
