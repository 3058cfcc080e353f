/* kernels/matmul/tile.h - c (+)= a b for a register tile (BLIS's micro-kernel), whose sums are up to TILE_ROWS rows of
 * two registers. All products by tiles use these functions. Every element is summed in
 * the order of k, in any tile.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_TILE_H
#define HEED_KERNELS_MATMUL_TILE_H

#include "kernels/simd/vec.h"

enum {
    TILE_COLUMNS = 2 * WIDTH,
    MOST_VECTORS = 2,                                      /* maximal registers per row of a tile */
    PACKED_ROWS = (TILE_ROWS + WIDTH - 1) / WIDTH * WIDTH, /* elements of a packed panel of A per inner index */
};

/* a and c point to the tile's first row, b to its first column. */
typedef struct tile_args {
    int64_t k;
    const T *a;
    int64_t a_row, a_col;
    const T *b;
    int64_t b_row;
    T *c;
    int64_t c_row;
    int last;        /* columns of the last register */
    bool add;        /* add to the contents of c */
    int64_t ahead;   /* prefetch A's first row this number of elements ahead, to the second-level cache; 0: do not */
    int64_t b_ahead; /* prefetch B this number of elements ahead, to the first-level cache; 0: do not */
    T *a_panel, *b_panel; /* where packing tiles store what they read of A (a_row must be 1) and B; NULL: nowhere */
} tile_args;

enum {
    PREFETCH_DEPTH = 64, /* minimal inner indices of a tile that prefetches its part of C */
    CACHE_LINE_BYTES = 64,
    PACK_AHEAD = 16, /* packing prefetches this number of inner indices ahead */
};

/* One pointer serves 3 rows: x86 addresses a, a + row and a + 2 row from it. */
enum { ROWS_PER_POINTER = 3, ROW_POINTERS = (TILE_ROWS + 2) / 3 };

static ALWAYS_INLINE vec load_whole_or_partial(const T *x, bool whole, int n)
{
    return whole ? load(x) : load_partial_zero(x, n);
}

static ALWAYS_INLINE void clear_sums(vec sum[TILE_ROWS][MOST_VECTORS], int rows, int vectors)
{
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int v = 0; v < vectors; v++)
            sum[i][v] = (vec){0};
    }
}

static ALWAYS_INLINE void prefetch_tile(const T *c, int64_t c_row, int rows, int vectors)
{
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int v = 0; v < vectors; v++)
            __builtin_prefetch(c + i * c_row + v * WIDTH, 1);
    }
}

/* Writes the sums to c, or adds them. `whole`: the last register is complete. */
static ALWAYS_INLINE void write_tile(const tile_args *t, vec sum[TILE_ROWS][MOST_VECTORS], int rows, int vectors,
                                     bool whole)
{
    T *c = t->c;
    const int64_t c_row = t->c_row;
    const int last = t->last;
    const bool add = t->add;
    UNROLL16
    for (int i = 0; i < rows; i++) {
        UNROLL16
        for (int v = 0; v < vectors; v++) {
            T *at = c + i * c_row + v * WIDTH;
            bool all = whole || v < vectors - 1;
            vec y = add ? load_whole_or_partial(at, all, last) + sum[i][v] : sum[i][v];
            if (all)
                store(at, y);
            else
                store_partial(at, y, last);
        }
    }
}

/* The type of the elements of A and B: numbers, or pairs of bf16 of the same size (by_pairs.h). */
enum { NUMBERS, PAIRS };

static ALWAYS_INLINE vec multiply_add(vec a, vec b, vec sum, int of)
{
#if defined(HAVE_PAIRS)
    if (of == PAIRS)
        return add_dot_of_pairs(a, b, sum);
#endif
    (void)of;
    return muladd_vec(a, b, sum);
}

/* Adds the products of one k to the sums of all rows. */
static ALWAYS_INLINE void tile_step(const T *at[ROW_POINTERS], int64_t a_row, const T *b,
                                    vec sum[TILE_ROWS][MOST_VECTORS], int rows, int vectors, bool whole, int last,
                                    int of)
{
    vec b_k[MOST_VECTORS];
    UNROLL16
    for (int v = 0; v < vectors; v++)
        b_k[v] = load_whole_or_partial(b + v * WIDTH, whole || v < vectors - 1, last);
    UNROLL16
    for (int i = 0; i < rows; i++) {
        vec a_i = splat(at[i / ROWS_PER_POINTER][i % ROWS_PER_POINTER * a_row]);
        UNROLL16
        for (int v = 0; v < vectors; v++)
            sum[i][v] = multiply_add(a_i, b_k[v], sum[i][v], of);
    }
}

/* Prefetches n elements, which may begin in the middle of a cache line. */
static ALWAYS_INLINE void prefetch_row(const T *x, int n)
{
    enum { LINE = CACHE_LINE_BYTES / sizeof(T) };
    UNROLL16
    for (int i = 0; i < n; i += LINE)
        __builtin_prefetch(x + i);
    __builtin_prefetch(x + n - 1);
}

/* Prefetches a line of A, and a row of B, b_ahead elements ahead. It does not test whether b_ahead is 0, because the
 * test takes longer than the prefetch. */
static ALWAYS_INLINE void prefetch_ahead(const T *a, const T *b, int64_t b_ahead, int vectors)
{
    __builtin_prefetch(a, 0, 2);
    UNROLL16
    for (int v = 0; v < vectors; v++)
        __builtin_prefetch(b + b_ahead + v * WIDTH);
}

/* Copies the elements of A and B that the tile reads for one k to the panels that are not NULL, and prefetches later
 * ones. */
static ALWAYS_INLINE void pack_step(const T *a, int64_t a_col, T *a_panel, const T *b, int64_t b_row, T *b_panel,
                                    int rows)
{
    if (a_panel) {
        prefetch_row(a + PACK_AHEAD * a_col, rows);
        UNROLL16
        for (int i = 0; i < rows; i += WIDTH)
            store(a_panel + i, load_at(a, i, rows));
    }
    if (b_panel) {
        prefetch_row(b + PACK_AHEAD * b_row, TILE_COLUMNS);
        UNROLL16
        for (int v = 0; v < 2; v++)
            store(b_panel + v * WIDTH, load(b + v * WIDTH));
    }
}

/* Kinds of tiles. Only an edge tile may end in an incomplete register of columns; of any other tile, B must be readable
 * to the end of the last register. */
enum tile_kind {
    EDGE_TILE,
    WHOLE_TILE,
    PACKING_TILE, /* copies A and B to the panels of its arguments */
    PAIR_TILE,    /* multiplies pairs of bf16 instead of numbers */
    TILE_KINDS
};

static ALWAYS_INLINE void compute_tile(const tile_args *t, int rows, int vectors, enum tile_kind kind)
{
    const int64_t a_row = t->a_row, a_col = t->a_col, b_row = t->b_row, ahead = t->ahead, b_ahead = t->b_ahead;
    const int64_t pointers = (rows + ROWS_PER_POINTER - 1) / ROWS_PER_POINTER;
    const int last = t->last;
    const T *b = t->b, *at[ROW_POINTERS];
    T *a_panel = t->a_panel, *b_panel = t->b_panel;
    vec sum[TILE_ROWS][MOST_VECTORS];
    UNROLL16
    for (int g = 0; g < pointers; g++)
        at[g] = t->a + g * ROWS_PER_POINTER * a_row;
    clear_sums(sum, rows, vectors);
    if (t->k >= PREFETCH_DEPTH)
        prefetch_tile(t->c, t->c_row, rows, vectors);
    for (int64_t k = t->k; k > 0; k--, b += b_row) {
        if (kind == WHOLE_TILE || kind == PAIR_TILE)
            prefetch_ahead(at[0] + ahead, b, b_ahead, vectors);
        tile_step(at, a_row, b, sum, rows, vectors, kind != EDGE_TILE, last, kind == PAIR_TILE ? PAIRS : NUMBERS);
        if (kind == PACKING_TILE) {
            pack_step(at[0], a_col, a_panel, b, b_row, b_panel, rows);
            a_panel = a_panel ? a_panel + PACKED_ROWS : NULL;
            b_panel = b_panel ? b_panel + TILE_COLUMNS : NULL;
        }
        UNROLL16
        for (int g = 0; g < pointers; g++)
            at[g] += a_col;
    }
    if (last == WIDTH)
        write_tile(t, sum, rows, vectors, true);
    else
        write_tile(t, sum, rows, vectors, false);
}

typedef void tile_fn(const tile_args *t);

/* The existing tiles. With pairs, products of numbers are rare, and edge tiles compute all of them. */
#if defined(HAVE_PAIRS)
#define TILES_OF_ROWS(X, rows) X(EDGE_TILE, rows, 1) X(EDGE_TILE, rows, 2) X(PAIR_TILE, rows, 1) X(PAIR_TILE, rows, 2)
#else
#define TILES_OF_ROWS(X, rows)                                                                                         \
    X(EDGE_TILE, rows, 1) X(EDGE_TILE, rows, 2) X(WHOLE_TILE, rows, 1) X(WHOLE_TILE, rows, 2) X(PACKING_TILE, rows, 2)
#endif

/* Defines tile_14_2_WHOLE and so on; the loops over rows and registers are unrolled. */
#define DEFINE_TILE(kind, rows, vectors)                                                                               \
    static void tile_##rows##_##vectors##_##kind(const tile_args *t)                                                   \
    {                                                                                                                  \
        compute_tile(t, rows, vectors, kind);                                                                          \
    }
#define DEFINE_TILES(rows) TILES_OF_ROWS(DEFINE_TILE, rows)
FOR_EACH_TILE_ROWS(DEFINE_TILES)

/* The function for a tile of `rows` rows, 1 to TILE_ROWS, and 1 or 2 registers; 2 for PACKING_TILE. */
static tile_fn *tile_for(enum tile_kind kind, int64_t rows, int vectors)
{
#define TILE(kind, rows, vectors) [kind][rows][(vectors)-1] = tile_##rows##_##vectors##_##kind,
#define TILES(rows) TILES_OF_ROWS(TILE, rows)
    static tile_fn *const tiles[TILE_KINDS][TILE_ROWS + 1][2] = {FOR_EACH_TILE_ROWS(TILES)};
#if defined(HAVE_PAIRS)
    kind = kind == WHOLE_TILE ? EDGE_TILE : kind;
#endif
    return tiles[kind][rows][vectors - 1];
}

/* Runs a tile for `chain` inner indices at a time. Its sums are added to c, which stays in the first-level cache. */
static void run_chains(tile_fn *run, tile_args t, int64_t chain)
{
    for (int64_t rest = t.k; rest > 0; rest -= chain) {
        t.k = min_i64(rest, chain);
        run(&t);
        t.a += chain * t.a_col;
        t.b += chain * t.b_row;
        t.a_panel = t.a_panel ? t.a_panel + chain * PACKED_ROWS : NULL;
        t.b_panel = t.b_panel ? t.b_panel + chain * TILE_COLUMNS : NULL;
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

/* The smallest number of tiles for `rows` rows. */
static int64_t tiles_in(int64_t rows)
{
    return (rows + TILE_ROWS - 1) / TILE_ROWS;
}

/* Computes `rows` rows as tiles of about the same height, one below the other; t describes the first tile. `readable`:
 * B is readable to the end of the last register, as it is for PAIRS. */
static ALWAYS_INLINE void compute_tiles(tile_args t, int64_t rows, int vectors, bool readable, int of)
{
    const enum tile_kind kind = of == PAIRS ? PAIR_TILE : readable || t.last == WIDTH ? WHOLE_TILE : EDGE_TILE;
    int64_t count = tiles_in(rows), height = rows / count, taller = rows % count;
    for (int64_t i = 0; i < count; i++) {
        int64_t here = height + (i < taller);
        tile_for(kind, here, vectors)(&t);
        t.a += here * t.a_row;
        t.c += here * t.c_row;
    }
}

/* The number of registers for `columns` columns, at most TILE_COLUMNS; *last becomes the columns of the last
 * register. */
static int registers_for(int64_t columns, int *last)
{
    int vectors = columns > WIDTH ? 2 : 1;
    *last = (int)columns - (vectors - 1) * WIDTH;
    return vectors;
}

#endif
