/* io/stream.h - sequential bytes from memory, a file or a member of an archive. */
#ifndef HEED_IO_STREAM_H
#define HEED_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/io.h>

#include "io/excerpt.h"

/* Limit on the size of a file and on the size of its content. */
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
    heed__row_range rows;     /* restriction for tensors read from the stream */

    /* Reads the next `size` bytes, which must exist. Returns false after heed_fail. */
    bool (*read)(heed__stream *stream, void *to, size_t size);
    bool seekable; /* can be read from any offset */
};

/* Reads the next `size` bytes. Returns false after heed_fail with HEED_ERR_FORMAT if the stream ends earlier, or
 * HEED_ERR_IO. */
bool heed__stream_read(heed__stream *stream, void *to, size_t size);

/* Skips bytes: by moving the position if `seekable` is set, else by reading them. Returns false after heed_fail. */
bool heed__stream_skip(heed__stream *stream, size_t size);

/* A stream over memory or a file, which can be read from any offset. */
typedef struct heed__source {
    heed__stream stream;
    size_t size;
    const uint8_t *bytes; /* NULL for a file */
    int fd;
    heed__path_excerpt_text path;
} heed__source;

/* Opens a regular file of at most max_bytes. Fails like heed__file_open. */
bool heed__source_open(heed__source *source, const char *where, const char *path, size_t max_bytes);

/* The same for an open file, which the source takes over; it is closed on failure. */
bool heed__source_from_fd(heed__source *source, const char *where, const char *path, int fd, size_t max_bytes);

/* The same for memory, called `name` in messages. Fails with HEED_ERR_ARGUMENT for NULL, HEED_ERR_UNSUPPORTED if larger
 * than max_bytes. */
bool heed__source_memory(heed__source *source, const char *where, const char *name, const void *bytes, size_t size,
                         size_t max_bytes);

/* Continues reading at `offset`, which is at most the size. */
void heed__source_seek(heed__source *source, size_t offset);

void heed__source_close(heed__source *source);

#endif
