/* kernels/recurrence/products.h - code shared by both directions of a recurrence: W in panels, its product with the
 * rows of a step, and the batch elements that take part in a step.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_PRODUCTS_H
#define HEED_KERNELS_RECURRENCE_PRODUCTS_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/matmul/matmul.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/functions.h"

enum { RECURRENCE_DEPTH = 512 }; /* terms summed before their sum is added to the others */

/* -- W in panels --------------------------------------------------------------------------------------------------- */
/* For W h (forward), W is packed into one panel for every TILE_COLUMNS hidden units and every gate: the rows of W of
 * these units and this gate. The depth of a panel is H, the number of hidden units. For g W (backward), W is packed
 * into one panel for every TILE_COLUMNS hidden units: the columns of W of these units. The depth of a panel is gates
 * H. */

static const T *panels_at(const heed__recurrence_args *args, int64_t unit)
{
    return (const T *)args->packed + unit * heed__cell_sizes_of(args->cell).gates * args->hidden;
}

static void pack_panels(const heed__recurrence_args *args, bool backward, int64_t unit, T *to)
{
    const int64_t H = args->hidden, gates = heed__cell_sizes_of(args->cell).gates;
    const int64_t columns = min_i64(H - unit, TILE_COLUMNS);
    const T *w = args->w;
    to += unit * gates * H;
    if (backward)
        pack_blocks((matrix){w + unit, 1, H}, columns, TILE_COLUMNS, gates * H, to, TILE_COLUMNS);
    for (int64_t gate = 0; gate < gates && !backward; gate++)
        pack_blocks((matrix){w + (gate * H + unit) * H, H, 1}, columns, TILE_COLUMNS, H, to + gate * H * TILE_COLUMNS,
                    TILE_COLUMNS);
}

static void recurrence_pack_kernel(const heed__recurrence_args *args, bool backward, int64_t begin, int64_t end,
                                   void *to)
{
    const int64_t last = min_i64(end * HEED_MATMUL_COLUMNS, args->hidden);
    for (int64_t unit = begin * HEED_MATMUL_COLUMNS; unit < last; unit += TILE_COLUMNS)
        pack_panels(args, backward, unit, to);
}

/* The product of the rows in `all.a`, which are all.k elements apart, and a panel, all.b, of `vectors` registers of
 * columns. */
static void multiply_by_panel(tile_args all, int64_t rows, int vectors)
{
    const int64_t depth = all.k;
    tile_args some = all;
    some.a_row = depth;
    some.a_col = 1;
    some.b_row = TILE_COLUMNS;
    for (int64_t k = 0; k < depth; k += RECURRENCE_DEPTH) {
        some.k = min_i64(depth - k, RECURRENCE_DEPTH);
        some.a = all.a + k;
        some.b = all.b + k * TILE_COLUMNS;
        some.add = all.add || k > 0;
        compute_tiles(some, rows, vectors, true, NUMBERS);
    }
}

/* Scratch of a product (rows, k) (k, columns) if W is not packed. */
static int64_t product_bytes(int64_t k, int64_t rows, int64_t columns)
{
    return matmul_kernel(&(heed__matmul_args){.k = k}, &(heed__matmul_range){0, rows, 0, columns}, NULL);
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* The batch elements of a call, longest first, so that for every step t the elements that reach t come first. at[p] is
 * the batch element that is row p of the call; lens[p] is its length. */
typedef struct rows_of_call {
    int64_t count, at[HEED_RECURRENCE_ROWS], lens[HEED_RECURRENCE_ROWS];
} rows_of_call;

static void sort_rows_by_length(const heed__recurrence_args *args, int64_t begin, int64_t end, rows_of_call *rows)
{
    rows->count = end - begin;
    for (int64_t n = 0; n < rows->count; n++) {
        const int64_t length = args->lens ? args->lens[begin + n] : args->steps;
        int64_t i = n;
        for (; i > 0 && rows->lens[i - 1] < length; i--) {
            rows->at[i] = rows->at[i - 1];
            rows->lens[i] = rows->lens[i - 1];
        }
        rows->at[i] = begin + n;
        rows->lens[i] = length;
    }
}

/* The number of rows of the call that reach step t. `count` is the number for an adjacent step. */
static int64_t rows_with_step(const rows_of_call *rows, int64_t t, int64_t count)
{
    while (count > 0 && rows->lens[count - 1] <= t)
        count--;
    while (count < rows->count && rows->lens[count] > t)
        count++;
    return count;
}

/* load_state copies state s of the rows of a call from `states`, which has all batch elements, to `to` (rows, hidden).
 * store_state copies it back. */
static void load_state(const heed__recurrence_args *args, const rows_of_call *rows, const void *states, int s, T *to)
{
    const int64_t H = args->hidden;
    for (int64_t p = 0; p < rows->count; p++)
        memcpy(to + p * H, (const T *)states + (s * args->batch + rows->at[p]) * H, (size_t)H * sizeof(T));
}

static void store_state(const heed__recurrence_args *args, const rows_of_call *rows, const T *from, int s, void *states)
{
    const int64_t H = args->hidden;
    for (int64_t p = 0; p < rows->count; p++)
        memcpy((T *)states + (s * args->batch + rows->at[p]) * H, from + p * H, (size_t)H * sizeof(T));
}

/* Row i of an array (., columns); NULL if the array is NULL. */
static ALWAYS_INLINE const T *row_or_null(const void *array, int64_t i, int64_t columns)
{
    return array ? (const T *)array + i * columns : NULL;
}

static ALWAYS_INLINE T *writable_row_or_null(void *array, int64_t i, int64_t columns)
{
    return array ? (T *)array + i * columns : NULL;
}

static void clear_row(T *row, int64_t columns)
{
    if (row)
        memset(row, 0, (size_t)columns * sizeof(T));
}

#endif
