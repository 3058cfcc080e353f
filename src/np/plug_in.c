/* np/plug_in.c - the direct plug-in bandwidth of local lines: the formula of the best bandwidth with estimates of its
 * unknowns (D. Ruppert, S. Sheather, M. Wand 1995).
 *
 *     h = (sigma^2 (b - a) / (2 sqrt(pi) theta n))^(1 / 5)
 *
 * where theta is the mean of m''(x_i)^2, and a .. b is the range of the n rows that remain after a share TRIM of all
 * rows is removed at either end.
 *
 * 1. A quartic is fitted in each of 1 to 5 blocks of rows; C. Mallows' C_p chooses the number of blocks. The quartics
 *    give a first sigma^2 and the mean of m'' m''''.
 * 2. These two numbers give the bandwidth of a local cubic. Its m'' gives theta; rows near the ends count as 0.
 * 3. The first sigma^2 and theta give the bandwidth of a local line. Its residuals give sigma^2 = RSS / (n - 2 tr H +
 *    tr H H').
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "np/search.h"

static const char where[] = "np_fit";

enum { POWERS = 5, MOST_BLOCKS = 5, BLOCK_LEAST = 20 };

static const double pi = 3.14159265358979323846, TRIM = 0.01, NEAR_END = 0.05;

/* x and y of the remaining rows, sorted by x, and memory for fitting polynomials to them. */
typedef struct plug_in_run {
    heed__np_data kept; /* all rows; rows removed at the ends have weight 0 */
    heed__np_locals locals;
    int64_t n;
    double *block, *x, *y, *left, *p, *before; /* block contains the other five arrays (rows) */
    double sigma_squared, theta_24;            /* estimates from the quartics: sigma^2, and the mean of m'' m'''' */
} plug_in_run;

/* -- Quartics in blocks -------------------------------------------------------------------------------------------- */

/* The polynomial sum_k c_k p_k(u) of u = (x - middle) / half, with the orthogonal polynomials p_0 = 1, p_(k + 1) = (u -
 * a_k) p_k - b_k p_(k - 1) (G. Forsythe 1957). */
typedef struct quartic {
    double middle, half, a[POWERS], b[POWERS], c[POWERS];
} quartic;

/* Fits rows `begin` to `end - 1` and adds their squared residuals to `rss`. */
static quartic fit_quartic(const plug_in_run *run, int64_t begin, int64_t end, double *rss)
{
    quartic f = {.middle = (run->x[begin] + run->x[end - 1]) / 2, .half = (run->x[end - 1] - run->x[begin]) / 2};
    double *left = run->left, *p = run->p, *before = run->before, last_norm = 1;
    for (int64_t i = begin; i < end; i++) {
        left[i] = run->y[i];
        p[i] = 1;
        before[i] = 0;
    }
    for (int k = 0; k < POWERS; k++) {
        double norm = 0, moved = 0, share = 0;
        for (int64_t i = begin; i < end; i++) {
            const double u = f.half > 0 ? (run->x[i] - f.middle) / f.half : 0;
            norm += p[i] * p[i];
            moved += u * p[i] * p[i];
            share += p[i] * left[i];
        }
        if (!(norm > 1e-14 * (double)(end - begin))) /* the x are too few for a higher degree */
            break;
        f.a[k] = moved / norm;
        f.b[k] = norm / last_norm;
        f.c[k] = share / norm;
        for (int64_t i = begin; i < end; i++) {
            const double u = f.half > 0 ? (run->x[i] - f.middle) / f.half : 0, old = p[i];
            left[i] -= f.c[k] * old;
            p[i] = (u - f.a[k]) * old - f.b[k] * before[i];
            before[i] = old;
        }
        last_norm = norm;
    }
    for (int64_t i = begin; i < end; i++)
        *rss += left[i] * left[i];
    return f;
}

/* Returns the second derivative with respect to x. (The fourth derivative with respect to u is 24 c_4, since 4 is the
 * highest power.) */
static double second_derivative(const quartic *f, double x)
{
    const double u = (x - f->middle) / f->half;
    double before[3] = {0}, p[3] = {1}, sum = 0; /* p_k and its first two derivatives with respect to u */
    for (int k = 0; k < POWERS; k++) {
        const double next[3] = {(u - f->a[k]) * p[0] - f->b[k] * before[0],
                                (u - f->a[k]) * p[1] + p[0] - f->b[k] * before[1],
                                (u - f->a[k]) * p[2] + 2 * p[1] - f->b[k] * before[2]};
        sum += f->c[k] * p[2];
        memcpy(before, p, sizeof p);
        memcpy(p, next, sizeof p);
    }
    return sum / (f->half * f->half);
}

/* Fits a quartic in each of `blocks` blocks of equal size, of which the last also contains the remaining rows. Returns
 * the residual sum of squares. Adds the sum of m'' m'''' to *products unless it is NULL. */
static double sum_blocks(const plug_in_run *run, int blocks, double *products)
{
    const int64_t size = run->n / blocks;
    double rss = 0;
    for (int b = 0; b < blocks; b++) {
        const int64_t begin = b * size, end = b + 1 < blocks ? begin + size : run->n;
        const quartic f = fit_quartic(run, begin, end, &rss);
        for (int64_t i = begin; products && f.half > 0 && i < end; i++)
            *products += second_derivative(&f, run->x[i]) * 24 * f.c[POWERS - 1] / pow(f.half, 4);
    }
    return rss;
}

/* Chooses the number of blocks with the lowest C_p = RSS (n - 5 most) / RSS_most + 10 blocks - n, where `most` is the
 * maximum number of blocks. */
static void fit_blocks(plug_in_run *run)
{
    const double n = (double)run->n;
    int most = (int)fmin(MOST_BLOCKS, n / BLOCK_LEAST), best = 1;
    most = most > 1 ? most : 1;
    const double last = sum_blocks(run, most, NULL);
    double least = (double)INFINITY;
    for (int blocks = 1; blocks <= most; blocks++) {
        const double cp = sum_blocks(run, blocks, NULL) * (n - POWERS * most) / last + 2 * POWERS * blocks;
        if (cp < least) {
            least = cp;
            best = blocks;
        }
    }
    double products = 0;
    run->sigma_squared = sum_blocks(run, best, &products) / (n - POWERS * best);
    run->theta_24 = products / n;
}

/* -- Local fits ---------------------------------------------------------------------------------------------------- */

static double kept_range(const plug_in_run *run)
{
    return run->x[run->n - 1] - run->x[0];
}

/* Sets *theta to the mean of m''(x_i)^2 of a local cubic, in which rows near the ends count as 0. Returns false after
 * heed_fail. */
static bool find_theta(plug_in_run *run, double *theta)
{
    const heed__np_data *data = &run->kept;
    const double n = (double)run->n, ratio = run->sigma_squared * kept_range(run) / (fabs(run->theta_24) * n);
    const double low = run->x[0] + NEAR_END * kept_range(run), high = run->x[run->n - 1] - NEAR_END * kept_range(run);
    const heed__np_smoother cubic = {
        .data = data, .degree = 3, .h = {pow((run->theta_24 < 0 ? 6 : 15) * ratio / (16 * sqrt(pi)), 1.0 / 7)}};
    *theta = 0;
    if (!(isfinite(cubic.h[0]) && cubic.h[0] > 0))
        return true;
    if (!heed__np_fit_at(&cubic, NULL, 0, &(heed__np_requested){.slopes = true}, &run->locals))
        return false;
    for (int64_t k = 0; k < data->keys; k++) {
        const double curve = heed__np_local_at(&run->locals, k)->curve;
        *theta += data->x[k] >= low && data->x[k] <= high ? data->w[k] * curve * curve / n : 0;
    }
    return true;
}

/* Sets *sigma_squared to sigma^2 of a local line. `theta` must be above 0. Returns false after heed_fail. */
static bool find_sigma_squared(plug_in_run *run, double theta, double *sigma_squared)
{
    const heed__np_data *data = &run->kept;
    const double n = (double)run->n,
                 overlap = 0.5 + 2 * sqrt(2) - 4 / sqrt(3); /* a constant of the Gaussian and its convolutions */
    const double scale = run->sigma_squared / (theta * n);
    const heed__np_smoother line = {
        .data = data, .degree = 1, .h = {pow(4 * overlap / sqrt(2 * pi) * scale * scale * kept_range(run), 1.0 / 9)}};
    double rss = 0, rest = n;
    if (!(isfinite(line.h[0]) && line.h[0] > 0))
        return true;
    if (!heed__np_fit_keys(&line, &run->locals))
        return false;
    for (int64_t i = 0; i < data->rows; i++) {
        const heed__np_local *at = heed__np_local_at(&run->locals, data->key_of[i]);
        const double e = data->row_y[i] - at->mean;
        rss += data->row_w[i] * e * e;
        rest -= data->row_w[i] * (2 * at->own - at->variance);
    }
    *sigma_squared = rss / rest;
    return true;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

static bool allocate_plug_in(plug_in_run *run, const heed__np_data *data)
{
    run->block = heed_alloc((size_t)data->rows * 5 * sizeof *run->block);
    if (!run->block)
        return false;
    double **arrays[] = {&run->x, &run->y, &run->left, &run->p, &run->before};
    for (int i = 0; i < 5; i++)
        *arrays[i] = run->block + i * data->rows;
    return heed__np_locals_new(&run->locals, 1, data->keys) && heed__np_copy(data, &run->kept);
}

/* Sorts the rows by key, and rows of the same key by index. Removes rows at both ends. Returns false after
 * heed_fail. */
static bool sort_and_trim_rows(plug_in_run *run, const heed__np_data *data)
{
    const int64_t off = (int64_t)floor(TRIM * (double)data->rows);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *first =
        /* next[k] is the position of the next row of key k */
        scope ? heed_zeros(HEED_I64, HEED_SHAPE(data->keys + 1)) : NULL;
    int64_t *next = first ? (int64_t *)(void *)first->data : NULL;
    for (int64_t i = 0; next && i < data->rows; i++)
        next[data->key_of[i] + 1]++;
    for (int64_t k = 0; next && k < data->keys; k++)
        next[k + 1] += next[k];
    run->n = data->rows - 2 * off;
    for (int64_t i = 0; next && i < data->rows; i++) {
        const int64_t at = next[data->key_of[i]]++ - off;
        const bool is_kept = at >= 0 && at < run->n;
        run->left[i] = is_kept;
        if (is_kept) {
            run->x[at] = data->x[data->key_of[i]];
            run->y[at] = data->row_y[i];
        }
    }
    heed_scope_end(scope);
    if (next)
        heed__np_draw(&run->kept, run->left);
    return next != NULL;
}

static bool find_bandwidth(plug_in_run *run, double *h)
{
    double theta = 0, sigma_squared = 0;
    *h = 0;
    const double rounding = HEED__NP_FIT_ROUNDING * run->kept.rounding;
    fit_blocks(run);
    const bool has_noise = run->sigma_squared > rounding * rounding;
    if (has_noise && !find_theta(run, &theta))
        return false;
    if (theta > 0 && !find_sigma_squared(run, theta, &sigma_squared))
        return false;
    *h = pow(sigma_squared * kept_range(run) / (2 * sqrt(pi) * theta * (double)run->n), 0.2);
    return (isfinite(*h) && *h > 0) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "HEED_NP_PLUG_IN finds no bandwidth: x has too few values, or y is a quartic without noise");
}

static bool check_plug_in(const heed__np_smoother *s)
{
    const heed__np_data *data = s->data;
    bool is_plain = data->sorted && s->degree == 1;
    for (int64_t i = 0; i < data->rows; i++)
        is_plain &= data->given_w[i] == 1;
    if (!is_plain)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "HEED_NP_PLUG_IN needs degree 1, a single continuous column, and equal weights");
    if (data->rows <= 2 * POWERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "HEED_NP_PLUG_IN needs more than %d rows", 2 * POWERS);
    if (!data->varies)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "HEED_NP_PLUG_IN finds no bandwidth: y is %g in every row, up to rounding",
                               data->unit * data->row_y[0]);
    return heed__np_varies(data, 0);
}

bool heed__np_plug_in(heed__np_smoother *s)
{
    plug_in_run run = {0};
    if (!check_plug_in(s))
        return false;
    const bool good =
        allocate_plug_in(&run, s->data) && sort_and_trim_rows(&run, s->data) && find_bandwidth(&run, &s->h[0]);
    s->h[0] *= heed__np_canonical(s->kernel, 1);
    heed__np_data_free(&run.kept);
    heed__np_locals_free(&run.locals);
    heed_free(run.block, (size_t)s->data->rows * 5 * sizeof *run.block);
    return good;
}
