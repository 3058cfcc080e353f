/* kernels/attention/queries.h - dot-product attention: queries side by side in the lanes of registers, the keys that
 * they see, and dropout.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_QUERIES_H
#define HEED_KERNELS_ATTENTION_QUERIES_H

#include <math.h>
#include <string.h>

#include "kernels/attention/dense_tile.h"
#include "kernels/attention/pairs.h"
#include "kernels/elementwise/dropout.h"
#include "kernels/kernels.h"
#include "kernels/matmul/pack.h"
#include "kernels/simd/wide.h"

/* -- Scale --------------------------------------------------------------------------------------------------------- */

/* A scale of up to 1 multiplies q. A larger scale multiplies the scores after the largest one has been subtracted, so
 * that they do not overflow. */
static T scale_of_queries(const heed__attention_args *s)
{
    return (T)(fabs(s->scale) <= 1 ? s->scale : copysign(1, s->scale));
}

static T scale_of_scores(const heed__attention_args *s)
{
    return fabs(s->scale) <= 1 ? 1 : (T)fmin(fabs(s->scale), (double)LARGEST);
}

/* -- Tiles of queries ---------------------------------------------------------------------------------------------- */

/* Queries of a tile, which depend on the instruction set, and of a group of tiles, which do not. */
enum { QUERY_TILE = TILE_COLUMNS, QUERY_GROUP = 2 * LANES };
_Static_assert(HEED_MATMUL_COLUMNS % QUERY_GROUP == 0, "a block of queries must consist of whole groups");

/* A tile of queries, one per lane: `count` queries from `first` on, in one or two registers; unused lanes hold 0.
 * Matrices of a tile have rows of QUERY_TILE numbers. Tiles are parts of groups of queries, which begin with multiples
 * of QUERY_GROUP. If a decision that concerns several queries changes bits, it is made per group. */
typedef struct query_tile {
    int64_t first;
    int count, vectors;
    int64_t min_length;         /* the minimal end of the range of keys that a query of the group sees */
    int64_t max_length;         /* the maximal end of the range of keys that a query of the tile sees */
    uint32_t any_visible;       /* with score biases: one bit per query, set if it sees a key */
    const T *q_pairs, *g_pairs; /* may be NULL; g_pairs: in backward */
} query_tile;
_Static_assert(QUERY_TILE <= 32, "query_tile.any_visible must have a bit per query");

static query_tile query_tile_of(const heed__attention_args *s, int64_t first, int64_t end)
{
    const int64_t group = first - first % QUERY_GROUP, group_end = min_i64(end, group + QUERY_GROUP);
    query_tile tile = {.first = first, .min_length = s->keys};
    tile.count = (int)min_i64(end - first, QUERY_TILE);
    tile.vectors = tile.count > WIDTH ? 2 : 1;
    for (int64_t i = group; i < group_end; i++) {
        const int64_t length = heed__visible_range(&s->visibility, i).end;
        tile.min_length = length < tile.min_length ? length : tile.min_length;
        if (i >= first && i < first + tile.count && length > tile.max_length)
            tile.max_length = length;
    }
    return tile;
}

/* True if no query of the tile sees any of `keys` keys from `first` on. */
static bool is_fully_masked(const heed__attention_args *s, const query_tile *tile, int64_t first, int64_t keys)
{
    return tile->max_length <= first || heed__visible_range(&s->visibility, tile->first).begin >= first + keys;
}

/* visible[l]: the number of the `keys` keys from `first` on that the query in lane l sees. */
static void count_visible(const heed__attention_args *s, const query_tile *tile, int64_t first, int64_t keys,
                          SIGNED_BITS *visible)
{
    for (int l = 0; l < QUERY_TILE; l++) {
        int64_t n = l < tile->count ? heed__visible_range(&s->visibility, tile->first + l).end - first : 0;
        visible[l] = (SIGNED_BITS)(n < 0 ? 0 : n < keys ? n : keys);
    }
}

static ALWAYS_INLINE vec_mask is_visible(const SIGNED_BITS *visible, int64_t key)
{
    vec_mask n;
    memcpy(&n, visible, sizeof n);
    return n > (vec_mask){0} + (SIGNED_BITS)key;
}

/* The queries of a tile side by side: numbers[c][l] = factor x[l][c], and the same as pairs, or NULL. */
typedef struct packed_queries {
    const T *numbers, *pairs;
} packed_queries;

/* Fills `packed`. Returns the pairs, stored in `buffer`, or NULL; buffer is NULL if pairs are not needed. */
static const T *pack_queries(row_matrix x, const query_tile *tile, int64_t columns, T factor, T *packed, T *buffer)
{
    pack(x.at + tile->first * x.row, x.row, 1, tile->count, columns, packed, QUERY_TILE);
    for (int64_t c = 0; c < columns && factor != 1; c++)
        for (int l = 0; l < tile->vectors * WIDTH; l++)
            packed[c * QUERY_TILE + l] *= factor;
    const row_matrix numbers = {packed, QUERY_TILE};
    return buffer ? pairs_across(numbers, columns, tile->vectors * WIDTH, GIVEN, buffer, QUERY_TILE).at : NULL;
}

/* y[l][c] = packed[c][l] */
static void unpack_queries(const T *packed, const query_tile *tile, int64_t columns, T *y, int64_t row)
{
    int64_t whole = columns / WIDTH * WIDTH;
    y += tile->first * row;
    pack(packed, QUERY_TILE, 1, (int)whole, tile->count, y, row);
    for (int l = 0; l < tile->count; l++)
        for (int64_t c = whole; c < columns; c++)
            y[l * row + c] = packed[c * QUERY_TILE + l];
}

/* The keys and the values from key `first` on. */
static row_matrix keys_from(const heed__attention_args *s, int64_t first)
{
    return (row_matrix){(const T *)s->k + first * s->k_row, s->k_row};
}

static row_matrix values_from(const heed__attention_args *s, int64_t first)
{
    return (row_matrix){(const T *)s->v + first * s->v_row, s->v_row};
}

/* Keys or values of n numbers, as numbers and as pairs along the row. */
typedef struct key_rows {
    int64_t n;
    row_matrix numbers, pairs;
} key_rows;

/* scores[j][l] = a_j . packed[:][l] for `rows` rows a_j, with `stride` between rows of scores. */
static void score_tile(const key_rows *a, int64_t rows, packed_queries packed, int vectors, T *scores, int64_t stride)
{
    const bool by_pairs = a->pairs.at && packed.pairs;
    const row_matrix of = by_pairs ? a->pairs : a->numbers;
    const tile_args t = {.k = by_pairs ? pairs_in(a->n) : a->n,
                         .a = of.at,
                         .a_row = of.row,
                         .a_col = 1,
                         .b = by_pairs ? packed.pairs : packed.numbers,
                         .b_row = QUERY_TILE,
                         .c = scores,
                         .c_row = stride};
    multiply_dense(t, rows, vectors, by_pairs ? PAIRS : NUMBERS);
}

/* -- Dropout ------------------------------------------------------------------------------------------------------- */

/* factors[j][l] = 0 for a dropped weight, else the factor of the weight. `rows` holds QUERY_TILE x KEYS elements. */
static void dropout_factors_of_tile(const heed__attention_args *s, const query_tile *tile, int64_t first, int64_t keys,
                                    T *rows, T *factors)
{
    const uint32_t threshold = (uint32_t)s->dropout->threshold;
    const T factor = (T)s->dropout->factor;
    for (int l = 0; l < tile->count; l++) {
        uint32_t words[DROPOUT_WORDS];
        int64_t element = s->first + (tile->first + l) * s->keys + first, skip = element % 4;
        dropout_words(s->dropout, element / 4, (skip + keys + 3) / 4, words);
        for (int64_t j = 0; j < keys; j++)
            rows[l * HEED_ATTENTION_KEYS + j] = words[skip + j] < threshold ? 0 : factor;
    }
    pack(rows, HEED_ATTENTION_KEYS, 1, tile->count, keys, factors, QUERY_TILE);
}

static ALWAYS_INLINE vec apply_dropout(vec x, const T *factors)
{
    vec factor = load(factors);
    return select_vec(factor == (vec){0}, (vec){0}, x * factor);
}

/* -- Infinities and NaN -------------------------------------------------------------------------------------------- */

static bool is_finite(int64_t n, const T *x)
{
    vec sum = {0}; /* of zeros, or NaN */
    int64_t i = 0;
    for (; i + WIDTH <= n; i += WIDTH)
        sum += load(x + i) - load(x + i);
    T rest = add_lanes(sum);
    for (; i < n; i++)
        rest += x[i] - x[i];
    return rest == 0;
}

static bool are_finite(int64_t rows, int64_t n, row_matrix x)
{
    bool finite = true;
    for (int64_t i = 0; i < rows && finite; i++)
        finite = is_finite(n, x.at + i * x.row);
    return finite;
}

#endif
