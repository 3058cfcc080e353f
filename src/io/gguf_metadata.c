/* io/gguf_metadata.c - reads the header of a .gguf file: little-endian numbers, names, and the metadata: keys, value
 * types and values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#include "base/decimal.h"
#include "base/utf8.h"
#include "io/elements.h"
#include "io/gguf.h"

#define DEPTH_MAX 4 /* maximum depth of nested arrays */

/* The types of values, numbered as in the format. BOOL8 is the format's bool; the name BOOL is defined by Windows. */
enum { U8, I8, U16, I16, U32, I32, F32, BOOL8, STRING, ARRAY, U64, I64, F64, VALUE_TYPES };

/* The sizes of numbers, and their elements; U64 is no element. */
typedef struct value_type {
    uint8_t size;
    heed__element element;
} value_type;
static const value_type value_types[VALUE_TYPES] = {
    [U8] = {1, HEED_ELEMENT_U8},   [I8] = {1, HEED_ELEMENT_I8},      [U16] = {2, HEED_ELEMENT_U16},
    [I16] = {2, HEED_ELEMENT_I16}, [U32] = {4, HEED_ELEMENT_U32},    [I32] = {4, HEED_ELEMENT_I32},
    [F32] = {4, HEED_ELEMENT_F32}, [BOOL8] = {1, HEED_ELEMENT_BOOL}, [U64] = {8, HEED_ELEMENT_I64},
    [I64] = {8, HEED_ELEMENT_I64}, [F64] = {8, HEED_ELEMENT_F64}};

/* -- Numbers and names --------------------------------------------------------------------------------------------- */

static bool read_buffered(heed__stream *stream, void *to, size_t size)
{
    heed__gguf *g = (heed__gguf *)stream;
    size_t at = g->source->size - stream->left;
    for (char *out = to; size > 0;) {
        if (at < g->begin || at >= g->begin + g->filled) {
            const size_t left = g->source->size - at;
            heed__source_seek(g->source, at);
            g->begin = at;
            g->filled = left < sizeof g->buffer ? left : sizeof g->buffer;
            if (!heed__stream_read(&g->source->stream, g->buffer, g->filled))
                return false;
        }
        const size_t available = g->begin + g->filled - at, n = size < available ? size : available;
        memcpy(out, g->buffer + (at - g->begin), n);
        at += n;
        out += n;
        size -= n;
    }
    return true;
}

void heed__gguf_begin(heed__gguf *g, heed__source *source)
{
    g->source = source;
    g->stream = source->stream;
    g->stream.read = read_buffered;
}

bool heed__gguf_number(heed__gguf *g, size_t size, uint64_t *number)
{
    uint8_t bytes[8];
    const bool read = heed__stream_read(&g->stream, bytes, size);
    *number = read ? heed__little_endian(bytes, size) : 0;
    return read;
}

/* Reads the length of a string and checks that its bytes are in the file. Returns false after heed_fail. */
static bool read_length(heed__gguf *g, size_t *size)
{
    uint64_t length;
    if (!heed__gguf_number(g, 8, &length) || !heed__stream_has(&g->stream, length))
        return false;
    *size = (size_t)length;
    return true;
}

/* Checks a text of `size` bytes, followed by a NUL. Returns NULL if a dict can hold it, else the problem, for a
 * message: "is not UTF-8". */
static const char *text_problem(const char *text, size_t size)
{
    return memchr(text, '\0', size) ? "has a NUL" : heed__utf8_size(text) != size ? "is not UTF-8" : NULL;
}

bool heed__gguf_name(heed__gguf *g, const char *what)
{
    size_t size;
    if (!read_length(g, &size))
        return false;
    if (size == 0 || size > HEED_GGUF_NAME_MAX)
        return heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": the name of a %s has %zu bytes: must be 1 to %d", what,
                                 size, HEED_GGUF_NAME_MAX);
    g->name[size] = '\0';
    if (!heed__stream_read(&g->stream, g->name, size))
        return false;
    const char *problem = text_problem(g->name, size);
    return !problem || heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": the name of a %s %s", what, problem);
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* Calls heed_fail because of the current key. Returns false. */
static bool fail_key(const heed__gguf *g, const char *reason)
{
    return heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": key \"%s\" %s", heed__excerpt(g->name, strlen(g->name)).s,
                             reason);
}

static bool read_value_type(heed__gguf *g, uint64_t *type)
{
    return heed__gguf_number(g, 4, type) &&
           (*type < VALUE_TYPES ||
            heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": key \"%s\" has value type %" PRIu64 ": must be 0 to %d",
                              heed__excerpt(g->name, strlen(g->name)).s, *type, VALUE_TYPES - 1));
}

static bool charge_text(heed__gguf *g, size_t size)
{
    return heed__charge_memory(&g->stream, HEED_TEXT_COST + strlen(g->name) + size);
}

static bool read_string_value(heed__gguf *g)
{
    size_t size;
    if (!read_length(g, &size) || !charge_text(g, size))
        return false;
    char *text = heed__charged_alloc(&g->stream, size + 1); /* the dict makes a copy */
    if (!text)
        return false;
    text[size] = '\0';
    bool done = heed__stream_read(&g->stream, text, size);
    const char *problem = done ? text_problem(text, size) : NULL;
    if (problem)
        done = heed__stream_fail(&g->stream, HEED_ERR_FORMAT, ": the text of key \"%s\" %s",
                                 heed__excerpt(g->name, strlen(g->name)).s, problem);
    done = done && heed_dict_set_text(g->dict, g->name, text) == HEED_OK;
    heed__charged_free(&g->stream, text, size + 1);
    return done;
}

static bool is_alignment(const heed__gguf *g)
{
    return strcmp(g->name, "general.alignment") == 0;
}

static bool read_number_value(heed__gguf *g, uint64_t type)
{
    char text[40];
    uint8_t bytes[8];
    const value_type *v = &value_types[type];
    if (!heed__stream_read(&g->stream, bytes, v->size))
        return false;
    const uint64_t bits = heed__little_endian(bytes, v->size);
    if (type == BOOL8 && bits > 1)
        return fail_key(g, "has a bool that is neither 0 nor 1");
    if (type == BOOL8)
        (void)snprintf(text, sizeof text, "%s", bits ? "true" : "false");
    else if (type == F32 || type == F64)
        heed__decimal_print(text, sizeof text, heed__element_number(v->element, bytes, false), type == F32);
    else if (type == U64)
        (void)snprintf(text, sizeof text, "%" PRIu64, bits);
    else
        (void)snprintf(text, sizeof text, "%" PRId64, heed__element_integer(v->element, bits));
    if (is_alignment(g)) {
        if (bits == 0 || bits % 8 != 0)
            return fail_key(g, "must be a positive multiple of 8");
        g->alignment = (size_t)bits;
    }
    return charge_text(g, strlen(text)) && heed_dict_set_text(g->dict, g->name, text) == HEED_OK;
}

/* -- Values: arrays ------------------------------------------------------------------------------------------------ */

/* Skips `count` values of a type other than array. */
static bool skip_values(heed__gguf *g, uint64_t type, uint64_t count)
{
    size_t size;
    uint64_t bytes;
    if (type != STRING)
        return __builtin_mul_overflow(count, value_types[type].size, &bytes)
                   ? fail_key(g, "has more values than the file can hold")
                   : heed__stream_skip(&g->stream, bytes);
    for (uint64_t i = 0; i < count; i++)
        if (!read_length(g, &size) || !heed__stream_skip(&g->stream, size))
            return false;
    return true;
}

/* Skips an array, which may contain arrays. pending[depth] is the number of arrays still to be skipped at that
 * depth. */
static bool skip_array(heed__gguf *g)
{
    uint64_t pending[DEPTH_MAX] = {1};
    for (int depth = 0; depth >= 0;) {
        uint64_t type, count;
        if (pending[depth] == 0) {
            depth--;
            continue;
        }
        pending[depth]--;
        if (!read_value_type(g, &type) || !heed__gguf_number(g, 8, &count))
            return false;
        if (type != ARRAY) {
            if (!skip_values(g, type, count))
                return false;
        } else if (++depth < DEPTH_MAX) {
            pending[depth] = count;
        } else {
            return heed__stream_fail(&g->stream, HEED_ERR_UNSUPPORTED, ": key \"%s\" has arrays nested deeper than %d",
                                     heed__excerpt(g->name, strlen(g->name)).s, DEPTH_MAX);
        }
    }
    return true;
}

bool heed__gguf_read_value(heed__gguf *g)
{
    uint64_t type;
    if (!heed__gguf_name(g, "key") || !read_value_type(g, &type))
        return false;
    if (heed_dict_text(g->dict, g->name) || heed_dict_text(g->arrays, g->name))
        return fail_key(g, "is duplicated");
    if (type != U32 && is_alignment(g))
        return fail_key(g, "must be a u32");
    if (type != ARRAY)
        return type == STRING ? read_string_value(g) : read_number_value(g, type);
    /* records the key without its values, so that a later duplicate of the key is detected */
    return charge_text(g, 0) && heed_dict_set_text(g->arrays, g->name, "") == HEED_OK && skip_array(g);
}
