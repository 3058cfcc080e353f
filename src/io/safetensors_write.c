/* io/safetensors_write.c - writes .safetensors. The header lists tensors in the dict's order. The elements are stored
 * in descending order of element size, after a header whose size is a multiple of 8 bytes, so that the elements of all
 * tensors are aligned. */

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checksum.h"
#include "io/elements.h"
#include "io/json.h"
#include "io/replace.h"
#include "io/safetensors.h"

#define ALIGNMENT 8
#define HEADER_MAX 100000000u /* the format's own limit */

/* -- The header --------------------------------------------------------------------------------------------------- */

static json_t *metadata(const heed_dict *dict)
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

static json_t *sizes(heed_shape shape)
{
    json_t *list = json_array();
    for (int i = 0; i < shape.rank; i++)
        if (json_array_append_new(list, json_integer(shape.dims[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *entry(const heed_tensor *t, uint64_t begin, uint64_t size)
{
    json_int_t first = (json_int_t)begin;
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", heed__element_name(heed__element_of(heed_dtype_of(t))), "shape",
                     sizes(heed_shape_of(t)), "data_offsets", first, first + (json_int_t)size);
}

/* Returns the header as JSON, or NULL if out of memory. The elements of tensor i are chunks[i].size bytes at
 * offsets[i]. */
static json_t *describe(const heed_dict *dict, const uint64_t *offsets, const heed__file_chunk *chunks)
{
    json_t *header = json_object();
    bool done =
        header && (heed_dict_text_count(dict) == 0 || json_object_set_new(header, "__metadata__", metadata(dict)) == 0);
    for (int64_t i = 0; done && i < heed_dict_size(dict); i++)
        done = json_object_set_new(header, heed_dict_name(dict, i),
                                   entry(heed_dict_at(dict, i), offsets[i], chunks[i].size)) == 0;
    if (done)
        return header;
    json_decref(header);
    return NULL;
}

/* Returns the header's text, padded, in a block of *size bytes, or NULL after heed_fail. */
static char *print_header(const char *where, const heed_dict *dict, const uint64_t *offsets,
                          const heed__file_chunk *chunks, size_t *size)
{
    json_t *header = describe(dict, offsets, chunks);
    if (!header)
        return heed_fail_null(HEED_ERR_NOMEM, where, "no memory for a header of %" PRId64 " tensors",
                              heed_dict_size(dict));
    char *text = heed__json_print(where, header, ALIGNMENT, size);
    json_decref(header);
    return text;
}

/* -- The file ----------------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *where;
    bool checksum;
    heed__file_chunk *elements; /* one chunk per tensor */
    uint64_t *offsets;
    heed__file_chunk *chunks; /* all chunks of the file: the header's size, the header, the elements */
    size_t count;
} file;

/* Makes a chunk of every tensor's elements and computes the offsets of these chunks. Returns false after heed_fail. */
static bool lay_out_tensors(file *f, const heed_dict *dict)
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

static heed_status write_file(file *f, const char *series, const char *path, const heed_dict *dict)
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
    file f = {.where = where, .checksum = checksum, .count = (size_t)heed_dict_size(dict)};
    size_t capacity = f.count + 2;
    f.elements = scope ? heed_calloc(capacity, sizeof *f.elements) : NULL;
    f.offsets = f.elements ? heed_calloc(capacity, sizeof *f.offsets) : NULL;
    f.chunks = f.offsets ? heed_calloc(capacity, sizeof *f.chunks) : NULL;
    heed_status status = f.chunks ? write_file(&f, series, path, dict) : HEED_ERR_NOMEM;
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
