/* io/csv_buffer.h - a growing buffer for the text of a CSV. */
#ifndef HEED_IO_CSV_BUFFER_H
#define HEED_IO_CSV_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/csv.h"

typedef struct heed__csv_buffer {
    char *bytes;
    size_t size, capacity;
    char separator;
    bool one_column; /* every line has one field; an empty field must be quoted, or the line would be blank */
    bool failed;     /* out of memory, after heed_fail; further additions are ignored */
} heed__csv_buffer;

/* Appends bytes unchanged. */
void heed__csv_append(heed__csv_buffer *buffer, const char *bytes, size_t size);

/* Appends a field, quoted if necessary. */
void heed__csv_append_field(heed__csv_buffer *buffer, const char *field);

void heed__csv_buffer_free(heed__csv_buffer *buffer);

#endif
