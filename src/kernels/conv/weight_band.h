/* kernels/conv/weight_band.h - the gradient of a convolution by its weights, of few rows: dot products of g, where it lies,
 * and the copy of a band (band.h), register by register of each row of positions. */
#ifndef HEED_KERNELS_CONV_WEIGHT_BAND_H
#define HEED_KERNELS_CONV_WEIGHT_BAND_H

#include "kernels/conv/band.h"

enum { BAND_DOT_ROWS = 3, BAND_DOT_TERMS = 4 }; /* at a time: 12 registers of sums */

/* Rows of g times terms of the copy: the positions first .. end - 1 of `lines` lines. */
typedef struct band_dots {
    const T *g, *x;
    const int64_t *offset;
    int64_t g_row, g_line, x_line;
    int step; /* from one position to the next in the copy */
    int64_t lines, first, end;
    T *sum, *lost; /* a register for each element of dw, whose rows are so far apart */
    int64_t sum_row;
} band_dots;

static ALWAYS_INLINE void band_dots_step(const band_dots *d, const T *g, const T *x, int64_t n,
                                         vec sum[BAND_DOT_ROWS][BAND_DOT_TERMS], int rows, int terms, const int step)
{
    vec x_k[BAND_DOT_TERMS];
    UNROLL16
    for (int k = 0; k < terms; k++)
        x_k[k] = step == 2 ? load_every_second(x + d->offset[k], n)
                           : load_whole_or_partial(x + d->offset[k], n >= WIDTH, (int)n);
    UNROLL16
    for (int i = 0; i < rows; i++) {
        const vec g_i = load_whole_or_partial(g + i * d->g_row, n >= WIDTH, (int)n);
        UNROLL16
        for (int k = 0; k < terms; k++)
            sum[i][k] = muladd_vec(g_i, x_k[k], sum[i][k]);
    }
}

static ALWAYS_INLINE void compute_band_dots(const band_dots *d, int rows, int terms, const int step)
{
    vec sum[BAND_DOT_ROWS][BAND_DOT_TERMS] = {{{0}}};
    for (int64_t line = 0; line < d->lines; line++) {
        const T *g = d->g + line * d->g_line, *x = d->x + line * d->x_line;
        int64_t q = d->first;
        for (; q + WIDTH <= d->end; q += WIDTH)
            band_dots_step(d, g + q, x + step * q, WIDTH, sum, rows, terms, step);
        if (q < d->end)
            band_dots_step(d, g + q, x + step * q, d->end - q, sum, rows, terms, step);
    }
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int k = 0; k < terms; k++) {
            const int64_t at = i * d->sum_row + k * WIDTH;
            vec s = load(d->sum + at), l = load(d->lost + at);
            total_add_vec(&s, &l, sum[i][k]);
            store(d->sum + at, s);
            store(d->lost + at, l);
        }
    }
}

#define FOR_EACH_BAND_DOTS(X)                                                                                          \
    X(1, 1) X(1, 2) X(1, 3) X(1, 4) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(3, 1) X(3, 2) X(3, 3) X(3, 4)
#define DEFINE_BAND_DOTS(rows, terms)                                                                                  \
    static void band_dots_##rows##_##terms(const band_dots *d)                                                         \
    {                                                                                                                  \
        compute_band_dots(d, rows, terms, 1);                                                                          \
    }
FOR_EACH_BAND_DOTS(DEFINE_BAND_DOTS)

/* Of one row, with every second element of the copy. */
#define FOR_EACH_BAND_TERMS(X) X(1) X(2) X(3) X(4)
#define DEFINE_SPARSE_DOTS(terms)                                                                                      \
    static void sparse_dots_##terms(const band_dots *d)                                                                \
    {                                                                                                                  \
        compute_band_dots(d, 1, terms, 2);                                                                             \
    }
FOR_EACH_BAND_TERMS(DEFINE_SPARSE_DOTS)

typedef void band_dots_fn(const band_dots *d);

static band_dots_fn *band_dots_for(int64_t rows, int64_t terms, int step)
{
#define BAND_DOTS(rows, terms) [rows][terms] = band_dots_##rows##_##terms,
#define SPARSE_DOTS(terms) [terms] = sparse_dots_##terms,
    static band_dots_fn *const dots[BAND_DOT_ROWS + 1][BAND_DOT_TERMS + 1] = {FOR_EACH_BAND_DOTS(BAND_DOTS)};
    static band_dots_fn *const sparse[BAND_DOT_TERMS + 1] = {FOR_EACH_BAND_TERMS(SPARSE_DOTS)};
    return step == 2 ? sparse[terms] : dots[rows][terms];
}

/* All rows and terms, about as many rows at a time. */
static void add_band_dots(const band_dots *all, int64_t rows, int64_t terms)
{
    const int64_t blocks = (rows + BAND_DOT_ROWS - 1) / BAND_DOT_ROWS;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t i = rows * block / blocks, here = rows * (block + 1) / blocks - i;
        for (int64_t k = 0; k < terms; k += BAND_DOT_TERMS) {
            band_dots d = *all;
            d.g += i * d.g_row;
            d.offset += k;
            d.sum += i * d.sum_row + k * WIDTH;
            d.lost += i * d.sum_row + k * WIDTH;
            band_dots_for(here, min_i64(terms - k, BAND_DOT_TERMS), d.step)(&d);
        }
    }
}

/* In chains of about HEED_LONG_CHAIN registers: some lines, or a piece of one. */
static void add_band(const heed__conv_args *s, const conv_band *b, band_dots d)
{
    const int64_t columns = s->axis[1].positions, height = b->end - b->begin, terms = heed__conv_terms(s);
    const int64_t vectors = (columns + WIDTH - 1) / WIDTH;
    const int64_t lines = vectors < HEED_LONG_CHAIN ? HEED_LONG_CHAIN / vectors : 1;
    for (int64_t p = 0; p < height; p += lines) {
        d.lines = min_i64(height - p, lines);
        for (d.first = 0; d.first < columns; d.first = d.end) {
            d.end = min_i64(d.first + HEED_LONG_CHAIN * WIDTH, columns);
            add_band_dots(&d, s->rows, terms);
        }
        d.g += lines * d.g_line;
        d.x += lines * d.x_line;
    }
}

static void conv_weight_band_kernel(const heed__conv_args *s, const heed__conv_bands *p, void *dw, void *scratch)
{
    const int64_t terms = heed__conv_terms(s), size = s->rows * terms * WIDTH;
    const band_plan plan = band_plan_of(s, p->height, s->rows == 1);
    int64_t *offset = scratch;
    T *sum = (T *)scratch + band_offsets_room(s), *lost = sum + size, *x = lost + size;
    memset(sum, 0, 2 * (size_t)size * sizeof(T));
    band_offsets(&plan.args, &plan.copy, offset);
    for (int64_t i = p->begin; i < p->end; i++) {
        const conv_band b = band_number(s, p->height, i);
        copy_as_planned(&plan, &b, x);
        add_band(s, &b,
                 (band_dots){.g = (const T *)s->y + b.image * s->y_image + b.begin * s->axis[1].positions,
                             .x = x,
                             .offset = offset,
                             .g_row = s->y_row,
                             .g_line = s->axis[1].positions,
                             .x_line = plan.line,
                             .step = plan.step,
                             .sum = sum,
                             .lost = lost,
                             .sum_row = terms * WIDTH});
    }
    for (int64_t i = 0; i < s->rows * terms; i++)
        ((T *)dw)[i] = add_lanes(load(sum + i * WIDTH));
}

#endif
