/* io/csv.h - memory layout of a parsed CSV, and functions shared by csv_text.c, which prepares the text, csv.c, which
 * parses it, csv_table.c, which finds fields, columns and rows, and csv_column.c, which makes tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_CSV_H
#define HEED_IO_CSV_H

#include <heed/io.h>

#include "io/file.h"

#define HEED_CSV_STRIDE 128
#define HEED_CSV_MAX_COLUMNS (1 << 20)

/* The texts that stand for a missing value, concatenated, each NUL-terminated. */
typedef struct heed__csv_missing {
    char *texts;
    size_t size;
    int count;
    bool first[256]; /* indexed by character: whether a text begins with it */
} heed__csv_missing;

/* Lines of the file without fields: before the first field of `row` are `lines` of them, counted from the header. */
typedef struct heed__csv_gap {
    int64_t row, lines;
} heed__csv_gap;

/* The file's own block is parsed in place: fields lose their quotes, every field ends in a NUL, and they are stored
 * without gaps, header first, row by row. Fields contain no NUL, so strlen finds the next field. The offset of every
 * HEED_CSV_STRIDE-th field is stored, so any field is quick to reach. The total memory is the file's size, at most a
 * sixteenth of it for the offsets (a field has at least one byte), 8 to 12 bytes per column for lookup by name, 8
 * bytes per kept row if rows are skipped, and up to 48 bytes for every gap of empty lines and comments. */
struct heed_io_csv {
    heed__file file;
    size_t text_size; /* bytes of the text in the file's block */
    /* offsets in file.bytes of fields 0, HEED_CSV_STRIDE, 2 HEED_CSV_STRIDE ...; NULL until all fields are read */
    size_t *offsets;
    size_t n_offsets;
    int *chains;                             /* (hash values): 1 + the last column whose name has this hash, or 0 */
    int *links;                              /* (columns): 1 + the previous column whose name has the same hash, or 0 */
    int64_t *kept;                           /* (rows): index in the file of every kept row; NULL if all are kept */
    int64_t rows, rows_in_file, rows_chosen; /* rows_chosen: selected by options.first and options.rows */
    int64_t header_line;                     /* line of the header; without a header the line before the first row */
    heed__csv_gap *gaps;                     /* ascending */
    size_t gap_count, gap_capacity;
    int columns;
    char separator, decimal, thousands, comment;
    bool latin1;
    heed_io_date_order date_order;
    char likely_separator; /* the separator most consistent across lines; `separator` if no other is better */
    heed_io_missing missing;
    double fill;
    heed__csv_missing missing_texts;
    size_t max_bytes, used;         /* bytes of all blocks: limit and current total */
    heed__path_excerpt_text source; /* the path, or "csv" */
    uint64_t mark;
};

/* Returns false after heed_fail if the CSV is NULL or was freed. */
bool heed__csv_check(const char *where, const heed_io_csv *csv);

/* Allocates a block for the csv. Returns NULL after heed_fail, also if all blocks of the csv together would exceed
 * max_bytes. */
void *heed__csv_alloc(heed_io_csv *csv, const char *where, size_t bytes);
void heed__csv_release(heed_io_csv *csv, void *block, size_t bytes);

/* -- The text ------------------------------------------------------------------------------------------------------ */

/* Loads the file or memory, decompressed and in UTF-8. Returns false after heed_fail. */
bool heed__csv_load(const char *where, const char *path, const heed_io_csv_options *options, heed__file *file,
                    bool *latin1);

/* Returns the separator that makes the beginning of a text most like a table. If `given` is not 0, returns `given`
 * unless a different separator fits better. If `given` is 0 and no candidate fits, returns ',', or ';' if `decimal` is
 * ','. */
char heed__csv_guess_separator(const char *text, size_t size, char given, char decimal);

/* The first line of a text. */
typedef struct heed__csv_line_fields {
    int count;
    bool ends_in_separator; /* the last field is empty */
    const char *end;        /* the line end, outside quotes */
} heed__csv_line_fields;
heed__csv_line_fields heed__csv_count_fields(const char *text, const char *end, char separator);

/* Replaces the text by its part from offset `from` on, with a header "V1,V2,...,Vn" before it if `names` is above 0,
 * and otherwise with an empty name before it. Returns false after heed_fail. */
bool heed__csv_add_names(heed_io_csv *csv, const char *where, size_t from, int names);

static inline bool heed__csv_is_separator(char separator, char c)
{
    return c == separator || (separator == ' ' && c == '\t');
}

/* -- Access, by row of the file ------------------------------------------------------------------------------------ */

/* Returns a field, which must exist; row -1 is the header. */
const char *heed__csv_field(const heed_io_csv *csv, int64_t row, int column);

/* Returns the n-th field after `field`. */
const char *heed__csv_next(const char *field, int64_t n);

/* A field and its position. heed__csv_seek moves this cursor forward only, and quickly over short distances. A new
 * cursor has .field = NULL. */
typedef struct heed__csv_cursor {
    const char *field;
    int64_t row;
    int column;
} heed__csv_cursor;
void heed__csv_seek(const heed_io_csv *csv, heed__csv_cursor *cursor, int64_t row, int column);

/* Returns the line of the file on which a field begins. */
int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field);

/* Returns the row of the file for kept row `row`. */
static inline int64_t heed__csv_row(const heed_io_csv *csv, int64_t row)
{
    return csv->kept ? csv->kept[row] : row;
}

/* The end of an error message: ": is ';' the separator?" if a different separator fits better, else "". */
typedef struct heed__csv_hint {
    char s[32];
} heed__csv_hint;
heed__csv_hint heed__csv_separator_hint(const heed_io_csv *csv);

/* -- Names --------------------------------------------------------------------------------------------------------- */

/* Returns the column of that name, or -1 after heed_fail, also if the CSV or the name is NULL. */
int heed__csv_find(const heed_io_csv *csv, const char *where, const char *name);

/* Builds the index for heed__csv_find. Returns false after heed_fail. */
bool heed__csv_index_names(heed_io_csv *csv, const char *where);
void heed__csv_free_names(heed_io_csv *csv);

/* The selected columns in the order of the file, each with the index of its name in `names`. heed__csv_select selects
 * the k columns of `names`, or all columns if names is NULL and k is 0. It returns false after heed_fail. */
typedef struct heed__csv_selected {
    int column, index;
} heed__csv_selected;
typedef struct heed__csv_selection {
    heed__csv_selected *list;
    int count;
} heed__csv_selection;
bool heed__csv_select(const heed_io_csv *csv, const char *where, const char *const *names, int k,
                      heed__csv_selection *selection);
void heed__csv_selection_free(heed__csv_selection *selection);

/* -- Missing values ------------------------------------------------------------------------------------------------ */

/* Stores the missing texts of the options, or the defaults. Returns false after heed_fail. */
bool heed__csv_store_missing_texts(heed_io_csv *csv, const char *where, const heed_io_csv_options *options);

bool heed__csv_is_missing(const heed_io_csv *csv, const char *field);

/* Bytes of csv->kept, which has at least one element even without rows. */
static inline size_t heed__csv_kept_size(int64_t rows)
{
    return (size_t)(rows > 0 ? rows : 1) * sizeof(int64_t);
}

/* Skips the rows in which one of the columns, or of all columns for NULL, is missing. Returns false after heed_fail. */
bool heed__csv_skip_incomplete(heed_io_csv *csv, const char *where, const heed__csv_selection *selection);

static inline const char *heed__csv_skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

#endif
