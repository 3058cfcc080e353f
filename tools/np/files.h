/* tools/np/files.h - writes the output table of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_FILES_H
#define HEED_NP_FILES_H

#include "np/table.h"

/* Writes the terms of the formula with their own names ("log(x)", labels and dates as text), the response, then fit,
 * se, lower, upper, residual and leverage; for a density the terms, density, se, lower and upper; for classes the
 * terms, the response, class, and the probability of every class. For the rows of --at, response, residual and leverage
 * are omitted. A name that the table already has gets ".1". Missing values, and the fits of points without one, are
 * empty fields. Returns false after an error of the library. */
bool files_write_rows(const settings *s, const table *t, const heed_np *fit);

/* Computes m, standard errors and the interval of the settings at queries (n, d). Reports queries without rows in their
 * windows with the option that needed them. Returns false after an error of the library. */
bool files_predict(const settings *s, const char *option, const heed_np *fit, heed_tensor *x, heed_np_prediction *at);

/* Returns the code of the most probable class at queries (n, d), -1 for a query without rows in its window, and the
 * probabilities (n, k). Reports such queries. Returns NULL after an error of the library. */
heed_tensor *files_classify(const char *option, const heed_np *fit, heed_tensor *x, heed_tensor **probabilities);

#endif
