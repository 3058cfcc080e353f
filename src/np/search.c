/* np/search.c - finds the bandwidths with the lowest criterion. Descents in theta, within bounds, begin at several
 * starting points.
 *
 * CV.LS and GCV depend on the unit of y, so their logarithms are minimised; AICc and the likelihood are minimised
 * directly. With the uniform kernel a criterion is a step function, so it is searched along the axes. A criterion has
 * many minima. Therefore a scan first evaluates points everywhere within the bounds, and descents begin at the lowest
 * ones. With compact kernels many small minima lie close together, so a second scan evaluates points around the best
 * bandwidths. bench/np_minima.c measures how often the search misses the global minimum.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include <heed/shards.h>

#include "np/minimise.h"
#include "np/search.h"

static const char where[] = "np_fit";

enum { D = HEED_NP_MAX_COLUMNS, MOST_EVALUATIONS = 3000, STARTS = 5, SAMPLE = 5000 };

/* Numbers of points of a scan: SCANNED_ON_LINE for a single column, SCANNED for several columns of which at most one is
 * continuous, SCANNED_IN_PLANE for two or more continuous columns. With many rows, points are expensive and fewer, but
 * at least LEAST_SCANNED. SCANNED_NEAR is per column, for scans around a minimum. */
enum { SCANNED_ON_LINE = 100, SCANNED = 180, SCANNED_IN_PLANE = 600, LEAST_SCANNED = 25, SCANNED_NEAR = 18 };

enum { MOST_GIVEN = 2, MOST_SCANNED = 8 };

typedef heed__np_point point;

typedef struct search_run {
    heed__np_smoother *smoother;
    const heed_np_options *options;
    heed__np_search *search;
    heed__np_locals locals;
    heed__np_descent descent;
    double best, best_h[HEED_NP_MAX_COLUMNS];
    bool is_given; /* the starts are `given`, from a sample */
    heed__np_minimum given[MOST_GIVEN];
    point scanned[MOST_SCANNED]; /* the first starts */
    int scanned_count;
    bool has_slopes; /* points are evaluated with slopes */
    int start, starts, limit;
    bool failed;
} search_run;

static bool is_search_over(const search_run *run)
{
    return run->failed || run->search->stopped;
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

/* Returns true if a local polynomial goes through all rows. In that case the rows in a window hardly determine the
 * polynomial, the criterion has many minima caused by rounding errors, and all residuals are 0, so errors cannot be
 * estimated. AICc and GCV are infinite there. */
static bool interpolates(const heed__np_smoother *s, double trace)
{
    return s->degree > 0 && s->data->total - trace < 1e-8 * s->data->total;
}

/* Reports to the callback `progress`, which may end the search, and ends the search at the limit of evaluations. */
static void report_progress(search_run *run)
{
    const heed_np_options *o = run->options;
    heed__np_search *search = run->search;
    if (o->progress) {
        heed_callback call = heed_callback_begin("progress of np_fit");
        const bool goes_on = o->progress(
            &(heed_np_progress){run->start, run->starts, search->evaluations,
                                heed__np_in_units(run->smoother->data, o->criterion, run->best), run->best_h},
            o->user);
        run->failed |= !heed_callback_end(&call);
        search->stopped |= !goes_on;
    }
    search->stopped |= search->evaluations >= run->limit;
}

static bool evaluate_point(void *user, point *p)
{
    search_run *run = user;
    heed__np_smoother *s = run->smoother;
    const int d = s->data->columns;
    p->f = p->value = (double)INFINITY;
    if (is_search_over(run))
        return false;
    for (int c = 0; c < d; c++)
        s->h[c] = heed__np_bandwidth(s, c, p->x[c]);
    heed__np_value v;
    if (!heed__np_criterion(s, run->options->criterion, run->has_slopes, &run->locals, &v)) {
        run->failed = true;
        return false;
    }
    run->search->evaluations++;
    const bool is_ratio = run->options->criterion == HEED_NP_CV_LS || run->options->criterion == HEED_NP_GCV;
    if (isfinite(v.value) && !interpolates(s, v.trace)) {
        p->value = v.value;
        p->f = is_ratio ? log(fmax(v.value, 0x1p-1000)) : v.value;
        for (int c = 0; c < d; c++)
            p->slopes[c] = is_ratio ? (v.value > 0 ? v.slopes[c] / v.value : 0) : v.slopes[c];
        if (p->value < run->best) {
            run->best = p->value;
            memcpy(run->best_h, s->h, sizeof run->best_h);
        }
    }
    report_progress(run);
    return !is_search_over(run);
}

/* -- Starts and minima --------------------------------------------------------------------------------------------- */

/* Returns theta of a column at start i. The first start is the rule of thumb h = 1.06 deviation n^(-1 / (4 + c)), which
 * is made for the Gaussian and degree 0; h is wider for other kernels and higher degrees. The next starts are up to
 * sixteen times wider or narrower. In the last start windows contain all rows, because descents from narrower windows
 * may not get there. This does not apply to the column of classes, because the criterion is flat for l near 1. */
static double start_of(const search_run *run, int i, int c)
{
    const heed__np_smoother *s = run->smoother;
    const heed__np_data *data = s->data;
    const bool smooth = data->kinds[c] == HEED_NP_CONTINUOUS;
    const double reach = (s->kernel == HEED_NW_GAUSSIAN ? 1 : 2.4) * (1 + 0.5 * s->degree);
    double x = -1; /* l is 0.27 of its maximum */
    if (run->is_given)
        x = heed__np_theta(s, c, run->given[i].h[c]);
    else if (smooth)
        x = log(1.06 * reach * data->scale[c] * pow((double)data->rows, -1.0 / (4 + data->smooth)));
    const bool is_class = s->conditional && c == data->columns - 1;
    if (!run->is_given && i > 0 && i == run->starts - 1 && !is_class)
        x = smooth ? log(3 * data->range[c]) : 6;
    else if (!run->is_given && i > 0)
        x += log(16) * (2 * heed__np_even(i + 1, c) - 1);
    return fmin(fmax(x, run->descent.low[c]), run->descent.high[c]);
}

static bool set_bounds(search_run *run)
{
    const heed__np_data *data = run->smoother->data;
    for (int c = 0; c < data->columns; c++) {
        /* l is 2e-16 of its maximum, so that rows with a different label have practically no weight */
        run->descent.low[c] = -36;
        run->descent.high[c] = 12;
        if (data->kinds[c] != HEED_NP_CONTINUOUS)
            continue;
        if (!heed__np_varies(data, c))
            return false;
        run->descent.low[c] =
            /* 4 scale limits the effect of outliers */
            log(fmin(data->range[c], 4 * data->scale[c])) - log((double)data->rows) - 3;
        run->descent.high[c] = log(data->range[c]) + log(1000);
    }
    return true;
}

/* Returns true if two bandwidths of a column are nearly equal, or if both are far wider than the column's range. */
static bool is_same_width(const heed__np_data *data, int c, double a, double b)
{
    if (data->kinds[c] != HEED_NP_CONTINUOUS)
        return fabs(a - b) <= 1e-4;
    return fabs(a - b) <= 1e-3 * fabs(b) || fmin(a, b) > 30 * data->range[c];
}

static bool is_same_minimum(const search_run *run, const heed__np_minimum *m, const heed__np_minimum *known)
{
    const heed__np_data *data = run->smoother->data;
    for (int c = 0; c < data->columns; c++)
        if (!is_same_width(data, c, m->h[c], known->h[c]))
            return false;
    return fabs(m->value - known->value) <= 1e-5 * fabs(m->value);
}

/* Adds a minimum to the list, which is sorted by value, unless it is infinite or already in it. A minimum with the
 * value of a known one counts as known even if its bandwidths differ, because a column without effect has an arbitrary
 * bandwidth. If the list is full, the minimum with the highest value is dropped. */
static void note_minimum(search_run *run, const heed__np_minimum *m)
{
    heed__np_search *search = run->search;
    if (!isfinite(m->value))
        return;
    for (int i = 0; i < search->minima; i++)
        if (is_same_minimum(run, m, &search->found[i]) ||
            fabs(m->value - search->found[i].value) <= 1e-10 * fabs(m->value))
            return;
    int at = search->minima < HEED__NP_MAX_MINIMA ? search->minima++ : HEED__NP_MAX_MINIMA - 1;
    for (; at > 0 && search->found[at - 1].value > m->value; at--)
        search->found[at] = search->found[at - 1];
    search->found[at] = *m;
}

/* Returns true if the criterion is a step function, which has no slopes: with the uniform kernel. */
static bool is_step(const search_run *run)
{
    return run->smoother->kernel == HEED_NW_BOXCAR && run->smoother->data->smooth > 0;
}

/* Descends from p, which has been evaluated, and returns the minimum. For a step function `longest` is the size of the
 * first steps. */
static heed__np_minimum descend(search_run *run, point *p, double longest)
{
    if (is_step(run))
        heed__np_walk_axes(&run->descent, p, longest);
    else
        heed__np_descend(&run->descent, p);
    heed__np_minimum m = {.value = isfinite(p->f) ? p->value : (double)INFINITY};
    for (int c = 0; c < run->smoother->data->columns; c++)
        m.h[c] = heed__np_bandwidth(run->smoother, c, p->x[c]);
    return m;
}

/* Descends from start number run->start and returns the minimum. The first starts are the points found by the scan. The
 * other starts come from start_of, and the last one is always start_of's last one. */
static heed__np_minimum run_start(search_run *run)
{
    const int d = run->smoother->data->columns, i = run->start;
    point p = {0};
    for (int c = 0; c < d; c++)
        p.x[c] = i < run->scanned_count ? run->scanned[i].x[c]
                                        : start_of(run, i == run->starts - 1 ? i : i - run->scanned_count, c);
    run->has_slopes = !is_step(run);
    evaluate_point(run, &p);
    /* widens all windows while some of them are empty */
    while (!isfinite(p.f) && !is_search_over(run) && p.x[0] < run->descent.high[0]) {
        for (int c = 0; c < d; c++)
            p.x[c] = fmin(p.x[c] + 0.5, run->descent.high[c]);
        evaluate_point(run, &p);
    }
    return descend(run, &p, 0.5);
}

static bool run_starts(search_run *run)
{
    for (run->start = 0; run->start < run->starts && !is_search_over(run); run->start++) {
        const heed__np_minimum m = run_start(run);
        if (!run->failed)
            note_minimum(run, &m);
    }
    return !run->failed;
}

/* -- Starts shared by a team of processes -------------------------------------------------------------------------- */

/* The result of a start. Processes exchange it as an array of doubles. */
typedef struct outcome {
    heed__np_minimum minimum, best;
    double evaluations, stopped;
} outcome;

enum { OUTCOME = sizeof(outcome) / sizeof(double) };

_Static_assert(OUTCOME * sizeof(double) == sizeof(outcome), "nothing but doubles");

/* Runs start run->start and passes its outcome to the other processes. Returns false after heed_fail. */
static bool put_outcome(search_run *run, heed_shards *pass)
{
    const int before = run->search->evaluations;
    run->best = (double)INFINITY;
    outcome o = {.minimum = run_start(run), .best = {.value = run->best}};
    memcpy(o.best.h, run->best_h, sizeof run->best_h);
    o.evaluations = run->search->evaluations - before;
    o.stopped = run->search->stopped;
    heed_tensor *row = run->failed ? NULL : heed_zeros(HEED_F64, HEED_SHAPE(1, OUTCOME));
    if (!row)
        return false;
    memcpy(row->data, &o, sizeof o);
    return heed_shards_put(pass, &row, 1) == HEED_OK;
}

/* Merges all outcomes, as if this process had run all starts. */
static void merge_outcomes(search_run *run, heed_tensor *rows, int before, const heed__np_minimum *scanned)
{
    heed__np_search *search = run->search;
    run->best = scanned->value;
    memcpy(run->best_h, scanned->h, sizeof run->best_h);
    search->evaluations = before;
    for (int i = 0; i < run->starts; i++) {
        outcome o;
        memcpy(&o, heed__np_numbers(rows) + i * OUTCOME, sizeof o);
        search->evaluations += (int)o.evaluations;
        search->stopped |= o.stopped > 0;
        note_minimum(run, &o.minimum);
        if (o.best.value < run->best) {
            run->best = o.best.value;
            memcpy(run->best_h, o.best.h, sizeof run->best_h);
        }
    }
}

/* Every process runs some of the starts and receives the minima of all starts. Returns false after heed_fail. */
static bool run_starts_in_team(search_run *run)
{
    const int before = run->search->evaluations;
    heed__np_minimum scanned = {.value = run->best};
    memcpy(scanned.h, run->best_h, sizeof scanned.h);
    int64_t begin, end;
    heed_scope *scope = heed_scope_begin();
    heed_shards *pass = scope ? heed_shards_new(run->options->comm, run->starts, 0) : NULL;
    heed_tensor *rows = NULL;
    bool good = pass != NULL;
    while (good && heed_shards_next(pass, &begin, &end))
        for (run->start = (int)begin; good && run->start < end; run->start++)
            good = put_outcome(run, pass);
    good = good && heed_shards_gather(pass, &rows, 1) == HEED_OK;
    if (good)
        merge_outcomes(run, rows, before, &scanned);
    heed_shards_free(pass);
    heed_scope_end(scope);
    return good;
}

/* -- Scans --------------------------------------------------------------------------------------------------------- */

/* Evaluates the criterion at points that evenly fill the bounds, up to bandwidths whose windows contain all rows. The
 * lowest local minima among the points become the first starts. Does nothing if there is a single start, or if the
 * starts come from a sample. The scan takes about as long as the descents, and less for many rows. Returns false if it
 * failed. */
static bool scan_bounds(search_run *run)
{
    const heed__np_data *data = run->smoother->data;
    double low[D], high[D];
    run->scanned_count = 0;
    if (run->is_given || run->starts < 2)
        return true;
    for (int c = 0; c < data->columns; c++) {
        const bool smooth = data->kinds[c] == HEED_NP_CONTINUOUS;
        low[c] = smooth ? run->descent.low[c] : -12;
        high[c] = smooth ? log(4 * data->range[c]) : 4;
    }
    const double most_points = data->columns == 1 ? SCANNED_ON_LINE : data->smooth < 2 ? SCANNED : SCANNED_IN_PLANE;
    const double fewer = data->sorted ? 1 : fmin(1, 100.0 / (double)data->keys);
    const int points = (int)fmax(LEAST_SCANNED, most_points * fewer);
    run->has_slopes = false;
    const int most = run->starts - 1 < MOST_SCANNED ? run->starts - 1 : MOST_SCANNED;
    run->scanned_count = heed__np_scan(&run->descent, low, high, points, run->scanned, most);
    return run->scanned_count >= 0;
}

/* Returns the bandwidths of the best minimum in which a window does not contain all rows, because the criterion is
 * smooth for wider windows. Returns best_h if all minima are wider. */
static const double *narrow_one(const search_run *run)
{
    const heed__np_data *data = run->smoother->data;
    for (int i = 0; i < run->search->minima; i++)
        for (int c = 0; c < data->columns; c++)
            if (data->kinds[c] == HEED_NP_CONTINUOUS && run->search->found[i].h[c] < data->range[c])
                return run->search->found[i].h;
    return run->best_h;
}

/* Evaluates points around the minimum of narrow_one, whose bandwidths are up to e^width times wider or narrower, and
 * descends from the two lowest local minima among them. Returns false if this failed. */
static bool scan_around(search_run *run, double width)
{
    const heed__np_smoother *s = run->smoother;
    const int d = s->data->columns;
    const double *h = narrow_one(run);
    double low[D], high[D];
    point near[2];
    for (int c = 0; c < d; c++) {
        const double x = fmax(heed__np_theta(s, c, h[c]), run->descent.low[c]);
        low[c] = fmin(fmax(x - width, run->descent.low[c]), run->descent.high[c] - width);
        high[c] = fmin(x + width, run->descent.high[c]);
    }
    run->has_slopes = false;
    const int found = heed__np_scan(&run->descent, low, high, SCANNED_NEAR * d, near, 2);
    for (int i = 0; i < found && !is_search_over(run); i++) {
        run->has_slopes = !is_step(run);
        evaluate_point(run, &near[i]);
        const heed__np_minimum m = descend(run, &near[i], width / 8);
        if (!run->failed)
            note_minimum(run, &m);
    }
    return found >= 0 && !run->failed;
}

static bool refine(search_run *run)
{
    const heed_nw_kernel kernel = run->smoother->kernel;
    static const double widths[] = {0.3, 0.08};
    /* these kernels end with a step or a nonzero slope, so that the criterion has a step or a kink at every bandwidth
     * at which a key enters a window */
    const bool has_kinks = kernel == HEED_NW_BOXCAR || kernel == HEED_NW_TRIANGULAR || kernel == HEED_NW_EPANECHNIKOV;
    const int times = kernel == HEED_NW_GAUSSIAN || run->is_given || run->starts < 2 ? 0 : has_kinks ? 2 : 1;
    bool good = true;
    for (int i = 0; good && i < times && !is_search_over(run) && isfinite(run->best); i++)
        good = scan_around(run, widths[i]);
    return good;
}

/* Returns the decrease per step below which a descent ends. It is larger for kernels whose criterion has kinks, because
 * many kinks are small minima. */
static double least_gain(heed_nw_kernel kernel)
{
    return kernel == HEED_NW_TRIANGULAR || kernel == HEED_NW_EPANECHNIKOV ? 1e-8 : 1e-13;
}

static bool search_in(search_run *run, const heed__np_data *data)
{
    run->best = (double)INFINITY;
    run->search->minima = 0;
    if (!set_bounds(run) || !heed__np_locals_new(&run->locals, data->columns, data->keys))
        return false;
    const bool good =
        scan_bounds(run) && (run->options->comm ? run_starts_in_team(run) : run_starts(run)) && refine(run);
    heed__np_locals_free(&run->locals);
    return good;
}

/* For many rows, first searches a sample of them from all starts. The two lowest minima of the sample become the starts
 * for all rows; their bandwidths are scaled as n^(-1 / (4 + c)) for n rows and c continuous columns. Returns false
 * after heed_fail. */
static bool search_sample(search_run *run)
{
    heed__np_smoother *all = run->smoother, s = *all;
    heed__np_data sample;
    if (!heed__np_sample(all->data, SAMPLE, &sample))
        return false;
    s.data = &sample;
    run->smoother = &s;
    const bool good = search_in(run, &sample);
    const double shrink = pow((double)sample.keys / (double)all->data->keys, 1.0 / (4 + sample.smooth));
    run->smoother = all;
    memcpy(run->given, run->search->found, sizeof run->given);
    if (run->search->minima == 0) /* the search ended before its first minimum */
        memcpy(run->given[0].h, run->best_h, sizeof run->best_h);
    for (int i = 0; i < MOST_GIVEN; i++)
        for (int c = 0; c < sample.columns; c++)
            run->given[i].h[c] *= sample.kinds[c] == HEED_NP_CONTINUOUS ? shrink : 1;
    /* if false, all rows are searched from the usual starts */
    run->is_given = run->search->minima > 0 || run->search->stopped;
    if (run->is_given)
        run->starts = run->search->minima < MOST_GIVEN ? run->search->minima : MOST_GIVEN;
    heed__np_data_free(&sample);
    return good;
}

/* Stores the result of the search. If the search was stopped before the first finite value for all rows, this is the
 * best result of the sample. Returns false after heed_fail. */
static bool store_best(search_run *run)
{
    const bool only_sampled = isinf(run->best) && run->is_given && run->search->stopped;
    if (!isfinite(run->best) && !only_sampled)
        return heed_fail_false(
            HEED_ERR_ARGUMENT, where,
            "the criterion is infinite at all %d bandwidths tried: the rows are too few, or too far apart, "
            "for this number of columns and powers",
            run->search->evaluations);
    memcpy(run->smoother->h, only_sampled ? run->given[0].h : run->best_h, sizeof run->best_h);
    heed__np_search *search = run->search;
    if (only_sampled)
        search->minima = 0;
    if (search->minima > 0) { /* evaluations after the descent may have found a slightly lower value near the minimum */
        memcpy(search->found[0].h, run->best_h, sizeof run->best_h);
        search->found[0].value = run->best;
    }
    for (int i = 0; i < search->minima; i++)
        search->found[i].value =
            heed__np_in_units(run->smoother->data, run->options->criterion, search->found[i].value);
    return true;
}

bool heed__np_find(heed__np_smoother *s, const heed_np_options *options, heed__np_search *search)
{
    const heed__np_data *data = s->data;
    search_run run = {.smoother = s, .options = options, .search = search, .best = (double)INFINITY};
    run.starts = options->starts ? options->starts : STARTS;
    run.limit = options->max_evaluations ? options->max_evaluations : MOST_EVALUATIONS;
    run.descent = (heed__np_descent){
        .columns = data->columns, .least_gain = least_gain(s->kernel), .at = evaluate_point, .user = &run};
    if (data->keys > (data->sorted ? 2 * SAMPLE : SAMPLE) && !search_sample(&run))
        return false;
    return search_in(&run, data) && store_best(&run);
}
