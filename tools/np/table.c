/* tools/np/table.c - the rows that a formula takes from a CSV file. */

#include "np/table.h"

#include <stdlib.h>

static heed_tensor *column_of(const table *t, const formula_term *term)
{
    if (term->use == FORMULA_FACTOR) {
        heed_categories *labels = heed_io_csv_categories(t->csv, term->name);
        heed_tensor *codes = labels ? heed_io_csv_codes(t->csv, term->name, labels) : NULL;
        heed_categories_free(labels);
        return heed_to_dtype(codes, HEED_F64);
    }
    heed_tensor *x = heed_io_csv_column(t->csv, term->name, HEED_F64);
    return term->use == FORMULA_LOG ? heed_log(x) : x;
}

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

bool table_read(table *t, const settings *s)
{
    t->csv = heed_io_csv_read(s->path, &(heed_io_csv_options){.guess_separator = true});
    if (!t->csv || !skip_missing(t, s))
        return false;
    heed_tensor *columns[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++) {
        const formula_term *term = &t->formula.terms[i];
        columns[i] = column_of(t, term);
        t->kinds[i] = term->use == FORMULA_FACTOR    ? HEED_NP_UNORDERED
                      : term->use == FORMULA_ORDERED ? HEED_NP_ORDERED
                                                     : HEED_NP_CONTINUOUS;
    }
    t->x = heed_error_code() == HEED_OK ? heed_stack(columns, t->formula.count, 1) : NULL;
    t->y = t->x && t->formula.has_response ? column_of(t, &t->formula.response) : NULL;
    t->weights = t->x && s->weights ? heed_io_csv_column(t->csv, s->weights, HEED_F64) : NULL;
    return heed_error_code() == HEED_OK;
}

bool table_read_bandwidths(table *t, const char *text)
{
    int n = 0;
    for (const char *at = text; n < t->formula.count; n++) {
        char *end;
        t->bandwidths[n] = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0'))
            return refuse("--bandwidth", text);
        if (*end == '\0')
            return n + 1 == t->formula.count || refuse("--bandwidth", text);
        at = end + 1;
    }
    return refuse("--bandwidth", text);
}
