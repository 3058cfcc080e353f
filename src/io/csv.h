/* io/csv.h - how a parsed CSV lies in memory. */
#ifndef HEED_IO_CSV_H
#define HEED_IO_CSV_H

#include <heed/io.h>

#include "io/file.h"
#include "io/text.h"

#define HEED_CSV_STRIDE 128
#define HEED_CSV_COLUMNS (1 << 20)

/* The file's own block is parsed in place: fields lose their quotes, each ends in a NUL, and they follow one another
 * without gaps, header first, row by row. Fields hold no NUL themselves, so the next field is found by strlen, and
 * one offset for every HEED_CSV_STRIDE fields makes any of them quick to reach. All this takes the file's size, at most a
 * sixteenth of it for the offsets (a field has a byte at least), and 8 to 12 bytes a column to find it by its name. */
struct heed_io_csv {
    heed__file file;
    size_t *offsets; /* in file.bytes, of fields 0, HEED_CSV_STRIDE, 2 HEED_CSV_STRIDE ...; NULL until all are read */
    size_t n_offsets;
    int *chains; /* by hash: the last column with it, as column + 1; 0 where there is none */
    int *links;  /* by column: the one before it with the same hash, likewise */
    int64_t rows;
    int columns;
    heed__path_excerpt source; /* the path, or "csv" */
};

/* A field that is known to be there; row -1 is the header. */
const char *heed__csv_field(const heed_io_csv *csv, int64_t row, int column);

/* How many columns have that name, and the first of them. */
int heed__csv_find(const heed_io_csv *csv, const char *name, int *column);

/* Makes what that needs. False after heed_fail. */
bool heed__csv_index_names(heed_io_csv *csv);
void heed__csv_free_names(heed_io_csv *csv);

/* Line of the file on which a field begins. */
int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field);

/* The n-th field after `field`. */
const char *heed__csv_next(const char *field, int64_t n);

#endif
