/* tests/fuzz/csv.c - the CSV reader: any bytes are a table or an error, and a table must survive writing and
 * reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

#define MAX_TEXT 1024

/* -- Columns ---------------------------------------------------------------------------------------------------- */

static bool is_missing(const char *field)
{
    static const char *const texts[] = {"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"};
    char text[8] = "";
    field += strspn(field, " \t");
    size_t size = strlen(field);
    while (size > 0 && strchr(" \t", field[size - 1]))
        size--;
    if (size >= sizeof text)
        return false;
    memcpy(text, field, size);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(text, texts[i]) == 0)
            return true;
    return false;
}

/* The field with '.' as decimal sign and without separated thousands, whatever the table's signs are. */
static const char *pointed(const char *field, const heed_io_csv_options *o)
{
    static char copy[3 * MAX_TEXT + 1];
    char *to = copy;
    for (; *field; field++)
        if (!o->thousands || *field != o->thousands)
            *to++ = (char)(*field == ',' && o->decimal == ',' ? '.' : *field);
    *to = '\0';
    return copy;
}

/* libc's parsers accept every number that the library's parser accepts; this program never leaves the C locale. */
static void check_value(heed_tensor *column, int64_t row, const char *field, const heed_io_csv_options *o)
{
    bool missing = is_missing(field);
    double value = missing ? o->missing == HEED_IO_MISSING_FILL ? o->fill : (double)NAN : 0;
    const char *text = pointed(field, o);
    FUZZ_CHECK(!missing || o->missing >= HEED_IO_MISSING_NAN);
    switch (heed_dtype_of(column)) {
    case HEED_F32:
        FUZZ_CHECK(fuzz_same((double)heed_data_f32(column)[row], missing ? value : (double)strtof(text, NULL)));
        break;
    case HEED_F64:
        FUZZ_CHECK(fuzz_same(heed_data_f64(column)[row], missing ? value : strtod(text, NULL)));
        break;
    case HEED_I64:
        FUZZ_CHECK((long double)heed_data_i64(column)[row] == (missing ? (long double)value : strtold(text, NULL)));
        break;
    case HEED_BOOL:
        FUZZ_CHECK((double)heed_data_bool(column)[row] == (missing ? value : strtod(text, NULL)));
        break;
    }
}

static void check_column(const heed_io_csv *csv, int column, heed_dtype dtype, const heed_io_csv_options *o)
{
    const char *name = heed_io_csv_name(csv, column);
    heed_tensor *t = heed_io_csv_column(csv, name, dtype);
    if (fuzz_try_again(t != NULL))
        t = heed_io_csv_column(csv, name, dtype);
    heed_status code = heed_error_code();
    FUZZ_CHECK(t || code == HEED_ERR_FORMAT || code == HEED_ERR_ARGUMENT || fuzz_refused() ||
               (code == HEED_ERR_DTYPE && o->missing == HEED_IO_MISSING_NAN && dtype >= HEED_I64));
    if (!fuzz_outcome(t != NULL))
        return;
    FUZZ_CHECK(heed_rank(t) == 1 && heed_numel(t) == heed_io_csv_get_facts(csv).rows && heed_dtype_of(t) == dtype);
    for (int64_t row = 0; row < heed_numel(t); row++)
        check_value(t, row, heed_io_csv_field(csv, row, column), o);
}

/* Days and seconds are finite, and the seconds are the days times 86400. */
static void check_dates(const heed_io_csv *csv, int column)
{
    const char *name = heed_io_csv_name(csv, column);
    heed_tensor *days = heed_io_csv_dates(csv, name, HEED_IO_DAYS, HEED_F64);
    if (!fuzz_outcome(days != NULL))
        return;
    heed_tensor *seconds = heed_io_csv_dates(csv, name, HEED_IO_SECONDS, HEED_F64);
    FUZZ_CHECK(seconds || fuzz_refused());
    if (!fuzz_outcome(seconds != NULL))
        return;
    for (int64_t row = 0; row < heed_numel(days); row++)
        if (!is_missing(heed_io_csv_field(csv, row, column))) {
            FUZZ_CHECK(fabs(heed_data_f64(seconds)[row]) < 4e11);
            FUZZ_CHECK(heed_data_f64(days)[row] == heed_data_f64(seconds)[row] / 86400);
        }
}

/* The code of a text is its index among the texts. */
static void check_codes(const heed_io_csv *csv, int column)
{
    const char *name = heed_io_csv_name(csv, column);
    heed_categories *c = heed_io_csv_categories(csv, name);
    if (!fuzz_outcome(c != NULL))
        return;
    heed_tensor *codes = heed_io_csv_codes(csv, name, c);
    FUZZ_CHECK(codes || fuzz_refused());
    if (fuzz_outcome(codes != NULL)) {
        for (int64_t i = 1; i < heed_categories_count(c); i++)
            FUZZ_CHECK(strcmp(heed_categories_name(c, i - 1), heed_categories_name(c, i)) < 0);
        for (int64_t row = 0; row < heed_numel(codes); row++) {
            const char *field = heed_io_csv_field(csv, row, column);
            int64_t code = heed_data_i64(codes)[row];
            FUZZ_CHECK(is_missing(field) ? code == -1 : strcmp(heed_categories_name(c, code), field) == 0);
        }
    }
    heed_categories_free(c);
}

/* No remaining field is missing. The list of rows may exceed a limit of memory. */
static void check_skipping(heed_io_csv *csv, bool limited)
{
    int64_t before = heed_io_csv_get_facts(csv).rows;
    heed_status status = heed_io_csv_skip_missing(csv, NULL, 0);
    FUZZ_CHECK(status == HEED_OK || fuzz_refused() || (limited && status == HEED_ERR_UNSUPPORTED));
    if (!fuzz_outcome(status == HEED_OK))
        return;
    FUZZ_CHECK(heed_io_csv_get_facts(csv).rows <= before);
    for (int64_t row = 0; row < heed_io_csv_get_facts(csv).rows; row++)
        for (int i = 0; i < heed_io_csv_get_facts(csv).columns; i++)
            FUZZ_CHECK(!is_missing(heed_io_csv_field(csv, row, i)));
}

/* -- Written again ---------------------------------------------------------------------------------------------- */

static size_t write_field(char *to, const char *field, char after)
{
    char *out = to;
    *out++ = '"';
    for (; *field; field++) {
        *out = '"';
        out += *field == '"';
        *out++ = *field;
    }
    *out++ = '"';
    *out++ = after;
    return (size_t)(out - to);
}

static const char *cell(const heed_io_csv *csv, int64_t row, int column)
{
    return row < 0 ? heed_io_csv_name(csv, column) : heed_io_csv_field(csv, row, column);
}

static void check_again(const heed_io_csv *csv)
{
    /* a byte becomes at most three in UTF-8, and each of these two, or a cell of two quotes and an end; names of
     * columns are added */
    static char text[15 * MAX_TEXT + 32];
    int64_t rows = heed_io_csv_get_facts(csv).rows;
    int columns = heed_io_csv_get_facts(csv).columns;
    size_t size = 0;
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < columns; i++)
            size += write_field(text + size, cell(csv, row, i),
                                i + 1 < columns ? heed_io_csv_get_facts(csv).separator : '\n');
    heed_io_csv *again =
        csv_from_memory(text, size, &(heed_io_csv_options){.separator = heed_io_csv_get_facts(csv).separator});
    FUZZ_CHECK(again || fuzz_refused());
    if (!fuzz_outcome(again != NULL))
        return;
    FUZZ_CHECK(heed_io_csv_get_facts(again).rows == rows && heed_io_csv_get_facts(again).columns == columns);
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < columns; i++)
            FUZZ_CHECK(strcmp(cell(csv, row, i), cell(again, row, i)) == 0);
    heed_io_csv_free(again);
}

static void check_outside(const heed_io_csv *csv)
{
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_name(csv, -1) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_name(csv, heed_io_csv_get_facts(csv).columns) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_field(csv, heed_io_csv_get_facts(csv).rows, 0) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_field(csv, -1, 0) != NULL));
}

/* One byte: the separator, the dtype of columns, a limit. The text's first byte, which is also read as text, selects
 * the handling of missing values and other options. The text follows. */
void fuzz_target(fuzz_input in)
{
    static const char separators[] = {'\0', ',', ';', '\t', '|', ' ', '\xEF', 'x'};
    uint8_t choice = fuzz_byte(&in);
    size_t size = in.size < MAX_TEXT ? in.size : MAX_TEXT;
    uint8_t more = size > 0 ? in.bytes[0] : 0;
    heed_io_csv_options options = {.separator = separators[choice & 7],
                                   .max_bytes = choice & 32 ? 100 : 0,
                                   .guess_separator = (choice & 64) && (choice & 7) == 0,
                                   .decimal = (choice & 128) && (choice & 7) > 1 ? ',' : '.',
                                   .missing = (heed_io_missing)(more & 3),
                                   .fill = 1,
                                   .no_header = (more & 12) == 4,
                                   .comment = (more & 24) == 16 ? '#' : '\0',
                                   .thousands = (more & 96) == 64 ? '\'' : '\0',
                                   .skip_lines = more >> 7};
    heed_io_csv *csv = csv_from_memory((const char *)in.bytes, size, &options);
    if (fuzz_try_again(csv != NULL))
        csv = csv_from_memory((const char *)in.bytes, size, &options);
    heed_status code = heed_error_code();
    FUZZ_CHECK(csv || code == HEED_ERR_FORMAT || fuzz_refused() ||
               (code == HEED_ERR_UNSUPPORTED && options.max_bytes > 0));
    const bool is_gzip = size >= 2 && in.bytes[0] == 0x1f && in.bytes[1] == 0x8b;
    size_t each = csv ? (size_t)heed_io_csv_get_facts(csv).columns + (size_t)heed_io_csv_get_facts(csv).rows : size;
    FUZZ_CHECK(is_gzip || fuzz_peak() <= 8 * size + 4096 + 64 * each); /* twice in memory, converted and with names */
    if (!fuzz_outcome(csv != NULL))
        return;
    int columns = heed_io_csv_get_facts(csv).columns;
    FUZZ_CHECK(columns >= 1 &&
               (is_gzip || (columns <= (int)size + 1 && heed_io_csv_get_facts(csv).rows <= (int64_t)size)));
    for (int i = 0; i < columns && i < 3; i++) {
        check_column(csv, i, (heed_dtype)(choice >> 3 & 3), &options);
        check_dates(csv, i);
        check_codes(csv, i);
    }
    if (!is_gzip)
        check_again(csv);
    check_outside(csv);
    check_skipping(csv, options.max_bytes > 0);
    heed_io_csv_free(csv);
}
