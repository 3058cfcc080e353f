/* io/csv_text.h - a growing buffer for the text of a CSV. */
#ifndef HEED_IO_CSV_TEXT_H
#define HEED_IO_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/csv.h"

typedef struct heed__csv_text {
    char *bytes;
    size_t size, room;
    char separator;
    bool alone;  /* lines have one field: an empty one must be quoted, or the line would be blank */
    bool failed; /* out of memory, after heed_fail; further additions are ignored */
} heed__csv_text;

/* Appends bytes unchanged. */
void heed__csv_put(heed__csv_text *text, const char *bytes, size_t size);

/* Appends a field, quoted if necessary. */
void heed__csv_put_text(heed__csv_text *text, const char *field);

void heed__csv_text_free(heed__csv_text *text);

#endif
