/* np/bands.c - bands that hold at all queries at once.
 *
 * With errors s_k e_k of the keys' values, e normal, the fit at query q is off by sum_k l_k(q) s_k e_k, a normal process over
 * the queries. The band is c standard errors wide, c being the quantile of the largest of |that / se(q)|, from draws.
 */

#include <math.h>

#include "core/parallel.h"
#include "np/fit.h"

static const char where[] = "np_predict";

enum { DRAWS = 10000, MOST_PARTS = 100 };

typedef struct rows_run {
    const heed__np_smoother *smoother;
    const double *x, *variances;
    int64_t n;
    double *rows;
} rows_run;

/* Rows l_k s_k / se, of norm 1; 0 where se is. */
static void find_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const rows_run *run = context;
    const int64_t keys = run->smoother->data->keys;
    for (int64_t i = begin; i < end; i++) {
        double *row = run->rows + i * keys, squares = 0;
        const heed__np_query q = heed__np_query_at(run->smoother->data, run->x, run->n, i);
        heed__np_direct_row(run->smoother, &q, scratch, row);
        for (int64_t k = 0; k < keys; k++) {
            row[k] *= sqrt(run->variances[k]);
            squares += row[k] * row[k];
        }
        for (int64_t k = 0; k < keys; k++)
            row[k] /= squares > 0 ? sqrt(squares) : 1;
    }
}

/* (draws): the largest over the queries in each. NULL after heed_fail. */
static heed_tensor *draw(heed_tensor *rows, heed_generator *generator, int64_t draws)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *errors = heed_generator_randn(generator, HEED_F64, HEED_SHAPE(heed_dim(rows, 1), draws));
    return heed_scope_return(scope, heed_max_axes(heed_abs(heed_matmul(rows, errors)), HEED_AXES(0), false));
}

/* (DRAWS). NULL after heed_fail. */
static heed_tensor *draw_all(heed_tensor *rows, uint64_t seed)
{
    heed_tensor *list[MOST_PARTS];
    const int parts =
        heed_dim(rows, 1) < 2048 ? MOST_PARTS / 25 : MOST_PARTS; /* of errors of many rows few fit in memory */
    heed_generator *generator = heed_generator_new(seed);
    bool good = generator != NULL;
    for (int i = 0; good && i < parts; i++)
        good = (list[i] = draw(rows, generator, DRAWS / parts)) != NULL;
    heed_generator_free(generator);
    return good ? heed_concat(list, parts, 0) : NULL;
}

static bool find_quantile(const rows_run *run, const heed_np_predict_options *o, double *quantile)
{
    const int64_t keys = run->smoother->data->keys;
    heed_tensor *rows = heed_zeros(HEED_F64, HEED_SHAPE(run->n, keys));
    if (!rows)
        return false;
    rows_run filled = *run;
    filled.rows = (double *)(void *)rows->data;
    if (!heed__parallel_for_scratch(where, run->n, 1, keys * 16, heed__np_direct_scratch(run->smoother), find_rows,
                                    &filled))
        return false;
    heed_tensor *sorted = heed_sort(draw_all(rows, o->seed));
    if (sorted)
        *quantile = ((const double *)(const void *)sorted->data)[(int64_t)((o->level > 0 ? o->level : 0.95) * DRAWS)];
    return sorted != NULL;
}

bool heed__np_simultaneous(const heed__np_smoother *smoother, const double *x, int64_t n, const double *variances,
                           const heed_np_predict_options *options, double *quantile)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    const rows_run run = {.smoother = smoother, .x = x, .variances = variances, .n = n};
    const bool good = find_quantile(&run, options, quantile);
    heed_scope_end(scope);
    return good;
}
