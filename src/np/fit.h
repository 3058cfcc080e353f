/* np/fit.h - the fit, and internal functions that use it. */
#ifndef HEED_NP_FIT_H
#define HEED_NP_FIT_H

#include "np/np.h"

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

/* -- bands.c ------------------------------------------------------------------------------------------------------- */

/* Computes the half-width, in standard errors, of a simultaneous band, which holds at all n queries x (columns, n) at
 * once. Returns false after heed_fail. */
bool heed__np_simultaneous(const heed__np_smoother *smoother, const double *x, int64_t n, const double *variances,
                           const heed_np_predict_options *o, double *quantile);

/* -- bootstrap.c --------------------------------------------------------------------------------------------------- */

/* Adds the errors (rows) to the values (keys) of their keys, with random signs that depend on `seed` and `draw`. */
void heed__np_draw_values(const heed__np_data *data, uint64_t seed, int64_t draw, const double *errors, double *values);

#endif
