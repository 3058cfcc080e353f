/* io/npz_write.c - writes NumPy's .npz. All sizes and offsets are in zip64 fields, so that the format does not depend
 * on their values; NumPy does this in local headers. All times are 1980-01-01, so that writing equal tensors gives
 * equal files. */

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checksum.h"
#include "io/npy.h"
#include "io/replace.h"
#include "io/zip.h"
#include "io/zlib_memory.h"

#define SUFFIX ".npy"
#define SUFFIX_SIZE (sizeof SUFFIX - 1)
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

static const char where[] = "io_npz_write";

/* A member of the archive. In the file its name stands between the two parts of each record, such as `local` and
 * `local_extra`. */
typedef struct member {
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
} member;

typedef struct archive {
    member *members;
    heed__file_chunk *chunks;
    size_t count, n_chunks;
    uint64_t directory, end; /* offsets of the directory, and of its end */
    uint8_t end_records[HEED_ZIP_END64_SIZE + HEED_ZIP_LOCATOR_SIZE + HEED_ZIP_END_SIZE];
} archive;

/* -- Records ------------------------------------------------------------------------------------------------------ */

/* Appends a little-endian number. */
static void put(uint8_t **to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

/* Appends the fields that a local header and a directory entry have in common. */
static void put_common(uint8_t **to, const member *m, size_t extra_size)
{
    put(to, VERSION, 2);
    put(to, FLAG_UTF8, 2);
    put(to, m->compressed_bytes ? 8 : 0, 2);
    put(to, 0, 2);
    put(to, DATE, 2);
    put(to, m->crc, 4);
    put(to, UINT32_MAX, 4);
    put(to, UINT32_MAX, 4);
    put(to, m->name_size + SUFFIX_SIZE, 2);
    put(to, extra_size, 2);
}

static void put_extra(uint8_t *to, const member *m, size_t extra_size)
{
    memcpy(to, SUFFIX, SUFFIX_SIZE);
    to += SUFFIX_SIZE;
    put(&to, HEED_ZIP_EXTRA64, 2);
    put(&to, extra_size - 4, 2);
    put(&to, m->size, 8);
    put(&to, m->compressed_size, 8);
    if (extra_size == ENTRY_EXTRA_SIZE)
        put(&to, m->offset, 8);
}

static void make_records(member *m)
{
    uint8_t *to = m->local;
    put(&to, HEED_ZIP_LOCAL, 4);
    put_common(&to, m, LOCAL_EXTRA_SIZE);
    put_extra(m->local_extra, m, LOCAL_EXTRA_SIZE);
    to = m->entry;
    put(&to, HEED_ZIP_ENTRY, 4);
    put(&to, VERSION, 2);
    put_common(&to, m, ENTRY_EXTRA_SIZE);
    put(&to, 0, 2 + 2 + 2); /* comment, disk, attributes */
    put(&to, 0, 4);
    put(&to, UINT32_MAX, 4);
    put_extra(m->entry_extra, m, ENTRY_EXTRA_SIZE);
}

static void make_end_records(archive *a)
{
    uint8_t *to = a->end_records;
    uint64_t size = a->end - a->directory;
    put(&to, HEED_ZIP_END64, 4);
    put(&to, HEED_ZIP_END64_SIZE - 12, 8);
    put(&to, VERSION, 2);
    put(&to, VERSION, 2);
    put(&to, 0, 4 + 4); /* disks */
    put(&to, a->count, 8);
    put(&to, a->count, 8);
    put(&to, size, 8);
    put(&to, a->directory, 8);
    put(&to, HEED_ZIP_LOCATOR, 4);
    put(&to, 0, 4);
    put(&to, a->end, 8);
    put(&to, 1, 4); /* disks */
    put(&to, HEED_ZIP_END, 4);
    put(&to, 0, 2 + 2);
    put(&to, UINT16_MAX, 2);
    put(&to, UINT16_MAX, 2);
    put(&to, UINT32_MAX, 4);
    put(&to, UINT32_MAX, 4);
    put(&to, 0, 2);
}

/* -- Content ------------------------------------------------------------------------------------------------------ */

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

static bool finish(const compressor *p)
{
    int code = Z_OK;
    while (code == Z_OK)
        code = deflate_piece(p->z, p->end, Z_FINISH);
    return code == Z_STREAM_END;
}

static bool deflate_to(compressor *p, const member *m)
{
    return deflate_bytes(p, m->npy, m->npy_size) && heed__file_chunk_emit(&m->elements, deflate_bytes, p) && finish(p);
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
static bool deflate_member(member *m)
{
    z_stream z = {.zalloc = heed__zlib_alloc, .zfree = heed__zlib_free};
    const int code = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_DEFLATE, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (code != Z_OK)
        return heed__zlib_fail(where, m->name, code);
    size_t bound = compressed_bound(&z, m->size);
    uint8_t *block = heed_alloc(bound);
    z.next_out = block;
    bool done = block && deflate_to(&(compressor){&z, block + bound}, m);
    m->compressed_size = (size_t)(z.next_out - block);
    (void)deflateEnd(&z);
    m->compressed_bytes = done ? heed_alloc(m->compressed_size) : NULL;
    if (m->compressed_bytes)
        memcpy(m->compressed_bytes, block, m->compressed_size);
    heed_free(block, bound);
    return m->compressed_bytes || heed__zlib_fail(where, m->name, Z_MEM_ERROR);
}

static bool fill_member(member *m, const heed_dict *dict, int64_t i, bool compressed)
{
    heed_tensor *t = heed_dict_at(dict, i);
    m->name = heed_dict_name(dict, i);
    m->name_size = strlen(m->name);
    if (m->name_size > UINT16_MAX - SUFFIX_SIZE)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name \"%.40s...\" has %zu bytes: must be at most %d",
                               m->name, m->name_size, (int)(UINT16_MAX - SUFFIX_SIZE));
    if (!heed__file_chunk_of(where, t, &m->elements))
        return false;
    m->npy_size = heed__npy_header(heed_dtype_of(t), heed_shape_of(t), m->npy);
    m->size = m->compressed_size = m->npy_size + m->elements.size;
    m->crc = heed__file_chunk_crc(heed__file_chunk_crc(0, &(heed__file_chunk){.bytes = m->npy, .size = m->npy_size}),
                                  &m->elements);
    return !compressed || deflate_member(m);
}

/* -- The archive -------------------------------------------------------------------------------------------------- */

static void append_chunk(archive *a, heed__file_chunk chunk)
{
    a->chunks[a->n_chunks++] = chunk;
    a->end += chunk.size;
}

static void append_bytes(archive *a, const void *bytes, size_t size)
{
    append_chunk(a, (heed__file_chunk){.bytes = bytes, .size = size});
}

static void lay_out(archive *a)
{
    for (member *m = a->members; m < a->members + a->count; m++) {
        m->offset = a->end;
        make_records(m);
        append_bytes(a, m->local, sizeof m->local);
        append_bytes(a, m->name, m->name_size);
        append_bytes(a, m->local_extra, sizeof m->local_extra);
        if (m->compressed_bytes) {
            append_bytes(a, m->compressed_bytes, m->compressed_size);
        } else {
            append_bytes(a, m->npy, m->npy_size);
            append_chunk(a, m->elements);
        }
    }
    a->directory = a->end;
    for (member *m = a->members; m < a->members + a->count; m++) {
        append_bytes(a, m->entry, sizeof m->entry);
        append_bytes(a, m->name, m->name_size);
        append_bytes(a, m->entry_extra, sizeof m->entry_extra);
    }
    make_end_records(a);
    a->chunks[a->n_chunks++] = (heed__file_chunk){.bytes = a->end_records, .size = sizeof a->end_records};
}

static heed_status write_archive(archive *a, const char *path, const heed_dict *dict, bool compressed)
{
    for (size_t i = 0; i < a->count; i++)
        if (!fill_member(&a->members[i], dict, (int64_t)i, compressed))
            return heed_error_code();
    lay_out(a);
    return heed__replace_file(where, path, a->chunks, a->n_chunks);
}

heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options)
{
    HEED_ENTER("io_npz_write");
    if (!path || !dict)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", path ? "the dict" : "path");
    if (heed_dict_size(dict) == 0 && heed_error_code() != HEED_OK) /* the dict was freed: keep the old file */
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin();
    archive a = {.count = (size_t)heed_dict_size(dict)};
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
