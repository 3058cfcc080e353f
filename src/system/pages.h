/* system/pages.h - how memory is laid out. */
#ifndef HEED_SYSTEM_PAGES_H
#define HEED_SYSTEM_PAGES_H

#include <stddef.h>

/* Two huge pages are what they pay from: fewer faults when they are first written, and fewer misses of the address cache
 * whenever a kernel runs through them. */
#define HEED_HUGE_PAGE ((size_t)2 << 20)

/* Wishes for huge pages under a block that the caller has, at an address divisible by HEED_HUGE_PAGE. Without them it is as
 * good. */
void heed__wish_huge_pages(void *block, size_t size);

#endif
