/* np/check_loss.h - quantile regression: the least sum of w_i rho(y_i - a_i' beta), rho(r) = level r, below 0 (level -
 * 1) r. */
#ifndef HEED_NP_CHECK_LOSS_H
#define HEED_NP_CHECK_LOSS_H

#include <heed/np.h>

/* The most numbers of beta. */
#define HEED__NP_CHECK_POWERS (HEED_NP_MAX_COLUMNS + 1)

typedef struct heed__np_check_loss {
    int64_t n;
    int powers;
    double level;
    const double *a, *y; /* (powers, n); (n), both times w_i, |y| about 1 */
    double *work;        /* HEED__NP_CHECK_ARRAYS n */
} heed__np_check_loss;

#define HEED__NP_CHECK_ARRAYS 9

/* Fills beta (powers). A row of `a` that the ones before it make up gets 0. */
void heed__np_minimise_check(const heed__np_check_loss *loss, double *beta);

#endif
