/* bench/w16_linear_algebra.c - W16: Cholesky factors, and the marginal likelihood of a Gaussian process, in f64.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

static heed_tensor *leaf(heed_tensor *t)
{
    return heed_set_requires_grad(t, true);
}

/* -- Cholesky factors ---------------------------------------------------------------------------------------------- */

static heed_tensor *factor(void *context)
{
    return heed_cholesky(context, false);
}

/* sizes: rows */
static void run_cholesky(const bench_case *c)
{
    const int64_t n = c->sizes[0];
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(n, n));
    heed_tensor *a =
        heed_add(heed_mul_scalar(heed_bmm_t(x, false, x, true), 1.0 / (double)n), heed_eye(HEED_F64, n, n));
    bench_function f = {
        .output = factor, .context = leaf(a), .leaves = {a}, .g = heed_randn(HEED_F64, HEED_SHAPE(n, n))};
    bench_function_rates(c, &f, (double)n * (double)n * (double)n / 3);
}

/* -- A Gaussian process -------------------------------------------------------------------------------------------- */

typedef struct process {
    heed_tensor *x, *y, *unit;             /* (n, d), (n, 1), the identity (n, n) */
    heed_tensor *lengths, *signal, *noise; /* (d), (), (): logarithms */
} process;

/* exp(2 signal - |a_i - a_j|^2 / 2) + exp(2 noise) I, with a = x / lengths and |a_i - a_j|^2 = |a_i|^2 + |a_j|^2 - 2
 * a_i . a_j */
static heed_tensor *covariance(const process *p)
{
    heed_tensor *a = heed_div(p->x, heed_exp(p->lengths));
    heed_tensor *halves = heed_mul_scalar(heed_sum_axes(heed_square(a), HEED_AXES(1), true), 0.5);
    heed_tensor *exponents = heed_sub(heed_sub(heed_bmm_t(a, false, a, true), halves), heed_transpose(halves, 0, 1));
    heed_tensor *k = heed_exp(heed_add(exponents, heed_mul_scalar(p->signal, 2.0)));
    return heed_add(k, heed_mul(p->unit, heed_exp(heed_mul_scalar(p->noise, 2.0))));
}

/* |L^-1 y|^2 / 2 + sum ln L_ii */
static heed_tensor *likelihood(void *context)
{
    const process *p = context;
    heed_tensor *l = heed_cholesky(covariance(p), false), *z = heed_solve_triangular(l, p->y, NULL);
    heed_tensor *fit = heed_mul_scalar(heed_sum(heed_square(z)), 0.5);
    return heed_add(fit, heed_sum(heed_log(heed_diagonal(l, 0, 0, 1))));
}

/* sizes: observations, inputs */
static void run_process(const bench_case *c)
{
    const int64_t n = c->sizes[0], d = c->sizes[1];
    process p = {.x = heed_randn(HEED_F64, HEED_SHAPE(n, d)),
                 .y = heed_randn(HEED_F64, HEED_SHAPE(n, 1)),
                 .unit = heed_eye(HEED_F64, n, n),
                 .lengths = leaf(heed_zeros(HEED_F64, HEED_SHAPE(d))),
                 .signal = leaf(heed_zeros(HEED_F64, HEED_SCALAR)),
                 .noise = leaf(heed_full(HEED_F64, HEED_SCALAR, -1.0))};
    bench_function f = {.output = likelihood,
                        .context = &p,
                        .leaves = {p.lengths, p.signal, p.noise},
                        .g = heed_ones(HEED_F64, HEED_SCALAR)};
    bench_function_times(c, &f);
}

const bench_entry bench_w16[] = {
    {"W16", "cholesky 1000 f64", run_cholesky, SIZES(1000)},
    {"W16", "gaussian process 1000x5 f64", run_process, SIZES(1000, 5)},
    {0},
};
