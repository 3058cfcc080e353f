/* tests/ops/test_flash_attention_layouts.c - fused dot-product attention: layouts, the axes of masks, threads, and
 * only some gradients. test_flash_attention_memory.c tests memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "flash.h"

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

/* To the bit. */
static void expect_same(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(difference(a, b) == 0);
}

/* Heads as views of maps, separated rows, separated columns, one row for all. */
START_TEST(views)
{
    heed_manual_seed(2);
    heed_tensor *maps = heed_randn(HEED_F32, HEED_SHAPE(2, 37, 3 * 4 * 8)), *view[INPUTS], *copy[INPUTS];
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < INPUTS; i++) {
            heed_tensor *x = heed_slice(maps, 2, i * 32, (i + 1) * 32, 1);
            x = kind == 1 ? heed_slice(x, 1, 0, 37, 2) : x;
            x = kind == 2 ? heed_slice(x, 2, 0, 32, 3) : x;
            x = kind == 3 ? heed_expand(heed_slice(x, 1, 5, 6, 1), HEED_SHAPE(2, 9, 32)) : x;
            view[i] = kind == 0 ? heed_transpose(heed_reshape(x, HEED_SHAPE(2, 37, 4, 8)), 1, 2) : x;
            copy[i] = heed_clone(view[i]);
        }
        heed_tensor *y = heed_dot_product_attention(view[Q], view[K], view[V], NULL, NULL);
        expect_same(y, heed_dot_product_attention(copy[Q], copy[K], copy[V], NULL, NULL));
        ck_assert(heed_is_contiguous(y));
    }
}
END_TEST

static heed_tensor *turned(heed_tensor *x)
{
    return heed_set_requires_grad(heed_clone(heed_detach(heed_transpose(x, 1, 2))), true);
}

START_TEST(heads_inner)
{
    for (int with_weights = 0; with_weights < 2; with_weights++) {
        setting outer = {.dtype = HEED_F32,
                         .batch = 2,
                         .heads = 3,
                         .queries = 40,
                         .keys = 130,
                         .d = 9,
                         .e = 33,
                         .lengths = BY_ROW,
                         .dropout = 0.2},
                inner = outer;
        heed_tensor *in[INPUTS], *other[INPUTS];
        inner.inner = true;
        draw(&outer, in);
        for (int i = 0; i < INPUTS; i++)
            other[i] = turned(in[i]);
        outcome a = run(&outer, in, with_weights, false), b = run(&inner, other, with_weights, false);
        expect_same(heed_transpose(a.y, 1, 2), b.y);
        for (int i = 0; i < INPUTS; i++)
            expect_same(heed_transpose(a.dx[i], 1, 2), b.dx[i]);
        ck_assert(heed_is_contiguous(b.y));
    }
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4));
    ck_assert_ptr_null(heed_dot_product_attention(x, x, x, &(heed_attention_options){.heads_inner = true}, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "q (2, 3, 4), k (2, 3, 4), v (2, 3, 4): must be (B, Q, H, d)");
}
END_TEST

/* -- Axes of masks ------------------------------------------------------------------------------------------------- */

enum { SAME = 2 };

/* Runs attention with a mask or a bias, which has the given shape and always the same numbers. */
static heed_tensor *masked(heed_tensor *const in[INPUTS], bool bias, bool with_weights, heed_tensor *numbers,
                           heed_shape shape)
{
    heed_tensor *weights, *of = heed_reshape(numbers, shape);
    heed_attention_options o = {.bias = bias ? of : NULL};
    o.mask = bias ? NULL : heed_compare_scalar(of, HEED_COMPARE_GT, -0.5);
    return heed_dot_product_attention(in[Q], in[K], in[V], &o, with_weights ? &weights : NULL);
}

/* Batch element b alone. */
static heed_tensor *alone(heed_tensor *const in[INPUTS], bool bias, bool with_weights, heed_tensor *numbers, int64_t b)
{
    heed_tensor *one[INPUTS], *of = heed_slice(numbers, 0, b, b + 1, 1);
    for (int i = 0; i < INPUTS; i++)
        one[i] = heed_slice(in[i], 0, b, b + 1, 1);
    return masked(one, bias, with_weights, of, HEED_SHAPE(heed_dim(of, 1), heed_dim(of, 2)));
}

static void check_axes(int64_t queries, int64_t keys, bool bias, bool with_weights)
{
    heed_tensor *numbers = heed_randn(HEED_F64, HEED_SHAPE(SAME, queries, keys)), *in[INPUTS], *flat[INPUTS];
    const setting s = {
        .dtype = HEED_F64, .batch = SAME, .heads = SAME, .queries = queries, .keys = keys, .d = 3, .e = 5};
    draw(&s, in);
    heed_tensor *three = masked(in, bias, with_weights, numbers, heed_shape_of(numbers));
    heed_tensor *heads = masked(in, bias, with_weights, numbers, HEED_SHAPE(1, SAME, queries, keys));
    heed_tensor *batch = masked(in, bias, with_weights, numbers, HEED_SHAPE(SAME, 1, queries, keys));
    expect_same(three, heads);
    ck_assert(difference(three, batch) > 1e-3);
    for (int i = 0; i < INPUTS; i++)
        flat[i] = heed_select(in[i], 1, 0);
    heed_tensor *no_heads = masked(flat, bias, with_weights, numbers, heed_shape_of(numbers));
    for (int64_t b = 0; b < SAME; b++) {
        expect_same(heed_slice(batch, 0, b, b + 1, 1), alone(in, bias, with_weights, numbers, b));
        expect_same(heed_slice(no_heads, 0, b, b + 1, 1), alone(flat, bias, with_weights, numbers, b));
    }
}

/* Three axes are heads, queries and keys, even if (B, Q, K) is meant and would fit because the numbers of heads and
 * batch elements are equal; the batch's shape is (B, 1, Q, K). Without heads three axes are (B, Q, K). */
START_TEST(three_axes_of_a_mask)
{
    for (int i = 0; i < 8; i++)
        check_axes(i & 1 ? 150 : 3, i & 1 ? 260 : 4, i & 2, i & 4);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3, 2, 4, 5));
    heed_tensor *mask = heed_ones(HEED_BOOL, HEED_SHAPE(3, 4, 4));
    ck_assert_ptr_null(heed_dot_product_attention(x, x, x, &(heed_attention_options){.mask = mask}, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "mask is (3, 4, 4): must broadcast to (3, 2, 4, 4)");
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* The work is also cut into chunks of keys within one batch element. */
START_TEST(any_number_of_threads)
{
    static const int counts[] = {1, 2, 3, 7};
    const setting settings[] = {
        {.dtype = HEED_F32, .batch = 1, .queries = 700, .keys = 600, .d = 16, .e = 24},
        {.dtype = HEED_F32, .batch = 3, .queries = 300, .keys = 500, .d = 17, .e = 16, .lengths = BY_ROW},
        {.dtype = HEED_F64,
         .batch = 1,
         .heads = 3,
         .queries = 400,
         .keys = 400,
         .d = 16,
         .e = 16,
         .causal = true,
         .inner = true,
         .dropout = 0.1},
        {.dtype = HEED_F32,
         .batch = 1,
         .queries = 700,
         .keys = 600,
         .d = 33,
         .e = 24,
         .precision = HEED_PRECISION_MEDIUM}};
    int before = heed_num_threads();
    for (int i = 0; i < 4; i++) {
        heed_tensor *in[INPUTS];
        draw(&settings[i], in);
        outcome first = {.y = NULL};
        for (int n = 0; n < 4; n++) {
            heed_set_num_threads(counts[n]);
            outcome o = run(&settings[i], in, false, false);
            if (n == 0)
                first = o;
            expect_near(&settings[i], &o, &first, 0, "by threads");
        }
        heed_set_num_threads(before);
        compare(&settings[i]);
    }
}
END_TEST

/* -- Some gradients only ------------------------------------------------------------------------------------------- */

START_TEST(some_gradients)
{
    setting s = {.dtype = HEED_F32, .batch = 1, .queries = 400, .keys = 400, .d = 16, .e = 16, .causal = true};
    heed_tensor *in[INPUTS], *dx = NULL;
    draw(&s, in);
    outcome all = run(&s, in, false, false);
    heed_tensor *g = gradient_of(&s, all.y);
    for (int i = 0; i < INPUTS; i++) {
        heed_tensor *y =
            heed_dot_product_attention(in[Q], in[K], in[V], &(heed_attention_options){.causal = true}, NULL);
        heed_grad_options of = {.grad_outputs = &g};
        ck_assert_int_eq(heed_grad(&y, 1, &in[i], 1, &dx, &of), HEED_OK);
        expect_same(dx, all.dx[i]);
    }
}
END_TEST

HEED_TEST_MAIN("flash attention, layouts", views, heads_inner, three_axes_of_a_mask, any_number_of_threads,
               some_gradients)
