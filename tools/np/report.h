/* tools/np/report.h - prints a fit as a table in the style of statistics software, or as JSON.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_REPORT_H
#define HEED_NP_REPORT_H

#include "np/table.h"

typedef struct report {
    const char *text; /* the formula */
    const table *table;
    const heed_np_options *options;
    int64_t left_out;       /* number of rows left out for missing values */
    const double *p_values; /* of the columns, or NULL */
    double correct;         /* for classes: share of the rows whose class is the most probable one */
} report;

void report_print(const report *about, const heed_np *fit);

/* Prints one JSON document. Returns false if it cannot be written. */
bool report_dump(const report *about, const heed_np *fit);

#endif
