/* kernels/matmul/by_tiles.h - products by register tiles, HEED_MATMUL_K inner indices at a time. The columns of B are
 * copied to panels of two registers' width. The rows of A are copied to panels of a tile's height if tiles would read
 * them slowly in place. If tiles can read a matrix before it is copied, the first tiles that read it also copy it,
 * which hides the time for copying. */
#ifndef HEED_KERNELS_MATMUL_BY_TILES_H
#define HEED_KERNELS_MATMUL_BY_TILES_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/in_place.h"
#include "kernels/matmul/pack.h"
#include "kernels/matmul/tile.h"
#include "kernels/simd/arena.h"

enum {
    A_PANELS = 4,          /* panels of A packed or prefetched at a time */
    L1_ALIAS_BYTES = 4096, /* rows at this distance map to the same sets of the first-level cache */
    /* If the rows of A are not contiguous, A is packed if it spans more bytes than this number divided by the number of
     * B's panels. */
    STRIDED_A_BYTES = 1 << 19,
};

/* Which matrices are copied, and the layout of B for the tiles. */
typedef struct matmul_plan {
    bool pack_a, pack_b;
    bool half_width; /* B has at most WIDTH / 2 columns, and the elements of a column are contiguous */
    int64_t chain;   /* inner indices after which the sums of a tile are added to C */
} matmul_plan;

static int64_t b_panels_in(int64_t columns)
{
    return (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

/* The layout of B determines the order of sums, so it is the same for every range. A is packed only if B is packed and
 * has more than two panels. A with contiguous rows is then packed only if all rows map to the same sets of the
 * first-level cache; any other A is read in place if it is small relative to the number of times it is read. */
static matmul_plan plan_of(const heed__matmul_args *s, const heed__matmul_range *p, int64_t chain)
{
    const int64_t size = sizeof(T), b_panels = b_panels_in(p->j1 - p->j0);
    bool collides = s->a_row * size % L1_ALIAS_BYTES == 0 && p->i1 - p->i0 > 4;
    matmul_plan plan = {.pack_b = !in_place(s)};
    plan.chain = plan.pack_b ? chain : min_i64(chain, IN_PLACE_CHAIN);
    plan.half_width = plan.pack_b && s->b_row == 1 && s->n <= WIDTH / 2;
    plan.pack_a =
        plan.pack_b && b_panels > 2 && (s->a_col == 1 ? collides : s->k * s->a_col * size > STRIDED_A_BYTES / b_panels);
    return plan;
}

/* The number of elements between successive inner indices in the B that tiles read, packed or in place. */
static int64_t tile_b_row(const heed__matmul_args *s, matmul_plan plan)
{
    return plan.half_width ? WIDTH / 2 : plan.pack_b ? TILE_COLUMNS : s->b_row;
}

/* to[block][c][i] = from(block * height + i, c), for blocks of `height` rows i and `count` columns c, where from(i, c)
 * is from[i * row + c * column]. Unless the rows of `from` are contiguous, packs PACK_COLUMNS columns of all blocks
 * before the next columns. */
static void pack_blocks(const T *from, int64_t row, int64_t column, int64_t rows, int64_t height, int64_t count, T *to,
                        int64_t to_row)
{
    const int64_t some = column == 1 ? count : PACK_COLUMNS;
    for (int64_t c = 0; c < count; c += some)
        for (int64_t i = 0; i < rows; i += height)
            pack(from + i * row + c * column, row, column, (int)min_i64(rows - i, height), min_i64(count - c, some),
                 to + (i / height * count + c) * to_row, to_row);
}

/* Packs the columns of B in the range, for the inner indices k .. k + depth - 1. */
static void pack_b(const heed__matmul_args *s, const heed__matmul_range *p, int64_t k, int64_t depth, bool half_width,
                   T *b_panels)
{
    const T *b = (const T *)s->b + k * s->b_row + p->j0 * s->b_col;
    if (half_width)
        pack_half_width(b, s->b_col, (int)(p->j1 - p->j0), depth, b_panels);
    else
        pack_blocks(b, s->b_col, s->b_row, p->j1 - p->j0, TILE_COLUMNS, depth, b_panels, TILE_COLUMNS);
}

/* A part of A to prefetch, a few lines per call of prefetch_some: `lines` lines remain, each of `bytes` bytes and
 * `step` bytes after the previous one. */
typedef struct prefetch {
    const char *at;
    int64_t lines, step, bytes, each; /* each: lines per call */
} prefetch;

/* The prefetch of the rows i .. i + rows - 1 and inner indices k .. k + depth - 1 of A, in at most `times` calls of
 * prefetch_some. */
static prefetch prefetch_of(const heed__matmul_args *s, int64_t i, int64_t rows, int64_t k, int64_t depth,
                            int64_t times)
{
    const int64_t size = sizeof(T);
    prefetch f = {.at = (const char *)((const T *)s->a + i * s->a_row + k * s->a_col)};
    f.lines = s->a_col == 1 ? rows : depth;
    f.bytes = (s->a_col == 1 ? depth : rows) * size;
    f.step = (s->a_col == 1 ? s->a_row : s->a_col) * size;
    f.each = f.lines / times + 1;
    return f;
}

static ALWAYS_INLINE void prefetch_some(prefetch *f)
{
    for (int64_t n = f->each; n > 0 && f->lines > 0; n--, f->lines--, f->at += f->step)
        for (int64_t byte = 0; byte < f->bytes + CACHE_LINE_BYTES - 1; byte += CACHE_LINE_BYTES)
            __builtin_prefetch(f->at + (byte < f->bytes ? byte : f->bytes - 1), 0, 2);
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
    run_tile(packs_b || t.a_panel ? packing_tile_for(rows) : tile_for(rows, vectors, true), &t, d->plan.chain);
}

/* Multiplies `rows` rows by all panels of B; t is the first tile, which packs A if t.a_panel is not NULL. */
static void multiply_a_panel(const depth_block *d, tile_args t, int64_t rows, bool first, prefetch *next)
{
    for (int64_t j = 0; j < d->p->j1 - d->p->j0; j += TILE_COLUMNS, t.c += TILE_COLUMNS) {
        prefetch_some(next);
        multiply_tile(d, t, rows, j, first);
        if (t.a_panel) {
            t.a = t.a_panel;
            t.a_col = PACKED_ROWS;
            t.a_panel = NULL;
        }
    }
}

/* Multiplies all rows of the range by d's part of B: A_PANELS panels of A at a time, while the rows of the next panels
 * are prefetched. */
static void multiply_depth(const depth_block *d)
{
    const heed__matmul_args *s = d->s;
    const heed__matmul_range *p = d->p;
    const int64_t rows = p->i1 - p->i0, b_panels = b_panels_in(p->j1 - p->j0);
    const int64_t a_panels = tiles_in(rows), height = (rows + a_panels - 1) / a_panels, most = A_PANELS * height;
    const bool packed = d->plan.pack_a && !d->a_by_tiles;
    tile_args t = {.k = d->depth, .c_row = s->n, .add = d->k > 0};
    t.a_row = packed ? 1 : s->a_row;
    t.a_col = packed ? PACKED_ROWS : s->a_col;
    pack_rest_of_b(d);
    for (int64_t i = p->i0; i < p->i1; i += most) {
        const int64_t here = min_i64(p->i1 - i, most), after = min_i64(p->i1 - i - here, most);
        const T *a = (const T *)s->a + i * s->a_row + d->k * s->a_col;
        prefetch next = {0};
        if (after > 0 && d->depth >= 2 * PREFETCH_DEPTH) /* smaller blocks need no prefetching */
            next = prefetch_of(s, i + here, after, d->k, d->depth, A_PANELS * b_panels);
        if (packed)
            pack_blocks(a, s->a_row, s->a_col, here, height, d->depth, d->packed.a, PACKED_ROWS);
        for (int64_t r = 0; r < here; r += height) {
            T *panel = d->packed.a + r / height * PACKED_ROWS * d->depth;
            t.a = packed ? panel : a + r * s->a_row;
            t.a_panel = d->a_by_tiles ? panel : NULL;
            t.c = (T *)s->c + (i + r) * s->n + p->j0;
            multiply_a_panel(d, t, min_i64(here - r, height), i + r == p->i0, &next);
        }
        if (d->k + d->depth == s->k)
            epilogue(s, p, i, here);
    }
}

static void multiply_tiles(const heed__matmul_args *s, const heed__matmul_range *p, matmul_plan plan, T *scratch)
{
    const int64_t blocks = (s->k + HEED_MATMUL_K - 1) / HEED_MATMUL_K;
    const int64_t depth = s->k / blocks, deeper = s->k % blocks;
    depth_block d = {.s = s,
                     .p = p,
                     .plan = plan,
                     .a_by_tiles = plan.pack_a && s->a_row == 1,
                     .b_by_tiles = s->b_col == 1 && !plan.half_width,
                     .packed = packed_panels_of(p->j1 - p->j0, depth + (deeper > 0), &(arena){.base = scratch})};
    for (int64_t block = 0; block < blocks; block++, d.k += d.depth) {
        d.depth = depth + (block < deeper);
        multiply_depth(&d);
    }
}

#endif
