/* np/rule.c - bandwidths by the normal reference rule.
 *
 * The asymptotic mean integrated squared error of a density of c columns is smallest at h^(c + 4) = c R^c / (m^2 n I),
 * where n is the number of rows, R the integral of K^2, m the integral of u^2 K(u), and I the integral of the square of
 * the density's Laplacian. For c independent normal columns and the Gaussian the bandwidth of a column is
 *     h = (4 / (c + 2))^(1 / (c + 4)) deviation n^(-1 / (c + 4))
 * (D. Scott 1992) with the column's standard deviation. For a different kernel this h is multiplied by the kernel's
 * (R^c / m^2)^(1 / (c + 4)) and divided by the Gaussian's.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "np/search.h"

static const char where[] = "np_fit";

bool heed__np_varies(const heed__np_data *data, int c)
{
    const double low = data->least[c], range = data->range[c];
    if (range > heed__np_rounding(low, low + range))
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "column %d of x is %g in every row%s: no bandwidth fits it, leave it out", c, low,
                           range > 0 ? ", up to rounding" : "");
}

double heed__np_canonical(heed_nw_kernel kernel, int smooth)
{
    static const struct {
        double r, m;
    } of[] = {[HEED_NW_GAUSSIAN] = {0.28209479177387814347, 1}, /* 1 / (2 sqrt(pi)) */
              [HEED_NW_BOXCAR] = {1.0 / 2, 1.0 / 3},
              [HEED_NW_TRIANGULAR] = {2.0 / 3, 1.0 / 6},
              [HEED_NW_EPANECHNIKOV] = {3.0 / 5, 1.0 / 5},
              [HEED_NW_BIWEIGHT] = {5.0 / 7, 1.0 / 7},
              [HEED_NW_TRIWEIGHT] = {350.0 / 429, 1.0 / 9},
              [HEED_NW_TRICUBE] = {175.0 / 247, 35.0 / 243}};
    const double ratio = of[kernel].r / of[HEED_NW_GAUSSIAN].r;
    return pow(pow(ratio, smooth) / (of[kernel].m * of[kernel].m), 1.0 / (smooth + 4));
}

/* Returns the quantile of sorted numbers at `share`, interpolated linearly (R's default). */
static double interpolated_quantile(const double *sorted, int64_t n, double share)
{
    const double at = share * (double)(n - 1);
    const int64_t i = (int64_t)at;
    return sorted[i] + (i + 1 < n ? (sorted[i + 1] - sorted[i]) * (at - (double)i) : 0);
}

/* Returns the smaller of the standard deviation and (the interquartile range) / 1.349. `sorted` contains the column's
 * numbers minus their minimum `least`, divided by their range. An interquartile range that is only a rounding error of
 * numbers of the size of `least` is ignored. */
static double deviation_of(const double *sorted, int64_t n, double least, double range)
{
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        const double away = sorted[i] - mean;
        mean += away / (double)(i + 1);
        squares += away * (sorted[i] - mean);
    }
    const double standard = sqrt(squares / (double)(n - 1));
    const double low = interpolated_quantile(sorted, n, 0.25), high = interpolated_quantile(sorted, n, 0.75),
                 quartiles = (high - low) / 1.349;
    const double rounding = heed__np_rounding(least / range + low, least / range + high);
    return quartiles > rounding && quartiles < standard ? quartiles : standard;
}

/* Sets s->h of a continuous column with more than one value. Returns false after heed_fail. */
static bool set_width(heed__np_smoother *s, int c)
{
    const heed__np_data *data = s->data;
    const double constant = 4 / ((double)data->smooth + 2) / (double)data->rows;
    const double *x = data->x + c * data->keys, range = data->range[c];
    heed_scope *scope = heed_scope_begin();
    heed_tensor *numbers = scope ? heed_zeros(HEED_F64, HEED_SHAPE(data->rows)) : NULL;
    for (int64_t i = 0; numbers && i < data->rows; i++) /* numbers are halved so that differences cannot overflow */
        heed__np_numbers(numbers)[i] = (x[data->key_of[i]] / 2 - data->least[c] / 2) / (range / 2);
    heed_tensor *sorted = numbers ? heed_sort(numbers) : NULL;
    const double deviation = sorted ? deviation_of(heed__np_numbers(sorted), data->rows, data->least[c], range) : 0;
    s->h[c] = heed__np_canonical(s->kernel, data->smooth) * pow(constant, 1.0 / (data->smooth + 4)) * deviation * range;
    heed_scope_end(scope);
    return sorted != NULL;
}

bool heed__np_rule(heed__np_smoother *s)
{
    for (int c = 0; c < s->data->columns; c++) {
        s->h[c] = 0;
        if (s->data->kinds[c] == HEED_NP_CONTINUOUS && !(heed__np_varies(s->data, c) && set_width(s, c)))
            return false;
    }
    return true;
}
