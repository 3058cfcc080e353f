/* io/inflate.c - gzip decompression by zlib, with memory from heed_alloc. */

#include "io/inflate.h"

#include <limits.h>

#include <heed/error.h>

#include "io/zlib_memory.h"

#define GZIP_ONLY (15 + 16) /* windowBits: the largest window, and gzip's header and trailer */

/* -- The stream ------------------------------------------------------------------------------------------------- */

bool heed__is_gzip(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static bool fail_zlib(const heed__inflate *s, int code)
{
    const char *reason = s->stream.msg ? s->stream.msg : code == Z_BUF_ERROR ? "it is truncated" : "it is not gzip";
    if (code == Z_MEM_ERROR || code == Z_VERSION_ERROR)
        return heed__zlib_fail(s->where, s->source, code);
    return heed_fail_false(HEED_ERR_FORMAT, s->where, "%s: the gzip stream is broken: %s", s->source, reason);
}

bool heed__inflate_open(heed__inflate *s, const char *where, const char *source, const uint8_t *bytes, size_t size)
{
    *s = (heed__inflate){
        .where = where,
        .source = source,
        .stream = {.zalloc = heed__zlib_alloc, .zfree = heed__zlib_free},
        .bytes = bytes,
        .size = size,
    };
    int code = inflateInit2(&s->stream, GZIP_ONLY);
    return code == Z_OK || fail_zlib(s, code);
}

/* Passes the next compressed bytes to zlib, at most UINT_MAX because zlib's counts have 32 bits. */
static void refill_input(heed__inflate *s)
{
    uInt n = s->size < UINT_MAX ? (uInt)s->size : UINT_MAX;
    s->stream.next_in = s->bytes;
    s->stream.avail_in = n;
    s->bytes += n;
    s->size -= n;
}

bool heed__inflate_read(heed__inflate *s, uint8_t *to, size_t size, size_t *got)
{
    z_stream *z = &s->stream;
    size_t left = size;
    while (left > 0) {
        if (z->avail_in == 0)
            refill_input(s);
        if (s->between_members && z->avail_in == 0)
            break;
        uInt capacity = left < UINT_MAX ? (uInt)left : UINT_MAX;
        z->next_out = to + (size - left);
        z->avail_out = capacity;
        int code = s->between_members ? inflateReset(z) : Z_OK;
        if (code == Z_OK)
            code = inflate(z, Z_NO_FLUSH);
        left -= capacity - z->avail_out;
        s->between_members = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END)
            return fail_zlib(s, code);
    }
    *got = size - left;
    return true;
}

void heed__inflate_close(heed__inflate *s)
{
    (void)inflateEnd(&s->stream);
}
