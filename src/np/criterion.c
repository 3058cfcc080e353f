/* np/criterion.c - criteria for bandwidths: CV.LS, AICc, GCV and the likelihood, with their derivatives with respect to
 * theta.
 *
 * Let e_i = y_i - m_i be the residual of row i, and H_ii = w_i own the share of y_i in m_i. The residual of row i from
 * a fit without this row is r_i = e_i / (1 - H_ii), with the derivative
 *     dr_i = (-dm_i + r_i dH_ii) / (1 - H_ii)
 * For a density, let S = sum_j w_j K_j at row i. Without the row's own term, ln S becomes ln S + ln(1 - H_ii). If 1 -
 * H_ii is small, it has few accurate digits, so a fit without the row is computed instead.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "core/parallel.h"
#include "np/search.h"

static const char where[] = "np_fit";

/* Sums over the rows of a block. */
typedef struct sums {
    double terms, trace; /* sum of w times the squared residual or -ln f; sum of H_ii */
    int64_t isolated;
    double d_terms[HEED_NP_MAX_COLUMNS], d_trace[HEED_NP_MAX_COLUMNS];
} sums;

typedef struct criterion_run {
    const heed__np_smoother *smoother;
    heed_np_criterion criterion;
    heed__np_requested requested;
    const heed__np_locals *locals;
    sums *blocks;
} criterion_run;

enum { BLOCK_ROWS = 1024 };

/* The fit from which the term of a row is computed. */
typedef struct row_fit {
    int64_t row;
    const heed__np_local *at; /* the fit of all rows, or if `divisor` would have too few digits, of all other rows */
    double divisor;           /* 1 - H_ii if the row must be left out of `at`, else 1 */
} row_fit;

/* Returns e_i^2, or (e_i / (1 - H_ii))^2 for CV.LS; infinity if no row is visible. Writes the derivatives with respect
 * to theta to `slopes`. */
static double squared_residual(const heed__np_data *data, const row_fit *f, double *slopes)
{
    const heed__np_local *at = f->at;
    const double divisor = f->divisor, w = data->row_w[f->row];
    const double residual = at->has_no_keys ? (double)INFINITY : (data->row_y[f->row] - at->mean) / divisor;
    for (int c = 0; c < data->columns; c++) {
        const double share = divisor < 1 ? residual * w * at->by[c].d_own : 0;
        slopes[c] = 2 * residual * (share - at->by[c].d_mean) / divisor;
    }
    return residual * residual;
}

/* Returns -ln of the density at a row, computed from all other rows, without the factor heed__np_log_factor. Writes the
 * derivatives with respect to theta to `slopes`. */
static double negative_log_density(const heed__np_smoother *s, const row_fit *f, double *slopes)
{
    const heed__np_data *data = s->data;
    for (int c = 0; c < data->columns; c++)
        slopes[c] = ((1 - f->divisor) * heed__np_own_slope(s, c) - f->at->by[c].d_log_sum) / f->divisor;
    if (f->at->has_no_keys)
        return (double)INFINITY;
    return log(data->total - data->row_w[f->row]) - f->at->log_sum - log(f->divisor);
}

static void add_criterion_row(const criterion_run *run, int64_t row, char *scratch, sums *to)
{
    const heed__np_smoother *s = run->smoother;
    const heed__np_data *data = s->data;
    const heed__np_local *local = heed__np_local_at(run->locals, data->key_of[row]);
    const double w = data->row_w[row], share = w * local->own;
    const bool is_density = run->criterion == HEED__NP_LIKELIHOOD,
               leaves_out = is_density || run->criterion == HEED_NP_CV_LS;
    double slopes[HEED_NP_MAX_COLUMNS] = {0};
    heed__np_local_buffer others;
    row_fit f = {row, local, leaves_out ? 1 - share : 1};
    if (w == 0)
        return;
    if (leaves_out && f.divisor < HEED__NP_LEAST_REST) {
        heed__np_leave_out(s, row, &run->requested, scratch, &others.local);
        f = (row_fit){row, &others.local, 1};
    }
    const double value = is_density ? negative_log_density(s, &f, slopes) : squared_residual(data, &f, slopes);
    to->terms += w * value;
    to->isolated += isinf(value);
    to->trace += share;
    for (int c = 0; c < data->columns; c++) {
        to->d_terms[c] += w * slopes[c];
        to->d_trace[c] += w * local->by[c].d_own;
    }
}

static void add_row_block(int64_t begin, int64_t end, char *scratch, void *context)
{
    const criterion_run *run = context;
    const int64_t rows = run->smoother->data->rows;
    for (int64_t block = begin; block < end; block++) {
        sums *to = &run->blocks[block];
        *to = (sums){0};
        for (int64_t row = block * BLOCK_ROWS; row < rows && row < (block + 1) * BLOCK_ROWS; row++)
            add_criterion_row(run, row, scratch, to);
    }
}

static void add_block_sums(sums *to, const sums *from)
{
    to->terms += from->terms;
    to->trace += from->trace;
    to->isolated += from->isolated;
    for (int c = 0; c < HEED_NP_MAX_COLUMNS; c++) {
        to->d_terms[c] += from->d_terms[c];
        to->d_trace[c] += from->d_trace[c];
    }
}

/* Converts the mean of e_i^2 in *v and its derivatives to AICc or GCV and its derivatives. */
static void weigh_trace(heed_np_criterion criterion, const sums *of, const heed__np_data *data, heed__np_value *v)
{
    const double n = data->total, rounding = HEED__NP_FIT_ROUNDING * data->rounding;
    const double mean = v->value, whole = 1 + of->trace / n, least = 1e-8;
    /* AICc of an exact fit contains the logarithm of the squared rounding error instead of ln 0 */
    const double floored = fmax(mean, fmax(rounding * rounding, DBL_MIN));
    const double rest = criterion == HEED_NP_GCV ? 1 - of->trace / n : 1 - (of->trace + 2) / n;
    if (!(rest > least))
        v->value = (double)INFINITY;
    else
        v->value = criterion == HEED_NP_GCV ? mean / (rest * rest) : log(floored) + whole / rest;
    for (int c = 0; c < data->columns; c++) {
        const double trace = of->d_trace[c] / n;
        if (criterion == HEED_NP_GCV)
            v->slopes[c] = (v->slopes[c] + 2 * mean * trace / rest) / (rest * rest);
        else
            v->slopes[c] = (mean < floored ? 0 : v->slopes[c] / mean) + trace / rest + whole * trace / (rest * rest);
    }
}

static heed__np_value value_of(const criterion_run *run, const sums *of)
{
    const heed__np_data *data = run->smoother->data;
    double slopes[HEED_NP_MAX_COLUMNS] = {0};
    const double factor = run->criterion == HEED__NP_LIKELIHOOD ? heed__np_log_factor(run->smoother, slopes) : 0;
    heed__np_value v = {.value = of->terms / data->total - factor, .trace = of->trace, .isolated = of->isolated};
    for (int c = 0; c < data->columns; c++)
        v.slopes[c] = of->d_terms[c] / data->total - slopes[c];
    if (run->criterion == HEED_NP_AICC || run->criterion == HEED_NP_GCV)
        weigh_trace(run->criterion, of, data, &v);
    return v;
}

double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value)
{
    if (criterion == HEED__NP_LIKELIHOOD)
        return value;
    return criterion == HEED_NP_AICC ? value + 2 * log(data->unit) : value * data->unit * data->unit;
}

static bool find_value(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                       const heed__np_locals *locals, heed__np_value *out)
{
    const heed__np_data *data = s->data;
    criterion_run run = {
        .smoother = s, .criterion = criterion, .requested = {.derivatives = derivatives}, .locals = locals};
    const int64_t blocks = heed__ceil_div(data->rows, BLOCK_ROWS);
    if (!heed__np_fit_at(s, NULL, 0, &run.requested, locals))
        return false;
    run.blocks = heed_alloc((size_t)blocks * sizeof *run.blocks);
    const bool good = run.blocks && heed__parallel_for_scratch(where, blocks, 1, BLOCK_ROWS * 32,
                                                               heed__np_direct_scratch(s), add_row_block, &run);
    sums all = {0};
    for (int64_t b = 0; good && b < blocks; b++)
        add_block_sums(&all, &run.blocks[b]);
    heed_free(run.blocks, (size_t)blocks * sizeof *run.blocks);
    *out = value_of(&run, &all);
    return good;
}

/* For a conditional density, ln f(y | x) = ln f(x, y) - ln f(x), so its criterion is the difference of two criteria. */
bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out)
{
    if (!find_value(s, criterion, derivatives, locals, out))
        return false;
    if (!s->conditional)
        return true;
    heed__np_data data;
    heed__np_value given = {0};
    const heed__np_smoother condition = heed__np_condition(s, &data);
    if (!find_value(&condition, criterion, derivatives, locals, &given))
        return false;
    out->value = isfinite(given.value) ? out->value - given.value : (double)INFINITY;
    for (int c = 0; c < data.columns; c++)
        out->slopes[c] -= given.slopes[c];
    return true;
}
