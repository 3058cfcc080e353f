/* system/windows/pages.c - huge pages, which are not used on Windows: they need a special privilege
 * (SeLockMemoryPrivilege). */

#include "system/pages.h"

void heed__advise_huge_pages(void *block, size_t size)
{
    (void)block;
    (void)size;
}
