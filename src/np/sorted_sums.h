/* np/sorted_sums.h - for one continuous column, sums over all keys in the window of a query, at a cost that hardly
 * depends on their number.
 *
 * Let t = (x - q) / unit be the distance of a key from the query q, u this distance in bandwidths, K the kernel, and w,
 * y and v the weight, value and variance of a key. Local fits of degree p need
 *     S_k = sum w K t^k,  k to 2 p     T_k = sum w K y t^k,  k to p
 *     the same sums with D = -u K'(u) instead of K, for derivatives with respect to ln h
 *     V_k = sum w^2 v K^2 t^k,  k to 2 p,  for variances
 * window_sums.c computes them for polynomial kernels of |u|, fast_gauss.c for the Gaussian.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_SORTED_SUMS_H
#define HEED_NP_SORTED_SUMS_H

#include "np/local.h"

enum {
    HEED__NP_DEGREE = 3,
    HEED__NP_S = 2 * HEED__NP_DEGREE + 1,
    HEED__NP_T = HEED__NP_DEGREE + 1,
};

typedef struct heed__np_sorted_moments {
    double s[HEED__NP_S], t[HEED__NP_T], ds[HEED__NP_S], dt[HEED__NP_T], v[HEED__NP_S];
} heed__np_sorted_moments;

/* The sums to compute, at n queries x in any order, or at all keys if x is NULL. */
typedef struct heed__np_sorted_job {
    const heed__np_smoother *smoother;
    const heed__np_requested *requested;
    const double *x;
    int64_t n;
    double unit;
    double least_square; /* if S_2k / S_0 is below this, S_2k may consist of rounding errors of S_0 */
    double *wy, *wwv;    /* (keys): w y, and w^2 v if variances are requested */
    const heed__np_locals *out;
} heed__np_sorted_job;

static inline double heed__np_sorted_query(const heed__np_sorted_job *job, int64_t i)
{
    return job->x ? job->x[i] : job->smoother->data->x[i];
}

/* -- sorted_sums.c ------------------------------------------------------------------------------------------------- */

/* Returns true if sums are faster than a fit around every query. */
bool heed__np_sorted_is_faster(const heed__np_smoother *s);

/* Computes the fits of heed__np_fit_at for one continuous column from sums. Sets the mean of a fit to NaN if the sums
 * are not accurate enough. Returns false after heed_fail. */
bool heed__np_sorted_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out);

/* Computes the fit at query i from its moments. Sets the mean of the fit to NaN if the moments are not accurate enough;
 * heed__np_fit_at then computes the fit directly. */
void heed__np_sorted_solve(const heed__np_sorted_job *job, int64_t i, const heed__np_sorted_moments *m);

/* -- The two algorithms: return false after heed_fail -------------------------------------------------------------- */

bool heed__np_window_sums(heed__np_sorted_job *job);
bool heed__np_fast_gauss(heed__np_sorted_job *job);

#endif
