/* np/bootstrap.c - bootstrap: fits at queries of resampled rows.
 *
 * HEED_NP_WILD: the rows keep their x and get y*_i = m_i + s_i e_i / (1 - H_ii) with the residual e_i and a random sign
 * s_i (R. Davidson, E. Flachaire 2008). The fit is linear in y, so one matrix product gives many draws. HEED_NP_PAIRS:
 * n of the n rows are drawn with replacement; the number of times that a row is drawn becomes a factor of its weight.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <heed/shards.h>

#include "kernels/philox.h"
#include "np/fit.h"

static const char where[] = "np_bootstrap";

enum { DRAWS = 999, ROWS_AT_ONCE = 1 << 22, VALUES_AT_ONCE = 1 << 20 };

typedef struct bootstrap_run {
    const heed_np *fit;
    uint64_t seed;
    const double *x;         /* (columns, n) */
    int64_t n, first, draws; /* number of queries; index of the first draw; number of draws */
    double *out;             /* (draws, n) */
} bootstrap_run;

/* Writes the random words 2 i and 2 i + 1 of draw `draw`. */
static void draw_words(uint64_t seed, int64_t draw, int64_t i, uint64_t words[2])
{
    const uint64_t at = (uint64_t)i;
    const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32), (uint32_t)draw, 0x6e70};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t out[4];
    heed__philox(counter, key, out);
    words[0] = (uint64_t)out[0] << 32 | out[1];
    words[1] = (uint64_t)out[2] << 32 | out[3];
}

/* -- Wild ---------------------------------------------------------------------------------------------------------- */

void heed__np_draw_values(const heed__np_data *data, uint64_t seed, int64_t draw, const double *errors, double *values)
{
    uint64_t words[2] = {0};
    for (int64_t i = 0; i < data->rows; i++) {
        if (i % 128 == 0)
            draw_words(seed, draw, i / 128, words);
        const uint64_t bit = words[i / 64 % 2] >> (i % 64) & 1;
        values[data->key_of[i]] += bit ? errors[i] : -errors[i];
    }
}

/* Writes the values y* of a draw to values (keys). */
static void draw_values(const bootstrap_run *run, const double *errors, int64_t draw, double *values)
{
    const heed__np_data *data = &run->fit->data;
    for (int64_t k = 0; k < data->keys; k++)
        /* at weight 0 the fit may be undefined */
        values[k] = data->w[k] > 0 ? heed__np_local_at(&run->fit->locals, k)->mean : 0;
    heed__np_draw_values(data, run->seed, draw, errors, values);
}

/* Computes the fits at some queries for draws `draw` to `draw + draws - 1`, the product of the draws' y* and `rows`,
 * and stores them in run->out. */
static bool multiply_draws(const bootstrap_run *run, heed_tensor *rows, const double *errors, int64_t query,
                           int64_t draw, int64_t draws)
{
    const int64_t keys = run->fit->data.keys, queries = heed_dim(rows, 0);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *values = scope ? heed_zeros(HEED_F64, HEED_SHAPE(draws, keys)) : NULL;
    for (int64_t d = 0; values && d < draws; d++)
        draw_values(run, errors, run->first + draw + d, heed__np_numbers(values) + d * keys);
    heed_tensor *fits = heed_contiguous(heed_matmul(values, heed_transpose(rows, 0, 1)));
    for (int64_t d = 0; fits && d < draws; d++)
        memcpy(run->out + (draw + d) * run->n + query, heed__np_numbers(fits) + d * queries,
               (size_t)queries * sizeof(double));
    heed_scope_end(scope);
    return fits != NULL;
}

/* Makes all draws at queries `query` to `query + queries - 1`. */
static bool draw_wild_at(const bootstrap_run *run, const double *errors, int64_t query, int64_t queries)
{
    const int64_t keys = run->fit->data.keys, most = 1 + VALUES_AT_ONCE / keys;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *rows = scope ? heed_zeros(HEED_F64, HEED_SHAPE(queries, keys)) : NULL;
    const heed__np_query_range at = {run->x, run->n, query, queries};
    bool good = rows && heed__np_rows_at(&run->fit->smoother, &at, -1, heed__np_numbers(rows));
    for (int64_t d = 0; good && d < run->draws; d += most)
        good = multiply_draws(run, rows, errors, query, d, run->draws - d < most ? run->draws - d : most);
    heed_scope_end(scope);
    return good;
}

static bool draw_wild(const bootstrap_run *run)
{
    const heed__np_data *data = &run->fit->data;
    const int64_t most = 1 + ROWS_AT_ONCE / data->keys;
    const size_t bytes = (size_t)data->rows * sizeof(double);
    double *errors = heed_alloc(bytes);
    bool good = errors && heed__np_find_errors(where, run->fit, errors);
    for (int64_t q = 0; good && q < run->n; q += most)
        good = draw_wild_at(run, errors, q, run->n - q < most ? run->n - q : most);
    heed_free(errors, bytes);
    return good;
}

/* -- Pairs --------------------------------------------------------------------------------------------------------- */

/* Writes to counts[i] how often row i occurs in a draw. */
static void draw_counts(const bootstrap_run *run, int64_t draw, double *counts)
{
    const int64_t rows = run->fit->data.rows;
    memset(counts, 0, (size_t)rows * sizeof *counts);
    uint64_t words[2] = {0};
    for (int64_t i = 0; i < rows; i++) {
        if (i % 2 == 0)
            draw_words(run->seed, draw, i / 2, words);
        counts[(int64_t)((double)(words[i % 2] >> 11) * 0x1p-53 * (double)rows)]++;
    }
}

static bool draw_pairs_of(const bootstrap_run *run, heed__np_data *data, double *counts, const heed__np_locals *locals)
{
    heed__np_smoother smoother = run->fit->smoother;
    smoother.data = data;
    for (int64_t d = 0; d < run->draws; d++) {
        draw_counts(run, run->first + d, counts);
        heed__np_draw(data, counts); /* `nearest` is a share of these weights, which exclude the robust weights */
        for (int64_t i = 0; i < data->rows; i++)
            counts[i] *= run->fit->robust_weights[i];
        heed__np_reweigh(data, counts);
        if (!heed__np_fit_at(&smoother, run->x, run->n, &(heed__np_requested){0}, locals))
            return false;
        for (int64_t i = 0; i < run->n; i++)
            run->out[d * run->n + i] = run->fit->is_density ? heed__np_density(&smoother, heed__np_local_at(locals, i))
                                                            : heed__np_local_at(locals, i)->mean;
    }
    return true;
}

static bool draw_pairs(const bootstrap_run *run)
{
    const heed_np *fit = run->fit;
    const size_t bytes = (size_t)fit->data.rows * sizeof(double);
    heed__np_data data;
    if (!heed__np_copy(&fit->data, &data))
        return false;
    heed__np_locals locals = {0};
    double *counts = heed_alloc(bytes);
    const bool good =
        counts && heed__np_locals_new(&locals, data.columns, run->n) && draw_pairs_of(run, &data, counts, &locals);
    heed__np_locals_free(&locals);
    heed_free(counts, bytes);
    heed__np_data_free(&data);
    return good;
}

/* -- The function -------------------------------------------------------------------------------------------------- */

static bool check_bootstrap(const heed_np *fit, const heed_np_bootstrap_options *o)
{
    if (!heed__np_check_curve(where, fit))
        return false;
    if ((int)o->resampling < HEED_NP_WILD || o->resampling > HEED_NP_PAIRS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "resampling must be HEED_NP_WILD or HEED_NP_PAIRS, not %d",
                               (int)o->resampling);
    if (o->draws < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "draws is %d: must not be negative", o->draws);
    return o->resampling != HEED_NP_WILD || heed__np_check_regression(where, fit);
}

/* Returns draws `begin` to `end - 1` as (draws, n), or NULL after heed_fail. */
static heed_tensor *draw_some(bootstrap_run run, heed_np_resampling resampling, int64_t begin, int64_t end)
{
    run.first = begin;
    run.draws = end - begin;
    heed_tensor *draws = heed__tensor_new(where, HEED_F64, &HEED_SHAPE(run.draws, run.n));
    if (!draws)
        return NULL;
    run.out = heed__np_numbers(draws);
    if (!(resampling == HEED_NP_WILD ? draw_wild(&run) : draw_pairs(&run)))
        return NULL;
    for (int64_t i = 0; i < run.draws * run.n; i++)
        run.out[i] *= run.fit->data.unit;
    return draws;
}

/* Every process makes a share of the draws and receives all of them. */
static heed_tensor *draw_in_team(const bootstrap_run *run, const heed_np_bootstrap_options *o)
{
    int64_t begin, end;
    heed_shards *pass = heed_shards_new(o->comm, run->draws, 0);
    bool good = pass != NULL;
    while (good && heed_shards_next(pass, &begin, &end)) {
        heed_tensor *some = draw_some(*run, o->resampling, begin, end);
        good = some && heed_shards_put(pass, &some, 1) == HEED_OK;
    }
    heed_tensor *all = NULL;
    if (good)
        (void)heed_shards_gather(pass, &all, 1);
    heed_shards_free(pass);
    return all;
}

static heed_tensor *draw_bootstrap(const heed_np *fit, heed_tensor *x, const heed_np_bootstrap_options *o)
{
    bootstrap_run run = {.fit = fit, .seed = o->seed, .draws = o->draws ? o->draws : DRAWS};
    run.x = heed__np_queries(where, &fit->data, x, &run.n);
    if (!run.x)
        return NULL;
    return o->comm ? draw_in_team(&run, o) : draw_some(run, o->resampling, 0, run.draws);
}

heed_tensor *heed_np_bootstrap(const heed_np *fit, heed_tensor *x, const heed_np_bootstrap_options *options)
{
    HEED_ENTER(where);
    const heed_np_bootstrap_options o = options ? *options : (heed_np_bootstrap_options){0};
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    return heed_scope_return(scope, check_bootstrap(fit, &o) ? draw_bootstrap(fit, x, &o) : NULL);
}
