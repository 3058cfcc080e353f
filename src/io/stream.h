/* io/stream.h - sequential bytes from memory, a file or a member of an archive. */
#ifndef HEED_IO_STREAM_H
#define HEED_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/io.h>

#include "io/excerpt.h"

/* Returns max_bytes or its default. This limits the size of a file and, separately, the memory for its content. */
static inline size_t heed__read_limit(const heed_io_read_options *options)
{
    return options && options->max_bytes > 0 ? options->max_bytes : SIZE_MAX > UINT32_MAX ? (size_t)16 << 30 : SIZE_MAX;
}

/* Rows first .. first + count - 1 of every tensor; a count of 0 means all from `first` on. {0} means all rows. */
typedef struct heed__row_range {
    int64_t first, count;
} heed__row_range;

static inline heed__row_range heed__read_rows(const heed_io_read_options *options)
{
    return options ? (heed__row_range){options->first, options->rows} : (heed__row_range){0, 0};
}

typedef struct heed__stream heed__stream;
struct heed__stream {
    const char *where, *name; /* for messages: the function, and the path or "npy" */
    size_t left;              /* bytes from the current position to the end */
    heed__row_range rows;     /* the rows that are read of every tensor */

    /* Reads the next `size` bytes; `left` must be at least `size`. Returns false after heed_fail. */
    bool (*read)(heed__stream *stream, void *to, size_t size);
    bool seekable; /* can be read from any offset */
};

/* Reads the next `size` bytes. Returns false after heed_fail with HEED_ERR_FORMAT if the stream ends earlier, or
 * HEED_ERR_IO. */
bool heed__stream_read(heed__stream *stream, void *to, size_t size);

/* Skips `size` bytes. Moves the position if the stream is seekable, else reads the bytes. Returns false after
 * heed_fail. */
bool heed__stream_skip(heed__stream *stream, size_t size);

/* A stream over memory or a file, which can be read from any offset. */
typedef struct heed__source {
    heed__stream stream;
    size_t size;
    const uint8_t *bytes; /* NULL for a file */
    int fd;
    heed__path_excerpt_text path;
} heed__source;

/* Opens a regular file of at most max_bytes as a source. Returns false with the errors of heed__file_open. */
bool heed__source_open(heed__source *source, const char *where, const char *path, size_t max_bytes);

/* Makes a source of the open file `fd`, which must be regular and have at most max_bytes. The source takes ownership of
 * fd. On failure closes fd and returns false with the errors of heed__file_open. */
bool heed__source_from_fd(heed__source *source, const char *where, const char *path, int fd, size_t max_bytes);

/* Makes a source of `size` bytes of memory, called `name` in messages. Returns false after heed_fail with
 * HEED_ERR_ARGUMENT for NULL, and with HEED_ERR_UNSUPPORTED if the size exceeds max_bytes. */
bool heed__source_memory(heed__source *source, const char *where, const char *name, const void *bytes, size_t size,
                         size_t max_bytes);

/* Continues reading at `offset`, which is at most the size. */
void heed__source_seek(heed__source *source, size_t offset);

void heed__source_close(heed__source *source);

#endif
