/* kernels/conv/band.h - convolution without patches: a band of planes is copied once (copy.h), and the terms of a sum are the
 * copy itself, each so many elements further. For few rows of w, which would not pay for patches.
 *
 * Position (p, q) of the band is column p width + q of C, where width is that of the copy: at the end of each row C has
 * columns that mean nothing. */
#ifndef HEED_KERNELS_CONV_BAND_H
#define HEED_KERNELS_CONV_BAND_H

#include "kernels/conv/conv.h"

typedef struct conv_band {
    int64_t image, begin, end; /* positions of the first axis */
} conv_band;

static conv_band band_number(const heed__conv_args *s, int64_t height, int64_t i)
{
    const int64_t all = s->axis[0].positions, bands = (all + height - 1) / height, begin = i % bands * height;
    return (conv_band){i / bands, begin, min_i64(begin + height, all)};
}

/* Bands that are not so high have lines in it that nobody asks for. */
static conv_copy band_copy_of(const heed__conv_args *s, int64_t height)
{
    const heed__conv_slots down = heed__conv_slots_of(&s->axis[0]);
    return (conv_copy){down, heed__conv_slots_of(&s->axis[1]), height + down.span, heed__conv_band_width(s)};
}

/* offset[k]: how far the elements of term k are from those of C's columns. */
static void band_offsets(const heed__conv_args *s, const conv_copy *copy, int64_t *offset)
{
    const int64_t channel = copy->down.slots * copy->across.slots * copy->height * copy->width;
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t t = 0; t < s->axis[0].taps; t++)
            for (int64_t u = 0; u < s->axis[1].taps; u++)
                *offset++ = c * channel + copy_offset(copy, t, u);
}

/* Elements of scratch: whole cache lines. */
static int64_t band_offsets_room(const heed__conv_args *s)
{
    return (2 * heed__conv_terms(s) + 15) / 16 * 16;
}

/* Each row is written over what the one before it has written past its end. */
static void copy_band(const heed__conv_args *s, const conv_band *b, const conv_copy *copy, T *to)
{
    for (int64_t c = 0; c < s->channels; c++) {
        const T *plane = (const T *)s->x + b->image * s->x_image + c * s->x_channel;
        for (int64_t t = 0; t < copy->down.slots; t++)
            for (int64_t u = 0; u < copy->across.slots; u++) {
                const conv_clip clip = clip_of_slot(s, copy, 0, u);
                for (int64_t i = 0; i < copy->height; i++, to += copy->width)
                    copy_line(s, copy, plane, b->begin, i, t, clip, to);
            }
    }
}

/* -- Tiles --------------------------------------------------------------------------------------------------------- */

/* Registers of a row: more of few rows, so that enough sums are under way at a time. */
#define BAND_VECTORS(rows) ((rows) <= TILE_ROWS / 2 ? 4 : 2)

_Static_assert(HEED_CONV_SPARE >= 4 * WIDTH, "tiles end in what is spare");

/* c (+)= a b. One factor is w, packed, and goes on from term to term; the other the copy, where term k lies offset[k] further:
 * of columns of C it is b, of rows a (by_channel.h). */
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

/* All rows of w, a tile's at a time, times the copy: n columns of C. */
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

/* -- Steps of 2 ------------------------------------------------------------------------------------------------------ */

/* One row of w reads every second element of a copy in which neighbours stay neighbours: to part them takes longer. Where each
 * element has a tap, such a copy takes no more room than slots. */
static bool has_tap_everywhere(const heed__conv_axis *a)
{
    return a->apart == 1 && a->taps >= a->step;
}

/* The convolution as it is copied, with each position between those that there are or as it is; and how far apart lines and
 * positions are in the copy. */
typedef struct band_plan {
    heed__conv_args args;
    conv_copy copy;
    int64_t down, line;
    int step;
} band_plan;

static band_plan band_plan_of(const heed__conv_args *s, int64_t height, bool by_lines)
{
    const heed__conv_axis *down = &s->axis[0], *across = &s->axis[1];
    const bool every_second = by_lines && across->step == 2 && has_tap_everywhere(down) && has_tap_everywhere(across);
    band_plan plan = {.args = *s, .down = every_second ? down->step : 1, .step = every_second ? 2 : 1};
    for (int i = 0; i < 2 && every_second; i++) {
        heed__conv_axis *a = &plan.args.axis[i];
        a->positions = (a->positions - 1) * a->step + 1;
        a->step = 1;
    }
    plan.copy = band_copy_of(&plan.args, (height - 1) * plan.down + 1);
    plan.line = plan.down * plan.copy.width;
    return plan;
}

static void copy_as_planned(const band_plan *plan, const conv_band *b, T *to)
{
    copy_band(&plan->args, &(conv_band){.image = b->image, .begin = b->begin * plan->down}, &plan->copy, to);
}

/* -- Lines --------------------------------------------------------------------------------------------------------- */

/* WIDTH elements, `step` apart. */
static ALWAYS_INLINE vec load_steps(const T *x, const int step)
{
    return step == 2 ? load_every_second(x, WIDTH) : load(x);
}

static ALWAYS_INLINE void store_steps(T *y, vec v, int64_t n, const int step)
{
    if (step == 2)
        store_every_second(y, v, min_i64(n, WIDTH));
    else
        store_at(y, 0, n, v);
}

/* What lines of one row of w are made of; they are `line` apart in the copy. */
typedef struct band_lines {
    const heed__conv_args *s;
    const int64_t *offset;
    int64_t line;
    T bias;
} band_lines;

/* `vectors` registers of n positions of a line. */
static ALWAYS_INLINE void compute_line(const band_lines *l, const T *x, const int step, int64_t n, int vectors, T *y,
                                       const int y_step)
{
    const int64_t terms = heed__conv_terms(l->s);
    const T *w = l->s->w;
    vec sum[4];
    UNROLL16
    for (int v = 0; v < vectors; v++)
        sum[v] = (vec){0};
    for (int64_t k = 0; k < terms; k++, w += PACKED_ROWS) {
        const vec w_k = splat(*w);
        UNROLL16
        for (int v = 0; v < vectors; v++)
            sum[v] = muladd_vec(w_k, load_steps(x + l->offset[k] + v * step * WIDTH, step), sum[v]);
    }
    UNROLL16
    for (int v = 0; v < vectors; v++)
        store_steps(y + v * y_step * WIDTH, sum[v] + l->bias, n - v * WIDTH, y_step);
}

/* `step` and `y_step`: how far apart positions are in the copy and in y. */
static ALWAYS_INLINE void multiply_lines(const band_lines *l, const conv_band *b, const T *x, const int step,
                                         const int y_step)
{
    const heed__conv_axis *down = &l->s->axis[0], *across = &l->s->axis[1];
    const int64_t columns = across->positions, y_line = down->out_step * across->out_size;
    T *y = (T *)l->s->y + b->image * l->s->y_image + (down->out_first * across->out_size + b->begin * y_line) +
           across->out_first;
    for (int64_t a = b->begin; a < b->end; a++, x += l->line, y += y_line) {
        int64_t j = 0;
        for (; columns - j > 3 * WIDTH; j += 4 * WIDTH)
            compute_line(l, x + j * step, step, columns - j, 4, y + j * y_step, y_step);
        if (columns - j > 2 * WIDTH)
            compute_line(l, x + j * step, step, columns - j, 3, y + j * y_step, y_step);
        else if (columns - j > WIDTH)
            compute_line(l, x + j * step, step, columns - j, 2, y + j * y_step, y_step);
        else if (columns - j > 0)
            compute_line(l, x + j * step, step, columns - j, 1, y + j * y_step, y_step);
    }
}

static void run_lines(const heed__conv_args *s, const conv_band *b, const band_plan *plan, const int64_t *offset,
                      const T *x)
{
    const band_lines l = {s, offset, plan->line, s->bias ? *(const T *)s->bias : 0};
    if (plan->step == 2)
        multiply_lines(&l, b, x, 2, 1);
    else if (s->axis[1].out_step == 2)
        multiply_lines(&l, b, x, 1, 2);
    else
        multiply_lines(&l, b, x, 1, 1);
}

/* One row of w, whose results lie side by side or are every second ones, fills registers better than by columns of C if these
 * are wide enough. Those of a step of 2 are side by side. */
static bool is_by_lines(const heed__conv_args *s)
{
    const heed__conv_axis *across = &s->axis[1];
    return s->rows == 1 && across->positions > WIDTH / 2 &&
           (across->out_step == 1 || (across->out_step == 2 && across->step == 1));
}

/* -- Bands --------------------------------------------------------------------------------------------------------- */

static void run_band(const heed__conv_args *s, const conv_band *b, const band_plan *plan, const int64_t *offset, T *x)
{
    const conv_copy *copy = &plan->copy;
    const int64_t columns = s->axis[1].positions, height = b->end - b->begin, c_row = heed__conv_band_row(s, height);
    T *c = x + heed__conv_band_copy(s, copy->height - copy->down.span) + HEED_CONV_SPARE;
    copy_as_planned(plan, b, x);
    if (is_by_lines(s)) {
        run_lines(s, b, plan, offset, x);
        return;
    }
    multiply_band(s, offset, x, (height - 1) * copy->width + columns, c_row, c);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t p = 0; p < height; p++)
            store_positions(s, &(conv_run){.image = b->image, .a = b->begin + p, .length = columns}, 1, i,
                            c + i * c_row + p * copy->width);
}

static void conv_band_kernel(const heed__conv_args *s, const heed__conv_bands *p, void *scratch)
{
    const band_plan plan = band_plan_of(s, p->height, is_by_lines(s));
    int64_t *offset = scratch;
    band_offsets(&plan.args, &plan.copy, offset);
    for (int64_t i = p->begin; i < p->end; i++) {
        const conv_band band = band_number(s, p->height, i);
        run_band(s, &band, &plan, offset, (T *)scratch + band_offsets_room(s));
    }
}

#endif
