/* io/csv_column.c - columns of a CSV as tensors. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/scope.h>

#include "io/csv.h"
#include "system/system.h"

/* -- Fields to elements ----------------------------------------------------------------------------------------- */

void heed__csv_fail_field(const heed_io_csv *csv, const char *where, int64_t row, int column, const char *field,
                          const char *problem)
{
    const char *name = heed__csv_field(csv, -1, column);
    heed_fail(HEED_ERR_FORMAT, where, "%s, line %" PRId64 ", column \"%s\": \"%s\" is %s%s", csv->source.s,
              heed__csv_line(csv, row, field), heed__excerpt(name, strlen(name)).s,
              heed__excerpt(field, strlen(field)).s, problem, heed__csv_separator_hint(csv).s);
}

/* Stores a number as an element of `dtype`. Returns false if the dtype cannot represent it. */
static bool store(heed_dtype dtype, double value, void *out)
{
    bool whole = value >= -0x1p63 && value < 0x1p63 && value == floor(value);
    if (dtype == HEED_F32)
        *(float *)out = (float)value;
    else if (dtype == HEED_F64)
        *(double *)out = value;
    else if (dtype == HEED_I64 && whole)
        *(int64_t *)out = (int64_t)value;
    else if (dtype == HEED_BOOL && (value == 0.0 || value == 1.0))
        *(bool *)out = value == 1.0;
    else
        return false;
    return true;
}

static bool fill_missing(const heed_io_csv *csv, const heed__csv_converter *converter, int64_t row, int column,
                         const char *field, void *out)
{
    bool fills = csv->missing == HEED_IO_MISSING_FILL && !converter->categories;
    if (!fills && csv->missing != HEED_IO_MISSING_NAN) {
        heed__csv_fail_field(csv, converter->where, row, column, field,
                             "a missing value: set the option missing to a different HEED_IO_MISSING_*");
        return false;
    }
    double value = fills ? csv->fill : converter->missing_value;
    const char *name = heed__csv_field(csv, -1, column);
    if (!store(converter->dtype, value, out))
        return heed_fail_false(HEED_ERR_DTYPE, converter->where,
                               "%s, line %" PRId64
                               ", column \"%s\": a missing value becomes %g, which %s cannot represent",
                               csv->source.s, heed__csv_line(csv, row, field), heed__excerpt(name, strlen(name)).s,
                               value, heed_dtype_name(converter->dtype));
    return true;
}

static bool fill_field(const heed_io_csv *csv, const heed__csv_converter *converter, int64_t row, int column,
                       const char *field, void *out)
{
    if (heed__csv_is_missing(csv, field))
        return fill_missing(csv, converter, row, column, field, out);
    const char *problem = converter->read(converter, field, out);
    if (problem)
        heed__csv_fail_field(csv, converter->where, row, column, field, problem);
    return problem == NULL;
}

/* -- Rows ------------------------------------------------------------------------------------------------------- */

/* Fills the tensor's elements in one pass over the rows. Returns false after heed_fail. */
static bool fill_rows(const heed_io_csv *csv, const heed__csv_selection *selection,
                      const heed__csv_converter *converter, char *out)
{
    size_t size = heed_dtype_size(converter->dtype);
    heed__csv_cursor cursor = {.field = NULL};
    for (int64_t i = 0; i < csv->rows; i++) {
        int64_t row = heed__csv_row(csv, i);
        for (int k = 0; k < selection->count; k++) {
            heed__csv_selected selected = selection->list[k];
            heed__csv_seek(csv, &cursor, row, selected.column);
            if (!fill_field(csv, converter, row, selected.column, cursor.field, out + (size_t)selected.index * size))
                return false;
        }
        out += (size_t)selection->count * size;
    }
    return true;
}

/* strtod rounds correctly but reads the decimal point of the thread's locale, so fields are read with the C locale in
 * force. */
static bool fill_in_c_locale(const heed_io_csv *csv, const heed__csv_selection *selection,
                             const heed__csv_converter *converter, char *out)
{
    heed__c_locale c;
    if (!heed__c_locale_begin(&c))
        return heed_fail_false(HEED_ERR_NOMEM, converter->where, "no memory for the C locale");
    bool filled = fill_rows(csv, selection, converter, out);
    heed__c_locale_end(&c);
    return filled;
}

heed_tensor *heed__csv_tensor(const heed_io_csv *csv, const heed__csv_selection *selection, heed_shape shape,
                              const heed__csv_converter *converter)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *t = heed_empty(converter->dtype, shape);
    char *out = t ? heed_mutable_bytes(t) : NULL;
    bool filled = out && fill_in_c_locale(csv, selection, converter, out);
    return heed_scope_return(scope, filled ? t : NULL);
}

heed_tensor *heed__csv_vector(const heed_io_csv *csv, const char *name, const heed__csv_converter *converter)
{
    if (!heed__csv_check(converter->where, csv))
        return NULL;
    if (!name)
        return heed_fail_null(HEED_ERR_ARGUMENT, converter->where, "the name is NULL");
    heed__csv_selected selected = {.column = heed__csv_find(csv, converter->where, name)};
    if (selected.column < 0)
        return NULL;
    return heed__csv_tensor(csv, &(heed__csv_selection){&selected, 1}, HEED_SHAPE(csv->rows), converter);
}

/* -- Numbers ---------------------------------------------------------------------------------------------------- */

static heed__csv_converter number_converter(const heed_io_csv *csv, const char *where, heed_dtype dtype)
{
    return (heed__csv_converter){.where = where,
                                 .dtype = dtype,
                                 .read = heed__csv_read_number,
                                 .decimal = csv->decimal,
                                 .missing_value = (double)NAN};
}

heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype)
{
    static const char where[] = "io_csv_column";
    HEED_ENTER(where);
    if (!heed__csv_check(where, csv))
        return NULL;
    heed__csv_converter converter = number_converter(csv, where, dtype);
    return heed__csv_vector(csv, name, &converter);
}

heed_tensor *heed_io_csv_matrix(const heed_io_csv *csv, const char *const *names, int k, heed_dtype dtype)
{
    static const char where[] = "io_csv_matrix";
    HEED_ENTER(where);
    heed__csv_selection selection;
    if (!heed__csv_check(where, csv))
        return NULL;
    heed__csv_converter converter = number_converter(csv, where, dtype);
    if (!heed__csv_select(csv, where, names, k, &selection))
        return NULL;
    heed_tensor *t = heed__csv_tensor(csv, &selection, HEED_SHAPE(csv->rows, selection.count), &converter);
    heed__csv_selection_free(&selection);
    return t;
}
