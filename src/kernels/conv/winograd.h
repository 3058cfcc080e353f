/* kernels/conv/winograd.h - convolution with 3 x 3 adjacent taps in fewer multiplications (Winograd's algorithm). A
 * tile of results is computed from products of points (winograd_points.h) of w and of the elements that the tile reads.
 * Summed over channels, such a product is a matrix product for all tiles: rows of w by channels by tiles.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_WINOGRAD_H
#define HEED_KERNELS_CONV_WINOGRAD_H

#include "kernels/conv/conv.h"
#include "kernels/conv/winograd_points.h"

enum {
    POINT_ROW = HEED_WINOGRAD_TILES + HEED_CONV_MARGIN,
    WEIGHTS_AHEAD = 6, /* number of channels by which w is prefetched */
};

/* -- Weights ------------------------------------------------------------------------------------------------------- */

/* Functions with a form are written once for all forms. Their callers compile them separately for every form, by a
 * switch, because then the compiler knows all counts of the form. */

/* taps: 9 rows of PACKED_ROWS rows of w, read in reverse if w is `flipped`. `point`: the step between points in
 * `to`. */
static ALWAYS_INLINE void transform_weights(heed__winograd_form form, const T *taps, bool flipped, T *to, int64_t point)
{
    for (int i = 0; i < PACKED_ROWS; i += WIDTH, taps += WIDTH, to += WIDTH) {
        vec down[3][WEIGHT_POINTS], across[WEIGHT_POINTS];
        UNROLL16
        for (int u = 0; u < 3; u++) {
            const T *tap = taps + (flipped ? 8 - u : u) * PACKED_ROWS;
            const int64_t next = (flipped ? -3 : 3) * PACKED_ROWS;
            points_of_weights(form, (vec[]){load(tap), load(tap + next), load(tap + 2 * next)}, down[u]);
        }
        UNROLL16
        for (int t = 0; t < WEIGHT_POINTS; t++) {
            points_of_weights(form, (vec[]){down[0][t], down[1][t], down[2][t]}, across);
            UNROLL16
            for (int u = 0; u < WEIGHT_POINTS; u++)
                store(to + (WEIGHT_POINTS * t + u) * point, across[u]);
        }
    }
}

/* The step between points of packed w, with a margin so that not all of them map to the same cache set. */
static int64_t weight_point(int64_t rows, int64_t channels)
{
    return tiles_in(rows) * channels * PACKED_ROWS + HEED_CONV_MARGIN;
}

/* For a gradient by x, the rows of a channel are contiguous, and the next channel's are far away. Then w is prefetched.
 *
 * Element i of a tile of rows, for channel c, is at (tile channels + c) PACKED_ROWS + i of every point. */
static void winograd_pack_kernel(const heed__conv_pack_args *p, heed__winograd_form form, int64_t chunk, int64_t chunks)
{
    const int64_t height = tile_height(p->rows), tiles = tiles_in(p->rows), point = weight_point(p->rows, p->channels);
    const T *w = p->w;
    T taps[9 * PACKED_ROWS];
    for (int64_t i = tiles * chunk / chunks; i < tiles * (chunk + 1) / chunks; i++) {
        const T *tile = w + i * height * p->w_row;
        for (int64_t c = 0; c < p->channels; c++) {
            T *to = (T *)p->to + (i * p->channels + c) * PACKED_ROWS;
            const int64_t rows = min_i64(p->rows - i * height, height);
            const T *ahead = tile + min_i64(c + WEIGHTS_AHEAD, p->channels - 1) * p->w_channel;
            for (int64_t k = 0; p->w_row == 9 && k < 9 * rows; k += CACHE_LINE_BYTES / (int64_t)sizeof(T))
                __builtin_prefetch(ahead + k);
            pack(tile + c * p->w_channel, p->w_row, 1, (int)rows, 9, taps, PACKED_ROWS);
            if (form == HEED_WINOGRAD_PLAIN)
                transform_weights(HEED_WINOGRAD_PLAIN, taps, p->flipped, to, point);
            else /* the forms with a stride of 2 have the same points of w */
                transform_weights(HEED_WINOGRAD_STRIDED, taps, p->flipped, to, point);
        }
    }
}

/* -- Elements of x ------------------------------------------------------------------------------------------------- */

/* The arguments with tiles as positions of the same images. */
static heed__conv_args args_of_tiles(const heed__conv_args *s, heed__winograd_form form)
{
    heed__conv_args tiles = *s;
    for (int i = 0; i < 2; i++)
        tiles.axis[i].positions = heed__winograd_tiles_of(&s->axis[i], form);
    return tiles;
}

/* The first index that position 0 reads, whether its tap is the first or the last. */
static int64_t first_of(const heed__conv_axis *a)
{
    return a->first + (a->apart < 0 ? 2 * a->apart : 0);
}

/* The points of x for the tiles of n spans and for channels k .. k + channels - 1: a row of POINT_ROW elements per
 * point and channel in `to`, with a step of `point` between points. `lines` holds zeros and one line per point of an
 * axis. */
typedef struct points_of_x {
    const heed__conv_args *s;
    const conv_span *spans;
    int64_t n, k, channels;
    T *lines, *to;
    int64_t point;
} points_of_x;

/* The lines of a channel that the tiles of a span read, beginning at row[i], and the lines to prefetch, `ahead`. */
typedef struct tile_lines {
    const T *row[MOST_POINTS], *ahead[MOST_POINTS];
    int64_t n;
} tile_lines;

static ALWAYS_INLINE void store_points(heed__winograd_form form, const vec *x, T *to)
{
    vec points[MOST_POINTS];
    points_of_tile(form, x, points);
    UNROLL16
    for (int i = 0; i < heed__winograd_counts_of(form).points; i++)
        store(to + i * HEED_WINOGRAD_LINE, points[i]);
}

/* Computes the points of a register of every line, from element j on; for STRIDED, of two registers of alternating
 * elements. */
static ALWAYS_INLINE void down_step(heed__winograd_form form, const tile_lines *l, int64_t j, T *to, T *to_second)
{
    const int reads = heed__winograd_counts_of(form).reads;
    vec first[MOST_POINTS], second[MOST_POINTS];
    UNROLL16
    for (int i = 0; i < reads; i++) {
        __builtin_prefetch(l->ahead[i] + j);
        if (form == HEED_WINOGRAD_STRIDED) {
            __builtin_prefetch(l->ahead[i] + j + WIDTH);
            load_alternating(l->row[i] + j, min_i64(l->n - j, 2 * WIDTH), &first[i], &second[i]);
        } else {
            first[i] = load_at(l->row[i], j, l->n);
        }
    }
    store_points(form, first, to);
    if (form == HEED_WINOGRAD_STRIDED)
        store_points(form, second, to_second);
}

/* Transforms along the columns: computes all points, per line, of the elements of channel c that span r reads. Zeros
 * replace lines outside x. */
static ALWAYS_INLINE void transform_down(heed__winograd_form form, const points_of_x *p, const conv_span *r, int64_t c,
                                         T *to)
{
    const heed__conv_args *s = p->s;
    const T *plane = (const T *)s->x + r->image * s->x_image + c * s->x_channel;
    const heed__winograd_counts n = heed__winograd_counts_of(form);
    const heed__conv_axis *down = &s->axis[0], across = {.size = s->axis[1].size, .step = 1};
    const int64_t length = n.step * (r->length - 1) + n.reads, halves = form == HEED_WINOGRAD_STRIDED ? 2 : 1;
    const x_range range = x_range_of(&across, n.step * r->b + first_of(&s->axis[1]), length);
    tile_lines l = {.n = range.end - range.begin};
    for (int64_t i = 0; i < n.reads; i++) {
        const int64_t line = n.step * r->a + first_of(down) + i;
        const bool is = line >= 0 && line < down->size;
        l.row[i] = is ? plane + line * across.size + range.start + range.begin : p->lines;
        l.ahead[i] = is && c + 1 < s->channels ? l.row[i] + s->x_channel : l.row[i];
    }
    T *half[2] = {to, to + HEED_WINOGRAD_HALF};
    const int64_t begin = range.begin / halves, odd = range.begin % halves;
    for (int64_t i = 0; i < n.points; i++)
        for (int64_t h = 0; h < halves; h++)
            clear_steps(half[h] + i * HEED_WINOGRAD_LINE, 0, begin + (h < odd));
    for (int64_t j = 0; j < l.n; j += halves * WIDTH)
        down_step(form, &l, j, half[odd] + begin + j / halves, half[1 - odd] + begin + odd + j / halves);
    const int64_t filled = (l.n + halves * WIDTH - 1) / (halves * WIDTH) * WIDTH;
    for (int64_t i = 0; i < n.points; i++)
        for (int64_t h = 0; h < halves; h++)
            clear_steps(half[h] + i * HEED_WINOGRAD_LINE, begin + (h < odd) + filled, (length + halves - 1) / halves);
}

/* Transforms such lines along the rows, which gives the points of a span's tiles. Writes up to WIDTH - 1 elements past
 * the end. */
static ALWAYS_INLINE void transform_across(heed__winograd_form form, const T *line, int64_t length, T *to,
                                           int64_t point)
{
    const heed__winograd_counts n = heed__winograd_counts_of(form);
    for (int64_t j = 0; j < length; j += WIDTH, line += 2 * WIDTH, to += WIDTH) {
        vec x[MOST_POINTS], points[MOST_POINTS];
        UNROLL16
        for (int i = 0; i < n.reads; i++)
            x[i] = form == HEED_WINOGRAD_STRIDED ? load_every_second(line + i % 2 * HEED_WINOGRAD_HALF + i / 2, WIDTH)
                                                 : load_every_second(line + i, WIDTH);
        points_of_tile(form, x, points);
        UNROLL16
        for (int i = 0; i < n.points; i++)
            store(to + i * point, points[i]);
    }
}

/* The elements of span number r begin 2 r elements further than its tiles need, because the first and the last tile of
 * a span read elements next to it. */
static ALWAYS_INLINE void transform_channels(heed__winograd_form form, const points_of_x *p)
{
    const int points = heed__winograd_counts_of(form).points;
    T *to = p->to, *line = p->lines + HEED_WINOGRAD_LINE;
    for (int64_t c = 0; c < p->channels; c++, to += POINT_ROW) {
        for (int64_t r = 0; r < p->n; r++)
            transform_down(form, p, &p->spans[r], p->k + c, line + 2 * (p->spans[r].at + r));
        for (int i = 0; i < points; i++)
            for (int64_t r = 0; r < p->n; r++)
                transform_across(form, line + i * HEED_WINOGRAD_LINE + 2 * (p->spans[r].at + r), p->spans[r].length,
                                 to + points * i * p->point + p->spans[r].at, p->point);
    }
}

static void transform_tiles(heed__winograd_form form, const points_of_x *p)
{
    memset(p->lines, 0, HEED_WINOGRAD_LINE * sizeof(T));
    switch (form) {
    case HEED_WINOGRAD_PLAIN:
        transform_channels(HEED_WINOGRAD_PLAIN, p);
        break;
    case HEED_WINOGRAD_STRIDED:
        transform_channels(HEED_WINOGRAD_STRIDED, p);
        break;
    case HEED_WINOGRAD_SPREAD:
        transform_channels(HEED_WINOGRAD_SPREAD, p);
    }
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

/* Without shuffles, lane-by-lane code needs much stack, which every form of the following functions would repeat. */
#if defined(HAVE_SHUFFLE)
#define WITH_LITTLE_STACK ALWAYS_INLINE
#else
#define WITH_LITTLE_STACK __attribute__((noinline))
#endif

static WITH_LITTLE_STACK bool are_zero(vec x, int64_t n)
{
    bool zero = true;
    for (int64_t l = 0; l < n; l++)
        zero = zero && x[l] == 0;
    return zero;
}

/* Like store_alternating, for four registers. */
static WITH_LITTLE_STACK void store_four_alternating(T *y, const vec made[4], int64_t n)
{
    T even[2 * WIDTH], odd[2 * WIDTH];
    store_alternating(even, made[0], made[2], 2 * WIDTH);
    store_alternating(odd, made[1], made[3], 2 * WIDTH);
    store_alternating(y, load(even), load(odd), min_i64(n, 2 * WIDTH));
    if (n > 2 * WIDTH)
        store_alternating(y + 2 * WIDTH, load(even + WIDTH), load(odd + WIDTH), n - 2 * WIDTH);
}

/* The destination of the results of a register of tiles: `lines` lines of `elements` elements. */
typedef struct tile_results {
    T *y;
    int64_t y_line, lines, elements;
} tile_results;

/* Stores the results computed from the sums at c. Adds NaN to zero[1] if the last result across is not finite, and to
 * zero[0] if a different one is not finite. */
static ALWAYS_INLINE void store_tiles(heed__winograd_form form, const T *c, int64_t point, vec bias,
                                      const tile_results *to, vec zero[2])
{
    const heed__winograd_counts n = heed__winograd_counts_of(form);
    vec down[MOST_RESULTS][MOST_POINTS], sums[MOST_POINTS], made[MOST_RESULTS];
    UNROLL16
    for (int u = 0; u < n.sums; u++) {
        UNROLL16
        for (int t = 0; t < n.sums; t++)
            sums[t] = load(c + (n.sums * t + u) * point);
        results_of_sums(form, sums, made);
        UNROLL16
        for (int t = 0; t < n.results; t++)
            down[t][u] = made[t];
    }
    UNROLL16
    for (int t = 0; t < n.results; t++) {
        results_of_sums(form, down[t], made);
        UNROLL16
        for (int u = 0; u < n.results; u++) {
            const int last = u == n.results - 1;
            zero[last] = muladd_vec(made[u], (vec){0}, zero[last]);
            made[u] += bias;
        }
        T *y = to->y + t * to->y_line;
        if (t < to->lines && n.results == 4)
            store_four_alternating(y, made, to->elements);
        else if (t < to->lines)
            store_alternating(y, made[0], made[1], to->elements);
    }
}

/* The sums of rows first .. first + rows - 1 of y, at c + i HEED_WINOGRAD_TILES for row first + i, with a step of
 * `point` between sums. */
typedef struct tile_sums {
    const heed__conv_args *s;
    int64_t first, rows;
    T *c;
    int64_t point;
} tile_sums;

/* Stores results for at most a register of tiles of span r, from tile j on. Returns whether all results are finite.
 * This ignores results outside the plane, to the right of its last column, because they depend on the elements after
 * the line. */
static ALWAYS_INLINE bool store_rows(heed__winograd_form form, const tile_sums *sums, const conv_span *r, int64_t j)
{
    const heed__conv_args *s = sums->s;
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const int64_t n = min_i64(r->length - j, WIDTH), results = heed__winograd_counts_of(form).results;
    const int64_t line = results * r->a, column = results * (r->b + j);
    tile_results to = {.y = (T *)s->y + r->image * s->y_image + sums->first * s->y_row + line * across->out_size +
                            column,
                       .y_line = across->out_size,
                       .lines = down->positions - line,
                       .elements = min_i64(across->positions - column, results * n)};
    vec zero[2] = {{0}};
    for (int64_t i = 0; i < sums->rows; i++, to.y += s->y_row)
        store_tiles(form, sums->c + i * HEED_WINOGRAD_TILES + r->at + j, sums->point,
                    splat(s->bias ? ((const T *)s->bias)[sums->first + i] : 0), &to, zero);
    return are_zero(zero[0], n) && are_zero(zero[1], to.elements / results);
}

/* Stores all results of span r. Returns whether they are finite. */
static bool store_span(heed__winograd_form form, const tile_sums *sums, const conv_span *r)
{
    bool finite = true;
    for (int64_t j = 0; j < r->length; j += WIDTH)
        switch (form) {
        case HEED_WINOGRAD_PLAIN:
            finite = store_rows(HEED_WINOGRAD_PLAIN, sums, r, j) && finite;
            break;
        case HEED_WINOGRAD_STRIDED:
            finite = store_rows(HEED_WINOGRAD_STRIDED, sums, r, j) && finite;
            break;
        case HEED_WINOGRAD_SPREAD:
            finite = store_rows(HEED_WINOGRAD_SPREAD, sums, r, j) && finite;
        }
    return finite;
}

/* -- The product --------------------------------------------------------------------------------------------------- */

/* Adds all products of points of w and of x to the sums, or if `again` is false, writes them. */
static void multiply_points(heed__winograd_form form, conv_block b, bool again, const T *w, const points_of_x *x,
                            const tile_sums *sums)
{
    const heed__winograd_counts n = heed__winograd_counts_of(form);
    const int64_t w_point = weight_point(b.rows, b.terms);
    for (int i = 0; i < n.products; i++)
        for (int j = 0; j < n.products; j++) {
            const winograd_product p = winograd_products[form][i], q = winograd_products[form][j];
            b.add = again || p.c_again || q.c_again;
            multiply_packed(&b, w + (WEIGHT_POINTS * p.w + q.w) * w_point, x->to + (n.points * p.d + q.d) * x->point,
                            sums->c + (n.sums * p.c + q.c) * sums->point);
        }
}

static int64_t winograd_kernel(const heed__conv_args *s, heed__winograd_form form, const heed__conv_range *p,
                               atomic_bool *nonfinite, void *scratch)
{
    const heed__winograd_counts counts = heed__winograd_counts_of(form);
    const int64_t tiles = tiles_in(s->rows), height = tile_height(s->rows), channels = s->channels;
    conv_block b = {.rows = s->rows,
                    .terms = channels,
                    .begin = tiles * p->chunk / p->chunks,
                    .end = tiles * (p->chunk + 1) / p->chunks,
                    .columns = p->q_end - p->q_begin,
                    .b_row = POINT_ROW,
                    .c_row = HEED_WINOGRAD_TILES,
                    .chain = HEED_LONG_CHAIN};
    const int64_t first = b.begin * height, rows = min_i64(s->rows, b.end * height) - first;
    const int64_t blocks = (channels + HEED_CONV_DEPTH - 1) / HEED_CONV_DEPTH;
    const heed__conv_args as_tiles = args_of_tiles(s, form);
    tile_sums sums = {.s = s, .first = first, .rows = rows, .point = rows * HEED_WINOGRAD_TILES + HEED_CONV_MARGIN};
    points_of_x x = {.s = s, .point = min_i64(channels, HEED_CONV_DEPTH) * POINT_ROW + HEED_CONV_MARGIN};
    arena a = {.base = scratch};
    conv_span *spans = take_array(&a, HEED_WINOGRAD_TILES, sizeof *spans);
    x.lines = take_array(&a, HEED_WINOGRAD_LINES * HEED_WINOGRAD_LINE, sizeof(T));
    x.to = take_array(&a, counts.points * counts.points * x.point, sizeof(T));
    sums.c = take_array(&a, counts.sums * counts.sums * sums.point, sizeof(T));
    if (!scratch || b.begin == b.end)
        return a.bytes;
    x.spans = spans;
    x.n = conv_spans(&as_tiles, p->q_begin, p->q_end, spans);
    for (int64_t block = 0; block < blocks; block++, b.k += b.depth) {
        b.depth = channels / blocks + (block < channels % blocks);
        x.k = b.k;
        x.channels = b.depth;
        transform_tiles(form, &x);
        multiply_points(form, b, block > 0, s->w, &x, &sums);
    }
    for (const conv_span *r = spans; r < spans + x.n; r++)
        if (!store_span(form, &sums, r))
            atomic_store_explicit(&nonfinite[r->image], true, memory_order_relaxed);
    return a.bytes;
}

#endif
