/* kernels/matmul/in_place.h - products by tiles that read B in place: several tiles of rows use a few columns of B
 * before the next columns. */
#ifndef HEED_KERNELS_MATMUL_IN_PLACE_H
#define HEED_KERNELS_MATMUL_IN_PLACE_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/tile.h"

enum {
    IN_PLACE_TILES = VECTOR_BYTES == 64 ? 2 : 1, /* tiles, one below the other, that share some columns of a large B */
    IN_PLACE_CHAIN = 256,                        /* inner indices summed before they are added to C, for accuracy */
    IN_PLACE_FAR = 1 << 22, /* a B of more bytes is hardly in a cache, and the CPU does not predict reads of its rows */
    IN_PLACE_PREFETCHED = 32, /* such a B is prefetched by this number of rows ahead */
};

/* B is read in place if it has at most IN_PLACE_NARROW columns, or at most IN_PLACE_NEAR bytes, which stay in the
 * first-level cache. Both limits are lower if the last register of a row must be read number by number. */
#if defined(HAVE_PARTIAL_MEMORY)
enum { IN_PLACE_NARROW = TILE_COLUMNS, IN_PLACE_NEAR = 1 << 15 };
#else
enum { IN_PLACE_NARROW = 0, IN_PLACE_NEAR = 1 << 14 };
#endif

/* True if B is read in place: its rows are contiguous, and it is narrow, small, or used by few tiles. */
static bool in_place(const heed__matmul_args *s)
{
    const int64_t bytes = s->k * s->n * (int64_t)sizeof(T);
    return s->b_col == 1 && (s->n <= IN_PLACE_NARROW || bytes <= IN_PLACE_NEAR || s->m <= IN_PLACE_TILES * TILE_ROWS);
}

/* Computes `rows` rows and `columns` columns of C: with a single wide tile if it has exactly this width, otherwise with
 * tiles of at most TILE_COLUMNS columns, for which it advances t->b and t->c. */
static ALWAYS_INLINE void multiply_tile_in_place(tile_args *t, int64_t rows, int64_t columns, int64_t chain)
{
    const wide_tile wide = wide_tile_for(rows);
    t->last = WIDTH;
    if (wide.run && columns == wide.vectors * WIDTH) {
        run_tile(wide.run, t, chain);
        return;
    }
    for (int64_t j = 0; j < columns; j += TILE_COLUMNS, t->b += TILE_COLUMNS, t->c += TILE_COLUMNS) {
        const int vectors = registers_for(min_i64(columns - j, TILE_COLUMNS), &t->last);
        run_tile(tile_for(rows, vectors, t->last == WIDTH), t, chain);
    }
}

static void multiply_in_place(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain)
{
    const bool far = s->k * s->n * (int64_t)sizeof(T) > IN_PLACE_FAR;
    const int64_t tiles = tiles_in(p->i1 - p->i0), height = (p->i1 - p->i0 + tiles - 1) / tiles;
    const int64_t rows = far ? IN_PLACE_TILES * height : height; /* rows that share columns of B */
    const wide_tile wide = wide_tile_for(height);
    const int64_t columns = wide.run ? wide.vectors * WIDTH : TILE_COLUMNS;
    tile_args t = {.k = s->k, .a_row = s->a_row, .a_col = s->a_col, .b_row = s->b_row, .c_row = s->n};
    t.b_ahead = far ? IN_PLACE_PREFETCHED * s->b_row : 0;
    for (int64_t i = p->i0; i < p->i1; i += rows) {
        const int64_t end = min_i64(p->i1, i + rows);
        for (int64_t j = p->j0; j < p->j1; j += columns)
            for (int64_t r = i; r < end; r += height) {
                t.a = (const T *)s->a + r * s->a_row;
                t.b = (const T *)s->b + j;
                t.c = (T *)s->c + r * s->n + j;
                multiply_tile_in_place(&t, min_i64(end - r, height), min_i64(p->j1 - j, columns), chain);
            }
        epilogue(s, p, i, end - i);
    }
}

#endif
