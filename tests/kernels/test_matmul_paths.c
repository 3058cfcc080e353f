/* tests/kernels/test_matmul_paths.c - tests which path products of certain shapes take, and that the order of sums does
 * not depend on the instruction set.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "kernels/matmul/path.h"

static const char *const names[] = {
    [BY_ZEROS] = "by zeros",
    [BY_COLUMNS] = "by columns",
    [BY_DOTS_OF_ROWS] = "by dots of rows",
    [BY_DOTS_OF_FEW] = "by dots of few",
    [BY_ROW] = "by row",
    [BY_FEW_TERMS] = "by few terms",
    [IN_PLACE] = "in place",
    [PACKED] = "packed",
    [PACKED_NARROW] = "packed, narrow",
};

/* The instruction sets, for f32. */
static const matmul_registers avx512 = {.width = 16, .bytes = 4, .tile_rows = 14, .partial_memory = true},
                              avx2 = {.width = 8, .bytes = 4, .tile_rows = 6, .partial_memory = true},
                              neon = {.width = 4, .bytes = 4, .tile_rows = 14},
                              scalar = {.width = 4, .bytes = 4, .tile_rows = 4},
                              pairs = {.width = 16, .bytes = 4, .tile_rows = 14, .partial_memory = true, .pairs = true};

/* (m, k) times (k, n); 'r': stored by rows, 'c': by columns. */
typedef struct shape_path {
    const matmul_registers *isa;
    int64_t m, k, n;
    char a, b;
    matmul_path path;
} shape_path;

static const shape_path shapes[] = {
    /* no terms */
    {&avx512, 3, 0, 4, 'r', 'r', BY_ZEROS},
    /* W5 and N5, with the products of their gradients */
    {&avx512, 128, 64, 128, 'r', 'r', IN_PLACE},
    {&avx512, 128, 128, 64, 'r', 'c', PACKED},
    {&avx512, 64, 128, 128, 'c', 'r', PACKED},
    {&avx512, 1024, 1024, 1024, 'r', 'r', PACKED},
    {&avx512, 8, 8, 8, 'r', 'r', IN_PLACE},
    {&avx512, 8, 8, 8, 'r', 'c', PACKED_NARROW},
    {&avx512, 1000, 1000, 1, 'r', 'r', BY_DOTS_OF_ROWS},
    {&avx512, 1000, 1, 1000, 'r', 'r', BY_FEW_TERMS},
    {&avx512, 1000, 1000, 1, 'c', 'r', BY_COLUMNS},
    {&avx512, 1, 1000, 1000, 'r', 'r', BY_ROW},
    {&avx512, 1, 1000, 1000, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 4096, 32, 32, 'r', 'r', IN_PLACE},
    {&avx512, 333, 80, 517, 'r', 'r', PACKED},
    {&avx512, 31, 67, 129, 'r', 'r', PACKED},
    {&avx512, 3, 5, 7, 'r', 'r', IN_PLACE},
    /* W12: one and 16 texts times the weights of a layer */
    {&avx512, 1, 512, 2048, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 16, 512, 2048, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 64, 512, 2048, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 65, 512, 2048, 'r', 'c', PACKED},
    /* the limits of dot products */
    {&avx512, 31, 256, 512, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 32, 256, 512, 'r', 'c', PACKED},
    {&avx512, 4, 31, 100, 'r', 'c', PACKED},
    {&avx512, 4, 32, 100, 'r', 'c', BY_DOTS_OF_FEW},
    {&avx512, 13, 104, 12, 'c', 'c', BY_DOTS_OF_FEW},
    {&avx512, 13, 104, 11, 'c', 'c', PACKED},
    {&avx512, 14, 112, 12, 'c', 'c', PACKED},
    {&pairs, 13, 256, 2048, 'r', 'c', BY_DOTS_OF_FEW},
    {&pairs, 14, 256, 2048, 'r', 'c', PACKED},
    /* the limits of few columns, few terms and small B */
    {&avx512, 32, 100, 8, 'c', 'r', BY_COLUMNS},
    {&avx512, 31, 100, 8, 'c', 'r', IN_PLACE},
    {&avx512, 15, 8, 257, 'r', 'r', BY_FEW_TERMS},
    {&avx512, 14, 8, 257, 'r', 'r', IN_PLACE},
    {&avx512, 15, 8, 256, 'r', 'r', IN_PLACE},
    {&avx512, 29, 128, 64, 'r', 'r', IN_PLACE},
    {&avx512, 29, 128, 65, 'r', 'r', PACKED},
    {&avx512, 28, 128, 65, 'r', 'r', IN_PLACE},
    /* narrower registers */
    {&avx2, 128, 64, 128, 'r', 'r', IN_PLACE},
    {&avx2, 7, 1000, 17, 'r', 'r', PACKED},
    {&avx2, 6, 1000, 17, 'r', 'r', IN_PLACE},
    {&avx2, 8, 8, 4, 'r', 'c', PACKED_NARROW},
    {&avx2, 32, 100, 8, 'c', 'r', BY_COLUMNS},
    {&avx2, 16, 100, 4, 'c', 'r', BY_COLUMNS},
    {&avx2, 31, 100, 5, 'c', 'r', IN_PLACE},
    {&avx2, 31, 300, 4, 'c', 'c', PACKED_NARROW},
    {&scalar, 128, 64, 64, 'r', 'r', IN_PLACE},
    {&scalar, 128, 64, 65, 'r', 'r', PACKED},
    {&scalar, 8, 8, 8, 'r', 'c', PACKED},
};

static heed__matmul_args args_of(int64_t m, int64_t k, int64_t n, char a, char b)
{
    return (heed__matmul_args){.m = m,
                               .k = k,
                               .n = n,
                               .a_row = a == 'r' ? k : 1,
                               .a_col = a == 'r' ? 1 : m,
                               .b_row = b == 'r' ? n : 1,
                               .b_col = b == 'r' ? 1 : k};
}

START_TEST(shapes_have_their_paths)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const shape_path *s = &shapes[i];
        const heed__matmul_args args = args_of(s->m, s->k, s->n, s->a, s->b);
        const matmul_path path = matmul_path_of(&args, s->isa);
        ck_assert_msg(path == s->path, "%d x %d x %d, %c and %c (row %d): %s, not %s", (int)s->m, (int)s->k, (int)s->n,
                      s->a, s->b, (int)i, names[path], names[s->path]);
    }
}
END_TEST

/* Tiles in place and products of one row have chains, dot products have lanes, and no other path has lanes. Chains and
 * passes are the same for sums of at most a chain. */
static bool path_has_order(matmul_path path, matmul_order order, int64_t k)
{
    switch (path) {
    case BY_DOTS_OF_ROWS:
    case BY_DOTS_OF_FEW:
        return order == BY_LANES;
    case BY_COLUMNS:
    case BY_ROW:
    case IN_PLACE:
        return order == BY_CHAINS || (order == BY_PASSES && k <= MATMUL_CHAIN);
    default:
        return order != BY_LANES;
    }
}

static void check_order(int64_t m, int64_t k, int64_t n, int layout)
{
    static const matmul_registers *const isas[] = {&avx512, &avx2, &neon};
    const heed__matmul_args args = args_of(m, k, n, layout / 2 ? 'c' : 'r', layout % 2 ? 'c' : 'r');
    const matmul_order order = matmul_order_of(&args, &avx512);
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
        if (matmul_order_of(&args, isas[i]) != order || !path_has_order(matmul_path_of(&args, isas[i]), order, k))
            ck_abort_msg("%d x %d x %d, layout %d, instruction set %d: order %d, path %s", (int)m, (int)k, (int)n,
                         layout, (int)i, (int)matmul_order_of(&args, isas[i]), names[matmul_path_of(&args, isas[i])]);
}

START_TEST(orders_do_not_depend_on_the_instruction_set)
{
    static const int terms[] = {1, 7, 8, 9, 16, 31, 64, 104, 128, 248, 256, 257, 320, 321, 512, 1000, 5000};
    static const int columns[] = {127, 128, 129, 256, 257, 511, 512, 513, 1024, 1025, 4096};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        for (int m = 1; m <= 70; m++)
            for (int layout = 0; layout < 4; layout++) {
                for (int n = 1; n <= 70; n++)
                    check_order(m, terms[i], n, layout);
                for (size_t j = 0; j < sizeof columns / sizeof columns[0]; j++) {
                    check_order(m, terms[i], columns[j], layout);
                    check_order(columns[j], terms[i], m, layout);
                }
            }
}
END_TEST

HEED_TEST_MAIN("paths of products", shapes_have_their_paths, orders_do_not_depend_on_the_instruction_set)
