/* tests/nn/test_nn_attention_masks.c - tests masks and biases of multi-head attention, grouped queries, and positions
 * and windows with a cache. Values are tested in tests/parity and test_nn_masks.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "layers.h"

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

/* Lengths, masks and biases that hide the same keys give the same bits. */
START_TEST(lengths_masks_and_biases_agree)
{
    multi_head *net = heed_nn_multi_head_attention_new(8, 4, &(multi_head_options){.kv_heads = 2, .dtype = HEED_F64});
    heed_tensor *q = made(HEED_F64, HEED_SHAPE(2, 3, 8), 0, 1.0), *k = made(HEED_F64, HEED_SHAPE(2, 4, 8), 1, 1.0);
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 4, 2), *weights[4];
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1, 1, 4), 1, 1, 1, 1, 1, 1, 0, 0);
    heed_tensor *bias =
        heed_masked_fill(heed_zeros(HEED_F64, HEED_SHAPE(2, 1, 1, 4)), heed_logical_not(mask), (double)-INFINITY);
    heed_tensor *y[] = {
        heed_nn_multi_head_attention_forward(net, q, k, k, lens, &weights[0]),
        heed_nn_multi_head_attention_forward_with(
            net, q, k, k, &(heed_nn_attention_call){.valid_lens = lens, .weights = &weights[1]}),
        heed_nn_multi_head_attention_forward_with(net, q, k, k,
                                                  &(heed_nn_attention_call){.mask = mask, .weights = &weights[2]}),
        heed_nn_multi_head_attention_forward_with(net, q, k, k,
                                                  &(heed_nn_attention_call){.bias = bias, .weights = &weights[3]}),
    };
    for (int i = 1; i < 4; i++) {
        ck_assert(difference(y[0], y[i]) <= 1e-15);
        ck_assert(difference(weights[0], weights[i]) <= 1e-15);
    }
    heed_module_free(&net->base);
}
END_TEST

enum { BY_MASK, BY_BIAS, BY_WINDOW, BY_BOTH, METHODS };

/* NaN in a key and a value that no query sees reaches neither the result nor a gradient; NaN in a visible key does. */
START_TEST(hidden_keys_have_no_effect)
{
    const double out = (double)-INFINITY;
    for (int method = 0; method < METHODS; method++) {
        multi_head_options o = {.dtype = HEED_F64, .window = method == BY_WINDOW ? 2 : 0};
        multi_head *net = heed_nn_multi_head_attention_new(4, 2, &o);
        heed_tensor *q = made(HEED_F64, HEED_SHAPE(1, 2, 4), 0, 1.0), *k = made(HEED_F64, HEED_SHAPE(1, 4, 4), 1, 1.0);
        heed_tensor *with_nan = heed_clone(k), *mask = NULL, *bias = NULL, *lens = NULL;
        heed_set_(with_nan, HEED_INDEX(0, 3, 1), (double)NAN);
        if (method == BY_MASK)
            mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 1, 1, 1, 0);
        if (method == BY_BIAS)
            bias = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 4), 1, 0, 2, out, 0, -1, 0, out);
        if (method == BY_BOTH) { /* the length hides the key from the first query, the mask from the second */
            lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 3, 4);
            mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 4), 1, 1, 1, 1, 1, 1, 1, 0);
        }
        heed_tensor *y = heed_nn_multi_head_attention_forward_with(
            net, q, k, k, &(heed_nn_attention_call){.valid_lens = lens, .mask = mask, .bias = bias});
        heed_tensor *z = heed_nn_multi_head_attention_forward_with(
            net, q, with_nan, with_nan, &(heed_nn_attention_call){.valid_lens = lens, .mask = mask, .bias = bias});
        ck_assert(difference(y, z) == 0.0);
        ck_assert_int_eq(heed_backward(heed_sum(z)), HEED_OK);
        ck_assert(isfinite(heed_item(heed_sum(heed_grad_of(net->in_proj_weight)))));
        heed_tensor *visible = heed_nn_multi_head_attention_forward_with(net, with_nan, with_nan, with_nan, NULL);
        ck_assert(isnan(heed_item(heed_sum(heed_detach(visible)))));
        heed_module_free(&net->base);
    }
}
END_TEST

/* Attention with fewer heads of keys and values than of queries gives the same bits as attention with as many, whose
 * linear maps are copies. */
START_TEST(groups_are_copies)
{
    multi_head *few = heed_nn_multi_head_attention_new(8, 4, &(multi_head_options){.kv_heads = 2});
    multi_head *all = heed_nn_multi_head_attention_new(8, 4, NULL);
    ck_assert(heed_shape_equal(heed_shape_of(few->in_proj_weight), HEED_SHAPE(16, 8)));
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *maps = heed_reshape(heed_slice(few->in_proj_weight, 0, 8, 16, 1), HEED_SHAPE(4, 2, 8));
    heed_copy_(heed_slice(all->in_proj_weight, 0, 0, 8, 1), heed_slice(few->in_proj_weight, 0, 0, 8, 1));
    heed_copy_(heed_slice(all->in_proj_weight, 0, 8, 24, 1),
               heed_reshape(heed_repeat_interleave(maps, 0, 2), HEED_SHAPE(16, 8)));
    heed_copy_(all->out_proj->weight, few->out_proj->weight);
    heed_scope_end(scope);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 5, 8), 2, 1.0);
    ck_assert(difference(heed_nn_multi_head_attention_forward(few, x, x, x, NULL, NULL),
                         heed_nn_multi_head_attention_forward(all, x, x, x, NULL, NULL)) == 0.0);
    heed_module_free(&few->base);
    heed_module_free(&all->base);
}
END_TEST

/* Step by step with a cache gives the same result as all steps at once. */
START_TEST(positions_with_a_cache)
{
    const multi_head_options all[] = {{.rope = true, .kv_heads = 1},
                                      {.alibi = true},
                                      {.window = 2},
                                      {.relative_positions = 3},
                                      {.rope = true, .rope_interleaved = true, .rope_base = 50, .window = 3}};
    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) {
        multi_head_options o = all[i];
        o.causal = true;
        o.dtype = HEED_F64;
        multi_head *net = heed_nn_multi_head_attention_new(8, 4, &o);
        if (net->relative_bias)
            heed_nn_init_normal_(net->relative_bias, 0.0, 1.0);
        heed_kv_cache *cache = heed_kv_cache_new(NULL);
        heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 6, 8), i, 1.0), *weights, *some;
        heed_tensor *y = heed_nn_multi_head_attention_forward(net, x, x, x, NULL, &weights);
        for (int64_t t = 0; t < 6; t += 2) {
            heed_tensor *chunk = heed_slice(x, 1, t, t + 2, 1);
            heed_tensor *z = heed_nn_multi_head_attention_forward_with(
                net, chunk, chunk, chunk, &(heed_nn_attention_call){.cache = cache, .weights = &some});
            ck_assert(difference(z, heed_slice(heed_detach(y), 1, t, t + 2, 1)) <= 1e-14);
            heed_tensor *rows = heed_slice(heed_detach(weights), 2, t, t + 2, 1);
            ck_assert(difference(some, heed_slice(rows, 3, 0, t + 2, 1)) <= 1e-14);
        }
        heed_kv_cache_free(cache);
        heed_kv_cache *fresh = heed_kv_cache_new(NULL);
        heed_tensor *one = heed_slice(x, 1, 0, 1, 1);
        ck_assert_ptr_null(
            heed_nn_multi_head_attention_forward_with(net, x, one, one, &(heed_nn_attention_call){.cache = fresh}));
        ck_assert_error(HEED_ERR_SHAPE, "queries is (2, 6, 8): must have at most 1 steps, the number of keys");
        ck_assert_int_eq(heed_kv_cache_length(fresh), 0);
        heed_kv_cache_free(fresh);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(masks_that_do_not_fit)
{
    multi_head *net = heed_nn_multi_head_attention_new(4, 2, NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0), *weights = x;
    heed_tensor *mask = heed_full(HEED_BOOL, HEED_SHAPE(3, 4), 1.0), *bias = heed_zeros(HEED_F64, HEED_SHAPE(3, 3));
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(
        net, x, x, x, &(heed_nn_attention_call){.mask = mask, .weights = &weights}));
    ck_assert_error(HEED_ERR_SHAPE, "nn_multi_head_attention_forward_with: ");
    ck_assert_ptr_null(weights);
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.bias = bias}));
    ck_assert_error(HEED_ERR_DTYPE, "nn_multi_head_attention_forward_with: ");
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.mask = bias}));
    ck_assert_error(HEED_ERR_DTYPE, "nn_multi_head_attention_forward_with: ");
    heed_tensor *many = heed_zeros(HEED_F32, HEED_SHAPE(2, 64, 4));
    heed_tensor *few = heed_full(HEED_BOOL, HEED_SHAPE(40, 3), 1.0),
                *narrow = heed_full(HEED_BOOL, HEED_SHAPE(64, 2), 1.0);
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, many, x, x, &(heed_nn_attention_call){.mask = few}));
    ck_assert_error(HEED_ERR_SHAPE, "mask is (40, 3): must broadcast to (2, 2, 64, 3)");
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, many, x, x, &(heed_nn_attention_call){.mask = narrow}));
    ck_assert_error(HEED_ERR_SHAPE, "mask is (64, 2): must broadcast to (2, 2, 64, 3)");
    heed_module_free(&net->base);
}
END_TEST

/* A batch of size 0, although its sequences would be very long. */
START_TEST(no_sequences)
{
    multi_head *net = heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.window = 1});
    heed_tensor *q = heed_zeros(HEED_F32, HEED_SHAPE(0, (int64_t)1 << 40, 4)),
                *k = heed_zeros(HEED_F32, HEED_SHAPE(0, 1, 4));
    heed_tensor *y = heed_nn_multi_head_attention_forward(net, q, k, k, NULL, NULL);
    ck_assert_msg(y && heed_numel(y) == 0, "%s", heed_error_message());
    heed_module_free(&net->base);
}
END_TEST

/* If there are as many batch elements as heads, a mask of three axes is still (heads, queries, keys). A mask per batch
 * element needs four axes. */
START_TEST(three_axes)
{
    multi_head *net = heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.dtype = HEED_F64});
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3, 4), 0, 1.0), *bias = made(HEED_F64, HEED_SHAPE(2, 3, 3), 1, 2.0);
    heed_tensor *mask = heed_compare_scalar(bias, HEED_COMPARE_GT, -1.0);
    for (int by_bias = 0; by_bias < 2; by_bias++) {
        heed_tensor *of = by_bias ? bias : mask, *y[3], *weights;
        const heed_shape shapes[] = {HEED_SHAPE(2, 3, 3), HEED_SHAPE(1, 2, 3, 3), HEED_SHAPE(2, 1, 3, 3)};
        for (int i = 0; i < 3; i++) {
            heed_tensor *reshaped = heed_reshape(of, shapes[i]);
            y[i] = heed_nn_multi_head_attention_forward_with(
                net, x, x, x,
                &(heed_nn_attention_call){.mask = by_bias ? NULL : reshaped,
                                          .bias = by_bias ? reshaped : NULL,
                                          .weights = i % 2 == 0 ? NULL : &weights});
        }
        ck_assert(difference(y[0], y[1]) <= 1e-14);
        ck_assert(difference(y[0], y[2]) > 1e-3);
        for (int64_t b = 0; b < 2; b++) {
            heed_tensor *own = heed_select(of, 0, b), *alone = heed_slice(x, 0, b, b + 1, 1);
            heed_tensor *z = heed_nn_multi_head_attention_forward_with(
                net, alone, alone, alone,
                &(heed_nn_attention_call){.mask = by_bias ? NULL : own, .bias = by_bias ? own : NULL});
            ck_assert(difference(heed_slice(heed_detach(y[2]), 0, b, b + 1, 1), z) <= 1e-14);
        }
    }
    heed_tensor *more = made(HEED_F64, HEED_SHAPE(3, 4, 4), 0, 1.0),
                *three = heed_full(HEED_BOOL, HEED_SHAPE(3, 4, 4), 1.0);
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, more, more, more, &(heed_nn_attention_call){.mask = three}));
    ck_assert_error(HEED_ERR_SHAPE, "nn_multi_head_attention_forward_with: ");
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(net, more, heed_clone(more), more,
                                                                 &(heed_nn_attention_call){.mask = three}));
    ck_assert_error(HEED_ERR_SHAPE, "nn_multi_head_attention_forward_with: ");
    heed_module_free(&net->base);
}
END_TEST

/* Distances of 2 and more have the bias -inf: the third key and later ones are hidden. */
START_TEST(keys_hidden_by_relative_bias)
{
    multi_head *net =
        heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.relative_positions = 2, .dtype = HEED_F64});
    heed_tensor *q = made(HEED_F64, HEED_SHAPE(2, 1, 4), 0, 1.0), *k = made(HEED_F64, HEED_SHAPE(2, 5, 4), 1, 1.0),
                *dw[2];
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(heed_select(net->relative_bias, 1, 4), -INFINITY);
    heed_fill_(heed_slice(k, 1, 2, 5, 1), NAN);
    heed_scope_end(scope);
    for (int few = 0; few < 2; few++) {
        heed_tensor *keys = few ? heed_slice(k, 1, 0, 2, 1) : k;
        heed_tensor *loss = heed_sum(heed_square(heed_nn_multi_head_attention_forward(net, q, keys, keys, NULL, NULL)));
        ck_assert_msg(heed_grad(&loss, 1, &net->in_proj_weight, 1, &dw[few], NULL) == HEED_OK, "%s",
                      heed_error_message());
    }
    ck_assert(difference(dw[0], dw[1]) <= 1e-14);
    heed_module_free(&net->base);
}
END_TEST

/* The bias receives gradients. */
START_TEST(bias_is_learnt)
{
    multi_head *net = heed_nn_multi_head_attention_new(4, 2, NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0), *bias = made_leaf(HEED_F32, HEED_SHAPE(2, 3, 3), 1);
    heed_tensor *y = heed_nn_multi_head_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.bias = bias});
    ck_assert_int_eq(heed_backward(heed_sum(heed_square(y))), HEED_OK);
    ck_assert(heed_item(heed_max(heed_abs(heed_grad_of(bias)))) > 1e-4);
    heed_module_free(&net->base);
}
END_TEST

/* Returns the peak memory of attention from T queries to T different keys, in bytes, without its inputs. */
static int64_t peak_memory(multi_head *net, int64_t T, bool masked)
{
    heed_tensor *q = heed_zeros(HEED_F32, HEED_SHAPE(1, T, 8)), *k = heed_zeros(HEED_F32, HEED_SHAPE(1, T, 8));
    heed_tensor *mask = masked ? heed_full(HEED_BOOL, HEED_SHAPE(T, T), 1.0) : NULL;
    const int64_t before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    ck_assert_ptr_nonnull(
        heed_nn_multi_head_attention_forward_with(net, q, k, k, &(heed_nn_attention_call){.mask = mask}));
    return heed_memory_get_stats().peak_bytes - before;
}

/* Invisible keys are found without storing all pairs: twice the queries and keys take twice the memory. */
START_TEST(memory_grows_linearly)
{
    const multi_head_options options[] = {{0}, {.window = 30}};
    for (int i = 0; i < 2; i++) {
        multi_head *net = heed_nn_multi_head_attention_new(8, 2, &options[i]);
        const int64_t once = peak_memory(net, 512, i == 0), twice = peak_memory(net, 1024, i == 0);
        ck_assert_msg((double)twice < 2.5 * (double)once, "%" PRId64 " bytes, then %" PRId64, once, twice);
        heed_module_free(&net->base);
    }
}
END_TEST

HEED_TEST_MAIN("masks of multi-head attention", lengths_masks_and_biases_agree, hidden_keys_have_no_effect,
               groups_are_copies, positions_with_a_cache, masks_that_do_not_fit, no_sequences, three_axes,
               keys_hidden_by_relative_bias, memory_grows_linearly, bias_is_learnt)
