/* io/csv_column.c - columns of a CSV as tensors, in one pass over the rows: numbers, dates, codes of categories.
 *
 * Numbers are written as in C (heed/io.h). i64 accepts numbers whose exact value is whole, also as "5.0" or "1e3",
 * because pandas writes integer columns with gaps in this form. bool accepts 0 and 1, also as "0.0" or "1e0". A number
 * nearer to 0 than the smallest float is rounded correctly; a number too large for the dtype is an error.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "base/iso8601.h"
#include "io/csv.h"
#include "io/elements.h"
#include "system/system.h"

static const char missing_value[] = "a missing value: set the option missing to a different HEED_IO_MISSING_*";

/* -- Fields to elements -------------------------------------------------------------------------------------------- */

/* How fields are converted to elements. */
typedef struct csv_converter {
    const heed_io_csv *csv;
    const char *where;
    heed_dtype dtype;
    /* writes one element and returns NULL, or returns the problem with the field: "not a number" */
    const char *(*read)(const struct csv_converter *converter, const char *field, void *out);
    heed_io_time unit;
    heed_io_date_order date_order;
    const heed_categories *categories;
    double missing_value; /* value with HEED_IO_MISSING_NAN: NaN, or the code -1 */
} csv_converter;

/* Calls heed_fail with a field, its position and its problem. Returns false. */
static bool fail_csv_field(const heed_io_csv *csv, const char *where, const heed__csv_cursor *at, const char *problem)
{
    const char *name = heed__csv_field(csv, -1, at->column);
    return heed_fail_false(HEED_ERR_FORMAT, where, "%s, line %" PRId64 ", column \"%s\": \"%s\" is %s%s", csv->source.s,
                           heed__csv_line(csv, at->row, at->field), heed__excerpt(name, strlen(name)).s,
                           heed__excerpt(at->field, strlen(at->field)).s, problem, heed__csv_separator_hint(csv).s);
}

/* Stores a number as an element of `dtype`. Returns false if the dtype cannot represent it. */
static bool store_number(heed_dtype dtype, double value, void *out)
{
    if (dtype == HEED_F32)
        *(float *)out = (float)value;
    else if (dtype == HEED_F64)
        *(double *)out = value;
    else if (dtype == HEED_I64 && heed__fits_i64(value))
        *(int64_t *)out = (int64_t)value;
    else if (dtype == HEED_BOOL && (value == 0.0 || value == 1.0))
        *(bool *)out = value == 1.0;
    else
        return false;
    return true;
}

static bool fill_missing_field(const csv_converter *c, const heed__csv_cursor *at, void *out)
{
    bool fills = c->csv->missing == HEED_IO_MISSING_FILL && !c->categories;
    if (!fills && c->csv->missing != HEED_IO_MISSING_NAN)
        return fail_csv_field(c->csv, c->where, at, missing_value);
    double value = fills ? c->csv->fill : c->missing_value;
    const char *name = heed__csv_field(c->csv, -1, at->column);
    return store_number(c->dtype, value, out) ||
           heed_fail_false(HEED_ERR_DTYPE, c->where,
                           "%s, line %" PRId64 ", column \"%s\": a missing value becomes %g, which %s cannot represent",
                           c->csv->source.s, heed__csv_line(c->csv, at->row, at->field),
                           heed__excerpt(name, strlen(name)).s, value, heed_dtype_name(c->dtype));
}

/* -- Tensors ------------------------------------------------------------------------------------------------------- */

/* Fills the tensor's elements in one pass over the rows. Returns false after heed_fail. */
static bool fill_rows(const csv_converter *c, const heed__csv_selection *selection, char *out)
{
    size_t size = heed_dtype_size(c->dtype);
    heed__csv_cursor cursor = {.field = NULL};
    for (int64_t i = 0; i < c->csv->rows; i++) {
        for (int k = 0; k < selection->count; k++) {
            heed__csv_selected selected = selection->list[k];
            heed__csv_seek(c->csv, &cursor, heed__csv_row(c->csv, i), selected.column);
            void *element = out + (size_t)selected.index * size;
            const bool missing = heed__csv_is_missing(c->csv, cursor.field);
            const char *problem = missing ? NULL : c->read(c, cursor.field, element);
            if (problem)
                return fail_csv_field(c->csv, c->where, &cursor, problem);
            if (missing && !fill_missing_field(c, &cursor, element))
                return false;
        }
        out += (size_t)selection->count * size;
    }
    return true;
}

/* Returns a tensor of `shape`, filled row by row with the fields of the selected columns. It is borrowed from the
 * innermost scope. Returns NULL after heed_fail. Fields are read with the C locale in force, because strtod rounds
 * correctly but reads the decimal point of the thread's locale. */
static heed_tensor *csv_tensor(const csv_converter *converter, const heed__csv_selection *selection, heed_shape shape)
{
    heed__c_locale c;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = scope ? heed_empty(converter->dtype, shape) : NULL;
    char *out = t ? heed_mutable_bytes(t) : NULL;
    bool filled = false;
    if (out && heed__c_locale_begin(&c)) {
        filled = fill_rows(converter, selection, out);
        heed__c_locale_end(&c);
    } else if (out) {
        heed_fail(HEED_ERR_NOMEM, converter->where, "no memory for the C locale");
    }
    return scope ? heed_scope_return(scope, filled ? t : NULL) : NULL;
}

/* Returns the fields of the column called `name` as a tensor (rows), borrowed from the innermost scope. Returns NULL
 * after heed_fail. */
static heed_tensor *csv_vector(const csv_converter *converter, const char *name)
{
    heed__csv_selected selected = {.column = heed__csv_find(converter->csv, converter->where, name)};
    if (selected.column < 0)
        return NULL;
    return csv_tensor(converter, &(heed__csv_selection){&selected, 1}, HEED_SHAPE(converter->csv->rows));
}

/* -- Numbers ------------------------------------------------------------------------------------------------------- */

static const char not_a_number[] = "not a number";

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

/* Skips one to three digits and then groups of `thousands` and three digits. Returns the end of the first digits if no
 * such group follows. */
static const char *skip_groups(const char *whole, char thousands)
{
    const char *end = skip_digits(whole);
    if (!thousands || end == whole || end > whole + 3)
        return end;
    while (*end == thousands && skip_digits(end + 1) == end + 4)
        end += 4;
    return end;
}

/* Returns the end of the decimal number in a field, whose decimal sign is `decimal`, and sets *begin to its beginning.
 * Blanks around it are allowed. Returns NULL if the field is not a number. */
static const char *number_end(const char *field, char decimal, char thousands, const char **begin)
{
    *begin = heed__csv_skip_blanks(field);
    const char *whole = skip_sign(*begin), *end = skip_groups(whole, thousands);
    bool digits = end > whole;
    if (*end == decimal) {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits = digits || end > fraction;
    }
    if (digits && (*end == 'e' || *end == 'E')) {
        const char *exponent = skip_sign(end + 1);
        end = skip_digits(exponent);
        digits = end > exponent;
    }
    return digits && *heed__csv_skip_blanks(end) == '\0' ? end : NULL;
}

static const char *store_float(heed_dtype dtype, const char *text, void *out)
{
    if (dtype == HEED_F32) {
        float value = strtof(text, NULL);
        *(float *)out = value;
        return isinf(value) ? "too large for f32" : NULL;
    }
    double value = strtod(text, NULL);
    *(double *)out = value;
    return isinf(value) ? "too large for f64" : NULL;
}

/* Stores a number with a decimal comma or groups of digits by way of a copy as C writes it, because strtod accepts only
 * such numbers. A number longer than the local buffer needs memory. If that allocation fails, heed_fail has been called
 * already. */
static const char *store_rewritten(const csv_converter *converter, const char *text, size_t size, void *out)
{
    char local[64];
    char *copy = size < sizeof local ? local : heed_alloc(size + 1);
    if (!copy)
        return not_a_number;
    char *to = copy;
    for (size_t i = 0; i < size; i++)
        if (text[i] != converter->csv->thousands)
            *to++ = (char)(text[i] == converter->csv->decimal ? '.' : text[i]);
    *to = '\0';
    const char *problem = store_float(converter->dtype, copy, out);
    if (copy != local)
        heed_free(copy, size + 1);
    return problem;
}

/* Stores an infinity, "inf" or "infinity" in upper or lower case with or without a sign. Returns false for a different
 * text. */
static bool store_infinity(heed_dtype dtype, const char *field, void *out)
{
    static const char infinity[] = "infinity";
    const char *begin = heed__csv_skip_blanks(field), *c = skip_sign(begin);
    int n = 0;
    while (n < 8 && (c[n] | 0x20) == infinity[n])
        n++;
    if ((n != 3 && n != 8) || *heed__csv_skip_blanks(c + n))
        return false;
    return store_number(dtype, *begin == '-' ? -(double)INFINITY : (double)INFINITY, out);
}

/* Returns the problem with a field, with a repair if different signs make it a number. */
static const char *problem_of(const heed_io_csv *csv, const char *field)
{
    const char *begin, other = csv->decimal == '.' ? ',' : '.';
    if (!csv->thousands && number_end(field, csv->decimal, other, &begin) && number_end(field, other, '\0', &begin))
        return other == ',' ? "not a number: is ',' the decimal sign, or does it separate thousands?"
                            : "not a number: is '.' the decimal sign, or does it separate thousands?";
    if (number_end(field, other, '\0', &begin))
        return other == ',' ? "not a number: is ',' the decimal sign?" : "not a number: is '.' the decimal sign?";
    if (!csv->thousands && number_end(field, csv->decimal, other, &begin))
        return other == ',' ? "not a number: does ',' separate thousands?"
                            : "not a number: does '.' separate thousands?";
    return not_a_number;
}

static const char *read_float(const csv_converter *converter, const char *field, void *out)
{
    const heed_io_csv *csv = converter->csv;
    const char *begin, *end = number_end(field, csv->decimal, csv->thousands, &begin);
    if (!end)
        return store_infinity(converter->dtype, field, out) ? NULL : problem_of(csv, field);
    const size_t size = (size_t)(end - begin);
    if ((csv->decimal == ',' && memchr(begin, ',', size)) || (csv->thousands && memchr(begin, csv->thousands, size)))
        return store_rewritten(converter, begin, size, out);
    return store_float(converter->dtype, begin, out);
}

/* Returns the exponent in the text after a mantissa, which is "" or like "e+3". The result is limited to about
 * INT64_MAX / 100 in magnitude, so that callers can add to it. */
static int64_t read_exponent(const char *mantissa_end, const char *end)
{
    int64_t exponent = 0;
    if (mantissa_end == end)
        return 0;
    const char *digits = skip_sign(mantissa_end + 1);
    for (const char *c = digits; c < end && exponent < INT64_MAX / 1000; c++)
        exponent = 10 * exponent + (*c - '0');
    return digits[-1] == '-' ? -exponent : exponent;
}

/* The number that the digits between begin and end would be without a decimal sign, times 10^power. The last digit is
 * nonzero, so the number is whole if and only if power >= 0. The number 0 is stored without digits. */
typedef struct exact_number {
    const char *begin, *end;
    int64_t power;
} exact_number;

static exact_number exact_of(const char *digits, const char *end, char decimal, char thousands)
{
    exact_number n = {digits, digits, 0};
    while (n.end < end && *n.end != 'e' && *n.end != 'E')
        n.end++;
    n.power = read_exponent(n.end, end);
    const char *point = memchr(digits, decimal, (size_t)(n.end - digits));
    if (point)
        n.power -= n.end - point - 1;
    for (; n.end > digits && (n.end[-1] == '0' || n.end[-1] == decimal || n.end[-1] == thousands); n.end--)
        n.power += n.end[-1] == '0';
    return n;
}

/* Reads a whole number. Accumulates it with a negative sign, because the lowest i64 has no positive counterpart.
 * Returns NULL, or the problem with the field. */
static const char *read_whole(const char *field, char decimal, char thousands, int64_t *out)
{
    static const char too_large[] = "too large for i64";
    const char *begin, *end = number_end(field, decimal, thousands, &begin);
    if (!end)
        return "not a whole number";
    exact_number n = exact_of(skip_sign(begin), end, decimal, thousands);
    int64_t value = 0;
    if (n.end > n.begin && n.power < 0)
        return "not a whole number";
    for (const char *c = n.begin; c < n.end; c++)
        if (*c != decimal && *c != thousands &&
            (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *c - '0', &value)))
            return too_large;
    for (; value != 0 && n.power > 0; n.power--)
        if (__builtin_mul_overflow(value, 10, &value))
            return too_large;
    if (*begin != '-' && __builtin_sub_overflow(0, value, &value))
        return too_large;
    *out = value;
    return NULL;
}

/* Converts a field to a number of converter->dtype and writes it to `out`. Returns NULL, or the problem with the
 * field. */
static const char *read_csv_number(const csv_converter *converter, const char *field, void *out)
{
    if (converter->dtype != HEED_I64 && converter->dtype != HEED_BOOL)
        return read_float(converter, field, out);
    int64_t value = 2;
    const char *problem = read_whole(field, converter->csv->decimal, converter->csv->thousands, &value);
    if (converter->dtype == HEED_I64) {
        *(int64_t *)out = value;
        return problem;
    }
    *(bool *)out = value == 1;
    return problem || value < 0 || value > 1 ? "not 0 or 1" : NULL;
}

static csv_converter number_converter(const heed_io_csv *csv, const char *where, heed_dtype dtype)
{
    return (csv_converter){
        .csv = csv, .where = where, .dtype = dtype, .read = read_csv_number, .missing_value = (double)NAN};
}

heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype)
{
    HEED_ENTER("io_csv_column");
    csv_converter converter = number_converter(csv, "io_csv_column", dtype);
    return csv_vector(&converter, name);
}

heed_tensor *heed_io_csv_matrix(const heed_io_csv *csv, const char *const *names, int k, heed_dtype dtype)
{
    static const char where[] = "io_csv_matrix";
    HEED_ENTER(where);
    csv_converter converter = number_converter(csv, where, dtype);
    heed__csv_selection selection;
    if (!heed__csv_check(where, csv) || !heed__csv_select(csv, where, names, k, &selection))
        return NULL;
    heed_tensor *t = csv_tensor(&converter, &selection, HEED_SHAPE(csv->rows, selection.count));
    heed__csv_selection_free(&selection);
    return t;
}

/* -- Dates --------------------------------------------------------------------------------------------------------- */

#define DAY_SECONDS 86400

static const char *store_whole(heed__moment moment, heed_io_time unit, int64_t *out)
{
    int64_t unit_seconds = unit == HEED_IO_DAYS ? DAY_SECONDS : 1;
    if (moment.nanoseconds != 0 || moment.seconds % unit_seconds != 0)
        return unit == HEED_IO_DAYS ? "not a whole day" : "not a whole second";
    *out = moment.seconds / unit_seconds;
    return NULL;
}

/* Reads a field of one date. */
static bool read_date(const char *field, bool day_first, heed__moment *moment)
{
    const char *begin = heed__csv_skip_blanks(field), *end = heed__iso8601(begin, moment);
    end = end ? end : heed__common_date(begin, day_first, moment);
    return end && *heed__csv_skip_blanks(end) == '\0';
}

/* Returns the order in which all dates of a column are valid, or HEED_IO_DATE_ORDER_GUESS if both orders are, with
 * different results. */
static heed_io_date_order find_date_order(const heed_io_csv *csv, int column)
{
    heed__csv_cursor cursor = {.field = NULL};
    bool differ = false, day = true, month = true;
    for (int64_t i = 0; i < csv->rows && (day || month); i++) {
        heed__moment a = {0}, b = {0};
        heed__csv_seek(csv, &cursor, heed__csv_row(csv, i), column);
        if (heed__csv_is_missing(csv, cursor.field))
            continue;
        day = read_date(cursor.field, true, &a) && day;
        month = read_date(cursor.field, false, &b) && month;
        differ = differ || a.seconds != b.seconds;
    }
    return day && month && differ ? HEED_IO_DATE_ORDER_GUESS : !day && month ? HEED_IO_MONTH_FIRST : HEED_IO_DAY_FIRST;
}

/* Converts a date to an element. Returns NULL, or the problem with the field. Seconds are below 2^38, so a double
 * resolves them to 2^-15 s or finer. */
static const char *read_csv_date(const csv_converter *converter, const char *field, void *out)
{
    heed__moment moment = {.seconds = 0}, other = {.seconds = 0};
    if (!read_date(field, converter->date_order != HEED_IO_MONTH_FIRST, &moment))
        return "not a date such as 2024-02-29 or 2024-02-29T13:45:07";
    if (converter->date_order == HEED_IO_DATE_ORDER_GUESS && read_date(field, false, &other) &&
        other.seconds != moment.seconds)
        return "ambiguous, as are all dates of the column: set date_order to HEED_IO_DAY_FIRST or HEED_IO_MONTH_FIRST";
    if (converter->dtype == HEED_I64)
        return store_whole(moment, converter->unit, out);
    double value = (double)moment.seconds + (double)moment.nanoseconds / 1e9;
    (void)store_number(converter->dtype, converter->unit == HEED_IO_DAYS ? value / DAY_SECONDS : value, out);
    return NULL;
}

heed_tensor *heed_io_csv_dates(const heed_io_csv *csv, const char *name, heed_io_time unit, heed_dtype dtype)
{
    static const char where[] = "io_csv_dates";
    HEED_ENTER(where);
    if (unit != HEED_IO_SECONDS && unit != HEED_IO_DAYS)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "unit must be HEED_IO_SECONDS or HEED_IO_DAYS, not %d",
                              (int)unit);
    if (dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, where, "dtype is bool: dates are i64, f32 or f64");
    csv_converter converter = number_converter(csv, where, dtype);
    const int column = heed__csv_find(csv, where, name);
    if (column < 0)
        return NULL;
    converter.read = read_csv_date;
    converter.unit = unit;
    converter.date_order = csv->date_order ? csv->date_order : find_date_order(csv, column);
    return csv_vector(&converter, name);
}

/* -- Categories ---------------------------------------------------------------------------------------------------- */

/* Writes pointers to the texts of a column, which stay in the csv, to `texts` and adds their number to *count. Leaves
 * out missing values. Returns false after heed_fail. */
static bool collect_texts(const heed_io_csv *csv, const char *where, int column, const char **texts, int64_t *count)
{
    heed__csv_cursor cursor = {.field = NULL};
    for (int64_t i = 0; i < csv->rows; i++) {
        heed__csv_seek(csv, &cursor, heed__csv_row(csv, i), column);
        if (!heed__csv_is_missing(csv, cursor.field))
            texts[(*count)++] = cursor.field;
        else if (csv->missing != HEED_IO_MISSING_NAN)
            return fail_csv_field(csv, where, &cursor, missing_value);
    }
    return true;
}

heed_categories *heed_io_csv_categories(const heed_io_csv *csv, const char *name)
{
    static const char where[] = "io_csv_categories";
    HEED_ENTER(where);
    int column = heed__csv_find(csv, where, name);
    if (column < 0)
        return NULL;
    size_t size = (size_t)(csv->rows + 1) * sizeof(const char *);
    const char **texts = heed_alloc(size);
    int64_t count = 0;
    bool collected = texts && collect_texts(csv, where, column, texts, &count);
    heed_categories *categories = collected ? heed_categories_new(texts, count) : NULL;
    heed_free(texts, size);
    return categories;
}

static const char *read_code(const csv_converter *converter, const char *field, void *out)
{
    int64_t code = heed_categories_find(converter->categories, field);
    *(int64_t *)out = code;
    return code < 0 ? "not one of the categories" : NULL;
}

heed_tensor *heed_io_csv_codes(const heed_io_csv *csv, const char *name, const heed_categories *categories)
{
    static const char where[] = "io_csv_codes";
    HEED_ENTER(where);
    if (!heed__csv_check(where, csv))
        return NULL;
    if (!categories)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the categories are NULL");
    csv_converter converter = {.csv = csv,
                               .where = where,
                               .dtype = HEED_I64,
                               .read = read_code,
                               .categories = categories,
                               .missing_value = -1.0};
    return csv_vector(&converter, name);
}
