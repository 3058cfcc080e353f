/* kernels/conv/conv.h - convolution as a product of w and the patches of x. Patches are packed for the register tiles
 * of kernels/matmul, a few hundred terms and HEED_CONV_COLUMNS positions at a time. Every sum is computed in the order
 * of its terms, at any position.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_CONV_H
#define HEED_KERNELS_CONV_CONV_H

#include "kernels/conv/patches.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/simd/total.h"

enum { PATCH_ROW = HEED_CONV_COLUMNS + HEED_CONV_MARGIN };

/* -- Weights ------------------------------------------------------------------------------------------------------- */

/* The length of a row of sums with a column per row of w, rounded up to whole panels. */
static int64_t row_of_sums(int64_t rows)
{
    return b_panels_in(rows) * TILE_COLUMNS;
}

/* The number of rows of w per tile, except for the last tile. */
static int64_t tile_height(int64_t rows)
{
    return (rows + tiles_in(rows) - 1) / tiles_in(rows);
}

/* Element (i, k) of a tile is at k PACKED_ROWS + i, of a panel at k TILE_COLUMNS + i. Tiles and panels are
 * consecutive. */
static void conv_pack_kernel(const heed__conv_pack_args *p, int64_t chunk, int64_t chunks)
{
    const int64_t taps = p->taps[0] * p->taps[1], terms = p->channels * taps;
    const int64_t height = p->panels ? TILE_COLUMNS : tile_height(p->rows),
                  row = p->panels ? TILE_COLUMNS : PACKED_ROWS;
    const int64_t pieces = (p->rows + height - 1) / height;
    const int64_t next = taps == 1 ? p->w_channel : p->w_tap[1];
    const bool even = taps == 1 || (p->w_tap[0] == p->taps[1] * next && p->w_channel == taps * next);
    for (int64_t i = pieces * chunk / chunks; i < pieces * (chunk + 1) / chunks; i++) {
        T *to = (T *)p->to + i * terms * row;
        const T *w = (const T *)p->w + i * height * p->w_row;
        const int rows = (int)min_i64(p->rows - i * height, height);
        if (even) {
            pack(w, p->w_row, next, rows, terms, to, row);
            continue;
        }
        for (int64_t c = 0; c < p->channels; c++)
            for (int64_t t = 0; t < p->taps[0]; t++, to += p->taps[1] * row)
                pack_strided((matrix){w + c * p->w_channel + t * p->w_tap[0], p->w_row, p->w_tap[1]}, rows, p->taps[1],
                             to, row);
    }
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

/* If lines of results are contiguous, treats every plane as one line. */
static heed__conv_args lines_joined(const heed__conv_args *s)
{
    heed__conv_args joined = *s;
    heed__conv_axis *down = &joined.axis[0], *across = &joined.axis[1];
    if (down->out_step == 1 && across->out_step == 1 && across->positions == across->out_size &&
        down->positions == down->out_size) {
        across->positions = across->out_size = down->positions * across->positions;
        down->positions = down->out_size = 1;
    }
    return joined;
}

/* Stores one row of y from a row of C. */
static ALWAYS_INLINE void store_positions(const heed__conv_args *s, const conv_span *spans, int64_t n, int64_t row,
                                          const T *c)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const T bias = s->bias ? ((const T *)s->bias)[row] : 0;
    for (const conv_span *r = spans; r < spans + n; r++) {
        T *y = (T *)s->y + r->image * s->y_image + row * s->y_row +
               (down->out_first + r->a * down->out_step) * across->out_size + across->out_first +
               r->b * across->out_step;
        const T *from = c + r->at;
        const int64_t step = across->out_step;
        if (step == 1)
            for (int64_t i = 0; i < r->length; i += WIDTH)
                store_at(y, i, r->length, load_at(from, i, r->length) + bias);
        else if (step == 2)
            for (int64_t i = 0; i < r->length; i += WIDTH)
                store_every_second(y + 2 * i, load_at(from, i, r->length) + bias, min_i64(r->length - i, WIDTH));
        else
            for (int64_t i = 0; i < r->length; i++)
                y[i * step] = from[i] + bias;
    }
}

/* -- The product --------------------------------------------------------------------------------------------------- */

/* Terms k .. k + depth - 1 of the tiles `begin` .. `end` - 1 of packed w, times `columns` columns of b. */
typedef struct conv_block {
    int64_t rows, terms; /* in total */
    int64_t k, depth, begin, end, columns;
    int64_t b_row, c_row; /* steps between terms of b, and between rows of C */
    int64_t chain;        /* terms after which the sums of a tile are added to C */
    bool add;
} conv_block;

/* c = or += w b, where C has space for whole registers. Packed w of many rows lies in a distant cache or in memory: the
 * last columns of a tile prefetch the next tile, or the elements after the last tile, which are the next point in
 * winograd.h. */
static void multiply_packed(const conv_block *s, const T *w, const T *b, T *c)
{
    const int64_t height = tile_height(s->rows);
    for (int64_t tile = s->begin; tile < s->end; tile++, c += height * s->c_row) {
        const int64_t rows = min_i64(s->rows - tile * height, height);
        tile_args t = {.k = s->depth,
                       .a = w + (tile * s->terms + s->k) * PACKED_ROWS,
                       .a_row = 1,
                       .a_col = PACKED_ROWS,
                       .b = b,
                       .b_row = s->b_row,
                       .c = c,
                       .c_row = s->c_row,
                       .last = WIDTH,
                       .add = s->add};
        for (int64_t j = 0; j < s->columns; j += TILE_COLUMNS, t.b += TILE_COLUMNS, t.c += TILE_COLUMNS) {
            t.ahead = s->columns - j <= TILE_COLUMNS ? s->terms * PACKED_ROWS : 0;
            run_tile(tile_for(WHOLE_TILE, rows, s->columns - j > WIDTH ? 2 : 1), &t, s->chain);
        }
    }
}

static int64_t conv_kernel(const heed__conv_args *s, const heed__conv_range *p, void *scratch)
{
    const int64_t terms = heed__conv_terms(s), tiles = tiles_in(s->rows), height = tile_height(s->rows);
    const bool is_long = heed__is_long(terms);
    conv_block b = {.rows = s->rows,
                    .terms = terms,
                    .begin = tiles * p->chunk / p->chunks,
                    .end = tiles * (p->chunk + 1) / p->chunks,
                    .columns = p->q_end - p->q_begin,
                    .b_row = PATCH_ROW,
                    .c_row = HEED_CONV_COLUMNS};
    const int64_t first = b.begin * height, rows = min_i64(s->rows, b.end * height) - first;
    const int64_t blocks = (terms + HEED_CONV_DEPTH - 1) / HEED_CONV_DEPTH, size = rows * HEED_CONV_COLUMNS;
    arena a = {.base = scratch};
    conv_patches patches = conv_patches_of(s, HEED_CONV_COLUMNS, &a);
    T *rows_of_patches = take_array(&a, HEED_CONV_DEPTH * PATCH_ROW, sizeof(T));
    T *c = take_array(&a, is_long ? 3 * size : size, sizeof(T));
    if (!scratch || b.begin == b.end)
        return a.bytes;
    T *sum = c + size, *lost = sum + size;
    select_positions(&patches, p->q_begin, p->q_end);
    if (is_long || terms == 0)
        memset(c, 0, (size_t)(is_long ? 3 * size : size) * sizeof(T));
    for (int64_t block = 0; block < blocks; block++, b.k += b.depth) {
        b.depth = terms / blocks + (block < terms % blocks);
        b.chain = is_long ? HEED_LONG_CHAIN : b.depth;
        b.add = block > 0 && !is_long;
        conv_term term = conv_term_of(s, b.k);
        for (int64_t k = 0; k < b.depth; k++, conv_next_term(s, &term))
            pack_patch_row(&patches, term, rows_of_patches + k * PATCH_ROW);
        multiply_packed(&b, s->w, rows_of_patches, c);
        if (is_long)
            total_add_row_kernel(size, c, sum, lost);
    }
    const heed__conv_args joined = lines_joined(s);
    const int64_t n = conv_spans(&joined, p->q_begin, p->q_end, patches.spans);
    for (int64_t i = 0; i < rows; i++)
        store_positions(&joined, patches.spans, n, first + i, (is_long ? sum : c) + i * HEED_CONV_COLUMNS);
    return a.bytes;
}

#endif
