/* io/csv_write.c - tensors as the columns of a CSV file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>

#include "base/decimal.h"
#include "io/csv.h"
#include "io/replace.h"

#define INITIAL_CAPACITY ((size_t)4096)

static const char where[] = "io_csv_write";

/* The table to write; chunks[i] holds the elements of tensors[i], row by row. */
typedef struct csv_output {
    heed_io_csv_write_options o;
    const char *const *names;
    heed_tensor *const *tensors;
    heed__file_chunk *chunks;
    int n_names, k;
    int64_t rows;
} csv_output;

/* -- Text ---------------------------------------------------------------------------------------------------------- */

/* A growing buffer for the text of a CSV. */
typedef struct csv_text {
    char *bytes;
    size_t size, capacity;
    char separator;
    bool one_column; /* every line has one field; an empty field must be quoted, or the line would be blank */
    bool failed;     /* out of memory, after heed_fail; further additions are ignored */
} csv_text;

static bool grow_text(csv_text *text, size_t size)
{
    size_t needed = text->size + size, capacity = text->capacity ? text->capacity : INITIAL_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    if (capacity == text->capacity)
        return true;
    char *bytes = heed_alloc(capacity);
    if (!bytes)
        return false;
    if (text->size > 0)
        memcpy(bytes, text->bytes, text->size);
    heed_free(text->bytes, text->capacity);
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

/* Appends bytes unchanged. */
static void append_bytes(csv_text *text, const char *bytes, size_t size)
{
    text->failed = text->failed || !grow_text(text, size);
    if (text->failed)
        return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/* Returns true if a field must be quoted. A field that begins with a byte order mark is quoted, because readers skip an
 * unquoted one at the beginning of a file. */
static bool needs_quotes(const csv_text *text, const char *field)
{
    const char special[] = {text->separator, '"', '\r', '\n', (char)(text->separator == ' ' ? '\t' : '\0'), '\0'};
    const bool vanishes = *field == '\0' && (text->one_column || text->separator == ' ');
    return field[strcspn(field, special)] != '\0' || vanishes || strncmp(field, "\xEF\xBB\xBF", 3) == 0;
}

/* Appends a field, quoted if necessary. */
static void append_field(csv_text *text, const char *field)
{
    if (!needs_quotes(text, field)) {
        append_bytes(text, field, strlen(field));
        return;
    }
    append_bytes(text, "\"", 1);
    for (const char *c = field; *c;) {
        size_t plain = strcspn(c, "\"");
        append_bytes(text, c, plain);
        c += plain;
        if (*c == '"') {
            append_bytes(text, "\"\"", 2);
            c++;
        }
    }
    append_bytes(text, "\"", 1);
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_written_characters(heed_io_csv_write_options *o)
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

static bool check_written_tensor(const csv_output *t, int i)
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

static int64_t written_columns(const heed_tensor *x)
{
    return heed_rank(x) == 2 ? heed_dim(x, 1) : 1;
}

static bool check_written_table(const csv_output *t)
{
    if (!t->tensors || !t->names)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", t->names ? "tensors" : "names");
    if (t->k < 1 || t->n_names < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%d names, %d tensors: must be 1 or more", t->n_names, t->k);
    int64_t columns = 0;
    for (int i = 0; i < t->k; i++) {
        if (!check_written_tensor(t, i))
            return false;
        if (__builtin_add_overflow(columns, written_columns(t->tensors[i]), &columns))
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

/* -- Elements ------------------------------------------------------------------------------------------------------ */

static void append_float(csv_text *out, const csv_output *t, double value, bool is_f32)
{
    char number[40];
    if (isnan(value)) {
        append_field(out, t->o.missing);
        return;
    }
    heed__decimal_print(number, sizeof number, value, is_f32);
    char *point = strchr(number, '.');
    if (point)
        *point = t->o.decimal;
    append_bytes(out, number, strlen(number));
}

static bool append_code(csv_text *out, const csv_output *t, int i, int64_t code)
{
    if (code == -1) {
        append_field(out, t->o.missing);
        return true;
    }
    int64_t count = heed_categories_count(t->o.categories[i]);
    if (code < 0 || code >= count)
        return heed_fail_false(HEED_ERR_INDEX, where,
                               "tensor %d has code %" PRId64 ", but there are %" PRId64 " categories", i, code, count);
    append_field(out, heed_categories_name(t->o.categories[i], code));
    return true;
}

static bool append_element(csv_text *out, const csv_output *t, int i, int64_t index)
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
        append_bytes(out, number, strlen(number));
        return true;
    case HEED_BOOL:
    default:
        append_bytes(out, ((const bool *)data)[index] ? "1" : "0", 1);
        return true;
    }
}

/* -- Lines --------------------------------------------------------------------------------------------------------- */

static bool append_row(csv_text *out, const csv_output *t, int64_t row)
{
    int column = 0;
    for (int i = 0; i < t->k; i++) {
        int64_t columns = written_columns(t->tensors[i]);
        for (int64_t j = 0; j < columns; j++) {
            if (!append_element(out, t, i, row * columns + j))
                return false;
            append_bytes(out, ++column < t->n_names ? &t->o.separator : "\n", 1);
        }
    }
    return !out->failed;
}

static bool append_table(csv_text *out, const csv_output *t)
{
    for (int i = 0; i < t->n_names; i++) {
        if (i > 0 && i + 1 == t->n_names && *t->names[i] == '\0')
            append_bytes(out, "\"\"", 2); /* a reader would ignore a separator at the line's end */
        else
            append_field(out, t->names[i]);
        append_bytes(out, i + 1 < t->n_names ? &t->o.separator : "\n", 1);
    }
    for (int64_t row = 0; row < t->rows; row++)
        if (!append_row(out, t, row))
            return false;
    return !out->failed;
}

/* Writes the table to a file. Tensors that are not in row-major order are copied; the open scope owns the copies. */
static heed_status write_table(const char *path, csv_output *t)
{
    size_t size = (size_t)t->k * sizeof *t->chunks;
    csv_text out = {.separator = t->o.separator, .one_column = t->n_names == 1};
    t->chunks = heed_calloc((size_t)t->k, sizeof *t->chunks);
    bool good = t->chunks != NULL;
    for (int i = 0; good && i < t->k; i++)
        good = heed__file_chunk_of(where, t->tensors[i], &t->chunks[i]);
    good = good && append_table(&out, t);
    heed_status status = HEED_OK;
    if (good)
        status = heed__replace_file(where, path, &(heed__file_chunk){.bytes = out.bytes, .size = out.size}, 1);
    heed_free(out.bytes, out.capacity);
    heed_free(t->chunks, size);
    return good ? status : heed_error_code();
}

heed_status heed_io_csv_write(const char *path, const char *const *names, int n_names, heed_tensor *const *tensors,
                              int k, const heed_io_csv_write_options *options)
{
    HEED_ENTER(where);
    csv_output t = {.names = names, .n_names = n_names, .tensors = tensors, .k = k};
    t.o = options ? *options : (heed_io_csv_write_options){.separator = '\0'};
    if (!path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "path is NULL");
    if (!check_written_characters(&t.o) || !check_written_table(&t))
        return heed_error_code();
    t.rows = heed_dim(tensors[0], 0);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = write_table(path, &t);
    heed_scope_end(scope);
    return status;
}
