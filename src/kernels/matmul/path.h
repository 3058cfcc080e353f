/* kernels/matmul/path.h - chooses the path of a product, its algorithm, and the order of its sums. Both depend only on
 * sizes and strides. The path also depends on the registers, but never the order: two instruction sets whose paths
 * differ compute the same bits. README.md of the kernels says how much faster every path is than the plainest one,
 * PACKED, and tests/kernels/test_matmul_paths.c lists shapes, their paths and their orders.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_PATH_H
#define HEED_KERNELS_MATMUL_PATH_H

#include "kernels/kernels.h"

typedef enum matmul_path {
    BY_ZEROS,        /* no terms */
    BY_COLUMNS,      /* few columns of C, if A's columns are contiguous (by_row.h) */
    BY_DOTS_OF_ROWS, /* dot products of rows of A, if they are contiguous, with few columns of B (by_dots.h) */
    BY_DOTS_OF_FEW,  /* the same for columns of B and few rows of A */
    BY_ROW,          /* one row, if B's rows are contiguous (by_row.h) */
    BY_FEW_TERMS,    /* so few terms that writing C dominates (by_few_terms.h) */
    IN_PLACE,        /* tiles that read B in place (by_tiles.h) */
    PACKED,          /* tiles that read a copy of B */
    PACKED_NARROW,   /* the same in half a register per inner index, for few columns that are contiguous */
} matmul_path;

/* The order in which a sum of k terms is added up. Terms of the same chain are added in the order of k. */
typedef enum matmul_order {
    BY_LANES,  /* the lanes of a wide register sum different terms: dot products */
    BY_CHAINS, /* a chain has MATMUL_CHAIN terms, the last one fewer */
    BY_PASSES, /* a chain is a pass of at most HEED_MATMUL_K terms; passes differ by at most one term */
} matmul_order;

/* An instruction set, as far as paths depend on it. */
typedef struct matmul_registers {
    int width, bytes; /* elements per register, bytes per element */
    int tile_rows;
    bool partial_memory; /* loads and stores of incomplete registers take a single instruction */
    bool pairs;          /* products of bf16 */
} matmul_registers;

/* Every constant was halved and doubled by turns in "heed_bench -w W5,N5,W7,N7,N12 -t 1", f32, on an AMD EPYC of family
 * 25, model 17 (Zen 4), 2 cores, AVX-512, on 2026-11-29. Half of DOTS_TERMS takes 1.08 times as long for 31x67x129, by
 * a. Twice IN_PLACE_NEAR and twice IN_PLACE_TILES take 0.95 of the time for 31x67x129, but the former 1.01 to 1.02 for
 * 64 products of 128x64x128. The other constants change the path of no case, or its time by less than 3 %, so these
 * values stay: they were tuned on other shapes. */
enum {
    /* Dot products. A vector is a row of A or a column of B. */
    DOTS_TERMS = 8,    /* minimal k, divided by the number of vectors of the shorter side */
    DOTS_COPIED = 13,  /* maximal vectors of the shorter side, if they must be copied */
    DOTS_USES = 12,    /* minimal vectors of the longer side, if the shorter side must be copied */
    DOTS_FEW = 31,     /* maximal vectors of the shorter side if the longer side lies in a cache: packing it is cheap */
    DOTS_FEW_FAR = 64, /* the same if it probably comes from memory */
    DOTS_MANY = 512,   /* a longer side of at most this number of vectors is assumed to lie in a cache */

    FEW_TERMS = 8, /* maximal k of BY_FEW_TERMS */

    MATMUL_CHAIN = 256, /* terms of a chain of BY_CHAINS, for accuracy */
    CHAINED_ROWS = 28,  /* maximal rows of A for chains, if B has many columns and bytes */

    /* B is read in place if it has few columns, or few bytes, which stay in the first-level cache, or few tiles read
     * it. The limits are lower if the last register of a row must be read number by number. */
    IN_PLACE_TILES = 2,        /* with registers of 64 bytes; otherwise 1 */
    IN_PLACE_NEAR = 1 << 15,   /* bytes */
    IN_PLACE_SLOWLY = 1 << 14, /* bytes, number by number */
};

/* The elements of a wide register (simd/wide.h). Orders depend on it instead of the width of a register. */
static inline int64_t lanes_of(const matmul_registers *r)
{
    return 64 / r->bytes;
}

/* Returns true if a side of `count` vectors, whose elements are `step` apart, is short enough for dot products. If step
 * is not 1, the vectors must be copied, which pays only for few of them and for enough vectors (`uses`) of the longer
 * side. With pairs of bf16, tiles are faster for more vectors. */
static inline bool is_short_side(int64_t count, int64_t k, int64_t step, int64_t uses, const matmul_registers *r)
{
    const int64_t few = r->pairs ? DOTS_COPIED : uses > DOTS_MANY ? DOTS_FEW_FAR : DOTS_FEW;
    return k >= DOTS_TERMS * count && (step == 1 ? count <= few : count <= DOTS_COPIED && uses >= DOTS_USES);
}

/* Dot products: of the rows of A with few columns of B, or of the columns of B with few rows of A. */
static inline bool has_dots_of_rows(const heed__matmul_args *s, const matmul_registers *r)
{
    return s->a_col == 1 && is_short_side(s->n, s->k, s->b_row, s->m, r);
}

static inline bool has_dots_of_few(const heed__matmul_args *s, const matmul_registers *r)
{
    return s->b_row == 1 && is_short_side(s->m, s->k, s->a_col, s->n, r);
}

/* Few columns of C, and enough rows, for registers of `width` elements along the rows. */
static inline bool columns_fit(const heed__matmul_args *s, int64_t width)
{
    return s->a_row == 1 && (s->n == 1 ? s->m > 1 : s->n <= width / 2 && s->m >= 2 * width);
}

static inline bool has_few_columns(const heed__matmul_args *s, const matmul_registers *r)
{
    return columns_fit(s, lanes_of(r));
}

/* Chains suit B in place, which registers of 64 bytes read for all of these shapes. */
static inline bool has_chains(const heed__matmul_args *s, const matmul_registers *r)
{
    return has_few_columns(s, r) || (s->b_col == 1 && (s->n <= 2 * lanes_of(r) || s->m <= CHAINED_ROWS ||
                                                       s->k * s->n * r->bytes <= IN_PLACE_NEAR));
}

/* The only function that chooses an order. Every path of more than one order keeps to it. */
static inline matmul_order matmul_order_of(const heed__matmul_args *s, const matmul_registers *r)
{
    if (!has_few_columns(s, r) && (has_dots_of_rows(s, r) || has_dots_of_few(s, r)))
        return BY_LANES;
    return has_chains(s, r) ? BY_CHAINS : BY_PASSES;
}

/* True only for shapes with chains, because tiles in place have no passes. */
static inline bool reads_in_place(const heed__matmul_args *s, const matmul_registers *r)
{
    const int64_t tiles = r->width * r->bytes == 64 ? IN_PLACE_TILES : 1;
    const int64_t narrow = r->partial_memory ? 2 * r->width : 0,
                  near = r->partial_memory ? IN_PLACE_NEAR : IN_PLACE_SLOWLY;
    return s->b_col == 1 && (s->n <= narrow || s->k * s->n * r->bytes <= near || s->m <= tiles * r->tile_rows);
}

/* The only function that chooses a path. It is the same for every range. A dimension of size 1 may have any stride. */
static inline matmul_path matmul_path_of(const heed__matmul_args *s, const matmul_registers *r)
{
    const int64_t width = r->width;
    if (s->k == 0)
        return BY_ZEROS;
    if (has_few_columns(s, r))
        return BY_COLUMNS;
    if (has_dots_of_rows(s, r))
        return BY_DOTS_OF_ROWS;
    if (has_dots_of_few(s, r))
        return BY_DOTS_OF_FEW;
    if (columns_fit(s, width) && (s->k <= MATMUL_CHAIN || has_chains(s, r)))
        return BY_COLUMNS;
    if (s->m == 1 && s->b_col == 1 && s->n > 2 * width)
        return BY_ROW;
    if (s->k <= FEW_TERMS && s->n > 2 * width * s->k && s->m > r->tile_rows) /* otherwise tiles are faster */
        return BY_FEW_TERMS;
    if (reads_in_place(s, r))
        return IN_PLACE;
    return s->b_row == 1 && s->n <= width / 2 ? PACKED_NARROW : PACKED;
}

#endif
