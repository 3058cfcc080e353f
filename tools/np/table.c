/* tools/np/table.c - reads the columns of a formula from a CSV file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* -- Files --------------------------------------------------------------------------------------------------------- */

static const char *path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static heed__escaped_text escaped_path(const char *path)
{
    return heed__escaped(path_name(path));
}

/* Reads standard input to its end into a block from malloc. Returns NULL after printing an error. */
static char *read_standard_input(size_t *size)
{
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, capacity - *size, stdin);
        if (*size < capacity)
            break;
        char *more = capacity <= SIZE_MAX / 2 ? realloc(bytes, 2 * capacity) : NULL;
        if (!more)
            free(bytes);
        bytes = more;
        capacity *= 2;
    }
    if (bytes && !ferror(stdin) && *size > 0)
        return bytes;
    (void)fprintf(stderr, "heed-np: standard input: %s\n",
                  !bytes          ? "no memory for it"
                  : ferror(stdin) ? strerror(errno)
                                  : "it is empty");
    free(bytes);
    return NULL;
}

/* Opens a table; "-" is standard input. Returns NULL after printing an error. */
static heed_io_csv *open_csv(const settings *s, const char *path, heed_io_missing missing)
{
    heed_io_csv_options options = s->table;
    options.missing = missing;
    const bool is_standard = strcmp(path, "-") == 0;
    char *bytes = NULL;
    if (is_standard && !(bytes = read_standard_input(&options.size)))
        return NULL;
    options.bytes = bytes;
    heed_io_csv *csv = heed_io_csv_read(path_name(path), &options);
    free(bytes);
    if (!csv)
        (void)print_error();
    else if (heed_io_csv_get_facts(csv).latin1)
        (void)fprintf(stderr, "heed-np: %s is not UTF-8; it is read as Latin-1 (Windows-1252)\n", escaped_path(path).s);
    return csv;
}

/* -- Columns ------------------------------------------------------------------------------------------------------- */

/* Returns why a number of a term cannot be fitted, or NULL if it can. */
static const char *reason_against(const formula_term *term, double x)
{
    if (term->use == FORMULA_ORDERED && (x != floor(x) || fabs(x) >= 0x1p53))
        return "an ordered column needs whole numbers below 2^53, or texts and their order; factor() takes any labels";
    if (isfinite(x))
        return NULL;
    if (term->step_count > 0 && term->steps[term->step_count - 1].operation == FORMULA_LOG)
        return "log needs numbers above 0; leave such rows out";
    return term->step_count > 1 ? "the term must be finite; leave such rows out" : "it must be finite";
}

/* Checks the numbers of all rows except those marked in `missing`, which may be NULL. */
static bool check_numbers(const char *path, const heed_io_csv *csv, const formula_term *term, heed_tensor *numbers,
                          heed_tensor *missing)
{
    const double *x = heed_data_f64(numbers);
    const bool *skipped = missing ? heed_data_bool(missing) : NULL;
    for (int64_t row = 0; row < heed_numel(numbers); row++) {
        const char *why = skipped && skipped[row] ? NULL : reason_against(term, x[row]);
        if (!why)
            continue;
        (void)fprintf(stderr, "heed-np: %s is %g on line %" PRId64 " of %s: %s\n", heed__escaped(term->text).s, x[row],
                      heed_io_csv_line(csv, row), escaped_path(path).s, why);
        return false;
    }
    return true;
}

/* A column needs two distinct values, or a given bandwidth. */
static bool check_range(const table *t, const settings *s, int i, heed_tensor *numbers)
{
    const column *c = &t->columns[i];
    if (c->kind != HEED_NP_CONTINUOUS || s->bandwidths || heed_numel(numbers) == 0)
        return true;
    const double least = heed_item(heed_min(numbers));
    if (least != heed_item(heed_max(numbers)))
        return true;
    char value[32];
    (void)snprintf(value, sizeof value, "%g", least);
    (void)fprintf(stderr, "heed-np: %s is %s in every row: a constant column explains nothing, leave it out\n",
                  heed__escaped(t->formula.terms[i].text).s, c->is_date ? date_of_days(least).s : value);
    return false;
}

/* Marks the rows in which a column of a term is missing. `values` are the values of the term. */
static bool mark_missing(const formula_term *term, const heed_io_csv *csv, heed_tensor *values, heed_tensor **missing)
{
    const bool computed = term->use == FORMULA_EXPRESSION && !formula_is_column(term);
    for (int i = 0; i < term->name_count && *missing; i++) {
        heed_tensor *own = computed ? heed_io_csv_column(csv, term->names[i], HEED_F64) : values;
        *missing = heed_logical_or(*missing, heed_isnan(own));
    }
    return *missing || print_error();
}

/* Reads the terms of a table as one tensor (n, d). Marks the rows with missing values in *missing, unless NULL, which
 * means the fitted table, without such rows. Returns NULL after printing an error. */
static heed_tensor *read_terms(table *t, const settings *s, const char *path, const heed_io_csv *csv,
                               heed_tensor **missing)
{
    heed_tensor *x[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++) {
        const formula_term *term = &t->formula.terms[i];
        x[i] = column_values(&t->columns[i], term, csv);
        if (!x[i] || (missing && !mark_missing(term, csv, x[i], missing)) ||
            !check_numbers(path, csv, term, x[i], missing ? *missing : NULL) ||
            (!missing && !check_range(t, s, i, x[i])))
            return NULL;
        t->kinds[i] = t->columns[i].kind;
    }
    heed_tensor *all = heed_stack(x, t->formula.count, 1);
    if (!all)
        (void)print_error();
    return all;
}

static bool read_response(table *t, const settings *s)
{
    const formula_term *term = &t->formula.response;
    t->y = column_values(&t->target, term, t->csv);
    if (t->y && t->target.is_date) {
        (void)fprintf(stderr, "heed-np: %s holds dates: before ~ must be numbers or texts\n",
                      heed__escaped(term->text).s);
        return false;
    }
    return t->y && check_numbers(s->path, t->csv, term, t->y, NULL);
}

static bool read_weights(table *t, const settings *s)
{
    t->weights = heed_io_csv_column(t->csv, t->weight_name, HEED_F64);
    if (!t->weights)
        return print_error();
    const double *w = heed_data_f64(t->weights);
    for (int64_t row = 0; row < heed_numel(t->weights); row++)
        if (w[row] < 0) {
            (void)fprintf(stderr, "heed-np: --weights: %s is %g on line %" PRId64 " of %s: must not be negative\n",
                          heed__escaped(s->weights).s, w[row], heed_io_csv_line(t->csv, row), escaped_path(s->path).s);
            return false;
        }
    return true;
}

/* -- The formula and the table ------------------------------------------------------------------------------------- */

/* Returns true if two names differ at most in the blanks around them. */
static bool is_same_name(const char *a, const char *b)
{
    a += strspn(a, " \t");
    b += strspn(b, " \t");
    for (; *a && *a == *b; a++)
        b++;
    return a[strspn(a, " \t")] == '\0' && b[strspn(b, " \t")] == '\0';
}

/* Replaces a name that the table has only with blanks around it, as in the header "x, y", by the name in the table. */
static void adopt_name(char name[FORMULA_NAME], const heed_io_csv *csv)
{
    const char *found = NULL;
    const int columns = heed_io_csv_get_facts(csv).columns;
    for (int i = 0; i < columns; i++) {
        const char *own = heed_io_csv_name(csv, i);
        if (strcmp(own, name) == 0)
            return;
        if (!found && is_same_name(own, name) && strlen(own) < FORMULA_NAME)
            found = own;
    }
    if (found && *name)
        memcpy(name, found, strlen(found) + 1);
}

static void adopt_names(table *t, const heed_io_csv *csv)
{
    formula *f = &t->formula;
    for (int i = -1; i < f->count; i++) {
        formula_term *term = i < 0 ? &f->response : &f->terms[i];
        for (int k = 0; k < term->name_count; k++)
            adopt_name(term->names[k], csv);
    }
    for (int i = 0; i < f->excluded_count; i++)
        adopt_name(f->excluded[i], csv);
    adopt_name(t->weight_name, csv);
}

/* Replaces "." by the columns that the formula does not mention. */
static bool expand_dot(table *t)
{
    formula *f = &t->formula;
    const int columns = heed_io_csv_get_facts(t->csv).columns;
    for (int i = 0; i < columns && f->has_dot; i++) {
        const char *name = heed_io_csv_name(t->csv, i);
        if (*name == '\0' || formula_mentions(f, name) || strcmp(name, t->weight_name) == 0)
            continue;
        if (f->count == HEED_NP_MAX_COLUMNS) {
            (void)fprintf(stderr, "heed-np: . stands for more than %d columns; leave some out: . - name\n",
                          HEED_NP_MAX_COLUMNS);
            return false;
        }
        if (!formula_column(&f->terms[f->count++], name)) {
            (void)fprintf(stderr, "heed-np: the name of column %d is too long for a term\n", i + 1);
            return false;
        }
    }
    if (f->count == 0)
        (void)fprintf(stderr, "heed-np: . stands for no column: the formula mentions all of them\n");
    return f->count > 0;
}

static int add_names(const formula_term *term, const char **names, int count)
{
    for (int i = 0; i < term->name_count; i++)
        names[count++] = term->names[i];
    return count;
}

/* Skips the rows of the fitted table in which a column of the terms, of the response or of the weights is missing. */
static bool skip_missing(const table *t, const settings *s)
{
    const char *names[FORMULA_NAMES * (HEED_NP_MAX_COLUMNS + 1) + 1];
    int n = 0;
    for (int i = 0; i < t->formula.count; i++)
        n = add_names(&t->formula.terms[i], names, n);
    if (t->formula.has_response)
        n = add_names(&t->formula.response, names, n);
    if (s->weights)
        names[n++] = t->weight_name;
    if (heed_io_csv_skip_missing(t->csv, names, n) != HEED_OK)
        return print_error();
    if (heed_io_csv_get_facts(t->csv).rows > 0)
        return true;
    (void)fprintf(stderr, "heed-np: %s: %s\n", escaped_path(s->path).s,
                  heed_io_csv_get_facts(t->csv).skipped > 0 ? "no row has values in all columns of the formula"
                                                            : "the table has a header, but no rows");
    return false;
}

/* Rows with missing values stay, because their predictions are missing too, as in R with na.pass. */
static bool read_at(table *t, const settings *s)
{
    heed_io_csv *csv = open_csv(s, s->at, HEED_IO_MISSING_NAN);
    if (!csv)
        return false;
    const int64_t rows = heed_io_csv_get_facts(csv).rows;
    adopt_names(t, csv);
    heed_tensor *missing = heed_zeros(HEED_BOOL, HEED_SHAPE(rows));
    t->at_x = read_terms(t, s, s->at, csv, &missing);
    heed_io_csv_free(csv);
    if (!t->at_x)
        return false;
    t->at_rows = heed_flatten(heed_nonzero(heed_logical_not(missing)), 0, -1);
    if (!t->at_rows)
        return print_error();
    if (heed_numel(t->at_rows) < rows)
        (void)fprintf(stderr, "heed-np: --at: %" PRId64 " of %" PRId64 " rows of %s have missing values, so no fit\n",
                      rows - heed_numel(t->at_rows), rows, escaped_path(s->at).s);
    return true;
}

/* -- Bandwidths ---------------------------------------------------------------------------------------------------- */

static const formula_term *bandwidth_term(const table *t, int i)
{
    return i < t->formula.count ? &t->formula.terms[i] : &t->formula.response;
}

static bool refuse_bandwidths(const table *t, int count, const char *text)
{
    char expected[1024];
    int used = snprintf(expected, sizeof expected, "%d %s, for", count, count > 1 ? "numbers with commas" : "number");
    for (int i = 0; i < count && used < (int)sizeof expected; i++)
        used += snprintf(expected + used, sizeof expected - (size_t)used, "%s %s", i ? "," : "",
                         heed__escaped(bandwidth_term(t, i)->text).s);
    return refuse("--bandwidth", text, expected);
}

/* Reads "0.5,2", one number per column, and for classes one more for the response. */
static bool read_bandwidths(table *t, const char *text)
{
    const int count = t->formula.count + table_has_classes(t);
    const char *at = text;
    for (int i = 0; i < count; i++) {
        char *end;
        const double h = t->bandwidths[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < count ? ',' : '\0'))
            return refuse_bandwidths(t, count, text);
        const bool of_labels = i == t->formula.count || t->kinds[i] != HEED_NP_CONTINUOUS;
        if (!isfinite(h) || h < 0 || (of_labels ? h > 1 : h == 0)) {
            (void)fprintf(stderr, "heed-np: --bandwidth: %g for %s: must be %s\n", h,
                          heed__escaped(bandwidth_term(t, i)->text).s, of_labels ? "from 0 to 1" : "above 0");
            return false;
        }
        at = end + 1;
    }
    return true;
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

table_result table_read(table *t, const settings *s)
{
    (void)snprintf(t->weight_name, sizeof t->weight_name, "%s", s->weights ? s->weights : "");
    t->csv = open_csv(s, s->path, HEED_IO_MISSING_ERROR);
    if (!t->csv)
        return TABLE_FAILED;
    adopt_names(t, t->csv);
    if (!expand_dot(t) || !skip_missing(t, s))
        return TABLE_FAILED;
    t->x = read_terms(t, s, s->path, t->csv, NULL);
    if (!t->x || (t->formula.has_response && !read_response(t, s)) || (s->weights && !read_weights(t, s)))
        return TABLE_FAILED;
    if (s->bandwidths && !read_bandwidths(t, s->bandwidths))
        return TABLE_BAD_USAGE;
    return s->at && !read_at(t, s) ? TABLE_FAILED : TABLE_READ;
}

void table_free(table *t)
{
    for (int i = 0; i < HEED_NP_MAX_COLUMNS; i++)
        column_free(&t->columns[i]);
    column_free(&t->target);
    heed_io_csv_free(t->csv);
}
