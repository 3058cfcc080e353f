/* kernels/attention/pairs.h - dot-product attention: matrices rounded to bf16, as pairs of neighbours along the axis
 * that a product sums over (matmul/pack_pairs.h), if the caller allows it. A matrix with a number that bf16 cannot
 * represent, or an instruction set without such products, gives NO_ROWS; then the product is computed in f32.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_PAIRS_H
#define HEED_KERNELS_ATTENTION_PAIRS_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/matmul/pack_pairs.h"
#include "kernels/simd/vec.h"

/* A matrix of numbers, or of pairs. */
typedef struct row_matrix {
    const T *at; /* NULL: no such matrix */
    int64_t row; /* elements between two rows */
} row_matrix;
#define NO_ROWS ((row_matrix){NULL, 0})

static int64_t pairs_in(int64_t n)
{
    return (n + 1) / 2;
}

/* Rounded up, so that the last register fits. */
static int64_t whole_columns(int64_t n)
{
    return (n + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS;
}

/* The pairs from row i on, an even number, of a matrix of pairs across rows. */
static row_matrix pairs_from(row_matrix p, int64_t i)
{
    return p.at ? (row_matrix){p.at + i / 2 * p.row, p.row} : p;
}

/* Numbers that bf16 cannot represent are those above 2^126 and those not finite; in matrices GIVEN by the caller also
 * denormals. COMPUTED denormals become 0. */
enum { GIVEN = 1, COMPUTED = 0 };

#if defined(HAVE_PAIRS)

static BITS least_representable(int of)
{
    return of == GIVEN ? (BITS)1 << MANTISSA_BITS : (BITS)1;
}

/* to[i][c] = (x[i][2 c], x[i][2 c + 1]), for rows of n numbers; a missing last number is 0. */
static row_matrix pairs_along(row_matrix x, int64_t rows, int64_t n, int of, T *to)
{
    const pair_source s = {.from = x.at, .row = x.row, .column = 1, .least = least_representable(of)};
    const int64_t count = pairs_in(n);
    bool special = false;
    for (int64_t i = 0; i < rows; i++)
        special |= pack_row_of_pairs(&s, i, n, to + i * count);
    return special ? NO_ROWS : (row_matrix){to, count};
}

/* to[i][c] = (x[2 i][c], x[2 i + 1][c]), in rows of whole registers, to_row apart; `to` may be x if to_row is x.row. */
static row_matrix pairs_across(row_matrix x, int64_t rows, int64_t n, int of, T *to, int64_t to_row)
{
    const pair_source s = {.from = x.at, .row = 1, .column = x.row, .least = least_representable(of)};
    vec_bits special = {0};
    for (int64_t i = 0; i < rows; i += 2)
        for (int64_t c = 0; c < n; c += WIDTH) {
            const T *at = x.at + i * x.row;
            const vec even = load_at(at, c, n), uneven = i + 1 < rows ? load_at(at + x.row, c, n) : (vec){0};
            special |= special_signs(&s, even) | special_signs(&s, uneven);
            store(to + i / 2 * to_row + c, pair_up(even, uneven));
        }
    return any_sign(special) ? NO_ROWS : (row_matrix){to, to_row};
}

/* The bf16 number that represents x in a pair. */
static ALWAYS_INLINE T rounded_to_bf16(T x)
{
    BITS bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & (BITS)0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#else

static row_matrix pairs_along(row_matrix x, int64_t rows, int64_t n, int of, T *to)
{
    (void)x, (void)rows, (void)n, (void)of, (void)to;
    return NO_ROWS;
}

static row_matrix pairs_across(row_matrix x, int64_t rows, int64_t n, int of, T *to, int64_t to_row)
{
    (void)to_row;
    return pairs_along(x, rows, n, of, to);
}

static ALWAYS_INLINE T rounded_to_bf16(T x)
{
    return x;
}

#endif

#endif
