/* io/csv.c - a CSV as an object: creating it from a file or text, reading its fields, freeing it. */

#include "io/csv.h"
#include "base/mark.h"
#include "io/elements.h"

#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

HEED_MARK_OUTLIVES_FREE(heed_io_csv);

#define DEFAULT_MAX_BYTES ((size_t)512 << 20)

void *heed__csv_alloc(heed_io_csv *csv, const char *where, size_t bytes)
{
    if (bytes > csv->max_bytes - csv->used)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "%s needs %zu bytes of memory in addition to %zu: more than the limit of %zu (max_bytes)",
                              csv->source.s, bytes, csv->used, csv->max_bytes);
    void *block = heed_alloc(bytes);
    csv->used += block ? bytes : 0;
    return block;
}

void heed__csv_release(heed_io_csv *csv, void *block, size_t bytes)
{
    if (!block)
        return;
    heed_free(block, bytes);
    csv->used -= bytes;
}

static bool index_fields(heed_io_csv *csv, const char *where)
{
    int64_t fields = (csv->rows_in_file + 1) * csv->columns;
    csv->n_offsets = (size_t)((fields - 1) / HEED_CSV_STRIDE + 1);
    size_t *offsets = heed__csv_alloc(csv, where, csv->n_offsets * sizeof *offsets);
    if (!offsets)
        return false;
    const char *field = csv->file.bytes;
    for (size_t i = 0; i < csv->n_offsets; i++) {
        offsets[i] = (size_t)(field - csv->file.bytes);
        if (i + 1 < csv->n_offsets)
            field = heed__csv_next(field, HEED_CSV_STRIDE);
    }
    csv->offsets = offsets;
    return true;
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static bool check_characters(const char *where, const heed_io_csv_options *o)
{
    static const char refused[] = "\"\n\r";
    if (o->guess_separator && o->separator)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "separator is character %d and guess_separator is true: set only one of them",
                               o->separator);
    if (o->separator && strchr(refused, o->separator))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "the separator is character %d: must not be a quote or the end of a line", o->separator);
    if (o->decimal && o->decimal != '.' && o->decimal != ',')
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the decimal sign is character %d: must be '.' or ','",
                               o->decimal);
    if (!o->guess_separator && (o->separator ? o->separator : ',') == (o->decimal ? o->decimal : '.'))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "the separator and the decimal sign are both '%c': must be different",
                               o->decimal ? o->decimal : '.');
    return true;
}

static bool check_options(const char *where, const heed_io_csv_options *given, heed_io_csv_options *options)
{
    *options = given ? *given : (heed_io_csv_options){0};
    if (!check_characters(where, options))
        return false;
    if ((int)options->missing < HEED_IO_MISSING_ERROR || (int)options->missing > HEED_IO_MISSING_FILL)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "missing must be one of HEED_IO_MISSING_*, not %d",
                               (int)options->missing);
    if (options->separator == '\0' && !options->guess_separator)
        options->separator = ',';
    if (options->decimal == '\0')
        options->decimal = '.';
    if (options->max_bytes == 0)
        options->max_bytes = DEFAULT_MAX_BYTES;
    return true;
}

static bool choose_rows(heed_io_csv *csv, const char *where, const heed_io_csv_options *o)
{
    heed__row_range range = {o->first, o->rows};
    heed_shape shape = HEED_SHAPE(csv->rows);
    if (!heed__choose_rows(where, csv->source.s, &shape, &range))
        return false;
    csv->rows_chosen = range.count;
    if (range.count == csv->rows)
        return true;
    csv->kept = heed__csv_alloc(csv, where, heed__csv_kept_size(range.count));
    if (!csv->kept)
        return false;
    csv->rows = range.count;
    for (int64_t i = 0; i < csv->rows; i++)
        csv->kept[i] = range.first + i;
    return true;
}

static bool skip_rows(heed_io_csv *csv, const char *where)
{
    heed__csv_selection all = {.count = csv->columns};
    const size_t size = (size_t)all.count * sizeof *all.list;
    if (csv->missing != HEED_IO_MISSING_SKIP)
        return true;
    all.list = heed__csv_alloc(csv, where, size);
    for (int i = 0; all.list && i < all.count; i++)
        all.list[i] = (heed__csv_selected){i, i};
    const bool skipped = all.list && heed__csv_skip_incomplete(csv, where, &all);
    heed__csv_release(csv, all.list, size);
    return skipped;
}

/* Returns a new CSV, which takes ownership of the file, or NULL after heed_fail. */
static heed_io_csv *csv_new(const char *where, const char *source, heed__file *file, const heed_io_csv_options *o)
{
    heed_io_csv *csv = heed_calloc(1, sizeof *csv);
    if (!csv) {
        heed__file_free(file);
        return NULL;
    }
    csv->mark = HEED_MARK(HEED_CSV, 0);
    csv->file = *file;
    csv->source = heed__path_excerpt(source);
    csv->separator = o->separator;
    csv->decimal = o->decimal;
    csv->missing = o->missing;
    csv->fill = o->fill;
    csv->max_bytes = o->max_bytes;
    csv->used = csv->file.size;
    if (heed__csv_store_missing_texts(csv, where, o) && heed__csv_parse(csv, where) && index_fields(csv, where) &&
        heed__csv_index_names(csv, where) && choose_rows(csv, where, o) && skip_rows(csv, where))
        return csv;
    heed_io_csv_free(csv);
    return NULL;
}

heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_read";
    HEED_ENTER(where);
    heed_io_csv_options chosen;
    heed__file file;
    if (!check_options(where, options, &chosen) || !heed__file_load(where, path, chosen.max_bytes, &file))
        return NULL;
    return csv_new(where, path, &file, &chosen);
}

heed_io_csv *heed_io_csv_parse(const char *text, size_t size, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_parse";
    HEED_ENTER(where);
    heed_io_csv_options chosen;
    if (!check_options(where, options, &chosen))
        return NULL;
    if (!text && size > 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "text is NULL");
    if (size > chosen.max_bytes || size == SIZE_MAX)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "the text has %zu bytes, more than the limit of %zu (max_bytes)", size, chosen.max_bytes);
    heed__file file = {.bytes = heed_alloc(size + 1), .size = size};
    if (!file.bytes)
        return NULL;
    if (size > 0)
        memcpy(file.bytes, text, size);
    return csv_new(where, "csv", &file, &chosen);
}

void heed_io_csv_free(heed_io_csv *csv)
{
    if (!csv || !heed__csv_check("io_csv_free", csv))
        return;
    if (csv->offsets)
        heed_free(csv->offsets, csv->n_offsets * sizeof *csv->offsets);
    heed__csv_free_names(csv);
    if (csv->kept)
        heed_free(csv->kept, heed__csv_kept_size(csv->rows));
    if (csv->missing_texts.texts)
        heed_free(csv->missing_texts.texts, csv->missing_texts.size);
    heed__file_free(&csv->file);
    csv->mark = 0;
    heed_free(csv, sizeof *csv);
}

/* -- Access -------------------------------------------------------------------------------------------------------- */

const char *heed__csv_next(const char *field, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        field += strlen(field) + 1;
    return field;
}

const char *heed__csv_field(const heed_io_csv *csv, int64_t row, int column)
{
    int64_t number = (row + 1) * csv->columns + column;
    if (!csv->offsets)
        return heed__csv_next(csv->file.bytes, number);
    const char *start = csv->file.bytes + csv->offsets[number / HEED_CSV_STRIDE];
    return heed__csv_next(start, number % HEED_CSV_STRIDE);
}

void heed__csv_seek(const heed_io_csv *csv, heed__csv_cursor *cursor, int64_t row, int column)
{
    int64_t distance = (row - cursor->row) * csv->columns + column - cursor->column;
    bool near = cursor->field && distance < HEED_CSV_STRIDE;
    const char *field = near ? heed__csv_next(cursor->field, distance) : heed__csv_field(csv, row, column);
    *cursor = (heed__csv_cursor){field, row, column};
}

int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field)
{
    int64_t line = row + 2; /* the header is line 1 */
    for (const char *c = csv->file.bytes; c < field; c++)
        line += *c == '\n';
    return line;
}

bool heed__csv_check(const char *where, const heed_io_csv *csv)
{
    if (!csv)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the csv is NULL");
    return heed__is_marked(csv->mark, HEED_CSV) || heed_fail_freed(where, "the csv", csv);
}

static bool check_column(const char *where, const heed_io_csv *csv, int column)
{
    if (column >= 0 && column < csv->columns)
        return true;
    return heed_fail_false(HEED_ERR_INDEX, where, "%s has no column %d: it has %d columns", csv->source.s, column,
                           csv->columns);
}

int64_t heed_io_csv_rows(const heed_io_csv *csv)
{
    return heed__csv_check("io_csv_rows", csv) ? csv->rows : 0;
}

int64_t heed_io_csv_skipped(const heed_io_csv *csv)
{
    return heed__csv_check("io_csv_skipped", csv) ? csv->rows_chosen - csv->rows : 0;
}

char heed_io_csv_separator(const heed_io_csv *csv)
{
    return heed__csv_check("io_csv_separator", csv) ? csv->separator : '\0';
}

int heed_io_csv_columns(const heed_io_csv *csv)
{
    return heed__csv_check("io_csv_columns", csv) ? csv->columns : 0;
}

const char *heed_io_csv_name(const heed_io_csv *csv, int column)
{
    static const char where[] = "io_csv_name";
    if (!heed__csv_check(where, csv) || !check_column(where, csv, column))
        return NULL;
    return heed__csv_field(csv, -1, column);
}

static bool check_row(const char *where, const heed_io_csv *csv, int64_t row)
{
    return (row >= 0 && row < csv->rows) ||
           heed_fail_false(HEED_ERR_INDEX, where, "%s has no row %" PRId64 ": it has %" PRId64 " rows", csv->source.s,
                           row, csv->rows);
}

const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column)
{
    static const char where[] = "io_csv_field";
    if (!heed__csv_check(where, csv) || !check_column(where, csv, column) || !check_row(where, csv, row))
        return NULL;
    return heed__csv_field(csv, heed__csv_row(csv, row), column);
}

int64_t heed_io_csv_line(const heed_io_csv *csv, int64_t row)
{
    static const char where[] = "io_csv_line";
    if (!heed__csv_check(where, csv) || !check_row(where, csv, row))
        return 0;
    const int64_t row_in_file = heed__csv_row(csv, row);
    return heed__csv_line(csv, row_in_file, heed__csv_field(csv, row_in_file, 0));
}
