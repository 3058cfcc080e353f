/* kernels/matmul/by_tiles.h - products by register tiles. They read B in place, or HEED_MATMUL_K inner indices at a
 * time from panels of two registers' width, to which the columns of B are copied. The rows of A are then copied to
 * panels of a tile's height if tiles would read them slowly in place. If tiles can read a matrix before it is copied,
 * the first tiles that read it also copy it, which hides the time for copying.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_BY_TILES_H
#define HEED_KERNELS_MATMUL_BY_TILES_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/matmul/path.h"
#include "kernels/matmul/tile.h"
#include "kernels/simd/arena.h"

/* IN_PLACE_FAR, IN_PLACE_PREFETCHED and STRIDED_A_BYTES were measured as the constants of path.h: neither half nor
 * twice the value is faster by more than the noise of 5 %. */
enum {
    FAR_TILES = VECTOR_BYTES == 64 ? 2 : 1, /* tiles, one below the other, that share some columns of a far B */
    IN_PLACE_FAR = 1 << 22, /* a B of more bytes is hardly in a cache, and the CPU does not predict reads of its rows */
    IN_PLACE_PREFETCHED = 32, /* such a B is prefetched by this number of rows ahead */
};

/* The registers of this instruction set. */
static const matmul_registers registers = {
    .width = WIDTH,
    .bytes = sizeof(T),
    .tile_rows = TILE_ROWS,
#if defined(HAVE_PARTIAL_MEMORY)
    .partial_memory = true,
#endif
#if defined(HAVE_PAIRS)
    .pairs = true,
#endif
};

enum {
    A_PANELS = 4,          /* panels of A packed at a time */
    L1_ALIAS_BYTES = 4096, /* rows at this distance map to the same sets of the first-level cache */
    /* If the rows of A are not contiguous, A is packed if it spans more bytes than this number divided by the number of
     * B's panels. */
    STRIDED_A_BYTES = 1 << 19,
};

/* Which matrices are copied, and the layout of B for the tiles. */
typedef struct matmul_plan {
    bool pack_a, pack_b;
    bool chained;    /* the order of sums is BY_CHAINS */
    bool half_width; /* rows of packed B have WIDTH / 2 elements instead of TILE_COLUMNS */
    int64_t chain;   /* inner indices after which the sums of a tile are added to C */
} matmul_plan;

static int64_t b_panels_in(int64_t columns)
{
    return (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

/* The order of sums is the same for every range. A is packed only if B is packed and has more than two panels. A with
 * contiguous rows is then packed only if all rows map to the same sets of the first-level cache; any other A is read in
 * place if it is small relative to the number of times it is read. */
static matmul_plan plan_of(const heed__matmul_args *s, const heed__matmul_range *p, matmul_path path, int64_t chain)
{
    const int64_t size = sizeof(T), b_panels = b_panels_in(p->j1 - p->j0);
    bool collides = s->a_row * size % L1_ALIAS_BYTES == 0 && p->i1 - p->i0 > 4;
    matmul_plan plan = {.pack_b = path >= PACKED, .half_width = path == PACKED_NARROW};
    plan.chained = has_chains(s, &registers);
    plan.chain = plan.chained ? min_i64(chain, MATMUL_CHAIN) : chain;
    plan.pack_a =
        plan.pack_b && b_panels > 2 && (s->a_col == 1 ? collides : s->k * s->a_col * size > STRIDED_A_BYTES / b_panels);
    return plan;
}

/* The number of elements between successive inner indices in the B that tiles read, packed or in place. */
static int64_t tile_b_row(const heed__matmul_args *s, matmul_plan plan)
{
    return plan.half_width ? WIDTH / 2 : plan.pack_b ? TILE_COLUMNS : s->b_row;
}

/* to[block][c][i] = element (block * height + i, c) of `from`, for blocks of `height` rows i and `count` columns c,
 * with a step of to_row between columns. Unless the rows of `from` are contiguous, packs PACK_COLUMNS columns of all
 * blocks before the next columns. */
static void pack_blocks(matrix from, int64_t rows, int64_t height, int64_t count, T *to, int64_t to_row)
{
    const int64_t some = from.column == 1 ? count : PACK_COLUMNS;
    for (int64_t c = 0; c < count; c += some)
        for (int64_t i = 0; i < rows; i += height)
            pack(from.at + i * from.row + c * from.column, from.row, from.column, (int)min_i64(rows - i, height),
                 min_i64(count - c, some), to + (i / height * count + c) * to_row, to_row);
}

/* Packs the columns of B in the range, for the inner indices k .. k + depth - 1. */
static void pack_b(const heed__matmul_args *s, const heed__matmul_range *p, int64_t k, int64_t depth, bool half_width,
                   T *b_panels)
{
    const T *b = (const T *)s->b + k * s->b_row + p->j0 * s->b_col;
    if (half_width)
        pack_half_width(b, s->b_col, (int)(p->j1 - p->j0), depth, b_panels);
    else
        pack_blocks((matrix){b, s->b_col, s->b_row}, p->j1 - p->j0, TILE_COLUMNS, depth, b_panels, TILE_COLUMNS);
}

/* Packed matrices: B's columns of a range, and A_PANELS panels of A, for at most `depth` inner indices. */
typedef struct packed_panels {
    T *b, *a;
} packed_panels;

static packed_panels packed_panels_of(int64_t columns, int64_t depth, arena *a)
{
    packed_panels panels = {0};
    panels.b = take_array(a, b_panels_in(columns) * TILE_COLUMNS * depth, sizeof(T));
    panels.a = take_array(a, A_PANELS * PACKED_ROWS * depth, sizeof(T));
    return panels;
}

/* A range of inner indices of a product, for all rows and columns of the range. */
typedef struct depth_block {
    const heed__matmul_args *s;
    const heed__matmul_range *p;
    matmul_plan plan;
    int64_t k, depth;            /* inner indices k .. k + depth - 1 */
    bool a_by_tiles, b_by_tiles; /* packed by the tiles of the first panel of B, and of the first rows */
    packed_panels packed;
} depth_block;

/* Packs the columns of B that no tile packs: all of them, or the last panel if it is incomplete. */
static void pack_rest_of_b(const depth_block *d)
{
    heed__matmul_range rest = *d->p;
    const int64_t columns = rest.j1 - rest.j0, before = d->b_by_tiles ? columns - columns % TILE_COLUMNS : 0;
    rest.j0 += before;
    if (rest.j0 < rest.j1)
        pack_b(d->s, &rest, d->k, d->depth, d->plan.half_width, d->packed.b + before * d->depth);
}

/* Multiplies `rows` rows of A, whose address is in t, by the panel of B that begins at column j of the range. `first`:
 * these are the first rows, whose tiles may pack B. */
static void multiply_tile(const depth_block *d, tile_args t, int64_t rows, int64_t j, bool first)
{
    const int64_t columns = min_i64(d->p->j1 - d->p->j0 - j, TILE_COLUMNS);
    const int vectors = registers_for(columns, &t.last);
    T *panel = d->packed.b + j * d->depth;
    const bool packs_b = first && d->b_by_tiles && columns == TILE_COLUMNS;
    t.b = packs_b ? (const T *)d->s->b + d->k * d->s->b_row + d->p->j0 + j : panel;
    t.b_row = packs_b ? d->s->b_row : tile_b_row(d->s, d->plan);
    t.b_panel = packs_b ? panel : NULL;
    run_tile(tile_for(packs_b || t.a_panel ? PACKING_TILE : WHOLE_TILE, rows, vectors), &t, d->plan.chain);
}

/* Multiplies `rows` rows by all panels of B; t is the first tile, which packs A if t.a_panel is not NULL. */
static void multiply_a_panel(const depth_block *d, tile_args t, int64_t rows, bool first)
{
    for (int64_t j = 0; j < d->p->j1 - d->p->j0; j += TILE_COLUMNS, t.c += TILE_COLUMNS) {
        multiply_tile(d, t, rows, j, first);
        if (t.a_panel) {
            t.a = t.a_panel;
            t.a_col = PACKED_ROWS;
            t.a_panel = NULL;
        }
    }
}

/* Multiplies all rows of the range by d's part of B: A_PANELS panels of A at a time. */
static void multiply_depth(const depth_block *d)
{
    const heed__matmul_args *s = d->s;
    const heed__matmul_range *p = d->p;
    const int64_t rows = p->i1 - p->i0, a_panels = tiles_in(rows);
    const int64_t height = (rows + a_panels - 1) / a_panels, most = A_PANELS * height;
    const bool packed = d->plan.pack_a && !d->a_by_tiles;
    tile_args t = {.k = d->depth, .c_row = s->n, .add = d->k > 0};
    t.a_row = packed ? 1 : s->a_row;
    t.a_col = packed ? PACKED_ROWS : s->a_col;
    pack_rest_of_b(d);
    for (int64_t i = p->i0; i < p->i1; i += most) {
        const int64_t here = min_i64(p->i1 - i, most);
        const T *a = (const T *)s->a + i * s->a_row + d->k * s->a_col;
        if (packed)
            pack_blocks((matrix){a, s->a_row, s->a_col}, here, height, d->depth, d->packed.a, PACKED_ROWS);
        for (int64_t r = 0; r < here; r += height) {
            T *panel = d->packed.a + r / height * PACKED_ROWS * d->depth;
            t.a = packed ? panel : a + r * s->a_row;
            t.a_panel = d->a_by_tiles ? panel : NULL;
            t.c = (T *)s->c + (i + r) * s->n + p->j0;
            multiply_a_panel(d, t, min_i64(here - r, height), i + r == p->i0);
        }
        if (d->k + d->depth == s->k)
            epilogue(s, p, i, here);
    }
}

static void multiply_tiles(const heed__matmul_args *s, const heed__matmul_range *p, matmul_plan plan, T *scratch)
{
    /* No pass cuts a chain, because the length of a chain divides MATMUL_CHAIN. */
    const int64_t passes = (s->k + HEED_MATMUL_K - 1) / HEED_MATMUL_K;
    const int64_t depth = plan.chained ? min_i64(s->k, MATMUL_CHAIN) : s->k / passes,
                  deeper = plan.chained ? 0 : s->k % passes; /* the first passes, which have one more inner index */
    depth_block d = {.s = s,
                     .p = p,
                     .plan = plan,
                     .a_by_tiles = plan.pack_a && s->a_row == 1,
                     .b_by_tiles = s->b_col == 1 && !plan.half_width,
                     .packed = packed_panels_of(p->j1 - p->j0, depth + (deeper > 0), &(arena){.base = scratch})};
    for (int64_t pass = 0; d.k < s->k; pass++, d.k += d.depth) {
        d.depth = min_i64(s->k - d.k, depth + (pass < deeper));
        multiply_depth(&d);
    }
}

/* -- In place: several tiles of rows use a few columns of B before the next columns -------------------------------- */

static void multiply_in_place(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain)
{
    const bool far = s->k * s->n * (int64_t)sizeof(T) > IN_PLACE_FAR;
    const int64_t tiles = tiles_in(p->i1 - p->i0), height = (p->i1 - p->i0 + tiles - 1) / tiles;
    const int64_t rows = far ? FAR_TILES * height : height; /* rows that share columns of B */
    tile_args t = {.k = s->k, .a_row = s->a_row, .a_col = s->a_col, .b_row = s->b_row, .c_row = s->n};
    t.b_ahead = far ? IN_PLACE_PREFETCHED * s->b_row : 0;
    for (int64_t i = p->i0; i < p->i1; i += rows) {
        const int64_t end = min_i64(p->i1, i + rows);
        for (int64_t j = p->j0; j < p->j1; j += TILE_COLUMNS) {
            const int vectors = registers_for(min_i64(p->j1 - j, TILE_COLUMNS), &t.last);
            t.b = (const T *)s->b + j;
            for (int64_t r = i; r < end; r += height) {
                t.a = (const T *)s->a + r * s->a_row;
                t.c = (T *)s->c + r * s->n + j;
                run_tile(tile_for(t.last == WIDTH ? WHOLE_TILE : EDGE_TILE, min_i64(end - r, height), vectors), &t,
                         chain);
            }
        }
        epilogue(s, p, i, end - i);
    }
}

/* -- Batches of small products: tiles have the same offsets in every batch element, so they are planned only once -- */

enum { BATCH_TILES = 8 };

/* The offsets of a tile in a batch element. */
typedef struct batch_tile {
    tile_fn *run;
    int64_t a, b, c;
    int last;
} batch_tile;

/* Plans the tiles of a batch element and returns their number. Returns 0 if there are more than BATCH_TILES tiles, if A
 * must be packed, or if B must be packed in more than one pass. */
static int plan_batch_tiles(const heed__matmul_args *s, const heed__matmul_range *p, matmul_plan plan,
                            batch_tile *tiles)
{
    const int64_t columns = p->j1 - p->j0, rows = p->i1 - p->i0;
    const int64_t a_panels = tiles_in(rows), b_panels = b_panels_in(columns);
    if (a_panels > BATCH_TILES || b_panels > BATCH_TILES || a_panels * b_panels > BATCH_TILES ||
        (plan.pack_b && (plan.pack_a || s->k > HEED_MATMUL_K)))
        return 0;
    int n = 0;
    for (int64_t a_panel = 0, i = p->i0; a_panel < a_panels; a_panel++) {
        int64_t here = rows / a_panels + (a_panel < rows % a_panels);
        for (int64_t j = p->j0, done; j < p->j1; j += done, n++) {
            batch_tile *t = &tiles[n];
            done = min_i64(p->j1 - j, TILE_COLUMNS);
            const int vectors = registers_for(done, &t->last);
            t->run = tile_for(plan.pack_b || t->last == WIDTH ? WHOLE_TILE : EDGE_TILE, here, vectors);
            t->a = i * s->a_row;
            t->b = plan.pack_b ? (j - p->j0) * s->k : j;
            t->c = i * s->n + j;
        }
        i += here;
    }
    return n;
}

static void multiply_batch_tiles(heed__matmul_args s, const heed__matmul_range *p, matmul_plan plan,
                                 const batch_tile *tiles, int n, T *scratch)
{
    tile_args t = {.k = s.k, .a_row = s.a_row, .a_col = s.a_col, .b_row = tile_b_row(&s, plan), .c_row = s.n};
    const bool finish = s.bias || s.activation;
    for (int64_t batch = 0; batch < s.batches; batch++) {
        if (plan.pack_b)
            pack_b(&s, p, 0, s.k, plan.half_width, scratch);
        for (int i = 0; i < n; i++) {
            t.a = (const T *)s.a + tiles[i].a;
            t.b = (plan.pack_b ? scratch : (const T *)s.b) + tiles[i].b;
            t.c = (T *)s.c + tiles[i].c;
            t.last = tiles[i].last;
            run_tile(tiles[i].run, &t, plan.chain);
        }
        if (finish)
            epilogue(&s, p, p->i0, p->i1 - p->i0);
        next_batch(&s);
    }
}

#endif
