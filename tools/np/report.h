/* tools/np/report.h - what heed-np prints of a fit: a table as statisticians know it, or JSON. */
#ifndef HEED_NP_REPORT_H
#define HEED_NP_REPORT_H

#include "np/formula.h"

typedef struct report {
    const char *text; /* the formula */
    const formula *formula;
    const heed_np_options *options;
    int64_t left_out;       /* rows, for missing values */
    const double *p_values; /* of the columns, or NULL */
} report;

void report_print(const report *about, const heed_np *fit);

/* One JSON document. False where it cannot be written. */
bool report_dump(const report *about, const heed_np *fit);

#endif
