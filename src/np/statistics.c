/* np/statistics.c - statistics of a regression: R2, RSS, degrees of freedom, and notices about undefined statistics.
 *
 * The residual degrees of freedom are n - 2 tr H + tr H H' = sum_i ((1 - H_ii)^2 + sum over j != i of w_i H_ij^2 /
 * w_j), and sigma^2 is RSS divided by them. If a row determines nearly all of its own fit, 1 - H_ii loses its digits.
 * It is then computed from m_-i, the fit of the other rows at x_i, in which y_j has the weight l_j:
 *     1 - H_ii = 1 / (1 + w_i a_i),   y_i - m_i = (1 - H_ii) (y_i - m_-i),   H_ij = (1 - H_ii) l_j
 * with a_i, the `own` of the fit m_-i. If the other rows determine fewer powers of the polynomial, H_ii is 1.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/parallel.h"
#include "np/fit.h"

/* -- Residuals and degrees of freedom, row by row ------------------------------------------------------------------ */

typedef struct rows_run {
    const heed_np *fit;
    double *errors, *degrees; /* (rows) */
    double *inverse;          /* (keys): 1 / w, or 0 if w is 0 */
} rows_run;

static const heed__np_local *local_of(const heed_np *fit, int64_t row)
{
    return heed__np_local_at(&fit->locals, fit->data.key_of[row]);
}

/* Returns true if 1 - H_ii has lost its digits. This never happens to a row that shares its x with other rows of
 * nonzero weight, because these rows also determine the fit at x. */
static bool is_own_fit(const heed_np *fit, int64_t row)
{
    const double w = fit->data.row_w[row];
    return w > 0 && 1 - w * local_of(fit, row)->own < HEED__NP_LEAST_REST && w == fit->data.w[fit->data.key_of[row]];
}

static void leave_row_out(const rows_run *run, int64_t row, char *scratch)
{
    heed__np_local_buffer buffer;
    const heed__np_data *data = &run->fit->data;
    const double w = data->row_w[row];
    heed__np_local *others = &buffer.local;
    heed__np_leave_out(&run->fit->smoother, row, &(heed__np_requested){.variances = run->inverse}, scratch, others);
    run->errors[row] = run->degrees[row] = 0;
    if (others->has_no_keys || others->powers < local_of(run->fit, row)->powers)
        return;
    const double rest = 1 / (1 + w * others->own);
    run->errors[row] = rest * (data->row_y[row] - others->mean);
    run->degrees[row] = rest * rest * (1 + w * others->variance);
}

static void find_row_errors(int64_t begin, int64_t end, char *scratch, void *context)
{
    const rows_run *run = context;
    const heed__np_data *data = &run->fit->data;
    for (int64_t row = begin; row < end; row++) {
        const heed__np_local *at = local_of(run->fit, row);
        const double w = data->row_w[row];
        run->errors[row] = data->row_y[row] - at->mean;
        run->degrees[row] = w > 0 ? 1 - w * (2 * at->own - at->variance) : 1;
        if (is_own_fit(run->fit, row))
            leave_row_out(run, row, scratch);
    }
}

/* Computes RSS and *rest, the residual degrees of freedom. Weight that robust rounds have removed counts as missing
 * rows. Returns false after heed_fail. */
static bool sum_row_errors(const heed_np *fit, double *rss, double *rest)
{
    const heed__np_data *data = &fit->data;
    const size_t bytes = (size_t)(2 * data->rows + data->keys) * sizeof(double);
    rows_run run = {.fit = fit, .errors = heed_alloc(bytes)};
    if (!run.errors)
        return false;
    run.degrees = run.errors + data->rows;
    run.inverse = run.degrees + data->rows;
    for (int64_t k = 0; k < data->keys; k++)
        run.inverse[k] = data->w[k] > 0 ? 1 / data->w[k] : 0;
    const bool good = heed__parallel_for_scratch("np_fit", data->rows, 64, 64 * data->keys,
                                                 heed__np_direct_scratch(&fit->smoother), find_row_errors, &run);
    double lost = 0;
    *rss = *rest = 0;
    for (int64_t row = 0; good && row < data->rows; row++) {
        if (data->row_w[row] > 0)
            *rss += data->row_w[row] * run.errors[row] * run.errors[row];
        lost += data->given_w[row] - data->row_w[row];
        *rest += run.degrees[row];
    }
    *rest -= lost;
    if (!(*rest > 1e-9 * lost)) /* only rounding errors remain */
        *rest = 0;
    heed_free(run.errors, bytes);
    return good;
}

/* -- Sums over rows ------------------------------------------------------------------------------------------------ */

/* Adds the sums over all rows to the report and to *mean, and counts rows without a fit. Sets *is_own to true if a row
 * determines nearly all of its fit. */
static void add_row_sums(heed_np *fit, double *mean, bool *is_own)
{
    const heed__np_data *data = &fit->data;
    heed_np_report *r = &fit->report;
    for (int64_t i = 0; i < data->rows; i++) {
        const heed__np_local *local = local_of(fit, i);
        const double w = data->row_w[i], e = data->row_y[i] - local->mean;
        r->undefined += local->has_no_keys;
        if (w == 0)
            continue;
        *is_own |= is_own_fit(fit, i);
        *mean += w * data->row_y[i] / data->total;
        r->rss += w * e * e;
        r->trace += w * (local->has_no_keys ? (double)NAN : local->own);
        r->trace_squared += w * local->variance;
    }
}

/* Returns the squared correlation of y and m. It is NaN if y does not vary, and 0 if m does not vary. */
static double squared_correlation(const heed_np *fit, double mean)
{
    const heed__np_data *data = &fit->data;
    const double rounding = HEED__NP_FIT_ROUNDING * data->rounding;
    double yy = 0, mm = 0, ym = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        if (data->row_w[i] == 0)
            continue;
        const double w = data->row_w[i], y = data->row_y[i] - mean, m = local_of(fit, i)->mean - mean;
        yy += w * y * y;
        mm += w * m * m;
        ym += w * y * m;
    }
    if (!data->varies || isnan(mm) || !(yy > data->total * data->rounding * data->rounding))
        return (double)NAN;
    return mm > data->total * rounding * rounding ? ym / yy * (ym / mm) : 0;
}

/* heed__np_fit_keys has computed every key's `variance` with 1 / w as the variances, so tr H H' is the sum of w
 * variance. */
bool heed__np_find_statistics(heed_np *fit)
{
    const heed__np_data *data = &fit->data;
    heed_np_report *r = &fit->report;
    double mean = 0;
    bool is_own = false;
    add_row_sums(fit, &mean, &is_own);
    double rest = data->total - 2 * r->trace + r->trace_squared;
    if (!is_own && !(rest > 1e-9 * data->total))
        rest = 0;
    if (is_own && !sum_row_errors(fit, &r->rss, &rest))
        return false;
    r->r2 = squared_correlation(fit, mean);
    r->sigma = rest > 0 ? data->unit * sqrt(r->rss / rest) : (double)NAN;
    fit->rss = r->rss;
    r->rss = r->rss * data->unit * data->unit;
    return true;
}

/* -- Notices ------------------------------------------------------------------------------------------------------- */

HEED_PRINTF(2, 3) static void add_notice(heed_np_report *r, const char *format, ...)
{
    size_t used = strlen(r->notice);
    if (used > 0 && used + 1 < sizeof r->notice) {
        r->notice[used++] = '\n';
        r->notice[used] = '\0';
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(r->notice + used, sizeof r->notice - used, format, args);
    va_end(args);
}

static void explain_criterion(heed_np *fit)
{
    heed_np_report *r = &fit->report;
    if (!isinf(fit->at.value) || r->undefined == r->rows_with_weight)
        return;
    if (fit->criterion == HEED_NP_AICC)
        add_notice(r, "AICc is infinite: tr H is %g, but it must be below n - 2 = %g. Use wider bandwidths.",
                   fit->at.trace, fit->data.given_total - 2);
    else if (fit->criterion == HEED_NP_GCV)
        add_notice(r, "GCV is infinite: tr H is %g, but it must be below n = %g. Use wider bandwidths.", fit->at.trace,
                   fit->data.given_total);
    else
        add_notice(r,
                   "The criterion is infinite: %" PRId64 " of %" PRId64
                   " rows have no other row within their window. Use wider bandwidths.",
                   fit->at.isolated, r->rows_with_weight);
}

/* Adds a notice if sums of squares overflow or vanish because y is very large or very small. */
static void explain_range(heed_np *fit)
{
    heed_np_report *r = &fit->report;
    const bool overflows = (isinf(r->criterion) && isfinite(fit->at.value)) || (isinf(r->rss) && isfinite(fit->rss));
    const bool vanishes = (fabs(r->criterion) < DBL_MIN && fit->at.value > 0 && fit->criterion != HEED_NP_AICC) ||
                          (r->rss < DBL_MIN && fit->rss > 0);
    double most = 0;
    for (int64_t i = 0; i < fit->data.rows; i++)
        most = fmax(most, fabs(fit->data.row_y[i]));
    if (overflows || vanishes)
        add_notice(r, "The criterion or RSS is too %s for a double: y is up to %.2g in size. Scale y to about 1.",
                   overflows ? "large" : "small", fit->data.unit * most);
}

void heed__np_write_notice(heed_np *fit)
{
    const heed__np_data *data = &fit->data;
    heed_np_report *r = &fit->report;
    explain_criterion(fit);
    if (fit->is_density)
        return;
    if (!data->varies)
        add_notice(r, "y is %g in every row, up to rounding: R2 is undefined, and p-values are 1.",
                   data->unit * data->row_y[0]);
    else if (isnan(r->r2) && r->undefined < r->rows_with_weight)
        add_notice(r, "y does not vary among the rows that keep a weight in robust rounds: R2 is undefined.");
    if (r->undefined > 0)
        add_notice(r, "m is undefined at %" PRId64 " of %" PRId64 " rows: no row with a weight is within their window.",
                   r->undefined, r->rows_with_weight);
    if (isnan(r->sigma) && r->undefined < r->rows_with_weight)
        add_notice(r,
                   "The fit goes through all rows (tr H is %g, rows are %" PRId64
                   "): sigma, standard errors and bands are undefined. Use wider bandwidths.",
                   r->trace, r->rows_with_weight);
    explain_range(fit);
}
