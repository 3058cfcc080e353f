/* system/windows/pages.c - huge pages. heed does not use them on Windows, because they need a special
 * privilege (SeLockMemoryPrivilege). */

#include "system/pages.h"

void heed__advise_huge_pages(void *block, size_t size)
{
    (void)block;
    (void)size;
}
