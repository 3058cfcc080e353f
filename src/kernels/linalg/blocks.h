/* kernels/linalg/blocks.h - triangular solves, Cholesky and LU factors of blocks of at most HEED_LINALG_BLOCK columns.
 * A term is subtracted from every element at a time, in the order of the unknowns, so that the bits do not depend on
 * the width of a register.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_LINALG_BLOCKS_H
#define HEED_KERNELS_LINALG_BLOCKS_H

#include "kernels/kernels.h"
#include "kernels/simd/wide.h"

/* -- Triangular solves --------------------------------------------------------------------------------------------- */

enum { TOGETHER = 2 * LANES }; /* right-hand sides that are copied to a buffer and solved at once */

/* Solves for all right-hand sides of the buffer, whose rows are the unknowns: column by column of the triangle. */
static void solve_buffer(const heed__triangular_args *s, T buffer[][TOGETHER])
{
    for (int64_t j = 0; j < s->n; j++) {
        const T *column = (const T *)s->a + j * s->column;
        for (int c = 0; !s->unit && c < TOGETHER; c += WIDTH)
            store(buffer[j] + c, load(buffer[j] + c) / splat(column[j * s->row]));
        for (int64_t i = j + 1; i < s->n; i++) {
            const vec factor = splat(-column[i * s->row]);
            for (int c = 0; c < TOGETHER; c += WIDTH)
                store(buffer[i] + c, muladd_vec(factor, load(buffer[j] + c), load(buffer[i] + c)));
        }
    }
}

/* Copies `count` right-hand sides from x to the buffer, or back. The inner loop is the one with the smaller stride. */
static void copy_buffer(const heed__triangular_args *s, T *x, int64_t count, T buffer[][TOGETHER], bool back)
{
    const bool by_unknown = s->next == 1;
    const int64_t outer = by_unknown ? s->n : count, inner = by_unknown ? count : s->n;
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            const int64_t at = by_unknown ? o : i, c = by_unknown ? i : o;
            T *element = x + at * s->step + c * s->next;
            if (back)
                *element = buffer[at][c];
            else
                buffer[at][c] = *element;
        }
}

static void triangular_kernel(const heed__triangular_args *args, int64_t begin, int64_t end)
{
    T buffer[HEED_LINALG_BLOCK][TOGETHER];
    memset(buffer, 0, sizeof buffer);
    for (int64_t c = begin; c < end; c += TOGETHER) {
        T *x = (T *)args->x + c * args->next;
        const int64_t count = min_i64(end - c, TOGETHER);
        copy_buffer(args, x, count, buffer, false);
        solve_buffer(args, buffer);
        copy_buffer(args, x, count, buffer, true);
    }
}

/* -- Factors ------------------------------------------------------------------------------------------------------- */

static int64_t cholesky_kernel(int64_t n, void *a_, int64_t row)
{
    T *a = a_;
    for (int64_t j = 0; j < n; j++) {
        T *diagonal = a + j * row + j;
        if (!(*diagonal > 0))
            return j;
        *diagonal = LIBM(sqrt)(*diagonal);
        for (int64_t i = j + 1; i < n; i++)
            a[i * row + j] /= *diagonal;
        for (int64_t i = j + 1; i < n; i++)
            for (int64_t k = j + 1; k <= i; k++)
                a[i * row + k] = muladd_of(-a[i * row + j], a[k * row + j], a[i * row + k]);
    }
    return -1;
}

/* The row from j on with the largest element of column j; a row with NaN if there is one. */
static int64_t pivot_row(int64_t m, const T *a, int64_t row, int64_t j)
{
    int64_t best = j;
    T most = LIBM(fabs)(a[j * row + j]);
    for (int64_t i = j + 1; i < m && most == most; i++) {
        const T here = LIBM(fabs)(a[i * row + j]);
        if (!(here <= most)) {
            best = i;
            most = here;
        }
    }
    return best;
}

static int64_t lu_kernel(int64_t m, int64_t n, void *a_, int64_t row, int64_t *pivots)
{
    T *a = a_;
    for (int64_t j = 0; j < n; j++) {
        pivots[j] = pivot_row(m, a, row, j);
        T *upper = a + j * row, *pivot = a + pivots[j] * row;
        for (int64_t k = 0; pivot != upper && k < n; k++) {
            const T x = upper[k];
            upper[k] = pivot[k];
            pivot[k] = x;
        }
        if (!(LIBM(fabs)(upper[j]) > 0))
            return j;
        for (int64_t i = j + 1; i < m; i++) {
            T *x = a + i * row;
            x[j] /= upper[j];
            const vec factor = splat(-x[j]);
            for (int64_t k = j + 1; k < n; k += WIDTH)
                store_at(x, k, n, muladd_vec(factor, load_at(upper, k, n), load_at(x, k, n)));
        }
    }
    return -1;
}

#endif
