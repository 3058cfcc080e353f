/* tests/ops/test_flash_attention_layouts.c - dot-product attention as one op: layouts, threads, and some gradients only.
 * Memory is in test_flash_attention_memory.c. */

#include "flash.h"

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

/* To the bit. */
static void expect_same(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(difference(a, b) == 0);
}

/* Heads as views of maps, rows apart, columns apart, one row for all. */
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

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* Cut into chunks of keys, within one batch element, too. */
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

HEED_TEST_MAIN("flash attention, layouts", views, heads_inner, any_number_of_threads, some_gradients)
