/* io/safetensors.c - reads and writes .safetensors: 8 bytes of size, a header in JSON, the elements.
 *
 *     {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ..., "__metadata__": {"key": "text"}}
 *
 * Members are parsed one at a time, and every tensor is read with its member, so memory holds only the tensors and the
 * header's text. No allocation is larger than the file's size allows: a tensor must have the bytes that its shape
 * needs, and the tensors together must cover the file's data exactly, without holes or overlaps.
 *
 * A written header lists tensors in the dict's order. The elements are stored in descending order of element size,
 * after a header whose size is a multiple of 8 bytes, so that the elements of all tensors are aligned.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checksum.h"
#include "io/elements.h"
#include "io/json.h"
#include "io/replace.h"
#include "io/rows.h"
#include "io/safetensors.h"

#define HEADER_MAX 100000000u /* the format's own limit */
#define ALIGNMENT 8
#define ENTRY_MAX 2048 /* maximum bytes of a tensor's description: at most 300, plus white space */

typedef struct safetensors_reader {
    heed__source *source;
    heed_dict *dict;
    char *header;
    bool has_metadata;
    size_t header_size, data;  /* size of the header; offset of the elements in the file */
    heed__ranges ranges;       /* ranges.size: size of the elements */
    heed__rows_search *search; /* for tensors whose elements stay in the file; NULL to read all tensors */
} safetensors_reader;

typedef struct safetensors_entry {
    heed__file_layout layout;
    heed__range range;
    size_t bytes;
} safetensors_entry;

static bool fail_entry(const safetensors_reader *r, const char *name, const char *reason)
{
    return heed__tensor_fail(&r->source->stream, HEED_ERR_FORMAT, name, " %s", reason);
}

static bool fail_file(const safetensors_reader *r, const char *reason)
{
    return heed__stream_fail(&r->source->stream, HEED_ERR_FORMAT, ": %s", reason);
}

/* -- One tensor ---------------------------------------------------------------------------------------------------- */

static bool parse_dtype(const safetensors_reader *r, const json_t *value, const char *name, heed__element *element)
{
    const char *dtype = json_string_value(value);
    if (!dtype)
        return fail_entry(r, name, "has a dtype that is not a string");
    if (heed__element_named(dtype, element))
        return true;
    return heed__tensor_fail(&r->source->stream, HEED_ERR_UNSUPPORTED, name, ": dtype %s is not supported",
                             heed__excerpt(dtype, strlen(dtype)).s);
}

/* Reads element i of a list. Returns false unless it is a whole number from 0 to 2^63 - 1. */
static bool parse_json_count(const json_t *list, size_t i, int64_t *count)
{
    const json_t *value = json_array_get(list, i);
    *count = json_integer_value(value);
    return json_is_integer(value) && *count >= 0;
}

static bool parse_json_shape(const safetensors_reader *r, const json_t *list, const char *name, heed_shape *shape)
{
    size_t rank = json_array_size(list);
    if (rank > HEED_MAX_RANK)
        return heed__tensor_fail(&r->source->stream, HEED_ERR_UNSUPPORTED, name, " has %zu dims: must be at most %d",
                                 rank, HEED_MAX_RANK);
    bool good = json_is_array(list);
    shape->rank = (int)rank;
    for (size_t i = 0; good && i < rank; i++)
        good = parse_json_count(list, i, &shape->dims[i]);
    return good || fail_entry(r, name, "has a shape that is not a list of whole numbers");
}

static bool parse_offsets(const safetensors_reader *r, const json_t *list, const char *name, heed__range *range)
{
    int64_t begin, end;
    if (json_array_size(list) != 2 || !parse_json_count(list, 0, &begin) || !parse_json_count(list, 1, &end))
        return fail_entry(r, name, "has data_offsets that are not two whole numbers");
    *range = (heed__range){(size_t)begin, (size_t)end};
    if (begin > end || range->end > r->ranges.size)
        return fail_entry(r, name, "has data_offsets that are outside of the file");
    return true;
}

/* Parses a tensor's description; only its offsets unless the tensor is requested. */
static bool parse_entry(const safetensors_reader *r, const json_t *value, const char *name, safetensors_entry *e,
                        bool requested)
{
    const json_t *dtype = json_object_get(value, "dtype"), *shape = json_object_get(value, "shape");
    const json_t *offsets = json_object_get(value, "data_offsets");
    if (json_object_size(value) != 3 || !dtype || !shape || !offsets)
        return fail_entry(r, name, "must have exactly the members dtype, shape and data_offsets");
    if (!requested)
        return parse_offsets(r, offsets, name, &e->range);
    if (!parse_dtype(r, dtype, name, &e->layout.element) || !parse_json_shape(r, shape, name, &e->layout.shape) ||
        !parse_offsets(r, offsets, name, &e->range) || !heed__layout_bytes(&r->source->stream, &e->layout, &e->bytes))
        return false;
    return e->bytes == e->range.end - e->range.begin ||
           fail_entry(r, name, "has data_offsets that do not fit its dtype and shape");
}

static bool load_member_tensor(safetensors_reader *r, const char *name, const safetensors_entry *e)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed__source_seek(r->source, r->data + e->range.begin);
    heed_tensor *t = heed__read_tensor(&r->source->stream, &e->layout, e->bytes);
    bool done = t && heed_dict_set(r->dict, name, t) == HEED_OK;
    heed_scope_end(scope);
    return done;
}

/* Records the layout and offset of a tensor if it is one of the names. Adds an empty tensor of this name to the dict,
 * so that a later duplicate of the name is detected. */
static bool record_tensor(safetensors_reader *r, const char *name, const safetensors_entry *e)
{
    heed__rows_search *search = r->search;
    for (int i = 0; i < search->k; i++)
        if (strcmp(search->names[i], name) == 0) {
            search->tensors[i] = (heed__rows_tensor){.layout = e->layout, .offset = r->data + e->range.begin};
            search->found[i] = true;
        }
    heed_scope *scope = heed_scope_begin();
    bool done = scope && heed_dict_set(r->dict, name, heed_empty(HEED_BOOL, HEED_SHAPE(0))) == HEED_OK;
    if (scope)
        heed_scope_end(scope);
    return done;
}

static bool read_member_tensor(safetensors_reader *r, heed__json *json, const char *name)
{
    safetensors_entry e = {0};
    if (!*name)
        return fail_entry(r, name, "has an empty name");
    if (heed_dict_has(r->dict, name))
        return fail_entry(r, name, "is duplicated");
    const bool requested = heed__is_requested(&r->source->stream, name, strlen(name));
    json_t *value = heed__json_value(json, ENTRY_MAX);
    bool described = value && parse_entry(r, value, name, &e, requested);
    json_decref(value);
    if (!described || !heed__ranges_claim(&r->ranges, &r->source->stream, name, e.range))
        return false;
    return heed__charge_memory(&r->source->stream, requested ? HEED_TENSOR_COST + strlen(name) : HEED_RANGE_COST) &&
           (!requested  ? true
            : r->search ? record_tensor(r, name, &e)
                        : load_member_tensor(r, name, &e));
}

/* -- The header ---------------------------------------------------------------------------------------------------- */

static bool read_metadata_text(heed__json *json, const char *key, void *user)
{
    safetensors_reader *r = user;
    if (!*key)
        return fail_file(r, "a key in __metadata__ is empty");
    if (heed_dict_text(r->dict, key))
        return fail_file(r, "a key in __metadata__ is duplicated");
    json_t *text = heed__json_string(json);
    bool done = text &&
                heed__charge_memory(&r->source->stream, HEED_TEXT_COST + strlen(key) + json_string_length(text)) &&
                heed_dict_set_text(r->dict, key, json_string_value(text)) == HEED_OK;
    json_decref(text);
    return done;
}

static bool read_header_member(heed__json *json, const char *name, void *user)
{
    safetensors_reader *r = user;
    if (strcmp(name, "__metadata__") != 0)
        return read_member_tensor(r, json, name);
    if (r->has_metadata)
        return fail_file(r, "__metadata__ is duplicated");
    r->has_metadata = true;
    return heed__json_object(json, read_metadata_text, r);
}

/* Checks that every byte of the data belongs to exactly one tensor. Returns false after heed_fail. */
static bool check_cover(const safetensors_reader *r)
{
    size_t end = 0;
    heed__sort_ranges(r->ranges.list, r->ranges.count);
    for (size_t i = 0; i < r->ranges.count; end = r->ranges.list[i++].end)
        if (r->ranges.list[i].begin != end)
            return fail_file(r, "its tensors overlap or leave unused bytes between them");
    return end == r->ranges.size ||
           heed__stream_fail(&r->source->stream, HEED_ERR_FORMAT, ": there are %zu bytes after its last tensor",
                             r->ranges.size - end);
}

static bool read_header(safetensors_reader *r)
{
    heed__stream *stream = &r->source->stream;
    uint8_t size_bytes[8];
    if (!heed__stream_read(stream, size_bytes, sizeof size_bytes))
        return false;
    const uint64_t size = heed__little_endian(size_bytes, sizeof size_bytes);
    const size_t max_size = stream->left < HEADER_MAX ? stream->left : HEADER_MAX;
    if (size > max_size)
        return heed__check_stream_format(stream, HEED_FORMAT_SAFETENSORS, NULL, 0) &&
               heed__stream_fail(stream, HEED_ERR_FORMAT,
                                 " is not a .safetensors file: the size of its header is %" PRIu64
                                 ": must be at most %zu",
                                 size, max_size);
    r->header = heed__charged_alloc(stream, (size_t)size);
    if (!r->header)
        return false;
    r->header_size = (size_t)size;
    r->data = sizeof size_bytes + r->header_size;
    r->ranges.size = r->source->size - r->data;
    return heed__stream_read(stream, r->header, r->header_size);
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

static heed_dict *read_safetensors(safetensors_reader *r)
{
    const heed__stream *stream = &r->source->stream;
    r->dict = heed_dict_new();
    bool done = r->dict && read_header(r);
    if (done) {
        heed__json json = {.stream = stream, .text = r->header, .size = r->header_size};
        done = heed__json_parse(&json, read_header_member, r) && check_cover(r);
    }
    heed__charged_free(stream, r->header, r->header_size);
    heed__ranges_free(&r->ranges);
    if (done)
        return r->dict;
    heed_dict_free(r->dict);
    return NULL;
}

heed_dict *heed__safetensors_read(heed__source *source)
{
    return read_safetensors(&(safetensors_reader){.source = source});
}

static void *read_requested(heed__source *source)
{
    heed_dict *dict = heed__safetensors_read(source);
    if (!dict || heed__check_requested(&source->stream, dict))
        return dict;
    heed_dict_free(dict);
    return NULL;
}

/* Returns true if the path ends in ".json", as the index of several files does. */
static bool is_index(const char *path)
{
    static const char ending[] = ".json";
    const size_t length = strlen(path), size = sizeof ending - 1;
    return length >= size && strcmp(path + length - size, ending) == 0;
}

heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options)
{
    static const char where[] = "io_safetensors_read";
    HEED_ENTER(where);
    if (path && is_index(path) && !(options && heed__in_memory(options->bytes, options->size)))
        return heed__safetensors_read_shards(where, path, options);
    return heed__read_source(where, "safetensors", path, options, read_requested);
}

static bool find_in_safetensors(heed__source *source, heed__rows_search *search)
{
    heed_dict *dict = read_safetensors(&(safetensors_reader){.source = source, .search = search});
    heed_dict_free(dict);
    return dict != NULL;
}

heed_dataset *heed_io_safetensors_dataset(const char *path, const char *const *names, int k)
{
    HEED_ENTER("io_safetensors_dataset");
    return heed__rows_named("io_safetensors_dataset", path, names, k, find_in_safetensors);
}

/* -- Writing: the header ------------------------------------------------------------------------------------------- */

static json_t *metadata_json(const heed_dict *dict)
{
    json_t *texts = json_object();
    for (int64_t i = 0; i < heed_dict_text_count(dict); i++) {
        const char *key = heed_dict_text_key(dict, i);
        if (json_object_set_new(texts, key, json_string(heed_dict_text(dict, key))) != 0) {
            json_decref(texts);
            return NULL;
        }
    }
    return texts;
}

static json_t *shape_json(heed_shape shape)
{
    json_t *list = json_array();
    for (int i = 0; i < shape.rank; i++)
        if (json_array_append_new(list, json_integer(shape.dims[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* Returns the header as JSON, or NULL if out of memory. The elements of tensor i are chunks[i].size bytes at
 * offsets[i]. */
static json_t *header_json(const heed_dict *dict, const uint64_t *offsets, const heed__file_chunk *chunks)
{
    json_t *header = json_object();
    bool done = header && (heed_dict_text_count(dict) == 0 ||
                           json_object_set_new(header, "__metadata__", metadata_json(dict)) == 0);
    for (int64_t i = 0; done && i < heed_dict_size(dict); i++) {
        const heed_tensor *t = heed_dict_at(dict, i);
        const json_int_t begin = (json_int_t)offsets[i], end = begin + (json_int_t)chunks[i].size;
        json_t *entry =
            json_pack("{s:s, s:o, s:[I, I]}", "dtype", heed__elements[heed__element_of(heed_dtype_of(t))].name, "shape",
                      shape_json(heed_shape_of(t)), "data_offsets", begin, end);
        done = json_object_set_new(header, heed_dict_name(dict, i), entry) == 0;
    }
    if (done)
        return header;
    json_decref(header);
    return NULL;
}

/* Returns the header's text, padded, in a block of *size bytes, or NULL after heed_fail. */
static char *print_header(const char *where, const heed_dict *dict, const uint64_t *offsets,
                          const heed__file_chunk *chunks, size_t *size)
{
    json_t *header = header_json(dict, offsets, chunks);
    if (!header)
        return heed_fail_null(HEED_ERR_NOMEM, where, "no memory for a header of %" PRId64 " tensors",
                              heed_dict_size(dict));
    char *text = heed__json_print(where, header, ALIGNMENT, size);
    json_decref(header);
    return text;
}

/* -- Writing: the file --------------------------------------------------------------------------------------------- */

typedef struct safetensors_file {
    const char *where;
    bool checksum;
    heed__file_chunk *elements; /* one chunk per tensor */
    uint64_t *offsets;
    heed__file_chunk *chunks; /* all chunks of the file: the header's size, the header, the elements */
    size_t count;
} safetensors_file;

/* Makes a chunk of every tensor's elements and computes the offsets of these chunks. Returns false after heed_fail. */
static bool lay_out_tensors(safetensors_file *f, const heed_dict *dict)
{
    uint64_t offset = 0;
    if (heed_dict_has(dict, "__metadata__"))
        return heed_fail_false(HEED_ERR_ARGUMENT, f->where, "a tensor must not have the name __metadata__");
    for (size_t i = 0; i < f->count; i++)
        if (!heed__file_chunk_of(f->where, heed_dict_at(dict, (int64_t)i), &f->elements[i]))
            return false;
    heed__file_chunk *chunk = f->chunks + 2;
    for (size_t size = ALIGNMENT; size > 0; size /= 2)
        for (size_t i = 0; i < f->count; i++)
            if (heed_dtype_size(heed_dtype_of(heed_dict_at(dict, (int64_t)i))) == size) {
                f->offsets[i] = offset;
                offset += f->elements[i].size;
                *chunk++ = f->elements[i];
            }
    return true;
}

static heed_status write_safetensors_file(safetensors_file *f, const char *series, const char *path,
                                          const heed_dict *dict)
{
    uint8_t size_bytes[8];
    size_t size;
    if (!lay_out_tensors(f, dict))
        return heed_error_code();
    char *header = print_header(f->where, dict, f->offsets, f->elements, &size);
    if (!header)
        return heed_error_code();
    if (size > HEADER_MAX) {
        heed_free(header, size);
        return heed_fail(HEED_ERR_UNSUPPORTED, f->where, "the header would have %zu bytes: the format allows %u", size,
                         HEADER_MAX);
    }
    for (size_t i = 0; i < sizeof size_bytes; i++)
        size_bytes[i] = (uint8_t)((uint64_t)size >> 8 * i);
    f->chunks[0] = (heed__file_chunk){.bytes = size_bytes, .size = sizeof size_bytes};
    f->chunks[1] = (heed__file_chunk){.bytes = header, .size = size};
    if (f->checksum)
        heed__checksum_stamp(header, size, f->chunks, f->count + 2);
    heed_status status = heed__replace_in_series(f->where, series, path, f->chunks, f->count + 2);
    heed_free(header, size);
    return status;
}

heed_status heed__safetensors_write(const char *where, const char *series, const char *path, const heed_dict *dict,
                                    bool checksum)
{
    if (!path || !dict)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", path ? "the dict" : "path");
    if (heed_dict_size(dict) == 0 && heed_error_code() != HEED_OK) /* the dict was freed: keep the old file */
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin();
    safetensors_file f = {.where = where, .checksum = checksum, .count = (size_t)heed_dict_size(dict)};
    size_t capacity = f.count + 2;
    f.elements = scope ? heed_calloc(capacity, sizeof *f.elements) : NULL;
    f.offsets = f.elements ? heed_calloc(capacity, sizeof *f.offsets) : NULL;
    f.chunks = f.offsets ? heed_calloc(capacity, sizeof *f.chunks) : NULL;
    heed_status status = f.chunks ? write_safetensors_file(&f, series, path, dict) : HEED_ERR_NOMEM;
    heed_free(f.chunks, capacity * sizeof *f.chunks);
    heed_free(f.offsets, capacity * sizeof *f.offsets);
    heed_free(f.elements, capacity * sizeof *f.elements);
    if (scope)
        heed_scope_end(scope);
    return status;
}

heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict)
{
    HEED_ENTER("io_safetensors_write");
    return heed__safetensors_write("io_safetensors_write", path, path, dict, false);
}
