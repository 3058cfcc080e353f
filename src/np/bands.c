/* np/bands.c - simultaneous bands: they hold at all queries at once.
 *
 * Let the value of key k have the error s_k e_k with the standard deviation s_k and independent standard normal numbers
 * e_k. The error of the fit at query q is then e(q) = sum_k l_k(q) s_k e_k; l_k(q) is the weight of key k in the fit.
 * The band extends c standard errors to either side of the fit. c is a quantile of the maximum of |e(q) / se(q)| over
 * all queries, which is estimated from random draws of e.
 */

#include <math.h>

#include "np/fit.h"

enum { DRAWS = 10000, MOST_CHUNKS = 100 };

/* Replaces the l_k of a query by l_k s_k / se, a row of norm 1. Sets the row to 0 if se is 0 or undefined, so that it
 * does not affect the maximum. */
static void normalise(int64_t keys, const double *variances, double *row)
{
    double squares = 0;
    for (int64_t k = 0; k < keys; k++) {
        row[k] *= sqrt(variances[k]);
        squares += row[k] * row[k];
    }
    for (int64_t k = 0; k < keys; k++)
        row[k] = squares > 0 ? row[k] / sqrt(squares) : 0;
}

/* Returns (draws): for every draw, the maximum over the queries. Returns NULL after heed_fail. */
static heed_tensor *draw(heed_tensor *rows, heed_generator *generator, int64_t draws)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *errors = heed_generator_randn(generator, HEED_F64, HEED_SHAPE(heed_dim(rows, 1), draws));
    return heed_scope_return(scope, heed_max_axes(heed_abs(heed_matmul(rows, errors)), HEED_AXES(0), false));
}

/* Returns (DRAWS): for every draw, the maximum over the queries. Returns NULL after heed_fail. */
static heed_tensor *draw_all(heed_tensor *rows, uint64_t seed)
{
    heed_tensor *list[MOST_CHUNKS];
    const int chunks =
        /* more keys need more memory per draw, so chunks have fewer draws */
        heed_dim(rows, 1) < 2048 ? MOST_CHUNKS / 25 : MOST_CHUNKS;
    heed_generator *generator = heed_generator_new(seed);
    bool good = generator != NULL;
    for (int i = 0; good && i < chunks; i++)
        good = (list[i] = draw(rows, generator, DRAWS / chunks)) != NULL;
    heed_generator_free(generator);
    return good ? heed_concat(list, chunks, 0) : NULL;
}

static heed_tensor *rows_at(const heed__np_smoother *smoother, const double *x, int64_t n, const double *variances)
{
    const int64_t keys = smoother->data->keys;
    heed_tensor *rows = heed_zeros(HEED_F64, HEED_SHAPE(n, keys));
    double *all = rows ? (double *)(void *)rows->data : NULL;
    if (!rows || !heed__np_rows_at(smoother, &(heed__np_query_range){x, n, 0, n}, -1, all))
        return NULL;
    for (int64_t i = 0; i < n; i++)
        normalise(keys, variances, all + i * keys);
    return rows;
}

bool heed__np_simultaneous(const heed__np_smoother *smoother, const double *x, int64_t n, const double *variances,
                           const heed_np_predict_options *o, double *quantile)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed_tensor *rows = rows_at(smoother, x, n, variances);
    heed_tensor *sorted = rows ? heed_sort(draw_all(rows, o->seed)) : NULL;
    if (sorted)
        *quantile = ((const double *)(const void *)sorted->data)[(int64_t)((o->level > 0 ? o->level : 0.95) * DRAWS)];
    heed_scope_end(scope);
    return sorted != NULL;
}
