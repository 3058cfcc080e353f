/* kernels/conv/patches.h - rows of patches: what an image has under one tap of the kernel, at many positions one after
 * another. */
#ifndef HEED_KERNELS_CONV_PATCHES_H
#define HEED_KERNELS_CONV_PATCHES_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* Neighbouring positions (a, b), (a, b + 1) ... of one image, which are the columns `at` and on. */
typedef struct conv_run {
    int64_t image, a, b, at, length;
} conv_run;

_Static_assert(sizeof(conv_run) <= HEED_CONV_RUN * sizeof(float), "runs have room in scratch");

/* Those of positions q_begin .. q_end - 1. Returns their number, at most q_end - q_begin. */
static int64_t conv_runs(const heed__conv_args *s, int64_t q_begin, int64_t q_end, conv_run *runs)
{
    const int64_t width = s->axis[1].positions, plane = s->axis[0].positions * width;
    int64_t n = 0;
    for (int64_t q = q_begin; q < q_end; q += runs[n++].length) {
        const int64_t p = q % plane;
        runs[n] = (conv_run){.image = q / plane, .a = p / width, .b = p % width, .at = q - q_begin};
        runs[n].length = min_i64(width - runs[n].b, q_end - q);
    }
    return n;
}

/* A channel and a tap of it, counted through as the terms of a sum are. */
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

/* What follows writes up to WIDTH - 1 elements past its end. */

static ALWAYS_INLINE void clear_steps(T *to, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += WIDTH)
        store(to + i, (vec){0});
}

/* to[i] = from[i step] for `length` elements, and then zeros. */
static ALWAYS_INLINE void copy_steps(const T *from, int64_t step, int64_t length, T *to)
{
    if (step == 1) {
        for (int64_t i = 0; i < length; i += WIDTH)
            store(to + i, length - i >= WIDTH ? load(from + i) : load_partial_zero(from + i, length - i));
        return;
    }
    if (step == 2)
        for (int64_t i = 0; i < length; i++)
            to[i] = from[2 * i];
    else
        for (int64_t i = 0; i < length; i++)
            to[i] = from[i * step];
    store(to + length, (vec){0});
}

/* The same of a row of x that has `size` elements, of which the first wanted is number `start`: zeros where there is none. */
static ALWAYS_INLINE void copy_clipped(const T *row, int64_t start, int64_t step, int64_t size, int64_t length, T *to)
{
    int64_t begin = 0, end = length;
    if (start < 0)
        begin = min_i64(step == 1 ? -start : (-start - 1) / step + 1, length);
    if (start + (length - 1) * step >= size)
        end = start >= size ? 0 : min_i64(step == 1 ? size - start : (size - start - 1) / step + 1, length);
    if (begin >= end) {
        clear_steps(to, 0, length);
        return;
    }
    clear_steps(to, 0, begin);
    copy_steps(row + start + begin * step, step, end - begin, to + begin);
    clear_steps(to, end, length);
}

/* Each run is written over what the one before it has written past its end. */
static void pack_patch_row(const heed__conv_args *s, const conv_run *runs, int64_t n, conv_term term, T *to)
{
    const heed__conv_axis *rows = &s->axis[0], *columns = &s->axis[1];
    const T *x = (const T *)s->x + term.channel * s->x_channel;
    const int64_t up = rows->first + term.tap[0] * rows->apart, left = columns->first + term.tap[1] * columns->apart;
    for (const conv_run *r = runs; r < runs + n; r++) {
        const int64_t row = r->a * rows->step + up;
        if (row >= 0 && row < rows->size)
            copy_clipped(x + r->image * s->x_image + row * columns->size, r->b * columns->step + left, columns->step,
                         columns->size, r->length, to + r->at);
        else
            clear_steps(to + r->at, 0, r->length);
    }
}

#endif
