/* np/window_sums.c - sums over windows of sorted keys, for polynomial kernels of |u|.
 *
 * Keys are divided into chunks of 16 keys, and consecutive chunks into boxes about half a unit wide. For every chunk,
 * the sums of (x - middle)^k over the preceding chunks of its box are stored; `middle` is the middle of the box. Every
 * sum is stored in two doubles, so that the difference of two sums has all digits. Such a difference is the sum over
 * consecutive chunks of a box. The sum over a window consists of these differences, shifted from the middle of their
 * box to the query, and of up to 30 keys at the ends of the window. (N. Langrené, X. Warin: Fast and Stable
 * Multivariate Kernel Density Estimation by Fast Sum Updating, 2019, update a single sum from query to query. This
 * algorithm needs no such order of the queries.)
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "np/sorted_sums.h"

enum {
    CHUNK = 16,
    GAUSS_TERMS = 24,             /* terms of the series of exp; e^-1 then has an error of 1e-24, and e^-2 of 1e-16 */
    POWERS = 2 * GAUSS_TERMS + 1, /* number of coefficients of the longest kernel or squared kernel */
    SUMS = POWERS + HEED__NP_S,   /* sums of t^k for k < SUMS */
    QUERIES = 256,                /* queries that a thread processes at a time */
};

/* -- Kernels ------------------------------------------------------------------------------------------------------- */

/* The polynomial sum_j c_j |t|^j, which is the kernel for |t| within the window. */
typedef struct polynomial {
    int degree;
    double c[POWERS];
} polynomial;

/* Returns the kernel (1 - u^power)^times as a polynomial. Returns the Gaussian's Taylor series, which is accurate for
 * u^2 up to 2. */
static polynomial kernel_of(heed_nw_kernel kernel)
{
    polynomial p = {.c = {1}};
    if (kernel == HEED_NW_GAUSSIAN) {
        p.degree = 2 * GAUSS_TERMS;
        for (int j = 1; j <= GAUSS_TERMS; j++)
            p.c[2 * j] = -p.c[2 * j - 2] / (2 * j);
        return p;
    }
    int power, times;
    heed__np_shape(kernel, &power, &times);
    for (int j = 1; j <= times; j++) /* binomials with alternating signs */
        p.c[j * power] = -p.c[(j - 1) * power] * (times - j + 1) / j;
    p.degree = power * times;
    return p;
}

/* Replaces a polynomial of u by the equal polynomial of t, where u = t * factor. */
static void rescale_polynomial(polynomial *p, double factor)
{
    double power = 1;
    for (int j = 0; j <= p->degree; j++, power *= factor)
        p->c[j] *= power;
}

/* Returns -u K'(u), which is equal for every unit of u. */
static polynomial slope_polynomial(const polynomial *k)
{
    polynomial d = {.degree = k->degree};
    for (int j = 0; j <= k->degree; j++)
        d.c[j] = -j * k->c[j];
    return d;
}

/* Returns the square of a kernel. The square of the Gaussian is the Gaussian of u sqrt(2). */
static polynomial square_of(heed_nw_kernel kernel, const polynomial *k)
{
    polynomial square = {0};
    if (kernel == HEED_NW_GAUSSIAN) {
        square = *k;
        rescale_polynomial(&square, sqrt(2));
        return square;
    }
    square.degree = 2 * k->degree;
    for (int i = 0; i <= k->degree; i++)
        for (int j = 0; j <= k->degree; j++)
            square.c[i + j] += k->c[i] * k->c[j];
    return square;
}

/* -- Sums in two doubles ------------------------------------------------------------------------------------------- */

typedef struct total {
    double sum, lost;
} total;

/* Adds a term by Knuth's TwoSum; `lost` accumulates the rounding errors. */
static void add_two_sum(total *to, double term)
{
    const double s = to->sum + term, taken = s - to->sum;
    to->lost += (to->sum - (s - taken)) + (term - taken);
    to->sum = s;
}

/* -- Boxes --------------------------------------------------------------------------------------------------------- */

/* The sums of all windows. There are three families of sums; their terms have the weights w, w y and w^2 v. */
typedef struct windows_run {
    heed__np_sorted_job *job;
    polynomial kernel, slope, square;
    /* distance from the query to the ends of its window; infinite if windows contain all keys */
    double reach;
    /* the kernel has odd powers of |u|, so keys before and after q are summed separately */
    bool split;
    /* number of sums of every family; number of families; number of sums of all families */
    int counts[3], families, stride;
    int64_t chunks, boxes;
    double *middles;         /* (boxes) */
    int64_t *first, *box_of; /* (boxes + 1): first chunk of a box; (chunks): box of a chunk */
    /* (chunks + boxes, stride): for every chunk, the sums over the preceding chunks of its box; for every box, also the
     * sums over all its chunks */
    total *before;
} windows_run;

static double family_weight(const windows_run *run, int family, int64_t key)
{
    const heed__np_sorted_job *job = run->job;
    return family == 0 ? job->smoother->data->w[key] : family == 1 ? job->wy[key] : job->wwv[key];
}

static int64_t chunk_end(const heed__np_data *data, int64_t chunk)
{
    return (chunk + 1) * CHUNK < data->keys ? (chunk + 1) * CHUNK : data->keys;
}

/* Divides the chunks into boxes. A box contains the consecutive chunks that fit in half a unit, or all chunks if
 * `reach` is infinite. */
static void cut_window_boxes(windows_run *run)
{
    const heed__np_data *data = run->job->smoother->data;
    const double widest = isinf(run->reach) ? (double)INFINITY : 0.5 * run->job->unit;
    double begin = 0;
    run->boxes = 0;
    for (int64_t c = 0; c < run->chunks; c++) {
        const double last = data->x[chunk_end(data, c) - 1];
        if (c == 0 || last - begin > widest) {
            begin = data->x[c * CHUNK];
            run->first[run->boxes++] = c;
        }
        run->box_of[c] = run->boxes - 1;
        run->middles[run->boxes - 1] = begin / 2 + last / 2;
    }
    run->first[run->boxes] = run->chunks;
}

static total *before(const windows_run *run, int64_t box, int64_t chunk)
{
    return run->before + (chunk + box) * run->stride;
}

static void add_chunk(const windows_run *run, int64_t box, int64_t chunk)
{
    const heed__np_data *data = run->job->smoother->data;
    total *to = before(run, box, chunk + 1);
    memcpy(to, before(run, box, chunk), (size_t)run->stride * sizeof *to);
    for (int64_t key = chunk * CHUNK; key < chunk_end(data, chunk); key++) {
        const double s = (data->x[key] - run->middles[box]) / run->job->unit;
        total *sum = to;
        for (int f = 0; f < run->families; f++) {
            double term = family_weight(run, f, key);
            for (int k = 0; k < run->counts[f]; k++, term *= s)
                add_two_sum(sum++, term);
        }
    }
}

static void fill_boxes(int64_t begin, int64_t end, void *context)
{
    const windows_run *run = context;
    for (int64_t box = begin; box < end; box++) {
        memset(before(run, box, run->first[box]), 0, (size_t)run->stride * sizeof(total));
        for (int64_t chunk = run->first[box]; chunk < run->first[box + 1]; chunk++)
            add_chunk(run, box, chunk);
    }
}

/* -- Windows ------------------------------------------------------------------------------------------------------- */

/* Replaces sums of s^k by sums of (s - tau)^k, for k < n. */
static void shift_sums(int n, double *sums, double tau)
{
    for (int pass = 0; pass < n - 1; pass++)
        for (int k = n - 1; k > pass; k--)
            sums[k] -= tau * sums[k - 1];
}

static void add_keys(const windows_run *run, double q, int64_t begin, int64_t end, double (*sums)[SUMS])
{
    const heed__np_data *data = run->job->smoother->data;
    for (int64_t key = begin; key < end; key++) {
        const double t = (data->x[key] - q) / run->job->unit;
        for (int f = 0; f < run->families; f++) {
            double term = family_weight(run, f, key);
            for (int k = 0; k < run->counts[f]; k++, term *= t)
                sums[f][k] += term;
        }
    }
}

/* Adds the chunks `begin` to `end - 1` of a box to sums[f][k], as add_key_range does. */
static void add_chunks(const windows_run *run, double q, int64_t box, int64_t begin, int64_t end, double (*sums)[SUMS])
{
    const total *high = before(run, box, end), *low = before(run, box, begin);
    const double tau = (q - run->middles[box]) / run->job->unit;
    double shifted[SUMS];
    for (int f = 0; f < run->families; f++) {
        for (int k = 0; k < run->counts[f]; k++, high++, low++)
            shifted[k] = (high->sum - low->sum) + (high->lost - low->lost);
        shift_sums(run->counts[f], shifted, tau);
        for (int k = 0; k < run->counts[f]; k++)
            sums[f][k] += shifted[k];
    }
}

/* Adds to sums[f][k] the sum of (weight of family f) t^k over the keys begin .. end - 1. */
static void add_key_range(const windows_run *run, double q, int64_t begin, int64_t end, double (*sums)[SUMS])
{
    const int64_t first = heed__ceil_div(begin, CHUNK), last = end / CHUNK;
    if (first >= last) {
        add_keys(run, q, begin, end, sums);
        return;
    }
    add_keys(run, q, begin, first * CHUNK, sums);
    for (int64_t c = first; c < last;) {
        const int64_t box = run->box_of[c], stop = run->first[box + 1] < last ? run->first[box + 1] : last;
        add_chunks(run, q, box, c, stop, sums);
        c = stop;
    }
    add_keys(run, q, last * CHUNK, end, sums);
}

/* Adds to m[k], for k < n, the sum over the keys of weight K t^k. The kernel K is the polynomial p of |t|, and sums[k]
 * is the sum of weight t^k. `negative`: t is negative for all these keys, so |t|^j = (-1)^j t^j. */
static void weigh_sums(const polynomial *p, bool negative, const double *sums, int n, double *m)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j <= p->degree; j++)
            m[k] += (negative && j % 2 ? -p->c[j] : p->c[j]) * sums[j + k];
}

static void add_side(const windows_run *run, double q, int64_t begin, int64_t end, bool negative,
                     heed__np_sorted_moments *m)
{
    double sums[3][SUMS] = {{0}};
    const int p = run->job->smoother->degree;
    add_key_range(run, q, begin, end, sums);
    weigh_sums(&run->kernel, negative, sums[0], 2 * p + 1, m->s);
    weigh_sums(&run->kernel, negative, sums[1], p + 1, m->t);
    if (run->job->requested->derivatives) {
        weigh_sums(&run->slope, negative, sums[0], 2 * p + 1, m->ds);
        weigh_sums(&run->slope, negative, sums[1], p + 1, m->dt);
    }
    if (run->families > 2)
        weigh_sums(&run->square, negative, sums[2], 2 * p + 1, m->v);
}

static void sum_windows(int64_t begin, int64_t end, void *context)
{
    const windows_run *run = context;
    const heed__np_data *data = run->job->smoother->data;
    for (int64_t i = begin; i < end; i++) {
        const double q = heed__np_sorted_query(run->job, i);
        /* all kernels but the uniform one are 0 at low and at high */
        const double low = q - run->reach, high = q + run->reach;
        const bool uniform = run->kernel.degree == 0;
        const int64_t from = uniform ? heed__np_first_from(data, low) : heed__np_first_above(data, low);
        const int64_t to = uniform ? heed__np_first_above(data, high) : heed__np_first_from(data, high);
        const int64_t middle = run->split ? heed__np_first_from(data, q) : from;
        heed__np_sorted_moments m = {0};
        if (!isinf(run->reach) ||
            /* if windows contain all keys, but q is outside of the keys' range, the fit is computed directly */
            (q >= data->x[0] && q <= data->x[data->keys - 1])) {
            add_side(run, q, from, middle, true, &m);
            add_side(run, q, middle, to, false, &m);
        }
        heed__np_sorted_solve(run->job, i, &m);
    }
}

/* -- All windows --------------------------------------------------------------------------------------------------- */

static void prepare_windows(windows_run *run)
{
    const heed__np_smoother *s = run->job->smoother;
    const int p = s->degree;
    const double unit = run->job->unit;
    run->kernel = kernel_of(s->kernel);
    rescale_polynomial(&run->kernel, unit / s->h[0]);
    run->slope = slope_polynomial(&run->kernel);
    run->square = square_of(s->kernel, &run->kernel);
    run->reach = unit != s->h[0] ? (double)INFINITY : s->h[0];
    run->split = s->kernel == HEED_NW_TRIANGULAR || s->kernel == HEED_NW_TRICUBE;
    run->families = run->job->requested->variances ? 3 : 2;
    run->counts[0] = run->kernel.degree + 2 * p + 1;
    run->counts[1] = run->kernel.degree + p + 1;
    run->counts[2] = run->square.degree + 2 * p + 1;
    for (int f = 0; f < run->families; f++)
        run->stride += run->counts[f];
}

bool heed__np_window_sums(heed__np_sorted_job *job)
{
    windows_run run = {.job = job};
    prepare_windows(&run);
    run.chunks = heed__ceil_div(job->smoother->data->keys, CHUNK);
    const size_t chunks = (size_t)run.chunks, index_bytes = (3 * chunks + 1) * sizeof(double);
    const size_t sums = 2 * chunks * (size_t)run.stride * sizeof(total);
    run.middles = heed_alloc(index_bytes);
    run.before = run.middles ? heed_alloc(sums) : NULL;
    if (run.before) {
        run.first = (int64_t *)(void *)(run.middles + chunks);
        run.box_of = run.first + chunks + 1;
        cut_window_boxes(&run);
        heed__parallel_for(run.boxes, 1, heed__ceil_div(run.chunks, run.boxes) * CHUNK * run.stride, fill_boxes, &run);
        heed__parallel_for(job->n, QUERIES, 64 * run.stride, sum_windows, &run);
    }
    heed_free(run.before, sums);
    heed_free(run.middles, index_bytes);
    return run.before != NULL;
}
