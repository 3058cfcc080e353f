/* kernels/conv/copy.h - copies of parts of planes with the zeros around them. A tap of the kernel then reads the copy
 * directly, at an offset per tap.
 *
 * The copy makes elements with a stride contiguous, so that a register can load them: it consists of the slots of
 * heed__conv_slots, one after the other.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_COPY_H
#define HEED_KERNELS_CONV_COPY_H

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* The following functions write up to WIDTH - 1 elements past the end. */

/* Stores the first register separately: gcc would turn a plain loop into a call of memset. */
static ALWAYS_INLINE void clear_steps(T *to, int64_t begin, int64_t end)
{
    if (begin < end)
        store(to + begin, (vec){0});
    for (int64_t i = begin + WIDTH; i < end; i += WIDTH)
        store(to + i, (vec){0});
}

/* to[i] = from[i step] for `length` elements, then zeros up to the end of a register. */
static ALWAYS_INLINE void copy_steps(const T *from, int64_t step, int64_t length, T *to)
{
    if (step == 1) {
        for (int64_t i = 0; i < length; i += WIDTH)
            store(to + i, load_at(from, i, length));
        return;
    }
    if (step == 2) {
        for (int64_t i = 0; i < length; i += WIDTH)
            store(to + i, load_every_second(from + 2 * i, min_i64(length - i, WIDTH)));
        return;
    }
    for (int64_t i = 0; i < length; i++)
        to[i] = from[i * step];
    store(to + length, (vec){0});
}

/* Of elements of a row of x, `step` apart and starting at index `start`, the range begin .. end - 1 that lies within
 * the row. */
typedef struct x_range {
    int64_t start, begin, end;
} x_range;

static x_range x_range_of(const heed__conv_axis *a, int64_t start, int64_t length)
{
    x_range c = {start, 0, length};
    if (start < 0)
        c.begin = (-start - 1) / a->step + 1;
    if (start + (length - 1) * a->step >= a->size)
        c.end = start >= a->size ? 0 : (a->size - start - 1) / a->step + 1;
    return c.begin < c.end ? c : (x_range){0};
}

/* The same with zeros for elements outside the row. */
static ALWAYS_INLINE void copy_x_range(const T *row, int64_t step, x_range c, int64_t length, T *to)
{
    clear_steps(to, 0, c.begin);
    copy_steps(row + c.start + c.begin * step, step, c.end - c.begin, to + c.begin);
    clear_steps(to, c.begin + (c.end - c.begin + WIDTH - 1) / WIDTH * WIDTH, length);
}

/* The layout of a copy. */
typedef struct conv_copy {
    heed__conv_slots down, across;
    int64_t height, width; /* of a slot */
} conv_copy;

/* The offset, in the copy, from a position to the element that it reads at tap (t, u). */
static int64_t copy_offset(const conv_copy *copy, int64_t t, int64_t u)
{
    const heed__conv_slots *down = &copy->down, *across = &copy->across;
    const int64_t slot = t % down->slots * across->slots + u % across->slots;
    return (slot * copy->height + t / down->slots * down->shift - down->low) * copy->width +
           u / across->slots * across->shift - across->low;
}

/* The elements of its row that a line of slot (., u) contains, for positions (., b), (., b + 1) ... */
static x_range x_range_of_slot(const heed__conv_args *s, const conv_copy *copy, int64_t b, int64_t u)
{
    const heed__conv_axis *across = &s->axis[1];
    return x_range_of(across, (b + copy->across.low) * across->step + across->first + u * across->apart, copy->width);
}

/* The number of the row of x that positions (a, .) read in line i, counted from 0, of slot (t, .). */
static int64_t row_of_line(const heed__conv_args *s, const conv_copy *copy, int64_t a, int64_t i, int64_t t)
{
    const heed__conv_axis *down = &s->axis[0];
    return (a + copy->down.low + i) * down->step + down->first + t * down->apart;
}

/* Copies the elements of a line, or zeros if `row` is outside the plane. */
static ALWAYS_INLINE void copy_line(const heed__conv_args *s, const T *plane, int64_t row, x_range range, int64_t width,
                                    T *to)
{
    if (row >= 0 && row < s->axis[0].size)
        copy_x_range(plane + row * s->axis[1].size, s->axis[1].step, range, width, to);
    else
        clear_steps(to, 0, width);
}

/* -- Bands --------------------------------------------------------------------------------------------------------- */

typedef struct conv_band {
    int64_t image, begin, end; /* positions of the first axis */
} conv_band;

static conv_band band_number(const heed__conv_args *s, int64_t height, int64_t i)
{
    const int64_t all = s->axis[0].positions, bands = (all + height - 1) / height, begin = i % bands * height;
    return (conv_band){i / bands, begin, min_i64(begin + height, all)};
}

/* A band of less than full height leaves unused lines in the copy. */
static conv_copy band_copy_of(const heed__conv_args *s, int64_t height)
{
    const heed__conv_slots down = heed__conv_slots_of(&s->axis[0]);
    return (conv_copy){down, heed__conv_slots_of(&s->axis[1]), height + down.extra, heed__conv_band_width(s)};
}

/* offset[k]: the distance from C's columns to the elements of term k. All channels have the same offsets, plus the step
 * between channels. */
static void band_offsets(const heed__conv_args *s, const conv_copy *copy, int64_t *offset)
{
    const int64_t channel = copy->down.slots * copy->across.slots * copy->height * copy->width;
    const int64_t wide = s->axis[1].taps, taps = s->axis[0].taps * wide;
    for (int64_t k = 0; k < taps; k++)
        offset[k] = copy_offset(copy, k / wide, k % wide);
    for (int64_t k = taps; k < s->channels * taps; k++)
        offset[k] = offset[k - taps] + channel;
}

#endif
