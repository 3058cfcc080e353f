/* tools/np/table.h - the rows that a formula takes from a CSV file. */
#ifndef HEED_NP_TABLE_H
#define HEED_NP_TABLE_H

#include <heed/heed.h>

#include "np/command_line.h"
#include "np/formula.h"

typedef struct table {
    formula formula;
    heed_io_csv *csv;
    heed_tensor *x, *y, *weights;                 /* (n, d); (n) or NULL */
    heed_categories *labels[HEED_NP_MAX_COLUMNS]; /* the texts of factor(x), whose x are codes; else NULL */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double bandwidths[HEED_NP_MAX_COLUMNS];
} table;

/* Prints what is wrong, with the term and the line of the file, and returns false. */
bool table_read(table *t, const settings *s);

/* "0.5,2": one number for each column. False after it has printed what is wrong. */
bool table_read_bandwidths(table *t, const char *text);

void table_free(table *t);

#endif
