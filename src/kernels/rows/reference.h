/* kernels/rows/reference.h - the computations of this folder as plain loops: sums and extremes over an axis, softmax,
 * cross entropy, layer and batch norm, and rotary embedding. The kernels compute the same up to rounding. The tests
 * take expected values from here. The library does not contain this file.
 *
 * Arrays are of double. Sums are of long double, so that they need no tolerance of their own. */
#ifndef HEED_KERNELS_ROWS_REFERENCE_H
#define HEED_KERNELS_ROWS_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* -- Sums and extremes: y[o, i] over the axis r of x (outer, r, inner) --------------------------------------------- */

static inline void reference_sum(int64_t outer, int64_t r, int64_t inner, const double *x, double *y)
{
    for (int64_t i = 0; i < outer * inner; i++) {
        long double sum = 0;
        for (int64_t j = 0; j < r; j++)
            sum += x[(i / inner * r + j) * inner + i % inner];
        y[i] = (double)sum;
    }
}

/* The maximum for a sign of 1, the minimum for -1; NaN if one of the numbers is NaN. */
static inline void reference_extreme(int64_t outer, int64_t r, int64_t inner, double sign, const double *x, double *y)
{
    for (int64_t i = 0; i < outer * inner; i++) {
        y[i] = -sign * INFINITY;
        for (int64_t j = 0; j < r && !isnan(y[i]); j++) {
            const double at = x[(i / inner * r + j) * inner + i % inner];
            y[i] = isnan(at) || sign * at > sign * y[i] ? at : y[i];
        }
    }
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
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += g[i];
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

/* -- Norms: y = h weight + bias, with h = (x - mean) / sqrt(variance + eps) ---------------------------------------- */

/* Groups that are normalised separately. Group c of x (outer, groups, inner) has outer times inner numbers. For layer
 * norm, groups are the rows of (1, rows, n); for batch norm, groups are channels. */
typedef struct reference_groups {
    int64_t outer, groups, inner;
} reference_groups;

/* The index of number i of group c. */
static inline int64_t reference_index(const reference_groups *s, int64_t c, int64_t i)
{
    return (i / s->inner * s->groups + c) * s->inner + i % s->inner;
}

typedef struct reference_moments {
    long double mean, variance;
} reference_moments;

/* If uncentred (RMS norm), the mean counts as 0, and the variance is the mean of x^2. */
static inline reference_moments reference_moments_of(const reference_groups *s, int64_t c, const double *x,
                                                     bool uncentred)
{
    const int64_t n = s->outer * s->inner;
    reference_moments m = {0, 0};
    for (int64_t i = 0; i < n && !uncentred; i++)
        m.mean += (long double)x[reference_index(s, c, i)] / n;
    for (int64_t i = 0; i < n; i++)
        m.variance += (x[reference_index(s, c, i)] - m.mean) * (x[reference_index(s, c, i)] - m.mean) / n;
    return m;
}

static inline void reference_normalise(const reference_groups *s, int64_t c, const double *x,
                                       const reference_moments *m, double eps, double *h)
{
    for (int64_t i = 0; i < s->outer * s->inner; i++) {
        const int64_t at = reference_index(s, c, i);
        h[at] = (double)((x[at] - m->mean) / sqrtl(m->variance + eps));
    }
}

/* dx = (dh - mean(dh) - h mean(dh h)) / sqrt(variance + eps). The first mean counts as 0 if uncentred. */
static inline void reference_normalise_grad(const reference_groups *s, int64_t c, const double *h, const double *dh,
                                            const reference_moments *m, double eps, bool uncentred, double *dx)
{
    const int64_t n = s->outer * s->inner;
    long double mean = 0, slope = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_index(s, c, i);
        mean += uncentred ? 0 : (long double)dh[at] / n;
        slope += (long double)dh[at] * h[at] / n;
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_index(s, c, i);
        dx[at] = (double)((dh[at] - mean - h[at] * slope) / sqrtl(m->variance + eps));
    }
}

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* Rotates the pair (a, b) at i and i + apart by the angle with cosine c and sine s. */
static inline void reference_rotate(const double *x, int64_t i, int64_t apart, double c, double s, double *y)
{
    y[i] = x[i] * c - x[i + apart] * s;
    y[i + apart] = x[i + apart] * c + x[i] * s;
}

#endif
