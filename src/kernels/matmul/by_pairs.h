/* kernels/matmul/by_pairs.h - products of f32 rounded to bf16, for CPUs that multiply two bf16 per lane instead of one
 * f32, or that have a matrix unit for bf16. Sums are in f32.
 *
 * Packing finds groups of rows of A and panels of columns of B with special numbers, which bf16 cannot represent: NaN,
 * infinities, magnitudes above 2^126, denormal numbers, and, if a number is split into two bf16, magnitudes below
 * 2^-100. The elements of C that depend on such a group or panel are computed again in f32. How an element is computed
 * therefore depends only on the numbers in its group and panel, not on the range.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_PAIRS_H
#define HEED_KERNELS_MATMUL_BY_PAIRS_H

#include "kernels/kernels.h"
#include "kernels/matmul/by_tiles.h"
#include "kernels/matmul/by_unit.h"
#include "kernels/matmul/strip.h"

/* -- Register tiles of pairs (tile.h) ------------------------------------------------------------------------------ */

static void pack_b_pairs(strip *s, int64_t k, int64_t terms, T *panels)
{
    for (int64_t j = 0; j < s->columns; j += TILE_COLUMNS) {
        const pair_source from = columns_of_b(s, k, j);
        pack_pairs(&from, (int)min_i64(s->columns - j, TILE_COLUMNS),
                   (packed_pairs){terms, panels, TILE_COLUMNS, s->special_columns + j});
        panels += (terms + 1) / 2 * TILE_COLUMNS;
    }
}

/* Packed pairs: B's columns, and a panel of A. */
static packed_panels pair_panels_of(int64_t columns, int64_t terms, arena *a)
{
    packed_panels panels = {0};
    panels.b = take_array(a, b_panels_in(columns) * TILE_COLUMNS * ((terms + 1) / 2), sizeof(T));
    panels.a = take_array(a, PACKED_ROWS * ((terms + 1) / 2), sizeof(T));
    return panels;
}

/* True if rows of A are packed without transposing. Tiles then take a little longer, but there are only few if C is not
 * wide. */
static bool stays_by_rows(const strip *s, int64_t terms)
{
    enum { WIDE = 512, LONG = 64 };
    return s->args.a_col == 1 && s->columns <= WIDE && terms >= LONG;
}

/* Adds the products for the inner indices k .. k + terms - 1 to all elements of the strip, a register tile's height at
 * a time; writes them if k is 0. Not inlined, to keep stack frames small. */
__attribute__((noinline)) static void multiply_by_pair_tiles(strip *s, int64_t k, int64_t terms, T *scratch)
{
    const int64_t pairs = (terms + 1) / 2, panels = tiles_in(s->rows), height = (s->rows + panels - 1) / panels;
    const packed_panels packed = pair_panels_of(s->columns, terms, &(arena){.base = scratch});
    pack_b_pairs(s, k, terms, packed.b);
    for (int64_t i = 0; i < s->rows; i += height) {
        const int here = (int)min_i64(s->rows - i, height);
        const pair_source from = rows_of_a(s, k, i);
        const bool by_rows = stays_by_rows(s, terms);
        if (by_rows)
            for (int row = 0; row < here; row++)
                s->special_rows[i + row] |= pack_row_of_pairs(&from, row, terms, packed.a + row * pairs);
        else
            pack_pairs(&from, here, (packed_pairs){terms, packed.a, PACKED_ROWS, s->special_rows + i});
        tile_args t = {.k = pairs,
                       .a = packed.a,
                       .a_row = by_rows ? pairs : 1,
                       .a_col = by_rows ? 1 : PACKED_ROWS,
                       .b = packed.b,
                       .b_row = TILE_COLUMNS,
                       .c = c_of(s, i, 0),
                       .c_row = s->args.n,
                       .add = k > 0};
        for (int64_t j = 0; j < s->columns; j += TILE_COLUMNS, t.b += pairs * TILE_COLUMNS, t.c += TILE_COLUMNS) {
            const int vectors = registers_for(min_i64(s->columns - j, TILE_COLUMNS), &t.last);
            tile_for(PAIR_TILE, here, vectors)(&t);
        }
    }
}

/* -- Strips ------------------------------------------------------------------------------------------------------ */

static bool by_pairs(const heed__matmul_args *s)
{
    return s->k >= HEED_PAIRS_TERMS && s->m * s->n >= HEED_PAIRS_USES * (s->m + s->n);
}

/* Computes any other product with the plain kernel of the same instruction set, so that the program needs no second
 * copy of its code. */
static void multiply_plain(const heed__matmul_args *s, const heed__matmul_range *p, T *scratch)
{
    (void)HEED__VERSION(heed__matmul, HEED_ISA, HEED_ELEMENT_BITS)(s, p, scratch);
}

/* The maximal number of terms packed at a time. */
static int64_t terms_at_once(int unit)
{
    return 2 * HEED_MATMUL_K / (unit ? unit : 1);
}

/* Takes the packed matrices of a strip. */
static void take_strip(int unit, int64_t k, int64_t columns, arena *a)
{
    const int64_t terms = min_i64(k, terms_at_once(unit)), n = min_i64(columns, STRIP_COLUMNS);
    if (unit)
        (void)unit_panels_of(n, unit, terms, a);
    else
        (void)pair_panels_of(n, terms, a);
}

static bool any_special(const bool *special, int64_t n)
{
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        any |= special[i];
    return any;
}

/* Computes again, in f32, the elements of C that depend on groups of rows or on panels with special numbers. */
static void recompute_special(const strip *s, T *scratch)
{
    const heed__matmul_range all = s->range;
    const int64_t panel = s->args.unit ? UNIT_BLOCK : TILE_COLUMNS;
    for (int64_t i = 0; i < s->rows; i += HEED_MATMUL_GROUP) {
        const int64_t end = min_i64(i + HEED_MATMUL_GROUP, s->rows);
        if (any_special(s->special_rows + i, end - i))
            multiply_plain(&s->args, &(heed__matmul_range){all.i0 + i, all.i0 + end, all.j0, all.j1}, scratch);
    }
    for (int64_t j = 0; j < s->columns; j += panel) {
        const int64_t end = min_i64(j + panel, s->columns);
        if (any_special(s->special_columns + j, end - j))
            multiply_plain(&s->args, &(heed__matmul_range){all.i0, all.i1, all.j0 + j, all.j0 + end}, scratch);
    }
}

static void multiply_strip(const heed__matmul_args *args, heed__matmul_range range, T *scratch)
{
    strip s = {.args = *args,
               .range = range,
               .rows = range.i1 - range.i0,
               .columns = range.j1 - range.j0,
               .pieces = args->unit ? args->unit : 1};
    s.args.batches = 1;
    s.args.bias = NULL;
    s.args.activation = NULL;
    const int64_t most = terms_at_once(args->unit), blocks = (args->k + most - 1) / most;
    const int64_t whole = args->unit ? UNIT_TERMS : 2; /* terms multiplied together */
    for (int64_t block = 0, k = 0; block < blocks; block++) {
        const int64_t share = (args->k - k + blocks - block - 1) / (blocks - block);
        const int64_t terms = min_i64((share + whole - 1) / whole * whole, args->k - k);
        if (args->unit)
            multiply_by_unit(&s, k, terms, scratch);
        else
            multiply_by_pair_tiles(&s, k, terms, scratch);
        k += terms;
    }
    recompute_special(&s, scratch);
    epilogue(args, &range, range.i0, range.i1 - range.i0);
}

static void multiply_by_pairs(const heed__matmul_args *args, const heed__matmul_range *range, T *scratch)
{
    heed__matmul_args s = *args;
    for (int64_t batch = 0; batch < args->batches; batch++, next_batch(&s))
        for (int64_t i = range->i0; i < range->i1; i += STRIP_ROWS)
            for (int64_t j = range->j0; j < range->j1; j += STRIP_COLUMNS)
                multiply_strip(&s,
                               (heed__matmul_range){i, min_i64(i + STRIP_ROWS, range->i1), j,
                                                    min_i64(j + STRIP_COLUMNS, range->j1)},
                               scratch);
}

#endif
