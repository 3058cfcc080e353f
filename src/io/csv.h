/* io/csv.h - how a parsed CSV lies in memory, and what its files share. */
#ifndef HEED_IO_CSV_H
#define HEED_IO_CSV_H

#include <heed/io.h>

#include "io/file.h"
#include "io/text.h"

#define HEED_CSV_STRIDE 128
#define HEED_CSV_COLUMNS (1 << 20)

/* The texts that stand for a missing value: one after another, each with its NUL. */
typedef struct heed__csv_missing {
    char *texts;
    size_t size;
    int count;
    bool first[256]; /* whether one begins with that character */
} heed__csv_missing;

/* The file's own block is parsed in place: fields lose their quotes, each ends in a NUL, and they follow one another
 * without gaps, header first, row by row. Fields hold no NUL themselves, so the next field is found by strlen, and
 * one offset for every HEED_CSV_STRIDE fields makes any of them quick to reach. All this takes the file's size, at most
 * a sixteenth of it for the offsets (a field has a byte at least), 8 to 12 bytes a column to find it by its name, and 8
 * for each row that is kept where some are left out. */
struct heed_io_csv {
    heed__file file;
    size_t *offsets; /* in file.bytes, of fields 0, HEED_CSV_STRIDE, 2 HEED_CSV_STRIDE ...; NULL until all are read */
    size_t n_offsets;
    int *chains;   /* by hash: the last column with it, as column + 1; 0 where there is none */
    int *links;    /* by column: the one before it with the same hash, likewise */
    int64_t *kept; /* (rows): the file's row that each is; NULL: all of them */
    int64_t rows, rows_in_file, rows_chosen; /* rows_chosen: of options.first and options.rows */
    int columns;
    char separator, decimal;
    char likely; /* the separator that lines agree on; `separator` where none is better */
    heed_io_missing missing;
    double fill;
    heed__csv_missing missing_texts;
    size_t max_bytes, used;    /* of all blocks here: the most, and how many there are */
    heed__path_excerpt source; /* the path, or "csv" */
    uint64_t mark;
};

/* Returns false after heed_fail if the CSV is NULL or was freed. */
bool heed__csv_check(const char *where, const heed_io_csv *csv);

/* A block of the csv, as heed_alloc makes it, as long as all of them keep within max_bytes. NULL after heed_fail. */
void *heed__csv_alloc(heed_io_csv *csv, const char *where, size_t bytes);
void heed__csv_release(heed_io_csv *csv, void *block, size_t bytes);

/* Parses csv->file, of which columns, separator and source are known to be right or to be found. False after
 * heed_fail. */
bool heed__csv_parse(heed_io_csv *csv, const char *where);

/* -- Looking: rows are those of the file ------------------------------------------------------------------------ */

/* A field that is known to be there; row -1 is the header. */
const char *heed__csv_field(const heed_io_csv *csv, int64_t row, int column);

/* The n-th field after `field`. */
const char *heed__csv_next(const char *field, int64_t n);

/* A field, and where it is. One goes on only, never back, and quickly to what is near; at first .field is NULL. */
typedef struct heed__csv_place {
    const char *field;
    int64_t row;
    int column;
} heed__csv_place;
void heed__csv_go(const heed_io_csv *csv, heed__csv_place *at, int64_t row, int column);

/* Line of the file on which a field begins. */
int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field);

/* The row of the file that row `row` of those kept is. */
static inline int64_t heed__csv_row(const heed_io_csv *csv, int64_t row)
{
    return csv->kept ? csv->kept[row] : row;
}

/* -- Separators ------------------------------------------------------------------------------------------------- */

/* The separator by which the beginning of a text looks most like a table: the given one, unless another is better.
 * Given 0, ',' where none is good. `decimal` is none. */
char heed__csv_likely(const char *text, size_t size, char given, char decimal);

/* ": is ';' the separator?" where another would be better; else "". */
typedef struct heed__csv_doubt {
    char s[32];
} heed__csv_doubt;
heed__csv_doubt heed__csv_doubt_of(const heed_io_csv *csv);

/* -- Names ------------------------------------------------------------------------------------------------------ */

/* The column of that name. -1 after heed_fail. */
int heed__csv_find(const heed_io_csv *csv, const char *where, const char *name);

/* Makes what that needs. False after heed_fail. */
bool heed__csv_index_names(heed_io_csv *csv, const char *where);
void heed__csv_free_names(heed_io_csv *csv);

/* k columns in the order of the file, and the place of each among `names`; all columns for NULL and 0. */
typedef struct heed__csv_pick {
    int column, place;
} heed__csv_pick;
typedef struct heed__csv_picks {
    heed__csv_pick *list;
    int count;
} heed__csv_picks;
bool heed__csv_pick_names(const heed_io_csv *csv, const char *where, const char *const *names, int k,
                          heed__csv_picks *picks);
void heed__csv_free_picks(heed__csv_picks *picks);

/* -- Missing values --------------------------------------------------------------------------------------------- */

/* Takes the texts of the options, or the usual ones. False after heed_fail. */
bool heed__csv_note_missing(heed_io_csv *csv, const char *where, const heed_io_csv_options *options);

bool heed__csv_is_missing(const heed_io_csv *csv, const char *field);

/* Of csv->kept: there may be no row in it. */
static inline size_t heed__csv_kept_size(int64_t rows)
{
    return (size_t)(rows > 0 ? rows : 1) * sizeof(int64_t);
}

/* Leaves out the rows where one of the columns is missing. False after heed_fail. */
bool heed__csv_skip(heed_io_csv *csv, const char *where, const heed__csv_picks *picks);

/* -- Columns ---------------------------------------------------------------------------------------------------- */

/* How fields become elements. `read` writes one, or says what the field is instead: "not a number". */
typedef struct heed__csv_reading heed__csv_reading;
struct heed__csv_reading {
    const char *where;
    heed_dtype dtype;
    const char *(*read)(const heed__csv_reading *how, const char *field, void *out);
    char decimal;
    heed_io_time unit;
    const heed_categories *categories;
    double absent; /* with HEED_IO_MISSING_NAN: NaN, or the code -1 */
};

/* A tensor of `shape` filled row by row with the fields of those columns, borrowed from the innermost scope. NULL after
 * heed_fail. */
heed_tensor *heed__csv_tensor(const heed_io_csv *csv, const heed__csv_picks *picks, heed_shape shape,
                              const heed__csv_reading *how);

/* The same of one column, as (rows). */
heed_tensor *heed__csv_vector(const heed_io_csv *csv, const char *name, const heed__csv_reading *how);

/* heed_fail: the field, where it is, and what is wrong with it. */
void heed__csv_fail_field(const heed_io_csv *csv, const char *where, int64_t row, int column, const char *field,
                          const char *problem);

/* Text to a number of `how->dtype`; floats in the C locale, which must be in force. */
const char *heed__csv_read_number(const heed__csv_reading *how, const char *field, void *out);

static inline const char *heed__csv_skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

#endif
