/* plot/cells.h - the elements of a grid of matrices, block by block: they may be views of far more elements than there
 * are. */
#ifndef HEED_PLOT_CELLS_H
#define HEED_PLOT_CELLS_H

#include <heed/tensor.h>

typedef struct heed__cells {
    heed_tensor *t;              /* of any rank from 2 to 4 */
    int64_t rows, columns, q, k; /* rows x columns panels of q x k cells */
    heed_tensor *block;          /* the one read last, a part of one panel: f64 (block_rows, block_columns) */
    const double *values;        /* its elements */
    int64_t panel, row, column, block_rows, block_columns;
} heed__cells;

/* Cells of a tensor (q, k), (columns, q, k) or (rows, columns, q, k). */
heed__cells heed__cells_of(heed_tensor *t);

/* One cell; NULL with an error pending. */
const double *heed__cells_get(heed__cells *cells, int64_t panel, int64_t row, int64_t column);

/* Lets the last block go. */
void heed__cells_drop(heed__cells *cells);

#endif
