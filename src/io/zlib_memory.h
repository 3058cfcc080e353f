/* io/zlib_memory.h - connects zlib's allocator to heed_alloc. */
#ifndef HEED_IO_ZLIB_MEMORY_H
#define HEED_IO_ZLIB_MEMORY_H

#include <stdbool.h>

/* The functions for zalloc and zfree of a z_stream. */
void *heed__zlib_alloc(void *unused, unsigned items, unsigned size);
void heed__zlib_free(void *unused, void *payload);

/* Calls heed_fail for the zlib code Z_MEM_ERROR or Z_VERSION_ERROR, with the file or member `name` in the message:
 * HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED if heed was built without zlib. Returns false. */
bool heed__zlib_fail(const char *where, const char *name, int code);

#endif
