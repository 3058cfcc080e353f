/* kernels/matmul/pair_tiles.h - strips of C by the register tiles of tile.h that sum dot products of pairs. */
#ifndef HEED_KERNELS_MATMUL_PAIR_TILES_H
#define HEED_KERNELS_MATMUL_PAIR_TILES_H

#include "kernels/matmul/by_tiles.h"
#include "kernels/matmul/strip.h"

static void pack_b_pairs(strip *s, int64_t k, int64_t terms, T *panels)
{
    for (int64_t j = 0; j < s->columns; j += TILE_COLUMNS) {
        const pair_source from = columns_of_b(s, k, j);
        pack_pairs(&from, (int)min_i64(s->columns - j, TILE_COLUMNS), terms, panels, TILE_COLUMNS,
                   s->special_columns + j);
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
            pack_pairs(&from, here, terms, packed.a, PACKED_ROWS, s->special_rows + i);
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
            pair_tile_for(here, vectors)(&t);
        }
    }
}

#endif
