/* io/npz.c - reads and writes NumPy's .npz: a zip archive whose members are .npy files.
 *
 * In written archives all sizes and offsets are in zip64 fields, so that the format does not depend on their values;
 * NumPy does this in local headers. All times are 1980-01-01, so that writing equal tensors gives equal files.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "base/utf8.h"
#include "io/checksum.h"
#include "io/npy.h"
#include "io/replace.h"
#include "io/rows.h"
#include "io/zip.h"

#define SUFFIX ".npy"
#define SUFFIX_SIZE (sizeof SUFFIX - 1)

typedef struct npz_reader {
    heed__zip *zip;
    heed_dict *dict;
} npz_reader;

static bool fail_npz_member(const heed__stream *stream, const heed__zip_entry *entry, const char *reason)
{
    return heed__stream_fail(stream, HEED_ERR_FORMAT, ": member \"%s\" %s",
                             heed__excerpt(entry->name, entry->name_size).s, reason);
}

/* Writes the member's name without its suffix to `name`, which has capacity for it, and checks it. */
static bool check_member_name(const npz_reader *r, const heed__zip_entry *entry, char *name)
{
    size_t size = entry->name_size - SUFFIX_SIZE;
    memcpy(name, entry->name, size);
    name[size] = '\0';
    if (size == 0 || heed__utf8_size(name) != size)
        return fail_npz_member(&r->zip->source->stream, entry, "has a name that is empty or not UTF-8");
    return !heed_dict_has(r->dict, name) || fail_npz_member(&r->zip->source->stream, entry, "is duplicated");
}

static bool read_member(npz_reader *r, const heed__zip_entry *entry, const char *name)
{
    const heed__stream *s = &r->zip->source->stream;
    char label[240];
    (void)snprintf(label, sizeof label, "%s, member \"%s\"", s->name, heed__excerpt(name, strlen(name)).s);
    heed__zip_member member;
    if (!heed__zip_member_open(&member, r->zip, entry, label))
        return false;
    heed_tensor *t = heed__npy_read(&member.stream);
    if (!t) {
        heed__zip_member_abandon(&member);
        return false;
    }
    return heed__zip_member_close(&member) && heed_dict_set(r->dict, name, t) == HEED_OK;
}

static bool is_npy(const heed__zip_entry *entry)
{
    return entry->name_size >= SUFFIX_SIZE &&
           memcmp(entry->name + entry->name_size - SUFFIX_SIZE, SUFFIX, SUFFIX_SIZE) == 0;
}

static bool read_npz_entry(npz_reader *r, const heed__zip_entry *entry)
{
    heed__stream *stream = &r->zip->source->stream;
    if (!is_npy(entry))
        return stream->names ||
               (heed__check_stream_format(stream, HEED_FORMAT_NPZ, NULL, 0) &&
                fail_npz_member(stream, entry, "is not an .npy file (.names reads only some members)"));
    if (!heed__is_requested(stream, entry->name, entry->name_size - SUFFIX_SIZE))
        return true;
    size_t size = entry->name_size - SUFFIX_SIZE + 1;
    char *name = heed_alloc(size);
    heed_scope *scope = name ? heed_scope_begin() : NULL;
    bool read = scope && check_member_name(r, entry, name) && heed__charge_memory(stream, HEED_TENSOR_COST + size) &&
                read_member(r, entry, name);
    if (scope)
        heed_scope_end(scope);
    heed_free(name, size);
    return read;
}

/* Returns false after heed_fail if the archive has a member of this exact name with a different format. */
static bool check_no_other_member(heed__zip *zip, const char *name)
{
    heed__zip_entry entry;
    zip->at = 0;
    for (uint64_t i = 0; i < zip->count && heed__zip_next(zip, &entry); i++)
        if (!is_npy(&entry) && entry.name_size == strlen(name) && memcmp(entry.name, name, entry.name_size) == 0)
            return fail_npz_member(&zip->source->stream, &entry, "is not an .npy file");
    return true;
}

static bool read_npz_entries(npz_reader *r)
{
    const heed__stream *stream = &r->zip->source->stream;
    for (uint64_t i = 0; i < r->zip->count; i++) {
        heed__zip_entry entry;
        if (!heed__zip_next(r->zip, &entry) || !read_npz_entry(r, &entry))
            return false;
    }
    if (!heed__zip_finish(r->zip))
        return false;
    for (int i = 0; i < stream->name_count; i++)
        if (!heed_dict_has(r->dict, stream->names[i]) && !check_no_other_member(r->zip, stream->names[i]))
            return false;
    return heed__check_requested(stream, r->dict);
}

static void *read_npz(heed__source *source)
{
    heed__zip zip;
    if (!heed__zip_open(&zip, source))
        return NULL;
    heed_dict *dict = heed_dict_new();
    if (dict && !read_npz_entries(&(npz_reader){&zip, dict})) {
        heed_dict_free(dict);
        dict = NULL;
    }
    heed__zip_close(&zip);
    return dict;
}

heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_npz_read");
    return heed__read_source("io_npz_read", "npz", path, options, read_npz);
}

/* -- Rows that stay in the archive --------------------------------------------------------------------------------- */

static bool locate_member(heed__zip *zip, const heed__zip_entry *entry, heed__rows_search *search, int i)
{
    const heed__stream *stream = &zip->source->stream;
    heed__zip_member member;
    size_t bytes;
    char label[240];
    (void)snprintf(label, sizeof label, "%s, member \"%s\"", stream->name,
                   heed__excerpt(entry->name, entry->name_size).s);
    if (search->found[i])
        return heed_fail_false(HEED_ERR_FORMAT, stream->where, "%s is duplicated", label);
    if (entry->deflated)
        return heed_fail_false(
            HEED_ERR_UNSUPPORTED, stream->where,
            "%s is compressed: rows can be read only from uncompressed members (written by numpy.savez)", label);
    if (!heed__zip_member_open(&member, zip, entry, label))
        return false;
    bool read = heed__npy_layout(&member.stream, &search->tensors[i].layout, &bytes);
    search->tensors[i].offset = member.offset;
    search->found[i] = true;
    heed__zip_member_abandon(&member);
    return read;
}

static bool match_entry(heed__zip *zip, const heed__zip_entry *entry, heed__rows_search *search)
{
    for (int i = 0; i < search->k; i++) {
        size_t size = strlen(search->names[i]);
        if (entry->name_size == size + SUFFIX_SIZE && memcmp(entry->name, search->names[i], size) == 0 &&
            memcmp(entry->name + size, SUFFIX, SUFFIX_SIZE) == 0 && !locate_member(zip, entry, search, i))
            return false;
    }
    return true;
}

static bool find_in_npz(heed__source *source, heed__rows_search *search)
{
    heed__zip zip;
    if (!heed__zip_open(&zip, source))
        return false;
    bool ok = true;
    for (uint64_t i = 0; ok && i < zip.count; i++) {
        heed__zip_entry entry;
        ok = heed__zip_next(&zip, &entry) && match_entry(&zip, &entry, search);
    }
    ok = ok && heed__zip_finish(&zip);
    for (int i = 0; ok && i < search->k; i++)
        ok = search->found[i] || check_no_other_member(&zip, search->names[i]);
    heed__zip_close(&zip);
    return ok;
}

heed_dataset *heed_io_npz_dataset(const char *path, const char *const *names, int k)
{
    HEED_ENTER("io_npz_dataset");
    return heed__rows_named("io_npz_dataset", path, names, k, find_in_npz);
}

/* -- Writing: records ---------------------------------------------------------------------------------------------- */

#define VERSION 45        /* the version that introduced zip64 */
#define FLAG_UTF8 0x0800u /* names are UTF-8 */
#define DATE 0x0021u      /* 1980-01-01 */
#define RAW_DEFLATE (-15)
#define MEMORY_LEVEL 8            /* zlib's default */
#define LOCAL_EXTRA_SIZE (4 + 16) /* size and compressed size */
#define ENTRY_EXTRA_SIZE (4 + 24) /* size, compressed size and offset */
#define PIECE_BYTES (1u << 20)
#define BOUND_BYTES (1u << 30) /* zlib's uLong may have 32 bits */
#define MAX_CHUNKS 8           /* maximum per member, including its directory entry */

static const char write_where[] = "io_npz_write";

/* A member of the archive. In the file its name stands between the two parts of each record, such as `local` and
 * `local_extra`. */
typedef struct written_member {
    const char *name;
    size_t name_size;
    char npy[HEED_NPY_HEADER_MAX];
    size_t npy_size;
    heed__file_chunk elements;
    void *compressed_bytes; /* NULL if stored uncompressed */
    size_t size, compressed_size;
    uint64_t offset;
    uint32_t crc;
    /* *_extra begins with ".npy", the end of the name in the archive */
    uint8_t local[HEED_ZIP_LOCAL_SIZE], local_extra[SUFFIX_SIZE + LOCAL_EXTRA_SIZE];
    uint8_t entry[HEED_ZIP_ENTRY_SIZE], entry_extra[SUFFIX_SIZE + ENTRY_EXTRA_SIZE];
} written_member;

typedef struct written_archive {
    written_member *members;
    heed__file_chunk *chunks;
    size_t count, n_chunks;
    uint64_t directory, end; /* offsets of the directory, and of its end */
    uint8_t end_records[HEED_ZIP_END64_SIZE + HEED_ZIP_LOCATOR_SIZE + HEED_ZIP_END_SIZE];
} written_archive;

/* Appends a little-endian number. */
static void put_field(uint8_t **to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

/* Appends the fields that a local header and a directory entry have in common. */
static void put_common(uint8_t **to, const written_member *m, size_t extra_size)
{
    put_field(to, VERSION, 2);
    put_field(to, FLAG_UTF8, 2);
    put_field(to, m->compressed_bytes ? 8 : 0, 2);
    put_field(to, 0, 2);
    put_field(to, DATE, 2);
    put_field(to, m->crc, 4);
    put_field(to, UINT32_MAX, 4);
    put_field(to, UINT32_MAX, 4);
    put_field(to, m->name_size + SUFFIX_SIZE, 2);
    put_field(to, extra_size, 2);
}

static void put_extra(uint8_t *to, const written_member *m, size_t extra_size)
{
    memcpy(to, SUFFIX, SUFFIX_SIZE);
    to += SUFFIX_SIZE;
    put_field(&to, HEED_ZIP_EXTRA64, 2);
    put_field(&to, extra_size - 4, 2);
    put_field(&to, m->size, 8);
    put_field(&to, m->compressed_size, 8);
    if (extra_size == ENTRY_EXTRA_SIZE)
        put_field(&to, m->offset, 8);
}

static void make_records(written_member *m)
{
    uint8_t *to = m->local;
    put_field(&to, HEED_ZIP_LOCAL, 4);
    put_common(&to, m, LOCAL_EXTRA_SIZE);
    put_extra(m->local_extra, m, LOCAL_EXTRA_SIZE);
    to = m->entry;
    put_field(&to, HEED_ZIP_ENTRY, 4);
    put_field(&to, VERSION, 2);
    put_common(&to, m, ENTRY_EXTRA_SIZE);
    put_field(&to, 0, 2 + 2 + 2); /* comment, disk, attributes */
    put_field(&to, 0, 4);
    put_field(&to, UINT32_MAX, 4);
    put_extra(m->entry_extra, m, ENTRY_EXTRA_SIZE);
}

static void make_end_records(written_archive *a)
{
    uint8_t *to = a->end_records;
    uint64_t size = a->end - a->directory;
    put_field(&to, HEED_ZIP_END64, 4);
    put_field(&to, HEED_ZIP_END64_SIZE - 12, 8);
    put_field(&to, VERSION, 2);
    put_field(&to, VERSION, 2);
    put_field(&to, 0, 4 + 4); /* disks */
    put_field(&to, a->count, 8);
    put_field(&to, a->count, 8);
    put_field(&to, size, 8);
    put_field(&to, a->directory, 8);
    put_field(&to, HEED_ZIP_LOCATOR, 4);
    put_field(&to, 0, 4);
    put_field(&to, a->end, 8);
    put_field(&to, 1, 4); /* disks */
    put_field(&to, HEED_ZIP_END, 4);
    put_field(&to, 0, 2 + 2);
    put_field(&to, UINT16_MAX, 2);
    put_field(&to, UINT16_MAX, 2);
    put_field(&to, UINT32_MAX, 4);
    put_field(&to, UINT32_MAX, 4);
    put_field(&to, 0, 2);
}

/* -- Writing: content ---------------------------------------------------------------------------------------------- */

/* Continues to compress into the block that ends at `end`. Writes at most PIECE_BYTES per call, because zlib's counts
 * have 32 bits. Returns zlib's code. */
static int deflate_piece(z_stream *z, const uint8_t *end, int flush)
{
    size_t capacity = (size_t)(end - z->next_out);
    z->avail_out = capacity < PIECE_BYTES ? (uInt)capacity : PIECE_BYTES;
    return deflate(z, flush);
}

typedef struct compressor {
    z_stream *z;
    const uint8_t *end;
} compressor;

static bool deflate_bytes(void *user, const void *bytes, size_t size)
{
    const compressor *p = user;
    const uint8_t *at = bytes;
    int code = Z_OK;
    for (uInt n; size > 0 && code == Z_OK; at += n, size -= n) {
        n = size < PIECE_BYTES ? (uInt)size : PIECE_BYTES;
        p->z->next_in = at;
        p->z->avail_in = n;
        code = deflate_piece(p->z, p->end, Z_NO_FLUSH);
        n -= p->z->avail_in;
    }
    return code == Z_OK;
}

/* Returns an upper bound on the compressed size of `size` bytes. */
static size_t compressed_bound(z_stream *z, size_t size)
{
    size_t bound = 0;
    for (size_t n; size > 0; size -= n) {
        n = size < BOUND_BYTES ? size : BOUND_BYTES;
        bound += deflateBound(z, (uLong)n);
    }
    return bound;
}

/* Compresses the member into a block large enough for any content, and then copies the result to a block of its exact
 * size. Returns false after heed_fail. */
static bool deflate_member(written_member *m)
{
    z_stream z = {.zalloc = heed__zlib_alloc, .zfree = heed__zlib_free};
    const int code = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_DEFLATE, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (code != Z_OK)
        return heed__zlib_fail(write_where, m->name, code);
    size_t bound = compressed_bound(&z, m->size);
    uint8_t *block = heed_alloc(bound);
    z.next_out = block;
    compressor p = {&z, block + bound};
    bool done =
        block && deflate_bytes(&p, m->npy, m->npy_size) && heed__file_chunk_emit(&m->elements, deflate_bytes, &p);
    int state = Z_OK;
    while (done && state == Z_OK)
        state = deflate_piece(&z, p.end, Z_FINISH);
    done = done && state == Z_STREAM_END;
    m->compressed_size = (size_t)(z.next_out - block);
    (void)deflateEnd(&z);
    m->compressed_bytes = done ? heed_alloc(m->compressed_size) : NULL;
    if (m->compressed_bytes)
        memcpy(m->compressed_bytes, block, m->compressed_size);
    heed_free(block, bound);
    return m->compressed_bytes || heed__zlib_fail(write_where, m->name, Z_MEM_ERROR);
}

static bool fill_member(written_member *m, const heed_dict *dict, int64_t i, bool compressed)
{
    heed_tensor *t = heed_dict_at(dict, i);
    m->name = heed_dict_name(dict, i);
    m->name_size = strlen(m->name);
    if (m->name_size > UINT16_MAX - SUFFIX_SIZE)
        return heed_fail_false(HEED_ERR_ARGUMENT, write_where,
                               "the name \"%.40s...\" has %zu bytes: must be at most %d", m->name, m->name_size,
                               (int)(UINT16_MAX - SUFFIX_SIZE));
    if (!heed__file_chunk_of(write_where, t, &m->elements))
        return false;
    m->npy_size = heed__npy_header(heed_dtype_of(t), heed_shape_of(t), m->npy);
    m->size = m->compressed_size = m->npy_size + m->elements.size;
    m->crc = heed__file_chunk_crc(heed__file_chunk_crc(0, &(heed__file_chunk){.bytes = m->npy, .size = m->npy_size}),
                                  &m->elements);
    return !compressed || deflate_member(m);
}

/* -- Writing: the archive ------------------------------------------------------------------------------------------ */

static void append_chunk(written_archive *a, heed__file_chunk chunk)
{
    a->chunks[a->n_chunks++] = chunk;
    a->end += chunk.size;
}

static void append_chunk_bytes(written_archive *a, const void *bytes, size_t size)
{
    append_chunk(a, (heed__file_chunk){.bytes = bytes, .size = size});
}

static void lay_out_archive(written_archive *a)
{
    for (written_member *m = a->members; m < a->members + a->count; m++) {
        m->offset = a->end;
        make_records(m);
        append_chunk_bytes(a, m->local, sizeof m->local);
        append_chunk_bytes(a, m->name, m->name_size);
        append_chunk_bytes(a, m->local_extra, sizeof m->local_extra);
        if (m->compressed_bytes) {
            append_chunk_bytes(a, m->compressed_bytes, m->compressed_size);
        } else {
            append_chunk_bytes(a, m->npy, m->npy_size);
            append_chunk(a, m->elements);
        }
    }
    a->directory = a->end;
    for (written_member *m = a->members; m < a->members + a->count; m++) {
        append_chunk_bytes(a, m->entry, sizeof m->entry);
        append_chunk_bytes(a, m->name, m->name_size);
        append_chunk_bytes(a, m->entry_extra, sizeof m->entry_extra);
    }
    make_end_records(a);
    a->chunks[a->n_chunks++] = (heed__file_chunk){.bytes = a->end_records, .size = sizeof a->end_records};
}

static heed_status write_archive(written_archive *a, const char *path, const heed_dict *dict, bool compressed)
{
    for (size_t i = 0; i < a->count; i++)
        if (!fill_member(&a->members[i], dict, (int64_t)i, compressed))
            return heed_error_code();
    lay_out_archive(a);
    return heed__replace_file(write_where, path, a->chunks, a->n_chunks);
}

heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options)
{
    HEED_ENTER("io_npz_write");
    if (!path || !dict)
        return heed_fail(HEED_ERR_ARGUMENT, write_where, "%s is NULL", path ? "the dict" : "path");
    if (heed_dict_size(dict) == 0 && heed_error_code() != HEED_OK) /* the dict was freed: keep the old file */
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin();
    written_archive a = {.count = (size_t)heed_dict_size(dict)};
    size_t capacity = MAX_CHUNKS * a.count + 1;
    a.members = scope ? heed_calloc(a.count + 1, sizeof *a.members) : NULL;
    a.chunks = a.members ? heed_calloc(capacity, sizeof *a.chunks) : NULL;
    heed_status status = HEED_ERR_NOMEM;
    if (a.chunks)
        status = write_archive(&a, path, dict, options && options->compressed);
    for (size_t i = 0; a.members && i < a.count; i++)
        heed_free(a.members[i].compressed_bytes, a.members[i].compressed_size);
    heed_free(a.chunks, capacity * sizeof *a.chunks);
    heed_free(a.members, (a.count + 1) * sizeof *a.members);
    if (scope)
        heed_scope_end(scope);
    return status;
}
