/* io/csv_codes.c - a text column of a CSV as categories. */

#include <heed/memory.h>

#include "io/csv.h"

/* Writes pointers to the texts of a column, which stay in the csv, to `texts` and adds their number to *count. Leaves
 * out missing values. Returns false after heed_fail. */
static bool collect(const heed_io_csv *csv, const char *where, int column, const char **texts, int64_t *count)
{
    heed__csv_cursor cursor = {.field = NULL};
    for (int64_t i = 0; i < csv->rows; i++) {
        heed__csv_seek(csv, &cursor, heed__csv_row(csv, i), column);
        if (!heed__csv_is_missing(csv, cursor.field)) {
            texts[(*count)++] = cursor.field;
        } else if (csv->missing != HEED_IO_MISSING_NAN) {
            heed__csv_fail_field(csv, where, cursor.row, column, cursor.field,
                                 "a missing value: set the option missing to a different HEED_IO_MISSING_*");
            return false;
        }
    }
    return true;
}

heed_categories *heed_io_csv_categories(const heed_io_csv *csv, const char *name)
{
    static const char where[] = "io_csv_categories";
    HEED_ENTER(where);
    if (!heed__csv_check(where, csv))
        return NULL;
    if (!name)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the name is NULL");
    int column = heed__csv_find(csv, where, name);
    if (column < 0)
        return NULL;
    size_t size = (size_t)(csv->rows + 1) * sizeof(const char *);
    const char **texts = heed_alloc(size);
    if (!texts)
        return NULL;
    int64_t count = 0;
    heed_categories *categories = collect(csv, where, column, texts, &count) ? heed_categories_new(texts, count) : NULL;
    heed_free(texts, size);
    return categories;
}

static const char *read_code(const heed__csv_converter *converter, const char *field, void *out)
{
    int64_t code = heed_categories_find(converter->categories, field);
    *(int64_t *)out = code;
    return code < 0 ? "not one of the categories" : NULL;
}

heed_tensor *heed_io_csv_codes(const heed_io_csv *csv, const char *name, const heed_categories *categories)
{
    static const char where[] = "io_csv_codes";
    HEED_ENTER(where);
    heed__csv_converter converter = {
        .where = where, .dtype = HEED_I64, .read = read_code, .categories = categories, .missing_value = -1.0};
    if (!heed__csv_check(where, csv))
        return NULL;
    if (!categories)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the categories are NULL");
    return heed__csv_vector(csv, name, &converter);
}
