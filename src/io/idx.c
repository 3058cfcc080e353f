/* io/idx.c - the IDX reader: a header of two zero bytes, a type, a rank and big-endian dims, then the values.
 *
 * The size is checked before any allocation: an uncompressed file must contain all values, and a byte of gzip expands
 * to at most 1032 bytes.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/file.h"
#include "io/rows.h"
#include "io/zlib.h"

#define DEFAULT_MAX_BYTES (SIZE_MAX > UINT32_MAX ? (size_t)4 << 30 : SIZE_MAX)
#define DEFLATE_RATIO 1032
#define CHUNK_BYTES ((size_t)64 << 10) /* bytes of content read at a time; a multiple of all element sizes */

/* The types of values, indexed by their numbers in the format. */
static const struct {
    bool known;
    heed__element element;
} idx_types[256] = {
    [0x08] = {true, HEED_ELEMENT_U8},  [0x09] = {true, HEED_ELEMENT_I8},  [0x0B] = {true, HEED_ELEMENT_I16},
    [0x0C] = {true, HEED_ELEMENT_I32}, [0x0D] = {true, HEED_ELEMENT_F32}, [0x0E] = {true, HEED_ELEMENT_F64}};

typedef struct idx_reader {
    const char *where, *source;
    heed_io_idx_options options;
    const uint8_t *bytes; /* the unread bytes of the file, `size` of them */
    size_t size;
    size_t loaded;       /* bytes of the file in memory; 0 if they belong to the caller */
    heed__inflate *gzip; /* NULL if the file is not compressed; `bytes` is then also the unread content */
    heed__inflate inflate;
    uint8_t *chunk; /* CHUNK_BYTES bytes of decompressed content; only with gzip */
    heed__element element;
    size_t value_size;        /* bytes per value */
    heed_shape shape, chosen; /* shape of all values in the file; shape of the requested rows */
    size_t payload;           /* bytes of all values */
    size_t begin, end;        /* range of the requested bytes in the payload */
} idx_reader;

static bool fail_idx(const idx_reader *r, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: %s", r->source, reason);
}

static bool fail_idx_shape(const idx_reader *r, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: %s for shape %s and %zu bytes per value", r->source, reason,
                           heed_shape_text(r->shape).s, r->value_size);
}

/* -- Bytes --------------------------------------------------------------------------------------------------------- */

/* Returns the next `size` bytes of content (at most CHUNK_BYTES) and sets *got to their number, which is smaller than
 * `size` only at the end. Returns NULL after heed_fail. */
static const uint8_t *next_bytes(idx_reader *r, size_t size, size_t *got)
{
    if (r->gzip)
        return heed__inflate_read(r->gzip, r->chunk, size, got) ? r->chunk : NULL;
    const uint8_t *bytes = r->bytes;
    *got = size < r->size ? size : r->size;
    r->bytes += *got;
    r->size -= *got;
    return bytes;
}

/* -- Header -------------------------------------------------------------------------------------------------------- */

static bool read_idx_magic(idx_reader *r)
{
    size_t got;
    const uint8_t *magic = next_bytes(r, 4, &got);
    if (!magic)
        return false;
    if (got < 4)
        return fail_idx(r, "it ends within the magic number of 4 bytes");
    if (magic[0] != 0 || magic[1] != 0)
        return heed__check_file_format(r->where, r->source, HEED_FORMAT_IDX, magic, got + (r->gzip ? 0 : r->size)) &&
               heed_fail_false(HEED_ERR_FORMAT, r->where,
                               "%s: magic number %08" PRIx64 ": an IDX file begins with two zero bytes", r->source,
                               heed__big_endian(magic, 4));
    if (!idx_types[magic[2]].known)
        return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: type is %02x: must be 08, 09, 0b, 0c, 0d or 0e",
                               r->source, magic[2]);
    if (magic[3] > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: it has %d dims: must be at most %d", r->source, magic[3],
                               HEED_MAX_RANK);
    r->element = idx_types[magic[2]].element;
    r->value_size = heed__elements[r->element].size;
    r->shape.rank = magic[3];
    return true;
}

static bool read_idx_dims(idx_reader *r)
{
    size_t got, size = 4 * (size_t)r->shape.rank;
    const uint8_t *dims = next_bytes(r, size, &got);
    if (!dims)
        return false;
    if (got < size)
        return fail_idx(r, "it ends within the dims");
    for (int i = 0; i < r->shape.rank; i++)
        r->shape.dims[i] = (int64_t)heed__big_endian(dims + 4 * i, 4);
    int64_t numel = heed_shape_numel(r->shape);
    if (numel < 0 || __builtin_mul_overflow(numel, r->value_size, &r->payload))
        return fail_idx_shape(r, "too many values");
    return true;
}

/* Returns true if the file is large enough to contain the values and if their size is within the limit; else false
 * after heed_fail. */
static bool check_payload(const idx_reader *r)
{
    size_t header = 4 + 4 * (size_t)r->shape.rank, size;
    if (__builtin_add_overflow(header, r->payload, &size) || size > r->options.max_bytes)
        return heed_fail_false(
            HEED_ERR_UNSUPPORTED, r->where,
            "%s has a header of %zu bytes and %zu bytes of values, more than the limit of %zu (max_bytes)", r->source,
            header, r->payload, r->options.max_bytes);
    if (r->gzip ? size / DEFLATE_RATIO > r->size : r->payload > r->size)
        return fail_idx_shape(r, "too few bytes");
    return true;
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* Returns value i of those at `bytes`. */
static double value_at(const idx_reader *r, const uint8_t *bytes, size_t i)
{
    return heed__element_number(r->element, bytes + i * r->value_size, true);
}

static bool store_i64(const idx_reader *r, const uint8_t *bytes, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        double value = value_at(r, bytes, i);
        if (!heed__fits_i64(value))
            return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: an i64 cannot hold the value %g", r->source, value);
        out[i] = (int64_t)value;
    }
    return true;
}

/* Sets r->chosen, r->begin and r->end to the shape and the bytes of the requested rows. Returns false after
 * heed_fail. */
static bool choose_idx_rows(idx_reader *r)
{
    heed__row_range range = {r->options.first, r->options.rows};
    const int64_t n = r->shape.rank > 0 ? r->shape.dims[0] : 0;
    r->chosen = r->shape;
    r->end = r->payload;
    if (range.first == 0 && range.count == 0)
        return true;
    if (!heed__choose_rows(r->where, r->source, &r->chosen, &range))
        return false;
    const size_t row = n > 0 ? r->payload / (size_t)n : 0;
    r->begin = (size_t)range.first * row;
    r->end = r->begin + (size_t)range.count * row;
    return true;
}

/* Returns true if the loaded file and the tensor together fit within the limit; else false after heed_fail. */
static bool check_memory(const idx_reader *r)
{
    size_t bytes = heed_dtype_size(r->options.dtype);
    if (!__builtin_mul_overflow(bytes, (size_t)heed_shape_numel(r->chosen), &bytes) &&
        !__builtin_add_overflow(bytes, r->loaded, &bytes) && bytes <= r->options.max_bytes)
        return true;
    return heed_fail_false(
        HEED_ERR_UNSUPPORTED, r->where,
        "%s: a tensor of shape %s and dtype %s needs more memory than the limit of %zu bytes (max_bytes)", r->source,
        heed_shape_text(r->chosen).s, heed_dtype_name(r->options.dtype), r->options.max_bytes);
}

/* Converts n values to elements of the result, starting at element `index`. */
static bool store_values(const idx_reader *r, const uint8_t *bytes, size_t n, void *data, size_t index)
{
    const double scale = r->options.scale;
    switch (r->options.dtype) {
    case HEED_F32:
        for (size_t i = 0; i < n; i++)
            ((float *)data)[index + i] = (float)(value_at(r, bytes, i) * scale);
        return true;
    case HEED_F64:
        for (size_t i = 0; i < n; i++)
            ((double *)data)[index + i] = value_at(r, bytes, i) * scale;
        return true;
    case HEED_BOOL:
        for (size_t i = 0; i < n; i++)
            ((bool *)data)[index + i] = value_at(r, bytes, i) != 0;
        return true;
    case HEED_I64:
    default:
        return store_i64(r, bytes, n, (int64_t *)data + index);
    }
}

/* Reads all values, and converts those that were requested. */
static bool read_idx_values(idx_reader *r, void *data)
{
    for (size_t done = 0, got; done < r->payload; done += got) {
        size_t left = r->payload - done;
        const uint8_t *bytes = next_bytes(r, left < CHUNK_BYTES ? left : CHUNK_BYTES, &got);
        if (!bytes)
            return false;
        if (got < left && got < CHUNK_BYTES)
            return fail_idx_shape(r, "too few bytes");
        const size_t from = done > r->begin ? done : r->begin, to = done + got < r->end ? done + got : r->end;
        if (from < to && !store_values(r, bytes + (from - done), (to - from) / r->value_size, data,
                                       (from - r->begin) / r->value_size))
            return false;
    }
    size_t surplus;
    if (!next_bytes(r, 1, &surplus))
        return false;
    return surplus == 0 || fail_idx_shape(r, "too many bytes");
}

static heed_tensor *read_idx(idx_reader *r)
{
    if (!read_idx_magic(r) || !read_idx_dims(r) || !check_payload(r) || !choose_idx_rows(r) || !check_memory(r))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(r->options.dtype, r->chosen);
    void *data = t ? heed_mutable_bytes(t) : NULL;
    return heed_scope_return(scope, data && read_idx_values(r, data) ? t : NULL);
}

/* -- Interface ----------------------------------------------------------------------------------------------------- */

static bool check_idx_options(idx_reader *r, const heed_io_idx_options *given)
{
    heed_io_idx_options *o = &r->options;
    *o = given ? *given : (heed_io_idx_options){0};
    bool real = heed_dtype_is_float(o->dtype);
    if (heed_dtype_size(o->dtype) == 0)
        heed_fail(HEED_ERR_DTYPE, r->where, "dtype is %d: must be a heed_dtype", (int)o->dtype);
    else if (!isfinite(o->scale) || (o->scale != 0 && !real))
        heed_fail(HEED_ERR_ARGUMENT, r->where, "scale is %g: must be finite, and 0 unless dtype is f32 or f64",
                  o->scale);
    else {
        o->scale = o->scale == 0 ? 1.0 : o->scale;
        o->max_bytes = o->max_bytes == 0 ? DEFAULT_MAX_BYTES : o->max_bytes;
        return true;
    }
    return false;
}

static heed_tensor *read_gzip(idx_reader *r)
{
    if (!heed__inflate_open(&r->inflate, r->where, r->source, r->bytes, r->size))
        return NULL;
    r->gzip = &r->inflate;
    r->chunk = heed_alloc(CHUNK_BYTES);
    heed_tensor *t = r->chunk ? read_idx(r) : NULL;
    heed_free(r->chunk, CHUNK_BYTES);
    heed__inflate_close(&r->inflate);
    return t;
}

static heed_tensor *read_bytes(idx_reader *r)
{
    return heed__is_gzip(r->bytes, r->size) ? read_gzip(r) : read_idx(r);
}

static heed_tensor *read_memory(idx_reader *r)
{
    r->bytes = r->options.bytes;
    r->size = r->options.size;
    return heed__check_memory(r->where, r->source, r->bytes, r->size) ? read_bytes(r) : NULL;
}

heed_tensor *heed_io_idx_read(const char *path, const heed_io_idx_options *options)
{
    HEED_ENTER("io_idx_read");
    idx_reader r = {.where = "io_idx_read"};
    heed__file file;
    if (!check_idx_options(&r, options))
        return NULL;
    const heed__path_excerpt_text source = heed__path_excerpt(path ? path : "idx");
    r.source = source.s;
    if (heed__in_memory(r.options.bytes, r.options.size))
        return read_memory(&r);
    if (!heed__file_load(r.where, path, r.options.max_bytes, &file))
        return NULL;
    r.bytes = (const uint8_t *)file.bytes;
    r.size = r.loaded = file.size;
    heed_tensor *t = read_bytes(&r);
    heed__file_free(&file);
    return t;
}

/* -- Rows that stay in the file ------------------------------------------------------------------------------------ */

/* Reads the header of an open file, and sets the layout and offset of its tensor. */
static bool read_rows_header(idx_reader *r, heed__source *source, heed__rows_tensor *t)
{
    uint8_t head[HEED_FORMAT_HEAD_BYTES];
    size_t size = source->size < sizeof head ? source->size : sizeof head;
    r->source = source->stream.name;
    r->bytes = head;
    r->size = size;
    if (!heed__stream_read(&source->stream, head, size))
        return false;
    if (heed__is_gzip(head, size))
        return heed_fail_false(
            HEED_ERR_UNSUPPORTED, r->where,
            "%s is compressed by gzip: rows can be read only from an uncompressed file (unpack it first: gunzip)",
            r->source);
    if (!read_idx_magic(r) || !read_idx_dims(r))
        return false;
    t->offset = 4 + 4 * (size_t)r->shape.rank;
    r->size = source->size - t->offset;
    if (!check_payload(r))
        return false;
    if (r->payload < r->size)
        return fail_idx_shape(r, "too many bytes");
    if (!choose_idx_rows(r))
        return false;
    t->offset += r->begin;
    t->layout = (heed__file_layout){.element = r->element, .big_endian = true, .shape = r->chosen};
    return true;
}

heed_dataset *heed_io_idx_dataset(const char *path, const heed_io_idx_options *options)
{
    HEED_ENTER("io_idx_dataset");
    idx_reader r = {.where = "io_idx_dataset"};
    heed__source source;
    if (!check_idx_options(&r, options))
        return NULL;
    if (heed__in_memory(r.options.bytes, r.options.size))
        return heed_fail_null(HEED_ERR_ARGUMENT, r.where, "bytes and size must be 0: the dataset stays in a file");
    r.options.max_bytes = options && options->max_bytes > 0 ? options->max_bytes : SIZE_MAX;
    if (!heed__source_open(&source, r.where, path, &(heed_io_read_options){.max_bytes = r.options.max_bytes}))
        return NULL;
    heed__rows_tensor t = {.converted = true, .dtype = r.options.dtype, .scale = r.options.scale};
    if (read_rows_header(&r, &source, &t))
        return heed__rows_dataset(&source, &t, 1);
    heed__source_close(&source);
    return NULL;
}
