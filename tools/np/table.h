/* tools/np/table.h - the rows that a formula takes from a CSV file. */
#ifndef HEED_NP_TABLE_H
#define HEED_NP_TABLE_H

#include <heed/heed.h>

#include "np/command_line.h"
#include "np/formula.h"

typedef struct table {
    formula formula;
    heed_io_csv *csv;
    heed_tensor *x, *y, *weights; /* (n, d); (n) or NULL */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double bandwidths[HEED_NP_MAX_COLUMNS];
} table;

/* False after an error. */
bool table_read(table *t, const settings *s);

/* "0.5,2": as many as there are columns. False after it has said what is wrong. */
bool table_read_bandwidths(table *t, const char *text);

#endif
