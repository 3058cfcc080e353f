/* tools/np/table.c - reads the columns of a formula from a CSV file. */

#include "np/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* -- Files --------------------------------------------------------------------------------------------------------- */

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
static heed_io_csv *open_csv(const settings *s, const char *path)
{
    heed_io_csv_options options = s->table;
    const bool is_standard = strcmp(path, "-") == 0;
    char *bytes = NULL;
    if (is_standard && !(bytes = read_standard_input(&options.size)))
        return NULL;
    options.bytes = bytes;
    heed_io_csv *csv = heed_io_csv_read(is_standard ? "standard input" : path, &options);
    free(bytes);
    if (!csv)
        (void)print_error();
    else if (heed_io_csv_get_facts(csv).latin1)
        (void)fprintf(stderr, "heed-np: %s is not UTF-8; it is read as Latin-1 (Windows-1252)\n",
                      heed__escaped(path).s);
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

static bool check_numbers(const char *path, const heed_io_csv *csv, const formula_term *term, heed_tensor *numbers)
{
    const double *x = heed_data_f64(numbers);
    for (int64_t row = 0; row < heed_numel(numbers); row++) {
        const char *why = reason_against(term, x[row]);
        if (!why)
            continue;
        (void)fprintf(stderr, "heed-np: %s is %g on line %" PRId64 " of %s: %s\n", heed__escaped(term->text).s, x[row],
                      heed_io_csv_line(csv, row), heed__escaped(path).s, why);
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

/* Reads the terms of a table as one tensor (n, d). Returns NULL after printing an error. */
static heed_tensor *read_terms(table *t, const settings *s, const char *path, const heed_io_csv *csv, bool fitted)
{
    heed_tensor *x[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++) {
        x[i] = column_values(&t->columns[i], &t->formula.terms[i], csv);
        if (!x[i] || !check_numbers(path, csv, &t->formula.terms[i], x[i]) || (fitted && !check_range(t, s, i, x[i])))
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
    return t->y && check_numbers(s->path, t->csv, term, t->y);
}

static bool read_weights(table *t, const settings *s)
{
    t->weights = heed_io_csv_column(t->csv, s->weights, HEED_F64);
    if (!t->weights)
        return print_error();
    const double *w = heed_data_f64(t->weights);
    for (int64_t row = 0; row < heed_numel(t->weights); row++)
        if (w[row] < 0) {
            (void)fprintf(stderr, "heed-np: --weights: %s is %g on line %" PRId64 " of %s: must not be negative\n",
                          heed__escaped(s->weights).s, w[row], heed_io_csv_line(t->csv, row), heed__escaped(s->path).s);
            return false;
        }
    return true;
}

/* -- The formula and the table ------------------------------------------------------------------------------------- */

/* Replaces "." by the columns that the formula does not mention. */
static bool expand_dot(table *t, const settings *s)
{
    formula *f = &t->formula;
    const int columns = heed_io_csv_get_facts(t->csv).columns;
    for (int i = 0; i < columns && f->has_dot; i++) {
        const char *name = heed_io_csv_name(t->csv, i);
        if (*name == '\0' || formula_mentions(f, name) || (s->weights && strcmp(name, s->weights) == 0))
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

/* Skips the rows in which a column of the terms, or for the fit of the response or the weights, is missing. */
static bool skip_missing(const table *t, const settings *s, heed_io_csv *csv, const char *path, bool fitted)
{
    const char *names[FORMULA_NAMES * (HEED_NP_MAX_COLUMNS + 1) + 1];
    int n = 0;
    for (int i = 0; i < t->formula.count; i++)
        n = add_names(&t->formula.terms[i], names, n);
    if (fitted && t->formula.has_response)
        n = add_names(&t->formula.response, names, n);
    if (fitted && s->weights)
        names[n++] = s->weights;
    if (heed_io_csv_skip_missing(csv, names, n) != HEED_OK)
        return print_error();
    if (heed_io_csv_get_facts(csv).rows > 0)
        return true;
    (void)fprintf(stderr, "heed-np: %s: no row has values in all columns of the formula\n", heed__escaped(path).s);
    return false;
}

static bool read_at(table *t, const settings *s)
{
    heed_io_csv *csv = open_csv(s, s->at);
    const bool skipped = csv && skip_missing(t, s, csv, s->at, false);
    t->at_left_out = skipped ? heed_io_csv_get_facts(csv).skipped : 0;
    t->at_x = skipped ? read_terms(t, s, s->at, csv, false) : NULL;
    heed_io_csv_free(csv);
    if (t->at_left_out > 0)
        (void)fprintf(stderr, "heed-np: --at: %" PRId64 " rows of %s are left out for missing values\n", t->at_left_out,
                      heed__escaped(s->at).s);
    return t->at_x != NULL;
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
    t->csv = open_csv(s, s->path);
    if (!t->csv || !expand_dot(t, s) || !skip_missing(t, s, t->csv, s->path, true))
        return TABLE_FAILED;
    t->x = read_terms(t, s, s->path, t->csv, true);
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
