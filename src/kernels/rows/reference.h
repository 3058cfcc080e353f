/* kernels/rows/reference.h - the computations of this folder as plain loops: sums and extremes over an axis, softmax,
 * cross entropy and rotary embedding. reference_norm.h has layer and batch norm. The kernels compute the same up to
 * rounding. The tests take expected values from here. The library does not contain this file.
 *
 * Arrays are of double. Sums are of long double, so that they need no tolerance of their own.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_REFERENCE_H
#define HEED_KERNELS_ROWS_REFERENCE_H

#include <math.h>
#include <stdint.h>

/* -- Sums and extremes of n numbers, `step` elements apart --------------------------------------------------------- */

static inline long double reference_sum(int64_t n, const double *x, int64_t step)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i * step];
    return sum;
}

/* The maximum for a sign of 1, the minimum for -1; NaN if one of the numbers is NaN. */
static inline double reference_extreme(int64_t n, const double *x, int64_t step, double sign)
{
    double y = -sign * INFINITY;
    for (int64_t i = 0; i < n && !isnan(y); i++)
        y = isnan(x[i * step]) || sign * x[i * step] > sign * y ? x[i * step] : y;
    return y;
}

/* -- Softmax of a row of n ----------------------------------------------------------------------------------------- */

/* ln sum_j e^x_j. The largest x is subtracted first, so that no power overflows. */
static inline long double reference_logsumexp(int64_t n, const double *x)
{
    double most = -INFINITY;
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (int64_t i = 0; i < n; i++)
        sum += expl((long double)x[i] - most);
    return n == 0 ? -INFINITY : most + logl(sum);
}

/* y_i = e^x_i / sum_j e^x_j, and its logarithm. */
static inline void reference_softmax(int64_t n, const double *x, double *y, double *log_y)
{
    const long double log_sum = reference_logsumexp(n, x);
    for (int64_t i = 0; i < n; i++) {
        y[i] = (double)expl(x[i] - log_sum);
        log_y[i] = (double)(x[i] - log_sum);
    }
}

/* dx_i = y_i (g_i - sum_j g_j y_j) */
static inline void reference_softmax_grad(int64_t n, const double *y, const double *g, double *dx)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (long double)g[i] * y[i];
    for (int64_t i = 0; i < n; i++)
        dx[i] = (double)(y[i] * (g[i] - sum));
}

/* dx_i = g_i - e^y_i sum_j g_j, for y = log softmax of x */
static inline void reference_log_softmax_grad(int64_t n, const double *y, const double *g, double *dx)
{
    const long double sum = reference_sum(n, g, 1);
    for (int64_t i = 0; i < n; i++)
        dx[i] = (double)(g[i] - expl(y[i]) * sum);
}

/* ln sum_j e^x_j - sum_j t_j x_j, with t_j = smoothing / n for every class, plus 1 - smoothing for the target. Writes
 * the gradient dx_i = g (softmax(x)_i - t_i). */
static inline double reference_cross_entropy(int64_t n, const double *x, int64_t target, double smoothing, double g,
                                             double *dx)
{
    const long double log_sum = reference_logsumexp(n, x);
    long double loss = log_sum;
    for (int64_t i = 0; i < n; i++) {
        const long double t = (long double)smoothing / n + (i == target ? 1 - (long double)smoothing : 0);
        loss -= t * x[i];
        dx[i] = (double)(g * (expl(x[i] - log_sum) - t));
    }
    return (double)loss;
}

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* Rotates the pair (a, b) at i and i + apart by the angle with cosine c and sine s. */
static inline void reference_rotate(const double *x, int64_t i, int64_t apart, double c, double s, double *y)
{
    y[i] = x[i] * c - x[i + apart] * s;
    y[i + apart] = x[i + apart] * c + x[i] * s;
}

#endif
