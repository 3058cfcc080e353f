/* io/file_chunk.h - the chunks of a file to be written. */
#ifndef HEED_IO_FILE_CHUNK_H
#define HEED_IO_FILE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#include <heed/tensor.h>

/* A chunk of a file. A file is the concatenation of its chunks, so large data need not be copied together. */
typedef struct heed__file_chunk {
    const void *bytes;
    size_t size;
    size_t reversed; /* element size if the file's byte order is the reverse of memory's, else 0 */
} heed__file_chunk;

/* Makes a chunk of a tensor's elements in row-major order. If they are not in this order in memory, the chunk is a copy
 * that belongs to the innermost scope. Returns false after heed_fail with HEED_ERR_NOMEM, or with HEED_ERR_UNSUPPORTED
 * if the elements of an expanded view would have more bytes than memory can address. */
bool heed__file_chunk_of(const char *where, heed_tensor *t, heed__file_chunk *chunk);

/* Passes a chunk's bytes to `sink` in the file's byte order: in one call, or in small pieces if the byte order must be
 * reversed. Stops and returns false when `sink` returns false. */
typedef bool heed__byte_sink(void *user, const void *bytes, size_t size);
bool heed__file_chunk_emit(const heed__file_chunk *chunk, heed__byte_sink *sink, void *user);

#endif
