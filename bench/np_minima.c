/* bench/np_minima.c - measures how often a bandwidth search misses the global minimum, and its time.
 *
 *     HEED_NUM_THREADS=1 bench_np_minima 300 least.txt
 *
 * Makes random data sets (one continuous column, two, or one with labels; all kernels, criteria and degrees),
 * searches their bandwidths with the default options, and compares the criterion with the least value on a grid of
 * 200 bandwidths per column, refined around its lowest local minima. Prints every miss, the misses by kernel,
 * criterion, degree and columns, and the median time of a search. The brute force takes minutes; its values are kept
 * in the file, and later runs read them.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heed/heed.h>

#include "np/data_sets.h"
#include "np/search.h"

enum { GRID = 200, SPOTS = 8, REPEATS = 3, KINDS = 4 };

static const char *const kernel_names[] = {"gaussian", "boxcar",    "triangular", "epanechnikov",
                                           "biweight", "triweight", "tricube"};
static const char *const criterion_names[] = {"CV.LS", "AICc", "GCV", "likelihood"};
static const char *const column_names[] = {"x", "x + x", "x + factor", "x + ordered"};
static const char *const degree_names[] = {"0", "1", "2", "3"};

/* -- Searches ------------------------------------------------------------------------------------------------------ */

/* The criterion of a data set at given bandwidths, without a fit. */
typedef struct evaluator {
    const data_set *set;
    heed__np_data data;
    heed__np_smoother smoother;
    heed__np_locals locals;
    heed_np_criterion criterion;
} evaluator;

static bool evaluator_begin(evaluator *e, const data_set *set)
{
    heed_np_options options = set->options;
    options.columns = set->kinds;
    *e = (evaluator){.set = set, .criterion = options.criterion};
    if (set->criterion == LIKELIHOOD)
        e->criterion = HEED__NP_LIKELIHOOD;
    if (!heed__np_read(&e->data, set->x, set->criterion == LIKELIHOOD ? heed_zeros_like(set->y) : set->y, &options))
        return false;
    e->smoother = (heed__np_smoother){.data = &e->data, .degree = options.degree, .kernel = options.kernel};
    return heed__np_locals_new(&e->locals, e->data.columns, e->data.keys);
}

static void evaluator_end(evaluator *e)
{
    heed__np_locals_free(&e->locals);
    heed__np_data_free(&e->data);
}

/* The criterion at bandwidths from a point of the grid, whose axes are 0 .. 1. A continuous column has bandwidths
 * from a thousandth of its range to a thousand times its range, labels have 0 .. 1. */
static double value_at(evaluator *e, const double *point)
{
    heed__np_value value;
    for (int c = 0; c < e->data.columns; c++)
        e->smoother.h[c] =
            e->data.kinds[c] == HEED_NP_CONTINUOUS ? e->data.range[c] * pow(10, 6 * point[c] - 3) : point[c];
    if (!heed__np_criterion(&e->smoother, e->criterion, false, &e->locals, &value) || isnan(value.value))
        return (double)INFINITY;
    return heed__np_in_units(&e->data, e->criterion, value.value);
}

typedef struct spot {
    double value, at[2];
} spot;

static bool is_local_minimum(const double *values, int i, int j, int across)
{
    for (int a = i - 1; a <= i + 1; a++)
        for (int b = j - 1; b <= j + 1; b++)
            if (a >= 0 && a < GRID && b >= 0 && b < across && values[a * across + b] < values[i * across + j])
                return false;
    return isfinite(values[i * across + j]);
}

static void note_spot(spot *spots, const spot *one)
{
    int k = SPOTS - 1;
    if (!(one->value < spots[k].value))
        return;
    for (; k > 0 && spots[k - 1].value > one->value; k--)
        spots[k] = spots[k - 1];
    spots[k] = *one;
}

/* Steps to the neighbours in all directions; the step doubles after an improvement and halves if there is no
 * improvement. */
static void refine(evaluator *e, spot *best)
{
    for (double size = 0.5 / (GRID - 1); size > 1e-9;) {
        const double before = best->value;
        for (int step = 0; step < 9; step++) {
            spot next = *best;
            next.at[0] = fmin(fmax(next.at[0] + (step % 3 - 1) * size, 0), 1);
            next.at[1] = e->data.columns > 1 ? fmin(fmax(next.at[1] + (step / 3 - 1) * size, 0), 1) : 0;
            next.value = value_at(e, next.at);
            if (next.value < best->value)
                *best = next;
        }
        size *= before - best->value > 1e-12 * fabs(before) ? 2 : 0.5;
    }
}

static double brute_force(const data_set *set)
{
    const int across = set->count > 1 ? GRID : 1;
    evaluator e;
    double *values = calloc((size_t)GRID * (size_t)across, sizeof *values);
    spot spots[SPOTS];
    for (int k = 0; k < SPOTS; k++)
        spots[k] = (spot){.value = (double)INFINITY};
    if (!values || !evaluator_begin(&e, set))
        return (double)NAN;
    for (int i = 0; i < GRID * across; i++)
        values[i] = value_at(&e, (double[]){(double)(i / across) / (GRID - 1), (double)(i % across) / (GRID - 1)});
    for (int i = 0; i < GRID * across; i++)
        if (is_local_minimum(values, i / across, i % across, across))
            note_spot(spots,
                      &(spot){values[i], {(double)(i / across) / (GRID - 1), (double)(i % across) / (GRID - 1)}});
    free(values);
    double least = (double)INFINITY;
    for (int k = 0; k < SPOTS && isfinite(spots[k].value); k++) {
        refine(&e, &spots[k]);
        least = fmin(least, spots[k].value);
    }
    evaluator_end(&e);
    return least;
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

typedef struct outcome {
    double least, found, seconds;
    int evaluations;
    bool missed;
} outcome;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static outcome search(const data_set *set)
{
    outcome o = {.seconds = (double)INFINITY};
    for (int i = 0; i < REPEATS; i++) {
        const double begin = now();
        heed_np *fit = fit_data_set(set);
        o.seconds = fmin(o.seconds, now() - begin);
        const heed_np_report report = fit ? heed_np_get_report(fit) : (heed_np_report){.criterion = (double)INFINITY};
        o.found = report.criterion;
        o.evaluations = report.evaluations;
        heed_error_clear();
        heed_np_free(fit);
    }
    return o;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The counts of the data sets whose group is `group`; of all data sets for -1. */
static void print_group(const char *name, const int *groups, int group, const outcome *all, int n)
{
    int sets = 0, missed = 0;
    double evaluations = 0, *seconds = calloc((size_t)n, sizeof *seconds);
    for (int i = 0; seconds && i < n; i++) {
        if (group >= 0 && groups[i] != group)
            continue;
        seconds[sets++] = all[i].seconds;
        missed += all[i].missed;
        evaluations += all[i].evaluations;
    }
    if (sets > 0) {
        qsort(seconds, (size_t)sets, sizeof *seconds, compare);
        printf("%-14s %4d of %4d missed, median %8.3f ms, mean %5.0f evaluations\n", name, missed, sets,
               1e3 * seconds[sets / 2], evaluations / sets);
    }
    free(seconds);
}

static void print_groups(int *const groups[KINDS], const outcome *all, int n)
{
    static const char *const *const names[KINDS] = {kernel_names, criterion_names, degree_names, column_names};
    static const int counts[KINDS] = {7, 4, 4, 4};
    for (int kind = 0; kind < KINDS; kind++)
        for (int group = 0; group < counts[kind]; group++)
            print_group(names[kind][group], groups[kind], group, all, n);
    print_group("all", NULL, -1, all, n);
}

static void print_miss(const data_set *set, const outcome *o)
{
    printf("set %d (%s, %s, degree %d, %s, %" PRId64 " rows): found %.10g, least %.10g, %.2g above\n", set->number,
           kernel_names[set->options.kernel], criterion_names[set->criterion], set->options.degree,
           column_names[set->columns], heed_dim(set->x, 0), o->found, o->least, (o->found - o->least) / fabs(o->least));
}

/* The next number of the file, or the least value on the grid, which is added to the file. */
static double least_of(const data_set *set, FILE *kept)
{
    double least;
    if (fscanf(kept, "%lf", &least) == 1)
        return least;
    least = brute_force(set);
    (void)fseek(kept, 0, SEEK_END);
    (void)fprintf(kept, "%.17g\n", least);
    (void)fflush(kept);
    return least;
}

int main(int argc, char **argv)
{
    const int n = argc == 3 ? atoi(argv[1]) : 0;
    FILE *kept = n > 0 ? fopen(argv[2], "a+") : NULL;
    outcome *all = calloc((size_t)n + 1, sizeof *all);
    int *const groups[KINDS] = {calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n + 1, sizeof(int)),
                                calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n + 1, sizeof(int))};
    if (!kept || !all) {
        (void)fprintf(stderr, "usage: bench_np_minima SETS FILE\n");
        return 2;
    }
    rewind(kept);
    for (int i = 0; i < n; i++) {
        heed_scope *scope = heed_scope_begin();
        const data_set set = data_set_of(i);
        all[i] = search(&set);
        all[i].least = least_of(&set, kept);
        all[i].missed = all[i].found - all[i].least > 1e-6 * fabs(all[i].least);
        const int of[KINDS] = {(int)set.options.kernel, set.criterion, set.options.degree, set.columns};
        for (int kind = 0; kind < KINDS; kind++)
            groups[kind][i] = of[kind];
        if (all[i].missed)
            print_miss(&set, &all[i]);
        heed_scope_end(scope);
    }
    print_groups(groups, all, n);
    for (int kind = 0; kind < KINDS; kind++)
        free(groups[kind]);
    free(all);
    return fclose(kept) == 0 ? 0 : 1;
}
