/* tools/np/column.h - the values of a term: numbers, dates, or texts as codes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_COLUMN_H
#define HEED_NP_COLUMN_H

#include <heed/heed.h>

#include "np/formula.h"

enum { COLUMN_LEVELS = 128 };

/* The type of a term. The fitted table decides it, and the rows of --at must have the same type. */
typedef struct column {
    bool known; /* the other members are set */
    heed_np_column kind;
    bool is_date;                 /* values are days since 1970-01-01 */
    heed_categories *labels;      /* the texts of codes, or NULL for numbers and dates */
    bool has_levels;              /* ordered(x, "a", "b"): values are indices in the order of the formula */
    int64_t codes[COLUMN_LEVELS]; /* with has_levels: the code in `labels` of every value */
} column;

/* Returns the values of a term for the rows of a csv, (n) f64, NaN for a missing value if the csv was read with
 * HEED_IO_MISSING_NAN. If the column is not yet known, the values decide its type. Returns NULL after printing an
 * error. */
heed_tensor *column_values(column *c, const formula_term *term, const heed_io_csv *csv);

/* Returns the label of a value of a column with labels. */
const char *column_label(const column *c, double value);

/* Returns values, NaN for a missing one, as a column for an output, with *labels for texts: codes, -1 for a missing
 * value, or dates as texts, which *owned then owns. Returns NULL after an error of the library. */
heed_tensor *column_output(const column *c, heed_tensor *values, const heed_categories **labels,
                           heed_categories **owned);

void column_free(column *c);

/* Prints the pending error of the library with the options that may help, and returns false. */
bool print_error(void);

/* A date as text. */
typedef struct date_text {
    char s[32];
} date_text;

/* Returns "2024-02-29", or "2024-02-29T13:45:07" for a day with a time. */
date_text date_of_days(double days);

#endif
