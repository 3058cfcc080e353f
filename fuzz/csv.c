/* fuzz/csv.c - the CSV reader: any bytes are a table or an error, and a table written again is read again. */

#include "fuzz.h"

#include <errno.h>
#include <string.h>

#define MAX_TEXT 1024

/* -- Numbers ---------------------------------------------------------------------------------------------------- */

/* libc's own readers take all that the library's take; this program never leaves the C locale. */
static void check_value(heed_tensor *column, int64_t row, const char *field)
{
    switch (heed_dtype_of(column)) {
    case HEED_F32:
        FUZZ_CHECK(heed_data_f32(column)[row] == strtof(field, NULL));
        break;
    case HEED_F64:
        FUZZ_CHECK(heed_data_f64(column)[row] == strtod(field, NULL));
        break;
    case HEED_I64:
        errno = 0;
        FUZZ_CHECK(heed_data_i64(column)[row] == strtoll(field, NULL, 10) && errno == 0);
        break;
    case HEED_BOOL:
        FUZZ_CHECK(heed_data_bool(column)[row] == (strtoll(field, NULL, 10) == 1));
        break;
    }
}

static void check_column(const heed_io_csv *csv, int column, heed_dtype dtype)
{
    const char *name = heed_io_csv_name(csv, column);
    heed_tensor *t = heed_io_csv_column(csv, name, dtype);
    if (fuzz_try_again(t != NULL))
        t = heed_io_csv_column(csv, name, dtype);
    heed_status code = heed_error_code();
    FUZZ_CHECK(t || code == HEED_ERR_FORMAT || code == HEED_ERR_ARGUMENT || fuzz_refused());
    if (!fuzz_outcome(t != NULL))
        return;
    FUZZ_CHECK(heed_rank(t) == 1 && heed_numel(t) == heed_io_csv_rows(csv) && heed_dtype_of(t) == dtype);
    for (int64_t row = 0; row < heed_numel(t); row++)
        check_value(t, row, heed_io_csv_field(csv, row, column));
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

static void check_again(const heed_io_csv *csv, const heed_io_csv_options *options)
{
    static char text[5 * MAX_TEXT + 8]; /* a byte makes at most two, or a cell of two quotes and an end */
    int64_t rows = heed_io_csv_rows(csv);
    int columns = heed_io_csv_columns(csv);
    size_t size = 0;
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < columns; i++)
            size += write_field(text + size, cell(csv, row, i),
                                i + 1 < columns ? (options->separator ? options->separator : ',') : '\n');
    heed_io_csv *again = heed_io_csv_parse(text, size, &(heed_io_csv_options){.separator = options->separator});
    FUZZ_CHECK(again || fuzz_refused());
    if (!fuzz_outcome(again != NULL))
        return;
    FUZZ_CHECK(heed_io_csv_rows(again) == rows && heed_io_csv_columns(again) == columns);
    for (int64_t row = -1; row < rows; row++)
        for (int i = 0; i < columns; i++)
            FUZZ_CHECK(strcmp(cell(csv, row, i), cell(again, row, i)) == 0);
    heed_io_csv_free(again);
}

static void check_outside(const heed_io_csv *csv)
{
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_name(csv, -1) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_name(csv, heed_io_csv_columns(csv)) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_field(csv, heed_io_csv_rows(csv), 0) != NULL));
    FUZZ_CHECK(!fuzz_outcome(heed_io_csv_field(csv, -1, 0) != NULL));
}

/* One byte: the separator, the dtype of columns, a limit. The text. */
void fuzz_target(fuzz_input in)
{
    static const char separators[] = {'\0', ',', ';', '\t', '|', ' ', '\xEF', 'x'};
    uint8_t choice = fuzz_byte(&in);
    size_t size = in.size < MAX_TEXT ? in.size : MAX_TEXT;
    heed_io_csv_options options = {.separator = separators[choice & 7], .max_bytes = choice & 32 ? 100 : 0};
    heed_io_csv *csv = heed_io_csv_parse((const char *)in.bytes, size, &options);
    if (fuzz_try_again(csv != NULL))
        csv = heed_io_csv_parse((const char *)in.bytes, size, &options);
    heed_status code = heed_error_code();
    FUZZ_CHECK(csv || code == HEED_ERR_FORMAT || fuzz_refused() || (code == HEED_ERR_UNSUPPORTED && size > 100));
    FUZZ_CHECK(fuzz_peak() <= size + size / 4 + 4096);
    if (!fuzz_outcome(csv != NULL))
        return;
    int columns = heed_io_csv_columns(csv);
    FUZZ_CHECK(columns >= 1 && columns <= (int)size + 1 && heed_io_csv_rows(csv) < (int64_t)size);
    for (int i = 0; i < columns && i < 3; i++)
        check_column(csv, i, (heed_dtype)(choice >> 3 & 3));
    check_again(csv, &options);
    check_outside(csv);
    heed_io_csv_free(csv);
}
