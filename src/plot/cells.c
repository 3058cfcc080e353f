/* plot/cells.c - reads matrices in blocks of doubles. */
#include <heed/ops.h>
#include <heed/scope.h>

#include "plot/cells.h"

#define AT_ONCE 65536

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

heed__cells heed__cells_of(heed_tensor *t)
{
    heed_shape shape = heed_shape_of(t);
    const int64_t *last = shape.dims + shape.rank;
    return (heed__cells){.t = t,
                         .rows = shape.rank > 3 ? last[-4] : 1,
                         .columns = shape.rank > 2 ? last[-3] : 1,
                         .q = last[-2],
                         .k = last[-1]};
}

void heed__cells_drop(heed__cells *cells)
{
    heed_release(cells->block);
    cells->block = NULL;
    cells->values = NULL;
}

/* Returns panel `number` as (q, k), or NULL with an error pending. */
static heed_tensor *panel_of(const heed__cells *cells, int64_t number)
{
    heed_tensor *t = cells->t;
    int rank = heed_rank(t);
    if (rank == 4)
        t = heed_select(t, 0, number / cells->columns);
    return rank > 2 ? heed_select(t, 0, number % cells->columns) : t;
}

/* Reads a block that begins at this cell. The block consists of whole rows, or of a section of a row if the row is
 * long. Returns false with an error pending. */
static bool read_block(heed__cells *c, int64_t panel, int64_t row, int64_t column)
{
    heed__cells_drop(c);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    c->panel = panel;
    c->row = row;
    c->column = column;
    c->block_columns = smaller(AT_ONCE, c->k - column);
    c->block_rows = c->k < AT_ONCE ? smaller(AT_ONCE / c->k, c->q - row) : 1;
    heed_tensor *rows = heed_slice(panel_of(c, panel), 0, row, row + c->block_rows, 1);
    heed_tensor *block = rows ? heed_slice(rows, 1, column, column + c->block_columns, 1) : NULL;
    c->block = heed_retain(heed_contiguous(heed_to_dtype(block, HEED_F64)));
    (void)heed_scope_end(scope);
    c->values = c->block ? heed_data_f64(c->block) : NULL;
    return c->values != NULL;
}

const double *heed__cells_get(heed__cells *c, int64_t panel, int64_t row, int64_t column)
{
    bool is_loaded = c->values && panel == c->panel && row >= c->row && row < c->row + c->block_rows &&
                     column >= c->column && column < c->column + c->block_columns;
    if (!is_loaded && !read_block(c, panel, row, column / AT_ONCE * AT_ONCE))
        return NULL;
    return &c->values[(row - c->row) * c->block_columns + column - c->column];
}
