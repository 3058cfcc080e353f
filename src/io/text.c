/* io/text.c - what messages show of paths and of file contents. */

#include "io/text.h"

#include <string.h>

#include "base/utf8.h"

#define DOTS 3
#define EXCERPT_BYTES 40

static void append(char **out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *(*out)++ = (unsigned char)text[i] < ' ' || text[i] == '\x7f' ? '?' : text[i];
    **out = '\0';
}

heed__path_excerpt heed__path_text(const char *path)
{
    heed__path_excerpt text;
    char *out = text.s;
    path = *path ? path : "\"\"";
    size_t size = strlen(path);
    if (size >= sizeof text.s) {
        path += size - (sizeof text.s - 1 - DOTS);
        while (heed__utf8_is_tail(*path))
            path++;
        append(&out, "...", DOTS);
    }
    append(&out, path, strlen(path));
    return text;
}

heed__excerpt_text heed__excerpt(const char *text, size_t size)
{
    heed__excerpt_text excerpt;
    char *out = excerpt.s;
    size_t line = 0;
    while (line < size && text[line] != '\n' && text[line] != '\r')
        line++;
    size_t shown = line;
    if (line > EXCERPT_BYTES) {
        shown = EXCERPT_BYTES;
        while (shown > 0 && heed__utf8_is_tail(text[shown]))
            shown--;
    }
    append(&out, text, shown);
    if (shown < size)
        append(&out, "...", DOTS);
    return excerpt;
}
