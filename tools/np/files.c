/* tools/np/files.c - writes the output table of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Fits and intervals -------------------------------------------------------------------------------------------- */

/* Computes standard errors and intervals from draws. The interval is m plus the deviations of the draws from their
 * mean. */
static bool set_intervals(const settings *s, heed_tensor *draws, heed_np_prediction *at)
{
    heed_tensor *sorted = heed_sort_axis(draws, 0, false, NULL);
    if (!sorted)
        return false;
    const int64_t count = heed_dim(sorted, 0);
    const double level = s->predict.level > 0 ? s->predict.level : 0.95;
    const int64_t below = (int64_t)((1 - level) / 2 * (double)count);
    heed_tensor *center = heed_sub(at->mean, heed_mean_axes(draws, HEED_AXES(0), false));
    at->se = heed_std(draws, HEED_AXES(0), 1, false);
    at->lower = heed_add(center, heed_select(sorted, 0, below));
    at->upper = heed_add(center, heed_select(sorted, 0, count - 1 - below));
    return at->se && at->lower && at->upper;
}

/* Prints the number of points without a fit, which are empty fields and gaps. */
static void print_gaps(const char *option, int64_t gaps, int64_t n)
{
    if (gaps > 0)
        (void)fprintf(stderr,
                      "heed-np: %s: %" PRId64 " of %" PRId64 " points have no row within the window, so no fit\n",
                      option, gaps, n);
}

bool files_predict(const settings *s, const char *option, const heed_np *fit, heed_tensor *x, heed_np_prediction *at)
{
    if (heed_np_predict(fit, x, &s->predict, at) != HEED_OK)
        return false;
    print_gaps(option, at->undefined, heed_numel(at->mean));
    if (!s->resampling)
        return true;
    heed_tensor *draws = heed_np_bootstrap(fit, x, &s->bootstrap);
    return draws && set_intervals(s, draws, at);
}

heed_tensor *files_classify(const char *option, const heed_np *fit, heed_tensor *x, heed_tensor **probabilities)
{
    heed_tensor *classes = heed_np_classify(fit, x, probabilities);
    int64_t *codes = classes ? heed_mutable_i64(classes) : NULL, gaps = 0;
    for (int64_t i = 0; codes && i < heed_numel(classes); i++)
        if (codes[i] == HEED_NP_NO_LABEL) {
            codes[i] = -1;
            gaps++;
        }
    print_gaps(option, gaps, codes ? heed_numel(classes) : 0);
    return codes ? classes : NULL;
}

/* -- Files --------------------------------------------------------------------------------------------------------- */

enum { CLASSES = 128, MOST = HEED_NP_MAX_COLUMNS + 8 + CLASSES, NAME = 300 };

/* Columns of the output, with distinct names. */
typedef struct output {
    int count;
    char names[MOST][NAME];
    heed_tensor *columns[MOST];
    const heed_categories *labels[MOST];
    heed_categories *owned[MOST]; /* labels of the output itself */
} output;

static bool is_taken(const output *o, const char *name)
{
    for (int i = 0; i < o->count; i++)
        if (strcmp(o->names[i], name) == 0)
            return true;
    return false;
}

/* Adds a column called "fit", or "fit.1" if the table already has a column fit, like R. */
static void add(output *o, const char *name, heed_tensor *values, const heed_categories *labels)
{
    char own[NAME];
    (void)snprintf(own, sizeof own, "%s", name);
    for (int i = 1; is_taken(o, own); i++)
        (void)snprintf(own, sizeof own, "%.280s.%d", name, i);
    (void)snprintf(o->names[o->count], NAME, "%s", own);
    o->columns[o->count] = values;
    o->labels[o->count++] = labels;
}

static void add_values(output *o, const char *name, const column *c, heed_tensor *values)
{
    const heed_categories *labels = NULL;
    heed_categories *owned = NULL;
    heed_tensor *written = column_output(c, values, &labels, &owned);
    o->owned[o->count] = owned;
    add(o, name, written, labels);
}

/* Returns values for the rows of --at without missing values as values for all its rows: NaN, or the code -1, for the
 * others. */
static heed_tensor *for_all_rows(const table *t, heed_tensor *values)
{
    if (!t->at_x || !values)
        return values;
    const heed_dtype dtype = heed_dtype_of(values);
    const double missing = dtype == HEED_I64 ? -1 : (double)NAN;
    return heed_index_copy(heed_full(dtype, HEED_SHAPE(heed_dim(t->at_x, 0)), missing), 0, t->at_rows, values);
}

static bool add_prediction(output *o, const settings *s, const table *t, const heed_np *fit, heed_tensor *x)
{
    heed_np_prediction at;
    if (!files_predict(s, s->at ? "--at" : "--output", fit, x, &at))
        return false;
    add(o, t->y ? "fit" : "density", for_all_rows(t, at.mean), NULL);
    add(o, "se", for_all_rows(t, at.se), NULL);
    add(o, "lower", for_all_rows(t, at.lower), NULL);
    add(o, "upper", for_all_rows(t, at.upper), NULL);
    if (t->y && !s->at) {
        add(o, "residual", heed_np_residuals(fit), NULL);
        add(o, "leverage", heed_np_leverages(fit), NULL);
    }
    return true;
}

static bool add_classes(output *o, const settings *s, const table *t, const heed_np *fit, heed_tensor *x)
{
    heed_tensor *probabilities, *known = heed_np_classes(fit);
    heed_tensor *classes = files_classify(s->at ? "--at" : "--output", fit, x, &probabilities);
    if (!known || !classes)
        return false;
    add(o, "class", for_all_rows(t, classes), t->target.labels);
    for (int64_t k = 0; k < heed_numel(known) && k < CLASSES; k++) {
        char name[NAME];
        (void)snprintf(name, sizeof name, "P(%.250s)", column_label(&t->target, (double)heed_data_i64(known)[k]));
        add(o, name, for_all_rows(t, heed_select(probabilities, 1, k)), NULL);
    }
    return true;
}

bool files_write_rows(const settings *s, const table *t, const heed_np *fit)
{
    static output o; /* static, because it takes 50 KiB; used once */
    const char *names[MOST];
    heed_tensor *x = s->at ? heed_index_select(t->at_x, 0, t->at_rows) : t->x;
    for (int c = 0; c < t->formula.count; c++)
        add_values(&o, t->formula.terms[c].text, &t->columns[c], heed_select(s->at ? t->at_x : t->x, 1, c));
    if (t->y && !s->at)
        add_values(&o, t->formula.response.text, &t->target, t->y);
    bool ok = table_has_classes(t) ? add_classes(&o, s, t, fit, x) : add_prediction(&o, s, t, fit, x);
    for (int i = 0; i < o.count; i++) {
        names[i] = o.names[i];
        ok = ok && o.columns[i];
    }
    const heed_io_csv_write_options options = {.missing = "", .categories = o.labels};
    ok = ok && heed_io_csv_write(s->output, names, o.count, o.columns, o.count, &options) == HEED_OK;
    for (int i = 0; i < o.count; i++)
        heed_categories_free(o.owned[i]);
    return ok;
}
