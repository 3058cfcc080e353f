/* tools/np/files.h - writes the output table and the picture of heed-np. */
#ifndef HEED_NP_FILES_H
#define HEED_NP_FILES_H

#include "np/table.h"

/* Writes the terms of the formula with their own names ("log(x)", labels as text), the response, then fit, se, lower,
 * upper, residual and leverage; for a density the terms, density, se, lower and upper. A name that the table already
 * has gets ".1". Points without a fit are empty fields. Returns false after an error. */
bool files_write_rows(const settings *s, const table *t, const heed_np *fit);

/* Draws points, curve and band of a fit with one column. Returns false after an error. */
bool files_draw(const settings *s, const table *t, const heed_np *fit);

#endif
