/* tools/np/files.c - writes the output table and the picture of heed-np. */

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
static void print_gaps(const char *option, heed_tensor *mean)
{
    const double *m = heed_data_f64(mean);
    const int64_t n = heed_numel(mean);
    int64_t gaps = 0;
    for (int64_t i = 0; i < n; i++)
        gaps += isnan(m[i]);
    if (gaps > 0)
        (void)fprintf(stderr,
                      "heed-np: %s: %" PRId64 " of %" PRId64 " points have no row within the window, so no fit\n",
                      option, gaps, n);
}

static bool predict(const settings *s, const char *option, const heed_np *fit, heed_tensor *x, heed_np_prediction *at)
{
    if (heed_np_predict(fit, x, &s->predict, at) != HEED_OK)
        return false;
    print_gaps(option, at->mean);
    if (!s->has_bootstrap)
        return true;
    heed_tensor *draws = heed_np_bootstrap(fit, x, &s->bootstrap);
    return draws && set_intervals(s, draws, at);
}

/* -- Files --------------------------------------------------------------------------------------------------------- */

enum { MOST = HEED_NP_MAX_COLUMNS + 8, NAME = 300 };

/* Columns of the output, with distinct names. */
typedef struct output {
    int count;
    char names[MOST][NAME];
    heed_tensor *columns[MOST];
    const heed_categories *labels[MOST];
} output;

static bool is_taken(const output *o, const char *name)
{
    for (int i = 0; i < o->count; i++)
        if (strcmp(o->names[i], name) == 0)
            return true;
    return false;
}

/* Adds a column called "fit", or "fit.1" if the table already has a column fit, like R. */
static void add(output *o, const char *name, heed_tensor *column, const heed_categories *labels)
{
    char own[NAME];
    (void)snprintf(own, sizeof own, "%s", name);
    for (int i = 1; is_taken(o, own); i++)
        (void)snprintf(own, sizeof own, "%.280s.%d", name, i);
    (void)snprintf(o->names[o->count], NAME, "%s", own);
    o->columns[o->count] = column;
    o->labels[o->count++] = labels;
}

static void add_table(output *o, const table *t)
{
    for (int c = 0; c < t->formula.count; c++) {
        heed_tensor *x = heed_select(t->x, 1, c);
        add(o, t->formula.terms[c].text, t->labels[c] ? heed_to_dtype(x, HEED_I64) : x, t->labels[c]);
    }
    if (t->y)
        add(o, t->formula.response.text, t->y, NULL);
}

bool files_write_rows(const settings *s, const table *t, const heed_np *fit)
{
    heed_np_prediction at;
    static output o; /* static, because it takes 10 KiB; used once */
    const char *names[MOST];
    if (!predict(s, "--output", fit, t->x, &at))
        return false;
    add_table(&o, t);
    add(&o, t->y ? "fit" : "density", at.mean, NULL);
    add(&o, "se", at.se, NULL);
    add(&o, "lower", at.lower, NULL);
    add(&o, "upper", at.upper, NULL);
    if (t->y) {
        add(&o, "residual", heed_np_residuals(fit), NULL);
        add(&o, "leverage", heed_np_leverages(fit), NULL);
    }
    for (int i = 0; i < o.count; i++)
        names[i] = o.names[i];
    const heed_io_csv_write_options options = {.missing = "", .categories = o.labels};
    return heed_io_csv_write(s->output, names, o.count, o.columns, o.count, &options) == HEED_OK;
}

enum { GRID = 400 };

bool files_draw(const settings *s, const table *t, const heed_np *fit)
{
    heed_np_prediction at;
    heed_tensor *x = heed_select(t->x, 1, 0);
    const double low = x ? heed_item(heed_min(x)) : 0, high = x ? heed_item(heed_max(x)) : 0;
    const double beyond = t->y ? 0 : 0.1 * (high - low); /* a density extends beyond the data */
    heed_tensor *grid = heed_linspace(HEED_F64, low - beyond, high + beyond, GRID);
    if (!predict(s, "--plot", fit, heed_unsqueeze(grid, 1), &at))
        return false;
    const heed_plot_series all[] = {{.x = x,
                                     .y = t->y,
                                     .style = HEED_LINE_NONE,
                                     .marker = HEED_MARKER_CIRCLE,
                                     .label = "data",
                                     .color = 0xff7f0e,
                                     .alpha = 0.5},
                                    {.x = grid,
                                     .y = at.mean,
                                     .low = at.lower,
                                     .high = at.upper,
                                     .label = t->y ? "fit" : "density",
                                     .color = 0x1f77b4}};
    const heed_plot_lines_options options = {
        .title = s->formula, .xlabel = t->formula.terms[0].text, .ylabel = t->y ? t->formula.response.text : "density"};
    return heed_plot_lines(t->y ? all : all + 1, t->y ? 2 : 1, s->plot, &options) == HEED_OK;
}
