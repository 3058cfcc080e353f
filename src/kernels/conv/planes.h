/* kernels/conv/planes.h - gathers strided elements of planes into contiguous ones, and spreads them back with the bias
 * between them: the elements that a 1 x 1 kernel with a stride reads and writes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_PLANES_H
#define HEED_KERNELS_CONV_PLANES_H

#include "kernels/conv/frame.h"

static void conv_gather_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *x, void *to)
{
    const int64_t plane = p->size[0] * p->size[1], together = p->positions[0] * p->positions[1];
    for (int64_t i = begin; i < end; i++)
        copy_lines(&(slot_lines){(const T *)x + i * plane, (T *)to + i * together, p->positions[0], p->positions[1]},
                   p->step[1], min_i64(p->step[0], p->size[0]) * p->size[1], p->positions[1]);
}

static ALWAYS_INLINE void fill_between(T *to, int64_t begin, int64_t end, vec between)
{
    for (int64_t i = begin; i < end; i += WIDTH)
        store_at(to, i, end, between);
}

static ALWAYS_INLINE void spread_line(const T *from, int64_t n, int64_t step, int64_t size, vec between, T *to)
{
    if (step != 2) {
        fill_between(to, 0, size, between);
        for (int64_t i = 0; i < n; i++)
            to[i * step] = from[i];
        return;
    }
    for (int64_t i = 0; i < n; i += WIDTH)
        store_alternating(to + 2 * i, load_at(from, i, n), between, min_i64(2 * min_i64(n - i, WIDTH), size - 2 * i));
    fill_between(to, 2 * n, size, between);
}

static void conv_spread_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *from, void *x)
{
    for (int64_t i = begin; i < end; i++) {
        const vec between = splat(p->bias ? ((const T *)p->bias)[i % p->channels] : 0);
        const T *line = (const T *)from + i * p->positions[0] * p->positions[1];
        T *to = (T *)x + i * p->size[0] * p->size[1];
        for (int64_t j = 0; j < p->size[0]; j++, to += p->size[1])
            if (j % p->step[0] == 0 && j / p->step[0] < p->positions[0]) {
                spread_line(line, p->positions[1], p->step[1], p->size[1], between, to);
                line += p->positions[1];
            } else {
                fill_between(to, 0, p->size[1], between);
            }
    }
}

#endif
