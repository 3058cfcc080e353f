/* kernels/conv/band.h - convolution without patches: a band of planes is copied once (copy.h), and the terms of a sum
 * read the copy directly, at an offset per term. For few rows of w, for which patches would not pay.
 *
 * Position (p, q) of the band is column p width + q of C, where width is the row length of the copy; the last columns
 * of every row of C are unused.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_BAND_H
#define HEED_KERNELS_CONV_BAND_H

#include "kernels/conv/conv.h"

/* Every row overwrites the elements that the previous row has written past its end. */
static void copy_band(const heed__conv_args *s, const conv_band *b, const conv_copy *copy, T *to)
{
    for (int64_t c = 0; c < s->channels; c++) {
        const T *plane = (const T *)s->x + b->image * s->x_image + c * s->x_channel;
        for (int64_t t = 0; t < copy->down.slots; t++)
            for (int64_t u = 0; u < copy->across.slots; u++) {
                const x_range range = x_range_of_slot(s, copy, 0, u);
                for (int64_t i = 0; i < copy->height; i++, to += copy->width)
                    copy_line(s, plane, row_of_line(s, copy, b->begin, i, t), range, copy->width, to);
            }
    }
}

/* -- Tiles --------------------------------------------------------------------------------------------------------- */

/* Registers per row: more if there are few rows, so that enough sums are computed at a time. */
#define BAND_VECTORS(rows) ((rows) <= TILE_ROWS / 2 ? 4 : 2)

_Static_assert(HEED_CONV_SPARE >= 4 * WIDTH, "HEED_CONV_SPARE must cover the widest tile");

/* c (+)= a b. One factor is packed w, which advances from term to term; the other is the copy, in which term k is at
 * offset[k]. The copy is b for columns of C, and a for rows of C (by_channel.h). */
typedef struct band_tile {
    int64_t k;
    const int64_t *offset;
    const T *a, *b;
    T *c;
    int64_t c_row;
    bool add;
} band_tile;

static ALWAYS_INLINE void compute_band_tile(const band_tile *t, int rows, int vectors, bool by_channel)
{
    vec sum[TILE_ROWS][4];
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int v = 0; v < vectors; v++)
            sum[i][v] = (vec){0};
    }
    for (int64_t k = 0; k < t->k; k++) {
        const T *a = t->a + (by_channel ? t->offset[k] : k * PACKED_ROWS);
        const T *b = t->b + (by_channel ? k * TILE_COLUMNS : t->offset[k]);
        vec b_k[4];
        UNROLL16
        for (int v = 0; v < vectors; v++)
            b_k[v] = load(b + v * WIDTH);
        UNROLL16
        for (int i = 0; i < rows; i++) {
            const vec a_i = splat(a[i]);
            UNROLL16
            for (int v = 0; v < vectors; v++)
                sum[i][v] = muladd_vec(a_i, b_k[v], sum[i][v]);
        }
    }
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int v = 0; v < vectors; v++) {
            T *c = t->c + i * t->c_row + v * WIDTH;
            store(c, t->add ? load(c) + sum[i][v] : sum[i][v]);
        }
    }
}

typedef void band_tile_fn(const band_tile *t);

#define DEFINE_BAND_TILE(rows)                                                                                         \
    static void band_tile_##rows(const band_tile *t)                                                                   \
    {                                                                                                                  \
        compute_band_tile(t, rows, BAND_VECTORS(rows), false);                                                         \
    }
FOR_EACH_TILE_ROWS(DEFINE_BAND_TILE)

/* Multiplies all rows of w, a tile at a time, by the copy: n columns of C. */
static void multiply_band(const heed__conv_args *s, const int64_t *offset, const T *copy, int64_t n, int64_t c_row,
                          T *c)
{
#define BAND_TILE(rows) [rows] = band_tile_##rows,
    static band_tile_fn *const tiles[TILE_ROWS + 1] = {FOR_EACH_TILE_ROWS(BAND_TILE)};
    const int64_t terms = heed__conv_terms(s), height = tile_height(s->rows);
    const int64_t blocks = (terms + HEED_CONV_DEPTH - 1) / HEED_CONV_DEPTH;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t k = terms * block / blocks, depth = terms * (block + 1) / blocks - k;
        for (int64_t i = 0; i < s->rows; i += height) {
            const int64_t rows = min_i64(s->rows - i, height), step = BAND_VECTORS(rows) * WIDTH;
            band_tile t = {.k = depth,
                           .offset = offset + k,
                           .a = (const T *)s->w + i / height * terms * PACKED_ROWS + k * PACKED_ROWS,
                           .b = copy,
                           .c = c + i * c_row,
                           .c_row = c_row,
                           .add = block > 0};
            for (int64_t j = 0; j < n; j += step, t.b += step, t.c += step)
                tiles[rows](&t);
        }
    }
}

/* -- Bands --------------------------------------------------------------------------------------------------------- */

static void run_band(const heed__conv_args *s, const conv_band *b, const conv_copy *copy, const int64_t *offset, T *x,
                     T *c)
{
    const int64_t columns = s->axis[1].positions, height = b->end - b->begin, c_row = heed__conv_band_row(s, height);
    copy_band(s, b, copy, x);
    multiply_band(s, offset, x, (height - 1) * copy->width + columns, c_row, c);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t p = 0; p < height; p++)
            store_positions(s, &(conv_span){.image = b->image, .a = b->begin + p, .length = columns}, 1, i,
                            c + i * c_row + p * copy->width);
}

static int64_t conv_band_kernel(const heed__conv_args *s, const heed__conv_bands *p, void *scratch)
{
    const conv_copy copy = band_copy_of(s, p->height);
    arena a = {.base = scratch};
    int64_t *offset = take_array(&a, heed__conv_terms(s), sizeof *offset);
    T *x = take_array(&a, heed__conv_band_copy(s, p->height) + HEED_CONV_SPARE, sizeof(T));
    T *c = take_array(&a, s->rows * heed__conv_band_row(s, p->height), sizeof(T));
    if (!scratch)
        return a.bytes;
    band_offsets(s, &copy, offset);
    for (int64_t i = p->begin; i < p->end; i++) {
        const conv_band band = band_number(s, p->height, i);
        run_band(s, &band, &copy, offset, x, c);
    }
    return a.bytes;
}

#endif
