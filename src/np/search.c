/* np/search.c - finds the bandwidths with the lowest criterion by descents over theta, within bounds, from several
 * starts.
 *
 * CV.LS and GCV have a unit, so their logarithms are minimised; AICc and the likelihood are minimised themselves. With
 * the uniform kernel a criterion is a step function, so it is searched along the axes. A criterion has many minima, so
 * descents start from the lowest of points all over the bounds. With compact kernels small minima lie next to each
 * other, so more points around the best bandwidths follow. bench/np_minima.c measures how often the search misses the
 * global minimum.
 */

#include <math.h>
#include <string.h>

#include "np/scan.h"
#include "np/search.h"

static const char where[] = "np_fit";

enum { D = HEED_NP_MAX_COLUMNS, MOST_EVALUATIONS = 3000, STARTS = 5, SAMPLE = 5000 };

/* Numbers of points of a scan: for one continuous column; with one and labels; with two or more; at least, for many
 * rows; and per column around a minimum. Points are cheap if there are few rows. */
enum { SCANNED_ON_LINE = 100, SCANNED = 180, SCANNED_IN_PLANE = 600, LEAST_SCANNED = 25, SCANNED_NEAR = 18 };

typedef heed__np_point point;
typedef heed__np_search_run search_run;

static bool is_over(const search_run *run)
{
    return run->failed || run->search->stopped;
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

static void note_best(search_run *run, const point *p)
{
    if (!(p->value < run->best))
        return;
    run->best = p->value;
    memcpy(run->best_h, run->smoother->h, sizeof run->best_h);
}

/* Returns true if a local polynomial goes through all rows. Then the rows in its windows hardly determine it, its
 * criterion is full of minima caused by rounding, and no residuals are left to estimate an error from. AICc and GCV are
 * infinite there. */
static bool interpolates(const heed__np_smoother *s, double trace)
{
    return s->degree > 0 && s->data->total - trace < 1e-8 * s->data->total;
}

/* Calls `progress`, which may end the search. */
static void report(search_run *run)
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

static bool evaluate(void *user, point *p)
{
    search_run *run = user;
    heed__np_smoother *s = run->smoother;
    const int d = s->data->columns;
    p->f = p->value = (double)INFINITY;
    if (is_over(run))
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
        note_best(run, p);
    }
    report(run);
    return !is_over(run);
}

/* -- Starts and minima --------------------------------------------------------------------------------------------- */

/* Theta of a column at start i. The first start is the rule of thumb, 1.06 deviation n^(-1 / (4 + c)), made for the
 * Gaussian and degree 0, and wider for other kernels and higher degrees. The following ones are up to sixteen times
 * wider or narrower. The last one is wide enough for all rows, which a descent from narrower windows may not reach; not
 * for l of classes, whose criterion is flat near 1. */
static double start_of(const search_run *run, int i, int c)
{
    const heed__np_smoother *s = run->smoother;
    const heed__np_data *data = s->data;
    const bool smooth = data->kinds[c] == HEED_NP_CONTINUOUS;
    const double reach = (s->kernel == HEED_NW_GAUSSIAN ? 1 : 2.4) * (1 + 0.5 * s->degree);
    double x = -1; /* l = 0.27 of its maximum */
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
        run->descent.low[c] = -36; /* l = 2e-16 of its maximum: other labels do not count */
        run->descent.high[c] = 12;
        if (data->kinds[c] != HEED_NP_CONTINUOUS)
            continue;
        if (!heed__np_varies(data, c))
            return false;
        run->descent.low[c] =
            log(fmin(data->range[c], 4 * data->scale[c])) - log((double)data->rows) - 3; /* not affected by outliers */
        run->descent.high[c] = log(data->range[c]) + log(1000);
    }
    return true;
}

/* Returns true if two bandwidths of a column are equivalent: also if both are far wider than its range, or both l
 * nearly 0. */
static bool is_same_width(const heed__np_data *data, int c, double a, double b)
{
    if (data->kinds[c] != HEED_NP_CONTINUOUS)
        return fabs(a - b) <= 1e-4;
    return fabs(a - b) <= 1e-3 * fabs(b) || fmin(a, b) > 30 * data->range[c];
}

static bool is_same(const search_run *run, int i, const heed__np_minimum *m)
{
    const heed__np_data *data = run->smoother->data;
    const heed__np_minimum *other = &run->search->found[i];
    for (int c = 0; c < data->columns; c++)
        if (!is_same_width(data, c, m->h[c], other->h[c]))
            return false;
    return fabs(m->value - other->value) <= 1e-5 * fabs(m->value);
}

/* If the same value occurs at different bandwidths, a column has no effect and its bandwidth is arbitrary. */
static bool is_known(const search_run *run, const heed__np_minimum *m)
{
    for (int i = 0; i < run->search->minima; i++)
        if (is_same(run, i, m) || fabs(m->value - run->search->found[i].value) <= 1e-10 * fabs(m->value))
            return true;
    return false;
}

/* Keeps minima sorted by value, without duplicates and infinite ones. */
void heed__np_note_minimum(search_run *run, const heed__np_minimum *m)
{
    heed__np_search *search = run->search;
    if (!isfinite(m->value) || is_known(run, m))
        return;
    int at = search->minima < HEED__NP_MAX_MINIMA ? search->minima++ : HEED__NP_MAX_MINIMA - 1;
    for (; at > 0 && search->found[at - 1].value > m->value; at--)
        search->found[at] = search->found[at - 1];
    search->found[at] = *m;
}

/* With the uniform kernel the criterion is a step function without slopes. */
static bool is_step(const search_run *run)
{
    return run->smoother->kernel == HEED_NW_BOXCAR && run->smoother->data->smooth > 0;
}

/* Descends from p, which has been evaluated, to a minimum; `longest` is the first step for a step function. */
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

/* Descends from start run->start. The last of several starts is the wide one. */
heed__np_minimum heed__np_run_start(search_run *run)
{
    const int d = run->smoother->data->columns, i = run->start;
    point p = {0};
    for (int c = 0; c < d; c++)
        p.x[c] = i < run->scanned_count ? run->scanned[i].x[c]
                                        : start_of(run, i == run->starts - 1 ? i : i - run->scanned_count, c);
    run->has_slopes = !is_step(run);
    evaluate(run, &p);
    while (!isfinite(p.f) && !is_over(run) && p.x[0] < run->descent.high[0]) { /* some windows are empty */
        for (int c = 0; c < d; c++)
            p.x[c] = fmin(p.x[c] + 0.5, run->descent.high[c]);
        evaluate(run, &p);
    }
    return descend(run, &p, 0.5);
}

static bool run_starts(search_run *run)
{
    for (run->start = 0; run->start < run->starts && !is_over(run); run->start++) {
        const heed__np_minimum m = heed__np_run_start(run);
        if (!run->failed)
            heed__np_note_minimum(run, &m);
    }
    return !run->failed;
}

/* -- Scans --------------------------------------------------------------------------------------------------------- */

/* Scans points all over the bounds, up to windows that contain all rows; the lowest local minima become the first
 * starts. A single start, or starts from a sample, need no scan. The scan takes about as long as the descents, or less
 * for many rows. */
static bool scan(search_run *run)
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
    const int most = run->starts - 1 < HEED__NP_MOST_SCANNED ? run->starts - 1 : HEED__NP_MOST_SCANNED;
    run->scanned_count = heed__np_scan(&run->descent, low, high, points, run->scanned, most);
    return run->scanned_count >= 0;
}

/* Returns the best minimum with a window that does not contain all rows; with wider windows the criterion is smooth. */
static const double *narrow_one(const search_run *run)
{
    const heed__np_data *data = run->smoother->data;
    for (int i = 0; i < run->search->minima; i++)
        for (int c = 0; c < data->columns; c++)
            if (data->kinds[c] == HEED_NP_CONTINUOUS && run->search->found[i].h[c] < data->range[c])
                return run->search->found[i].h;
    return run->best_h;
}

/* Scans points around the best narrow minimum, up to e^width times wider and narrower, and descends from the two
 * lowest. */
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
    for (int i = 0; i < found && !is_over(run); i++) {
        run->has_slopes = !is_step(run);
        evaluate(run, &near[i]);
        const heed__np_minimum m = descend(run, &near[i], width / 8);
        if (!run->failed)
            heed__np_note_minimum(run, &m);
    }
    return found >= 0 && !run->failed;
}

/* Returns true if the kernel ends with a step or a slope: then the criterion has a step or a kink wherever a key enters
 * a window. */
static bool has_kinks(heed_nw_kernel kernel)
{
    return kernel == HEED_NW_BOXCAR || kernel == HEED_NW_TRIANGULAR || kernel == HEED_NW_EPANECHNIKOV;
}

static bool refine(search_run *run)
{
    const heed_nw_kernel kernel = run->smoother->kernel;
    static const double widths[] = {0.3, 0.08};
    const int times = kernel == HEED_NW_GAUSSIAN || run->is_given || run->starts < 2 ? 0 : has_kinks(kernel) ? 2 : 1;
    bool good = true;
    for (int i = 0; good && i < times && !is_over(run) && isfinite(run->best); i++)
        good = scan_around(run, widths[i]);
    return good;
}

/* Every kink is a small minimum of its own, so descents end at a larger gain per step. */
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
        scan(run) && (run->options->comm ? heed__np_run_starts_in_team(run) : run_starts(run)) && refine(run);
    heed__np_locals_free(&run->locals);
    return good;
}

/* For many rows, first searches a sample from all starts. Its two lowest minima, with bandwidths scaled as n^(-1 / (4 +
 * c)), are the starts for all rows. */
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
    for (int i = 0; i < HEED__NP_MOST_GIVEN; i++)
        for (int c = 0; c < sample.columns; c++)
            run->given[i].h[c] *= sample.kinds[c] == HEED_NP_CONTINUOUS ? shrink : 1;
    run->is_given = run->search->minima > 0 || run->search->stopped; /* otherwise all rows are searched as usual */
    if (run->is_given)
        run->starts = run->search->minima < HEED__NP_MOST_GIVEN ? run->search->minima : HEED__NP_MOST_GIVEN;
    heed__np_data_free(&sample);
    return good;
}

/* Stores the result of the search, also if it ended before its first value for all rows. */
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
    if (search->minima > 0) { /* the trials around the minimum may have improved it slightly */
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
    run.descent =
        (heed__np_descent){.columns = data->columns, .least_gain = least_gain(s->kernel), .at = evaluate, .user = &run};
    if (data->keys > (data->sorted ? 2 * SAMPLE : SAMPLE) && !search_sample(&run))
        return false;
    return search_in(&run, data) && store_best(&run);
}
