/* io/gguf_bytes.c - reads the bytes of a .gguf header, which are little-endian. */

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "io/gguf.h"

static size_t bytes_left(const heed__gguf *g)
{
    return g->filled - g->next + g->source->stream.left;
}

size_t heed__gguf_position(const heed__gguf *g)
{
    return g->source->size - bytes_left(g);
}

void heed__gguf_seek(heed__gguf *g, size_t position)
{
    heed__source_seek(g->source, position);
    g->next = g->filled = 0;
}

static bool check_available(const heed__gguf *g, uint64_t size)
{
    return size <= bytes_left(g) ||
           heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where,
                           "%s is truncated: the next %" PRIu64 " bytes are needed, but only %zu remain",
                           g->source->stream.name, size, bytes_left(g));
}

static bool fill_buffer(heed__gguf *g)
{
    heed__stream *stream = &g->source->stream;
    const size_t size = stream->left < sizeof g->buffer ? stream->left : sizeof g->buffer;
    g->next = g->filled = 0;
    if (!heed__stream_read(stream, g->buffer, size))
        return false;
    g->filled = size;
    return true;
}

bool heed__gguf_read(heed__gguf *g, void *to, size_t size)
{
    if (!check_available(g, size))
        return false;
    for (char *out = to; size > 0;) {
        if (g->next == g->filled && !fill_buffer(g))
            return false;
        const size_t available = g->filled - g->next, n = size < available ? size : available;
        memcpy(out, g->buffer + g->next, n);
        g->next += n;
        out += n;
        size -= n;
    }
    return true;
}

bool heed__gguf_skip(heed__gguf *g, uint64_t size)
{
    if (!check_available(g, size))
        return false;
    const size_t available = g->filled - g->next, n = size < available ? (size_t)size : available;
    g->next += n;
    return heed__stream_skip(&g->source->stream, (size_t)size - n);
}

bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number)
{
    uint8_t bytes[8];
    *number = 0;
    if (!heed__gguf_read(g, bytes, size))
        return false;
    while (size > 0)
        *number = *number << 8 | bytes[--size];
    return true;
}

bool heed__gguf_length(heed__gguf *g, size_t *size)
{
    uint64_t length;
    if (!heed__gguf_number(g, 8, &length) || !check_available(g, length))
        return false;
    *size = (size_t)length;
    return true;
}

const char *heed__gguf_text_problem(const char *text, size_t size)
{
    return memchr(text, '\0', size) ? "has a NUL" : heed__utf8_size(text) != size ? "is not UTF-8" : NULL;
}

bool heed__gguf_name(heed__gguf *g, const char *what)
{
    size_t size;
    if (!heed__gguf_length(g, &size))
        return false;
    if (size == 0 || size > HEED_GGUF_NAME_MAX)
        return heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where,
                               "%s: the name of a %s has %zu bytes: must be 1 to %d", g->source->stream.name, what,
                               size, HEED_GGUF_NAME_MAX);
    g->name[size] = '\0';
    if (!heed__gguf_read(g, g->name, size))
        return false;
    const char *problem = heed__gguf_text_problem(g->name, size);
    return !problem || heed_fail_false(HEED_ERR_FORMAT, g->source->stream.where, "%s: the name of a %s %s",
                                       g->source->stream.name, what, problem);
}
