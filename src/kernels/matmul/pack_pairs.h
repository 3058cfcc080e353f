/* kernels/matmul/pack_pairs.h - copies rows of A and columns of B, rounded to bf16, as pairs of neighbours along k, and
 * marks rows and columns with numbers that bf16 cannot represent. A pair has the size of an f32.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_PACK_PAIRS_H
#define HEED_KERNELS_MATMUL_PACK_PAIRS_H

#include "kernels/matmul/pack.h"

#if defined(HAVE_PAIRS)

/* Rows of A or columns of B, both called rows here: number c of row i is at from[i * row + c * column]. A number is
 * approximated by the sum of its pieces: the nearest bf16, and the bf16 nearest to the remainder. A number is special
 * if it is infinite or NaN, or if its magnitude is above 2^126 or too small (but not 0). */
typedef struct pair_source {
    const T *from;
    int64_t row, column;
    BITS least; /* the bits of the smallest positive number that is not too small */
    int piece;  /* which piece is packed, 0 or 1 */
} pair_source;

/* Returns bits whose sign bits are set for special x. Without its sign bit, x is an integer below 2^31, so differences
 * have the right sign: size - least < 0 if x is too small, most - size < 0 if x is too large, size - 1 < 0 only for
 * 0. */
static ALWAYS_INLINE vec_bits special_signs(const pair_source *s, vec x)
{
    const BITS most = (127 + 126) << MANTISSA_BITS;
    const vec_bits size = (vec_bits)x & ~SIGN_BIT;
    return ((size - s->least) & ~(size - 1)) | (most - size);
}

static bool any_sign(vec_bits v)
{
    BITS any = 0;
    for (int i = 0; i < WIDTH; i++)
        any |= v[i];
    return (any & SIGN_BIT) != 0;
}

static ALWAYS_INLINE vec piece_of(vec x, const int piece)
{
    const vec_bits bits = (vec_bits)x;
    return piece == 0 ? x : x - (vec)((bits + 0x7fff + (bits >> 16 & 1)) & (BITS)0xffff0000);
}

/* Returns WIDTH pairs, made of the 2 WIDTH numbers of row i from number c on. If `count` is less than 2 WIDTH, only
 * that many numbers are read, and 0 replaces the others. Sets sign bits of *special if a number is special (see
 * pair_source). */
static ALWAYS_INLINE vec pairs_of_row(const pair_source *s, int64_t i, int64_t c, int64_t count, vec_bits *special,
                                      const int piece)
{
    const T *from = s->from + i * s->row + c * s->column;
    T copied[2 * WIDTH];
    if (s->column != 1) {
        count = min_i64(count, 2 * WIDTH);
        for (int64_t l = 0; l < count; l++)
            copied[l] = from[l * s->column];
        from = copied;
    }
    const vec low = load_at(from, 0, count);
    const vec high = count > WIDTH ? load_at(from, WIDTH, count) : (vec){0};
    *special |= special_signs(s, low) | special_signs(s, high);
    return round_to_pairs(piece_of(low, piece), piece_of(high, piece));
}

/* to[c] = the pair of the numbers 2 c and 2 c + 1 of row i, which has k numbers; a missing last number is 0. Returns
 * whether the row has special numbers. */
static ALWAYS_INLINE bool pack_row_of_pairs(const pair_source *s, int64_t i, int64_t k, T *to)
{
    const int64_t pairs = (k + 1) / 2;
    vec_bits signs = {0};
    for (int64_t c = 0; c < pairs; c += WIDTH)
        store_at(to, c, pairs, pairs_of_row(s, i, 2 * c, k - 2 * c, &signs, 0));
    return any_sign(signs);
}

/* Where rows of k numbers are packed: to[c * to_row + i] = the pair of the numbers 2 c and 2 c + 1 of row i. special[i]
 * is set if row i has special numbers. */
typedef struct packed_pairs {
    int64_t k;
    T *to;
    int64_t to_row;
    bool *special;
} packed_pairs;

/* Packs up to WIDTH rows, from row `first` on. */
static ALWAYS_INLINE void pack_pairs_along(const pair_source *s, int first, int rows, packed_pairs p, const int piece)
{
    _Alignas(VECTOR_BYTES) T pairs[WIDTH * WIDTH];
    vec_bits signs[WIDTH] = {{0}};
    for (int64_t c = 0; c < p.k; c += 2 * WIDTH) {
        for (int i = 0; i < rows; i++)
            store(pairs + i * WIDTH, pairs_of_row(s, first + i, c, p.k - c, &signs[i], piece));
        transpose_to_rows(pairs, WIDTH, rows, min_i64((p.k - c + 1) / 2, WIDTH), p.to + first + c / 2 * p.to_row,
                          p.to_row);
    }
    for (int i = 0; i < rows; i++)
        p.special[first + i] |= any_sign(signs[i]);
}

/* How far pack_pairs_across prefetches, in inner indices: the CPU does not predict accesses that are a whole line of
 * the matrix apart. */
enum { PAIRS_AHEAD = 16 };

/* Like pack_pairs_along, for rows that are 1 element apart (s->row is 1). */
static ALWAYS_INLINE void pack_pairs_across(const pair_source *s, int first, int rows, packed_pairs p, const int piece)
{
    vec_bits signs = {0};
    for (int64_t c = 0; c < p.k; c += 2) {
        const T *at = s->from + first + c * s->column;
        __builtin_prefetch(at + PAIRS_AHEAD * s->column);
        __builtin_prefetch(at + (PAIRS_AHEAD + 1) * s->column);
        const vec even = load_at(at, 0, rows), uneven = c + 1 < p.k ? load_at(at + s->column, 0, rows) : (vec){0};
        signs |= special_signs(s, even) | special_signs(s, uneven);
        store(p.to + first + c / 2 * p.to_row, pair_up(piece_of(even, piece), piece_of(uneven, piece)));
    }
    for (int i = 0; i < WIDTH && i < rows && any_sign(signs); i++)
        p.special[first + i] |= (signs[i] & SIGN_BIT) != 0;
}

static ALWAYS_INLINE void pack_piece(const pair_source *s, int rows, packed_pairs p, const int piece)
{
    for (int i = 0; i < rows; i += WIDTH) {
        if (s->row == 1)
            pack_pairs_across(s, i, rows - i, p, piece);
        else
            pack_pairs_along(s, i, (int)min_i64(rows - i, WIDTH), p, piece);
    }
}

/* Packs any number of rows, WIDTH at a time. */
static void pack_pairs(const pair_source *s, int rows, packed_pairs p)
{
    if (s->piece == 0)
        pack_piece(s, rows, p, 0);
    else
        pack_piece(s, rows, p, 1);
}

#endif

#endif
