/* kernels/matmul/by_tiles.h - products by register tiles, of A and B where they lie if B's rows are contiguous and B is
 * small or used once. Else HEED_MATMUL_K inner indices at a time: B's part is copied to panels of two registers' width,
 * and A's rows, a tile's at a time, to a panel of their own where they are not fit to be read in place. */
#ifndef HEED_KERNELS_MATMUL_BY_TILES_H
#define HEED_KERNELS_MATMUL_BY_TILES_H

#include "kernels/kernels.h"
#include "kernels/matmul/epilogue.h"
#include "kernels/matmul/pack.h"
#include "kernels/matmul/tile.h"

enum {
    A_PANELS = 4,          /* that are packed, or fetched, at a time */
    L1_BYTES = 16384,      /* of a matrix that stays in the first-level cache while it is multiplied */
    L1_ALIAS_BYTES = 4096, /* rows so far apart fall on the same places of that cache */
    /* An A whose rows are not contiguous is packed from this size on, divided by the number of B's panels. */
    STRIDED_A_BYTES = 1 << 19,
    CACHE_LINE_BYTES = 64,
    CHAIN = 256, /* inner indices of a B in place that are summed before they are added to C, for the sake of digits */
};

/* What is copied, and how B lies for the tiles. */
typedef struct matmul_plan {
    bool pack_a, pack_b;
    bool half_width; /* B has at most half a register's columns, whose elements are contiguous */
    int64_t chain;   /* inner indices after which a tile's sums are added to C */
} matmul_plan;

static int64_t b_panels_in(int64_t columns)
{
    return (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

/* B is read in place where its rows are contiguous and each element of it is used in one tile, or all of it stays in
 * the first-level cache: this decides the order of sums, so it is the same for each part. A is, if its rows are
 * contiguous and do not all fall on the same places of that cache; else if it is small for how often it is read. */
static matmul_plan plan_of(const heed__matmul_args *s, const heed__matmul_part *p, int64_t chain)
{
    const int64_t size = sizeof(T), b_panels = b_panels_in(p->j1 - p->j0);
    bool collides = s->a_row * size % L1_ALIAS_BYTES == 0 && p->i1 - p->i0 > 4;
    matmul_plan plan = {.pack_b = s->b_col != 1 || (s->m > TILE_ROWS && s->k * s->n * size > L1_BYTES)};
    plan.chain = plan.pack_b ? chain : min_i64(chain, CHAIN);
    plan.half_width = plan.pack_b && s->b_row == 1 && s->n <= WIDTH / 2;
    plan.pack_a =
        plan.pack_b && b_panels > 2 && (s->a_col == 1 ? collides : s->k * s->a_col * size > STRIDED_A_BYTES / b_panels);
    return plan;
}

/* The distance from one inner index to the next in what tiles read as B. */
static int64_t tile_b_row(const heed__matmul_args *s, matmul_plan plan)
{
    return plan.half_width ? WIDTH / 2 : plan.pack_b ? TILE_COLUMNS : s->b_row;
}

/* to[block][c][i] = from(block * height + i, c): rows i in blocks of `height`, of `count` columns c. Where the memory
 * runs along the rows, a few columns of all blocks come before the next few. */
static void pack_blocks(const T *from, int64_t row, int64_t column, int64_t rows, int64_t height, int64_t count, T *to,
                        int64_t to_row)
{
    const int64_t some = column == 1 ? count : PACK_COLUMNS;
    for (int64_t c = 0; c < count; c += some)
        for (int64_t i = 0; i < rows; i += height)
            pack(from + i * row + c * column, row, column, (int)min_i64(rows - i, height), min_i64(count - c, some),
                 to + (i / height * count + c) * to_row, to_row);
}

/* B's columns of the part and inner indices k to k + depth - 1. */
static void pack_b(const heed__matmul_args *s, const heed__matmul_part *p, int64_t k, int64_t depth, bool half_width,
                   T *b_panels)
{
    const T *b = (const T *)s->b + k * s->b_row + p->j0 * s->b_col;
    if (half_width)
        pack_half_width(b, s->b_col, (int)(p->j1 - p->j0), depth, b_panels);
    else
        pack_blocks(b, s->b_col, s->b_row, p->j1 - p->j0, TILE_COLUMNS, depth, b_panels, TILE_COLUMNS);
}

/* A part of A that is needed soon, fetched bit by bit: `lines` pieces of `bytes` bytes each, `step` bytes apart. */
typedef struct prefetch {
    const char *at;
    int64_t lines, step, bytes, each; /* each: pieces at a time */
} prefetch;

/* Rows i .. i + rows - 1 and inner indices k .. k + depth - 1, in `times` times. */
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

/* In chains, during which the tile of C stays in the first-level cache. */
static void run_chains(tile_fn *run, tile_args t, int64_t chain)
{
    for (int64_t rest = t.k; rest > 0; rest -= chain) {
        t.k = min_i64(rest, chain);
        run(&t);
        t.a += chain * t.a_col;
        t.b += chain * t.b_row;
        t.add = true;
    }
}

static ALWAYS_INLINE void run_tile(tile_fn *run, const tile_args *t, int64_t chain)
{
    if (t->k <= chain)
        run(t);
    else
        run_chains(run, *t, chain);
}

/* `rows` rows times all panels of B, which are `step` apart; t is the first tile. */
static void multiply_a_panel(tile_args t, int64_t rows, int64_t columns, int64_t step, matmul_plan plan, prefetch *next)
{
    for (; columns > 0; columns -= TILE_COLUMNS, t.b += step, t.c += TILE_COLUMNS) {
        int vectors = registers_for(min_i64(columns, TILE_COLUMNS), &t.last);
        prefetch_some(next);
        run_tile(tile_for(rows, vectors, plan.pack_b || t.last == WIDTH), &t, plan.chain);
    }
}

/* Inner indices k .. k + depth - 1 of all rows. B's panels, if it is packed, are at the head of scratch, and there is
 * room for A_PANELS of A after them. So many are multiplied before the next rows of A, which are fetched meanwhile. */
static void multiply_depth(const heed__matmul_args *s, const heed__matmul_part *p, matmul_plan plan, int64_t k,
                           int64_t depth, T *scratch)
{
    const int64_t columns = p->j1 - p->j0, rows = p->i1 - p->i0, b_panels = b_panels_in(columns);
    const int64_t a_panels = tiles_in(rows), height = (rows + a_panels - 1) / a_panels, most = A_PANELS * height;
    T *packed = plan.pack_b ? scratch + b_panels * TILE_COLUMNS * depth : scratch;
    tile_args t = {.k = depth,
                   .a_row = plan.pack_a ? 1 : s->a_row,
                   .a_col = plan.pack_a ? PACKED_ROWS : s->a_col,
                   .b = plan.pack_b ? scratch : (const T *)s->b + p->j0 + k * s->b_row,
                   .b_row = tile_b_row(s, plan),
                   .c_row = s->n,
                   .add = k > 0};
    const int64_t b_step = plan.pack_b ? TILE_COLUMNS * depth : TILE_COLUMNS;
    if (plan.pack_b)
        pack_b(s, p, k, depth, plan.half_width, scratch);
    for (int64_t i = p->i0; i < p->i1; i += most) {
        const int64_t here = min_i64(p->i1 - i, most), after = min_i64(p->i1 - i - here, most);
        const T *a = (const T *)s->a + i * s->a_row + k * s->a_col;
        prefetch next = {0};
        if (after > 0 && depth >= 2 * PREFETCH_DEPTH) /* less arrives in time by itself */
            next = prefetch_of(s, i + here, after, k, depth, A_PANELS * b_panels);
        if (plan.pack_a)
            pack_blocks(a, s->a_row, s->a_col, here, height, depth, packed, PACKED_ROWS);
        for (int64_t r = 0; r < here; r += height) {
            t.a = plan.pack_a ? packed + r / height * PACKED_ROWS * depth : a + r * s->a_row;
            t.c = (T *)s->c + (i + r) * s->n + p->j0;
            multiply_a_panel(t, min_i64(here - r, height), columns, b_step, plan, &next);
        }
        if (k + depth == s->k)
            epilogue(s, p, i, here);
    }
}

static void multiply_tiles(const heed__matmul_args *s, const heed__matmul_part *p, matmul_plan plan, T *scratch)
{
    int64_t blocks = plan.pack_b ? (s->k + HEED_MATMUL_K - 1) / HEED_MATMUL_K : 1;
    int64_t depth = s->k / blocks, deeper = s->k % blocks;
    for (int64_t block = 0, k = 0; block < blocks; block++) {
        int64_t here = depth + (block < deeper);
        multiply_depth(s, p, plan, k, here, scratch);
        k += here;
    }
}

#endif
