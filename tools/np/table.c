/* tools/np/table.c - reads the columns of a formula from a CSV file. */

#include "np/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"

/* -- Columns ------------------------------------------------------------------------------------------------------- */

/* Prints the pending error of the library. If a column of texts was read as numbers, adds a remedy. */
static bool fail(const formula_term *of_numbers)
{
    const bool is_text = of_numbers && heed_error_code() == HEED_ERR_FORMAT;
    (void)fprintf(stderr, "heed-np: %s", heed_error_message());
    if (is_text)
        (void)fprintf(stderr, "; use factor(%s) on the right of ~ if its values are labels",
                      heed__escaped(of_numbers->name).s);
    (void)fputc('\n', stderr);
    return false;
}

static heed_tensor *codes_of(table *t, int i)
{
    const char *name = t->formula.terms[i].name;
    t->labels[i] = heed_io_csv_categories(t->csv, name);
    return heed_to_dtype(t->labels[i] ? heed_io_csv_codes(t->csv, name, t->labels[i]) : NULL, HEED_F64);
}

static heed_tensor *numbers_of(const table *t, const formula_term *term)
{
    heed_tensor *x = heed_io_csv_column(t->csv, term->name, HEED_F64);
    return term->use == FORMULA_LOG ? heed_log(x) : x;
}

/* Returns why a number of a term cannot be fitted, or NULL if it can. */
static const char *reason_against(formula_use use, double x)
{
    if (use == FORMULA_ORDERED && (x != floor(x) || fabs(x) >= 0x1p53))
        return "an ordered column needs whole numbers below 2^53; factor() takes any labels";
    if (isfinite(x))
        return NULL;
    return use == FORMULA_LOG ? "log needs numbers above 0; leave such rows out" : "it must be finite";
}

static bool check_numbers(const table *t, const settings *s, const formula_term *term, heed_tensor *numbers)
{
    const double *x = heed_data_f64(numbers);
    for (int64_t row = 0; row < heed_numel(numbers); row++) {
        const char *why = reason_against(term->use, x[row]);
        if (!why)
            continue;
        (void)fprintf(stderr, "heed-np: %s is %g on line %" PRId64 " of %s: %s\n", heed__escaped(term->text).s, x[row],
                      heed_io_csv_line(t->csv, row), heed__escaped(s->path).s, why);
        return false;
    }
    return true;
}

/* A column of numbers needs two distinct values, or a given bandwidth. */
static bool check_range(const table *t, const settings *s, int i, heed_tensor *numbers)
{
    const formula_term *term = &t->formula.terms[i];
    if (t->kinds[i] != HEED_NP_CONTINUOUS || s->bandwidths || heed_numel(numbers) == 0)
        return true;
    const double least = heed_item(heed_min(numbers));
    if (least != heed_item(heed_max(numbers)))
        return true;
    (void)fprintf(stderr, "heed-np: %s is %g in every row: a constant column explains nothing, leave it out\n",
                  heed__escaped(term->text).s, least);
    return false;
}

static bool read_column(table *t, const settings *s, int i, heed_tensor **column)
{
    const formula_term *term = &t->formula.terms[i];
    t->kinds[i] = term->use == FORMULA_FACTOR    ? HEED_NP_UNORDERED
                  : term->use == FORMULA_ORDERED ? HEED_NP_ORDERED
                                                 : HEED_NP_CONTINUOUS;
    *column = term->use == FORMULA_FACTOR ? codes_of(t, i) : numbers_of(t, term);
    if (!*column)
        return fail(term->use == FORMULA_FACTOR ? NULL : term);
    return check_numbers(t, s, term, *column) && check_range(t, s, i, *column);
}

static bool check_weights(const table *t, const settings *s)
{
    const double *w = heed_data_f64(t->weights);
    for (int64_t row = 0; row < heed_numel(t->weights); row++)
        if (w[row] < 0) {
            (void)fprintf(stderr, "heed-np: --weights: %s is %g on line %" PRId64 " of %s: must not be negative\n",
                          heed__escaped(s->weights).s, w[row], heed_io_csv_line(t->csv, row), heed__escaped(s->path).s);
            return false;
        }
    return true;
}

/* -- The table ----------------------------------------------------------------------------------------------------- */

static bool skip_missing(table *t, const settings *s)
{
    const char *names[HEED_NP_MAX_COLUMNS + 2];
    int n = 0;
    if (t->formula.has_response)
        names[n++] = t->formula.response.name;
    for (int i = 0; i < t->formula.count; i++)
        names[n++] = t->formula.terms[i].name;
    if (s->weights)
        names[n++] = s->weights;
    return heed_io_csv_skip_missing(t->csv, names, n) == HEED_OK;
}

static bool read_rows(table *t, const settings *s)
{
    heed_tensor *columns[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++)
        if (!read_column(t, s, i, &columns[i]))
            return false;
    t->x = heed_stack(columns, t->formula.count, 1);
    if (t->formula.has_response && !(t->y = numbers_of(t, &t->formula.response)))
        return fail(&t->formula.response);
    if (t->y && !check_numbers(t, s, &t->formula.response, t->y))
        return false;
    if (s->weights && !(t->weights = heed_io_csv_column(t->csv, s->weights, HEED_F64)))
        return fail(NULL);
    return t->x ? !t->weights || check_weights(t, s) : fail(NULL);
}

bool table_read(table *t, const settings *s)
{
    t->csv = heed_io_csv_read(s->path, &(heed_io_csv_options){.guess_separator = true});
    if (!t->csv || !skip_missing(t, s))
        return fail(NULL);
    if (heed_io_csv_get_facts(t->csv).rows > 0)
        return read_rows(t, s);
    (void)fprintf(stderr, "heed-np: %s: no row has values in all columns of the formula\n", heed__escaped(s->path).s);
    return false;
}

void table_free(table *t)
{
    for (int i = 0; i < HEED_NP_MAX_COLUMNS; i++)
        heed_categories_free(t->labels[i]);
    heed_io_csv_free(t->csv);
}

/* -- Bandwidths ---------------------------------------------------------------------------------------------------- */

static bool refuse_bandwidths(const table *t, const char *text)
{
    char expected[1024];
    int used = snprintf(expected, sizeof expected, "%d %s, for", t->formula.count,
                        t->formula.count > 1 ? "numbers with commas" : "number");
    for (int i = 0; i < t->formula.count && used < (int)sizeof expected; i++)
        used += snprintf(expected + used, sizeof expected - (size_t)used, "%s %s", i ? "," : "",
                         heed__escaped(t->formula.terms[i].text).s);
    return refuse("--bandwidth", text, expected);
}

bool table_read_bandwidths(table *t, const char *text)
{
    const char *at = text;
    for (int i = 0; i < t->formula.count; i++) {
        const formula_term *term = &t->formula.terms[i];
        char *end;
        const double h = t->bandwidths[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < t->formula.count ? ',' : '\0'))
            return refuse_bandwidths(t, text);
        const bool of_labels = term->use > FORMULA_LOG;
        if (!isfinite(h) || h < 0 || (of_labels ? h > 1 : h == 0)) {
            (void)fprintf(stderr, "heed-np: --bandwidth: %g for %s: must be %s\n", h, heed__escaped(term->text).s,
                          of_labels ? "from 0 to 1" : "above 0");
            return false;
        }
        at = end + 1;
    }
    return true;
}
