/* io/inflate.c - gzip by zlib, with its memory from heed_alloc. */

#include "io/inflate.h"

#include <limits.h>

#include <heed/memory.h>

#define GZIP_ONLY (15 + 16) /* windowBits: the largest window, and gzip's header and trailer */

/* -- zlib's memory ---------------------------------------------------------------------------------------------- */

/* In front of each block is its size, in a header that keeps the block aligned as heed_alloc's are. */
#define HEADER_SIZE ((size_t)HEED_ALIGNMENT)

static void *zlib_alloc(void *unused, unsigned items, unsigned size)
{
    (void)unused;
    size_t total = (size_t)items * size + HEADER_SIZE;
    size_t *block = heed_alloc(total);
    if (!block)
        return NULL;
    *block = total;
    return (char *)block + HEADER_SIZE;
}

static void zlib_free(void *unused, void *payload)
{
    (void)unused;
    size_t *block = (size_t *)(void *)((char *)payload - HEADER_SIZE);
    heed_free(block, *block);
}

/* -- The stream ------------------------------------------------------------------------------------------------- */

bool heed__is_gzip(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static bool fail_zlib(const heed_inflate *s, int code)
{
    const char *reason = s->stream.msg ? s->stream.msg : code == Z_BUF_ERROR ? "it is cut short" : "not gzip";
    if (code == Z_MEM_ERROR)
        heed_fail(HEED_ERR_NOMEM, s->where, "%s: no memory to decompress it", s->source);
    else
        heed_fail(HEED_ERR_FORMAT, s->where, "%s: a broken gzip stream: %s", s->source, reason);
    return false;
}

bool heed__inflate_open(heed_inflate *s, const char *where, const char *source, const uint8_t *bytes, size_t size)
{
    *s = (heed_inflate){
        .where = where,
        .source = source,
        .stream = {.zalloc = zlib_alloc, .zfree = zlib_free},
        .bytes = bytes,
        .size = size,
    };
    int code = inflateInit2(&s->stream, GZIP_ONLY);
    return code == Z_OK || fail_zlib(s, code);
}

/* zlib counts by 32 bits. */
static void give_input(heed_inflate *s)
{
    uInt n = s->size < UINT_MAX ? (uInt)s->size : UINT_MAX;
    s->stream.next_in = s->bytes;
    s->stream.avail_in = n;
    s->bytes += n;
    s->size -= n;
}

bool heed__inflate_read(heed_inflate *s, uint8_t *to, size_t size, size_t *got)
{
    z_stream *z = &s->stream;
    size_t left = size;
    while (left > 0) {
        if (z->avail_in == 0)
            give_input(s);
        if (s->between && z->avail_in == 0)
            break;
        uInt room = left < UINT_MAX ? (uInt)left : UINT_MAX;
        z->next_out = to + (size - left);
        z->avail_out = room;
        int code = s->between ? inflateReset(z) : Z_OK;
        if (code == Z_OK)
            code = inflate(z, Z_NO_FLUSH);
        left -= room - z->avail_out;
        s->between = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END)
            return fail_zlib(s, code);
    }
    *got = size - left;
    return true;
}

void heed__inflate_close(heed_inflate *s)
{
    (void)inflateEnd(&s->stream);
}
