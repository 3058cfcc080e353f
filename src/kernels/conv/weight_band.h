/* kernels/conv/weight_band.h - the gradient of a convolution by its weights, for few rows: dot products of g, read in
 * place, and the copy of a band (frame.h), in wide registers (wide.h) for every row of positions. The order of a sum
 * depends only on the numbers of positions and on the height of a band.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_WEIGHT_BAND_H
#define HEED_KERNELS_CONV_WEIGHT_BAND_H

#include "kernels/conv/frame.h"
#include "kernels/simd/total.h"

enum { BAND_DOT_ROWS = 3, BAND_DOT_TERMS = 4, BAND_DOT_SINGLE = 10 }; /* per step; SINGLE: terms for a single row */

/* Rows of g times terms of the copy, for one part of the wide registers of positions: of `lines` lines, the WIDTH
 * positions from `first` on, then the WIDTH positions LANES further, and so on, before `end`. */
typedef struct band_dots {
    const T *g, *x;
    const int64_t *offset;
    int64_t g_row, g_line, x_line;
    int64_t lines, first, end;
    T *sum, *lost; /* a wide register per element of dw, with sum_row between rows of dw */
    int64_t sum_row;
} band_dots;

static ALWAYS_INLINE void band_dots_step(const band_dots *d, const T *g, const T *x, int64_t n,
                                         vec sum[BAND_DOT_ROWS][BAND_DOT_SINGLE], int rows, int terms)
{
    vec x_k[BAND_DOT_SINGLE];
    UNROLL16
    for (int k = 0; k < terms; k++)
        x_k[k] = load_whole_or_partial(x + d->offset[k], n >= WIDTH, (int)n);
    UNROLL16
    for (int i = 0; i < rows; i++) {
        const vec g_i = load_whole_or_partial(g + i * d->g_row, n >= WIDTH, (int)n);
        UNROLL16
        for (int k = 0; k < terms; k++)
            sum[i][k] = muladd_vec(g_i, x_k[k], sum[i][k]);
    }
}

static ALWAYS_INLINE void compute_band_dots(const band_dots *d, int rows, int terms)
{
    vec sum[BAND_DOT_ROWS][BAND_DOT_SINGLE] = {{{0}}};
    for (int64_t line = 0; line < d->lines; line++) {
        const T *g = d->g + line * d->g_line, *x = d->x + line * d->x_line;
        int64_t q = d->first;
        for (; q + WIDTH <= d->end; q += LANES)
            band_dots_step(d, g + q, x + q, WIDTH, sum, rows, terms);
        if (q < d->end)
            band_dots_step(d, g + q, x + q, d->end - q, sum, rows, terms);
    }
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int k = 0; k < terms; k++) {
            const int64_t at = i * d->sum_row + k * LANES;
            vec s = load(d->sum + at), l = load(d->lost + at);
            total_add_vec(&s, &l, sum[i][k]);
            store(d->sum + at, s);
            store(d->lost + at, l);
        }
    }
}

#define FOR_EACH_DOTS_OF_ONE(X) X(1, 1) X(1, 2) X(1, 3) X(1, 4) X(1, 5) X(1, 6) X(1, 7) X(1, 8) X(1, 9) X(1, 10)
#define FOR_EACH_DOTS_OF_MORE(X) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(3, 1) X(3, 2) X(3, 3) X(3, 4)
#define FOR_EACH_BAND_DOTS(X) FOR_EACH_DOTS_OF_ONE(X) FOR_EACH_DOTS_OF_MORE(X)
#define DEFINE_BAND_DOTS(rows, terms)                                                                                  \
    static void band_dots_##rows##_##terms(const band_dots *d)                                                         \
    {                                                                                                                  \
        compute_band_dots(d, rows, terms);                                                                             \
    }
FOR_EACH_BAND_DOTS(DEFINE_BAND_DOTS)

typedef void band_dots_fn(const band_dots *d);

static band_dots_fn *band_dots_for(int64_t rows, int64_t terms)
{
#define BAND_DOTS(rows, terms) [rows][terms] = band_dots_##rows##_##terms,
    static band_dots_fn *const dots[BAND_DOT_ROWS + 1][BAND_DOT_SINGLE + 1] = {FOR_EACH_BAND_DOTS(BAND_DOTS)};
    return dots[rows][terms];
}

/* Rows i .. i + rows - 1 and terms k .. k + terms - 1, one part after another. Parts without positions are skipped. */
static void add_parts_of_dots(const band_dots *all, int64_t i, int64_t rows, int64_t k, int64_t terms)
{
    band_dots d = *all;
    d.g += i * d.g_row;
    d.offset += k;
    d.sum += i * d.sum_row + k * LANES;
    d.lost += i * d.sum_row + k * LANES;
    for (int part = 0; part < PARTS && d.first < d.end; part++) {
        band_dots_for(rows, terms)(&d);
        d.first += WIDTH;
        d.sum += WIDTH;
        d.lost += WIDTH;
    }
}

/* All rows and terms, with about the same number of rows at a time. */
static void add_band_dots(const band_dots *all, int64_t rows, int64_t terms)
{
    const int64_t blocks = (rows + BAND_DOT_ROWS - 1) / BAND_DOT_ROWS;
    const int64_t most = rows == 1 ? BAND_DOT_SINGLE : BAND_DOT_TERMS;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t i = rows * block / blocks, here = rows * (block + 1) / blocks - i;
        for (int64_t k = 0; k < terms; k += most)
            add_parts_of_dots(all, i, here, k, min_i64(terms - k, most));
    }
}

/* Sums chains of about HEED_LONG_CHAIN wide registers, which are some lines or a piece of one. */
static void add_band(const heed__conv_args *s, const conv_band *b, band_dots d)
{
    const int64_t columns = s->axis[1].positions, height = b->end - b->begin, terms = heed__conv_terms(s);
    const int64_t wide = (columns + LANES - 1) / LANES;
    const int64_t lines = wide < HEED_LONG_CHAIN ? HEED_LONG_CHAIN / wide : 1;
    for (int64_t p = 0; p < height; p += lines) {
        d.lines = min_i64(height - p, lines);
        for (d.first = 0; d.first < columns; d.first = d.end) {
            d.end = min_i64(d.first + HEED_LONG_CHAIN * LANES, columns);
            add_band_dots(&d, s->rows, terms);
        }
        d.g += lines * d.g_line;
        d.x += lines * d.x_line;
    }
}

/* Data shared by all groups: the offsets of terms in the copy, and per element of dw a wide register of sums and
 * one of their rounding errors. */
typedef struct weight_bands {
    const heed__conv_args *s;
    const heed__conv_bands *bands;
    conv_frame frame;
    const int64_t *offset;
    T *sum, *lost;
} weight_bands;

/* Adds the products of x and g of one group. */
static void add_bands(weight_bands *w, const T *x, const T *g)
{
    const heed__conv_args *s = w->s;
    const int64_t terms = heed__conv_terms(s), columns = s->axis[1].positions;
    memset(w->sum, 0, 2 * (size_t)(w->lost - w->sum) * sizeof(T));
    for (int64_t i = w->bands->begin; i < w->bands->end; i++) {
        const conv_band b = band_number(s, w->bands->height, i);
        fill_frame(&w->frame, x + b.image * s->x_image, b.begin);
        add_band(s, &b,
                 (band_dots){.g = g + b.image * s->y_image + b.begin * columns,
                             .x = w->frame.x,
                             .offset = w->offset,
                             .g_row = s->y_row,
                             .g_line = columns,
                             .x_line = w->frame.copy.width,
                             .sum = w->sum,
                             .lost = w->lost,
                             .sum_row = terms * LANES});
    }
}

static int64_t conv_weight_band_kernel(const heed__conv_args *s, const heed__conv_bands *bands,
                                       const heed__conv_groups *groups, void *dw, void *scratch)
{
    const int64_t elements = s->rows * heed__conv_terms(s);
    arena a = {.base = scratch};
    int64_t *offset = take_array(&a, heed__conv_terms(s), sizeof *offset);
    T *sum = take_array(&a, 2 * elements * LANES, sizeof(T)), *to = dw;
    weight_bands w = {
        .s = s, .bands = bands, .offset = offset, .sum = sum, .frame = conv_frame_of(s, bands->height, &a)};
    if (!scratch)
        return a.bytes;
    w.lost = sum + elements * LANES;
    band_offsets(s, &w.frame.copy, offset);
    for (int64_t group = 0; group < groups->n; group++, to += elements) {
        add_bands(&w, (const T *)s->x + group * groups->x_group, (const T *)s->y + group * groups->y_group);
        for (int64_t i = 0; i < elements; i++)
            to[i] = add_wide_lanes(load_wide(sum + i * LANES));
    }
    return a.bytes;
}

#endif
