/* tools/np/table.h - reads the columns of a formula from a CSV file. */
#ifndef HEED_NP_TABLE_H
#define HEED_NP_TABLE_H

#include <heed/heed.h>

#include "np/command_line.h"
#include "np/formula.h"

typedef struct table {
    formula formula;
    heed_io_csv *csv;
    heed_tensor *x, *y, *weights;                 /* (n, d); (n) or NULL */
    heed_categories *labels[HEED_NP_MAX_COLUMNS]; /* texts of factor(x), whose x are codes; otherwise NULL */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double bandwidths[HEED_NP_MAX_COLUMNS];
} table;

/* Reads the table. After an error, prints it with the term and the line of the file, and returns false. */
bool table_read(table *t, const settings *s);

/* Reads "0.5,2", one number per column. Returns false after printing an error. */
bool table_read_bandwidths(table *t, const char *text);

void table_free(table *t);

#endif
