/* kernels/matmul/matmul.h - C = A B, with sums of any length. */
#ifndef HEED_KERNELS_MATMUL_MATMUL_H
#define HEED_KERNELS_MATMUL_MATMUL_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/matmul/by_dots.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/simd/total.h"

#if defined(HAVE_PAIRS)
#include "kernels/matmul/by_pairs.h"
#else
#include "kernels/matmul/algorithms.h"
#endif

/* Sums of at most HEED_LONG_SUM terms, or one block of a longer sum. */
static void multiply_short(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
#if defined(HAVE_PAIRS)
    if (by_pairs(s)) {
        multiply_by_pairs(s, p, scratch);
        return;
    }
#endif
    multiply_plain(s, p, scratch);
}

/* -- Long sums ----------------------------------------------------------------------------------------------------- */
/* Long sums are divided into blocks of inner indices. Every block is computed like any other product, and the blocks
 * are added up by compensated summation. The blocks depend only on sizes and strides. */

/* Inner indices k .. k + depth - 1, without bias and activation. */
static void multiply_block(const heed__matmul_args *s, const heed__matmul_range *p, int64_t k, int64_t depth,
                           T *scratch)
{
    heed__matmul_args block = *s;
    block.k = depth;
    block.a = (const T *)s->a + k * s->a_col;
    block.b = (const T *)s->b + k * s->b_row;
    block.batches = 1;
    block.bias = NULL;
    block.activation = NULL;
    block.chain = HEED_LONG_CHAIN;
    multiply_short(&block, p, scratch);
}

static void multiply_long(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    const int64_t rows = p->i1 - p->i0, columns = p->j1 - p->j0, size = rows * columns;
    const int64_t most = by_dots(s) ? HEED_LONG_CHAIN * WIDTH : HEED_LONG_BLOCK;
    const int64_t blocks = (s->k - 1) / most + 1, depth = s->k / blocks, deeper = s->k % blocks;
    T *sum = scratch + heed__matmul_packed(s->k, columns), *lost = sum + size;
    memset(sum, 0, (size_t)(2 * size) * sizeof(T));
    for (int64_t block = 0, k = 0; block < blocks; block++) {
        const int64_t here = depth + (block < deeper);
        multiply_block(s, p, k, here, scratch);
        for (int64_t i = 0; i < rows; i++)
            total_add_row_kernel(columns, (const T *)s->c + (p->i0 + i) * s->n + p->j0, sum + i * columns,
                                 lost + i * columns);
        k += here;
    }
    for (int64_t i = 0; i < rows; i++)
        memcpy((T *)s->c + (p->i0 + i) * s->n + p->j0, sum + i * columns, (size_t)columns * sizeof(T));
    epilogue(s, p, p->i0, rows);
}

static void matmul_kernel(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch)
{
    heed__matmul_args s = *args;
    if (range->i0 >= range->i1 || range->j0 >= range->j1)
        return;
    if (!heed__is_long(s.k)) {
        multiply_short(&s, range, scratch);
        return;
    }
    for (int64_t batch = 0; batch < args->batches; batch++) {
        multiply_long(&s, range, scratch);
        next_batch(&s);
    }
}

#endif
