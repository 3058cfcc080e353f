/* tools/np/files.h - the rows and the picture that heed-np writes. */
#ifndef HEED_NP_FILES_H
#define HEED_NP_FILES_H

#include "np/table.h"

/* The terms of the formula with their own names ("log(x)", labels as texts), the response, then fit, se, lower, upper,
 * residual and leverage; of a density the terms, density, se, lower and upper. A name that the table has already gets
 * ".1". Points without a fit have empty fields. False after an error. */
bool files_write_rows(const settings *s, const table *t, const heed_np *fit);

/* Points, curve and band of one column. False after an error. */
bool files_draw(const settings *s, const table *t, const heed_np *fit);

#endif
