/* io/file_chunk.h - chunks, which are concatenated to make a file. */
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
 * that belongs to the innermost scope. Returns false after heed_fail with HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED for a
 * view with more elements than there can be bytes. */
bool heed__file_chunk_of(const char *where, heed_tensor *t, heed__file_chunk *chunk);

/* Passes a chunk's bytes to `sink` as they are in the file: in one call, or in small pieces if they are reversed. Stops
 * and returns false when `sink` returns false. */
typedef bool heed__byte_sink(void *user, const void *bytes, size_t size);
bool heed__file_chunk_emit(const heed__file_chunk *chunk, heed__byte_sink *sink, void *user);

#endif
