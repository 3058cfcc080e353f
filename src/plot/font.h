/* plot/font.h - the tables that tools/bake-font.c makes from DejaVu Sans. All lengths are in font units, y upwards. */
#ifndef HEED_PLOT_FONT_H
#define HEED_PLOT_FONT_H

#include <stdint.h>

typedef enum heed__outline_kind { HEED__MOVE, HEED__LINE, HEED__CURVE } heed__outline_kind;

/* A step of an outline to (x, y); a curve is a quadratic with control point (cx, cy). */
typedef struct heed__font_point {
    int16_t kind, x, y, cx, cy;
} heed__font_point;

typedef struct heed__font_glyph {
    uint32_t codepoint;
    int32_t first, count; /* its points */
    int16_t advance;
} heed__font_glyph;

/* What to add to the advance of `left` when `right` follows. */
typedef struct heed__font_kern {
    uint16_t left, right;
    int16_t advance;
} heed__font_kern;

/* Heights where letters end: flat ones, and round ones (_round), which overshoot. */
typedef struct heed__font_metrics {
    int units_per_em;
    int descender, baseline_round, x_height, x_height_round, cap_height, cap_height_round, ascender;
} heed__font_metrics;

extern const heed__font_metrics heed__font;
extern const heed__font_point heed__font_points[];
extern const heed__font_glyph heed__font_glyphs[]; /* by codepoint */
extern const int heed__font_glyph_count;
extern const heed__font_kern heed__font_kerns[]; /* by (left, right) */
extern const int heed__font_kern_count;

#endif
