/* io/stream.c - streams over memory and files. A file is read on demand and never loaded as a whole; elements that need
 * no conversion are read directly into the tensor.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "system/files.h"

bool heed__stream_fail(const heed__stream *stream, heed_status status, const char *format, ...)
{
    char text[HEED_ERROR_MESSAGE_MAX];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return heed_fail_false(status, stream->where, "%s%s", stream->name, text);
}

bool heed__stream_has(const heed__stream *stream, uint64_t size)
{
    return size <= stream->left ||
           heed__stream_fail(stream, HEED_ERR_FORMAT,
                             " is truncated: the next %" PRIu64 " bytes are needed, but only %zu remain", size,
                             stream->left);
}

bool heed__stream_read(heed__stream *stream, void *to, size_t size)
{
    if (!heed__stream_has(stream, size) || (size > 0 && !stream->read(stream, to, size)))
        return false;
    stream->left -= size;
    return true;
}

bool heed__stream_skip(heed__stream *stream, uint64_t size)
{
    uint8_t chunk[1024];
    if (!heed__stream_has(stream, size))
        return false;
    if (stream->seekable) {
        stream->left -= (size_t)size;
        return true;
    }
    for (size_t n; size > 0; size -= n) {
        n = size < sizeof chunk ? (size_t)size : sizeof chunk;
        if (!heed__stream_read(stream, chunk, n))
            return false;
    }
    return true;
}

/* -- The memory limit ---------------------------------------------------------------------------------------------- */

bool heed__charge_memory(const heed__stream *stream, size_t bytes)
{
    if (bytes > *stream->memory)
        return heed__stream_fail(stream, HEED_ERR_UNSUPPORTED,
                                 " needs %zu bytes of memory, but only %zu remain of the limit (max_bytes)", bytes,
                                 *stream->memory);
    *stream->memory -= bytes;
    return true;
}

void *heed__charged_alloc(const heed__stream *stream, size_t bytes)
{
    if (!heed__charge_memory(stream, bytes))
        return NULL;
    void *block = heed_alloc(bytes);
    if (!block)
        *stream->memory += bytes;
    return block;
}

void heed__charged_free(const heed__stream *stream, void *block, size_t bytes)
{
    if (block)
        *stream->memory += bytes;
    heed_free(block, bytes);
}

/* -- Requested tensors --------------------------------------------------------------------------------------------- */

bool heed__is_requested(const heed__stream *stream, const char *name, size_t size)
{
    bool found = !stream->names;
    for (int i = 0; !found && i < stream->name_count; i++)
        found = strlen(stream->names[i]) == size && memcmp(stream->names[i], name, size) == 0;
    return found;
}

bool heed__check_requested(const heed__stream *stream, const heed_dict *dict)
{
    for (int i = 0; i < stream->name_count; i++)
        if (!heed_dict_has(dict, stream->names[i]))
            return heed__stream_fail(stream, HEED_ERR_ARGUMENT, " has no tensor \"%s\"",
                                     heed__excerpt(stream->names[i], strlen(stream->names[i])).s);
    return true;
}

/* Returns false after heed_fail unless the options request all tensors, or list names. */
static bool check_names(const char *where, const heed_io_read_options *options)
{
    if (!options)
        return true;
    if (!options->names != (options->name_count == 0) || options->name_count < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "name_count is %d, but names is %s", options->name_count,
                               options->names ? "given" : "NULL");
    for (int i = 0; i < options->name_count; i++)
        if (!options->names[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "names[%d] is NULL", i);
    return true;
}

/* -- Sources ------------------------------------------------------------------------------------------------------- */

static bool read_from_memory(heed__stream *stream, void *to, size_t size)
{
    const heed__source *source = (const heed__source *)stream;
    memcpy(to, source->bytes + (source->size - stream->left), size);
    return true;
}

static bool read_from_file(heed__stream *stream, void *to, size_t size)
{
    const heed__source *source = (const heed__source *)stream;
    size_t offset = source->size - stream->left;
    for (size_t got = 0; got < size;) {
        int64_t n = heed__read_at(source->fd, (char *)to + got, size - got, offset + got);
        if (n < 0)
            return heed__file_error(stream->where, "read", source->path.s, errno);
        if (n == 0)
            return heed__stream_fail(stream, HEED_ERR_IO, " became shorter than its %zu bytes while it was read",
                                     source->size);
        got += (size_t)n;
    }
    return true;
}

static void begin_source(heed__source *source, const char *where, size_t size, const heed_io_read_options *options)
{
    *source = (heed__source){.stream = {.where = where, .left = size, .seekable = true},
                             .size = size,
                             .fd = -1,
                             .memory = heed__read_limit(options)};
    source->stream.memory = &source->memory;
    if (options) {
        source->stream.rows = (heed__row_range){options->first, options->rows};
        source->stream.names = options->names;
        source->stream.name_count = options->name_count;
    }
}

static void name_source(heed__source *source, const char *name)
{
    source->path = heed__path_excerpt(name);
    source->stream.name = source->path.s;
}

static void begin_file(heed__source *source, const char *path, int fd)
{
    source->fd = fd;
    name_source(source, path);
    source->stream.read = read_from_file;
}

bool heed__source_open(heed__source *source, const char *where, const char *path, const heed_io_read_options *options)
{
    size_t size;
    int fd = check_names(where, options) ? heed__file_open(where, path, heed__read_limit(options), &size) : -1;
    if (fd < 0)
        return false;
    begin_source(source, where, size, options);
    begin_file(source, path, fd);
    return true;
}

bool heed__source_from_fd(heed__source *source, const char *where, const char *path, int fd)
{
    size_t size;
    if (!heed__file_size(where, path, fd, SIZE_MAX, &size))
        return false;
    begin_source(source, where, size, HEED_READ_UNLIMITED);
    begin_file(source, path, fd);
    return true;
}

void heed__source_seek(heed__source *source, size_t offset)
{
    source->stream.left = source->size - offset;
}

void heed__source_close(heed__source *source)
{
    if (source->fd >= 0)
        (void)heed__close(source->fd); /* nothing was written, so closing cannot lose data */
    source->fd = -1;
}

bool heed__check_memory(const char *where, const char *name, const void *bytes, size_t size)
{
    if (!bytes)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "bytes is NULL, but size is %zu", size);
    return size > 0 || heed_fail_false(HEED_ERR_FORMAT, where, "%s: it is empty (size is 0)", name);
}

/* Makes a source of options->bytes. Returns false after heed_fail. */
static bool open_memory(heed__source *source, const char *where, const char *name, const heed_io_read_options *options)
{
    begin_source(source, where, options->size, options);
    source->bytes = options->bytes;
    name_source(source, name);
    source->stream.read = read_from_memory;
    if (!check_names(where, options) || !heed__check_memory(where, source->stream.name, options->bytes, options->size))
        return false;
    return options->size <= source->memory ||
           heed_fail_false(HEED_ERR_UNSUPPORTED, where, "%s has %zu bytes, more than the limit of %zu (max_bytes)",
                           source->stream.name, options->size, source->memory);
}

void *heed__read_source(const char *where, const char *format, const char *path, const heed_io_read_options *options,
                        heed__source_reader *reader)
{
    heed__source source;
    const bool in_memory = options && heed__in_memory(options->bytes, options->size);
    if (!(in_memory ? open_memory(&source, where, path ? path : format, options)
                    : heed__source_open(&source, where, path, options)))
        return NULL;
    void *result = reader(&source);
    heed__source_close(&source);
    return result;
}
