/* system/windows/pages.c - huge pages are for programs with a right of their own (SeLockMemoryPrivilege): there are
 * none. */

#include "system/pages.h"

void heed__wish_huge_pages(void *block, size_t size)
{
    (void)block;
    (void)size;
}
