/* io/zlib_memory.h - zlib's memory from heed_alloc. */
#ifndef HEED_IO_ZLIB_MEMORY_H
#define HEED_IO_ZLIB_MEMORY_H

#include <stdbool.h>

/* For zalloc and zfree of a z_stream. */
void *heed__zlib_alloc(void *unused, unsigned items, unsigned size);
void heed__zlib_free(void *unused, void *payload);

/* False after heed_fail with what zlib's code means, Z_MEM_ERROR or Z_VERSION_ERROR, for the file or member `name`:
 * HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED where heed was built without zlib. */
bool heed__zlib_fail(const char *where, const char *name, int code);

#endif
