/* plot/dense.c - thins curves, and records saturated pixels in one bit per pixel, column by column.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/memory.h>

#include "plot/dense.h"

#define PER_PIXEL 4
#define MANY 16    /* all points of a strip are kept up to this number, which ordinary curves do not exceed */
#define FEW 0x1p26 /* up to this number of pixel visits, which take a fraction of a second, all marks are drawn */

/* -- Curves ----------------------------------------------------------------------------------------------- */

typedef enum axis { ALONG_X, ALONG_Y } axis;

static double strip_of(heed__point p, axis along)
{
    return floor(PER_PIXEL * (along == ALONG_X ? p.x : p.y));
}

static double across(heed__point p, axis along)
{
    return along == ALONG_X ? p.y : p.x;
}

static bool is_finite_point(heed__point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

/* Writes the points from <= i < end of a strip, or only four of them if they are more than MANY, to points[kept] and
 * the following elements. Returns the new `kept`. */
static size_t thin_strip(heed__point *points, size_t kept, size_t from, size_t end, axis along)
{
    size_t low = from, high = from;
    if (end - from <= MANY) {
        for (size_t i = from; i < end; i++)
            points[kept++] = points[i];
        return kept;
    }
    for (size_t i = from; i < end; i++) {
        low = across(points[i], along) < across(points[low], along) ? i : low;
        high = across(points[i], along) > across(points[high], along) ? i : high;
    }
    const heed__point four[] = {points[from], points[low < high ? low : high], points[low < high ? high : low],
                                points[end - 1]};
    for (size_t i = 0; i < 4; i++)
        points[kept++] = four[i];
    return kept;
}

static size_t thin_along(heed__point *points, size_t count, axis along)
{
    size_t kept = 0;
    for (size_t from = 0, end; from < count; from = end) {
        double strip = strip_of(points[from], along);
        end = from + 1;
        while (end < count && is_finite_point(points[from]) && is_finite_point(points[end]) &&
               strip_of(points[end], along) == strip)
            end++;
        kept = thin_strip(points, kept, from, end, along);
    }
    return kept;
}

size_t heed__thin(heed__point *points, size_t count)
{
    return thin_along(points, thin_along(points, count, ALONG_X), ALONG_Y);
}

/* -- Marks ------------------------------------------------------------------------------------------------ */

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
static uint64_t word_bits(int from, int end)
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
        uint64_t bits = word_bits(from - word * 64, end - word * 64);
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
