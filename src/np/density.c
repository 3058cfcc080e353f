/* np/density.c - densities: fits that use only the sum of the weights, not the values.
 *
 *     f(q) = sum_i w_i K_i(q) / sum_i w_i * product over the columns of the factor that normalises K
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "np/fit.h"

static const char where[] = "np_fit_density";

/* Returns 1 / (the integral of the kernel K), with K scaled so that K(0) = 1. */
static double height_of(heed_nw_kernel kernel)
{
    static const double heights[] = {[HEED_NW_GAUSSIAN] = 0.39894228040143267794, /* 1 / sqrt(2 pi) */
                                     [HEED_NW_BOXCAR] = 1.0 / 2,
                                     [HEED_NW_TRIANGULAR] = 1,
                                     [HEED_NW_EPANECHNIKOV] = 3.0 / 4,
                                     [HEED_NW_BIWEIGHT] = 15.0 / 16,
                                     [HEED_NW_TRIWEIGHT] = 35.0 / 32,
                                     [HEED_NW_TRICUBE] = 70.0 / 81};
    return heights[kernel];
}

/* Returns ln of the factor that makes the kernel weights of a column of labels add up to 1 over all labels, and sets
 * *slope to its derivative with respect to theta. Classic weights add up to 1 without a factor. Li and Racine's weights
 * add up to 1 + (k - 1) l for k unordered labels, and for an ordered column to (1 + l) / (1 - l) over all whole
 * numbers. */
static double log_label_factor(const heed__np_smoother *s, int c, double *slope)
{
    const double l = s->h[c], others = s->data->labels[c] - 1;
    *slope = 0;
    if (s->labels == HEED_NP_CLASSIC)
        return 0;
    if (s->data->kinds[c] == HEED_NP_UNORDERED) {
        *slope = -others * l * (1 - l) / (1 + others * l);
        return -log1p(others * l);
    }
    *slope = -2 * l / (1 + l);
    return log1p(-l) - log1p(l);
}

double heed__np_log_factor(const heed__np_smoother *s, double *slopes)
{
    double sum = 0;
    for (int c = 0; c < s->data->columns; c++) {
        slopes[c] = -1;
        if (s->data->kinds[c] == HEED_NP_CONTINUOUS)
            sum += log(height_of(s->kernel)) - log(s->h[c]);
        else
            sum += log_label_factor(s, c, &slopes[c]);
    }
    return sum;
}

double heed__np_density(const heed__np_smoother *s, const heed__np_local *local)
{
    double slopes[HEED_NP_MAX_COLUMNS];
    return exp(local->log_sum - log(s->data->total) + heed__np_log_factor(s, slopes));
}

/* -- The fit ------------------------------------------------------------------------------------------------------- */

bool heed__np_check_density(const char *function, const heed_np_options *o)
{
    const bool chooses = o->criterion == HEED_NP_CV_LS || o->criterion == HEED_NP_RULE;
    if (o->degree == 0 && chooses && o->nearest == 0 && o->robust == 0)
        return true;
    return heed_fail_false(
        HEED_ERR_ARGUMENT, function,
        "degree is %d, criterion %d, nearest %g, robust %d: must be 0 for a density, except criterion "
        "HEED_NP_RULE",
        o->degree, (int)o->criterion, o->nearest, o->robust);
}

heed_np *heed_np_fit_density(heed_tensor *x, const heed_np_options *options)
{
    HEED_ENTER(where);
    heed_np_options o = options ? *options : (heed_np_options){0};
    if (!heed__np_check_density(where, &o) || !heed__check_tensor(where, x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *nothing = heed_zeros(HEED_F64, HEED_SHAPE(heed_rank(x) > 0 ? heed_dim(x, 0) : 1));
    o.criterion = o.criterion == HEED_NP_RULE ? HEED_NP_RULE : HEED__NP_LIKELIHOOD;
    heed_np *fit = nothing ? heed__np_fit(x, nothing, &o, HEED__NP_DENSITY) : NULL;
    heed_scope_end(scope);
    return fit;
}
