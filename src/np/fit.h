/* np/fit.h - the fit, and internal functions that use it. The headers build on each other:
 *
 *     data.h       rows: data.c reads tensors, row_weights.c weighs the rows
 *     smoother.h   kernel_weights.c: the weights of rows for a query
 *     local.h      fits around queries: local_polynomial.c directly, block_sums.c from sums over blocks of keys,
 *                  sorted_sums.c from sums along one column (window_sums.c, fast_gauss.c); solve.c solves for the sums,
 *                  and local_fits.c chooses
 *     search.h     criterion.c; search.c minimises it with minimise.c; rule.c and plug_in.c need no search
 *     fit.h        fit.c, density.c and classes.c fit; statistics.c and report.c describe a fit; predict.c,
 *                  bootstrap.c, quantile.c (check_loss.c) and significance.c use it
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_FIT_H
#define HEED_NP_FIT_H

#include "np/search.h"

struct heed_np {
    heed__np_data data;
    heed__np_smoother smoother;
    heed__np_search search;
    heed_np_report report;
    heed_np_criterion criterion; /* the reported criterion */
    heed__np_value at;           /* value of the criterion, in the data's unit */
    double rss;                  /* residual sum of squares in the data's unit */
    heed__np_locals locals;      /* (keys) */
    double *robust_weights;      /* (rows) */
    uint64_t mark;
    /* the fit is a density: of all columns, or if smoother.conditional is set, of the last column given the others */
    bool is_density;
};

/* -- fit.c --------------------------------------------------------------------------------------------------------- */

/* The kind of a fit. */
typedef enum heed__np_kind {
    HEED__NP_REGRESSION,
    HEED__NP_DENSITY,
    HEED__NP_CLASSES, /* density of the last column given the others */
} heed__np_kind;

/* Fits rows; accepts any options.criterion. Returns NULL after heed_fail. */
heed_np *heed__np_fit(heed_tensor *x, heed_tensor *y, const heed_np_options *options, heed__np_kind kind);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* Checks that no option is set that densities do not support. Returns false after heed_fail. */
bool heed__np_check_density(const char *function, const heed_np_options *o);

/* -- statistics.c -------------------------------------------------------------------------------------------------- */

/* Fills in the report of a regression, except the criterion. Returns false after heed_fail. */
bool heed__np_find_statistics(heed_np *fit);

/* Adds notices to the report about its numbers that are undefined or out of range. */
void heed__np_write_notice(heed_np *fit);

/* -- report.c ------------------------------------------------------------------------------------------------------ */

/* heed__np_check checks that `fit` is neither NULL nor freed. heed__np_check_curve also checks that the fit is not from
 * heed_np_fit_classes. heed__np_check_regression also checks that it is not a density. They return false after
 * heed_fail. */
bool heed__np_check(const char *where, const heed_np *fit);
bool heed__np_check_curve(const char *where, const heed_np *fit);
bool heed__np_check_regression(const char *where, const heed_np *fit);

/* Writes to errors (rows) the error that every row adds to its key's value: the row's share of the key's weight times
 * e_i / (1 - H_ii). Returns false after heed_fail. */
bool heed__np_find_errors(const char *where, const heed_np *fit, double *errors);

/* -- bootstrap.c --------------------------------------------------------------------------------------------------- */

/* Adds the errors (rows) to the values (keys) of their keys, with random signs that depend on `seed` and `draw`. */
void heed__np_draw_values(const heed__np_data *data, uint64_t seed, int64_t draw, const double *errors, double *values);

#endif
