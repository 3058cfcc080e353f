/* np/criterion.c - how well bandwidths do: CV.LS, AICc, GCV, and their derivatives by theta.
 *
 * With residuals e_i = y_i - m_i and shares H_ii = w_i own, leaving out row i gives r_i = e_i / (1 - H_ii), and
 *     dr_i = (-dm_i + r_i dH_ii) / (1 - H_ii)
 * Where 1 - H_ii is small, it has few digits: there the row is left out in fact.
 */

#include <float.h>
#include <math.h>

#include "core/parallel.h"
#include "np/np.h"

static const char where[] = "np_fit";

/* Below, the digits that 1 - H_ii has lost would show. */
#define LEAST_REST 1e-3

/* What rows add up to, in blocks of them. */
typedef struct sums {
    double squares, trace;
    double d_squares[HEED_NP_MAX_COLUMNS], d_trace[HEED_NP_MAX_COLUMNS];
} sums;

typedef struct criterion_run {
    const heed__np_smoother *smoother;
    heed_np_criterion criterion;
    heed__np_wanted wanted;
    const heed__np_locals *locals;
    sums *blocks;
} criterion_run;

enum { BLOCK_ROWS = 1024 };

/* y_i less the fit of all other rows, and its derivatives. Infinite where that fit sees none. */
static double leave_out(const criterion_run *run, int64_t row, char *scratch, double *slopes)
{
    const heed__np_smoother *s = run->smoother;
    const heed__np_data *data = s->data;
    heed__np_query q = heed__np_query_of_key(data, data->key_of[row]);
    const double rest = q.own_w - data->row_w[row];
    q.own_w = rest > 1e-12 * q.own_w ? rest : 0;
    if (q.own_w > 0)
        q.own_y += (q.own_y - data->row_y[row]) * (data->row_w[row] / rest);
    _Alignas(heed__np_local) char room[HEED__NP_LOCAL_SIZE(HEED_NP_MAX_COLUMNS)];
    heed__np_local *local = (heed__np_local *)(void *)room;
    heed__np_direct(s, &q, &run->wanted, scratch, local);
    for (int c = 0; c < data->columns; c++)
        slopes[c] = -local->by[c].d_mean;
    return local->sees_none ? (double)INFINITY : data->row_y[row] - local->mean;
}

static void add_row(const criterion_run *run, int64_t row, char *scratch, sums *to)
{
    const heed__np_data *data = run->smoother->data;
    const heed__np_local *local = heed__np_local_at(run->locals, data->key_of[row]);
    const double w = data->row_w[row], share = w * local->own, rest = 1 - share;
    double residual = local->sees_none ? (double)INFINITY : data->row_y[row] - local->mean;
    double slopes[HEED_NP_MAX_COLUMNS] = {0};
    if (w == 0)
        return;
    const bool leaves_out = run->criterion == HEED_NP_CV_LS;
    if (leaves_out && rest < LEAST_REST) {
        residual = leave_out(run, row, scratch, slopes);
    } else {
        if (leaves_out)
            residual /= rest;
        for (int c = 0; c < data->columns; c++)
            slopes[c] =
                leaves_out ? (residual * w * local->by[c].d_own - local->by[c].d_mean) / rest : -local->by[c].d_mean;
    }
    to->squares += w * residual * residual;
    to->trace += share;
    for (int c = 0; c < data->columns; c++) {
        to->d_squares[c] += 2 * w * residual * slopes[c];
        to->d_trace[c] += w * local->by[c].d_own;
    }
}

static void add_block(int64_t begin, int64_t end, char *scratch, void *context)
{
    const criterion_run *run = context;
    const int64_t rows = run->smoother->data->rows;
    for (int64_t block = begin; block < end; block++) {
        sums *to = &run->blocks[block];
        *to = (sums){0};
        for (int64_t row = block * BLOCK_ROWS; row < rows && row < (block + 1) * BLOCK_ROWS; row++)
            add_row(run, row, scratch, to);
    }
}

static void add(sums *to, const sums *from)
{
    to->squares += from->squares;
    to->trace += from->trace;
    for (int c = 0; c < HEED_NP_MAX_COLUMNS; c++) {
        to->d_squares[c] += from->d_squares[c];
        to->d_trace[c] += from->d_trace[c];
    }
}

/* n ln terms and such of the sums. */
static heed__np_value value_of(heed_np_criterion criterion, const sums *of, double n, int columns)
{
    heed__np_value v = {.value = of->squares / n};
    const double rest = criterion == HEED_NP_GCV ? 1 - of->trace / n : 1 - (of->trace + 2) / n, least = 1e-8;
    if (criterion == HEED_NP_AICC)
        v.value = rest > least ? log(of->squares / n) + (1 + of->trace / n) / rest : (double)INFINITY;
    if (criterion == HEED_NP_GCV)
        v.value = rest > least ? of->squares / n / (rest * rest) : (double)INFINITY;
    for (int c = 0; c < columns; c++) {
        const double squares = of->d_squares[c], trace = of->d_trace[c] / n;
        if (criterion == HEED_NP_CV_LS)
            v.slopes[c] = squares / n;
        else if (criterion == HEED_NP_AICC)
            v.slopes[c] = squares / of->squares + trace / rest + (1 + of->trace / n) * trace / (rest * rest);
        else
            v.slopes[c] = (squares / n + 2 * of->squares / n * trace / rest) / (rest * rest);
    }
    return v;
}

double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value)
{
    return criterion == HEED_NP_AICC ? value + 2 * log(data->unit) : value * data->unit * data->unit;
}

bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out)
{
    const heed__np_data *data = s->data;
    criterion_run run = {
        .smoother = s, .criterion = criterion, .wanted = {.derivatives = derivatives}, .locals = locals};
    const int64_t blocks = heed__ceil_div(data->rows, BLOCK_ROWS);
    if (!heed__np_fit_at(s, NULL, 0, &run.wanted, locals))
        return false;
    run.blocks = heed_alloc((size_t)blocks * sizeof *run.blocks);
    const bool good = run.blocks && heed__parallel_for_scratch(where, blocks, 1, BLOCK_ROWS * 32,
                                                               heed__np_direct_scratch(s), add_block, &run);
    sums all = {0};
    for (int64_t b = 0; good && b < blocks; b++)
        add(&all, &run.blocks[b]);
    heed_free(run.blocks, (size_t)blocks * sizeof *run.blocks);
    *out = value_of(criterion, &all, data->total, data->columns);
    return good;
}
