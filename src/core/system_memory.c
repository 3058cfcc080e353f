/* core/system_memory.c - the source of memory unless the program gives another: the C library's. */

#define _DEFAULT_SOURCE /* madvise */

#include <stdlib.h>
#include <sys/mman.h>

#include "core/memory.h"

/* Blocks of two huge pages or more are laid on huge pages: fewer faults when they are first written, and fewer misses
 * of the address cache whenever a kernel runs through them. */
#define HUGE_PAGE ((size_t)2 << 20)

void *heed__system_alloc(size_t size, size_t alignment, void *user)
{
    (void)user;
#if defined(MADV_HUGEPAGE)
    if (size >= 2 * HUGE_PAGE) {
        void *block = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
        if (block)
            (void)madvise(block, size, MADV_HUGEPAGE); /* a hint: without it the block is as good */
        return block;
    }
#endif
    return aligned_alloc(alignment, size);
}

void heed__system_free(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}
