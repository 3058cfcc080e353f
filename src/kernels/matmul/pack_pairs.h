/* kernels/matmul/pack_pairs.h - copies rows of A and columns of B, rounded to bf16, as pairs of neighbours along k. A pair is as
 * wide as an f32. Notes which of them have numbers that bf16 cannot represent. */
#ifndef HEED_KERNELS_MATMUL_PACK_PAIRS_H
#define HEED_KERNELS_MATMUL_PACK_PAIRS_H

#include "kernels/matmul/pack.h"

#if defined(HAVE_PAIRS)

/* Rows of A or columns of B, both rows here: number c of row i at from[i * row + c * column]. A number is near the sum of its
 * pieces: the bf16 nearest to it, and the one nearest to what that leaves. */
typedef struct pair_source {
    const T *from;
    int64_t row, column;
    BITS least; /* not 0 and nearer to it than this, as bits, or above 2^126, or not finite: odd */
    int piece;  /* 0 or 1: which is packed */
} pair_source;

/* Below 0, as signed, where x is odd: of sizes below 2^31 a difference has its sign, and only 0 is less than 1. */
static ALWAYS_INLINE vec_bits odd_signs(const pair_source *s, vec x)
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

static ALWAYS_INLINE vec piece_of(const pair_source *s, vec x)
{
    const vec_bits bits = (vec_bits)x;
    return s->piece == 0 ? x : x - (vec)((bits + 0x7fff + (bits >> 16 & 1)) & (BITS)0xffff0000);
}

/* WIDTH pairs of up to 2 WIDTH numbers of a row, from c on. */
static ALWAYS_INLINE vec pairs_of_row(const pair_source *s, int64_t i, int64_t c, int64_t count, vec_bits *odd)
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
    *odd |= odd_signs(s, low) | odd_signs(s, high);
    return round_to_pairs(piece_of(s, low), piece_of(s, high));
}

/* to[c * to_row + i] = the pair (2 c, 2 c + 1) of row i, of up to WIDTH rows of k numbers. Notes the odd rows. */
static void pack_pairs_along(const pair_source *s, int64_t first, int rows, int64_t k, T *to, int64_t to_row, bool *odd)
{
    _Alignas(VECTOR_BYTES) T pairs[WIDTH * WIDTH];
    vec_bits found[WIDTH] = {{0}};
    for (int64_t c = 0; c < k; c += 2 * WIDTH) {
        for (int i = 0; i < rows; i++)
            store(pairs + i * WIDTH, pairs_of_row(s, first + i, c, k - c, &found[i]));
        transpose_to_rows(pairs, WIDTH, rows, min_i64((k - c + 1) / 2, WIDTH), to + c / 2 * to_row, to_row);
    }
    for (int i = 0; i < rows; i++)
        odd[i] |= any_sign(found[i]);
}

/* The same where the numbers c of all rows lie side by side. */
static void pack_pairs_across(const pair_source *s, int64_t first, int rows, int64_t k, T *to, int64_t to_row,
                              bool *odd)
{
    vec_bits found = {0};
    for (int64_t c = 0; c < k; c += 2) {
        const T *at = s->from + first + c * s->column;
        const vec even = load_at(at, 0, rows), uneven = c + 1 < k ? load_at(at + s->column, 0, rows) : (vec){0};
        found |= odd_signs(s, even) | odd_signs(s, uneven);
        store(to + c / 2 * to_row, pair_up(piece_of(s, even), piece_of(s, uneven)));
    }
    for (int i = 0; i < WIDTH && i < rows; i++)
        odd[i] |= (found[i] & SIGN_BIT) != 0;
}

/* As many rows as there are, WIDTH at a time. */
static void pack_pairs(const pair_source *s, int rows, int64_t k, T *to, int64_t to_row, bool *odd)
{
    for (int i = 0; i < rows; i += WIDTH) {
        if (s->row == 1)
            pack_pairs_across(s, i, rows - i, k, to + i, to_row, odd + i);
        else
            pack_pairs_along(s, i, (int)min_i64(rows - i, WIDTH), k, to + i, to_row, odd + i);
    }
}

#endif

#endif
