/* kernels/conv/winograd_weight.h - the gradient of a convolution by its weights, of 3 x 3 taps, by Winograd's algorithm. What
 * winograd.h computes is linear in w, so with the same matrices and g of a tile, 2 x 2,
 *
 *     dw = G' (sum of (A g A') . (B' d B)) G, over all tiles,
 *
 * and the sum is a product of matrices for each of the 16 points: channels by rows. */
#ifndef HEED_KERNELS_CONV_WINOGRAD_WEIGHT_H
#define HEED_KERNELS_CONV_WINOGRAD_WEIGHT_H

#include "kernels/conv/winograd.h"

enum {
    G_LINE = 2 * HEED_WINOGRAD_TILES * TILE_COLUMNS, /* of a panel of rows */
    TILES_OF_SUMS = 512,                             /* that are summed before their sums are added to the total */
};

/* -- Elements of g ------------------------------------------------------------------------------------------------- */

/* Positions of a line of g that a run's tiles have, `rows` rows of them a panel, and zeros for those that there are not. */
static void pack_line(const heed__conv_args *s, const conv_run *r, int64_t line, const T *g, int64_t rows, T *to)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const int64_t length = 2 * r->length, here = min_i64(across->positions - 2 * r->b, length);
    const int64_t filled = line < down->positions ? here : 0;
    pack(g + line * across->positions + 2 * r->b, s->y_row, 1, (int)rows, filled, to, TILE_COLUMNS);
    clear_steps(to, filled * TILE_COLUMNS, length * TILE_COLUMNS);
}

/* A (a, b)' */
static ALWAYS_INLINE void points_of_result(vec a, vec b, vec to[4])
{
    to[0] = a;
    to[1] = a + b;
    to[2] = a - b;
    to[3] = -b;
}

/* A g A' of the tiles of two packed lines: a row of TILE_COLUMNS for each. */
static void transform_lines(const T *lines, int64_t length, int vectors, T *to, int64_t point)
{
    for (int64_t j = 0; j < length; j++, lines += 2 * TILE_COLUMNS, to += TILE_COLUMNS)
        for (int v = 0; v < vectors; v++) {
            const T *g = lines + v * WIDTH;
            vec down[2][4], across[4];
            points_of_result(load(g), load(g + G_LINE), down[0]);
            points_of_result(load(g + TILE_COLUMNS), load(g + G_LINE + TILE_COLUMNS), down[1]);
            UNROLL16
            for (int t = 0; t < 4; t++) {
                points_of_result(down[0][t], down[1][t], across);
                UNROLL16
                for (int u = 0; u < 4; u++)
                    store(to + v * WIDTH + (4 * t + u) * point, across[u]);
            }
        }
}

/* Of each point panels of rows, `tiles` rows of TILE_COLUMNS each. lines: room for two of G_LINE. */
static void transform_g(const heed__conv_args *s, const heed__conv_weight_part *p, const conv_run *runs, int64_t n,
                        int64_t tiles, T *lines, T *to, int64_t point)
{
    for (int64_t i = p->row_begin; i < p->row_end; i += TILE_COLUMNS, to += tiles * TILE_COLUMNS) {
        const int64_t rows = min_i64(p->row_end - i, TILE_COLUMNS);
        for (const conv_run *r = runs; r < runs + n; r++) {
            const T *g = (const T *)s->y + r->image * s->y_image + i * s->y_row;
            for (int64_t line = 0; line < 2; line++)
                pack_line(s, r, 2 * r->a + line, g, rows, lines + line * G_LINE);
            transform_lines(lines, r->length, rows > WIDTH ? 2 : 1, to + r->at * TILE_COLUMNS, point);
        }
    }
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* c = or += d g of one point: channels by rows, over `tiles` tiles. */
static void multiply_points(int64_t channels, int64_t rows, int64_t tiles, const T *d, const T *g, bool add, T *c)
{
    const int64_t height = tile_height(channels);
    for (int64_t i = 0; i < channels; i += height) {
        tile_args t = {.k = tiles,
                       .a = d + i * POINT_ROW,
                       .a_row = POINT_ROW,
                       .a_col = 1,
                       .b = g,
                       .b_row = TILE_COLUMNS,
                       .c = c + i * HEED_WINOGRAD_ROWS,
                       .c_row = HEED_WINOGRAD_ROWS,
                       .last = WIDTH,
                       .add = add};
        for (int64_t j = 0; j < rows; j += TILE_COLUMNS, t.b += tiles * TILE_COLUMNS, t.c += TILE_COLUMNS)
            run_tile(tile_for(min_i64(channels - i, height), rows - j > WIDTH ? 2 : 1, true), &t, HEED_LONG_CHAIN);
    }
}

/* G' (a, b, c, d)' */
static ALWAYS_INLINE void taps_of_points(vec a, vec b, vec c, vec d, vec to[3])
{
    const vec half = splat(K(0.5)), sum = half * (b + c);
    to[0] = a + sum;
    to[1] = half * (b - c);
    to[2] = sum + d;
}

/* A register of rows of one channel, at most n of them, to 9 elements of each row of dw. Whether they are finite. */
static bool store_taps(const T *sum, int64_t point, int64_t n, T *dw, int64_t dw_row)
{
    T taps[9 * WIDTH], turned[WIDTH * WIDTH];
    vec down[4][3], zero = {0};
    UNROLL16
    for (int u = 0; u < 4; u++)
        taps_of_points(load(sum + u * point), load(sum + (4 + u) * point), load(sum + (8 + u) * point),
                       load(sum + (12 + u) * point), down[u]);
    UNROLL16
    for (int t = 0; t < 3; t++) {
        vec across[3];
        taps_of_points(down[0][t], down[1][t], down[2][t], down[3][t], across);
        UNROLL16
        for (int u = 0; u < 3; u++) {
            store(taps + (3 * t + u) * WIDTH, across[u]);
            zero = muladd_vec(across[u], (vec){0}, zero);
        }
    }
    for (int k = 0; k < 9; k += WIDTH) {
        const int here = 9 - k < WIDTH ? 9 - k : WIDTH;
        transpose_to_rows(taps + k * WIDTH, WIDTH, here, WIDTH, turned, WIDTH);
        for (int64_t i = 0; i < n; i++)
            store_at(dw + i * dw_row, k, 9, load(turned + i * WIDTH));
    }
    return are_zero(zero, n);
}

static void winograd_weight_kernel(const heed__conv_args *s, const heed__conv_weight_part *p, void *dw,
                                   atomic_bool *odd, void *scratch)
{
    const int64_t rows = p->row_end - p->row_begin, channels = p->k_end - p->k_begin, dw_row = 9 * s->channels;
    const int64_t d_point = channels * POINT_ROW + HEED_CONV_MARGIN,
                  g_point = HEED_WINOGRAD_TILES * HEED_WINOGRAD_ROWS + HEED_CONV_MARGIN,
                  c_point = channels * HEED_WINOGRAD_ROWS + HEED_CONV_MARGIN, size = POINTS * c_point;
    const heed__conv_args as_tiles = winograd_tiles_of(s);
    conv_run *runs = scratch;
    T *lines = (T *)scratch + HEED_WINOGRAD_TILES * HEED_CONV_RUN, *d = lines + 5 * HEED_WINOGRAD_LINE,
      *g_lines = d + POINTS * d_point, *g = g_lines + 2 * G_LINE, *c = g + POINTS * g_point, *sum = c + size,
      *lost = sum + size;
    memset(lines, 0, HEED_WINOGRAD_LINE * sizeof(T));
    memset(c, 0, 3 * (size_t)size * sizeof(T));
    for (int64_t q = p->q_begin, summed = 0; q < p->q_end; q += HEED_WINOGRAD_TILES) {
        const int64_t tiles = min_i64(p->q_end - q, HEED_WINOGRAD_TILES), n = conv_runs(&as_tiles, q, q + tiles, runs);
        transform_tiles(s, runs, n, p->k_begin, channels, lines, d, d_point);
        transform_g(s, p, runs, n, tiles, g_lines, g, g_point);
        for (int64_t i = 0; i < POINTS; i++)
            multiply_points(channels, rows, tiles, d + i * d_point, g + i * g_point, summed > 0, c + i * c_point);
        summed += tiles;
        if (summed >= TILES_OF_SUMS || q + tiles == p->q_end) {
            total_add_row_kernel(size, c, sum, lost);
            summed = 0;
        }
    }
    for (int64_t k = 0; k < channels; k++)
        for (int64_t i = 0; i < rows; i += WIDTH)
            if (!store_taps(sum + k * HEED_WINOGRAD_ROWS + i, c_point, min_i64(rows - i, WIDTH),
                            (T *)dw + (p->row_begin + i) * dw_row + (p->k_begin + k) * 9, dw_row))
                atomic_store_explicit(odd, true, memory_order_relaxed);
}

#endif
