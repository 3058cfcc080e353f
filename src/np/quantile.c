/* np/quantile.c - conditional quantiles: the weighted quantile of the rows around a query, or a plane fitted to them by
 * quantile regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "np/check_loss.h"
#include "np/fit.h"

static const char where[] = "np_quantile";

typedef struct row_value {
    double y, w;
    int64_t row;
} row_value;

typedef struct quantile_run {
    const heed_np *fit;
    double level;
    const double *x; /* (columns, n) */
    int64_t n;
    const int64_t *rows; /* indices of the rows, sorted by y */
    double *out;         /* (n) */
} quantile_run;

/* -- A query ------------------------------------------------------------------------------------------------------- */

/* Memory of one thread. */
typedef struct quantile_work {
    heed__np_visible_keys visible;
    row_value *values; /* (rows) */
    double *a, *y;     /* (powers, rows), (rows) */
    double *rest;
    int64_t n;
} quantile_work;

static quantile_work quantile_work_in(const heed__np_smoother *s, arena *a)
{
    const int64_t rows = s->data->rows, powers = s->degree == 0 ? 1 : 1 + s->data->smooth;
    quantile_work work = {.visible = heed__np_visible_keys_in(s->data, a)};
    work.values = take_array(a, rows, sizeof *work.values);
    work.y = take_array(a, rows, sizeof *work.y);
    work.a = take_array(a, powers * rows, sizeof *work.a);
    work.rest = take_array(a, HEED__NP_CHECK_ARRAYS * rows, sizeof *work.rest);
    return work;
}

/* Stores the rows visible from q in work->values, sorted by y, with weights that add up to 1. */
static void collect_rows(const quantile_run *run, const heed__np_query *q, quantile_work *work)
{
    const heed__np_data *data = &run->fit->data;
    const heed__np_visible_keys *visible = &work->visible;
    double total = 0, *of_weight = visible->scratch; /* (keys): weight for q of a row with w = 1 */
    heed__np_weigh(&run->fit->smoother, q, &work->visible);
    for (int64_t i = 0; i < visible->n; i++)
        total += visible->w[i];
    memset(of_weight, 0, (size_t)data->keys * sizeof *of_weight);
    for (int64_t i = 0; i < visible->n; i++)
        of_weight[visible->key[i]] = visible->w[i] / total / data->w[visible->key[i]];
    work->n = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        const int64_t row = run->rows[i];
        const double w = of_weight[data->key_of[row]] * data->row_w[row];
        if (w > 0)
            work->values[work->n++] = (row_value){data->row_y[row], w, row};
    }
}

/* Returns the smallest y for which the rows up to it have at least the share `level` of the weight. */
static double of_values(const row_value *values, int64_t n, double level)
{
    double below = 0;
    int64_t i = 0;
    while (i < n - 1 && (below += values[i].w) < level * (1 - 1e-12))
        i++;
    return values[i].y;
}

/* Computes a coordinate from a column, with the weighted mean at 0 and the farthest row at distance 1. Writes the
 * coordinates of the rows, multiplied by their weights, to `a`. Returns the coordinate of q. */
static double lay_coordinate(const heed__np_data *data, int column, double q, const quantile_work *work, double *a)
{
    const double *x = data->x + column * data->keys;
    double middle = 0, farthest = 0;
    for (int64_t i = 0; i < work->n; i++)
        middle += work->values[i].w * (x[data->key_of[work->values[i].row]] / 4); /* prevents overflow */
    for (int64_t i = 0; i < work->n; i++) {
        a[i] = x[data->key_of[work->values[i].row]] / 4 - middle;
        farthest = fmax(farthest, fabs(a[i]));
    }
    farthest = farthest > 0 ? farthest : 1;
    for (int64_t i = 0; i < work->n; i++)
        a[i] *= work->values[i].w / farthest;
    return (q / 4 - middle) / farthest;
}

/* Returns the value at q of the plane with the smallest check loss. */
static double of_plane(const quantile_run *run, const heed__np_query *q, quantile_work *work)
{
    const heed__np_data *data = &run->fit->data;
    double middle = 0, unit = 0, at[HEED__NP_CHECK_POWERS] = {1}, beta[HEED__NP_CHECK_POWERS];
    for (int64_t i = 0; i < work->n; i++)
        middle += work->values[i].w * work->values[i].y;
    for (int64_t i = 0; i < work->n; i++)
        unit += work->values[i].w * fabs(work->values[i].y - middle);
    if (!(unit > 0))
        return middle;
    for (int64_t i = 0; i < work->n; i++) {
        work->a[i] = work->values[i].w;
        work->y[i] = work->values[i].w * ((work->values[i].y - middle) / unit);
    }
    int powers = 1;
    for (int c = 0; c < data->columns; c++)
        if (data->kinds[c] == HEED_NP_CONTINUOUS) {
            at[powers] = lay_coordinate(data, c, q->x[c], work, work->a + powers * work->n);
            powers++;
        }
    const heed__np_check_loss loss = {
        .n = work->n, .powers = powers, .level = run->level, .a = work->a, .y = work->y, .work = work->rest};
    heed__np_minimise_check(&loss, beta);
    double value = 0;
    for (int k = 0; k < powers; k++)
        value += at[k] * beta[k];
    return middle + unit * value;
}

static void find_quantiles(int64_t begin, int64_t end, char *memory, void *context)
{
    const quantile_run *run = context;
    const heed__np_smoother *s = &run->fit->smoother;
    quantile_work work = quantile_work_in(s, &(arena){.base = memory});
    for (int64_t i = begin; i < end; i++) {
        const heed__np_query q = heed__np_query_at(s->data, run->x, run->n, i);
        collect_rows(run, &q, &work);
        if (work.n == 0)
            run->out[i] = (double)NAN;
        else
            run->out[i] =
                s->data->unit * (s->degree > 0 ? of_plane(run, &q, &work) : of_values(work.values, work.n, run->level));
    }
}

/* -- The function -------------------------------------------------------------------------------------------------- */

static bool check(const heed_np *fit, double level)
{
    if (!heed__np_check_regression(where, fit))
        return false;
    if (!(level > 0 && level < 1))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "level is %g: must be above 0 and below 1", level);
    return fit->smoother.degree <= 1 ||
           heed_fail_false(HEED_ERR_UNSUPPORTED, where, "degree is %d: must be 0 or 1", fit->smoother.degree);
}

static heed_tensor *find_all(const heed_np *fit, heed_tensor *x, double level)
{
    quantile_run run = {.fit = fit, .level = level};
    const heed__np_data *data = &fit->data;
    run.x = heed__np_queries(where, data, x, &run.n);
    heed_tensor *y = run.x ? heed_from_values(HEED_F64, HEED_SHAPE(data->rows), data->row_y, data->rows) : NULL;
    heed_tensor *rows = heed_argsort(y, 0, false), *quantiles = heed__tensor_new(where, HEED_F64, &HEED_SHAPE(run.n));
    if (!rows || !quantiles)
        return NULL;
    run.rows = (const int64_t *)(const void *)rows->data;
    run.out = (double *)(void *)quantiles->data;
    arena counted = {.base = NULL};
    (void)quantile_work_in(&fit->smoother, &counted);
    const bool good = heed__parallel_for_scratch(where, run.n, 1, data->rows * 64, counted.bytes, find_quantiles, &run);
    return good ? quantiles : NULL;
}

heed_tensor *heed_np_quantile(const heed_np *fit, heed_tensor *x, double level)
{
    HEED_ENTER(where);
    heed_scope *scope = check(fit, level) ? heed_scope_begin() : NULL;
    return scope ? heed_scope_return(scope, find_all(fit, x, level)) : NULL;
}
