/* plot/saturation.c - records saturated pixels, in one bit per pixel, column by column. */
#include <heed/memory.h>

#include "plot/saturation.h"

#define FEW 0x1p26 /* up to this number of pixel visits, which take a fraction of a second, all marks are drawn */

static size_t words_of(const heed__saturation *s)
{
    return s->words * (size_t)(s->box.x1 - s->box.x0);
}

bool heed__saturation_init(heed__saturation *s, heed__canvas *canvas, double visits)
{
    *s = (heed__saturation){.box = canvas->clip};
    if (visits < FEW || heed__rect_empty(s->box))
        return true;
    s->words = ((size_t)(s->box.y1 - s->box.y0) + 63) / 64;
    s->bits = heed_calloc(words_of(s), sizeof *s->bits);
    canvas->failed = canvas->failed || !s->bits;
    return s->bits != NULL;
}

void heed__saturation_free(heed__saturation *s)
{
    heed_free(s->bits, s->bits ? words_of(s) * sizeof *s->bits : 0);
}

/* Returns a word in which the bits from <= bit < end are set. `from` and `end` may be outside of 0 .. 64. */
static uint64_t bits_of(int from, int end)
{
    uint64_t below = from <= 0 ? 0 : ((uint64_t)1 << from) - 1;
    return (end >= 64 ? UINT64_MAX : ((uint64_t)1 << end) - 1) & ~below;
}

/* Returns true if the bits of all pixels y0 <= y < y1 in column x were set, and sets them if `set` is true. Returns
 * false if one of the pixels is outside of the box. */
static bool visit(heed__saturation *s, int x, int y0, int y1, bool set)
{
    if (!s->bits || x < s->box.x0 || x >= s->box.x1 || y0 < s->box.y0 || y1 > s->box.y1 || y0 >= y1)
        return false;
    uint64_t *column = s->bits + s->words * (size_t)(x - s->box.x0);
    int from = y0 - s->box.y0, end = y1 - s->box.y0;
    bool all = true;
    for (int word = from / 64; word * 64 < end; word++) {
        uint64_t bits = bits_of(from - word * 64, end - word * 64);
        all = all && (column[word] & bits) == bits;
        column[word] |= set ? bits : 0;
    }
    return all;
}

bool heed__saturation_begin(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1)
{
    s->before = canvas->changes;
    return !visit(s, x, y0, y1, false);
}

void heed__saturation_end(heed__saturation *s, const heed__canvas *canvas, int x, int y0, int y1)
{
    if (canvas->changes == s->before)
        (void)visit(s, x, y0, y1, true);
}
