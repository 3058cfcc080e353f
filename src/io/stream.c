/* io/stream.c - streams over memory and files. A file is read on demand and never loaded as a whole; elements that need
 * no conversion are read directly into the tensor. */

#include "io/stream.h"

#include <errno.h>
#include <string.h>

#include <heed/error.h>

#include "io/file.h"
#include "system/files.h"

bool heed__stream_read(heed__stream *stream, void *to, size_t size)
{
    if (size > stream->left)
        return heed_fail_false(HEED_ERR_FORMAT, stream->where,
                               "%s is truncated: the next %zu bytes are needed, but only %zu remain", stream->name,
                               size, stream->left);
    if (size > 0 && !stream->read(stream, to, size))
        return false;
    stream->left -= size;
    return true;
}

bool heed__stream_skip(heed__stream *stream, size_t size)
{
    uint8_t chunk[1024];
    if (stream->seekable && size <= stream->left) {
        stream->left -= size;
        return true;
    }
    for (size_t n; size > 0; size -= n) {
        n = size < sizeof chunk ? size : sizeof chunk;
        if (!heed__stream_read(stream, chunk, n))
            return false;
    }
    return true;
}

static bool read_memory(heed__stream *stream, void *to, size_t size)
{
    const heed__source *source = (const heed__source *)stream;
    memcpy(to, source->bytes + (source->size - stream->left), size);
    return true;
}

static bool read_file(heed__stream *stream, void *to, size_t size)
{
    const heed__source *source = (const heed__source *)stream;
    size_t offset = source->size - stream->left;
    for (size_t got = 0; got < size;) {
        int64_t n = heed__read_at(source->fd, (char *)to + got, size - got, offset + got);
        if (n < 0)
            return heed__file_error(stream->where, "read", source->path.s, errno);
        if (n == 0)
            return heed_fail_false(HEED_ERR_IO, stream->where, "%s became shorter than its %zu bytes while it was read",
                                   stream->name, source->size);
        got += (size_t)n;
    }
    return true;
}

static void begin_file(heed__source *source, const char *where, const char *path, int fd, size_t size)
{
    *source = (heed__source){
        .stream = {.where = where, .left = size, .read = read_file, .seekable = true}, .size = size, .fd = fd};
    source->path = heed__path_excerpt(path);
    source->stream.name = source->path.s;
}

bool heed__source_open(heed__source *source, const char *where, const char *path, size_t max_bytes)
{
    size_t size;
    int fd = heed__file_open(where, path, max_bytes, &size);
    if (fd >= 0)
        begin_file(source, where, path, fd, size);
    return fd >= 0;
}

bool heed__source_from_fd(heed__source *source, const char *where, const char *path, int fd, size_t max_bytes)
{
    size_t size;
    bool opened = heed__file_size(where, path, fd, max_bytes, &size);
    if (opened)
        begin_file(source, where, path, fd, size);
    return opened;
}

bool heed__source_memory(heed__source *source, const char *where, const char *name, const void *bytes, size_t size,
                         size_t max_bytes)
{
    *source = (heed__source){
        .stream = {.where = where, .name = name, .left = size, .read = read_memory, .seekable = true},
        .size = size,
        .bytes = bytes,
        .fd = -1,
    };
    if (!bytes && size > 0)
        heed_fail(HEED_ERR_ARGUMENT, where, "bytes is NULL");
    else if (size > max_bytes)
        heed_fail(HEED_ERR_UNSUPPORTED, where, "%s has %zu bytes, more than the limit of %zu (max_bytes)", name, size,
                  max_bytes);
    else
        return true;
    return false;
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
