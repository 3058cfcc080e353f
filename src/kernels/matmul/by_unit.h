/* kernels/matmul/by_unit.h - blocks of C by a unit that multiplies matrices of bf16. A tile of A has 16 rows of 16
 * pairs of bf16, a tile of B has 16 rows of 16 pairs, one pair per column, and a tile of C has 16 x 16 f32. The unit
 * holds 8 tiles: 2 x 2 tiles of C, which are a block, 2 of A and 2 of B.
 *
 * A packed matrix consists of groups of 16 rows of A or 16 columns of B. A group contains the tiles of the first pieces
 * of its numbers, in the order of k, then, if numbers are split into two bf16, the tiles of the second pieces. Of the
 * four products of two split numbers, three are computed: the fourth, of the second pieces, is at most 2^-16 of the
 * whole (Henry, Tang, Heinecke 2019, "Leveraging the bfloat16 artificial intelligence datatype for higher-precision
 * computations").
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_UNIT_H
#define HEED_KERNELS_MATMUL_BY_UNIT_H

#include <string.h>

#include "kernels/isa/amx.h"
#include "kernels/matmul/strip.h"
#include "kernels/simd/arena.h"

enum {
    UNIT_SIDE = 16,
    UNIT_TERMS = 2 * UNIT_SIDE,        /* inner indices of a tile */
    UNIT_TILE = UNIT_SIDE * UNIT_SIDE, /* elements of a tile, each of the size of an f32 */
    UNIT_BLOCK = 2 * UNIT_SIDE
};
_Static_assert((int)UNIT_SIDE == (int)HEED_MATMUL_GROUP && (int)UNIT_BLOCK == (int)HEED_MATMUL_COLUMNS,
               "groups and panels must match the units that are computed again");

typedef struct unit_block {
    const T *a, *b; /* the first of two groups of A, and of two groups of B */
    int64_t steps;  /* tiles per group and piece */
    int64_t group;  /* elements of a group */
    T *c;
    int64_t c_row;
    bool add; /* add to the contents of C */
} unit_block;

/* -- Packing ------------------------------------------------------------------------------------------------------- */

/* Packs a tile whose rows are 1 element apart (s->row is 1): packs the pairs of all rows side by side, then transposes
 * them. */
static void pack_unit_transposed(const pair_source *s, int rows, int64_t terms, T *to, bool *special)
{
    _Alignas(VECTOR_BYTES) T transposed[UNIT_TILE];
    const int64_t pairs = (min_i64(terms, UNIT_TERMS) + 1) / 2;
    pack_pairs(s, rows, (packed_pairs){min_i64(terms, UNIT_TERMS), transposed, UNIT_SIDE, special});
    for (int64_t i = 0; i < UNIT_SIDE; i += WIDTH)
        for (int64_t j = 0; j < rows; j += WIDTH)
            transpose_to_rows(transposed + i * UNIT_SIDE + j, UNIT_SIDE, (int)(pairs - i), rows - j,
                              to + j * UNIT_SIDE + i, UNIT_SIDE);
}

/* Packs a tile row by row. If any row has special numbers, marks the first one, because all rows belong to one
 * group. */
static void pack_unit_rows(const pair_source *s, int rows, int64_t terms, T *to, bool *special)
{
    vec_bits signs = {0};
    for (int i = 0; i < rows; i++)
        for (int64_t c = 0; c < UNIT_TERMS; c += 2 * WIDTH)
            store(to + i * UNIT_SIDE + c / 2,
                  c < terms ? pairs_of_row(s, i, c, terms - c, &signs, s->piece) : (vec){0});
    special[0] |= any_sign(signs);
}

/* Packs a group of up to 16 rows of A. */
static void pack_unit_a(pair_source s, int pieces, int64_t rows, int64_t terms, T *to, bool *special)
{
    const int here = (int)min_i64(rows, UNIT_SIDE);
    for (s.piece = 0; s.piece < pieces; s.piece++) {
        pair_source tile = s;
        for (int64_t k = 0; k < terms; k += UNIT_TERMS, to += UNIT_TILE, tile.from += UNIT_TERMS * s.column) {
            if (here < UNIT_SIDE)
                memset(to, 0, UNIT_TILE * sizeof(T));
            if (here > 0)
                (s.row == 1 ? pack_unit_transposed : pack_unit_rows)(&tile, here, terms - k, to, special);
        }
    }
}

/* Packs a group of up to 16 columns of B. */
static void pack_unit_b(pair_source s, int pieces, int64_t columns, int64_t terms, T *to, bool *special)
{
    const int64_t steps = (terms + UNIT_TERMS - 1) / UNIT_TERMS, pairs = (terms + 1) / 2;
    for (s.piece = 0; s.piece < pieces; s.piece++, to += steps * UNIT_TILE) {
        const int64_t packed = columns < UNIT_SIDE ? 0 : pairs;
        memset(to + packed * UNIT_SIDE, 0, (size_t)(steps * UNIT_TILE - packed * UNIT_SIDE) * sizeof(T));
        if (columns > 0)
            pack_pairs(&s, (int)min_i64(columns, UNIT_SIDE), (packed_pairs){terms, to, UNIT_SIDE, special});
    }
}

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

static void begin_block(const unit_block *u)
{
    if (u->add) {
        UNIT_LOAD(0, u->c, u->c_row);
        UNIT_LOAD(1, u->c + UNIT_SIDE, u->c_row);
        UNIT_LOAD(2, u->c + UNIT_SIDE * u->c_row, u->c_row);
        UNIT_LOAD(3, u->c + UNIT_SIDE * u->c_row + UNIT_SIDE, u->c_row);
    } else {
        UNIT_ZERO(0);
        UNIT_ZERO(1);
        UNIT_ZERO(2);
        UNIT_ZERO(3);
    }
}

/* Adds the products of tiles 4 and 5, which are of A, and tiles 6 and 7, which are of B, to tiles 0 to 3. Loads every
 * tile just before it is needed. */
static ALWAYS_INLINE void add_unit_products(const T *a, const T *b, int64_t group)
{
    UNIT_LOAD(4, a, UNIT_SIDE);
    UNIT_LOAD(6, b, UNIT_SIDE);
    UNIT_ADD_PRODUCT(0, 4, 6);
    UNIT_LOAD(7, b + group, UNIT_SIDE);
    UNIT_ADD_PRODUCT(1, 4, 7);
    UNIT_LOAD(5, a + group, UNIT_SIDE);
    UNIT_ADD_PRODUCT(2, 5, 6);
    UNIT_ADD_PRODUCT(3, 5, 7);
}

/* `pieces` is 1 or 2; with 2, three of the four products of pieces are added. */
static void multiply_block_by_unit(const unit_block *u, int pieces)
{
    const T *a = u->a, *b = u->b;
    const int64_t second = u->steps * UNIT_TILE;
    begin_block(u);
    for (int64_t step = 0; step < u->steps; step++, a += UNIT_TILE, b += UNIT_TILE) {
        add_unit_products(a, b, u->group);
        if (pieces > 1) {
            add_unit_products(a, b + second, u->group);
            add_unit_products(a + second, b, u->group);
        }
    }
    UNIT_STORE(0, u->c, u->c_row);
    UNIT_STORE(1, u->c + UNIT_SIDE, u->c_row);
    UNIT_STORE(2, u->c + UNIT_SIDE * u->c_row, u->c_row);
    UNIT_STORE(3, u->c + UNIT_SIDE * u->c_row + UNIT_SIDE, u->c_row);
}

/* Computes a block that extends beyond C's rows or columns: computes it in `buffer` and copies `rows` rows and
 * `columns` columns to C. */
static void multiply_edge_by_unit(unit_block u, int pieces, int64_t rows, int64_t columns, T *buffer)
{
    T *c = u.c;
    const int64_t c_row = u.c_row;
    for (int64_t i = 0; u.add && i < rows; i++)
        memcpy(buffer + i * UNIT_BLOCK, c + i * c_row, (size_t)columns * sizeof(T));
    u.c = buffer;
    u.c_row = UNIT_BLOCK;
    multiply_block_by_unit(&u, pieces);
    for (int64_t i = 0; i < rows; i++)
        memcpy(c + i * c_row, buffer + i * UNIT_BLOCK, (size_t)columns * sizeof(T));
}

/* Packed matrices: the groups of all columns, those of a block's rows, and an incomplete block of C. */
typedef struct unit_panels {
    int64_t steps, group; /* as in unit_block */
    T *b, *a, *c;
} unit_panels;

static unit_panels unit_panels_of(int64_t columns, int pieces, int64_t terms, arena *a)
{
    unit_panels panels = {.steps = (terms + UNIT_TERMS - 1) / UNIT_TERMS};
    panels.group = pieces * panels.steps * UNIT_TILE;
    panels.b = take_array(a, (columns + UNIT_BLOCK - 1) / UNIT_BLOCK * 2 * panels.group, sizeof(T));
    panels.a = take_array(a, 2 * panels.group, sizeof(T));
    panels.c = take_array(a, UNIT_BLOCK * UNIT_BLOCK, sizeof(T));
    return panels;
}

/* Multiplies inner indices k .. k + terms - 1 for all rows of the strip. */
__attribute__((noinline)) static void multiply_by_unit(strip *s, int64_t k, int64_t terms, T *scratch)
{
    const unit_panels panels = unit_panels_of(s->columns, s->pieces, terms, &(arena){.base = scratch});
    for (int64_t j = 0; j < s->columns || j % UNIT_BLOCK != 0; j += UNIT_SIDE)
        pack_unit_b(columns_of_b(s, k, j), s->pieces, s->columns - j, terms, panels.b + j / UNIT_SIDE * panels.group,
                    s->special_columns + j);
    unit_begin();
    for (int64_t i = 0; i < s->rows; i += UNIT_BLOCK) {
        for (int64_t l = i; l < i + UNIT_BLOCK; l += UNIT_SIDE)
            pack_unit_a(rows_of_a(s, k, l), s->pieces, s->rows - l, terms,
                        panels.a + (l - i) / UNIT_SIDE * panels.group, s->special_rows + l);
        const int64_t rows = min_i64(s->rows - i, UNIT_BLOCK);
        for (int64_t j = 0; j < s->columns; j += UNIT_BLOCK) {
            const int64_t columns = min_i64(s->columns - j, UNIT_BLOCK);
            const unit_block u = {.a = panels.a,
                                  .b = panels.b + j / UNIT_SIDE * panels.group,
                                  .steps = panels.steps,
                                  .group = panels.group,
                                  .c = c_of(s, i, j),
                                  .c_row = s->args.n,
                                  .add = k > 0};
            if (rows == UNIT_BLOCK && columns == UNIT_BLOCK)
                multiply_block_by_unit(&u, s->pieces);
            else
                multiply_edge_by_unit(u, s->pieces, rows, columns, panels.c);
        }
    }
    unit_end();
}

#endif
