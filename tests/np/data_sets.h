/* tests/np/data_sets.h - random data sets for bandwidth searches, the same in the tests and in bench/np_minima.c: one
 * continuous column, two, or one with labels; all kernels, criteria and degrees.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NP_DATA_SETS_H
#define HEED_TESTS_NP_DATA_SETS_H

#include <math.h>
#include <stdbool.h>

#include <heed/heed.h>

/* Layouts of columns, and the criterion of a density, numbered after enum heed_np_criterion. */
enum { ONE_COLUMN = 0, CONTINUOUS_PAIR, WITH_FACTOR, WITH_ORDERED, LIKELIHOOD = 3 };

typedef struct data_set {
    int number, columns, criterion, count; /* columns: one of the layouts; count: number of columns */
    heed_np_column kinds[2];
    heed_np_options options;
    heed_tensor *x, *y;
} data_set;

static inline double uniform(void)
{
    return heed_item(heed_rand(HEED_F64, HEED_SHAPE(1)));
}

static inline double normal(void)
{
    return heed_item(heed_randn(HEED_F64, HEED_SHAPE(1)));
}

static inline int choice(int n)
{
    return (int)(n * uniform());
}

/* Draws x: uniform, normal, in two clusters, rounded, or with a few far rows. */
static inline double random_position(int shape)
{
    const double u = uniform();
    switch (shape) {
    case 0:
        return u;
    case 1:
        return normal() / 3;
    case 2:
        return u < 0.5 ? u : 1.5 + u;
    case 3:
        return floor(25 * u) / 25;
    default:
        return u < 0.05 ? 40 * u + 1 : u;
    }
}

/* A wave, a step, a line, a chirp, or zero. */
static inline double curve(int shape, double x, double speed)
{
    switch (shape) {
    case 0:
        return sin(speed * x);
    case 1:
        return x > 0.4 ? 1 : 0;
    case 2:
        return 2 * x;
    case 3:
        return sin(2 / (0.1 + fabs(x)));
    default:
        return 0;
    }
}

static inline void fill(const data_set *set, int rows)
{
    const int shapes[] = {choice(5), choice(5)}, curves[] = {choice(5), choice(5)}, labels = 2 + choice(4);
    const double speed = 1 + 14 * uniform(), noise = pow(10, -1.5 + 1.7 * uniform());
    double *x = heed_mutable_f64(set->x), *y = heed_mutable_f64(set->y);
    for (int i = 0; i < rows; i++) {
        y[i] = noise * normal();
        for (int c = 0; c < set->count; c++) {
            const bool smooth = set->kinds[c] == HEED_NP_CONTINUOUS;
            const double at = smooth ? random_position(shapes[c]) : choice(labels);
            x[i * set->count + c] = at;
            y[i] += smooth ? curve(curves[c], at, speed) : 0.3 * at * curves[c];
        }
    }
}

/* Returns data set `number`, which has its own seed. */
static inline data_set data_set_of(int number)
{
    static const int layouts[] = {ONE_COLUMN, ONE_COLUMN, CONTINUOUS_PAIR, WITH_FACTOR, WITH_FACTOR + 1};
    heed_manual_seed((uint64_t)number + 1);
    data_set set = {.number = number, .columns = layouts[choice(5)]};
    set.count = set.columns == ONE_COLUMN ? 1 : 2;
    set.kinds[1] = set.columns < WITH_FACTOR ? HEED_NP_CONTINUOUS : (heed_np_column)(set.columns - 1);
    set.options.kernel = (heed_nw_kernel)choice(7);
    set.criterion = choice(10) < 9 ? choice(3) : LIKELIHOOD;
    const bool regression = set.criterion != LIKELIHOOD;
    set.options.degree = regression ? choice(set.count == 1 ? 4 : 3) : 0;
    set.options.criterion = regression ? (heed_np_criterion)set.criterion : HEED_NP_CV_LS;
    const int rows = 12 + 10 * set.options.degree * set.count + choice(set.count == 1 ? 110 : 50);
    set.x = heed_zeros(HEED_F64, HEED_SHAPE(rows, set.count));
    set.y = heed_zeros(HEED_F64, HEED_SHAPE(rows));
    fill(&set, rows);
    return set;
}

/* Searches the bandwidths with the default options. */
static inline heed_np *fit_data_set(const data_set *set)
{
    heed_np_options options = set->options;
    options.columns = set->kinds;
    return set->criterion == LIKELIHOOD ? heed_np_fit_density(set->x, &options) : heed_np_fit(set->x, set->y, &options);
}

#endif
