/* io/csv_text.c - a growing buffer for the text of a CSV. */

#include "io/csv_text.h"

#include <string.h>

#include <heed/memory.h>

#define FIRST_ROOM ((size_t)4096)

static bool make_room(heed__csv_text *text, size_t size)
{
    size_t wanted = text->size + size, room = text->room ? text->room : FIRST_ROOM;
    while (room < wanted)
        room *= 2;
    if (room == text->room)
        return true;
    char *bytes = heed_alloc(room);
    if (!bytes)
        return false;
    if (text->size > 0)
        memcpy(bytes, text->bytes, text->size);
    if (text->bytes)
        heed_free(text->bytes, text->room);
    text->bytes = bytes;
    text->room = room;
    return true;
}

void heed__csv_put(heed__csv_text *text, const char *bytes, size_t size)
{
    text->failed = text->failed || !make_room(text, size);
    if (text->failed)
        return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/* At the beginning of a file, an unquoted byte order mark would be skipped on reading. */
static bool needs_quotes(const heed__csv_text *text, const char *field)
{
    const char special[] = {text->separator, '"', '\r', '\n', '\0'};
    return field[strcspn(field, special)] != '\0' || (*field == '\0' && text->alone) ||
           strncmp(field, "\xEF\xBB\xBF", 3) == 0;
}

void heed__csv_put_text(heed__csv_text *text, const char *field)
{
    if (!needs_quotes(text, field)) {
        heed__csv_put(text, field, strlen(field));
        return;
    }
    heed__csv_put(text, "\"", 1);
    for (const char *c = field; *c;) {
        size_t plain = strcspn(c, "\"");
        heed__csv_put(text, c, plain);
        c += plain;
        if (*c == '"') {
            heed__csv_put(text, "\"\"", 2);
            c++;
        }
    }
    heed__csv_put(text, "\"", 1);
}

void heed__csv_text_free(heed__csv_text *text)
{
    if (text->bytes)
        heed_free(text->bytes, text->room);
    text->bytes = NULL;
}
