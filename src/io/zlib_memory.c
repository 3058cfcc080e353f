/* io/zlib_memory.c - connects zlib's allocator to heed_alloc. */

#include "io/zlib_memory.h"

#include <heed/error.h>
#include <heed/memory.h>

#include "io/zlib.h"

/* Size of the header before every block. The header stores the block's size; its own size keeps the block aligned as
 * heed_alloc's blocks. */
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

bool heed__zlib_fail(const char *where, const char *name, int code)
{
    if (code == Z_VERSION_ERROR)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "%s: heed was built without zlib (HEED_NO_ZLIB), which compresses and decompresses",
                               name);
    return heed_fail_false(HEED_ERR_NOMEM, where, "%s: no memory to compress or decompress it", name);
}
