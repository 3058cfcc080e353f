/* io/zlib_memory.c - zlib's memory from heed_alloc. */

#include "io/zlib_memory.h"

#include <heed/memory.h>

/* A header in front of each block has its size, and keeps the block aligned as heed_alloc's are. */
#define HEADER_SIZE ((size_t)HEED_ALIGNMENT)

void *heed__zlib_alloc(void *unused, unsigned items, unsigned size)
{
    (void)unused;
    size_t total = (size_t)items * size + HEADER_SIZE;
    size_t *block = heed_alloc(total);
    if (!block)
        return NULL;
    *block = total;
    return (char *)block + HEADER_SIZE;
}

void heed__zlib_free(void *unused, void *payload)
{
    (void)unused;
    size_t *block = (size_t *)(void *)((char *)payload - HEADER_SIZE);
    heed_free(block, *block);
}
