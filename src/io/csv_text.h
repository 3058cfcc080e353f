/* io/csv_text.h - the text of a CSV while it grows. */
#ifndef HEED_IO_CSV_TEXT_H
#define HEED_IO_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/csv.h"

typedef struct heed__csv_text {
    char *bytes;
    size_t size, room;
    char separator;
    bool alone;  /* a line has one field: if that is empty it must be quoted, or the line would be blank */
    bool failed; /* for want of memory, after heed_fail; nothing is added any more */
} heed__csv_text;

/* Adds bytes as they are. */
void heed__csv_put(heed__csv_text *text, const char *bytes, size_t size);

/* Adds a field, quoted if it has to be. */
void heed__csv_put_text(heed__csv_text *text, const char *field);

void heed__csv_text_free(heed__csv_text *text);

#endif
