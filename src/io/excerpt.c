/* io/excerpt.c - formats paths and file contents for messages. */

#include "io/excerpt.h"

#include <string.h>

#include "base/escape.h"

static const char dots[] = "...";

#define DOTS (sizeof dots - 1)
#define EXCERPT_BYTES 40

/* Returns the size of a text after escaping. */
static size_t escaped_size(const char *text, size_t size)
{
    size_t escaped = 0;
    for (size_t at = 0; at < size;) {
        const heed__escape_piece p = heed__escape_next(text + at, size - at);
        escaped += p.size;
        at += p.consumed;
    }
    return escaped;
}

heed__path_excerpt_text heed__path_excerpt(const char *path)
{
    heed__path_excerpt_text text;
    path = *path ? path : "\"\"";
    size_t size = strlen(path), escaped = escaped_size(path, size), used = 0;
    if (escaped >= sizeof text.s) {
        memcpy(text.s, dots, DOTS);
        used = DOTS;
    }
    while (escaped >= sizeof text.s - used) {
        const heed__escape_piece p = heed__escape_next(path, size);
        path += p.consumed;
        size -= p.consumed;
        escaped -= p.size;
    }
    (void)heed__escape_copy(path, size, text.s + used, sizeof text.s - used);
    return text;
}

heed__excerpt_text heed__excerpt(const char *text, size_t size)
{
    heed__excerpt_text excerpt;
    size_t line = 0;
    while (line < size && text[line] != '\n' && text[line] != '\r')
        line++;
    if (heed__escape_copy(text, line, excerpt.s, EXCERPT_BYTES + 1) < size)
        memcpy(excerpt.s + strlen(excerpt.s), dots, sizeof dots);
    return excerpt;
}
