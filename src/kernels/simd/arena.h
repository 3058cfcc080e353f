/* kernels/simd/arena.h - divides scratch memory, of a kernel or of a thread, into arrays. One function takes them, both
 * for the computation and, with a base of NULL, to count their bytes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_ARENA_H
#define HEED_KERNELS_SIMD_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct arena {
    void *base;    /* NULL: only count */
    int64_t bytes; /* up to the end of the last array */
} arena;

/* Returns the next n elements, from the beginning of a cache line; NULL if the arena only counts. */
static inline void *take_array(arena *a, int64_t n, size_t size)
{
    const int64_t begin = (a->bytes + 63) / 64 * 64;
    a->bytes = begin + n * (int64_t)size;
    return a->base ? (char *)a->base + begin : NULL;
}

#endif
