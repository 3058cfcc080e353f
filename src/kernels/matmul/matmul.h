/* kernels/matmul/matmul.h - C = A B, with sums of any length.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_MATMUL_H
#define HEED_KERNELS_MATMUL_MATMUL_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/matmul/by_dots.h"
#include "kernels/matmul/by_few_terms.h"
#include "kernels/matmul/by_row.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/total.h"

#if defined(HAVE_PAIRS)
#include "kernels/matmul/by_pairs.h"
#endif

#if !defined(HAVE_PAIRS) /* otherwise in by_pairs.h */
static void multiply_plain(const heed__matmul_args *args, const heed__matmul_range *range, T *scratch)
{
    heed__matmul_args s = *args;
    const int64_t chain = s.chain > 0 ? s.chain : s.k;
    if (s.n == 1)
        s.b_col = 1; /* a dimension of size 1 may have any stride */
    if (s.k == 1)
        s.a_col = s.b_row = 1;
    const matmul_path path = matmul_path_of(&s, &registers);
    const matmul_plan plan = plan_of(&s, range, path, chain);
    batch_tile tiles[BATCH_TILES];
    const int n = path >= IN_PLACE ? plan_batch_tiles(&s, range, plan, tiles) : 0;
    if (n > 0) {
        multiply_batch_tiles(s, range, plan, tiles, n, scratch);
        return;
    }
    for (int64_t batch = 0; batch < args->batches; batch++, next_batch(&s)) {
        switch (path) {
        case BY_ZEROS:
            for (int64_t i = range->i0; i < range->i1; i++)
                memset((T *)s.c + i * s.n + range->j0, 0, (size_t)(range->j1 - range->j0) * sizeof(T));
            epilogue(&s, range, range->i0, range->i1 - range->i0);
            break;
        case BY_COLUMNS:
            multiply_by_columns(&s, range, chain, scratch);
            break;
        case BY_DOTS_OF_ROWS:
        case BY_DOTS_OF_FEW:
            multiply_dots(&s, range, path == BY_DOTS_OF_ROWS, scratch);
            break;
        case BY_ROW:
            multiply_row(&s, range, plan.chain);
            break;
        case BY_FEW_TERMS:
            multiply_few_terms(&s, range, scratch);
            break;
        case IN_PLACE:
            multiply_in_place(&s, range, plan.chain);
            break;
        case PACKED:
        case PACKED_NARROW:
            multiply_tiles(&s, range, plan, scratch);
        }
    }
}
#endif

/* Bytes of the packed matrices of any algorithm. They depend only on the numbers of terms and columns, because the
 * blocks of a long sum may differ in their algorithm. */
static int64_t packing_bytes(const heed__matmul_args *s, int64_t columns)
{
    const int64_t k = min_i64(s->k, HEED_LONG_SUM);
    arena of[4] = {{0}};
    int64_t most = 0;
    (void)packed_panels_of(columns, min_i64(k, HEED_MATMUL_K), &of[0]);
    (void)take_array(&of[1], DOTS_COPIED * copied_row(k), sizeof(T));
    (void)take_array(&of[2], COLUMNS_ROWS * COLUMNS_MOST, sizeof(T));
#if defined(HAVE_PAIRS)
    take_strip(s->unit, k, columns, &of[3]);
#endif
    for (int i = 0; i < 4; i++)
        most = of[i].bytes > most ? of[i].bytes : most;
    return most;
}

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

/* Computes the part of C that comes from the inner indices k .. k + depth - 1, without bias and activation. */
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

/* `sum` holds two numbers per element of the range. */
static void multiply_long(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch, T *sum)
{
    const int64_t rows = p->i1 - p->i0, columns = p->j1 - p->j0, size = rows * columns;
    const int64_t most = matmul_order_of(s, &registers) == BY_LANES ? HEED_LONG_CHAIN * LANES : HEED_LONG_BLOCK;
    const int64_t blocks = (s->k - 1) / most + 1, depth = s->k / blocks, deeper = s->k % blocks;
    T *lost = sum + size;
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

static int64_t matmul_kernel(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch)
{
    const int64_t rows = range->i1 - range->i0, columns = range->j1 - range->j0;
    const bool is_long = heed__is_long(args->k);
    arena a = {.base = scratch};
    T *packed = take_array(&a, packing_bytes(args, columns), 1),
      *sum = take_array(&a, is_long ? 2 * rows * columns : 0, sizeof(T));
    if (!scratch || rows <= 0 || columns <= 0)
        return a.bytes;
    if (!is_long)
        multiply_short(args, range, packed);
    heed__matmul_args s = *args;
    for (int64_t batch = 0; is_long && batch < args->batches; batch++, next_batch(&s))
        multiply_long(&s, range, packed, sum);
    return a.bytes;
}

#endif
