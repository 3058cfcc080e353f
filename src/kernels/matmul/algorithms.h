/* kernels/matmul/algorithms.h - C = A B for any strides, by tiles or by a special algorithm for few rows, columns or
 * terms. The algorithm depends only on sizes and strides, and the order of a sum does not depend on the requested
 * range. */
#ifndef HEED_KERNELS_MATMUL_ALGORITHMS_H
#define HEED_KERNELS_MATMUL_ALGORITHMS_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/matmul/batch.h"
#include "kernels/matmul/by_columns.h"
#include "kernels/matmul/by_dots.h"
#include "kernels/matmul/by_few_terms.h"
#include "kernels/matmul/by_row.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/matmul/in_place.h"

static void multiply_empty(const heed__matmul_args *s, const heed__matmul_range *p)
{
    for (int64_t i = p->i0; i < p->i1; i++)
        memset((T *)s->c + i * s->n + p->j0, 0, (size_t)(p->j1 - p->j0) * sizeof(T));
    epilogue(s, p, p->i0, p->i1 - p->i0);
}

enum algorithm { BY_ZEROS, BY_COLUMNS, BY_DOTS, BY_ROW, BY_FEW_TERMS, BY_TILES };

static enum algorithm algorithm_of(const heed__matmul_args *s)
{
    return s->k == 0         ? BY_ZEROS
           : by_columns(s)   ? BY_COLUMNS
           : by_dots(s)      ? BY_DOTS
           : by_row(s)       ? BY_ROW
           : by_few_terms(s) ? BY_FEW_TERMS
                             : BY_TILES;
}

static void multiply_plain(const heed__matmul_args *args, const heed__matmul_range *range, T *scratch)
{
    heed__matmul_args s = *args;
    const int64_t chain = s.chain > 0 ? s.chain : s.k;
    if (s.n == 1)
        s.b_col = 1; /* a dimension of size 1 may have any stride */
    if (s.k == 1)
        s.a_col = s.b_row = 1;
    const matmul_plan plan = plan_of(&s, range, chain);
    const enum algorithm algorithm = algorithm_of(&s);
    batch_tile tiles[BATCH_TILES];
    int n = algorithm == BY_TILES ? plan_batch_tiles(&s, range, plan, tiles) : 0;
    if (n > 0) {
        multiply_batch_tiles(s, range, plan, tiles, n, scratch);
        return;
    }
    for (int64_t batch = 0; batch < args->batches; batch++) {
        if (algorithm == BY_ZEROS)
            multiply_empty(&s, range);
        else if (algorithm == BY_COLUMNS)
            multiply_by_columns(&s, range, chain, scratch);
        else if (algorithm == BY_DOTS)
            multiply_dots(&s, range, scratch);
        else if (algorithm == BY_ROW)
            multiply_row(&s, range, plan.chain);
        else if (algorithm == BY_FEW_TERMS)
            multiply_few_terms(&s, range, scratch);
        else if (plan.pack_b)
            multiply_tiles(&s, range, plan, scratch);
        else
            multiply_in_place(&s, range, plan.chain);
        next_batch(&s);
    }
}

#endif
