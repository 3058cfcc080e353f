/* io/safetensors_write.c - writes .safetensors. The header lists tensors in their order; the elements lie by falling size
 * of their type, behind a header that is padded to 8 bytes, so that all are aligned. */

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checksum.h"
#include "io/data.h"
#include "io/elements.h"
#include "io/safetensors.h"

#define ALIGNMENT 8
#define HEADER_MAX 100000000u /* the format's own limit */

/* -- Text: counted first, then written ---------------------------------------------------------------------------- */

typedef struct text {
    char *s; /* NULL: only the size is wanted */
    size_t size;
} text;

static void put(text *t, const char *bytes, size_t size)
{
    if (t->s)
        memcpy(t->s + t->size, bytes, size);
    t->size += size;
}

static void put_words(text *t, const char *words)
{
    put(t, words, strlen(words));
}

static void put_number(text *t, uint64_t number)
{
    char digits[24];
    put(t, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number));
}

/* A string of JSON; s is UTF-8. */
static void put_string(text *t, const char *s)
{
    put(t, "\"", 1);
    for (; *s; s++) {
        char escape[8];
        if (*s == '"' || *s == '\\')
            put(t, "\\", 1);
        if ((unsigned char)*s < ' ')
            put(t, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*s));
        else
            put(t, s, 1);
    }
    put(t, "\"", 1);
}

/* -- The header --------------------------------------------------------------------------------------------------- */

static void put_metadata(text *t, const heed_dict *dict)
{
    int64_t count = heed_dict_text_count(dict);
    if (count == 0)
        return;
    put_words(t, "\"__metadata__\":{");
    for (int64_t i = 0; i < count; i++) {
        const char *key = heed_dict_text_key(dict, i);
        put_words(t, i > 0 ? "," : "");
        put_string(t, key);
        put_words(t, ":");
        put_string(t, heed_dict_text(dict, key));
    }
    put_words(t, heed_dict_size(dict) > 0 ? "}," : "}");
}

static void put_tensor(text *t, const char *name, const heed_tensor *tensor, uint64_t begin, uint64_t end)
{
    heed_shape shape = heed_shape_of(tensor);
    put_string(t, name);
    put_words(t, ":{\"dtype\":\"");
    put_words(t, heed__element_name(heed__element_of(heed_dtype_of(tensor))));
    put_words(t, "\",\"shape\":[");
    for (int i = 0; i < shape.rank; i++) {
        put_words(t, i > 0 ? "," : "");
        put_number(t, (uint64_t)shape.dims[i]);
    }
    put_words(t, "],\"data_offsets\":[");
    put_number(t, begin);
    put_words(t, ",");
    put_number(t, end);
    put_words(t, "]}");
}

/* places: where each tensor's elements begin; parts: how many bytes they have. */
static void put_header(text *t, const heed_dict *dict, const uint64_t *places, const heed_part *parts)
{
    int64_t count = heed_dict_size(dict);
    put_words(t, "{");
    put_metadata(t, dict);
    for (int64_t i = 0; i < count; i++) {
        put_words(t, i > 0 ? "," : "");
        put_tensor(t, heed_dict_name(dict, i), heed_dict_at(dict, i), places[i], places[i] + parts[i].size);
    }
    put_words(t, "}");
    while (t->size % ALIGNMENT != 0)
        put_words(t, " ");
}

/* -- The file ----------------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *where;
    bool checksum;
    heed_part *elements; /* of each tensor */
    uint64_t *places;
    heed_part *parts; /* of the file: the header's size, the header, all elements */
    size_t count;
} file;

/* Each tensor's elements, and where they are to lie. */
static bool place_tensors(file *f, const heed_dict *dict)
{
    uint64_t place = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(heed_dict_name(dict, (int64_t)i), "__metadata__") == 0) {
            heed_fail(HEED_ERR_ARGUMENT, f->where, "a tensor cannot be called __metadata__");
            return false;
        }
        if (!heed__io_part(f->where, heed_dict_at(dict, (int64_t)i), &f->elements[i]))
            return false;
    }
    heed_part *part = f->parts + 2;
    for (size_t size = ALIGNMENT; size > 0; size /= 2)
        for (size_t i = 0; i < f->count; i++)
            if (heed_dtype_size(heed_dtype_of(heed_dict_at(dict, (int64_t)i))) == size) {
                f->places[i] = place;
                place += f->elements[i].size;
                *part++ = f->elements[i];
            }
    return true;
}

static heed_status write_file(file *f, const char *path, const heed_dict *dict)
{
    text header = {0};
    if (!place_tensors(f, dict))
        return heed_error_code();
    put_header(&header, dict, f->places, f->elements);
    if (header.size > HEADER_MAX)
        return heed_fail(HEED_ERR_UNSUPPORTED, f->where, "the header would have %zu bytes: the format allows %u",
                         header.size, HEADER_MAX);
    uint8_t digits[8];
    for (size_t i = 0; i < sizeof digits; i++)
        digits[i] = (uint8_t)((uint64_t)header.size >> 8 * i);
    size_t size = header.size;
    header = (text){.s = heed_alloc(size)};
    if (!header.s)
        return HEED_ERR_NOMEM;
    put_header(&header, dict, f->places, f->elements);
    f->parts[0] = (heed_part){digits, sizeof digits};
    f->parts[1] = (heed_part){header.s, size};
    if (f->checksum)
        heed__checksum_stamp(header.s, size, f->parts, f->count + 2);
    heed_status status = heed__replace_file(f->where, path, f->parts, f->count + 2);
    heed_free(header.s, size);
    return status;
}

heed_status heed__safetensors_write(const char *where, const char *path, const heed_dict *dict, bool checksum)
{
    if (!path || !dict)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", path ? "the dict" : "path");
    heed_scope *scope = heed_no_grad_begin();
    file f = {.where = where, .checksum = checksum, .count = (size_t)heed_dict_size(dict)};
    size_t room = f.count + 2;
    f.elements = scope ? heed_calloc(room, sizeof *f.elements) : NULL;
    f.places = f.elements ? heed_calloc(room, sizeof *f.places) : NULL;
    f.parts = f.places ? heed_calloc(room, sizeof *f.parts) : NULL;
    heed_status status = f.parts ? write_file(&f, path, dict) : HEED_ERR_NOMEM;
    heed_free(f.parts, room * sizeof *f.parts);
    heed_free(f.places, room * sizeof *f.places);
    heed_free(f.elements, room * sizeof *f.elements);
    if (scope)
        heed_scope_end(scope);
    return status;
}

heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict)
{
    return heed__safetensors_write("io_safetensors_write", path, dict, false);
}
