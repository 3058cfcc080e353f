/* np/fast_gauss.c - Gaussian sums over sorted keys: the fast Gauss transform in one dimension.
 *
 * Keys are divided into boxes at most one bandwidth wide. If s and t are the offsets of a key and of a query from the
 * middle of a box, in bandwidths, and h_n(t) = He_n(t) exp(-t^2 / 2) are Hermite functions,
 *     exp(-(t - s)^2 / 2) = sum_n s^n / n! h_n(t)        h_n(t + d) = sum_m (-d)^m / m! h_(n + m)(t)
 * By the first equation, the TERMS numbers sum w s^n / n! over the keys of a box represent these keys. By the second
 * one, a series of SERIES terms represents the sum over all boxes near the queries in a box. The derivative of order j
 * of exp(-u^2 / 2) with respect to the query, in bandwidths, is He_j(u) exp(-u^2 / 2), so sums with powers of u follow
 * from the derivatives of the series. In a box with few keys, every key is added separately, as a box that consists of
 * this key and has s = 0.
 *
 * L. Greengard, J. Strain: The Fast Gauss Transform (1991).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "np/sorted_sums.h"

enum {
    TERMS = 30,              /* terms of the expansion of a box's keys, for |s| <= 1/2 */
    SERIES = 44,             /* terms of the series for the queries in a box */
    ORDERS = HEED__NP_S + 2, /* maximum number of moments, including those of u^2 K */
    FEW = 24,                /* boxes with at most this number of keys are not expanded */
};

#define REACH 9.6 /* distance in bandwidths beyond which weights are negligible: sqrt(2 HEED__NP_FAR) */

typedef struct gauss_run {
    const heed__np_sorted_job *job;
    double h;
    int families, orders[2]; /* family f: the sums of weights[f] K u^k for k < orders[f] */
    const double *weights[2];
    int64_t boxes;
    int64_t *first;    /* (boxes + 1): first key of every box, and the number of keys */
    double *middles;   /* (boxes) */
    double *terms;     /* (boxes, families, TERMS) */
    double *variances; /* (n, HEED__NP_S): the sums V, computed by the first pass and used by the second */
    bool fills_variances;
} gauss_run;

/* inverses[n] is 1 / n, and inverse_factorials[n] is 1 / n! */
static const double inverses[SERIES] = {
    0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10,
    1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21,
    1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31, 1.0 / 32,
    1.0 / 33, 1.0 / 34, 1.0 / 35, 1.0 / 36, 1.0 / 37, 1.0 / 38, 1.0 / 39, 1.0 / 40, 1.0 / 41, 1.0 / 42, 1.0 / 43};
static const double inverse_factorials[TERMS] = {1.0,
                                                 1.0,
                                                 0.5,
                                                 0.16666666666666666,
                                                 0.041666666666666664,
                                                 0.008333333333333333,
                                                 0.001388888888888889,
                                                 0.0001984126984126984,
                                                 2.48015873015873e-05,
                                                 2.7557319223985893e-06,
                                                 2.755731922398589e-07,
                                                 2.505210838544172e-08,
                                                 2.08767569878681e-09,
                                                 1.6059043836821613e-10,
                                                 1.1470745597729725e-11,
                                                 7.647163731819816e-13,
                                                 4.779477332387385e-14,
                                                 2.8114572543455206e-15,
                                                 1.5619206968586225e-16,
                                                 8.22063524662433e-18,
                                                 4.110317623312165e-19,
                                                 1.9572941063391263e-20,
                                                 8.896791392450574e-22,
                                                 3.868170170630684e-23,
                                                 1.6117375710961184e-24,
                                                 6.446950284384474e-26,
                                                 2.4795962632247976e-27,
                                                 9.183689863795546e-29,
                                                 3.279889237069838e-30,
                                                 1.1309962886447716e-31};

/* -- Boxes --------------------------------------------------------------------------------------------------------- */

static void cut_gauss_boxes(gauss_run *run)
{
    const heed__np_data *data = run->job->smoother->data;
    double begin = 0;
    run->boxes = 0;
    for (int64_t k = 0; k < data->keys; k++) {
        if (k == 0 || data->x[k] - begin > run->h) {
            begin = data->x[k];
            run->first[run->boxes++] = k;
        }
        run->middles[run->boxes - 1] = begin / 2 + data->x[k] / 2;
    }
    run->first[run->boxes] = data->keys;
}

static int64_t count_of(const gauss_run *run, int64_t box)
{
    return run->first[box + 1] - run->first[box];
}

static void expand_boxes(int64_t begin, int64_t end, void *context)
{
    const gauss_run *run = context;
    const double *x = run->job->smoother->data->x;
    for (int64_t box = begin; box < end; box++) {
        double *terms = run->terms + box * run->families * TERMS;
        memset(terms, 0, (size_t)run->families * TERMS * sizeof *terms);
        for (int64_t k = run->first[box]; k < run->first[box + 1]; k++) {
            const double s = (x[k] - run->middles[box]) / run->h;
            double power = 1;
            for (int n = 0; n < TERMS; n++, power *= s)
                for (int f = 0; f < run->families; f++)
                    terms[f * TERMS + n] += run->weights[f][k] * power;
        }
        for (int f = 0; f < run->families; f++)
            for (int n = 0; n < TERMS; n++)
                terms[f * TERMS + n] *= inverse_factorials[n];
    }
}

/* -- From a box or a key to a series or a point -------------------------------------------------------------------- */

/* The expansion of a box or of a single key around `at`. */
typedef struct source {
    double at;
    int terms, stride; /* count of numbers per family; distance between the first numbers of two families */
    const double *numbers;
} source;

static void hermite(int n, double t, double *h)
{
    h[0] = exp(-0.5 * t * t);
    h[1] = t * h[0];
    for (int i = 2; i < n; i++)
        h[i] = t * h[i - 1] - (i - 1) * h[i - 2];
}

/* Adds an expansion to the series around `at`. The series lacks the factors (-1)^m / m!, which `derive` applies. */
static void add_series(const gauss_run *run, const source *from, double at, double (*series)[SERIES + ORDERS])
{
    double h[TERMS + SERIES];
    hermite(from->terms + SERIES, (at - from->at) / run->h, h);
    for (int f = 0; f < run->families; f++)
        for (int n = 0; n < from->terms; n++) {
            const double number = from->numbers[f * from->stride + n];
            for (int m = 0; m < SERIES; m++)
                series[f][m] += number * h[n + m];
        }
}

/* Adds to he[f][j], for every order j, the sum of weights[f] K He_j(u) at query q over the keys of an expansion. */
static void add_point(const gauss_run *run, const source *from, double q, double (*he)[ORDERS])
{
    double h[TERMS + ORDERS];
    hermite(from->terms + ORDERS, (q - from->at) / run->h, h);
    for (int f = 0; f < run->families; f++)
        for (int n = 0; n < from->terms; n++) {
            const double number = from->numbers[f * from->stride + n];
            for (int j = 0; j < run->orders[f]; j++)
                he[f][j] += (j % 2 ? -number : number) * h[n + j];
        }
}

/* Adds a box to the series around `at`, or to `he` at the query `at` if series is NULL. Uses the box's expansion if it
 * has more than FEW keys, else adds its keys one by one. */
static void add_box(const gauss_run *run, int64_t box, double at, double (*series)[SERIES + ORDERS],
                    double (*he)[ORDERS])
{
    const bool whole = count_of(run, box) > FEW;
    const double *x = run->job->smoother->data->x;
    for (int64_t k = run->first[box]; k < (whole ? run->first[box] + 1 : run->first[box + 1]); k++) {
        const double own[2] = {run->weights[0][k], run->families > 1 ? run->weights[1][k] : 0};
        const source one = {x[k], 1, 1, own};
        const source all = {run->middles[box], TERMS, TERMS, run->terms + box * run->families * TERMS};
        if (series)
            add_series(run, whole ? &all : &one, at, series);
        else
            add_point(run, whole ? &all : &one, at, he);
    }
}

/* Adds all boxes within reach of any query in low .. high, as add_box does. */
static void add_near(const gauss_run *run, double low, double high, double at, double (*series)[SERIES + ORDERS],
                     double (*he)[ORDERS])
{
    const heed__np_data *data = run->job->smoother->data;
    const int64_t begin = heed__np_first_from(data, low - REACH * run->h);
    int64_t left = 0, right = run->boxes; /* binary search for the box with key `begin` */
    while (right - left > 1) {
        const int64_t middle = left + (right - left) / 2;
        if (run->first[middle] <= begin)
            left = middle;
        else
            right = middle;
    }
    for (int64_t box = left; box < run->boxes && data->x[run->first[box]] <= high + REACH * run->h; box++)
        add_box(run, box, at, series, he);
}

/* -- Moments ------------------------------------------------------------------------------------------------------- */

/* Computes sums of K u^k from sums of K He_k(u), in place, by the recurrence u He_j = He_(j + 1) + j He_(j - 1). */
static void moments_of_hermite(int orders, double *he)
{
    double row[ORDERS] = {1}, sums[ORDERS] = {0};
    for (int k = 0; k < orders; k++) {
        double next[ORDERS] = {0}, sum = 0;
        for (int j = 0; j <= k; j++)
            sum += row[j] * he[j];
        sums[k] = sum;
        for (int j = 0; j <= k && k + 1 < orders; j++) {
            next[j + 1] += row[j];
            if (j > 0)
                next[j - 1] += j * row[j];
        }
        memcpy(row, next, sizeof row);
    }
    memcpy(he, sums, (size_t)orders * sizeof *he);
}

/* Computes the sums of K He_j(u) at the distance d from the series' middle, from the derivatives of the series: he[j] =
 * (-1)^j sum_m (-d)^m / m! series_(m + j). ORDERS zeros must follow the series, and he must be 0. */
static void derive(const double *series, double d, double *he)
{
    double powers[SERIES];
    powers[0] = 1;
    for (int m = 1; m < SERIES; m++)
        powers[m] = -powers[m - 1] * d * inverses[m];
    for (int m = SERIES - 1; m >= 0; m--)
        for (int j = 0; j < ORDERS; j++)
            he[j] += powers[m] * series[m + j];
    for (int j = 1; j < ORDERS; j += 2)
        he[j] = -he[j];
}

static void store_moments(const gauss_run *run, int64_t i, double (*he)[ORDERS])
{
    const int p = run->job->smoother->degree;
    double *variances = run->variances ? run->variances + i * HEED__NP_S : NULL;
    for (int f = 0; f < run->families; f++)
        moments_of_hermite(run->orders[f], he[f]);
    if (run->fills_variances && variances) {
        for (int k = 0; k < run->orders[0]; k++) /* converts u from the bandwidth of K^2 to the wider bandwidth of K */
            variances[k] = he[0][k] * pow(0.5, 0.5 * k);
        return;
    }
    heed__np_sorted_moments m = {0};
    memcpy(m.s, he[0], (size_t)(2 * p + 1) * sizeof *m.s);
    memcpy(m.t, he[1], (size_t)(p + 1) * sizeof *m.t);
    if (run->job->requested->derivatives) { /* -u K' = u^2 K */
        memcpy(m.ds, he[0] + 2, (size_t)(2 * p + 1) * sizeof *m.ds);
        memcpy(m.dt, he[1] + 2, (size_t)(p + 1) * sizeof *m.dt);
    }
    if (variances)
        memcpy(m.v, variances, sizeof m.v);
    heed__np_sorted_solve(run->job, i, &m);
}

static void sum_gauss_points(int64_t begin, int64_t end, void *context)
{
    const gauss_run *run = context;
    for (int64_t i = begin; i < end; i++) {
        double he[2][ORDERS] = {{0}};
        const double q = heed__np_sorted_query(run->job, i);
        add_near(run, q, q, q, NULL, he);
        store_moments(run, i, he);
    }
}

/* Computes the sums at every key, with the key as the query. All keys of a box share one series, except in a box with
 * few keys. */
static void sum_boxes(int64_t begin, int64_t end, void *context)
{
    const gauss_run *run = context;
    const double *x = run->job->smoother->data->x;
    for (int64_t box = begin; box < end; box++) {
        const int64_t first = run->first[box], last = run->first[box + 1];
        if (count_of(run, box) <= FEW) {
            sum_gauss_points(first, last, context);
            continue;
        }
        double series[2][SERIES + ORDERS] = {{0}};
        add_near(run, x[first], x[last - 1], run->middles[box], series, NULL);
        for (int64_t i = first; i < last; i++) {
            double he[2][ORDERS] = {{0}};
            for (int f = 0; f < run->families; f++)
                derive(series[f], (x[i] - run->middles[box]) / run->h, he[f]);
            store_moments(run, i, he);
        }
    }
}

/* -- The two passes ------------------------------------------------------------------------------------------------ */

static bool sum_gauss(gauss_run *run)
{
    const heed__np_data *data = run->job->smoother->data;
    const size_t keys = (size_t)data->keys, index_bytes = (2 * keys + 1) * sizeof(double);
    run->first = heed_alloc(index_bytes);
    if (!run->first)
        return false;
    run->middles = (double *)(void *)(run->first + keys + 1);
    cut_gauss_boxes(run);
    const size_t terms = (size_t)(run->boxes * run->families * TERMS) * sizeof *run->terms;
    const int64_t keys_of_box = heed__ceil_div(data->keys, run->boxes);
    run->terms = heed_alloc(terms);
    if (run->terms) {
        heed__parallel_for(run->boxes, 1, keys_of_box * TERMS, expand_boxes, run);
        if (run->job->x)
            heed__parallel_for(run->job->n, 16, 20 * TERMS * ORDERS, sum_gauss_points, run);
        else
            heed__parallel_for(run->boxes, 1, 20 * TERMS * SERIES + keys_of_box * 4 * SERIES, sum_boxes, run);
    }
    heed_free(run->terms, terms);
    heed_free(run->first, index_bytes);
    return run->terms != NULL;
}

bool heed__np_fast_gauss(heed__np_sorted_job *job)
{
    const int p = job->smoother->degree, more = job->requested->derivatives ? 2 : 0;
    const size_t bytes = job->requested->variances ? (size_t)job->n * HEED__NP_S * sizeof(double) : 0;
    const double h = job->smoother->h[0];
    double *variances = bytes ? heed_calloc(bytes, 1) : NULL;
    if (bytes && !variances)
        return false;
    gauss_run squares = {.job = job,
                         .h = h * sqrt(0.5),
                         .families = 1,
                         .orders = {2 * p + 1},
                         .weights = {job->wwv},
                         .variances = variances,
                         .fills_variances = true};
    gauss_run plain = {.job = job,
                       .h = h,
                       .families = 2,
                       .orders = {2 * p + 1 + more, p + 1 + more},
                       .weights = {job->smoother->data->w, job->wy},
                       .variances = variances};
    const bool good = (!bytes || sum_gauss(&squares)) && sum_gauss(&plain);
    heed_free(variances, bytes);
    return good;
}
