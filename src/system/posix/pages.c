/* system/posix/pages.c - huge pages, on Linux. */

#include "system/posix/more.h"

#include "system/pages.h"

#if HEED_HUGE_PAGES
#include <sys/mman.h>
#endif

void heed__advise_huge_pages(void *block, size_t size)
{
#if HEED_HUGE_PAGES
    (void)madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}
