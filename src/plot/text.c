/* plot/text.c - lays out text and fills glyph outlines.
 *
 * Small text is crisp only if the tops of letters fall on pixel borders. Heights are therefore shifted so that
 * baseline, x-height, capitals, ascenders and descenders fall on borders; heights between them are interpolated
 * linearly.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>

#include "base/utf8.h"
#include "plot/font.h"
#include "plot/mask.h"
#include "plot/text.h"

#define CURVE_STEPS 8 /* line segments per curve */
#define KNOTS 8
#define MOST_CHARACTERS 65536 /* longer texts are cut off; this number of characters fills the widest picture */

/* -- Characters ------------------------------------------------------------------------------------------- */

static uint64_t glyph_key(int i)
{
    return heed__font_glyphs[i].codepoint;
}

static uint64_t kern_key(int i)
{
    return (uint64_t)heed__font_kerns[i].left << 32 | heed__font_kerns[i].right;
}

/* Returns the index of a key in a sorted table of `count` elements, or -1 if the table lacks the key. */
static int find_key(uint64_t key, int count, uint64_t (*key_at)(int i))
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (key_at(middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && key_at(low) == key ? low : -1;
}

/* Returns the glyph of a character, or NULL if the font lacks the character. */
static const heed__font_glyph *find_glyph(uint32_t codepoint)
{
    int i = find_key(codepoint, heed__font_glyph_count, glyph_key);
    return i >= 0 ? &heed__font_glyphs[i] : NULL;
}

static int kerning(uint32_t left, uint32_t right)
{
    int i = find_key((uint64_t)left << 32 | right, heed__font_kern_count, kern_key);
    return i >= 0 ? heed__font_kerns[i].advance : 0;
}

/* A missing character is drawn as a box. These functions return the box's advance, and the space around it. */
static int box_advance(void)
{
    return heed__font.units_per_em * 5 / 8;
}

static int box_space(void)
{
    return heed__font.units_per_em / 12;
}

static int advance_of(const heed__font_glyph *glyph)
{
    return glyph ? glyph->advance : box_advance();
}

/* -- Measures --------------------------------------------------------------------------------------------- */

double heed__text_width(const char *text, double size)
{
    int64_t units = 0;
    uint32_t last = 0;
    int characters = 0;
    for (const char *at = text; at && *at && characters < MOST_CHARACTERS; characters++) {
        uint32_t codepoint = heed__utf8_next(&at);
        units += kerning(last, codepoint) + advance_of(find_glyph(codepoint));
        last = codepoint;
    }
    return (double)units * size / heed__font.units_per_em;
}

double heed__text_rise(double size)
{
    return floor(heed__font.cap_height * size / heed__font.units_per_em + 0.5);
}

double heed__text_drop(double size)
{
    return floor(-heed__font.descender * size / heed__font.units_per_em + 0.5);
}

double heed__text_fit(const char *text, double size, double space)
{
    double width = heed__text_width(text, size);
    if (width <= space)
        return size;
    return size * fmax(space / width, 0.6);
}

/* -- Filling ---------------------------------------------------------------------------------------------- */

/* The state of drawing a line of text. A position in the line is (u, v) in pixels: u along the line from its start, v
 * up from the baseline. */
typedef struct pen {
    heed__mask *mask;
    double x, y;                                 /* the start of the line */
    double cosine, sine;                         /* cosine and sine of the counterclockwise rotation */
    double scale;                                /* pixels per font unit */
    double knots[KNOTS], aligned[KNOTS];         /* heights in font units, and the pixels that they are aligned to */
    double start_u, start_v, at_u, at_v, origin; /* start of the outline; current point; origin of the glyph */
} pen;

static void set_knots(pen *p, bool slanted)
{
    const heed__font_metrics *font = &heed__font;
    const int from[KNOTS] = {font->descender,        font->baseline_round, 0,
                             font->x_height,         font->x_height_round, font->cap_height,
                             font->cap_height_round, font->ascender};
    const int to[KNOTS] = {font->descender, 0, 0, font->x_height, font->x_height, font->cap_height, font->cap_height,
                           font->ascender};
    for (int i = 0; i < KNOTS; i++) {
        p->knots[i] = from[i];
        p->aligned[i] = slanted ? from[i] * p->scale : floor(to[i] * p->scale + 0.5);
    }
}

/* Converts a height from font units to pixels: linearly between neighbouring knots, and with `scale` beyond the outer
 * knots. */
static double align_height(const pen *p, double height)
{
    if (height <= p->knots[0])
        return p->aligned[0] + (height - p->knots[0]) * p->scale;
    for (int i = 1; i < KNOTS; i++)
        if (height <= p->knots[i]) {
            double fraction = (height - p->knots[i - 1]) / (p->knots[i] - p->knots[i - 1]);
            return p->aligned[i - 1] + fraction * (p->aligned[i] - p->aligned[i - 1]);
        }
    return p->aligned[KNOTS - 1] + (height - p->knots[KNOTS - 1]) * p->scale;
}

static void edge_to(pen *p, double u, double v)
{
    double c = p->cosine, s = p->sine;
    heed__mask_edge(p->mask, p->x + p->at_u * c - p->at_v * s, p->y - p->at_u * s - p->at_v * c, p->x + u * c - v * s,
                    p->y - u * s - v * c);
    p->at_u = u;
    p->at_v = v;
}

static void curve_to(pen *p, double cu, double cv, double u, double v)
{
    double u0 = p->at_u, v0 = p->at_v;
    for (int i = 1; i <= CURVE_STEPS; i++) {
        double t = (double)i / CURVE_STEPS, s = 1 - t;
        edge_to(p, s * s * u0 + 2 * s * t * cu + t * t * u, s * s * v0 + 2 * s * t * cv + t * t * v);
    }
}

static void fill_glyph(pen *p, const heed__font_glyph *glyph)
{
    p->start_u = p->at_u = p->origin;
    p->start_v = p->at_v = 0;
    for (int i = 0; i < glyph->count; i++) {
        const heed__font_point *point = &heed__font_points[glyph->first + i];
        double u = p->origin + point->x * p->scale, v = align_height(p, point->y);
        if (point->kind == HEED__MOVE) {
            edge_to(p, p->start_u, p->start_v);
            p->start_u = p->at_u = u;
            p->start_v = p->at_v = v;
        } else if (point->kind == HEED__LINE) {
            edge_to(p, u, v);
        } else {
            curve_to(p, p->origin + point->cx * p->scale, align_height(p, point->cy), u, v);
        }
    }
    edge_to(p, p->start_u, p->start_v);
}

/* Adds a rectangle. `turn`, 1 or -1, is the orientation of its outline; an inner rectangle of opposite orientation is a
 * hole. */
static void fill_rectangle(pen *p, double u0, double v0, double u1, double v1, int turn)
{
    p->start_u = p->at_u = u0;
    p->start_v = p->at_v = v0;
    edge_to(p, turn > 0 ? u0 : u1, turn > 0 ? v1 : v0);
    edge_to(p, u1, v1);
    edge_to(p, turn > 0 ? u1 : u0, turn > 0 ? v0 : v1);
    edge_to(p, u0, v0);
}

static void fill_missing_box(pen *p)
{
    double u0 = floor(p->origin + box_space() * p->scale + 0.5);
    double u1 = floor(p->origin + (box_advance() - box_space()) * p->scale + 0.5);
    double top = align_height(p, heed__font.cap_height), line = fmax(floor(p->scale * box_space() + 0.5), 1);
    fill_rectangle(p, u0, 0, u1, top, 1);
    if (u1 - u0 > 2 * line && top > 2 * line)
        fill_rectangle(p, u0 + line, line, u1 - line, top - line, -1);
}

/* Finds the range *from .. *to along the line in which glyphs can touch the mask. Glyphs extend at most `reach` from
 * their origin. */
static void find_visible(const pen *p, double reach, double *from, double *to)
{
    heed__rect box = p->mask->box;
    *from = 0;
    *to = HUGE_VAL;
    heed__clip_line((heed__point){p->x, p->y}, (heed__point){p->cosine, -p->sine},
                    (heed__box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach}, from, to);
}

static void fill_glyphs(pen *p, const char *text, double size)
{
    uint32_t last = 0;
    double from, to;
    find_visible(p, 3 * size, &from, &to);
    for (int characters = 0; *text && characters < MOST_CHARACTERS && p->origin <= to; characters++) {
        uint32_t codepoint = heed__utf8_next(&text);
        const heed__font_glyph *glyph = find_glyph(codepoint);
        p->origin += kerning(last, codepoint) * p->scale;
        if (p->origin >= from && glyph)
            fill_glyph(p, glyph);
        else if (p->origin >= from)
            fill_missing_box(p);
        p->origin += advance_of(glyph) * p->scale;
        last = codepoint;
    }
}

/* Returns the pixels that a line of text of this width may touch. Letters extend at most an em beyond the width. */
static heed__rect touched_by_line(const pen *p, double width, double size)
{
    double u0 = -size, u1 = width + size;
    double low = -size, high = 1.5 * size; /* relative to the baseline */
    double across = high * p->sine, back = low * p->sine;
    return (heed__rect){.x0 = heed__pixel(p->x + u0 * p->cosine - across),
                        .y0 = heed__pixel(p->y - u1 * p->sine - high * p->cosine),
                        .x1 = heed__pixel(ceil(p->x + u1 * p->cosine - back)),
                        .y1 = heed__pixel(ceil(p->y - u0 * p->sine - low * p->cosine))};
}

void heed__text_draw(heed__canvas *canvas, const char *text, double x, double y, const heed__font_style *style)
{
    static const double cosines[] = {1, 0.70710678118654752, 0}, sines[] = {0, 0.70710678118654752, 1};
    if (!text || !*text)
        return;
    double width = heed__text_width(text, style->size);
    double back = style->align == HEED__START ? 0 : style->align == HEED__CENTER ? width / 2 : width;
    heed__mask mask;
    pen p = {.mask = &mask, .scale = style->size / heed__font.units_per_em};
    p.cosine = cosines[style->turn];
    p.sine = sines[style->turn];
    p.x = floor(x - back * p.cosine + 0.5);
    p.y = floor(y + back * p.sine + 0.5);
    set_knots(&p, style->turn == HEED__SLANTED);
    if (!heed__mask_init(&mask, canvas, touched_by_line(&p, width, style->size)))
        return;
    fill_glyphs(&p, text, style->size);
    heed__mask_fill(&mask);
    heed__mask_paint(&mask, canvas, style->color, 1);
    heed__mask_free(&mask);
}
