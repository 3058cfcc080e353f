/* io/csv_write.c - tensors as the columns of a CSV file. */

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>

#include "base/decimal.h"
#include "io/csv_buffer.h"
#include "io/replace.h"

static const char where[] = "io_csv_write";

/* The table to write; chunks[i] holds the elements of tensors[i], row by row. */
typedef struct table {
    heed_io_csv_write_options o;
    const char *const *names;
    heed_tensor *const *tensors;
    heed__file_chunk *chunks;
    int n_names, k;
    int64_t rows;
} table;

/* -- Checks ------------------------------------------------------------------------------------------------------- */

static bool check_characters(heed_io_csv_write_options *o)
{
    o->decimal = o->decimal ? o->decimal : '.';
    o->separator = o->separator ? o->separator : o->decimal == ',' ? ';' : ',';
    o->missing = o->missing ? o->missing : "NaN";
    if (o->decimal != '.' && o->decimal != ',')
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the decimal sign is character %d: must be '.' or ','",
                               o->decimal);
    if (o->separator != o->decimal && !isalnum((unsigned char)o->separator) && !strchr("+-.\"\r\n", o->separator))
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "the separator is character %d: must not occur in numbers, quotes or line ends",
                           o->separator);
}

static bool check_tensor(const table *t, int i)
{
    const heed_tensor *x = t->tensors[i];
    if (!x)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensor %d is NULL", i);
    if (heed_rank(x) != 1 && heed_rank(x) != 2)
        return heed_fail_false(HEED_ERR_SHAPE, where, "tensor %d has shape %s: must be (n) or (n, columns)", i,
                               heed_shape_text(heed_shape_of(x)).s);
    if (heed_dim(x, 0) != heed_dim(t->tensors[0], 0))
        return heed_fail_false(HEED_ERR_SHAPE, where, "tensor %d has %" PRId64 " rows, but tensor 0 has %" PRId64, i,
                               heed_dim(x, 0), heed_dim(t->tensors[0], 0));
    if (t->o.categories && t->o.categories[i] && heed_dtype_of(x) != HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "tensor %d has categories and dtype %s: codes must be i64", i,
                               heed_dtype_name(heed_dtype_of(x)));
    return true;
}

static int64_t columns_of(const heed_tensor *x)
{
    return heed_rank(x) == 2 ? heed_dim(x, 1) : 1;
}

static bool check_table(const table *t)
{
    if (!t->tensors || !t->names)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", t->names ? "tensors" : "names");
    if (t->k < 1 || t->n_names < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%d names, %d tensors: must be 1 or more", t->n_names, t->k);
    int64_t columns = 0;
    for (int i = 0; i < t->k; i++) {
        if (!check_tensor(t, i))
            return false;
        if (__builtin_add_overflow(columns, columns_of(t->tensors[i]), &columns))
            columns = INT64_MAX;
    }
    if (columns != t->n_names || columns > HEED_CSV_MAX_COLUMNS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "%d names for %" PRId64 " columns: must be the same number, at most %d", t->n_names,
                               columns, HEED_CSV_MAX_COLUMNS);
    for (int i = 0; i < t->n_names; i++)
        if (!t->names[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "name %d is NULL", i);
    return true;
}

/* -- Elements ----------------------------------------------------------------------------------------------------- */

static void append_float(heed__csv_buffer *out, const table *t, double value, bool is_f32)
{
    char number[40];
    if (isnan(value)) {
        heed__csv_append_field(out, t->o.missing);
        return;
    }
    heed__decimal_print(number, sizeof number, value, is_f32);
    char *point = strchr(number, '.');
    if (point)
        *point = t->o.decimal;
    heed__csv_append(out, number, strlen(number));
}

static bool append_code(heed__csv_buffer *out, const table *t, int i, int64_t code)
{
    if (code == -1) {
        heed__csv_append_field(out, t->o.missing);
        return true;
    }
    int64_t count = heed_categories_count(t->o.categories[i]);
    if (code < 0 || code >= count)
        return heed_fail_false(HEED_ERR_INDEX, where,
                               "tensor %d has code %" PRId64 ", but there are %" PRId64 " categories", i, code, count);
    heed__csv_append_field(out, heed_categories_name(t->o.categories[i], code));
    return true;
}

static bool append_element(heed__csv_buffer *out, const table *t, int i, int64_t index)
{
    const void *data = t->chunks[i].bytes;
    char number[24];
    switch (heed_dtype_of(t->tensors[i])) {
    case HEED_F32:
        append_float(out, t, (double)((const float *)data)[index], true);
        return true;
    case HEED_F64:
        append_float(out, t, ((const double *)data)[index], false);
        return true;
    case HEED_I64:
        if (t->o.categories && t->o.categories[i])
            return append_code(out, t, i, ((const int64_t *)data)[index]);
        (void)snprintf(number, sizeof number, "%" PRId64, ((const int64_t *)data)[index]);
        heed__csv_append(out, number, strlen(number));
        return true;
    case HEED_BOOL:
    default:
        heed__csv_append(out, ((const bool *)data)[index] ? "1" : "0", 1);
        return true;
    }
}

/* -- Lines -------------------------------------------------------------------------------------------------------- */

static bool append_row(heed__csv_buffer *out, const table *t, int64_t row)
{
    int column = 0;
    for (int i = 0; i < t->k; i++) {
        int64_t columns = columns_of(t->tensors[i]);
        for (int64_t j = 0; j < columns; j++) {
            if (!append_element(out, t, i, row * columns + j))
                return false;
            heed__csv_append(out, ++column < t->n_names ? &t->o.separator : "\n", 1);
        }
    }
    return !out->failed;
}

static bool append_table(heed__csv_buffer *out, const table *t)
{
    for (int i = 0; i < t->n_names; i++) {
        heed__csv_append_field(out, t->names[i]);
        heed__csv_append(out, i + 1 < t->n_names ? &t->o.separator : "\n", 1);
    }
    for (int64_t row = 0; row < t->rows; row++)
        if (!append_row(out, t, row))
            return false;
    return !out->failed;
}

/* Writes the table to a file. Tensors that are not in row-major order are copied; the open scope owns the copies. */
static heed_status write_table(const char *path, table *t)
{
    size_t size = (size_t)t->k * sizeof *t->chunks;
    heed__csv_buffer out = {.separator = t->o.separator, .one_column = t->n_names == 1};
    t->chunks = heed_calloc((size_t)t->k, sizeof *t->chunks);
    bool good = t->chunks != NULL;
    for (int i = 0; good && i < t->k; i++)
        good = heed__file_chunk_of(where, t->tensors[i], &t->chunks[i]);
    good = good && append_table(&out, t);
    heed_status status = HEED_OK;
    if (good)
        status = heed__replace_file(where, path, &(heed__file_chunk){.bytes = out.bytes, .size = out.size}, 1);
    heed__csv_buffer_free(&out);
    if (t->chunks)
        heed_free(t->chunks, size);
    return good ? status : heed_error_code();
}

heed_status heed_io_csv_write(const char *path, const char *const *names, int n_names, heed_tensor *const *tensors,
                              int k, const heed_io_csv_write_options *options)
{
    HEED_ENTER(where);
    table t = {.names = names, .n_names = n_names, .tensors = tensors, .k = k};
    t.o = options ? *options : (heed_io_csv_write_options){.separator = '\0'};
    if (!path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "path is NULL");
    if (!check_characters(&t.o) || !check_table(&t))
        return heed_error_code();
    t.rows = heed_dim(tensors[0], 0);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = write_table(path, &t);
    heed_scope_end(scope);
    return status;
}
