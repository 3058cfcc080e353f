/* io/csv.h - how a parsed CSV lies in memory. */
#ifndef HEED_IO_CSV_H
#define HEED_IO_CSV_H

#include <heed/io.h>

#include "io/file.h"
#include "io/text.h"

#define HEED_CSV_STRIDE 64

/* The file's own block is parsed in place: fields lose their quotes, each ends in a NUL, and they follow one another
 * without gaps, header first, row by row. Fields hold no NUL themselves, so the next field is found by strlen, and
 * one offset for every HEED_CSV_STRIDE rows makes any of them quick to reach. All this takes the file's size
 * and at most a sixteenth of it for the offsets (a row has at least two bytes). */
struct heed_csv {
    heed_file file;
    size_t *offsets; /* in file.bytes, of rows 0, HEED_CSV_STRIDE, 2 HEED_CSV_STRIDE ... */
    size_t n_offsets;
    int64_t rows;
    int columns;
    heed_path_text source; /* the path, or "csv" */
};

/* A field that is known to be there; row -1 is the header. */
const char *heed__csv_field(const heed_csv *csv, int64_t row, int column);

/* Line of the file on which a field begins. */
int64_t heed__csv_line(const heed_csv *csv, int64_t row, const char *field);

/* The n-th field after `field`. */
const char *heed__csv_next(const char *field, int64_t n);

#endif
