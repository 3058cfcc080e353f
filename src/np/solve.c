/* np/solve.c - the polynomial around a query from sums of its powers.
 *
 * Let b be the vector of powers of a key, b_0 = 1, and let S = sum w b b' and T = sum w b y. The coefficients of the
 * polynomial are beta = S^-1 T, and m = beta_0. Let a be the first column of S^-1. If the weights change, m changes by
 * a'(dT - dS beta), and a_0, the share of a row of weight 1 at the query, changes by -a' dS a.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "kernels/kernels.h"
#include "np/local.h"

/* S is scaled to a diagonal of 1. If one of its pivots is below LEAST_PIVOT, too many digits are lost. If the sum of
 * all weights, in units of the weight of a key at the query, is below LEAST_WEIGHT, all digits may be lost. */
#define LEAST_PIVOT 1e-4
#define LEAST_WEIGHT 1e-3

/* If a variance is below this share of its terms, it has lost too many digits, and the fit is computed directly
 * instead. */
#define LEAST_VARIANCE 1e-8

enum { P = HEED_MOMENTS_POWERS };

/* The Cholesky factor of S_jk / (scale_j scale_k). */
typedef struct factor {
    int n;
    double scale[P], l[P][P];
} factor;

static int packed_index(int j, int k)
{
    return j * (j + 1) / 2 + k;
}

static bool factorise(factor *f, const heed__np_moments *m)
{
    for (int k = 0; k < f->n; k++) {
        if (!(m->s[packed_index(k, k)] > m->least_square * m->s[0]))
            return false;
        f->scale[k] = sqrt(m->s[packed_index(k, k)]);
    }
    for (int j = 0; j < f->n; j++)
        for (int k = 0; k <= j; k++) {
            double left = j == k ? 1 : m->s[packed_index(j, k)] / (f->scale[j] * f->scale[k]);
            for (int i = 0; i < k; i++)
                left -= f->l[j][i] * f->l[k][i];
            if (j == k && !(left > LEAST_PIVOT))
                return false;
            f->l[j][k] = j == k ? sqrt(left) : left / f->l[k][k];
        }
    return true;
}

/* Computes x = S^-1 b. */
static void solve_factored(const factor *f, const double *b, double *x)
{
    for (int j = 0; j < f->n; j++) {
        x[j] = b[j] / f->scale[j];
        for (int k = 0; k < j; k++)
            x[j] -= f->l[j][k] * x[k];
        x[j] /= f->l[j][j];
    }
    for (int j = f->n - 1; j >= 0; j--) {
        for (int k = j + 1; k < f->n; k++)
            x[j] -= f->l[k][j] * x[k];
        x[j] /= f->l[j][j];
    }
    for (int j = 0; j < f->n; j++)
        x[j] /= f->scale[j];
}

/* Returns a' M b for the symmetric matrix M, which is packed in m. */
static double form(int n, const double *a, const double *m, const double *b)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            sum += a[j] * b[k] * m[j > k ? packed_index(j, k) : packed_index(k, j)];
    return sum;
}

/* Computes a' V a, which mathematically is not negative. Returns false if cancellation leaves too few digits; the
 * result may then be negative. */
static bool find_variance(int n, const double *a, const double *v, double *variance)
{
    double size = 0;
    for (int j = 0; j < n; j++)
        size += a[j] * a[j] * v[packed_index(j, j)];
    *variance = form(n, a, v, a);
    return *variance > LEAST_VARIANCE * size || size == 0;
}

static bool find_solved_slopes(const heed__np_moments *m, const factor *f, const double *beta, int smooth,
                               heed__np_local *out)
{
    out->curve = f->n > smooth + 1 ? 2 * beta[smooth + 1] / (m->units[0] * m->units[0]) : 0;
    for (int c = 0; c < smooth; c++) { /* b_(c + 1) is the coordinate of continuous column c */
        double unit[P] = {0}, row[P];
        unit[c + 1] = 1;
        solve_factored(f, unit, row);
        out->by[c].slope = beta[c + 1] / m->units[c];
        if (m->v && !find_variance(f->n, row, m->v, &out->by[c].slope_variance))
            return false;
        out->by[c].slope_variance /= m->units[c] * m->units[c];
    }
    return true;
}

void heed__np_solve(const heed__np_moments *m, const heed__np_smoother *s, heed__np_local *out)
{
    static const double first[P] = {1};
    factor f = {.n = m->powers};
    double a[P], beta[P];
    const int n = f.n, family = n * (n + 1) / 2 + n;
    out->mean = (double)NAN;
    if (!(m->s[0] > LEAST_WEIGHT) || !factorise(&f, m))
        return;
    solve_factored(&f, m->t, beta);
    solve_factored(&f, first, a);
    if (m->v && !find_variance(n, a, m->v, &out->variance))
        return;
    out->has_no_keys = false;
    out->log_sum = log(m->s[0]);
    out->mean = beta[0];
    const double own = heed__np_own_weight(s);
    out->own = own * a[0];
    out->powers = n;
    for (int g = 0; g < m->slopes; g++) {
        const double *ds = m->changes + g * family, *dt = ds + n * (n + 1) / 2;
        const int c = m->columns ? m->columns[g] : g;
        out->by[c].d_log_sum = ds[0] / m->s[0];
        out->by[c].d_own = own * (a[0] * heed__np_own_slope(s, c) - form(n, a, ds, a));
        out->by[c].d_mean = -form(n, a, ds, beta);
        for (int k = 0; k < n; k++)
            out->by[c].d_mean += a[k] * dt[k];
    }
    if (s->degree > 0 && !find_solved_slopes(m, &f, beta, s->data->smooth, out))
        out->mean = (double)NAN;
}
