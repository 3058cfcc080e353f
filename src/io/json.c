/* io/json.c - parses the JSON header of a file member by member.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/json.h"

#include <string.h>

#include <heed/memory.h>

#define MAX_DEPTH 3

static bool fail_at(const heed__json *json, size_t at, const char *what)
{
    return heed__stream_fail(json->stream, HEED_ERR_FORMAT, ": its JSON is invalid at byte %zu: %s", at, what);
}

/* Skips white space. Returns the next character, or NUL at the end. */
static char next_character(heed__json *json)
{
    static const char space[] = {' ', '\t', '\n', '\r'};
    while (json->at < json->size && memchr(space, json->text[json->at], sizeof space))
        json->at++;
    return json->at < json->size ? json->text[json->at] : '\0';
}

/* -- Strings and values, parsed by jansson ------------------------------------------------------------------------- */

static void fail_value(const heed__json *json, const json_error_t *error, bool truncated)
{
    static const char no_token[] = "invalid token";
    /* if an allocation fails, jansson gives no reason, or reports a string as an invalid token */
    const bool lacks_memory =
        !*error->text || (strncmp(error->text, no_token, sizeof no_token - 1) == 0 && json->text[json->at] == '"');
    if (lacks_memory)
        (void)heed__stream_fail(json->stream, HEED_ERR_NOMEM, ": no memory for a value of its JSON");
    else if (truncated && json_error_code(error) == json_error_premature_end_of_input)
        fail_at(json, json->at, "a value that is too long");
    else
        fail_at(json, json->at + (size_t)error->position, heed__excerpt(error->text, strlen(error->text)).s);
}

json_t *heed__json_value(heed__json *json, size_t max_size)
{
    json_error_t error;
    (void)next_character(json);
    size_t left = json->size - json->at, size = left < max_size ? left : max_size;
    json_t *value = json_loadb(json->text + json->at, size,
                               JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
    if (value)
        json->at += (size_t)error.position; /* position is the number of bytes read */
    else
        fail_value(json, &error, size < left);
    return value;
}

/* Returns true if the memory limit allows reading the next string, for which jansson needs up to four times its length;
 * else false after heed_fail. */
static bool fits_limit(const heed__json *json)
{
    size_t end = json->at + 1;
    while (end < json->size && json->text[end] != '"')
        end += json->text[end] == '\\' ? 2 : 1;
    return (end - json->at) <= *json->stream->memory / 4 ||
           heed__stream_fail(json->stream, HEED_ERR_UNSUPPORTED,
                             ": a string needs up to %zu bytes of memory, but only %zu remain of the limit (max_bytes)",
                             4 * (end - json->at), *json->stream->memory);
}

json_t *heed__json_string(heed__json *json)
{
    if (next_character(json) == '"')
        return fits_limit(json) ? heed__json_value(json, json->size) : NULL;
    fail_at(json, json->at, "must be a string");
    return NULL;
}

/* -- Objects ------------------------------------------------------------------------------------------------------- */

/* Returns true if the text is nested at most MAX_DEPTH levels deep. Checked because jansson recurses at every level, up
 * to 2048 levels, and the stack may be small. */
static bool is_shallow(const char *text, size_t size)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '}' || c == ']'))
            depth--;
        else if (!quoted && (c == '{' || c == '[') && ++depth > MAX_DEPTH)
            return false;
    }
    return true;
}

static bool expect(heed__json *json, char expected, const char *what)
{
    if (next_character(json) != expected)
        return fail_at(json, json->at, what);
    json->at++;
    return true;
}

bool heed__json_object(heed__json *json, heed__json_member *member, void *user)
{
    if (!expect(json, '{', "must be '{'"))
        return false;
    bool more = next_character(json) != '}';
    while (more) {
        json_t *name = heed__json_string(json);
        const bool read = name && expect(json, ':', "must be ':'") && member(json, json_string_value(name), user);
        json_decref(name);
        if (!read)
            return false;
        more = next_character(json) == ',';
        json->at += more;
    }
    return expect(json, '}', "must be ',' or '}'");
}

bool heed__json_parse(heed__json *json, heed__json_member *member, void *user)
{
    if (json->size == 0 || *json->text != '{')
        return heed__stream_fail(json->stream, HEED_ERR_FORMAT, ": its JSON does not begin with '{'");
    if (!is_shallow(json->text, json->size))
        return heed__stream_fail(json->stream, HEED_ERR_FORMAT, ": its JSON is nested deeper than %d levels",
                                 MAX_DEPTH);
    if (!heed__json_object(json, member, user))
        return false;
    (void)next_character(json);
    return json->at == json->size || fail_at(json, json->at, "must be the end");
}

/* -- Printing ------------------------------------------------------------------------------------------------------ */

/* Calls json_dumpb, which allocates even to print into a buffer. Returns false after heed_fail if out of memory. */
static bool print(const char *where, const json_t *tree, char *text, size_t capacity, size_t *length)
{
    *length = json_dumpb(tree, text, capacity, JSON_COMPACT);
    if (*length == 0)
        heed_fail(HEED_ERR_NOMEM, where, "no memory to print JSON");
    return *length > 0;
}

char *heed__json_print(const char *where, const json_t *tree, size_t unit, size_t *size)
{
    size_t length;
    if (!print(where, tree, NULL, 0, &length))
        return NULL;
    *size = (length + unit - 1) / unit * unit;
    char *text = heed_alloc(*size);
    if (!text)
        return NULL;
    memset(text, ' ', *size);
    if (print(where, tree, text, length, &length))
        return text;
    heed_free(text, *size);
    return NULL;
}
