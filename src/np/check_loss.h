/* np/check_loss.h - the check loss of quantile regression: the minimum of sum w_i rho(y_i - a_i' beta), where rho(r) is
 * level r for r >= 0 and (level - 1) r below.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_CHECK_LOSS_H
#define HEED_NP_CHECK_LOSS_H

#include <heed/np.h>

/* The maximum number of elements of beta. */
#define HEED__NP_CHECK_POWERS (HEED_NP_MAX_COLUMNS + 1)

typedef struct heed__np_check_loss {
    int64_t n;
    int powers;
    double level;
    const double *a, *y; /* (powers, n); (n); both multiplied by w_i, |y| about 1 */
    double *work;        /* HEED__NP_CHECK_ARRAYS n numbers */
} heed__np_check_loss;

#define HEED__NP_CHECK_ARRAYS 9

/* Writes the minimum to beta (powers). If a row of `a` depends linearly on the rows before it, its coefficient is 0. */
void heed__np_minimise_check(const heed__np_check_loss *loss, double *beta);

#endif
