/* io/zip.c - the directory of a zip archive.
 *
 * Names, sizes and offsets are taken from the directory, and checked against the file before use. The directory must
 * end where the records after it begin. Members must lie before the directory, repeat their name in their local header,
 * and together be no larger than the file. */
#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#include "io/elements.h"
#include "io/file_format.h"
#include "io/zip.h"

#define COMMENT_MAX 0xFFFFu
#define FLAG_ENCRYPTED 1u
#define DEFLATE_RATIO 1032 /* maximum number of bytes to which one compressed byte expands */

static bool fail(const heed__zip *zip, heed_status status, const char *reason)
{
    return heed_fail_false(status, zip->source->stream.where, "%s: %s", zip->source->stream.name, reason);
}

static bool fail_format(const heed__zip *zip, const char *reason)
{
    return fail(zip, HEED_ERR_FORMAT, reason);
}

static uint64_t number(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static bool read_at(const heed__zip *zip, size_t offset, void *to, size_t size)
{
    heed__source_seek(zip->source, offset);
    return heed__stream_read(&zip->source->stream, to, size);
}

/* -- The end ------------------------------------------------------------------------------------------------------ */

/* The records at the end that describe the directory; `end` is the offset of the first of them. */
typedef struct end_records {
    uint64_t count, size, offset, end;
} end_records;

/* Finds the end-of-directory record in the last `size` bytes of the file, whose comment must end with the file. Sets
 * *at to its index in `tail`. Returns false after heed_fail. */
static bool find_end(const heed__zip *zip, const uint8_t *tail, size_t size, size_t *at)
{
    for (size_t i = size - HEED_ZIP_END_SIZE + 1; i-- > 0;)
        if (number(tail + i, 4) == HEED_ZIP_END && number(tail + i + 20, 2) == size - HEED_ZIP_END_SIZE - i) {
            *at = i;
            return true;
        }
    return heed__check_stream_format(&zip->source->stream, HEED_FORMAT_NPZ, NULL, 0) &&
           fail_format(zip, "it is not a zip archive: it has no end of central directory");
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
    if (number(locator, 4) != HEED_ZIP_LOCATOR)
        return true;
    uint64_t offset = number(locator + 8, 8);
    if (offset != at - sizeof record)
        return fail_format(zip, "its zip64 record is not where its locator says");
    if (!read_at(zip, (size_t)offset, record, sizeof record))
        return false;
    if (number(record, 4) != HEED_ZIP_END64 || number(record + 4, 8) != sizeof record - 12)
        return fail_format(zip, "its zip64 record is invalid");
    *e = (end_records){number(record + 32, 8), number(record + 40, 8), number(record + 48, 8), offset};
    return true;
}

/* Reads the records after the directory. `tail` is the last `size` bytes of the file. Returns false after heed_fail. */
static bool read_end(const heed__zip *zip, const uint8_t *tail, size_t size, end_records *e)
{
    size_t at = 0;
    if (!find_end(zip, tail, size, &at))
        return false;
    const uint8_t *record = tail + at;
    *e = (end_records){number(record + 10, 2), number(record + 12, 4), number(record + 16, 4),
                       zip->source->size - size + at};
    if (number(record + 4, 2) != 0 || number(record + 6, 2) != 0 || number(record + 8, 2) != e->count)
        return fail(zip, HEED_ERR_UNSUPPORTED, "it is one of several files of a zip archive: must be a single file");
    return read_end64(zip, e);
}

static bool find_directory(heed__zip *zip)
{
    end_records e;
    size_t size = zip->source->size;
    size_t tail_size = size < HEED_ZIP_END_SIZE + COMMENT_MAX ? size : HEED_ZIP_END_SIZE + COMMENT_MAX;
    if (size < HEED_ZIP_END_SIZE)
        return heed__check_stream_format(&zip->source->stream, HEED_FORMAT_NPZ, NULL, 0) &&
               fail_format(zip, "it is too short for a zip archive");
    uint8_t *tail = heed_alloc(tail_size);
    bool found = tail && read_at(zip, size - tail_size, tail, tail_size) && read_end(zip, tail, tail_size, &e);
    heed_free(tail, tail_size);
    if (!found)
        return false;
    if (e.offset > e.end || e.size != e.end - e.offset || e.count > e.size / HEED_ZIP_ENTRY_SIZE)
        return fail_format(zip, "its directory does not end where its end record begins");
    zip->count = e.count;
    zip->directory_offset = (size_t)e.offset;
    zip->directory_size = (size_t)e.size;
    return true;
}

bool heed__zip_open(heed__zip *zip, heed__source *source, size_t *remaining)
{
    *zip = (heed__zip){.source = source, .remaining = remaining};
    if (!find_directory(zip))
        return false;
    zip->directory = heed__charged_alloc(&source->stream, remaining, zip->directory_size);
    if (!zip->directory)
        return false;
    if (read_at(zip, zip->directory_offset, zip->directory, zip->directory_size))
        return true;
    heed__zip_close(zip);
    return false;
}

void heed__zip_close(heed__zip *zip)
{
    heed__charged_free(zip->remaining, zip->directory, zip->directory_size);
    zip->directory = NULL;
}

/* -- Entries ------------------------------------------------------------------------------------------------------ */

/* If a number is stored as UINT32_MAX, replaces it by the next 64-bit number of the zip64 field, and advances *field.
 * Returns false if the field is too short for that number. */
static bool widen(uint64_t *value, const uint8_t **field, const uint8_t *end)
{
    if (*value != UINT32_MAX)
        return true;
    if (end - *field < 8)
        return false;
    *value = number(*field, 8);
    *field += 8;
    return true;
}

/* Completes the numbers of an entry: size, compressed size, offset. Those that need 64 bits are in the zip64 field, in
 * this order. Returns false if the extra fields are invalid. */
static bool read_extra(const uint8_t *extra, size_t size, uint64_t numbers[3])
{
    const uint8_t *end = extra + size;
    while (end - extra >= 4) {
        size_t length = (size_t)number(extra + 2, 2);
        const uint8_t *field = extra + 4;
        if ((size_t)(end - field) < length)
            return false;
        extra = field + length;
        if (number(field - 4, 2) == HEED_ZIP_EXTRA64)
            for (int i = 0; i < 3; i++)
                if (!widen(&numbers[i], &field, extra))
                    return false;
    }
    return extra == end;
}

static bool check_entry(const heed__zip *zip, const uint8_t *record, const uint64_t numbers[3])
{
    uint64_t flags = number(record + 8, 2), method = number(record + 10, 2);
    if (flags & FLAG_ENCRYPTED)
        return fail(zip, HEED_ERR_UNSUPPORTED, "a member is encrypted");
    if (method != 0 && method != 8)
        return fail(zip, HEED_ERR_UNSUPPORTED, "a member is compressed by a method other than deflate");
    if (numbers[2] > zip->directory_offset || numbers[1] > zip->directory_offset - numbers[2])
        return fail_format(zip, "a member lies outside of the file");
    if (method == 0 ? numbers[0] != numbers[1] : numbers[0] / DEFLATE_RATIO > numbers[1])
        return fail_format(zip, "the compressed and uncompressed sizes of a member contradict each other");
    return true;
}

bool heed__zip_next(heed__zip *zip, heed__zip_entry *entry)
{
    const uint8_t *record = zip->directory + zip->at;
    size_t left = zip->directory_size - zip->at;
    if (left < HEED_ZIP_ENTRY_SIZE || number(record, 4) != HEED_ZIP_ENTRY)
        return fail_format(zip, "an entry of its directory is invalid");
    size_t name = (size_t)number(record + 28, 2), extra = (size_t)number(record + 30, 2);
    size_t size = HEED_ZIP_ENTRY_SIZE + name + extra + (size_t)number(record + 32, 2);
    uint64_t numbers[3] = {number(record + 24, 4), number(record + 20, 4), number(record + 42, 4)};
    if (size > left || !read_extra(record + HEED_ZIP_ENTRY_SIZE + name, extra, numbers))
        return fail_format(zip, "an entry of its directory is invalid");
    if (!check_entry(zip, record, numbers))
        return false;
    zip->at += size;
    *entry = (heed__zip_entry){
        .name = (const char *)record + HEED_ZIP_ENTRY_SIZE,
        .name_size = name,
        .offset = (size_t)numbers[2],
        .size = (size_t)numbers[0],
        .compressed_size = (size_t)numbers[1],
        .crc = (uint32_t)number(record + 16, 4),
        .deflated = number(record + 10, 2) == 8,
    };
    return true;
}

bool heed__zip_finish(const heed__zip *zip)
{
    return zip->at == zip->directory_size || fail_format(zip, "its directory has bytes after its last entry");
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

/* Reads the local header, because the content begins after it and its length depends on its own fields. */
bool heed__zip_locate(heed__zip *zip, const heed__zip_entry *entry, size_t *offset)
{
    uint8_t local[HEED_ZIP_LOCAL_SIZE];
    size_t used, end;
    if (!read_at(zip, entry->offset, local, sizeof local))
        return false;
    size_t name = (size_t)number(local + 26, 2), extra = (size_t)number(local + 28, 2);
    bool same = number(local, 4) == HEED_ZIP_LOCAL && name == entry->name_size &&
                number(local + 8, 2) == (entry->deflated ? 8 : 0);
    used = sizeof local + name + extra + entry->compressed_size;
    if (!compare_name(zip, entry, &same))
        return false;
    if (!same || __builtin_add_overflow(entry->offset, used, &end) || end > zip->directory_offset)
        return fail_format(zip, "a member's local header does not match its entry in the directory");
    zip->claimed += used;
    if (zip->claimed > zip->directory_offset)
        return fail_format(zip, "its members overlap: together they are larger than the file");
    *offset = entry->offset + used - entry->compressed_size;
    return true;
}
