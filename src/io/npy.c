/* io/npy.c - reads and writes .npy (numpy.lib.format): "\x93NUMPY", two bytes of version, the size of the header in two
 * bytes (version 1) or four (2 and 3), the header, the elements.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/npy.h"

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/replace.h"
#include "io/rows.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6
#define HEADER_MAX 10000 /* NumPy's own limit */
#define ALIGNMENT 64     /* the elements' offset in the file is a multiple of this */

/* -- The header, a subset of Python -------------------------------------------------------------------------------- */

typedef struct npy_parser {
    const heed__stream *stream;
    const char *at, *end;
    heed__file_layout *layout;
} npy_parser;

typedef struct npy_token {
    const char *text;
    size_t size;
} npy_token;

static bool fail_header(const npy_parser *p, const char *expected)
{
    return heed__stream_fail(p->stream, HEED_ERR_FORMAT, ": invalid header at \"%s\": expected %s",
                             heed__excerpt(p->at, (size_t)(p->end - p->at)).s, expected);
}

static bool fail_dtype(const npy_parser *p, npy_token w)
{
    return heed__stream_fail(p->stream, HEED_ERR_UNSUPPORTED, ": dtype %s is not supported",
                             heed__excerpt(w.text, w.size).s);
}

static void skip_npy_space(npy_parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* If c comes next, consumes it and returns true. */
static bool consume_npy(npy_parser *p, char c)
{
    skip_npy_space(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* Parses 'word' or "word", without escapes. */
static bool parse_string(npy_parser *p, npy_token *w)
{
    skip_npy_space(p);
    const char quote = p->at < p->end ? *p->at : '\0';
    if (quote != '\'' && quote != '"')
        return fail_header(p, "a quoted string");
    const char *end = p->at + 1;
    while (end < p->end && *end != quote && *end != '\\' && *end != '\n')
        end++;
    if (end == p->end || *end != quote)
        return fail_header(p, "a closing quote");
    *w = (npy_token){p->at + 1, (size_t)(end - p->at) - 1};
    p->at = end + 1;
    return true;
}

static bool parse_bool(npy_parser *p, bool *value)
{
    skip_npy_space(p);
    size_t left = (size_t)(p->end - p->at);
    *value = left >= 4 && memcmp(p->at, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(p->at, "False", 5) == 0))
        return fail_header(p, "True or False");
    p->at += *value ? 4 : 5;
    return true;
}

/* Parses digits, optionally followed by the L that Python 2 prints after a long. */
static bool parse_dim(npy_parser *p, int64_t *dim)
{
    skip_npy_space(p);
    const char *start = p->at;
    *dim = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(*dim, 10, dim) || __builtin_add_overflow(*dim, *p->at - '0', dim)) {
            p->at = start;
            return fail_header(p, "a dim below 2^63");
        }
    if (p->at == start)
        return fail_header(p, "a dim");
    if (p->at < p->end && *p->at == 'L')
        p->at++;
    return true;
}

/* Parses a tuple: (), (3,) or (3, 4). */
static bool parse_tuple(npy_parser *p)
{
    heed_shape *shape = &p->layout->shape;
    if (!consume_npy(p, '('))
        return fail_header(p, "a shape");
    bool comma = true;
    for (shape->rank = 0; !consume_npy(p, ')'); shape->rank++) {
        if (!comma)
            return fail_header(p, "',' or ')'");
        if (shape->rank == HEED_MAX_RANK)
            return heed__stream_fail(p->stream, HEED_ERR_UNSUPPORTED, ": the shape has more than %d dims",
                                     HEED_MAX_RANK);
        if (!parse_dim(p, &shape->dims[shape->rank]))
            return false;
        comma = consume_npy(p, ',');
    }
    return shape->rank != 1 || comma || fail_header(p, "a comma in the shape of one dim, (n,)");
}

/* Returns the element type of a dtype such as "<f4": byte order, kind, bytes per element. "=", "|" and a missing byte
 * order stand for this machine's, as in NumPy; "?" is a bool. */
static bool element_of_descr(npy_token w, heed__file_layout *layout)
{
    const char order = w.size > 0 && memchr("<>=|", w.text[0], 4) ? w.text[0] : '=';
    const char *type = w.text + (w.size > 0 && order == w.text[0]);
    const size_t left = w.size - (size_t)(type - w.text);
    layout->big_endian = order == '>' || (order != '<' && HEED_BIG_ENDIAN);
    if (left == 1 && *type == '?')
        return heed__element_of_kind('b', 1, &layout->element);
    return left == 2 && type[1] >= '1' && type[1] <= '8' &&
           heed__element_of_kind(type[0], (size_t)(type[1] - '0'), &layout->element);
}

static bool parse_descr(npy_parser *p)
{
    skip_npy_space(p);
    if (p->at < p->end && *p->at == '[')
        return fail_dtype(p, (npy_token){p->at, (size_t)(p->end - p->at)});
    npy_token w;
    if (!parse_string(p, &w))
        return false;
    return element_of_descr(w, p->layout) || fail_dtype(p, w);
}

static bool parse_dict(npy_parser *p)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool found[3] = {false};
    bool comma = true;
    if (!consume_npy(p, '{'))
        return fail_header(p, "a dict");
    while (!consume_npy(p, '}')) {
        npy_token w;
        if (!comma)
            return fail_header(p, "',' or '}'");
        if (!parse_string(p, &w))
            return false;
        int key = 0;
        while (key < 3 && (w.size != strlen(keys[key]) || memcmp(w.text, keys[key], w.size) != 0))
            key++;
        if (key == 3 || found[key])
            return fail_header(p, "the keys 'descr', 'fortran_order' and 'shape', once each, and no other key");
        found[key] = true;
        if (!consume_npy(p, ':'))
            return fail_header(p, "':'");
        if (!(key == 0 ? parse_descr(p) : key == 1 ? parse_bool(p, &p->layout->fortran) : parse_tuple(p)))
            return false;
        comma = consume_npy(p, ',');
    }
    return (found[0] && found[1] && found[2]) || fail_header(p, "all of the keys 'descr', 'fortran_order' and 'shape'");
}

/* Parses a dict as Python prints it, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: exactly these three
 * keys, once each, in any order. Returns false after heed_fail with HEED_ERR_FORMAT, or HEED_ERR_UNSUPPORTED for a
 * dtype or a rank that tensors do not support. */
static bool parse_npy_header(const heed__stream *stream, const char *text, size_t size, heed__file_layout *layout)
{
    *layout = (heed__file_layout){0};
    npy_parser p = {.stream = stream, .at = text, .end = text + size, .layout = layout};
    if (!parse_dict(&p))
        return false;
    skip_npy_space(&p);
    return p.at == p.end || fail_header(&p, "the end of the header");
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

/* Reads the magic number, the version and the size of the header's text. Returns false after heed_fail. */
static bool read_npy_start(heed__stream *stream, uint32_t *size)
{
    uint8_t magic[MAGIC_SIZE + 2], size_bytes[4];
    if (!heed__stream_read(stream, magic, sizeof magic))
        return false;
    if (memcmp(magic, MAGIC, MAGIC_SIZE) != 0)
        return heed__check_stream_format(stream, HEED_FORMAT_NPY, magic, sizeof magic) &&
               heed__stream_fail(stream, HEED_ERR_FORMAT,
                                 " is not an .npy file: it does not begin with \"\\x93NUMPY\"");
    if (magic[6] < 1 || magic[6] > 3 || magic[7] != 0)
        return heed__stream_fail(stream, HEED_ERR_UNSUPPORTED, ": version is %d.%d: must be 1.0, 2.0 or 3.0", magic[6],
                                 magic[7]);
    const size_t count = magic[6] == 1 ? 2 : 4;
    if (!heed__stream_read(stream, size_bytes, count))
        return false;
    *size = (uint32_t)heed__little_endian(size_bytes, count);
    return *size <= HEADER_MAX ||
           heed__stream_fail(stream, HEED_ERR_FORMAT, " has a header of %" PRIu32 " bytes: must be at most %d", *size,
                             HEADER_MAX);
}

static bool read_npy_header(heed__stream *stream, heed__file_layout *layout)
{
    uint32_t size = 0;
    if (!read_npy_start(stream, &size))
        return false;
    char *text = heed_alloc(HEADER_MAX);
    bool read = text && heed__stream_read(stream, text, size) && parse_npy_header(stream, text, size, layout);
    heed_free(text, HEADER_MAX);
    return read;
}

bool heed__npy_layout(heed__stream *stream, heed__file_layout *layout, size_t *bytes)
{
    if (!read_npy_header(stream, layout) || !heed__layout_bytes(stream, layout, bytes))
        return false;
    return *bytes == stream->left ||
           heed__stream_fail(stream, HEED_ERR_FORMAT, " has %zu bytes of elements, but shape %s needs %zu",
                             stream->left, heed_shape_text(layout->shape).s, *bytes);
}

heed_tensor *heed__npy_read(heed__stream *stream)
{
    heed__file_layout layout;
    size_t bytes;
    return heed__npy_layout(stream, &layout, &bytes) ? heed__read_tensor(stream, &layout, bytes) : NULL;
}

static void *read_npy(heed__source *source)
{
    if (source->stream.names)
        return heed_fail_null(HEED_ERR_ARGUMENT, source->stream.where,
                              "names must be NULL: an .npy file has one tensor, without a name");
    return heed__npy_read(&source->stream);
}

heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_npy_read");
    return heed__read_source("io_npy_read", "npy", path, options, read_npy);
}

heed_dataset *heed_io_npy_dataset(const char *path)
{
    HEED_ENTER("io_npy_dataset");
    heed__source source;
    heed__rows_tensor t = {.converted = false};
    size_t bytes;
    if (!heed__source_open(&source, "io_npy_dataset", path, HEED_READ_UNLIMITED))
        return NULL;
    if (!heed__npy_layout(&source.stream, &t.layout, &bytes)) {
        heed__source_close(&source);
        return NULL;
    }
    t.offset = source.size - bytes;
    return heed__rows_dataset(&source, &t, 1);
}

/* -- Writing ------------------------------------------------------------------------------------------------------- */

/* Writes a shape as a Python tuple, "(3, 4)", and returns its length. A tuple of one element has a comma: "(3,)". */
static size_t format_shape(heed_shape shape, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s", heed_shape_text(shape).s);
    if (shape.rank == 1) {
        text[length - 1] = ',';
        text[length++] = ')';
        text[length] = '\0';
    }
    return length;
}

size_t heed__npy_header(heed_dtype dtype, heed_shape shape, char header[HEED_NPY_HEADER_MAX])
{
    char dims[192];
    heed__element element = heed__element_of(dtype);
    (void)format_shape(shape, dims, sizeof dims);
    const size_t prefix = MAGIC_SIZE + 4;
    int length = snprintf(header + prefix, HEED_NPY_HEADER_MAX - prefix,
                          "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }", dtype == HEED_BOOL ? '|' : '<',
                          heed__elements[element].kind, heed__elements[element].size, dims);
    size_t used = prefix + (size_t)length, size = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', size - used);
    header[size - 1] = '\n';
    memcpy(header, MAGIC "\x01\x00", MAGIC_SIZE + 2);
    header[8] = (char)((size - prefix) & 0xFF);
    header[9] = (char)((size - prefix) >> 8);
    return size;
}

heed_status heed_io_npy_write(const char *path, heed_tensor *t)
{
    static const char where[] = "io_npy_write";
    HEED_ENTER(where);
    if (!path || !t)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", path ? "the tensor" : "path");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    char header[HEED_NPY_HEADER_MAX];
    heed__file_chunk chunks[2] = {
        {.bytes = header, .size = heed__npy_header(heed_dtype_of(t), heed_shape_of(t), header)}};
    heed_status status =
        heed__file_chunk_of(where, t, &chunks[1]) ? heed__replace_file(where, path, chunks, 2) : heed_error_code();
    heed_scope_end(scope);
    return status;
}
