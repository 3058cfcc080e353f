/* plot/cells.h - reads the elements of a grid of matrices block by block, because a view may have far more elements
 * than its memory. */
#ifndef HEED_PLOT_CELLS_H
#define HEED_PLOT_CELLS_H

#include <heed/tensor.h>

typedef struct heed__cells {
    heed_tensor *t;              /* the tensor, of rank 2 to 4 */
    int64_t rows, columns, q, k; /* rows x columns panels of q x k cells */
    heed_tensor *block;          /* the last block read, from one panel: f64 (block_rows, block_columns) */
    const double *values;        /* the elements of `block` */
    int64_t panel, row, column, block_rows, block_columns;
} heed__cells;

/* Returns the cells of a tensor (q, k), (columns, q, k) or (rows, columns, q, k). Does not read them yet. */
heed__cells heed__cells_of(heed_tensor *t);

/* Returns one cell, or NULL with an error pending. */
const double *heed__cells_get(heed__cells *cells, int64_t panel, int64_t row, int64_t column);

/* Releases the last block. */
void heed__cells_drop(heed__cells *cells);

#endif
