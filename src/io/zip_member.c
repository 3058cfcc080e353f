/* io/zip_member.c - reads a member's content, decompresses it and checks its checksum. */

#include <string.h>

#include <heed/memory.h>

#include "io/zip.h"
#include "io/zlib_memory.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define PIECE_BYTES (1u << 20)
#define RAW_DEFLATE (-15) /* windowBits: the largest window, no header */

static bool fail_member(const heed__zip_member *m, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, m->stream.where, "%s: the member is broken: %s", m->stream.name, reason);
}

/* Reads the next `size` bytes of the member as they are stored in the file. */
static bool read_compressed(heed__zip_member *m, void *to, size_t size)
{
    heed__source_seek(m->source, m->offset);
    if (!heed__stream_read(&m->source->stream, to, size))
        return false;
    m->offset += size;
    m->compressed_left -= size;
    return true;
}

static bool refill(heed__zip_member *m)
{
    size_t size = m->compressed_left < CHUNK_BYTES ? m->compressed_left : CHUNK_BYTES;
    m->z.next_in = m->chunk;
    m->z.avail_in = (uInt)size;
    return read_compressed(m, m->chunk, size);
}

/* Decompresses the next `size` bytes and sets *got to their number, which is smaller than `size` only at the end.
 * Returns false after heed_fail. */
static bool inflate_some(heed__zip_member *m, uint8_t *to, size_t size, size_t *got)
{
    size_t left = size;
    while (left > 0 && !m->ended) {
        if (m->z.avail_in == 0 && !refill(m))
            return false;
        uInt capacity = left < PIECE_BYTES ? (uInt)left : PIECE_BYTES; /* zlib's counts have 32 bits */
        m->z.next_out = to + (size - left);
        m->z.avail_out = capacity;
        int code = inflate(&m->z, Z_NO_FLUSH);
        left -= capacity - m->z.avail_out;
        m->ended = code == Z_STREAM_END;
        if (code == Z_MEM_ERROR)
            return heed__zlib_fail(m->stream.where, m->stream.name, code);
        if (code != Z_OK && code != Z_STREAM_END)
            return fail_member(m, m->z.msg ? m->z.msg : "it is truncated");
    }
    *got = size - left;
    return true;
}

static bool read_stored(heed__stream *stream, void *to, size_t size)
{
    heed__zip_member *m = (heed__zip_member *)stream;
    if (!read_compressed(m, to, size))
        return false;
    m->crc = (uint32_t)crc32_z(m->crc, to, size);
    return true;
}

static bool read_deflated(heed__stream *stream, void *to, size_t size)
{
    heed__zip_member *m = (heed__zip_member *)stream;
    size_t got;
    if (!inflate_some(m, to, size, &got))
        return false;
    if (got < size)
        return fail_member(m, "it has fewer bytes than the directory says");
    m->crc = (uint32_t)crc32_z(m->crc, to, size);
    return true;
}

static bool begin_inflating(heed__zip_member *m)
{
    m->z.zalloc = heed__zlib_alloc;
    m->z.zfree = heed__zlib_free;
    m->chunk = heed_alloc(CHUNK_BYTES);
    const int code = m->chunk ? inflateInit2(&m->z, RAW_DEFLATE) : Z_MEM_ERROR;
    if (code == Z_OK)
        return true;
    heed_free(m->chunk, CHUNK_BYTES);
    return heed__zlib_fail(m->stream.where, m->stream.name, code);
}

bool heed__zip_member_open(heed__zip_member *m, heed__zip *zip, const heed__zip_entry *entry, const char *name)
{
    size_t offset;
    if (!heed__zip_locate(zip, entry, &offset))
        return false;
    *m = (heed__zip_member){
        .stream = {.where = zip->source->stream.where,
                   .name = name,
                   .left = entry->size,
                   .rows = zip->source->stream.rows},
        .source = zip->source,
        .offset = offset,
        .compressed_left = entry->compressed_size,
        .crc = (uint32_t)crc32_z(0, NULL, 0),
        .expected = entry->crc,
        .deflated = entry->deflated,
    };
    m->stream.read = m->deflated ? read_deflated : read_stored;
    return !m->deflated || begin_inflating(m);
}

void heed__zip_member_abandon(heed__zip_member *m)
{
    if (m->deflated) {
        (void)inflateEnd(&m->z);
        heed_free(m->chunk, CHUNK_BYTES);
    }
}

/* Checks that the member ends after the content and that its checksum is right. A compressed stream must also have
 * reported its end, for which zlib may have to read once more. Returns false after heed_fail. */
static bool check_end(heed__zip_member *m)
{
    uint8_t more;
    size_t got = 0;
    if (m->deflated && !inflate_some(m, &more, 1, &got))
        return false;
    if (m->stream.left > 0 || got > 0 || m->compressed_left > 0 || (m->deflated && m->z.avail_in > 0))
        return fail_member(m, "it has more bytes than the directory says");
    return m->crc == m->expected || fail_member(m, "its checksum (CRC-32) is wrong");
}

bool heed__zip_member_close(heed__zip_member *m)
{
    bool good = check_end(m);
    heed__zip_member_abandon(m);
    return good;
}
