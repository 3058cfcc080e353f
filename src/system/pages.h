/* system/pages.h - blocks of memory at addresses that are wanted, and how they are laid out. */
#ifndef HEED_SYSTEM_PAGES_H
#define HEED_SYSTEM_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

/* The C library's blocks at addresses divisible by `alignment`, a power of two. */
#if defined(_WIN32)
static inline void *heed__aligned(size_t alignment, size_t size)
{
    return _aligned_malloc(size, alignment);
}

static inline void heed__aligned_free(void *block)
{
    _aligned_free(block);
}
#else
static inline void *heed__aligned(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

static inline void heed__aligned_free(void *block)
{
    free(block);
}
#endif

/* Two huge pages are what they pay from: fewer faults when they are first written, and fewer misses of the address
 * cache whenever a kernel runs through them. */
#define HEED_HUGE_PAGE ((size_t)2 << 20)

/* Wishes for huge pages under a block that the caller has, at an address divisible by HEED_HUGE_PAGE. Without them it
 * is as good. */
void heed__wish_huge_pages(void *block, size_t size);

#endif
