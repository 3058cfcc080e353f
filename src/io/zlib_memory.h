/* io/zlib_memory.h - zlib's memory from heed_alloc: for zalloc and zfree of a z_stream. */
#ifndef HEED_IO_ZLIB_MEMORY_H
#define HEED_IO_ZLIB_MEMORY_H

void *heed__zlib_alloc(void *unused, unsigned items, unsigned size);
void heed__zlib_free(void *unused, void *payload);

#endif
