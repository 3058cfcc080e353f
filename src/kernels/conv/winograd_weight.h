/* kernels/conv/winograd_weight.h - the gradient of a convolution by its weights, for 3 x 3 taps. The computation in
 * winograd.h is linear in w, so the gradient has the same products: points of x times the gradients of the sums, which
 * come from g, summed over tiles, are the gradients by the points of w. Every such product is a matrix product:
 * channels by tiles by rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_WINOGRAD_WEIGHT_H
#define HEED_KERNELS_CONV_WINOGRAD_WEIGHT_H

#include "kernels/conv/winograd.h"

enum {
    G_LINE = 2 * HEED_WINOGRAD_TILES * TILE_COLUMNS, /* of a panel of rows */
    TILES_OF_SUMS = 512,                             /* tiles summed before their sums are added to the total */
};

/* -- Elements of g ------------------------------------------------------------------------------------------------- */

/* Packs the positions of a line of g that the tiles of a span cover, for a panel of `rows` rows, and zeros for
 * positions outside the plane. */
static void pack_line(const heed__conv_args *s, const conv_span *r, int64_t line, const T *g, int64_t rows, T *to)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const int64_t length = 2 * r->length, here = min_i64(across->positions - 2 * r->b, length);
    const int64_t filled = line < down->positions ? here : 0;
    pack(g + line * across->positions + 2 * r->b, s->y_row, 1, (int)rows, filled, to, TILE_COLUMNS);
    clear_steps(to, filled * TILE_COLUMNS, length * TILE_COLUMNS);
}

/* Computes the gradients of the sums for the tiles of two packed lines: a row of TILE_COLUMNS per tile and sum. */
static ALWAYS_INLINE void transform_lines(heed__winograd_form form, const T *lines, int64_t length, int vectors, T *to,
                                          int64_t point)
{
    const int sums = heed__winograd_counts_of(form).sums;
    for (int64_t j = 0; j < length; j++, lines += 2 * TILE_COLUMNS, to += TILE_COLUMNS)
        for (int v = 0; v < vectors; v++) {
            const T *g = lines + v * WIDTH;
            vec down[2][MOST_POINTS], across[MOST_POINTS];
            sums_of_results(form, (vec[]){load(g), load(g + G_LINE)}, down[0]);
            sums_of_results(form, (vec[]){load(g + TILE_COLUMNS), load(g + G_LINE + TILE_COLUMNS)}, down[1]);
            UNROLL16
            for (int t = 0; t < sums; t++) {
                sums_of_results(form, (vec[]){down[0][t], down[1][t]}, across);
                UNROLL16
                for (int u = 0; u < sums; u++)
                    store(to + v * WIDTH + (sums * t + u) * point, across[u]);
            }
        }
}

/* The gradients of the sums for `tiles` tiles of n spans: per sum, panels of rows, with a row of TILE_COLUMNS elements
 * per tile, in `to`, with a step of `point` between sums. `lines` holds two lines of G_LINE. */
typedef struct sums_of_g {
    const heed__conv_args *s;
    const conv_span *spans;
    int64_t n, tiles;
    T *lines, *to;
    int64_t point;
} sums_of_g;

static void transform_g(heed__winograd_form form, const sums_of_g *g, const heed__conv_weight_range *p)
{
    const heed__conv_args *s = g->s;
    T *to = g->to;
    for (int64_t i = p->row_begin; i < p->row_end; i += TILE_COLUMNS, to += g->tiles * TILE_COLUMNS) {
        const int64_t rows = min_i64(p->row_end - i, TILE_COLUMNS);
        const int vectors = rows > WIDTH ? 2 : 1;
        for (const conv_span *r = g->spans; r < g->spans + g->n; r++) {
            const T *from = (const T *)s->y + r->image * s->y_image + i * s->y_row;
            for (int64_t line = 0; line < 2; line++)
                pack_line(s, r, 2 * r->a + line, from, rows, g->lines + line * G_LINE);
            if (form == HEED_WINOGRAD_PLAIN)
                transform_lines(HEED_WINOGRAD_PLAIN, g->lines, r->length, vectors, to + r->at * TILE_COLUMNS, g->point);
            else
                transform_lines(HEED_WINOGRAD_STRIDED, g->lines, r->length, vectors, to + r->at * TILE_COLUMNS,
                                g->point);
        }
    }
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* The sums of a range over all tiles so far, (channels, rows) per point of w: `c`, with a step of `point` between
 * points and of `row` between channels. */
typedef struct weight_sums {
    int64_t rows, channels;
    T *c;
    int64_t point, row;
} weight_sums;

/* Adds the products of points d of x and sums g to c, for one point of w; writes them if `add` is false. */
static void sum_tiles(const weight_sums *w, int64_t tiles, const T *d, const T *g, bool add, T *c)
{
    const int64_t height = tile_height(w->channels);
    for (int64_t i = 0; i < w->channels; i += height) {
        tile_args t = {.k = tiles,
                       .a = d + i * POINT_ROW,
                       .a_row = POINT_ROW,
                       .a_col = 1,
                       .b = g,
                       .b_row = TILE_COLUMNS,
                       .c = c + i * w->row,
                       .c_row = w->row,
                       .last = WIDTH,
                       .add = add};
        for (int64_t j = 0; j < w->rows; j += TILE_COLUMNS, t.b += tiles * TILE_COLUMNS, t.c += TILE_COLUMNS)
            run_tile(tile_for(WHOLE_TILE, min_i64(w->channels - i, height), w->rows - j > WIDTH ? 2 : 1), &t,
                     HEED_LONG_CHAIN);
    }
}

static void sum_products(heed__winograd_form form, const weight_sums *w, const points_of_x *x, const sums_of_g *g,
                         bool add)
{
    const heed__winograd_counts n = heed__winograd_counts_of(form);
    for (int i = 0; i < n.products; i++)
        for (int j = 0; j < n.products; j++) {
            const winograd_product p = winograd_products[form][i], q = winograd_products[form][j];
            sum_tiles(w, g->tiles, x->to + (n.points * p.d + q.d) * x->point, g->to + (n.sums * p.c + q.c) * g->point,
                      add || p.w_again || q.w_again, w->c + (WEIGHT_POINTS * p.w + q.w) * w->point);
        }
}

/* Transforms the sums of a register of rows of one channel into a register per tap, 9 in all. Adds NaN to `zero` if one
 * is not finite. */
static ALWAYS_INLINE void taps_of_sums(heed__winograd_form form, const T *sum, int64_t point, T *taps, vec *zero)
{
    vec down[WEIGHT_POINTS][3], m[WEIGHT_POINTS];
    UNROLL16
    for (int u = 0; u < WEIGHT_POINTS; u++) {
        UNROLL16
        for (int t = 0; t < WEIGHT_POINTS; t++)
            m[t] = load(sum + (WEIGHT_POINTS * t + u) * point);
        weights_of_points(form, m, down[u]);
    }
    UNROLL16
    for (int t = 0; t < 3; t++) {
        vec across[3];
        weights_of_points(form, (vec[]){down[0][t], down[1][t], down[2][t], down[3][t]}, across);
        UNROLL16
        for (int u = 0; u < 3; u++) {
            store(taps + (3 * t + u) * WIDTH, across[u]);
            *zero = muladd_vec(across[u], (vec){0}, *zero);
        }
    }
}

/* Stores the taps of n rows. */
static void store_taps(const T *taps, int64_t n, T *dw, int64_t dw_row)
{
    T transposed[WIDTH * WIDTH];
    for (int k = 0; k < 9; k += WIDTH) {
        const int here = 9 - k < WIDTH ? 9 - k : WIDTH;
        transpose_to_rows(taps + k * WIDTH, WIDTH, here, WIDTH, transposed, WIDTH);
        for (int64_t i = 0; i < n; i++)
            store_at(dw + i * dw_row, k, 9, load(transposed + i * WIDTH));
    }
}

/* Computes dw of the range from the totals `sum` of the sums of w. Returns whether all of it is finite. */
static NOINLINE bool store_weights(heed__winograd_form form, const heed__conv_weight_range *p, const weight_sums *w,
                                   const T *sum, int64_t dw_row, T *dw)
{
    bool finite = true;
    for (int64_t i = 0; i < w->rows; i += WIDTH)
        for (int64_t k = 0; k < w->channels; k++) {
            const int64_t n = min_i64(w->rows - i, WIDTH);
            const T *from = sum + k * w->row + i;
            T taps[9 * WIDTH];
            vec zero = {0};
            if (form == HEED_WINOGRAD_PLAIN)
                taps_of_sums(HEED_WINOGRAD_PLAIN, from, w->point, taps, &zero);
            else
                taps_of_sums(HEED_WINOGRAD_STRIDED, from, w->point, taps, &zero);
            store_taps(taps, n, dw + (p->row_begin + i) * dw_row + (p->k_begin + k) * 9, dw_row);
            finite = are_zero(zero, n) && finite;
        }
    return finite;
}

static int64_t winograd_weight_kernel(const heed__conv_args *s, heed__winograd_form form,
                                      const heed__conv_weight_range *p, void *dw, atomic_bool *nonfinite, void *scratch)
{
    const heed__winograd_counts counts = heed__winograd_counts_of(form);
    weight_sums w = {.rows = p->row_end - p->row_begin, .channels = p->k_end - p->k_begin};
    w.row = row_of_sums(w.rows);
    w.point = w.channels * w.row + HEED_CONV_MARGIN;
    const int64_t size = HEED_WINOGRAD_WEIGHTS * w.point;
    points_of_x x = {
        .s = s, .k = p->k_begin, .channels = w.channels, .point = w.channels * POINT_ROW + HEED_CONV_MARGIN};
    sums_of_g g = {.s = s, .point = HEED_WINOGRAD_TILES * w.row + HEED_CONV_MARGIN};
    const heed__conv_args as_tiles = args_of_tiles(s, form);
    const bool many = p->q_end - p->q_begin > TILES_OF_SUMS; /* few tiles are summed in c itself */
    arena a = {.base = scratch};
    conv_span *spans = take_array(&a, HEED_WINOGRAD_TILES, sizeof *spans);
    x.lines = take_array(&a, HEED_WINOGRAD_LINES * HEED_WINOGRAD_LINE, sizeof(T));
    x.to = take_array(&a, counts.points * counts.points * x.point, sizeof(T));
    g.lines = take_array(&a, 2 * G_LINE, sizeof(T));
    g.to = take_array(&a, counts.sums * counts.sums * g.point, sizeof(T));
    w.c = take_array(&a, many ? 3 * size : size, sizeof(T));
    if (!scratch)
        return a.bytes;
    T *sum = many ? w.c + size : w.c, *lost = many ? sum + size : NULL;
    memset(w.c, 0, (size_t)(many ? 3 * size : size) * sizeof(T));
    x.spans = g.spans = spans;
    for (int64_t q = p->q_begin, summed = 0; q < p->q_end; q += HEED_WINOGRAD_TILES) {
        g.tiles = min_i64(p->q_end - q, HEED_WINOGRAD_TILES);
        x.n = g.n = conv_spans(&as_tiles, q, q + g.tiles, spans);
        transform_tiles(form, &x);
        transform_g(form, &g, p);
        sum_products(form, &w, &x, &g, summed > 0);
        summed += g.tiles;
        if (many && (summed >= TILES_OF_SUMS || q + g.tiles == p->q_end)) {
            total_add_row_kernel(size, w.c, sum, lost);
            summed = 0;
        }
    }
    if (!store_weights(form, p, &w, sum, 9 * s->channels, dw))
        atomic_store_explicit(nonfinite, true, memory_order_relaxed);
    return a.bytes;
}

#endif
