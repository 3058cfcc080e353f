/* tools/bake-font.c - converts a TrueType font to C tables for src/plot/text.c, during the build.
 *
 *     bake-font DejaVuSans.ttf font-data.c
 *
 * The tables contain only data that plots need: outlines and advances of the characters in `ranges`, kerning between
 * ASCII characters, and the heights that text.c aligns to the pixel grid. All lengths are in font units.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Code points, in ascending order. */
static const struct {
    int first, last;
} ranges[] = {
    {0x20, 0x7E},     /* ASCII */
    {0xA0, 0x17F},    /* Latin-1 and Latin Extended-A */
    {0x370, 0x3FF},   /* Greek */
    {0x2010, 0x2026}, /* dashes, quotes, bullet, ellipsis */
    {0x2030, 0x2033}, /* per mille, primes */
    {0x2070, 0x209C}, /* superscripts and subscripts */
    {0x20AC, 0x20AC}, /* euro */
    {0x2190, 0x2195}, /* arrows */
    {0x21D0, 0x21D4}, /* double arrows */
    {0x2200, 0x226B}, /* mathematical operators */
    {0x2282, 0x2297}, /* subsets, circled operators */
    {0x22A4, 0x22A5}, /* top, bottom */
    {0x22C5, 0x22C6}, /* dot and star operators */
};

static const char head[] = "/* Made by tools/bake-font.c from a font file. Not to be edited. */\n";

#define RANGE_COUNT (sizeof ranges / sizeof ranges[0])

static unsigned char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    unsigned char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        bytes = size > 0 ? malloc((size_t)size) : NULL;
        if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
            free(bytes);
            bytes = NULL;
        }
    }
    (void)fclose(file);
    return bytes;
}

/* Writes the outline of one glyph and returns the number of its points. Composite glyphs become plain outlines. */
static int write_outline(FILE *out, const stbtt_fontinfo *font, int glyph)
{
    static const char *const kinds[] = {
        [STBTT_vmove] = "HEED__MOVE", [STBTT_vline] = "HEED__LINE", [STBTT_vcurve] = "HEED__CURVE"};
    stbtt_vertex *points = NULL;
    int count = stbtt_GetGlyphShape(font, glyph, &points);
    for (int i = 0; i < count; i++)
        fprintf(out, "    {%s, %d, %d, %d, %d},\n", kinds[points[i].type], points[i].x, points[i].y, points[i].cx,
                points[i].cy);
    stbtt_FreeShape(font, points);
    return count;
}

/* Characters that the font lacks are left out; text.c draws a box for them. */
static void write_glyphs(FILE *out, const stbtt_fontinfo *font)
{
    static struct {
        int codepoint, advance, first, count;
    } table[2048];
    int glyphs = 0, points = 0;
    fprintf(out, "const heed__font_point heed__font_points[] = {\n");
    for (size_t r = 0; r < RANGE_COUNT; r++)
        for (int c = ranges[r].first; c <= ranges[r].last; c++) {
            int glyph = stbtt_FindGlyphIndex(font, c);
            if (glyph == 0)
                continue;
            int advance, bearing;
            stbtt_GetGlyphHMetrics(font, glyph, &advance, &bearing);
            int count = write_outline(out, font, glyph);
            table[glyphs].codepoint = c;
            table[glyphs].advance = advance;
            table[glyphs].first = points;
            table[glyphs++].count = count;
            points += count;
        }
    fprintf(out, "};\n\nconst heed__font_glyph heed__font_glyphs[] = {\n");
    for (int g = 0; g < glyphs; g++)
        fprintf(out, "    {0x%X, %d, %d, %d},\n", (unsigned)table[g].codepoint, table[g].first, table[g].count,
                table[g].advance);
    fprintf(out, "};\n\nconst int heed__font_glyph_count = %d;\n\n", glyphs);
}

/* Pairs of ASCII characters in ascending order of (left, right). */
static void write_kerning(FILE *out, const stbtt_fontinfo *font)
{
    int pairs = 0;
    fprintf(out, "const heed__font_kern heed__font_kerns[] = {\n");
    for (int left = ranges[0].first; left <= ranges[0].last; left++)
        for (int right = ranges[0].first; right <= ranges[0].last; right++) {
            int kern = stbtt_GetCodepointKernAdvance(font, left, right);
            if (kern == 0)
                continue;
            fprintf(out, "    {0x%X, 0x%X, %d},\n", (unsigned)left, (unsigned)right, kern);
            pairs++;
        }
    if (pairs == 0)
        fprintf(out, "    {0, 0, 0},\n");
    fprintf(out, "};\n\nconst int heed__font_kern_count = %d;\n\n", pairs);
}

/* The bottom or top of a letter: 'x' is flat at the x-height, 'o' overshoots it. */
static int edge(const stbtt_fontinfo *font, int letter, bool top)
{
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetCodepointBox(font, letter, &x0, &y0, &x1, &y1);
    return top ? y1 : y0;
}

static void write_metrics(FILE *out, const stbtt_fontinfo *font)
{
    double em = 1 / (double)stbtt_ScaleForMappingEmToPixels(font, 1);
    fprintf(out, "const heed__font_metrics heed__font = {\n");
    fprintf(out, "    .units_per_em = %d,\n", (int)(em + 0.5));
    fprintf(out, "    .descender = %d,\n", edge(font, 'p', false));
    fprintf(out, "    .baseline_round = %d,\n", edge(font, 'o', false));
    fprintf(out, "    .x_height = %d,\n", edge(font, 'x', true));
    fprintf(out, "    .x_height_round = %d,\n", edge(font, 'o', true));
    fprintf(out, "    .cap_height = %d,\n", edge(font, 'H', true));
    fprintf(out, "    .cap_height_round = %d,\n", edge(font, 'O', true));
    fprintf(out, "    .ascender = %d,\n", edge(font, 'd', true));
    fprintf(out, "};\n");
}

/* Returns true if `path` is free or an earlier output, so that swapped arguments do not destroy the font. */
static bool may_replace(const char *path)
{
    char begin[sizeof head] = "";
    FILE *old = fopen(path, "rb");
    const bool may = !old || fread(begin, 1, sizeof head - 1, old) == 0 || strcmp(begin, head) == 0;
    if (old)
        (void)fclose(old);
    return may;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bake-font FONT.ttf OUTPUT.c\n");
        return 2;
    }
    if (!may_replace(argv[2])) {
        fprintf(stderr, "bake-font: %s exists and is not an output of bake-font: use a different name\n", argv[2]);
        return 2;
    }
    unsigned char *bytes = read_file(argv[1]);
    stbtt_fontinfo font;
    if (!bytes || !stbtt_InitFont(&font, bytes, stbtt_GetFontOffsetForIndex(bytes, 0))) {
        fprintf(stderr, "bake-font: %s cannot be read as a TrueType font\n", argv[1]);
        free(bytes);
        return 1;
    }
    FILE *out = fopen(argv[2], "w");
    if (out) {
        fputs(head, out);
        fprintf(out, "#include \"plot/font.h\"\n\n");
        write_glyphs(out, &font);
        write_kerning(out, &font);
        write_metrics(out, &font);
    }
    free(bytes);
    bool written = out && ferror(out) == 0;
    written = out && fclose(out) == 0 && written;
    if (!written) {
        fprintf(stderr, "bake-font: cannot write %s\n", argv[2]);
        return 1;
    }
    return 0;
}
