/* system/pages.h - aligned blocks of memory, and huge pages for them. */
#ifndef HEED_SYSTEM_PAGES_H
#define HEED_SYSTEM_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

/* Allocates from the C library a block whose address is divisible by `alignment`, a power of two. */
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

/* Huge pages pay from two of them on: fewer page faults at the first write, and fewer TLB misses whenever a kernel
 * walks through the block. */
#define HEED_HUGE_PAGE ((size_t)2 << 20)

/* Asks for huge pages for an allocated block whose address is divisible by HEED_HUGE_PAGE. The block works without them
 * as well. */
void heed__advise_huge_pages(void *block, size_t size);

#endif
