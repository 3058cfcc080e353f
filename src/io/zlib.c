/* io/zlib.c - connects zlib's allocator to heed_alloc, and decompresses gzip data in memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/zlib.h"

#include <limits.h>

#include <heed/error.h>
#include <heed/memory.h>

/* Size of the header before every block. The header stores the block's size; its own size keeps the block aligned as
 * heed_alloc's blocks. */
#define HEADER_SIZE ((size_t)HEED_ALIGNMENT)

void *heed__zlib_alloc(void *unused, unsigned items, unsigned size)
{
    (void)unused;
    size_t total = (size_t)items * size + HEADER_SIZE;
    size_t *block = heed_alloc(total);
    if (!block)
        return NULL;
    *block = total;
    return (char *)block + HEADER_SIZE;
}

void heed__zlib_free(void *unused, void *payload)
{
    (void)unused;
    size_t *block = (size_t *)(void *)((char *)payload - HEADER_SIZE);
    heed_free(block, *block);
}

bool heed__zlib_fail(const char *where, const char *name, int code)
{
    if (code == Z_VERSION_ERROR)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "%s: heed was built without zlib (HEED_NO_ZLIB), which compresses and decompresses",
                               name);
    return heed_fail_false(HEED_ERR_NOMEM, where, "%s: no memory to compress or decompress it", name);
}

/* -- gzip ---------------------------------------------------------------------------------------------------------- */

#define GZIP_ONLY (15 + 16) /* windowBits: the largest window, and gzip's header and trailer */

bool heed__is_gzip(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static bool fail_gzip(const heed__inflate *s, int code)
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
    return code == Z_OK || fail_gzip(s, code);
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
            return fail_gzip(s, code);
    }
    *got = size - left;
    return true;
}

void heed__inflate_close(heed__inflate *s)
{
    (void)inflateEnd(&s->stream);
}
