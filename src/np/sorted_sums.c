/* np/sorted_sums.c - fits of one continuous column from sums of powers, and the decision whether this is faster.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/sorted_sums.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"

/* Packs the lower triangle of the matrix with elements sums[j + k], row by row. */
static void pack_sums(int n, const double *sums, double *packed)
{
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++)
            *packed++ = sums[j + k];
}

void heed__np_sorted_solve(const heed__np_sorted_job *job, int64_t i, const heed__np_sorted_moments *m)
{
    enum { PACKED = HEED__NP_T * (HEED__NP_T + 1) / 2 };
    const int n = job->smoother->degree + 1;
    double s[PACKED], v[PACKED], ds[PACKED + HEED__NP_T];
    pack_sums(n, m->s, s);
    pack_sums(n, m->v, v);
    pack_sums(n, m->ds, ds);
    memcpy(ds + n * (n + 1) / 2, m->dt, (size_t)n * sizeof *ds);
    const heed__np_moments sums = {.powers = n,
                                   .slopes = 1,
                                   .s = s,
                                   .t = m->t,
                                   .v = v,
                                   .changes = ds,
                                   .least_square = job->least_square,
                                   .units = &job->unit};
    heed__np_solve(&sums, job->smoother, heed__np_local_at(job->out, i));
}

/* -- Whether it pays, and the fits --------------------------------------------------------------------------------- */

/* If windows contain fewer than MANY_KEYS keys on average, summing key by key is faster. The average is estimated from
 * SAMPLES queries. */
enum { MANY_KEYS = 600, SAMPLES = 64 };

bool heed__np_sorted_is_faster(const heed__np_smoother *s)
{
    const heed__np_data *data = s->data;
    if (!data->sorted || s->nearest > 0 || data->keys < MANY_KEYS)
        return false;
    const double reach = s->h[0] * (s->kernel == HEED_NW_GAUSSIAN ? sqrt(2 * HEED__NP_FAR) : 1);
    int64_t visible = 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const double q = data->x[i * data->keys / SAMPLES];
        visible += heed__np_first_from(data, q + reach) - heed__np_first_from(data, q - reach);
    }
    return visible > SAMPLES * MANY_KEYS;
}

static bool weigh_values(heed__np_sorted_job *job)
{
    const heed__np_data *data = job->smoother->data;
    const double *v = job->requested->variances;
    job->wy = heed_alloc((size_t)data->keys * 2 * sizeof *job->wy);
    if (!job->wy)
        return false;
    job->wwv = job->wy + data->keys;
    for (int64_t k = 0; k < data->keys; k++) {
        job->wy[k] = data->w[k] * data->y[k];
        job->wwv[k] = v ? data->w[k] * data->w[k] * v[k] : 0;
    }
    return true;
}

bool heed__np_sorted_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out)
{
    const heed__np_data *data = s->data;
    heed__np_sorted_job job = {.smoother = s, .requested = requested, .x = x, .n = x ? n : data->keys, .out = out};
    const bool gauss = s->kernel == HEED_NW_GAUSSIAN, wide = s->h[0] >= data->range[0] * (gauss ? sqrt(0.5) : 1);
    job.unit = wide ? data->range[0] : s->h[0];
    if (!weigh_values(&job))
        return false;
    job.least_square = gauss && !wide ? 1e-5 : 0;
    bool good = gauss && !wide ? heed__np_fast_gauss(&job) : heed__np_window_sums(&job);
    heed_free(job.wy, (size_t)data->keys * 2 * sizeof *job.wy);
    return good;
}
