/* kernels/regression/reference.h - Nadaraya-Watson kernel regression of one query with its gradients, as plain loops.
 * The kernels compute the same up to rounding, in sweeps over a register full of keys at a time. The tests take
 * expected values from here. The library does not contain this file. reference_moments.h has the sums for local
 * polynomials.
 *
 * With a query q (d), keys k (d, m), values v (v, m) and w_c = 1 / bandwidth of component c:
 *
 * u_j = sum over c of (w_c (q_c - k_cj))^2 / 2     a_j = e^-u_j / sum of e^-u     f_c = sum over j of a_j v_cj
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_REFERENCE_H
#define HEED_KERNELS_REGRESSION_REFERENCE_H

#include <math.h>
#include <stdint.h>

typedef struct reference_regression {
    int64_t m, d, v;
    int64_t left_out; /* the key that the query does not see, or -1 */
    const double *q, *k, *values, *w;
} reference_regression;

/* Writes u (m), a (m), f (v), and slopes (v), the derivative of f if ln w^2 of all components grow together. */
static inline void reference_regress(const reference_regression *s, double *u, double *a, double *f, double *slopes)
{
    double least = INFINITY;
    long double sum = 0;
    for (int64_t j = 0; j < s->m; j++) {
        long double exponent = 0;
        for (int64_t c = 0; c < s->d; c++) {
            const long double far = (s->q[c] - (long double)s->k[c * s->m + j]) * s->w[c];
            exponent += far * far / 2;
        }
        u[j] = (double)exponent;
        least = j == s->left_out ? least : fmin(least, u[j]);
    }
    for (int64_t j = 0; j < s->m; j++)
        sum += a[j] = j == s->left_out ? 0 : exp(least - u[j]); /* so that the largest is 1 */
    for (int64_t j = 0; j < s->m; j++)
        a[j] = a[j] == 0 ? 0 : (double)(a[j] / sum);
    for (int64_t c = 0; c < s->v; c++) {
        long double value = 0, slope = 0;
        for (int64_t j = 0; j < s->m; j++)
            value += (long double)a[j] * s->values[c * s->m + j];
        for (int64_t j = 0; j < s->m; j++)
            slope -= a[j] * (s->values[c * s->m + j] - value) * u[j];
        f[c] = (double)value;
        slopes[c] = (double)slope;
    }
}

typedef struct reference_regression_grads {
    const double *g; /* (v), the gradient of f */
    double *dq, *moments, *dk, *dv;
} reference_regression_grads;

/* Adds the gradients from key j, whose weight is a = a_j. With p_j = a_j g . (v_j - f):
 *
 *     dq_c -= w_c^2 p_j (q_c - k_cj)           dk_cj += w_c^2 p_j (q_c - k_cj)
 *     moments_c += w_c^2 p_j (q_c - k_cj)^2 / 2                  dv_cj += a_j g_c
 *
 * The gradient of ln w_c^2 is -moments_c. */
static inline void reference_regress_grad(const reference_regression *s, int64_t j, double a, const double *f,
                                          const reference_regression_grads *to)
{
    long double p = 0;
    for (int64_t c = 0; c < s->v; c++) {
        p += (long double)a * (s->values[c * s->m + j] - f[c]) * to->g[c];
        to->dv[c * s->m + j] += a * to->g[c];
    }
    for (int64_t c = 0; c < s->d; c++) {
        const double far = s->q[c] - s->k[c * s->m + j], slope = (double)(s->w[c] * s->w[c] * p * far);
        to->dq[c] -= slope;
        to->moments[c] += slope * far / 2;
        to->dk[c * s->m + j] += slope;
    }
}

#endif
