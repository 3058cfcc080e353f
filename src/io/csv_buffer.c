/* io/csv_buffer.c - a growing buffer for the text of a CSV. */

#include "io/csv_buffer.h"

#include <string.h>

#include <heed/memory.h>

#define INITIAL_CAPACITY ((size_t)4096)

static bool grow_buffer(heed__csv_buffer *buffer, size_t size)
{
    size_t needed = buffer->size + size, capacity = buffer->capacity ? buffer->capacity : INITIAL_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    if (capacity == buffer->capacity)
        return true;
    char *bytes = heed_alloc(capacity);
    if (!bytes)
        return false;
    if (buffer->size > 0)
        memcpy(bytes, buffer->bytes, buffer->size);
    if (buffer->bytes)
        heed_free(buffer->bytes, buffer->capacity);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void heed__csv_append(heed__csv_buffer *buffer, const char *bytes, size_t size)
{
    buffer->failed = buffer->failed || !grow_buffer(buffer, size);
    if (buffer->failed)
        return;
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

/* Returns true if a field must be quoted. A field that begins with a byte order mark is quoted, because readers skip an
 * unquoted one at the beginning of a file. */
static bool needs_quotes(const heed__csv_buffer *buffer, const char *field)
{
    const char special[] = {buffer->separator, '"', '\r', '\n', '\0'};
    return field[strcspn(field, special)] != '\0' || (*field == '\0' && buffer->one_column) ||
           strncmp(field, "\xEF\xBB\xBF", 3) == 0;
}

void heed__csv_append_field(heed__csv_buffer *buffer, const char *field)
{
    if (!needs_quotes(buffer, field)) {
        heed__csv_append(buffer, field, strlen(field));
        return;
    }
    heed__csv_append(buffer, "\"", 1);
    for (const char *c = field; *c;) {
        size_t plain = strcspn(c, "\"");
        heed__csv_append(buffer, c, plain);
        c += plain;
        if (*c == '"') {
            heed__csv_append(buffer, "\"\"", 2);
            c++;
        }
    }
    heed__csv_append(buffer, "\"", 1);
}

void heed__csv_buffer_free(heed__csv_buffer *buffer)
{
    if (buffer->bytes)
        heed_free(buffer->bytes, buffer->capacity);
    buffer->bytes = NULL;
}
