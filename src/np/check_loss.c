/* np/check_loss.c - minimises the check loss by an interior-point method.
 *
 * The method solves the dual problem: minimise c'x subject to A x = (1 - level) A 1 and 0 <= x <= 1, where c = -w y. In
 * the solution x_i is 1 if row i lies above the plane, and 0 if below. Let s = 1 - x. The multipliers are z for x >= 0,
 * v for s >= 0, and d for the equations, so A' d + z - v = c. Newton's steps dx and dd for x z = mu and s v = mu are
 *     dx = q (A' dd - r),  q = 1 / (z / x + v / s),  r = z - v - mu (1 / x - 1 / s) + the second-order terms
 * and dd follows from A dx = 0. Every iteration first computes the step for mu = 0, which gives mu and the second-order
 * terms of the final step. The coefficients of the fit are beta = -d.
 *
 * S. Portnoy, R. Koenker: The Gaussian Hare and the Laplacian Tortoise (1997); S. Mehrotra (1992).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/check_loss.h"

#include <math.h>
#include <string.h>

enum { P = HEED__NP_CHECK_POWERS, MOST_STEPS = 80 };

/* A step covers at most this share of the distance to the nearest bound. */
#define STEP_SHARE 0.99995

typedef struct interior {
    const heed__np_check_loss *loss;
    double *x, *z, *v, *dx, *dz, *dv, *q, *r, *s;
    double d[P], dd[P];
} interior;

static double *array(const heed__np_check_loss *loss, int i)
{
    return loss->work + i * loss->n;
}

/* Returns element i of A' d. */
static double image(const heed__np_check_loss *loss, const double *d, int64_t i)
{
    double sum = 0;
    for (int k = 0; k < loss->powers; k++)
        sum += d[k] * loss->a[k * loss->n + i];
    return sum;
}

/* Replaces b by m^-1 b, with a Cholesky factorisation of m (n, n). If a pivot is 0 up to rounding, the element of b is
 * 0. */
static void solve_cholesky(int n, double m[P][P], double *b)
{
    bool is_left_out[P];
    for (int j = 0; j < n; j++) {
        const double whole = m[j][j];
        for (int k = 0; k < j; k++)
            m[j][j] -= m[j][k] * m[j][k];
        is_left_out[j] = !(m[j][j] > 1e-14 * whole);
        m[j][j] = is_left_out[j] ? 1 : sqrt(m[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                m[i][j] -= m[i][k] * m[j][k];
            m[i][j] = is_left_out[j] ? 0 : m[i][j] / m[j][j];
        }
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            b[j] -= m[j][k] * b[k];
        b[j] = is_left_out[j] ? 0 : b[j] / m[j][j];
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++)
            b[j] -= m[k][j] * b[k];
        b[j] = is_left_out[j] ? 0 : b[j] / m[j][j];
    }
}

static void solve_weighted(const interior *at, const double *q, const double *r, double *d)
{
    const heed__np_check_loss *loss = at->loss;
    double m[P][P] = {{0}};
    memset(d, 0, P * sizeof *d);
    for (int j = 0; j < loss->powers; j++) {
        const double *a = loss->a + j * loss->n;
        for (int64_t i = 0; i < loss->n; i++)
            d[j] += a[i] * (q ? q[i] : 1) * r[i];
        for (int k = 0; k <= j; k++) {
            const double *b = loss->a + k * loss->n;
            for (int64_t i = 0; i < loss->n; i++)
                m[j][k] += a[i] * b[i] * (q ? q[i] : 1);
        }
    }
    solve_cholesky(loss->powers, m, d);
}

/* Sets the starting point: d from a least-squares fit, and multipliers z and v that fit its residuals and are above
 * 0. */
static void begin_interior(interior *at)
{
    const heed__np_check_loss *loss = at->loss;
    solve_weighted(at, NULL, loss->y, at->d);
    for (int k = 0; k < loss->powers; k++)
        at->d[k] = -at->d[k];
    double mean = 0;
    for (int64_t i = 0; i < loss->n; i++) {
        at->r[i] = -loss->y[i] - image(loss, at->d, i);
        mean += fabs(at->r[i]) / (double)loss->n;
    }
    const double least = 1e-3 * mean + 1e-12;
    for (int64_t i = 0; i < loss->n; i++) {
        at->x[i] = 1 - loss->level;
        at->s[i] = loss->level;
        at->z[i] = fmax(at->r[i], 0) + least;
        at->v[i] = fmax(-at->r[i], 0) + least;
    }
}

static double gap(const interior *at)
{
    double sum = 0;
    for (int64_t i = 0; i < at->loss->n; i++)
        sum += at->z[i] * at->x[i] + at->v[i] * at->s[i];
    return sum;
}

/* Computes dd and dx from q and r. */
static void find_step(interior *at)
{
    const heed__np_check_loss *loss = at->loss;
    solve_weighted(at, at->q, at->r, at->dd);
    for (int64_t i = 0; i < loss->n; i++)
        at->dx[i] = at->q[i] * (image(loss, at->dd, i) - at->r[i]);
}

/* Computes the step for mu = 0, without second-order terms. */
static void predict_step(interior *at)
{
    for (int64_t i = 0; i < at->loss->n; i++) {
        at->q[i] = 1 / (at->z[i] / at->x[i] + at->v[i] / at->s[i]);
        at->r[i] = at->z[i] - at->v[i];
    }
    find_step(at);
    for (int64_t i = 0; i < at->loss->n; i++) {
        at->dz[i] = -at->z[i] * (1 + at->dx[i] / at->x[i]);
        at->dv[i] = -at->v[i] * (1 - at->dx[i] / at->s[i]);
    }
}

static void correct_step(interior *at, double mu)
{
    /* dz and dv still hold the step for mu = 0; dx dz and dx dv are the second-order terms */
    for (int64_t i = 0; i < at->loss->n; i++) {
        const double x = at->x[i], s = at->s[i];
        at->dz[i] = (mu - at->dx[i] * at->dz[i]) / x - at->z[i];
        at->dv[i] = (mu + at->dx[i] * at->dv[i]) / s - at->v[i];
        at->r[i] = at->dv[i] - at->dz[i];
    }
    find_step(at);
    for (int64_t i = 0; i < at->loss->n; i++) {
        at->dz[i] -= at->z[i] / at->x[i] * at->dx[i];
        at->dv[i] += at->v[i] / at->s[i] * at->dx[i];
    }
}

/* Computes the largest step lengths, at most 1: *primal keeps x and s above 0, *dual keeps z and v above 0. */
static void find_lengths(const interior *at, double *primal, double *dual)
{
    double p = (double)INFINITY, d = (double)INFINITY;
    for (int64_t i = 0; i < at->loss->n; i++) {
        if (at->dx[i] != 0)
            p = fmin(p, at->dx[i] < 0 ? -at->x[i] / at->dx[i] : at->s[i] / at->dx[i]);
        if (at->dz[i] < 0)
            d = fmin(d, -at->z[i] / at->dz[i]);
        if (at->dv[i] < 0)
            d = fmin(d, -at->v[i] / at->dv[i]);
    }
    *primal = fmin(STEP_SHARE * p, 1);
    *dual = fmin(STEP_SHARE * d, 1);
}

static void take_step(interior *at, double primal, double dual)
{
    for (int64_t i = 0; i < at->loss->n; i++) {
        at->x[i] += primal * at->dx[i];
        at->s[i] -= primal * at->dx[i];
        at->z[i] += dual * at->dz[i];
        at->v[i] += dual * at->dv[i];
    }
    for (int k = 0; k < at->loss->powers; k++)
        at->d[k] += dual * at->dd[k];
}

static double gap_after(const interior *at, double primal, double dual)
{
    double sum = 0;
    for (int64_t i = 0; i < at->loss->n; i++)
        sum += (at->z[i] + dual * at->dz[i]) * (at->x[i] + primal * at->dx[i]) +
               (at->v[i] + dual * at->dv[i]) * (at->s[i] - primal * at->dx[i]);
    return sum;
}

void heed__np_minimise_check(const heed__np_check_loss *loss, double *beta)
{
    interior at = {.loss = loss,
                   .x = array(loss, 0),
                   .z = array(loss, 1),
                   .v = array(loss, 2),
                   .dx = array(loss, 3),
                   .dz = array(loss, 4),
                   .dv = array(loss, 5),
                   .q = array(loss, 6),
                   .r = array(loss, 7),
                   .s = array(loss, 8)};
    begin_interior(&at);
    double before = gap(&at);
    for (int i = 0; i < MOST_STEPS && before > 1e-13; i++) {
        double primal, dual;
        predict_step(&at);
        find_lengths(&at, &primal, &dual);
        if (fmin(primal, dual) < 1) {
            const double share = gap_after(&at, primal, dual) / before;
            correct_step(&at, before * share * share * share / (2 * (double)loss->n));
            find_lengths(&at, &primal, &dual);
        }
        const double d = at.dd[0];
        if (!isfinite(d) || !isfinite(dual))
            break; /* rounding errors prevent further progress */
        take_step(&at, primal, dual);
        before = gap(&at);
    }
    for (int k = 0; k < loss->powers; k++)
        beta[k] = -at.d[k];
}
