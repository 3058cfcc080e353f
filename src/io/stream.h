/* io/stream.h - bytes one after another, wherever they come from: memory, a file, a member of an archive. */
#ifndef HEED_IO_STREAM_H
#define HEED_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/io.h>

#include "io/text.h"

/* Limit on a file, and on what it holds. */
static inline size_t heed__read_limit(const heed_io_read_options *options)
{
    return options && options->max_bytes > 0 ? options->max_bytes : SIZE_MAX > UINT32_MAX ? (size_t)16 << 30 : SIZE_MAX;
}

/* Of each tensor only the rows first .. first + count - 1; a count of 0: to the end. {0}: all. */
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
    size_t left;              /* bytes from here to the end */
    heed__row_range rows;     /* of tensors that are read from it */

    /* The next `size` bytes, which are there. False after heed_fail. */
    bool (*read)(heed__stream *stream, void *to, size_t size);
    bool anywhere; /* it needs no bytes before */
};

/* The next `size` bytes. False after heed_fail with HEED_ERR_FORMAT where it ends before, or HEED_ERR_IO. */
bool heed__stream_read(heed__stream *stream, void *to, size_t size);

/* Passes over bytes: of what can be read from anywhere by going there, else by reading them. False after heed_fail. */
bool heed__stream_skip(heed__stream *stream, size_t size);

/* A stream over memory or a file, which can be read from any offset. */
typedef struct heed__source {
    heed__stream stream;
    size_t size;
    const uint8_t *bytes; /* NULL: a file */
    int fd;
    heed__path_excerpt path;
} heed__source;

/* Opens a regular file of at most max_bytes. False after heed_fail as heed__file_open. */
bool heed__source_open(heed__source *source, const char *where, const char *path, size_t max_bytes);

/* The same of a file that is open already, which becomes the source's, or is closed. */
bool heed__source_take(heed__source *source, const char *where, const char *path, int fd, size_t max_bytes);

/* The same over memory, called `name` in messages. HEED_ERR_ARGUMENT for NULL, HEED_ERR_UNSUPPORTED when larger. */
bool heed__source_memory(heed__source *source, const char *where, const char *name, const void *bytes, size_t size,
                         size_t max_bytes);

/* Reading goes on at `offset`, which is at most the size. */
void heed__source_seek(heed__source *source, size_t offset);

void heed__source_close(heed__source *source);

#endif
