/* np/local.h - local fits at queries: at one query from its visible keys, or at many queries from sums.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_LOCAL_H
#define HEED_NP_LOCAL_H

#include "np/smoother.h"

/* The local fit at a query. */
typedef struct heed__np_local {
    double mean, own, variance; /* mean: m(q); own: H_ii of a row of weight 1 at q; variance: sum_i l_i^2 v_i */
    /* second derivative of m with respect to the first continuous column; set with the slopes if the degree is at least
     * 2 */
    double curve;
    /* no key is visible; mean, variance, curve, slope and slope_variance are NaN, log_sum is -infinity, the rest is
     * 0 */
    bool has_no_keys;
    int powers;     /* number of polynomials that are linearly independent at the keys */
    double log_sum; /* ln of the sum of the keys' weights, with K(0) = 1 */
    struct {
        double d_mean, d_own, d_log_sum; /* derivatives with respect to theta */
        double slope, slope_variance;    /* dm / dq_j and its variance for continuous column number j */
    } by[];
} heed__np_local;

#define HEED__NP_LOCAL_SIZE(columns) (sizeof(heed__np_local) + (size_t)(columns) * sizeof(((heed__np_local *)0)->by[0]))

/* Memory of a local fit with any number of columns. */
typedef union heed__np_local_buffer {
    heed__np_local local;
    char bytes[HEED__NP_LOCAL_SIZE(HEED_NP_MAX_COLUMNS)];
} heed__np_local_buffer;

/* Local fits at several queries. The size of a heed__np_local, `stride`, depends on the number of columns. */
typedef struct heed__np_locals {
    char *block;
    size_t size, stride;
} heed__np_locals;

bool heed__np_locals_new(heed__np_locals *locals, int columns, int64_t n); /* false after heed_fail */
void heed__np_locals_free(heed__np_locals *locals);

static inline heed__np_local *heed__np_local_at(const heed__np_locals *locals, int64_t i)
{
    return (heed__np_local *)(void *)(locals->block + (size_t)i * locals->stride);
}

/* The outputs that a caller requests. */
typedef struct heed__np_requested {
    bool derivatives;        /* derivatives with respect to theta */
    bool slopes;             /* derivatives with respect to the query */
    const double *variances; /* v_i of the keys, for variance and slope_variance; NULL if these are not requested */
} heed__np_requested;

int heed__np_powers(int smooth, int degree);
int64_t heed__np_direct_scratch(const heed__np_smoother *s); /* bytes */
void heed__np_direct(const heed__np_smoother *s, const heed__np_query *q, const heed__np_requested *requested,
                     char *scratch, heed__np_local *out);

/* If 1 - H_ii is smaller than this, it has too few accurate digits, so a fit without row i is computed instead of
 * dividing by 1 - H_ii. */
#define HEED__NP_LEAST_REST 1e-3

/* Computes the fit of all other rows at the x of row `row`. */
void heed__np_leave_out(const heed__np_smoother *s, int64_t row, const heed__np_requested *requested, char *scratch,
                        heed__np_local *out);

/* Writes to row (keys) the numbers l_k with m(q) = sum_k l_k y_k if slope is -1, and with dm / dq_j = sum_k l_k y_k for
 * continuous column number j = `slope` otherwise. All are NaN if m or the slope is undefined. */
void heed__np_direct_row(const heed__np_smoother *s, const heed__np_query *q, int slope, char *scratch, double *row);

/* -- solve.c ------------------------------------------------------------------------------------------------------- */

/* Sums over the keys around a query. The vector b of a key consists of b_0 = 1, the key's coordinates b_1 to b_c
 * relative to the query, divided by `units`, and products of these coordinates, where c is the number of continuous
 * columns. */
typedef struct heed__np_moments {
    int powers, slopes;
    const double *s, *t;   /* sum w b b', packed row by row; sum w b y */
    const double *changes; /* derivatives of s and t with respect to theta, for every slope: ds, dt, ds, dt, ... */
    const int *columns;    /* the column of every slope; NULL if slope g is for column g */
    const double *v;       /* sum w^2 v b b', or NULL */
    const double *units;   /* (c): units of the coordinates */
    double least_square;   /* if s_kk / s_00 is below this, s_kk may consist of rounding errors of s_00 */
} heed__np_moments;

/* Computes the fit at the query from the sums. Sets out->mean to NaN if the sums are not accurate enough; the caller
 * must then use heed__np_direct. */
void heed__np_solve(const heed__np_moments *moments, const heed__np_smoother *s, heed__np_local *out);

/* -- block_sums.c -------------------------------------------------------------------------------------------------- */

/* heed__np_blocks_fit_at computes the fits of heed__np_fit_at from sums over all keys within reach; it returns false
 * after heed_fail. heed__np_blocks_supported returns true if the numbers of columns and powers are small enough for
 * it. */
bool heed__np_blocks_supported(const heed__np_smoother *s);
bool heed__np_blocks_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out);

/* -- local_fits.c -------------------------------------------------------------------------------------------------- */

/* Fits at n queries x (columns, n), or at all keys if x is NULL. Returns false after heed_fail. */
bool heed__np_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                     const heed__np_locals *out);

/* Computes the fits at all keys, with the inverse weights of the keys as variances v. Then tr H is the sum of w own
 * over the rows, and tr H H' the sum of w variance. Returns false after heed_fail. */
bool heed__np_fit_keys(const heed__np_smoother *s, const heed__np_locals *out);

/* Queries `first` to `first + count - 1` of the n queries x (columns, n). */
typedef struct heed__np_query_range {
    const double *x;
    int64_t n, first, count;
} heed__np_query_range;

/* Writes heed__np_direct_row of every query to `rows` (count, keys). Returns false after heed_fail. */
bool heed__np_rows_at(const heed__np_smoother *s, const heed__np_query_range *at, int slope, double *rows);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* Returns the density f(q) from the local fit at q. */
double heed__np_density(const heed__np_smoother *s, const heed__np_local *local);

#endif
