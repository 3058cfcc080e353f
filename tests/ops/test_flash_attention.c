/* tests/ops/test_flash_attention.c - fused dot-product attention: values and gradients, at sizes around its block
 * sizes. test_flash_attention_masks.c tests masks; test_flash_attention_layouts.c tests layouts, memory and threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "flash.h"

/* -- Values and gradients ------------------------------------------------------------------------------------------ */

/* All combinations, at small sizes. */
START_TEST(every_option)
{
    for (int i = 0; i < 2 * 3 * 2 * 2 * 3; i++) {
        setting s = {.dtype = i % 2 ? HEED_F64 : HEED_F32,
                     .batch = 2,
                     .queries = 19,
                     .keys = 23,
                     .d = 5,
                     .e = 3,
                     .lengths = i / 2 % 3,
                     .causal = i / 6 % 2,
                     .dropout = i / 12 % 2 ? 0.4 : 0,
                     .scale = i / 12 % 2 ? -0.3 : 0,
                     .heads = i / 24 % 3 == 0 ? 0 : 3,
                     .inner = i / 24 % 3 == 2};
        compare(&s);
    }
}
END_TEST

/* Sizes near the sizes of registers, panels and blocks, which differ between instruction sets. */
START_TEST(sizes)
{
    static const int64_t rows[] = {1, 2, 13, 16, 17, 31, 32, 33, 111, 112, 113, 127, 128, 129, 225, 257};
    static const int64_t widths[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 97};
    enum { ROWS = sizeof rows / sizeof rows[0], WIDTHS = sizeof widths / sizeof widths[0] };
    for (int i = 0; i < 160; i++) {
        setting s = {.dtype = i % 2 ? HEED_F64 : HEED_F32,
                     .batch = 1 + i % 3,
                     .queries = rows[i % ROWS],
                     .keys = rows[i * 7 / 3 % ROWS],
                     .d = widths[i * 5 % WIDTHS],
                     .e = widths[i * 3 / 2 % WIDTHS],
                     .lengths = i / 3 % 3,
                     .causal = i / 5 % 2,
                     .dropout = i % 4 == 3 ? 0.25 : 0};
        compare(&s);
    }
}
END_TEST

/* Tests attention with products of bf16 pairs, if the CPU supports them. */
START_TEST(fewer_digits)
{
    static const int64_t rows[] = {24, 31, 32, 33, 111, 112, 113, 128, 129, 225, 257};
    static const int64_t widths[] = {1, 16, 17, 31, 32, 33, 64, 65, 97};
    static const int64_t large[3][4] = {{40, 4200, 32, 33}, {4200, 40, 33, 32}, {130, 120, 1201, 40}};
    enum { ROWS = sizeof rows / sizeof rows[0], WIDTHS = sizeof widths / sizeof widths[0] };
    for (int i = 0; i < 120; i++)
        compare(&(setting){.dtype = HEED_F32,
                           .batch = 1 + i % 2,
                           .queries = rows[i % ROWS],
                           .keys = rows[i * 7 / 3 % ROWS],
                           .d = widths[i * 5 % WIDTHS],
                           .e = widths[i * 3 / 2 % WIDTHS],
                           .lengths = i / 3 % 3,
                           .causal = i / 5 % 2,
                           .dropout = i % 4 == 3 ? 0.25 : 0,
                           .precision = HEED_PRECISION_MEDIUM});
    for (int i = 0; i < 3; i++)
        compare(&(setting){.dtype = HEED_F32,
                           .batch = 1,
                           .queries = large[i][0],
                           .keys = large[i][1],
                           .d = large[i][2],
                           .e = large[i][3],
                           .precision = HEED_PRECISION_MEDIUM});
}
END_TEST

/* Blocks of queries are smaller for long rows. */
START_TEST(long_rows)
{
    compare(&(setting){.dtype = HEED_F32, .batch = 1, .queries = 130, .keys = 120, .d = 1201, .e = 7});
    compare(&(setting){.dtype = HEED_F64, .batch = 1, .queries = 70, .keys = 30, .d = 2, .e = 1031, .causal = true});
}
END_TEST

/* One query takes a separate path, up to 65,536 keys; its backward pass is cut into chunks of keys. */
START_TEST(one_query)
{
    static const int64_t keys[] = {111, 112, 113, 1000, 2003, 65536, 65537};
    for (int i = 0; i < 2 * 7; i++)
        compare(&(setting){.dtype = i % 2 ? HEED_F64 : HEED_F32,
                           .batch = 1 + i % 3,
                           .queries = 1,
                           .keys = keys[i / 2],
                           .d = 35,
                           .e = 49,
                           .lengths = i % 3,
                           .dropout = i / 2 % 2 ? 0.25 : 0});
}
END_TEST

/* Rows of q that score far above or below the others; keys that score -inf, a block of them and more. */
START_TEST(extreme_scores)
{
    for (int d = 0; d < 2; d++) {
        heed_dtype dtype = d ? HEED_F64 : HEED_F32;
        setting s = {.dtype = dtype, .batch = 1, .queries = 4, .keys = 300, .d = 1, .e = 2, .scale = 1};
        heed_tensor *in[INPUTS];
        draw(&s, in);
        in[Q] = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 1), 1, 1e4, -1e4, 3e37), true);
        outcome fused = run(&s, in, false, false), composed = run(&s, in, true, false);
        ck_assert_near(difference(fused.y, composed.y), 0, d ? 1e-12 : 1e-5);
        for (int64_t first = 0; first <= 300; first += 150) {
            heed_tensor *key = heed_clone(heed_detach(in[K])), *bad[INPUTS] = {in[Q], NULL, in[V]};
            for (int64_t j = 0; j < 300; j++)
                if (first == 300 || j < first)
                    heed_set_(key, HEED_INDEX(0, j, 0), -(double)INFINITY);
            bad[K] = heed_set_requires_grad(key, true);
            bad[Q] = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 1), 1, 2, 3, 4), true);
            fused = run(&s, bad, false, false);
            composed = run(&s, bad, true, false);
            ck_assert_near(difference(fused.y, composed.y), 0, d ? 1e-12 : 1e-5);
            ck_assert_near(difference(fused.dx[V], composed.dx[V]), 0, d ? 1e-12 : 1e-5);
            ck_assert(!isnan(heed_get(fused.y, HEED_INDEX(0, 0, 0))) == (first != 300));
        }
    }
}
END_TEST

/* A weight below the normal numbers is 0, the others do not change. */
START_TEST(tiny_weights)
{
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(1, 1, 1)),
                *k = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 0, -80, -90);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 3), 0, 0, 0, 0, 1, 0, 0, 0, 1);
    heed_tensor *y = heed_dot_product_attention(q, k, v, &(heed_attention_options){.scale = 1}, NULL);
    ck_assert_near(heed_get(y, HEED_INDEX(0, 0, 1)) / exp(-80), 1, 1e-6);
    ck_assert(heed_get(y, HEED_INDEX(0, 0, 2)) == 0);
}
END_TEST

HEED_TEST_MAIN("flash attention", every_option, sizes, fewer_digits, long_rows, one_query, extreme_scores, tiny_weights)
