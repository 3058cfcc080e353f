/* np/smoother.h - kernels and bandwidths, and the weights of keys for a query.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_SMOOTHER_H
#define HEED_NP_SMOOTHER_H

#include "kernels/simd/arena.h"
#include "np/data.h"

/* Kernels and bandwidths. The search varies theta, which is ln h for the bandwidth h of a continuous column, and
 * logit(l / heed__np_most) for the bandwidth l of a column of labels. */
typedef struct heed__np_smoother {
    const heed__np_data *data;
    int degree;
    heed_nw_kernel kernel;
    heed_np_labels labels;
    double nearest;
    double h[HEED_NP_MAX_COLUMNS];
    bool conditional; /* density of the last column given the others */
} heed__np_smoother;

/* Return the largest bandwidth of a column (infinity for h, at most 1 for l), theta for a bandwidth, and the bandwidth
 * for theta. */
double heed__np_most(const heed__np_smoother *s, int column);
double heed__np_theta(const heed__np_smoother *s, int column, double h);
double heed__np_bandwidth(const heed__np_smoother *s, int column, double theta);

/* A query. If it is a key, own_w and own_y replace that key's weight and value. */
typedef struct heed__np_query {
    double x[HEED_NP_MAX_COLUMNS];
    int64_t key; /* index of the key if the query is a key, else -1 */
    double own_w, own_y;
} heed__np_query;

heed__np_query heed__np_query_at(const heed__np_data *data, const double *x, int64_t n, int64_t i);
heed__np_query heed__np_query_of_key(const heed__np_data *data, int64_t key);

/* The visible keys of a query, with their weights. Gaussian weights are divided by the largest one, so that a query far
 * from all keys still sees the nearest key. */
typedef struct heed__np_visible_keys {
    int64_t n, capacity;
    /* bandwidth of a single continuous column: s->h[0], or the distance to the nearest keys if s->nearest > 0 */
    double h;
    double log_scale;        /* ln of the number that weights were divided by */
    double *w, *y, *scratch; /* (n) */
    int64_t *key;            /* (n) */
} heed__np_visible_keys;

/* Takes the arrays of all keys from the arena. */
heed__np_visible_keys heed__np_visible_keys_in(const heed__np_data *data, arena *a);

/* Sets *power and *times so that the kernel of a continuous column is (1 - |u|^power)^times; power 0 means the
 * Gaussian. */
void heed__np_shape(heed_nw_kernel kernel, int *power, int *times);

/* The keys begin <= k < end. */
typedef struct heed__np_key_range {
    int64_t begin, end;
} heed__np_key_range;

/* Multiplies the weights w of some keys by the factors of a column of labels. Writes d ln factor / d theta of every key
 * to `slopes` unless it is NULL. Both arrays begin with the first of these keys. */
void heed__np_weigh_labels(const heed__np_smoother *s, const heed__np_query *q, int column, heed__np_key_range keys,
                           double *w, double *slopes);

/* Gaussian weights with an exponent below -HEED__NP_FAR are set to 0. A million such keys would have only 1e-14 of the
 * nearest key's weight. */
#define HEED__NP_FAR 46.0

void heed__np_weigh(const heed__np_smoother *s, const heed__np_query *q, heed__np_visible_keys *visible);

/* Return the index of the first key that is not below x, and of the first key above x. The keys must be sorted. */
int64_t heed__np_first_from(const heed__np_data *data, double x);
int64_t heed__np_first_above(const heed__np_data *data, double x);

/* Writes d ln w / d theta of a column for every visible key, minus a constant, and returns the constant. It is not 0
 * for the Gaussian, because the slopes of far keys may be huge. */
double heed__np_weight_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* Return the kernel weight of a key at the query itself, and the d ln / d theta of this weight. */
double heed__np_own_weight(const heed__np_smoother *s);
double heed__np_own_slope(const heed__np_smoother *s, int column);

/* Writes d ln w / dq_j for every visible key; q_j is the query's number in the continuous column `column`. */
void heed__np_constant_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* Returns ln of the factor by which sum w K / sum w must be multiplied to be a density. It depends only on the kernels
 * and bandwidths. Writes its derivatives with respect to theta to `slopes`. */
double heed__np_log_factor(const heed__np_smoother *s, double *slopes);

/* -- classes.c ----------------------------------------------------------------------------------------------------- */

/* Returns the smoother of all columns except the last. `given` receives its data, which share the arrays of s->data. */
heed__np_smoother heed__np_condition(const heed__np_smoother *s, heed__np_data *given);

#endif
