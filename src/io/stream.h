/* io/stream.h - sequential bytes from memory, a file or a member of an archive, and the memory limit of a reader.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_STREAM_H
#define HEED_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/io.h>

#include "io/file.h"

/* Rows first .. first + count - 1 of every tensor; a count of 0 means all from `first` on. {0} means all rows. */
typedef struct heed__row_range {
    int64_t first, count;
} heed__row_range;

typedef struct heed__stream heed__stream;
struct heed__stream {
    const char *where, *name; /* for messages: the function, and the path or "npy" */
    size_t left;              /* bytes from the current position to the end */
    size_t *memory;           /* remaining memory limit in bytes, shared by the streams of one call */
    heed__row_range rows;     /* the rows that are read of every tensor */
    const char *const *names; /* names of the requested tensors; NULL: all */
    int name_count;

    /* Reads the next `size` bytes; `left` must be at least `size`. Returns false after heed_fail. */
    bool (*read)(heed__stream *stream, void *to, size_t size);
    bool seekable; /* can be read from any offset */
};

/* Calls heed_fail with a message that begins with the stream's name. Returns false. */
bool heed__stream_fail(const heed__stream *stream, heed_status status, const char *format, ...) HEED_PRINTF(3, 4);

/* Returns false after heed_fail with HEED_ERR_FORMAT if fewer than `size` bytes remain. */
bool heed__stream_has(const heed__stream *stream, uint64_t size);

/* Reads the next `size` bytes. Returns false after heed_fail with HEED_ERR_FORMAT if the stream ends earlier, or
 * HEED_ERR_IO. */
bool heed__stream_read(heed__stream *stream, void *to, size_t size);

/* Skips `size` bytes. Moves the position if the stream is seekable, else reads the bytes. Fails as
 * heed__stream_read. */
bool heed__stream_skip(heed__stream *stream, uint64_t size);

/* Returns true if the tensor whose name is the first `size` bytes of `name` is read. */
bool heed__is_requested(const heed__stream *stream, const char *name, size_t size);

/* Returns false after heed_fail with HEED_ERR_ARGUMENT if the dict lacks a tensor that must be read. */
bool heed__check_requested(const heed__stream *stream, const heed_dict *dict);

/* The unsigned number in `size` bytes, at most 8, of a file. */
static inline uint64_t heed__little_endian(const uint8_t *bytes, size_t size)
{
    uint64_t number = 0;
    while (size > 0)
        number = number << 8 | bytes[--size];
    return number;
}

static inline uint64_t heed__big_endian(const uint8_t *bytes, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* -- The memory limit ---------------------------------------------------------------------------------------------- */

/* Subtracts `bytes` from *stream->memory. Returns false after heed_fail with HEED_ERR_UNSUPPORTED if too little
 * remains. */
bool heed__charge_memory(const heed__stream *stream, size_t bytes);

/* Allocates a temporary block of `bytes`, used only while reading, and charges it as heed__charge_memory does. Returns
 * NULL after heed_fail. heed__charged_free frees the block and adds its size to *stream->memory. */
void *heed__charged_alloc(const heed__stream *stream, size_t bytes);
void heed__charged_free(const heed__stream *stream, void *block, size_t bytes);

/* -- Sources ------------------------------------------------------------------------------------------------------- */

/* A stream over memory or a file, which can be read from any offset. It must not move while it is read. */
typedef struct heed__source {
    heed__stream stream;
    size_t size;
    const uint8_t *bytes; /* NULL for a file */
    int fd;
    size_t memory; /* stream.memory points here unless the limit is shared */
    heed__path_excerpt_text path;
} heed__source;

/* Options without a limit. */
#define HEED_READ_UNLIMITED (&(heed_io_read_options){.max_bytes = SIZE_MAX})

/* Returns max_bytes or its default. This limits the size of a file and, separately, the memory for its content. */
static inline size_t heed__read_limit(const heed_io_read_options *options)
{
    return options && options->max_bytes > 0 ? options->max_bytes : SIZE_MAX > UINT32_MAX ? (size_t)16 << 30 : SIZE_MAX;
}

/* Opens a regular file as a source. Returns false with the errors of heed__file_open. */
bool heed__source_open(heed__source *source, const char *where, const char *path, const heed_io_read_options *options);

/* Makes a source of the open file `fd`, which must be regular, and takes ownership of fd. On failure closes fd and
 * returns false with the errors of heed__file_open. */
bool heed__source_from_fd(heed__source *source, const char *where, const char *path, int fd);

/* Continues reading at `offset`, which is at most the size. */
void heed__source_seek(heed__source *source, size_t offset);

void heed__source_close(heed__source *source);

/* Returns true if the options contain a file in memory. */
static inline bool heed__in_memory(const void *bytes, size_t size)
{
    return bytes || size > 0;
}

/* Returns true if the options contain bytes and their number; false after heed_fail. `name` is the memory's name. */
bool heed__check_memory(const char *where, const char *name, const void *bytes, size_t size);

/* Opens the file `path`, or options->bytes if they are given, as a source, passes it to `reader` and closes it. In
 * messages, memory without a path is called `format`. Returns the result of `reader`, or NULL after heed_fail:
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_UNSUPPORTED if the size exceeds the limit, or the errors of heed__file_open. */
typedef void *heed__source_reader(heed__source *source);
void *heed__read_source(const char *where, const char *format, const char *path, const heed_io_read_options *options,
                        heed__source_reader *reader);

/* -- The format of a source, by its first bytes -------------------------------------------------------------------- */

#define HEED_FORMAT_HEAD_BYTES 512 /* number of bytes of a file that are examined */

/* The formats that readers expect. */
typedef enum heed__file_format {
    HEED_FORMAT_OTHER,
    HEED_FORMAT_CSV,
    HEED_FORMAT_NPY,
    HEED_FORMAT_NPZ,
    HEED_FORMAT_SAFETENSORS,
    HEED_FORMAT_JSON,
    HEED_FORMAT_GGUF,
    HEED_FORMAT_IDX,
    HEED_FORMAT_CHECKPOINT
} heed__file_format;

/* Returns false after heed_fail with HEED_ERR_FORMAT if the first bytes of a file belong to a known format other than
 * the expected one: "a.csv is compressed by gzip (unpack it first), not a CSV file". */
bool heed__check_file_format(const char *where, const char *name, heed__file_format expected, const void *head,
                             size_t size);

/* Checks the format of a stream that was already partly read, as heed__check_file_format does. Examines the beginning
 * of a file or of memory. For a member of an archive, examines `head`, the bytes already read. */
bool heed__check_stream_format(heed__stream *stream, heed__file_format expected, const void *head, size_t size);

#endif
