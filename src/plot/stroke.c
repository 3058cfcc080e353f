/* plot/stroke.c - draws lines as the union of their segments. A cell of the mask stores the largest coverage by any
 * segment, so that overlaps of consecutive segments do not show. */
#include <math.h>

#include "plot/stroke.h"

/* Pixel coordinates are clamped to this range, so that their differences are finite. */
#define FARTHEST 1e9

typedef struct segment {
    heed__point from, to;
    double dx, dy, length; /* dx, dy: unit vector along the segment */
    bool square_start, square_end;
} segment;

/* Returns the coverage of a pixel by a strip whose middle line is `distance` from the pixel's centre. The strip extends
 * `half` to both sides of the line. The pixel is 1 wide. */
static double strip_coverage(double distance, double half)
{
    double covered = fmin(distance + 0.5, half) - fmax(distance - 0.5, -half);
    return fmin(fmax(covered, 0), 1);
}

static double segment_coverage(const segment *s, double x, double y, double half)
{
    double along = (x - s->from.x) * s->dx + (y - s->from.y) * s->dy;
    double across = fabs((x - s->from.x) * s->dy - (y - s->from.y) * s->dx);
    double beyond = fmax(-along, along - s->length);
    bool square = along < s->length / 2 ? s->square_start : s->square_end;
    if (square)
        return strip_coverage(across, half) * strip_coverage(along - s->length / 2, s->length / 2);
    if (beyond > 0)
        across = sqrt(across * across + beyond * beyond);
    return strip_coverage(across, half);
}

void heed__clip_parameter(double a, double b, double low, double high, double *t0, double *t1)
{
    if (b == 0) {
        if (a < low || a > high)
            *t1 = -1;
        return;
    }
    double at_low = (low - a) / b, at_high = (high - a) / b;
    *t0 = fmax(*t0, fmin(at_low, at_high));
    *t1 = fmin(*t1, fmax(at_low, at_high));
}

/* Finds the columns left <= x < right that a segment may touch in the rows y0 <= y < y1. Returns false without such
 * columns. */
static bool columns_of(const heed__mask *mask, const segment *s, double reach, int y0, int y1, int *left, int *right)
{
    double t0 = 0, t1 = 1, dx = s->to.x - s->from.x;
    heed__clip_parameter(s->from.y, s->to.y - s->from.y, y0 - reach, y1 + reach, &t0, &t1);
    if (t0 > t1)
        return false;
    double xa = s->from.x + t0 * dx, xb = s->from.x + t1 * dx;
    *left = heed__pixel(fmax(fmin(xa, xb) - reach, mask->box.x0));
    *right = heed__pixel(fmin(ceil(fmax(xa, xb) + reach), mask->box.x1));
    return *left < *right;
}

static void add_rows(heed__mask *mask, const segment *s, double half, int y0, int y1)
{
    const float most = (float)fmin(2 * half, 1); /* maximum coverage, in the middle of the line */
    int left, right;
    for (int y = y0; y < y1; y++) {
        if (!columns_of(mask, s, half + 1, y, y + 1, &left, &right))
            continue;
        float *row = heed__mask_row(mask, y);
        for (int x = left; x < right; x++) {
            float *cell = &row[x - mask->box.x0];
            /* skips cells with maximum coverage, because long noisy curves cover most cells many times */
            if (*cell >= most)
                continue;
            *cell = fmaxf(*cell, (float)segment_coverage(s, x + 0.5, y + 0.5, half));
            if (mask->open && *cell >= most)
                --*heed__mask_open(mask, x, y);
        }
    }
}

/* Returns true if a segment may touch a tile with cells that are not covered fully yet. Considers only the rows y0 <= y
 * < y1, which must be in one row of tiles. */
static bool has_open_tile(const heed__mask *mask, const segment *s, double reach, int y0, int y1)
{
    int left, right;
    if (!columns_of(mask, s, reach, y0, y1, &left, &right))
        return false;
    const uint16_t *tile = heed__mask_open(mask, left, y0), *last = heed__mask_open(mask, right - 1, y0);
    while (tile < last && *tile == 0)
        tile++;
    return *tile > 0;
}

static void add_segment(heed__mask *mask, const segment *s, double half)
{
    double reach = half + 1;
    int top = heed__pixel(fmax(fmin(s->from.y, s->to.y) - reach, mask->box.y0));
    int bottom = heed__pixel(fmin(ceil(fmax(s->from.y, s->to.y) + reach), mask->box.y1));
    if (!mask->open)
        add_rows(mask, s, half, top, bottom);
    for (int y = top, end; mask->open && y < bottom; y = end) {
        end = y + HEED__TILE - (y - mask->box.y0) % HEED__TILE;
        end = end < bottom ? end : bottom;
        if (has_open_tile(mask, s, reach, y, end))
            add_rows(mask, s, half, y, end);
    }
}

static heed__point between(heed__point a, heed__point b, double t)
{
    return (heed__point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/* Finds the part *t0 .. *t1 of a segment that is visible in the mask. The rest is not drawn, because it may have too
 * many dashes. Returns false if the segment is invisible. */
static bool visible(const heed__mask *mask, heed__point a, heed__point b, double reach, double *t0, double *t1)
{
    *t0 = 0;
    *t1 = 1;
    heed__clip_parameter(a.x, b.x - a.x, mask->box.x0 - reach, mask->box.x1 + reach, t0, t1);
    heed__clip_parameter(a.y, b.y - a.y, mask->box.y0 - reach, mask->box.y1 + reach, t0, t1);
    return *t0 <= *t1;
}

static double pattern_length(const heed__pen_style *style)
{
    double sum = 0;
    for (int i = 0; i < style->dashes.count; i++)
        sum += style->dashes.lengths[i] * style->width;
    return sum;
}

/* Draws the dashes of a segment between `start` and `end`, which are lengths along the segment. `phase` is the position
 * in the pattern of dashes at which the segment begins. A dash that continues in the next segment has a round end
 * there. */
static void add_dashes(heed__mask *mask, segment s, double phase, double start, double end,
                       const heed__pen_style *style)
{
    double pattern = pattern_length(style), length = s.length;
    heed__point from = s.from, to = s.to;
    double at = floor((phase + start) / pattern) * pattern - phase;
    while (at < end) {
        for (int i = 0; i < style->dashes.count; i++) {
            double next = at + style->dashes.lengths[i] * style->width;
            double a = fmax(at, 0), b = fmin(next, length);
            if (i % 2 == 0 && a < b && b >= start && a <= end) {
                s.from = between(from, to, a / length);
                s.to = between(from, to, b / length);
                s.length = b - a;
                s.square_start = at >= 0;
                s.square_end = next <= length;
                add_segment(mask, &s, style->width / 2);
            }
            at = next;
        }
    }
}

heed__point heed__point_clamp(heed__point p)
{
    return (heed__point){fmin(fmax(p.x, -FARTHEST), FARTHEST), fmin(fmax(p.y, -FARTHEST), FARTHEST)};
}

/* Adds a segment of a line, solid or dashed, and returns its length. `phase` is the position in the pattern of dashes
 * at which the segment begins. */
static double stroke_segment(heed__mask *mask, heed__point a, heed__point b, double phase, const heed__pen_style *style)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), t0, t1;
    if (!visible(mask, a, b, style->width + 2, &t0, &t1))
        return length;
    segment s = {.from = a, .to = b, .length = length};
    s.dx = length > 0 ? dx / length : 1;
    s.dy = length > 0 ? dy / length : 0;
    if (style->dashes.count > 0 && length > 0) {
        add_dashes(mask, s, phase, t0 * length, t1 * length, style);
    } else {
        s.from = between(a, b, t0);
        s.to = between(a, b, t1);
        s.length = (t1 - t0) * length;
        add_segment(mask, &s, style->width / 2);
    }
    return length;
}

void heed__stroke(heed__mask *mask, const heed__point *points, size_t count, const heed__pen_style *style)
{
    double pattern = pattern_length(style), phase = 0;
    bool drawing = false;
    heed__point last = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) {
            drawing = false;
            continue;
        }
        heed__point point = heed__point_clamp(points[i]);
        if (drawing) {
            phase += stroke_segment(mask, last, point, phase, style);
            phase = pattern > 0 ? fmod(phase, pattern) : 0;
        } else {
            phase = 0;
        }
        drawing = true;
        last = point;
    }
}
