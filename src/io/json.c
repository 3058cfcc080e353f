/* io/json.c - see json.h. */

#include "io/json.h"

#include <stdbool.h>
#include <string.h>

#include <heed/memory.h>

#include "io/text.h"

#define MOST_NESTED 3

/* jansson goes down as deep as a text does, to 2048 levels, on a stack that may be small. */
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
        else if (!quoted && (c == '{' || c == '[') && ++depth > MOST_NESTED)
            return false;
    }
    return true;
}

/* Out of memory, jansson mostly says nothing at all. */
static void fail_json(const char *where, const char *source, const json_error_t *error)
{
    if (!*error->text || json_error_code(error) == json_error_out_of_memory)
        heed_fail(HEED_ERR_NOMEM, where, "%s: no memory for the tree of its header", source);
    else
        heed_fail(HEED_ERR_FORMAT, where, "%s: its header, which is JSON, is wrong at byte %d: %s", source,
                  error->position, heed__excerpt(error->text, strlen(error->text)).s);
}

json_t *heed__json_parse(const char *where, const char *source, const char *text, size_t size)
{
    json_error_t error = {.text = ""};
    json_t *tree = NULL;
    if (size == 0 || *text != '{')
        heed_fail(HEED_ERR_FORMAT, where, "%s: its header does not begin with '{'", source);
    else if (!is_shallow(text, size))
        heed_fail(HEED_ERR_FORMAT, where, "%s: its header, which is JSON, is nested deeper than %d", source,
                  MOST_NESTED);
    else if (!(tree = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error)))
        fail_json(where, source, &error);
    return tree;
}

/* json_dumpb, which needs memory even to print into a buffer: false after heed_fail when there was none. */
static bool print(const char *where, const json_t *tree, char *text, size_t room, size_t *length)
{
    *length = json_dumpb(tree, text, room, JSON_COMPACT);
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
