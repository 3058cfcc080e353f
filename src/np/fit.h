/* np/fit.h - what a fit keeps. */
#ifndef HEED_NP_FIT_H
#define HEED_NP_FIT_H

#include "np/np.h"

struct heed_np {
    heed__np_data data;
    heed__np_smoother smoother;
    heed__np_search search;
    heed_np_report report;
    heed__np_locals locals; /* (keys) */
    double *robust_weights; /* (rows) */
};

/* -- report.c ------------------------------------------------------------------------------------------------------ */

/* Neither NULL nor freed. False after heed_fail. */
bool heed__np_check(const char *where, const heed_np *fit);

/* -- bands.c ------------------------------------------------------------------------------------------------------- */

/* How many standard errors wide a band is that holds at all n queries (columns, n). False after heed_fail. */
bool heed__np_simultaneous(const heed__np_smoother *smoother, const double *x, int64_t n, const double *variances,
                           const heed_np_predict_options *options, double *quantile);

#endif
