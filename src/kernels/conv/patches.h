/* kernels/conv/patches.h - rows of patches: the elements of an image under one tap of the kernel, for many consecutive
 * positions. The taps of a channel read mostly the same elements, so its lines are copied first, with the zeros around
 * them, and rows are joined from that copy. For a single tap, rows are copied from x line by line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_PATCHES_H
#define HEED_KERNELS_CONV_PATCHES_H

#include <string.h>

#include "kernels/conv/copy.h"
#include "kernels/simd/arena.h"

/* Neighbouring positions (a, b), (a, b + 1) ... of one image, which are the columns from `at` on. In a copy of lines of
 * x, their elements begin at `from`. */
typedef struct conv_span {
    int64_t image, a, b, at, length, from;
} conv_span;

/* Divides positions q_begin .. q_end - 1 into spans. Returns their number, at most q_end - q_begin. */
static int64_t conv_spans(const heed__conv_args *s, int64_t q_begin, int64_t q_end, conv_span *spans)
{
    const int64_t width = s->axis[1].positions, plane = s->axis[0].positions * width;
    int64_t n = 0;
    for (int64_t q = q_begin; q < q_end; q += spans[n++].length) {
        const int64_t p = q % plane;
        spans[n] = (conv_span){.image = q / plane, .a = p / width, .b = p % width, .at = q - q_begin};
        spans[n].length = min_i64(width - spans[n].b, q_end - q);
    }
    return n;
}

/* A channel and a tap, numbered like the terms of a sum. */
typedef struct conv_term {
    int64_t channel, tap[2];
} conv_term;

static conv_term conv_term_of(const heed__conv_args *s, int64_t k)
{
    const int64_t wide = s->axis[1].taps, taps = s->axis[0].taps * wide;
    return (conv_term){k / taps, {k % taps / wide, k % wide}};
}

static void conv_next_term(const heed__conv_args *s, conv_term *term)
{
    if (++term->tap[1] < s->axis[1].taps)
        return;
    term->tap[1] = 0;
    if (++term->tap[0] < s->axis[0].taps)
        return;
    term->tap[0] = 0;
    term->channel++;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* The positions of some spans, and the source of their patches. */
typedef struct conv_patches {
    const heed__conv_args *s;
    conv_span *spans;
    int64_t n_spans, columns;
    conv_copy copy;  /* shape of the copy of the lines of one channel that the spans read; width 0: no copy, rows are
                        copied from x line by line, with zeros for elements outside it */
    int64_t column;  /* first column of positions in the copy */
    int64_t channel; /* the copied channel; -1: none yet */
    T *plane;
} conv_patches;

/* The first span of an image adds all lines that it reads to the copy, every further span one line. */
static bool begins_image(const conv_patches *p, int64_t span)
{
    return span == 0 || p->spans[span].image != p->spans[span - 1].image;
}

/* The shape of the copy of the spans' lines; width 0 if the copy would be too large, or not read often enough. */
static conv_copy copy_of_spans(const conv_patches *p)
{
    const heed__conv_axis *rows = &p->s->axis[0], *across = &p->s->axis[1];
    conv_copy copy = {heed__conv_slots_of(rows), heed__conv_slots_of(across), 0, across->positions};
    if (p->n_spans == 1)
        copy.width = p->spans->length;
    const int64_t most = HEED_CONV_COPY;
    if (rows->taps > most || across->taps > most || copy.down.extra > most || copy.across.extra > most ||
        copy.width > most)
        return (conv_copy){0};
    copy.width += copy.across.extra;
    for (int64_t r = 0; r < p->n_spans; r++)
        copy.height += begins_image(p, r) ? copy.down.extra + 1 : 1;
    const int64_t copied = copy.down.slots * copy.across.slots * copy.height * copy.width;
    return copied <= most && 2 * copied <= rows->taps * across->taps * p->columns ? copy : (conv_copy){0};
}

/* Patches for at most `most` positions. */
static conv_patches conv_patches_of(const heed__conv_args *s, int64_t most, arena *a)
{
    conv_patches p = {.s = s};
    p.spans = take_array(a, most, sizeof *p.spans);
    p.plane = take_array(a, HEED_CONV_COPY + HEED_CONV_MARGIN, sizeof(T));
    return p;
}

/* Selects positions q_begin .. q_end - 1. */
static void select_positions(conv_patches *p, int64_t q_begin, int64_t q_end)
{
    p->n_spans = conv_spans(p->s, q_begin, q_end, p->spans);
    p->columns = q_end - q_begin;
    p->column = p->n_spans == 1 ? p->spans->b : 0;
    p->channel = -1;
    p->copy = copy_of_spans(p);
    int64_t line = 0;
    for (int64_t r = 0; r < p->n_spans; r++) {
        if (r > 0)
            line += begins_image(p, r) ? p->copy.down.extra + 1 : 1;
        p->spans[r].from = line * p->copy.width + p->spans[r].b - p->column;
    }
}

/* Adds zeros at the end, because the last load may read them. */
static void copy_channel(conv_patches *p, int64_t channel)
{
    const heed__conv_args *s = p->s;
    const conv_copy *copy = &p->copy;
    T *to = p->plane;
    for (int64_t t = 0; t < copy->down.slots; t++)
        for (int64_t u = 0; u < copy->across.slots; u++) {
            const x_range range = x_range_of_slot(s, copy, p->column, u);
            for (int64_t r = 0; r < p->n_spans; r++) {
                const conv_span *span = &p->spans[r];
                const T *plane = (const T *)s->x + span->image * s->x_image + channel * s->x_channel;
                for (int64_t i = begins_image(p, r) ? 0 : copy->down.extra; i <= copy->down.extra;
                     i++, to += copy->width)
                    copy_line(s, plane, row_of_line(s, copy, span->a, i, t), range, copy->width, to);
            }
        }
    store(to, (vec){0});
    p->channel = channel;
}

/* Copies from x. Every span overwrites the elements that the previous span has written past its end. */
static void copy_patch_row(const conv_patches *p, conv_term term, T *to)
{
    const heed__conv_args *s = p->s;
    const heed__conv_axis *rows = &s->axis[0], *columns = &s->axis[1];
    const T *x = (const T *)s->x + term.channel * s->x_channel;
    const int64_t up = rows->first + term.tap[0] * rows->apart, left = columns->first + term.tap[1] * columns->apart;
    for (const conv_span *r = p->spans; r < p->spans + p->n_spans; r++) {
        const int64_t row = r->a * rows->step + up;
        if (row >= 0 && row < rows->size)
            copy_x_range(x + r->image * s->x_image + row * columns->size, columns->step,
                         x_range_of(columns, r->b * columns->step + left, r->length), r->length, to + r->at);
        else
            clear_steps(to + r->at, 0, r->length);
    }
}

/* Joins a row from the elements of all spans in the copy; every span overwrites the elements that the previous span has
 * written past its end. */
static __attribute__((noinline)) void join_spans_of_copy(const conv_span *spans, int64_t n, const T *copy, T *to)
{
    for (const conv_span *r = spans; r < spans + n; r++)
        for (int64_t i = 0; i < r->length; i += WIDTH)
            store(to + r->at + i, load(copy + r->from + i));
}

/* Writes up to WIDTH - 1 elements past the row's end. */
static void pack_patch_row(conv_patches *p, conv_term term, T *to)
{
    if (p->copy.width == 0) {
        copy_patch_row(p, term, to);
        return;
    }
    if (term.channel != p->channel)
        copy_channel(p, term.channel);
    join_spans_of_copy(p->spans, p->n_spans, p->plane + copy_offset(&p->copy, term.tap[0], term.tap[1]), to);
}

#endif
