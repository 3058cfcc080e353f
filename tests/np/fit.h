/* tests/np/fit.h - data, fits and comparisons for the tests of heed/np.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NP_FIT_H
#define HEED_TESTS_NP_FIT_H

#include <float.h>
#include <math.h>

#include "check_heed.h"
#include "hash.h"

static inline void load(const char *path, const char *xs, const char *ys, heed_tensor **x, heed_tensor **y)
{
    heed_io_csv *csv = heed_io_csv_read(path, NULL);
    *x = heed_io_csv_column(csv, xs, HEED_F64);
    *y = heed_io_csv_column(csv, ys, HEED_F64);
    heed_io_csv_free(csv);
    ck_assert_msg(*x && *y, "%s", heed_error_message());
}

static inline heed_np *fit_of(heed_tensor *x, heed_tensor *y, const heed_np_options *options)
{
    heed_np *fit = heed_np_fit(x, y, options);
    ck_assert_msg(fit != NULL, "%s", heed_error_message());
    return fit;
}

static inline double at(heed_tensor *t, int64_t i)
{
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    return heed_get(t, HEED_INDEX(i));
}

static inline void near(double got, double expected, double tolerance, const char *what)
{
    ck_assert_msg(fabs(got - expected) <= tolerance * (1 + fabs(expected)), "%s is %.12g, not %.12g", what, got,
                  expected);
}

#endif
