/* kernels/conv/lines.h - convolution with one row of w per group, such as depthwise convolution. A plane, or a band of
 * it, is copied with the zeros around it (frame.h), and a line of positions is the weighted sum of lines of the copy.
 * Planes are processed in memory order.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_LINES_H
#define HEED_KERNELS_CONV_LINES_H

#include "kernels/conv/frame.h"

/* -- Lines --------------------------------------------------------------------------------------------------------- */

enum { LINE_VECTORS = 4 }; /* at a time: of one line or of several lines */

/* The terms that compute n positions of every line. */
typedef struct line_terms {
    int64_t n, terms;
    const int64_t *offset; /* where every term begins in the copy */
    const T *w;
    T bias;
    int64_t x_line, y_line, y_step; /* steps between lines, and between positions */
    bool pair;                      /* computed together with the positions between these (the next line_terms) */
} line_terms;

/* sum[i vectors + v] = register v of line i. */
static ALWAYS_INLINE void sum_lines(const line_terms *t, const T *x, int lines, int vectors, vec *sum)
{
    UNROLL16
    for (int i = 0; i < lines * vectors; i++)
        sum[i] = (vec){0};
    for (int64_t k = 0; k < t->terms; k++) {
        const vec w_k = splat(t->w[k]);
        const T *x_k = x + t->offset[k];
        UNROLL16
        for (int i = 0; i < lines * vectors; i++)
            sum[i] = muladd_vec(w_k, load(x_k + i / vectors * t->x_line + i % vectors * WIDTH), sum[i]);
    }
    UNROLL16
    for (int i = 0; i < lines * vectors; i++)
        sum[i] += t->bias;
}

static __attribute__((noinline)) void store_strided(T *y, int64_t step, int64_t n, vec v)
{
    for (int64_t i = 0; i < min_i64(n, WIDTH); i++)
        y[i * step] = v[i];
}

static ALWAYS_INLINE void store_line(T *y, int64_t step, int64_t n, vec v)
{
    if (step == 1)
        store_at(y, 0, n, v);
    else if (step == 2)
        store_every_second(y, v, min_i64(n, WIDTH));
    else
        store_strided(y, step, n, v);
}

/* Computes the positions from `at` on. */
static ALWAYS_INLINE void compute_lines(const line_terms *t, const T *x, int64_t at, T *y, int lines, int vectors,
                                        bool pair)
{
    const int64_t step = t->y_step, line = t->y_line, n = t->n - at, both = pair ? n + t[1].n - at : 0;
    vec sum[LINE_VECTORS], between[LINE_VECTORS];
    sum_lines(t, x + at, lines, vectors, sum);
    if (pair)
        sum_lines(t + 1, x + at, lines, vectors, between);
    y += at * step;
    UNROLL16
    for (int i = 0; i < lines * vectors; i++) {
        const int v = i % vectors * WIDTH;
        if (pair)
            store_alternating(y + i / vectors * line + 2 * v, sum[i], between[i], min_i64(both - 2 * v, 2 * WIDTH));
        else
            store_line(y + i / vectors * line + v * step, step, n - v, sum[i]);
    }
}

#define FOR_EACH_LINES(X) X(1, 1) X(2, 1) X(3, 1) X(4, 1) X(1, 2) X(2, 2) X(1, 3) X(1, 4)
#define DEFINE_LINE_TILE(name, lines, vectors, pair)                                                                   \
    static void name##_##lines##_##vectors(const line_terms *t, const T *x, int64_t at, T *y)                          \
    {                                                                                                                  \
        compute_lines(t, x, at, y, lines, vectors, pair);                                                              \
    }
#define DEFINE_LINES(count, vectors)                                                                                   \
    DEFINE_LINE_TILE(lines, count, vectors, false) DEFINE_LINE_TILE(pairs, count, vectors, true)
FOR_EACH_LINES(DEFINE_LINES)

typedef void lines_fn(const line_terms *t, const T *x, int64_t at, T *y);

static void run_lines(const line_terms *t, const T *x, int64_t lines, T *y)
{
#define LINES(lines, vectors) [vectors][lines] = {lines_##lines##_##vectors, pairs_##lines##_##vectors},
    static lines_fn *const run[LINE_VECTORS + 1][LINE_VECTORS + 1][2] = {FOR_EACH_LINES(LINES)};
    for (int64_t at = 0; at < t->n; at += LINE_VECTORS * WIDTH) {
        const int64_t vectors = min_i64((t->n - at + WIDTH - 1) / WIDTH, LINE_VECTORS), most = LINE_VECTORS / vectors;
        for (int64_t i = 0, here; i < lines; i += here) {
            here = min_i64(lines - i, most);
            run[vectors][here][t->pair](t, x + i * t->x_line, at, y + i * t->y_line);
        }
    }
}

/* -- Planes -------------------------------------------------------------------------------------------------------- */

/* Data shared by all planes: the offsets of the terms in the copy and in w, and an array for the w of a group. */
typedef struct line_plan {
    const heed__conv_lines_args *p;
    conv_frame frame;
    int64_t *offset, *w_offset;
    T *w;
    line_terms subset[HEED_CONV_REMAINDERS];
} line_plan;

/* The tap of the frame that reads the same elements as tap t. */
static int64_t tap_in_frame(const heed__conv_axis *frame, const heed__conv_axis *a, int64_t t)
{
    return frame->taps == 1 ? 0 : (a->first + t * a->apart - frame->first) / frame->apart;
}

static void note_terms(const line_plan *plan, const heed__conv_lines *l, int64_t *offset, int64_t *w_offset)
{
    const heed__conv_args *s = &plan->p->args;
    const conv_copy *copy = &plan->frame.copy;
    const int64_t channel = copy->down.slots * copy->across.slots * copy->height * copy->width;
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t t = 0; t < l->axis[0].taps; t++)
            for (int64_t u = 0; u < l->axis[1].taps; u++) {
                *offset++ = c * channel + copy_offset(copy, tap_in_frame(&s->axis[0], &l->axis[0], t),
                                                      tap_in_frame(&s->axis[1], &l->axis[1], u));
                *w_offset++ = l->w_first + c * plan->p->w_channel + t * l->w_tap[0] + u * l->w_tap[1];
            }
}

/* True if a and b have alternating positions, starting with `a`. */
static bool is_pair(const heed__conv_lines *a, const heed__conv_lines *b)
{
    const int64_t more = a->axis[1].positions - b->axis[1].positions;
    return a->axis[0].out_first == b->axis[0].out_first && a->axis[1].out_step == 2 &&
           a->axis[1].out_first + 1 == b->axis[1].out_first && (more == 0 || more == 1);
}

static line_plan line_plan_of(const heed__conv_lines_args *p, arena *a)
{
    line_plan plan = {.p = p};
    plan.offset = take_array(a, p->terms, sizeof *plan.offset);
    plan.w_offset = take_array(a, p->terms, sizeof *plan.w_offset);
    plan.w = take_array(a, p->terms, sizeof *plan.w);
    plan.frame = conv_frame_of(&p->args, p->height, a);
    return plan;
}

static void note_subsets(line_plan *plan)
{
    const heed__conv_lines_args *p = plan->p;
    for (int64_t i = 0, k = 0; i < p->n; k += plan->subset[i++].terms) {
        const heed__conv_lines *l = &p->subset[i];
        note_terms(plan, l, plan->offset + k, plan->w_offset + k);
        plan->subset[i] = (line_terms){.n = l->axis[1].positions,
                                       .terms = p->args.channels * l->axis[0].taps * l->axis[1].taps,
                                       .offset = plan->offset + k,
                                       .w = plan->w + k,
                                       .x_line = plan->frame.copy.width,
                                       .y_line = l->axis[0].out_step * l->axis[1].out_size,
                                       .y_step = l->axis[1].out_step,
                                       .pair = i + 1 < p->n && is_pair(l, l + 1)};
    }
}

static void read_weights(line_plan *plan, int64_t group)
{
    const heed__conv_lines_args *p = plan->p;
    const T *w = (const T *)p->args.w + group * p->w_group;
    for (int64_t k = 0; k < p->terms; k++)
        plan->w[k] = w[plan->w_offset[k]];
    for (int64_t i = 0; i < p->n; i++)
        plan->subset[i].bias = p->args.bias ? ((const T *)p->args.bias)[group] : 0;
}

/* Computes the band from position `begin` on of a plane. */
static void run_band_of_plane(line_plan *plan, int64_t image, int64_t group, int64_t begin)
{
    const heed__conv_lines_args *p = plan->p;
    T *y = (T *)p->args.y + image * p->args.y_image + group * p->y_group;
    read_weights(plan, group);
    fill_frame(&plan->frame, (const T *)p->args.x + image * p->args.x_image + group * p->x_group, begin);
    for (int64_t i = 0; i < p->n; i += 1 + plan->subset[i].pair) {
        const heed__conv_axis *down = &p->subset[i].axis[0], *across = &p->subset[i].axis[1];
        run_lines(&plan->subset[i], plan->frame.x, min_i64(down->positions - begin, p->height),
                  y + down->out_first * across->out_size + begin * plan->subset[i].y_line + across->out_first);
    }
}

static int64_t conv_lines_kernel(const heed__conv_lines_args *p, int64_t begin, int64_t end, void *scratch)
{
    arena a = {.base = scratch};
    line_plan plan = line_plan_of(p, &a);
    if (!scratch)
        return a.bytes;
    note_subsets(&plan);
    for (int64_t i = begin; i < end; i++) {
        const int64_t plane = i / p->bands;
        run_band_of_plane(&plan, plane / p->groups, plane % p->groups, i % p->bands * p->height);
    }
    return a.bytes;
}

#endif
