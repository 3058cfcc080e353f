/* kernels/conv/by_channel.h - convolution with channels of the result in the lanes of a register. The rows of a tile
 * are neighbouring positions, which are contiguous in a copy of some channels' bands (copy.h), so only w is packed. C
 * has a row per position and is transposed while it is stored to y.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_BY_CHANNEL_H
#define HEED_KERNELS_CONV_BY_CHANNEL_H

#include "kernels/conv/band.h"

/* -- Tiles --------------------------------------------------------------------------------------------------------- */

#define DEFINE_CHANNEL_TILE(rows, vectors)                                                                             \
    static void channel_tile_##rows##_##vectors(const band_tile *t)                                                    \
    {                                                                                                                  \
        compute_band_tile(t, rows, vectors, true);                                                                     \
    }
#define DEFINE_CHANNEL_TILES(rows) DEFINE_CHANNEL_TILE(rows, 1) DEFINE_CHANNEL_TILE(rows, 2)
FOR_EACH_TILE_ROWS(DEFINE_CHANNEL_TILES)

static band_tile_fn *channel_tile_for(int64_t rows, int vectors)
{
#define CHANNEL_TILES(rows) [rows] = {channel_tile_##rows##_1, channel_tile_##rows##_2},
    static band_tile_fn *const tiles[TILE_ROWS + 1][2] = {FOR_EACH_TILE_ROWS(CHANNEL_TILES)};
    return tiles[rows][vectors - 1];
}

/* Runs a tile in chains of terms, so that the tile of C stays in the first-level cache. */
static void run_channel_tile(band_tile_fn *run, band_tile t, int64_t chain)
{
    for (int64_t rest = t.k; rest > 0; rest -= chain) {
        t.k = min_i64(rest, chain);
        run(&t);
        t.offset += chain;
        t.b += chain * TILE_COLUMNS;
        t.add = true;
    }
}

/* -- The product --------------------------------------------------------------------------------------------------- */

/* The terms of some channels, for some bands and some panels of w. */
typedef struct channel_block {
    const heed__conv_args *s;
    const heed__conv_bands *bands;
    int64_t panel_begin, panel_end;
    int64_t k, depth; /* terms */
    int64_t chain;    /* terms after which the sums of a tile are added to C */
    bool add;
    conv_copy copy; /* shape of a band's copy */
    int64_t copied; /* step between the copies of successive bands */
    const int64_t *offset;
    T *x, *c;      /* the copies; C, with a row per position, */
    int64_t c_row; /* whose step avoids conflicts in the first-level cache */
} channel_block;

/* Multiplies one line of positions, whose elements are at x, by a panel. */
static void multiply_line(const channel_block *b, int64_t panel, const T *x, T *c)
{
    const heed__conv_args *s = b->s;
    const int64_t columns = s->axis[1].positions, height = tile_height(columns);
    const int vectors = s->rows - panel * TILE_COLUMNS > WIDTH ? 2 : 1;
    band_tile t = {.k = b->depth,
                   .offset = b->offset,
                   .a = x,
                   .b = (const T *)s->w + (panel * heed__conv_terms(s) + b->k) * TILE_COLUMNS,
                   .c = c,
                   .c_row = b->c_row,
                   .add = b->add};
    for (int64_t i = 0; i < columns; i += height, t.a += height, t.c += height * b->c_row)
        run_channel_tile(channel_tile_for(min_i64(columns - i, height), vectors), t, b->chain);
}

static void multiply_channels(const channel_block *b)
{
    const int64_t line = b->s->axis[1].positions * b->c_row;
    for (int64_t panel = b->panel_begin; panel < b->panel_end; panel++) {
        T *c = b->c + (panel - b->panel_begin) * TILE_COLUMNS;
        for (int64_t i = b->bands->begin; i < b->bands->end; i++) {
            const conv_band band = band_number(b->s, b->bands->height, i);
            const T *x = b->x + (i - b->bands->begin) * b->copied;
            for (int64_t a = band.begin; a < band.end; a++, x += b->copy.width, c += line)
                multiply_line(b, panel, x, c);
        }
    }
}

/* Copies `channels` channels from `channel` on. */
static void copy_channels(const channel_block *b, int64_t channel, int64_t channels)
{
    heed__conv_args some = *b->s;
    some.x = (const T *)some.x + channel * some.x_channel;
    some.channels = channels;
    for (int64_t i = b->bands->begin; i < b->bands->end; i++) {
        const conv_band band = band_number(b->s, b->bands->height, i);
        copy_band(&some, &band, &b->copy, b->x + (i - b->bands->begin) * b->copied);
    }
}

/* The number of the first position of a band among the positions of all images. */
static int64_t position_of_band(const heed__conv_args *s, const heed__conv_bands *bands, int64_t i)
{
    const conv_band band = band_number(s, bands->height, i);
    return (band.image * s->axis[0].positions + band.begin) * s->axis[1].positions;
}

/* Row length of transposed results: whole registers. */
static int64_t transposed_row(int64_t positions)
{
    return (positions + WIDTH - 1) / WIDTH * WIDTH;
}

/* Columns of C are rows of y: transposes a register of columns at a time, by way of `transposed`. */
static void store_channels(const channel_block *b, const T *c, T *transposed, conv_span *spans)
{
    const heed__conv_args *s = b->s;
    const int64_t first = b->panel_begin * TILE_COLUMNS, rows = min_i64(s->rows, b->panel_end * TILE_COLUMNS) - first;
    const int64_t q = position_of_band(s, b->bands, b->bands->begin);
    const int64_t positions = position_of_band(s, b->bands, b->bands->end) - q;
    const heed__conv_args joined = lines_joined(s);
    const int64_t n = conv_spans(&joined, q, q + positions, spans), turned_row = transposed_row(positions);
    for (int64_t row = 0; row < rows; row += WIDTH) {
        for (int64_t i = 0; i < positions; i += WIDTH)
            transpose_to_rows(c + i * b->c_row + row, b->c_row, (int)min_i64(positions - i, WIDTH), WIDTH,
                              transposed + i, turned_row);
        for (int64_t i = row; i < min_i64(rows, row + WIDTH); i++)
            store_positions(&joined, spans, n, first + i, transposed + (i - row) * turned_row);
    }
}

/* Adds all channels, at_once at a time; the offsets of their terms are the same in every copy. C has `size` elements,
 * followed by the totals of long sums. */
static void add_channels(channel_block *b, int64_t at_once, int64_t size)
{
    const heed__conv_args *s = b->s;
    const bool is_long = heed__is_long(heed__conv_terms(s));
    if (is_long)
        memset(b->c, 0, 3 * (size_t)size * sizeof(T));
    for (int64_t channel = 0; channel < s->channels; channel += at_once, b->k += b->depth) {
        const int64_t here = min_i64(s->channels - channel, at_once);
        copy_channels(b, channel, here);
        b->depth = here * s->axis[0].taps * s->axis[1].taps;
        b->chain = is_long ? HEED_LONG_CHAIN : b->depth;
        b->add = channel > 0 && !is_long;
        multiply_channels(b);
        if (is_long)
            total_add_row_kernel(size, b->c, b->c + size, b->c + 2 * size);
    }
}

static int64_t conv_by_channel_kernel(const heed__conv_args *s, const heed__conv_bands *bands, int64_t chunk,
                                      int64_t chunks, void *scratch)
{
    const int64_t panels = b_panels_in(s->rows), n = bands->end - bands->begin, lines = n * bands->height;
    const int64_t positions = lines * s->axis[1].positions;
    const bool is_long = heed__is_long(heed__conv_terms(s));
    heed__conv_args some = *s;
    some.channels = heed__conv_channels_at_once(s);
    channel_block b = {.s = s,
                       .bands = bands,
                       .panel_begin = panels * chunk / chunks,
                       .panel_end = panels * (chunk + 1) / chunks,
                       .copy = band_copy_of(s, bands->height),
                       .copied = heed__conv_channels_copy(s, bands->height)};
    b.c_row = (b.panel_end - b.panel_begin) * TILE_COLUMNS + HEED_CONV_MARGIN;
    const int64_t size = positions * b.c_row;
    arena a = {.base = scratch};
    int64_t *offset = take_array(&a, heed__conv_terms(&some), sizeof *offset);
    conv_span *spans = take_array(&a, lines, sizeof *spans);
    b.offset = offset;
    b.x = take_array(&a, n * b.copied + HEED_CONV_SPARE, sizeof(T));
    b.c = take_array(&a, is_long ? 3 * size : size, sizeof(T));
    T *transposed = take_array(&a, WIDTH * transposed_row(positions), sizeof(T));
    if (!scratch || b.panel_begin == b.panel_end)
        return a.bytes;
    band_offsets(&some, &b.copy, offset);
    add_channels(&b, some.channels, size);
    store_channels(&b, is_long ? b.c + size : b.c, transposed, spans);
    return a.bytes;
}

#endif
