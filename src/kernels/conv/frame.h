/* kernels/conv/frame.h - a copy of a band (copy.h) in a frame of zeros, kept from plane to plane: only the elements of
 * x are written again.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_FRAME_H
#define HEED_KERNELS_CONV_FRAME_H

#include "kernels/conv/copy.h"
#include "kernels/simd/arena.h"

typedef struct conv_frame {
    const heed__conv_args *s;
    conv_copy copy;
    int64_t begin;           /* the zeros are set for bands that begin at this position; -1: not set yet */
    x_range *rows, *columns; /* per slot, the range that lies within x */
    T *x;
} conv_frame;

/* A frame for bands of `height`. */
static conv_frame conv_frame_of(const heed__conv_args *s, int64_t height, arena *a)
{
    conv_frame f = {.s = s, .copy = band_copy_of(s, height), .begin = -1};
    f.rows = take_array(a, f.copy.down.slots, sizeof *f.rows);
    f.columns = take_array(a, f.copy.across.slots, sizeof *f.columns);
    f.x = take_array(a, heed__conv_band_copy(s, height) + HEED_CONV_SPARE, sizeof(T));
    return f;
}

static void set_frame(conv_frame *f, int64_t begin)
{
    const heed__conv_axis *down = &f->s->axis[0];
    const int64_t size = f->s->channels * f->copy.down.slots * f->copy.across.slots * f->copy.height * f->copy.width;
    memset(f->x, 0, (size_t)(size + HEED_CONV_SPARE) * sizeof(T));
    for (int64_t t = 0; t < f->copy.down.slots; t++)
        f->rows[t] =
            x_range_of(down, (begin + f->copy.down.low) * down->step + down->first + t * down->apart, f->copy.height);
    for (int64_t u = 0; u < f->copy.across.slots; u++)
        f->columns[u] = x_range_of_slot(f->s, &f->copy, 0, u);
    f->begin = begin;
}

/* The elements of x in a slot: n elements per line, in `lines` lines, which begin at `from` in x and at `to` in the
 * copy. */
typedef struct slot_lines {
    const T *from;
    T *to;
    int64_t lines, n;
} slot_lines;

static slot_lines lines_of_slot(const conv_frame *f, const T *plane, int64_t t, int64_t u, T *to)
{
    const heed__conv_axis *down = &f->s->axis[0], *across = &f->s->axis[1];
    const x_range rows = f->rows[t], columns = f->columns[u];
    const int64_t row = rows.start + rows.begin * down->step, column = columns.start + columns.begin * across->step;
    return (slot_lines){.from = plane + row * across->size + column,
                        .to = to + rows.begin * f->copy.width + columns.begin,
                        .lines = rows.end - rows.begin,
                        .n = columns.end - columns.begin};
}

/* Copies elements with the given step; x_line and to_line are the steps between lines in x and in the copy. */
static void copy_lines(const slot_lines *l, int64_t step, int64_t x_line, int64_t to_line)
{
    const T *from = l->from;
    T *to = l->to;
    for (int64_t line = 0; line < l->lines; line++, from += x_line, to += to_line) {
        if (step == 1)
            for (int64_t i = 0; i < l->n; i += WIDTH)
                store_at(to, i, l->n, load_at(from, i, l->n));
        else if (step == 2)
            for (int64_t i = 0; i < l->n; i += WIDTH)
                store_at(to, i, l->n, load_every_second(from + 2 * i, min_i64(l->n - i, WIDTH)));
        else
            for (int64_t i = 0; i < l->n; i++)
                to[i] = from[i * step];
    }
}

/* Separates elements that alternate between two slots, starting with `a`. */
static void deinterleave_lines(const slot_lines *a, const slot_lines *b, int64_t x_line, int64_t to_line)
{
    for (int64_t i = 0; i < a->n; i += WIDTH) {
        const T *from = a->from + 2 * i;
        T *to_a = a->to + i, *to_b = b->to + i;
        const int64_t n_a = min_i64(a->n - i, WIDTH), n_b = min_i64(b->n - i, WIDTH);
        for (int64_t line = 0; line < a->lines; line++, from += x_line, to_a += to_line, to_b += to_line) {
            vec of_a, of_b;
            load_alternating(from, n_a + n_b, &of_a, &of_b);
            store_at(to_a, 0, n_a, of_a);
            store_at(to_b, 0, n_b, of_b);
        }
    }
}

static bool are_interleaved(const slot_lines *a, const slot_lines *b)
{
    return b->from == a->from + 1 && (b->n == a->n || b->n == a->n - 1);
}

/* Fills all slots (t, .). */
static void fill_slots(const conv_frame *f, const T *plane, int64_t t, T *to)
{
    const int64_t slots = f->copy.across.slots, slot = f->copy.height * f->copy.width;
    const heed__conv_axis *down = &f->s->axis[0], *across = &f->s->axis[1];
    const int64_t step = across->step, x_line = min_i64(down->step, down->size) * across->size, to_line = f->copy.width;
    if (slots == 2 && step == 2) {
        const slot_lines a = lines_of_slot(f, plane, t, 0, to), b = lines_of_slot(f, plane, t, 1, to + slot);
        if (are_interleaved(&a, &b) || are_interleaved(&b, &a)) {
            deinterleave_lines(are_interleaved(&a, &b) ? &a : &b, are_interleaved(&a, &b) ? &b : &a, x_line, to_line);
            return;
        }
    }
    for (int64_t u = 0; u < slots; u++, to += slot) {
        const slot_lines lines = lines_of_slot(f, plane, t, u, to);
        copy_lines(&lines, step, x_line, to_line);
    }
}

/* Fills the frame with the band from position `begin` on of an image whose planes are `x`. */
static void fill_frame(conv_frame *f, const T *x, int64_t begin)
{
    if (begin != f->begin)
        set_frame(f, begin);
    T *to = f->x;
    for (int64_t c = 0; c < f->s->channels; c++, x += f->s->x_channel)
        for (int64_t t = 0; t < f->copy.down.slots; t++, to += f->copy.across.slots * f->copy.height * f->copy.width)
            fill_slots(f, x, t, to);
}

#endif
