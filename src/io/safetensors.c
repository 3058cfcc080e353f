/* io/safetensors.c - reads .safetensors: 8 bytes of size, a header in JSON, the elements. Writing is in
 * io/safetensors_write.c.
 *
 *     {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ..., "__metadata__": {"key": "text"}}
 *
 * Members are parsed one at a time, and every tensor is read with its member, so memory holds only the tensors and the
 * header's text. No allocation is larger than the file's size allows: a tensor must have the bytes that its shape
 * needs, and the tensors together must cover the file's data exactly, without holes or overlaps. */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/elements.h"
#include "io/file_format.h"
#include "io/json.h"
#include "io/ranges.h"
#include "io/rows.h"
#include "io/safetensors.h"

#define HEADER_MAX 100000000u /* the format's own limit */
#define ENTRY_MAX 2048        /* maximum bytes of a tensor's description: at most 300, plus white space */

typedef struct reader {
    heed__source *source;
    const char *where, *name;
    heed_dict *dict;
    char *header;
    bool has_metadata;
    /* size of the header; offset of the elements in the file; size of the elements */
    size_t header_size, data, data_size;
    size_t *remaining, claimed; /* remaining memory limit; bytes in the file claimed by tensors */
    heed__ranges ranges;
    /* names of the k tensors to find, whose elements stay in the file; NULL to read all tensors */
    const char *const *names;
    int k;
    heed__rows_tensor *tensors;
    bool *found;
} reader;

typedef struct entry {
    heed__file_layout layout;
    heed__range range;
    size_t bytes;
} entry;

static bool fail(const reader *r, const char *name, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: tensor \"%s\" %s", r->name,
                           heed__excerpt(name, strlen(name)).s, reason);
}

static bool fail_file(const reader *r, const char *reason)
{
    return heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: %s", r->name, reason);
}

/* -- One tensor --------------------------------------------------------------------------------------------------- */

static bool read_dtype(const reader *r, const json_t *value, const char *name, heed__element *element)
{
    const char *dtype = json_string_value(value);
    if (!dtype)
        return fail(r, name, "has a dtype that is not a string");
    if (heed__element_named(dtype, element))
        return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, r->where, "%s: tensor \"%s\": dtype %s is not supported", r->name,
                           heed__excerpt(name, strlen(name)).s, heed__excerpt(dtype, strlen(dtype)).s);
}

/* Reads element i of a list. Returns false unless it is a whole number from 0 to 2^63 - 1. */
static bool read_count(const json_t *list, size_t i, int64_t *count)
{
    const json_t *value = json_array_get(list, i);
    *count = json_integer_value(value);
    return json_is_integer(value) && *count >= 0;
}

static bool read_shape(const reader *r, const json_t *list, const char *name, heed_shape *shape)
{
    size_t rank = json_array_size(list);
    if (rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, r->where, "%s: tensor \"%s\" has %zu dims: must be at most %d",
                               r->name, heed__excerpt(name, strlen(name)).s, rank, HEED_MAX_RANK);
    bool good = json_is_array(list);
    shape->rank = (int)rank;
    for (size_t i = 0; good && i < rank; i++)
        good = read_count(list, i, &shape->dims[i]);
    return good || fail(r, name, "has a shape that is not a list of whole numbers");
}

static bool read_offsets(const reader *r, const json_t *list, const char *name, heed__range *range)
{
    int64_t begin, end;
    if (json_array_size(list) != 2 || !read_count(list, 0, &begin) || !read_count(list, 1, &end))
        return fail(r, name, "has data_offsets that are not two whole numbers");
    *range = (heed__range){(size_t)begin, (size_t)end};
    if (begin > end || range->end > r->data_size)
        return fail(r, name, "has data_offsets that are outside of the file");
    return true;
}

static bool read_entry(const reader *r, const json_t *value, const char *name, entry *e)
{
    const json_t *dtype = json_object_get(value, "dtype"), *shape = json_object_get(value, "shape");
    const json_t *offsets = json_object_get(value, "data_offsets");
    if (json_object_size(value) != 3 || !dtype || !shape || !offsets)
        return fail(r, name, "must have exactly the members dtype, shape and data_offsets");
    if (!read_dtype(r, dtype, name, &e->layout.element) || !read_shape(r, shape, name, &e->layout.shape) ||
        !read_offsets(r, offsets, name, &e->range) || !heed__layout_bytes(&r->source->stream, &e->layout, &e->bytes))
        return false;
    return e->bytes == e->range.end - e->range.begin ||
           fail(r, name, "has data_offsets that do not fit its dtype and shape");
}

/* Records the byte range of a tensor. Returns false after heed_fail if all tensors so far claim more bytes than the
 * file holds. */
static bool claim_range(reader *r, const char *name, heed__range range)
{
    if (range.end - range.begin > r->data_size - r->claimed)
        return fail(r, name, "overlaps a different tensor");
    r->claimed += range.end - range.begin;
    return heed__ranges_add(&r->ranges, range);
}

static bool load_tensor(reader *r, const char *name, const entry *e)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed__source_seek(r->source, r->data + e->range.begin);
    heed_tensor *t = heed__read_tensor(&r->source->stream, &e->layout, e->bytes, r->remaining);
    bool done = t && heed_dict_set(r->dict, name, t) == HEED_OK;
    heed_scope_end(scope);
    return done;
}

/* Records the layout and offset of a tensor if it is one of the names. Adds an empty tensor of this name to the dict,
 * so that a later duplicate of the name is detected. */
static bool record_tensor(reader *r, const char *name, const entry *e)
{
    for (int i = 0; i < r->k; i++)
        if (strcmp(r->names[i], name) == 0) {
            r->tensors[i] = (heed__rows_tensor){.layout = e->layout, .offset = r->data + e->range.begin};
            r->found[i] = true;
        }
    heed_scope *scope = heed_scope_begin();
    bool done = scope && heed_dict_set(r->dict, name, heed_empty(HEED_BOOL, HEED_SHAPE(0))) == HEED_OK;
    if (scope)
        heed_scope_end(scope);
    return done;
}

static bool read_tensor(reader *r, heed__json *json, const char *name)
{
    entry e = {0};
    if (!*name)
        return fail(r, name, "has an empty name");
    if (heed_dict_has(r->dict, name))
        return fail(r, name, "is duplicated");
    json_t *value = heed__json_value(json, ENTRY_MAX);
    bool described = value && read_entry(r, value, name, &e);
    json_decref(value);
    return described && claim_range(r, name, e.range) &&
           heed__charge_memory(&r->source->stream, r->remaining, HEED_TENSOR_COST + strlen(name)) &&
           (r->names ? record_tensor(r, name, &e) : load_tensor(r, name, &e));
}

/* -- The header --------------------------------------------------------------------------------------------------- */

static bool read_text(heed__json *json, const char *key, void *user)
{
    reader *r = user;
    if (!*key)
        return fail_file(r, "a key in __metadata__ is empty");
    if (heed_dict_text(r->dict, key))
        return fail_file(r, "a key in __metadata__ is duplicated");
    json_t *text = heed__json_string(json);
    bool done = text &&
                heed__charge_memory(&r->source->stream, r->remaining,
                                    HEED_TEXT_COST + strlen(key) + json_string_length(text)) &&
                heed_dict_set_text(r->dict, key, json_string_value(text)) == HEED_OK;
    json_decref(text);
    return done;
}

static bool read_member(heed__json *json, const char *name, void *user)
{
    reader *r = user;
    if (strcmp(name, "__metadata__") != 0)
        return read_tensor(r, json, name);
    if (r->has_metadata)
        return fail_file(r, "__metadata__ is duplicated");
    r->has_metadata = true;
    return heed__json_object(json, read_text, r);
}

/* Checks that every byte of the data belongs to exactly one tensor. Returns false after heed_fail. */
static bool check_ranges(const reader *r)
{
    size_t end = 0;
    heed__sort_ranges(r->ranges.list, r->ranges.count);
    for (size_t i = 0; i < r->ranges.count; end = r->ranges.list[i++].end)
        if (r->ranges.list[i].begin != end)
            return fail_file(r, "its tensors overlap or leave unused bytes between them");
    return end == r->data_size ||
           heed_fail_false(HEED_ERR_FORMAT, r->where, "%s: there are %zu bytes after its last tensor", r->name,
                           r->data_size - end);
}

static bool read_header(reader *r)
{
    uint8_t size_bytes[8];
    uint64_t size = 0;
    if (!heed__stream_read(&r->source->stream, size_bytes, sizeof size_bytes))
        return false;
    for (int i = 7; i >= 0; i--)
        size = size << 8 | size_bytes[i];
    size_t max_size = r->source->stream.left < HEADER_MAX ? r->source->stream.left : HEADER_MAX;
    if (size > max_size)
        return heed__check_stream_format(&r->source->stream, HEED_FORMAT_SAFETENSORS, NULL, 0) &&
               heed_fail_false(HEED_ERR_FORMAT, r->where,
                               "%s is not a .safetensors file: the size of its header is %" PRIu64
                               ": must be at most %zu",
                               r->name, size, max_size);
    r->header = heed__charged_alloc(&r->source->stream, r->remaining, (size_t)size);
    if (!r->header)
        return false;
    r->header_size = (size_t)size;
    r->data = sizeof size_bytes + r->header_size;
    r->data_size = r->source->size - r->data;
    return heed__stream_read(&r->source->stream, r->header, r->header_size);
}

/* -- Interface ---------------------------------------------------------------------------------------------------- */

static bool read_members(reader *r)
{
    heed__json json = {
        .where = r->where, .source = r->name, .text = r->header, .size = r->header_size, .remaining = r->remaining};
    return heed__json_parse(&json, read_member, r);
}

static heed_dict *read_all(reader *r)
{
    r->where = r->source->stream.where;
    r->name = r->source->stream.name;
    r->dict = heed_dict_new();
    if (!r->dict || !read_header(r) || !read_members(r) || !check_ranges(r)) {
        heed_dict_free(r->dict);
        r->dict = NULL;
    }
    heed__charged_free(r->remaining, r->header, r->header_size);
    heed__ranges_free(&r->ranges);
    return r->dict;
}

heed_dict *heed__safetensors_read(heed__source *source, size_t *remaining)
{
    return read_all(&(reader){.source = source, .remaining = remaining});
}

heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_safetensors_read");
    size_t limit = heed__read_limit(options);
    heed__source source;
    if (!heed__source_open(&source, "io_safetensors_read", path, limit))
        return NULL;
    source.stream.rows = heed__read_rows(options);
    heed_dict *dict = heed__safetensors_read(&source, &limit);
    heed__source_close(&source);
    return dict;
}

heed_dict *heed_io_safetensors_parse(const void *bytes, size_t size, const heed_io_read_options *options)
{
    HEED_ENTER("io_safetensors_parse");
    size_t limit = heed__read_limit(options);
    heed__source source;
    if (!heed__source_memory(&source, "io_safetensors_parse", "safetensors", bytes, size, limit))
        return NULL;
    source.stream.rows = heed__read_rows(options);
    return heed__safetensors_read(&source, &limit);
}

heed_dataset *heed_io_safetensors_dataset(const char *path, const char *const *names, int k)
{
    const char *where = "io_safetensors_dataset";
    HEED_ENTER(where);
    heed__source source;
    heed__rows_tensor tensors[HEED_DATASET_MAX] = {{.converted = false}};
    bool found[HEED_DATASET_MAX] = {false};
    size_t remaining = SIZE_MAX;
    if (!heed__rows_check_names(where, names, k) || !heed__source_open(&source, where, path, SIZE_MAX))
        return NULL;
    heed_dict *dict = read_all(&(reader){
        .source = &source, .remaining = &remaining, .names = names, .k = k, .tensors = tensors, .found = found});
    bool ok = dict && heed__rows_check_found(&source.stream, names, found, k);
    heed_dict_free(dict);
    if (ok)
        return heed__rows_dataset(&source, tensors, k);
    heed__source_close(&source);
    return NULL;
}
