/* tools/np/table.h - reads the columns of a formula from a CSV file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_TABLE_H
#define HEED_NP_TABLE_H

#include <heed/heed.h>

#include "np/column.h"
#include "np/command_line.h"
#include "np/formula.h"

typedef struct table {
    formula formula;
    heed_io_csv *csv;
    heed_tensor *x, *y, *weights;                /* (n, d); (n) or NULL */
    char weight_name[FORMULA_NAME];              /* the column of --weights, or "" */
    column columns[HEED_NP_MAX_COLUMNS], target; /* of the terms and of the response */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double bandwidths[HEED_NP_MAX_COLUMNS + 1];
    heed_tensor *at_x, *at_rows; /* (m, d), the rows of --at, and (k), i64, those without missing values; or NULL */
} table;

/* The result of reading: the exit code of the program, or TABLE_READ. */
typedef enum table_result { TABLE_READ = 0, TABLE_FAILED = 1, TABLE_BAD_USAGE = 2 } table_result;

/* Reads the table and the rows of --at. After an error, prints it with the term and the line of the file. */
table_result table_read(table *t, const settings *s);

/* Returns true if the response holds labels, so that the fit is a classifier. */
static inline bool table_has_classes(const table *t)
{
    return t->target.labels != NULL;
}

/* Returns true if the formula has a single term, and its values are numbers or dates. */
static inline bool table_is_curve(const table *t)
{
    return t->formula.count == 1 && t->kinds[0] == HEED_NP_CONTINUOUS;
}

void table_free(table *t);

#endif
