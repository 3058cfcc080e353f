/* io/zip.c - the directory of a zip archive, and the content of its members.
 *
 * Names, sizes and offsets are taken from the directory, and checked against the file before use. The directory must
 * end where the records after it begin. Members must lie before the directory, repeat their name in their local header,
 * and together be no larger than the file.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#include "io/elements.h"
#include "io/zip.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define PIECE_BYTES (1u << 20)
#define RAW_DEFLATE (-15) /* windowBits: the largest window, no header */
#define COMMENT_MAX 0xFFFFu
#define FLAG_ENCRYPTED 1u
#define DEFLATE_RATIO 1032 /* maximum number of bytes to which one compressed byte expands */

static bool fail_zip(const heed__zip *zip, heed_status status, const char *reason)
{
    return heed__stream_fail(&zip->source->stream, status, ": %s", reason);
}

static bool fail_zip_format(const heed__zip *zip, const char *reason)
{
    return fail_zip(zip, HEED_ERR_FORMAT, reason);
}

static bool read_at(const heed__zip *zip, size_t offset, void *to, size_t size)
{
    heed__source_seek(zip->source, offset);
    return heed__stream_read(&zip->source->stream, to, size);
}

/* -- The end ------------------------------------------------------------------------------------------------------- */

/* The records at the end that describe the directory; `end` is the offset of the first of them. */
typedef struct end_records {
    uint64_t count, size, offset, end;
} end_records;

/* Finds the end-of-directory record in the last `size` bytes of the file, whose comment must end with the file. Sets
 * *at to its index in `tail`. Returns false after heed_fail. */
static bool find_end(const heed__zip *zip, const uint8_t *tail, size_t size, size_t *at)
{
    for (size_t i = size - HEED_ZIP_END_SIZE + 1; i-- > 0;)
        if (heed__little_endian(tail + i, 4) == HEED_ZIP_END &&
            heed__little_endian(tail + i + 20, 2) == size - HEED_ZIP_END_SIZE - i) {
            *at = i;
            return true;
        }
    return heed__check_stream_format(&zip->source->stream, HEED_FORMAT_NPZ, NULL, 0) &&
           fail_zip_format(zip, "it is not a zip archive: it has no end of central directory");
}

/* Replaces the numbers in *e by the 64-bit numbers of the zip64 record, if the archive has one. (An archive may have
 * one although 32 bits suffice: Python's zipfile writes it from 2^31 on.) Returns false after heed_fail. */
static bool read_end64(const heed__zip *zip, end_records *e)
{
    uint8_t locator[HEED_ZIP_LOCATOR_SIZE], record[HEED_ZIP_END64_SIZE];
    if (e->end < sizeof locator + sizeof record)
        return true;
    size_t at = (size_t)e->end - sizeof locator;
    if (!read_at(zip, at, locator, sizeof locator))
        return false;
    if (heed__little_endian(locator, 4) != HEED_ZIP_LOCATOR)
        return true;
    uint64_t offset = heed__little_endian(locator + 8, 8);
    if (offset != at - sizeof record)
        return fail_zip_format(zip, "its zip64 record is not where its locator says");
    if (!read_at(zip, (size_t)offset, record, sizeof record))
        return false;
    if (heed__little_endian(record, 4) != HEED_ZIP_END64 || heed__little_endian(record + 4, 8) != sizeof record - 12)
        return fail_zip_format(zip, "its zip64 record is invalid");
    *e = (end_records){heed__little_endian(record + 32, 8), heed__little_endian(record + 40, 8),
                       heed__little_endian(record + 48, 8), offset};
    return true;
}

/* Reads the records after the directory. `tail` is the last `size` bytes of the file. Returns false after heed_fail. */
static bool read_end(const heed__zip *zip, const uint8_t *tail, size_t size, end_records *e)
{
    size_t at = 0;
    if (!find_end(zip, tail, size, &at))
        return false;
    const uint8_t *record = tail + at;
    *e = (end_records){heed__little_endian(record + 10, 2), heed__little_endian(record + 12, 4),
                       heed__little_endian(record + 16, 4), zip->source->size - size + at};
    if (heed__little_endian(record + 4, 2) != 0 || heed__little_endian(record + 6, 2) != 0 ||
        heed__little_endian(record + 8, 2) != e->count)
        return fail_zip(zip, HEED_ERR_UNSUPPORTED,
                        "it is one of several files of a zip archive: must be a single file");
    return read_end64(zip, e);
}

static bool find_directory(heed__zip *zip)
{
    end_records e;
    size_t size = zip->source->size;
    size_t tail_size = size < HEED_ZIP_END_SIZE + COMMENT_MAX ? size : HEED_ZIP_END_SIZE + COMMENT_MAX;
    if (size < HEED_ZIP_END_SIZE)
        return heed__check_stream_format(&zip->source->stream, HEED_FORMAT_NPZ, NULL, 0) &&
               fail_zip_format(zip, "it is too short for a zip archive");
    uint8_t *tail = heed_alloc(tail_size);
    bool found = tail && read_at(zip, size - tail_size, tail, tail_size) && read_end(zip, tail, tail_size, &e);
    heed_free(tail, tail_size);
    if (!found)
        return false;
    if (e.offset > e.end || e.size != e.end - e.offset || e.count > e.size / HEED_ZIP_ENTRY_SIZE)
        return fail_zip_format(zip, "its directory does not end where its end record begins");
    zip->count = e.count;
    zip->directory_offset = (size_t)e.offset;
    zip->directory_size = (size_t)e.size;
    return true;
}

bool heed__zip_open(heed__zip *zip, heed__source *source)
{
    *zip = (heed__zip){.source = source};
    if (!find_directory(zip))
        return false;
    zip->directory = heed__charged_alloc(&source->stream, zip->directory_size);
    if (!zip->directory)
        return false;
    if (read_at(zip, zip->directory_offset, zip->directory, zip->directory_size))
        return true;
    heed__zip_close(zip);
    return false;
}

void heed__zip_close(heed__zip *zip)
{
    heed__charged_free(&zip->source->stream, zip->directory, zip->directory_size);
    zip->directory = NULL;
}

/* -- Entries ------------------------------------------------------------------------------------------------------- */

/* If a number is stored as UINT32_MAX, replaces it by the next 64-bit number of the zip64 field, and advances *field.
 * Returns false if the field is too short for that number. */
static bool widen(uint64_t *value, const uint8_t **field, const uint8_t *end)
{
    if (*value != UINT32_MAX)
        return true;
    if (end - *field < 8)
        return false;
    *value = heed__little_endian(*field, 8);
    *field += 8;
    return true;
}

/* Completes the numbers of an entry: size, compressed size, offset. Those that need 64 bits are in the zip64 field, in
 * this order. Returns false if the extra fields are invalid. */
static bool read_extra(const uint8_t *extra, size_t size, uint64_t numbers[3])
{
    const uint8_t *end = extra + size;
    while (end - extra >= 4) {
        size_t length = (size_t)heed__little_endian(extra + 2, 2);
        const uint8_t *field = extra + 4;
        if ((size_t)(end - field) < length)
            return false;
        extra = field + length;
        if (heed__little_endian(field - 4, 2) == HEED_ZIP_EXTRA64)
            for (int i = 0; i < 3; i++)
                if (!widen(&numbers[i], &field, extra))
                    return false;
    }
    return extra == end;
}

/* Returns a feature of a member for which it cannot be read, or NULL. */
static const char *unsupported_feature(const uint8_t *record)
{
    const uint64_t flags = heed__little_endian(record + 8, 2), method = heed__little_endian(record + 10, 2);
    return flags & FLAG_ENCRYPTED       ? "the member is encrypted"
           : method != 0 && method != 8 ? "the member is compressed by a method other than deflate"
                                        : NULL;
}

static bool check_entry(const heed__zip *zip, const uint8_t *record, const uint64_t numbers[3])
{
    uint64_t method = heed__little_endian(record + 10, 2);
    if (numbers[2] > zip->directory_offset || numbers[1] > zip->directory_offset - numbers[2])
        return fail_zip_format(zip, "a member lies outside of the file");
    if (unsupported_feature(record) == NULL &&
        (method == 0 ? numbers[0] != numbers[1] : numbers[0] / DEFLATE_RATIO > numbers[1]))
        return fail_zip_format(zip, "the compressed and uncompressed sizes of a member contradict each other");
    return true;
}

bool heed__zip_next(heed__zip *zip, heed__zip_entry *entry)
{
    const uint8_t *record = zip->directory + zip->at;
    size_t left = zip->directory_size - zip->at;
    if (left < HEED_ZIP_ENTRY_SIZE || heed__little_endian(record, 4) != HEED_ZIP_ENTRY)
        return fail_zip_format(zip, "an entry of its directory is invalid");
    size_t name = (size_t)heed__little_endian(record + 28, 2), extra = (size_t)heed__little_endian(record + 30, 2);
    size_t size = HEED_ZIP_ENTRY_SIZE + name + extra + (size_t)heed__little_endian(record + 32, 2);
    uint64_t numbers[3] = {heed__little_endian(record + 24, 4), heed__little_endian(record + 20, 4),
                           heed__little_endian(record + 42, 4)};
    if (size > left || !read_extra(record + HEED_ZIP_ENTRY_SIZE + name, extra, numbers))
        return fail_zip_format(zip, "an entry of its directory is invalid");
    if (!check_entry(zip, record, numbers))
        return false;
    zip->at += size;
    *entry = (heed__zip_entry){
        .name = (const char *)record + HEED_ZIP_ENTRY_SIZE,
        .name_size = name,
        .offset = (size_t)numbers[2],
        .size = (size_t)numbers[0],
        .compressed_size = (size_t)numbers[1],
        .crc = (uint32_t)heed__little_endian(record + 16, 4),
        .deflated = heed__little_endian(record + 10, 2) == 8,
        .unsupported = unsupported_feature(record),
    };
    return true;
}

bool heed__zip_finish(const heed__zip *zip)
{
    return zip->at == zip->directory_size || fail_zip_format(zip, "its directory has bytes after its last entry");
}

/* Sets *same to false if the next bytes of the file differ from the entry's name. Returns false after heed_fail. */
static bool compare_name(const heed__zip *zip, const heed__zip_entry *entry, bool *same)
{
    char chunk[256];
    for (size_t at = 0, n; *same && at < entry->name_size; at += n) {
        n = entry->name_size - at < sizeof chunk ? entry->name_size - at : sizeof chunk;
        if (!heed__stream_read(&zip->source->stream, chunk, n))
            return false;
        *same = memcmp(chunk, entry->name + at, n) == 0;
    }
    return true;
}

/* Finds the offset of a member's content. Reads the local header, because the content begins after it and its length
 * depends on its own fields. Returns false after heed_fail. */
static bool locate_content(heed__zip *zip, const heed__zip_entry *entry, size_t *offset)
{
    uint8_t local[HEED_ZIP_LOCAL_SIZE];
    size_t used, end;
    if (!read_at(zip, entry->offset, local, sizeof local))
        return false;
    size_t name = (size_t)heed__little_endian(local + 26, 2), extra = (size_t)heed__little_endian(local + 28, 2);
    bool same = heed__little_endian(local, 4) == HEED_ZIP_LOCAL && name == entry->name_size &&
                heed__little_endian(local + 8, 2) == (entry->deflated ? 8 : 0);
    used = sizeof local + name + extra + entry->compressed_size;
    if (!compare_name(zip, entry, &same))
        return false;
    if (!same || __builtin_add_overflow(entry->offset, used, &end) || end > zip->directory_offset)
        return fail_zip_format(zip, "a member's local header does not match its entry in the directory");
    zip->claimed += used;
    if (zip->claimed > zip->directory_offset)
        return fail_zip_format(zip, "its members overlap: together they are larger than the file");
    *offset = entry->offset + used - entry->compressed_size;
    return true;
}

/* -- Content ------------------------------------------------------------------------------------------------------- */

static bool fail_member(const heed__zip_member *m, const char *reason)
{
    return heed__stream_fail(&m->stream, HEED_ERR_FORMAT, ": the member is broken: %s", reason);
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

/* Decompresses the next `size` bytes and sets *got to their number, which is smaller than `size` only at the end.
 * Returns false after heed_fail. */
static bool inflate_some(heed__zip_member *m, uint8_t *to, size_t size, size_t *got)
{
    size_t left = size;
    while (left > 0 && !m->ended) {
        if (m->z.avail_in == 0) {
            m->z.next_in = m->chunk;
            m->z.avail_in = (uInt)(m->compressed_left < CHUNK_BYTES ? m->compressed_left : CHUNK_BYTES);
            if (!read_compressed(m, m->chunk, m->z.avail_in))
                return false;
        }
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
    size_t offset = 0;
    if (entry->unsupported)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, zip->source->stream.where, "%s: %s", name, entry->unsupported);
    if (!locate_content(zip, entry, &offset))
        return false;
    *m = (heed__zip_member){
        .stream = {.where = zip->source->stream.where,
                   .name = name,
                   .left = entry->size,
                   .memory = zip->source->stream.memory,
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
