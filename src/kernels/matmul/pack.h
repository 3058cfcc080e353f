/* kernels/matmul/pack.h - copies parts of A and B such that register tiles read them one register after the other
 * (BLIS's packing).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_PACK_H
#define HEED_KERNELS_MATMUL_PACK_H

#include "kernels/simd/vec.h"

enum { PACK_COLUMNS = 16 }; /* columns packed before the next rows; also the prefetch distance, in columns */

/* -- Transposing up to WIDTH x WIDTH elements ---------------------------------------------------------------------- */

/* `count` elements of each of `rows` rows, which are contiguous. */
typedef struct short_rows {
    const T *from;
    int64_t row;
    int rows;
    int64_t count;
} short_rows;

/* to[j * to_row + i] = element j of row i, for at most `wide` elements j; every column is followed by zeros up to
 * `tall` elements. tall and wide are constants, powers of two up to WIDTH, so that shuffles for columns after `wide`
 * are optimised away. If tall is less than WIDTH, to_row must be tall, and up to WIDTH - 1 elements after the end are
 * written. */
static ALWAYS_INLINE void transpose(short_rows block, const int tall, const int wide, T *to, int64_t to_row)
{
    const T *from = block.from;
    const int64_t from_row = block.row, count = block.count;
    const int rows = block.rows;
#if defined(HAVE_SHUFFLE)
    enum { W = WIDTH };
    vec r[W];
    vec_mask low, high; /* indices of a0 b0 a1 b1 ..., for the lower and for the upper halves of registers a, b */
    UNROLL16
    for (int l = 0; l < W; l++) {
        low[l] = l / 2 + l % 2 * W;
        high[l] = low[l] + W / 2;
    }
    UNROLL16
    for (int l = 0; l < tall; l++) {
        r[l] = l >= rows    ? (vec){0}
               : count >= W ? load(from + l * from_row)
                            : load_partial(from + l * from_row, count, (vec){0});
    }
    UNROLL16
    for (int done = 1; done < tall; done *= 2) {
        vec s[W];
        UNROLL16
        for (int l = 0; l < tall / 2; l++) {
            s[2 * l] = __builtin_shuffle(r[l], r[l + tall / 2], low);
            s[2 * l + 1] = __builtin_shuffle(r[l], r[l + tall / 2], high);
        }
        UNROLL16
        for (int l = 0; l < tall; l++)
            r[l] = s[l];
    }
    UNROLL16
    for (int l = 0; l < (tall * wide + W - 1) / W; l++) {
        if (tall < W || l < count)
            store(to + l * (tall == W ? to_row : W), r[l]);
    }
#else
    for (int j = 0; j < wide && j < count; j++)
        for (int i = 0; i < tall; i++)
            to[j * (tall == WIDTH ? to_row : tall) + i] = i < rows ? from[i * from_row + j] : 0;
#endif
}

/* Calls transpose for up to WIDTH columns, with a smaller `wide` for fewer columns, which takes fewer shuffles. */
static ALWAYS_INLINE void transpose_some(short_rows s, const int tall, T *to, int64_t to_row)
{
    if (s.count >= WIDTH && s.rows >= tall)
        transpose((short_rows){s.from, s.row, tall, WIDTH}, tall, WIDTH, to, to_row);
    else if (s.count > WIDTH / 2)
        transpose(s, tall, WIDTH, to, to_row);
    else if (WIDTH >= 8 && s.count <= WIDTH / 4)
        transpose(s, tall, WIDTH / 4, to, to_row);
    else
        transpose(s, tall, WIDTH / 2, to, to_row);
}

static void transpose_to_rows(const T *from, int64_t from_row, int rows, int64_t count, T *to, int64_t to_row)
{
    transpose_some((short_rows){from, from_row, rows, count}, WIDTH, to, to_row);
}

/* -- Packing ------------------------------------------------------------------------------------------------------- */
/* to[c * to_row + i] = from(i, c) for `count` columns c of `rows` elements, then zeros up to a multiple of WIDTH, where
 * from(i, c) is from[i * row + c * column]. A matrix is the same in any layout. */

typedef struct matrix {
    const T *at;
    int64_t row, column;
} matrix;

static ALWAYS_INLINE void pack_contiguous(const T *from, int64_t column, int rows, int64_t count, T *to, int64_t to_row)
{
    for (int64_t c = 0; c < count; c++, from += column, to += to_row)
        for (int i = 0; i < rows; i += WIDTH) {
            __builtin_prefetch(from + PACK_COLUMNS * column + i);
            store(to + i, load_at(from, i, rows));
        }
}

static void pack_strided(matrix from, int rows, int64_t count, T *to, int64_t to_row)
{
    const int padded = (rows + WIDTH - 1) / WIDTH * WIDTH;
    for (int64_t c = 0; c < count; c++, from.at += from.column, to += to_row)
        for (int i = 0; i < padded; i++)
            to[i] = i < rows ? from.at[i * from.row] : 0;
}

static void pack(const T *from, int64_t row, int64_t column, int rows, int64_t count, T *to, int64_t to_row)
{
    if (row == 1) {
        pack_contiguous(from, column, rows, count, to, to_row);
    } else if (column == 1) {
        for (int64_t c = 0; c < count; c += WIDTH)
            for (int i = 0; i < rows; i += WIDTH)
                transpose_to_rows(from + i * row + c, row, rows - i, count - c, to + c * to_row + i, to_row);
    } else {
        pack_strided((matrix){from, row, column}, rows, count, to, to_row);
    }
}

/* Packs at most WIDTH / 2 rows with contiguous elements: to[c * (WIDTH / 2) + i] = from(i, c). May write up to a
 * register after the end. */
static void pack_half_width(const T *from, int64_t row, int rows, int64_t count, T *to)
{
    for (int64_t c = 0; c < count; c += WIDTH)
        transpose_some((short_rows){from + c, row, rows, count - c}, WIDTH / 2, to + c * (WIDTH / 2), WIDTH / 2);
}

#endif
