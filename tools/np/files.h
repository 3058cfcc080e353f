/* tools/np/files.h - the rows and the picture that heed-np writes. */
#ifndef HEED_NP_FILES_H
#define HEED_NP_FILES_H

#include "np/table.h"

/* Columns of x, y, fit, se, lower, upper, residual, leverage; of a density x, density, se, lower, upper. False after an
 * error. */
bool files_write_rows(const settings *s, const table *t, const heed_np *fit);

/* Points, curve and band of one column. False after an error. */
bool files_draw(const settings *s, const table *t, const heed_np *fit);

#endif
