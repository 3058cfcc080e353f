/* kernels/rows/reference_norm.h - layer norm and batch norm, y = h weight + bias, as plain loops: h and its gradient.
 * The kernels compute the same up to rounding. The tests take expected values from here. The library does not contain
 * this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_REFERENCE_NORM_H
#define HEED_KERNELS_ROWS_REFERENCE_NORM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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

/* h = (x - mean) / sqrt(variance + eps). If uncentred (RMS norm), the mean counts as 0, and the variance is the mean of
 * x^2. */
typedef struct reference_moments {
    long double mean, variance;
    double eps;
    bool uncentred;
} reference_moments;

static inline void reference_find_moments(const reference_groups *s, int64_t c, const double *x, reference_moments *m)
{
    const int64_t n = s->outer * s->inner;
    m->mean = m->variance = 0;
    for (int64_t i = 0; i < n && !m->uncentred; i++)
        m->mean += (long double)x[reference_index(s, c, i)] / n;
    for (int64_t i = 0; i < n; i++)
        m->variance += (x[reference_index(s, c, i)] - m->mean) * (x[reference_index(s, c, i)] - m->mean) / n;
}

static inline void reference_normalise(const reference_groups *s, int64_t c, const double *x,
                                       const reference_moments *m, double *h)
{
    for (int64_t i = 0; i < s->outer * s->inner; i++) {
        const int64_t at = reference_index(s, c, i);
        h[at] = (double)((x[at] - m->mean) / sqrtl(m->variance + m->eps));
    }
}

/* dx = (dh - mean(dh) - h mean(dh h)) / sqrt(variance + eps). The first mean counts as 0 if uncentred. */
static inline void reference_normalise_grad(const reference_groups *s, int64_t c, const double *h, const double *dh,
                                            const reference_moments *m, double *dx)
{
    const int64_t n = s->outer * s->inner;
    long double mean = 0, slope = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_index(s, c, i);
        mean += m->uncentred ? 0 : (long double)dh[at] / n;
        slope += (long double)dh[at] * h[at] / n;
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_index(s, c, i);
        dx[at] = (double)((dh[at] - mean - h[at] * slope) / sqrtl(m->variance + m->eps));
    }
}

#endif
