/* io/npy_header.c - parses the subset of Python syntax used in .npy headers. */

#include "io/npy_header.h"

#include <string.h>

typedef struct parser {
    const heed__stream *stream;
    const char *at, *end;
    heed__file_layout *layout;
} parser;

typedef struct token {
    const char *text;
    size_t size;
} token;

static bool fail(const parser *p, const char *expected)
{
    return heed_fail_false(HEED_ERR_FORMAT, p->stream->where, "%s: invalid header at \"%s\": expected %s",
                           p->stream->name, heed__excerpt(p->at, (size_t)(p->end - p->at)).s, expected);
}

static bool fail_dtype(const parser *p, token w)
{
    return heed_fail_false(HEED_ERR_UNSUPPORTED, p->stream->where, "%s: dtype %s is not supported", p->stream->name,
                           heed__excerpt(w.text, w.size).s);
}

static bool equals(token w, const char *text)
{
    return w.size == strlen(text) && memcmp(w.text, text, w.size) == 0;
}

static void skip_space(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* If c comes next, consumes it and returns true. */
static bool consume(parser *p, char c)
{
    skip_space(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* Parses 'word' or "word", without escapes. */
static bool parse_string(parser *p, token *w)
{
    skip_space(p);
    const char quote = p->at < p->end ? *p->at : '\0';
    if (quote != '\'' && quote != '"')
        return fail(p, "a quoted string");
    const char *end = p->at + 1;
    while (end < p->end && *end != quote && *end != '\\' && *end != '\n')
        end++;
    if (end == p->end || *end != quote)
        return fail(p, "a closing quote");
    *w = (token){p->at + 1, (size_t)(end - p->at) - 1};
    p->at = end + 1;
    return true;
}

static bool parse_bool(parser *p, bool *value)
{
    skip_space(p);
    size_t left = (size_t)(p->end - p->at);
    *value = left >= 4 && memcmp(p->at, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(p->at, "False", 5) == 0))
        return fail(p, "True or False");
    p->at += *value ? 4 : 5;
    return true;
}

/* Parses digits, optionally followed by the L that Python 2 prints after a long. */
static bool parse_dim(parser *p, int64_t *dim)
{
    skip_space(p);
    const char *start = p->at;
    *dim = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(*dim, 10, dim) || __builtin_add_overflow(*dim, *p->at - '0', dim)) {
            p->at = start;
            return fail(p, "a dim below 2^63");
        }
    if (p->at == start)
        return fail(p, "a dim");
    if (p->at < p->end && *p->at == 'L')
        p->at++;
    return true;
}

/* Parses a tuple: (), (3,) or (3, 4). */
static bool parse_shape(parser *p)
{
    heed_shape *shape = &p->layout->shape;
    if (!consume(p, '('))
        return fail(p, "a shape");
    bool comma = true;
    for (shape->rank = 0; !consume(p, ')'); shape->rank++) {
        if (!comma)
            return fail(p, "',' or ')'");
        if (shape->rank == HEED_MAX_RANK)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, p->stream->where, "%s: the shape has more than %d dims",
                                   p->stream->name, HEED_MAX_RANK);
        if (!parse_dim(p, &shape->dims[shape->rank]))
            return false;
        comma = consume(p, ',');
    }
    return shape->rank != 1 || comma || fail(p, "a comma in the shape of one dim, (n,)");
}

/* Parses a dtype such as '<f4': byte order, kind, bytes per element. */
static bool parse_descr(parser *p)
{
    skip_space(p);
    if (p->at < p->end && *p->at == '[')
        return fail_dtype(p, (token){p->at, (size_t)(p->end - p->at)});
    token w;
    if (!parse_string(p, &w))
        return false;
    size_t size = w.size == 3 && w.text[2] >= '1' && w.text[2] <= '8' ? (size_t)(w.text[2] - '0') : 0;
    bool order = w.size == 3 && (w.text[0] == '<' || w.text[0] == '>' || (w.text[0] == '|' && size == 1));
    if (!order || !heed__element_of_kind(w.text[1], size, &p->layout->element))
        return fail_dtype(p, w);
    p->layout->big_endian = w.text[0] == '>';
    return true;
}

static bool parse_value(parser *p, int key)
{
    return key == 0 ? parse_descr(p) : key == 1 ? parse_bool(p, &p->layout->fortran) : parse_shape(p);
}

static bool parse_dict(parser *p)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool found[3] = {false};
    bool comma = true;
    if (!consume(p, '{'))
        return fail(p, "a dict");
    while (!consume(p, '}')) {
        token w;
        if (!comma)
            return fail(p, "',' or '}'");
        if (!parse_string(p, &w))
            return false;
        int key = 0;
        while (key < 3 && !equals(w, keys[key]))
            key++;
        if (key == 3 || found[key])
            return fail(p, "the keys 'descr', 'fortran_order' and 'shape', once each, and no other key");
        found[key] = true;
        if (!consume(p, ':'))
            return fail(p, "':'");
        if (!parse_value(p, key))
            return false;
        comma = consume(p, ',');
    }
    return (found[0] && found[1] && found[2]) || fail(p, "all of the keys 'descr', 'fortran_order' and 'shape'");
}

bool heed__npy_parse_header(const heed__stream *stream, const char *text, size_t size, heed__file_layout *layout)
{
    *layout = (heed__file_layout){0};
    parser p = {.stream = stream, .at = text, .end = text + size, .layout = layout};
    if (!parse_dict(&p))
        return false;
    skip_space(&p);
    return p.at == p.end || fail(&p, "the end of the header");
}
