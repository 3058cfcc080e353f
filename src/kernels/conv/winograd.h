/* kernels/conv/winograd.h - convolution with 3 x 3 taps side by side in 16 multiplications for 2 x 2 results instead of 36:
 * Winograd's F(2 x 2, 3 x 3), as Lavin and Gray use it ("Fast Algorithms for Convolutional Neural Networks", 2016).
 *
 * With d the 4 x 4 elements that a tile of 2 x 2 results reads,
 *
 *     y = A' ((G w G') . (B' d B)) A, . element by element, summed over channels, where
 *
 *          1  0 -1  0          1   0   0         1  0
 *     B' = 0  1  1  0     G = 1/2 1/2 1/2    A = 1  1
 *          0 -1  1  0         1/2 -1/2 1/2       1 -1
 *          0  1  0 -1          0   0   1         0 -1
 *
 * and the sum over channels is a product of matrices for each of the 16 points. */
#ifndef HEED_KERNELS_CONV_WINOGRAD_H
#define HEED_KERNELS_CONV_WINOGRAD_H

#include "kernels/conv/conv.h"

enum { POINTS = HEED_WINOGRAD_POINTS, POINT_ROW = HEED_WINOGRAD_TILES + HEED_CONV_MARGIN };

/* -- Weights ------------------------------------------------------------------------------------------------------- */

/* (a, b, c) to G (a, b, c)'. */
static ALWAYS_INLINE void weight_points(vec a, vec b, vec c, vec to[4])
{
    const vec half = splat(K(0.5)), sum = half * (a + c), middle = half * b;
    to[0] = a;
    to[1] = sum + middle;
    to[2] = sum - middle;
    to[3] = c;
}

/* taps: 9 rows of PACKED_ROWS rows of w, the last first where w is `flipped`; of one point to the next in `to`. */
static void transform_weights(const T *taps, bool flipped, T *to, int64_t point)
{
    for (int i = 0; i < PACKED_ROWS; i += WIDTH, taps += WIDTH, to += WIDTH) {
        vec down[3][4], across[4];
        UNROLL16
        for (int u = 0; u < 3; u++) {
            const T *tap = taps + (flipped ? 8 - u : u) * PACKED_ROWS;
            const int64_t next = (flipped ? -3 : 3) * PACKED_ROWS;
            weight_points(load(tap), load(tap + next), load(tap + 2 * next), down[u]);
        }
        UNROLL16
        for (int t = 0; t < 4; t++) {
            weight_points(down[0][t], down[1][t], down[2][t], across);
            UNROLL16
            for (int u = 0; u < 4; u++)
                store(to + (4 * t + u) * point, across[u]);
        }
    }
}

/* Element i of a tile of rows, of channel c, is at (tile channels + c) PACKED_ROWS + i of each point. */
static void winograd_pack_kernel(const heed__conv_pack_args *p, int64_t part, int64_t parts)
{
    const int64_t height = tile_height(p->rows), tiles = tiles_in(p->rows);
    const T *w = p->w;
    T taps[9 * PACKED_ROWS];
    for (int64_t i = tiles * part / parts; i < tiles * (part + 1) / parts; i++)
        for (int64_t c = 0; c < p->channels; c++) {
            pack(w + i * height * p->w_row + c * p->w_channel, p->w_row, 1, (int)min_i64(p->rows - i * height, height),
                 9, taps, PACKED_ROWS);
            transform_weights(taps, p->flipped, (T *)p->to + (i * p->channels + c) * PACKED_ROWS,
                              tiles * p->channels * PACKED_ROWS);
        }
}

/* -- Elements of x ------------------------------------------------------------------------------------------------- */

/* Tiles as positions: of the same images. */
static heed__conv_args winograd_tiles_of(const heed__conv_args *s)
{
    heed__conv_args tiles = *s;
    for (int i = 0; i < 2; i++)
        tiles.axis[i].positions = (s->axis[i].positions + 1) / 2;
    return tiles;
}

/* The index that position 0 reads first, be its tap the first or the last. */
static int64_t first_of(const heed__conv_axis *a)
{
    return a->first + (a->apart < 0 ? 2 * a->apart : 0);
}

/* Of four lines that begin at row[0] and on; ahead: what is read next. */
static ALWAYS_INLINE void down_step(const T *const row[4], const T *const ahead[4], int64_t j, int64_t n, T *to)
{
    UNROLL16
    for (int i = 0; i < 4; i++)
        __builtin_prefetch(ahead[i] + j);
    const vec d0 = load_at(row[0], j, n), d1 = load_at(row[1], j, n), d2 = load_at(row[2], j, n),
              d3 = load_at(row[3], j, n);
    store(to, d0 - d2);
    store(to + HEED_WINOGRAD_LINE, d1 + d2);
    store(to + 2 * HEED_WINOGRAD_LINE, d2 - d1);
    store(to + 3 * HEED_WINOGRAD_LINE, d1 - d3);
}

/* B' d, a row of it at a time, of all that a run reads of a channel, which may be the last; zeros: where x has no line. */
static void transform_down(const heed__conv_args *s, const conv_run *r, const T *plane, bool last, const T *zeros,
                           T *to)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const int64_t length = 2 * r->length + 2;
    const conv_clip clip = clip_of(across, 2 * r->b + first_of(across), length);
    const int64_t filled = clip.end - clip.begin;
    const T *row[4], *ahead[4];
    for (int64_t i = 0; i < 4; i++) {
        const int64_t line = 2 * r->a + first_of(down) + i;
        const bool is = line >= 0 && line < down->size;
        row[i] = is ? plane + line * across->size + clip.start + clip.begin : zeros;
        ahead[i] = is && !last ? row[i] + s->x_channel : row[i];
        clear_steps(to + i * HEED_WINOGRAD_LINE, 0, clip.begin);
    }
    int64_t j = 0;
    for (; j + WIDTH <= filled; j += WIDTH)
        down_step(row, ahead, j, j + WIDTH, to + clip.begin + j);
    if (j < filled)
        down_step(row, ahead, j, filled, to + clip.begin + j);
    for (int i = 0; i < 4; i++)
        clear_steps(to + i * HEED_WINOGRAD_LINE, clip.begin + (filled + WIDTH - 1) / WIDTH * WIDTH, length);
}

/* Of such a row what is right of B: the points of a run's tiles. Writes up to WIDTH - 1 elements past them. */
static ALWAYS_INLINE void transform_across(const T *line, int64_t length, T *to, int64_t point)
{
    for (int64_t j = 0; j < length; j += WIDTH, line += 2 * WIDTH, to += WIDTH) {
        const vec d0 = load_every_second(line, WIDTH), d1 = load_every_second(line + 1, WIDTH),
                  d2 = load_every_second(line + 2, WIDTH), d3 = load_every_second(line + 3, WIDTH);
        store(to, d0 - d2);
        store(to + point, d1 + d2);
        store(to + 2 * point, d2 - d1);
        store(to + 3 * point, d1 - d3);
    }
}

/* A row of POINT_ROW for each point and channel, from channel k on. lines: zeros, and room for 4 more. */
static void transform_tiles(const heed__conv_args *s, const conv_run *runs, int64_t n, int64_t k, int64_t channels,
                            T *lines, T *to, int64_t point)
{
    for (int64_t c = 0; c < channels; c++, to += POINT_ROW) {
        T *line = lines + HEED_WINOGRAD_LINE;
        for (const conv_run *r = runs; r < runs + n; r++, line += 2)
            transform_down(s, r, (const T *)s->x + r->image * s->x_image + (k + c) * s->x_channel,
                           k + c + 1 == s->channels, lines, line + 2 * r->at);
        for (int i = 0; i < 4; i++) {
            line = lines + (1 + i) * HEED_WINOGRAD_LINE;
            for (const conv_run *r = runs; r < runs + n; r++, line += 2)
                transform_across(line + 2 * r->at, r->length, to + 4 * i * point + r->at, point);
        }
    }
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

static bool are_zero(vec x, int64_t n)
{
    bool zero = true;
    for (int64_t l = 0; l < n; l++)
        zero = zero && x[l] == 0;
    return zero;
}

/* A' (a, b, c, d)' */
static ALWAYS_INLINE void result_of_points(vec a, vec b, vec c, vec d, vec y[2])
{
    y[0] = a + b + c;
    y[1] = b - c - d;
}

/* Of a register of tiles from c on, to the lines y[0] and y[1], which is NULL where there is none, each of so many elements. Adds
 * NaN to `zero` where a result is not finite. */
static ALWAYS_INLINE void store_tiles(const T *c, int64_t point, vec bias, T *const y[2], int64_t elements, vec *zero)
{
    vec down[2][4];
    UNROLL16
    for (int u = 0; u < 4; u++) {
        vec both[2];
        result_of_points(load(c + u * point), load(c + (4 + u) * point), load(c + (8 + u) * point),
                         load(c + (12 + u) * point), both);
        down[0][u] = both[0];
        down[1][u] = both[1];
    }
    UNROLL16
    for (int t = 0; t < 2; t++) {
        vec both[2];
        result_of_points(down[t][0], down[t][1], down[t][2], down[t][3], both);
        *zero = muladd_vec(both[0], (vec){0}, muladd_vec(both[1], (vec){0}, *zero));
        if (y[t])
            store_alternating(y[t], both[0] + bias, both[1] + bias, elements);
    }
}

/* Of tiles j and on of a run, at most a register of them, the rows `first` and on. Whether all results are finite. */
static bool store_rows(const heed__conv_args *s, const conv_run *r, int64_t j, int64_t first, int64_t rows, const T *c,
                       int64_t point)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const int64_t n = min_i64(r->length - j, WIDTH);
    const int64_t elements = min_i64(across->positions - 2 * (r->b + j), 2 * n);
    const bool last = 2 * r->a + 1 == down->positions;
    T *y = (T *)s->y + r->image * s->y_image + first * s->y_row + 2 * (r->a * across->out_size + r->b + j);
    vec zero = {0};
    for (int64_t i = 0; i < rows; i++, y += s->y_row, c += HEED_WINOGRAD_TILES)
        store_tiles(c + r->at + j, point, splat(s->bias ? ((const T *)s->bias)[first + i] : 0),
                    (T *const[2]){y, last ? NULL : y + across->out_size}, elements, &zero);
    return are_zero(zero, n);
}

/* -- The product --------------------------------------------------------------------------------------------------- */

/* c = or += w d, of the tiles of rows begin .. end - 1 and channels k .. k + depth - 1, for one point. */
static void multiply_point(const heed__conv_args *s, const conv_block *b, const T *w, const T *d, T *c)
{
    const int64_t height = tile_height(s->rows);
    for (int64_t tile = b->begin; tile < b->end; tile++) {
        const int64_t rows = min_i64(s->rows - tile * height, height);
        tile_args t = {.k = b->depth,
                       .a = w + (tile * s->channels + b->k) * PACKED_ROWS,
                       .a_row = 1,
                       .a_col = PACKED_ROWS,
                       .b = d,
                       .b_row = POINT_ROW,
                       .c = c + (tile - b->begin) * height * HEED_WINOGRAD_TILES,
                       .c_row = HEED_WINOGRAD_TILES,
                       .last = WIDTH,
                       .add = b->add};
        for (int64_t j = 0; j < b->columns; j += TILE_COLUMNS, t.b += TILE_COLUMNS, t.c += TILE_COLUMNS)
            run_tile(tile_for(rows, b->columns - j > WIDTH ? 2 : 1, true), &t, HEED_LONG_CHAIN);
    }
}

static void winograd_kernel(const heed__conv_args *s, const heed__conv_part *p, atomic_bool *odd, void *scratch)
{
    const int64_t tiles = tiles_in(s->rows), height = tile_height(s->rows), channels = s->channels;
    conv_block b = {.begin = tiles * p->part / p->parts, .end = tiles * (p->part + 1) / p->parts};
    const int64_t first = b.begin * height, rows = min_i64(s->rows, b.end * height) - first;
    const int64_t blocks = (channels + HEED_CONV_DEPTH - 1) / HEED_CONV_DEPTH;
    const int64_t w_point = tiles * channels * PACKED_ROWS, c_point = rows * HEED_WINOGRAD_TILES + HEED_CONV_MARGIN,
                  d_point = min_i64(channels, HEED_CONV_DEPTH) * POINT_ROW + HEED_CONV_MARGIN;
    const heed__conv_args as_tiles = winograd_tiles_of(s);
    conv_run *runs = scratch;
    T *lines = (T *)scratch + HEED_WINOGRAD_TILES * HEED_CONV_RUN, *d = lines + 5 * HEED_WINOGRAD_LINE,
      *c = d + POINTS * d_point;
    if (b.begin == b.end)
        return;
    const int64_t n = conv_runs(&as_tiles, p->q_begin, p->q_end, runs);
    b.columns = p->q_end - p->q_begin;
    memset(lines, 0, HEED_WINOGRAD_LINE * sizeof(T));
    for (int64_t block = 0; block < blocks; block++, b.k += b.depth) {
        b.depth = channels / blocks + (block < channels % blocks);
        b.add = block > 0;
        transform_tiles(s, runs, n, b.k, b.depth, lines, d, d_point);
        for (int64_t i = 0; i < POINTS; i++)
            multiply_point(s, &b, (const T *)s->w + i * w_point, d + i * d_point, c + i * c_point);
    }
    for (const conv_run *r = runs; r < runs + n; r++)
        for (int64_t j = 0; j < r->length; j += WIDTH)
            if (!store_rows(s, r, j, first, rows, c, c_point))
                atomic_store_explicit(&odd[r->image], true, memory_order_relaxed);
}

#endif
