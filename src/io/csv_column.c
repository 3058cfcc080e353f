/* io/csv_column.c - a CSV column as a tensor.
 *
 * A number is written as in C: sign, digits, '.', digits, 'e', sign, digits, of which one digit before the 'e' is
 * needed; for i64 a sign and digits only; for bool 0 or 1. Spaces and tabs around it are allowed. What lies nearer to 0
 * than the smallest float becomes 0 or that float, correctly rounded; what is too large is an error.
 *
 * strtod rounds correctly but reads the decimal point of the thread's locale, so a column is read with the C locale in
 * force: by uselocale, which touches the calling thread alone and is undone before returning. (strtod_l would need no
 * such change, but is not in POSIX; setlocale would change it for every thread.)
 */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/scope.h>

#include "io/csv.h"
#include "io/data.h"

static const char where[] = "io_csv_column";

/* -- Finding the column ----------------------------------------------------------------------------------------- */

/* "a", "b", "c", as many as fit. */
static void list_names(const heed_io_csv *csv, char *text, size_t size)
{
    const char *name = csv->file.bytes;
    size_t used = 0;
    for (int i = 0; i < csv->columns && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s\"%s\"", i ? ", " : "", heed__excerpt(name, strlen(name)).s);
        used += n > 0 ? (size_t)n : 0;
        name = heed__csv_next(name, 1);
    }
    if (used >= size)
        memcpy(text + size - sizeof "...", "...", sizeof "...");
}

static int find_column(const heed_io_csv *csv, const char *name)
{
    int found = -1, count = heed__csv_find(csv, name, &found);
    if (count == 1)
        return found;
    char names[240];
    list_names(csv, names, sizeof names);
    heed_fail(HEED_ERR_ARGUMENT, where, "%s has %d columns named \"%s\"; its columns are %s", csv->source.s, count,
              heed__excerpt(name, strlen(name)).s, names);
    return -1;
}

/* -- Numbers ---------------------------------------------------------------------------------------------------- */

typedef enum verdict { GOOD, NO_NUMBER, TOO_LARGE } verdict;

static const char *skip_digits(const char *c)
{
    while (*c >= '0' && *c <= '9')
        c++;
    return c;
}

static const char *skip_sign(const char *c)
{
    return *c == '+' || *c == '-' ? c + 1 : c;
}

static const char *skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

/* The end of the decimal number at `c`; NULL when there is none. */
static const char *number_end(const char *c)
{
    const char *whole = skip_sign(c);
    const char *end = skip_digits(whole);
    bool digits = end > whole;
    if (*end == '.') {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits = digits || end > fraction;
    }
    if (!digits)
        return NULL;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = skip_sign(end + 1);
        end = skip_digits(exponent);
        if (end == exponent)
            return NULL;
    }
    return end;
}

static verdict read_float(const char *field, heed_dtype dtype, void *out)
{
    const char *begin = skip_blanks(field);
    const char *end = number_end(begin);
    if (!end || *skip_blanks(end) != '\0')
        return NO_NUMBER;
    if (dtype == HEED_F32) {
        float value = strtof(begin, NULL);
        *(float *)out = value;
        return isinf(value) ? TOO_LARGE : GOOD;
    }
    double value = strtod(begin, NULL);
    *(double *)out = value;
    return isinf(value) ? TOO_LARGE : GOOD;
}

/* Counts downwards from 0: the most negative number has no positive one. */
static verdict read_i64(const char *field, int64_t *out)
{
    const char *begin = skip_blanks(field);
    const char *digits = skip_sign(begin);
    const char *end = skip_digits(digits);
    if (end == digits || *skip_blanks(end) != '\0')
        return NO_NUMBER;
    int64_t value = 0;
    for (const char *c = digits; c < end; c++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *c - '0', &value))
            return TOO_LARGE;
    if (*begin != '-' && __builtin_sub_overflow(0, value, &value))
        return TOO_LARGE;
    *out = value;
    return GOOD;
}

static verdict read_bool(const char *field, bool *out)
{
    int64_t value;
    verdict v = read_i64(field, &value);
    *out = v == GOOD && value == 1;
    return v == GOOD && value != 0 && value != 1 ? NO_NUMBER : v;
}

static verdict read_number(const char *field, heed_dtype dtype, void *out)
{
    if (dtype == HEED_I64)
        return read_i64(field, out);
    if (dtype == HEED_BOOL)
        return read_bool(field, out);
    return read_float(field, dtype, out);
}

static void fail_number(const heed_io_csv *csv, int64_t row, int column, const char *field, heed_dtype dtype, verdict v)
{
    static const char *const wanted[HEED_DTYPE_COUNT] = {"a number", "a number", "a whole number", "0 or 1"};
    const char *name = heed__csv_field(csv, -1, column);
    heed_fail(HEED_ERR_FORMAT, where, "%s, line %" PRId64 ", column \"%s\": \"%s\" is %s%s", csv->source.s,
              heed__csv_line(csv, row, field), heed__excerpt(name, strlen(name)).s,
              heed__excerpt(field, strlen(field)).s, v == NO_NUMBER ? "not " : "too large for ",
              v == NO_NUMBER ? wanted[dtype] : heed_dtype_name(dtype));
}

/* -- The tensor ------------------------------------------------------------------------------------------------- */

static bool fill(const heed_io_csv *csv, int column, heed_dtype dtype, char *out)
{
    size_t step = heed_dtype_size(dtype);
    const char *field = csv->rows > 0 ? heed__csv_field(csv, 0, column) : NULL;
    bool near = csv->columns < HEED_CSV_STRIDE;
    for (int64_t row = 0; row < csv->rows; row++) {
        verdict v = read_number(field, dtype, out);
        if (v != GOOD) {
            fail_number(csv, row, column, field, dtype, v);
            return false;
        }
        out += step;
        if (row + 1 < csv->rows)
            field = near ? heed__csv_next(field, csv->columns) : heed__csv_field(csv, row + 1, column);
    }
    return true;
}

static bool fill_in_c_locale(const heed_io_csv *csv, int column, heed_dtype dtype, char *out)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return heed_fail_false(HEED_ERR_NOMEM, where, "no memory for the C locale");
    locale_t before = uselocale(c);
    bool filled = fill(csv, column, dtype, out);
    (void)uselocale(before);
    freelocale(c);
    return filled;
}

heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype)
{
    HEED_ENTER("io_csv_column");
    if (!csv || !name)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "%s is NULL", csv ? "the name" : "the csv");
    int column = find_column(csv, name);
    if (column < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(dtype, HEED_SHAPE(csv->rows));
    char *out = t ? heed__io_data(t) : NULL;
    bool filled = out && fill_in_c_locale(csv, column, dtype, out);
    return heed_scope_return(scope, filled ? t : NULL);
}
