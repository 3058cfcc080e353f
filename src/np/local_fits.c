/* np/local_fits.c - fits at many queries, in parallel.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"
#include "np/sorted_sums.h"

static const char where[] = "np_fit";

bool heed__np_locals_new(heed__np_locals *locals, int columns, int64_t n)
{
    *locals = (heed__np_locals){.stride = HEED__NP_LOCAL_SIZE(columns)};
    if (__builtin_mul_overflow(locals->stride, (size_t)(n > 0 ? n : 1), &locals->size))
        return heed_fail_false(HEED_ERR_NOMEM, where, "cannot allocate %" PRId64 " queries", n);
    locals->block = heed_alloc(locals->size);
    return locals->block != NULL;
}

void heed__np_locals_free(heed__np_locals *locals)
{
    heed_free(locals->block, locals->size);
    *locals = (heed__np_locals){0};
}

typedef struct direct_run {
    const heed__np_smoother *smoother;
    const heed__np_requested *requested;
    const double *x; /* queries (columns, n); NULL if the keys are the queries */
    int64_t n;
    const heed__np_locals *out;
} direct_run;

/* Fits those queries whose fit the sums have not computed. */
static void run_direct(int64_t begin, int64_t end, char *scratch, void *context)
{
    const direct_run *run = context;
    const heed__np_data *data = run->smoother->data;
    for (int64_t i = begin; i < end; i++) {
        heed__np_local *out = heed__np_local_at(run->out, i);
        if (!isnan(out->mean))
            continue;
        const heed__np_query q = run->x ? heed__np_query_at(data, run->x, run->n, i) : heed__np_query_of_key(data, i);
        heed__np_direct(run->smoother, &q, run->requested, scratch, out);
    }
}

/* Computes the fits from sums if that is faster. If the sums are not accurate enough for a query, its fit is computed
 * directly. */
bool heed__np_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                     const heed__np_locals *out)
{
    direct_run run = {s, requested, x, x ? n : s->data->keys, out};
    for (int64_t i = 0; i < run.n; i++)
        heed__np_local_at(out, i)->mean = (double)NAN;
    const bool from_sums = s->degree > 0 || !requested->slopes; /* sums lack the derivative of the local constant */
    bool good = true;
    if (from_sums && heed__np_sorted_is_faster(s))
        good = heed__np_sorted_fit_at(s, x, n, requested, out);
    else if (from_sums && s->nearest == 0 && heed__np_blocks_supported(s))
        good = heed__np_blocks_fit_at(s, x, n, requested, out);
    if (!good)
        return false;
    const int64_t cost = s->data->keys * heed__np_powers(s->data->smooth, s->degree) * 8;
    return heed__parallel_for_scratch(where, run.n, 1, cost, heed__np_direct_scratch(s), run_direct, &run);
}

bool heed__np_fit_keys(const heed__np_smoother *s, const heed__np_locals *out)
{
    const heed__np_data *data = s->data;
    double *inverse = heed_alloc((size_t)data->keys * sizeof *inverse);
    if (!inverse)
        return false;
    for (int64_t k = 0; k < data->keys; k++)
        inverse[k] = data->w[k] > 0 ? 1 / data->w[k] : 0;
    const bool good = heed__np_fit_at(s, NULL, 0, &(heed__np_requested){.variances = inverse}, out);
    heed_free(inverse, (size_t)data->keys * sizeof *inverse);
    return good;
}

typedef struct rows_run {
    const heed__np_smoother *smoother;
    const heed__np_query_range *at;
    int slope;
    double *rows;
} rows_run;

static void find_direct_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const rows_run *run = context;
    const heed__np_data *data = run->smoother->data;
    for (int64_t i = begin; i < end; i++) {
        const heed__np_query q = heed__np_query_at(data, run->at->x, run->at->n, run->at->first + i);
        heed__np_direct_row(run->smoother, &q, run->slope, scratch, run->rows + i * data->keys);
    }
}

bool heed__np_rows_at(const heed__np_smoother *s, const heed__np_query_range *at, int slope, double *rows)
{
    rows_run run = {s, at, slope, rows};
    return heed__parallel_for_scratch(where, at->count, 1, s->data->keys * 16, heed__np_direct_scratch(s),
                                      find_direct_rows, &run);
}
