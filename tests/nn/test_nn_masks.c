/* tests/nn/test_nn_masks.c - tests masks and biases of additive and dot-product attention and of the Transformer and
 * its blocks. Multi-head attention is tested in test_nn_attention_masks.c, except for PyTorch's values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"
#include "reference/masks_reference.h"

enum { ADDITIVE, DOT_PRODUCT, ENCODER_BLOCK, DECODER_SELF, DECODER_MEMORY, LAYERS };

typedef struct visibility {
    heed_tensor *lens, *mask, *bias;
} visibility;

static heed_module *make_layer(int layer, heed_dtype dtype)
{
    const heed_nn_additive_attention_options additive = {.dtype = dtype};
    const heed_nn_transformer_options encoder = {.activation = heed_gelu, .dtype = dtype};
    const heed_nn_transformer_options decoder = {.activation = heed_gelu, .not_causal = true, .dtype = dtype};
    heed_manual_seed(3);
    void *net = layer == ADDITIVE        ? (void *)heed_nn_additive_attention_new(4, 4, 3, &additive)
                : layer == DOT_PRODUCT   ? (void *)heed_nn_dot_product_attention_new(NULL)
                : layer == ENCODER_BLOCK ? (void *)heed_nn_transformer_encoder_block_new(4, 2, 3, &encoder)
                                         : (void *)heed_nn_transformer_decoder_block_new(4, 2, 3, &decoder);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* Runs with queries q and keys and values k; self-attention uses k for all three. */
static heed_tensor *forward(int layer, void *net, heed_tensor *q, heed_tensor *k, heed_tensor *lens,
                            heed_tensor **weights)
{
    switch (layer) {
    case ADDITIVE:
        return heed_nn_additive_attention_forward(net, q, k, k, lens, weights);
    case DOT_PRODUCT:
        return heed_nn_dot_product_attention_forward(net, q, k, k, lens, weights);
    case ENCODER_BLOCK:
        return heed_nn_transformer_encoder_block_forward(net, k, lens, weights);
    case DECODER_SELF:
        return heed_nn_transformer_decoder_block_forward(net, k, q, lens, NULL, weights, NULL);
    default:
        return heed_nn_transformer_decoder_block_forward(net, q, k, NULL, lens, NULL, weights);
    }
}

static heed_tensor *masked(int layer, void *net, heed_tensor *q, heed_tensor *k, visibility s, heed_tensor **weights)
{
    const heed_nn_attention_call call = {.valid_lens = s.lens, .mask = s.mask, .bias = s.bias, .weights = weights};
    const heed_nn_attention_call other = {
        .memory_lens = s.lens, .memory_mask = s.mask, .memory_bias = s.bias, .memory_weights = weights};
    switch (layer) {
    case ADDITIVE:
        return heed_nn_additive_attention_forward_with(net, q, k, k, &call);
    case DOT_PRODUCT:
        return heed_nn_dot_product_attention_forward_with(net, q, k, k, &call);
    case ENCODER_BLOCK:
        return heed_nn_transformer_encoder_block_forward_with(net, k, &call);
    case DECODER_SELF:
        return heed_nn_transformer_decoder_block_forward_with(net, k, q, &call);
    default:
        return heed_nn_transformer_decoder_block_forward_with(net, q, k, &other);
    }
}

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

/* Lengths, masks and biases that hide the same keys, alone or together, give the same result. */
START_TEST(lengths_masks_and_biases_agree)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        heed_module *net = make_layer(layer, HEED_F64);
        heed_tensor *q = made(HEED_F64, HEED_SHAPE(2, 3, 4), 0, 1.0), *k = made(HEED_F64, HEED_SHAPE(2, 4, 4), 1, 1.0);
        heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 4, 2),
                    *more = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 4, 3);
        const heed_shape of = layer < ENCODER_BLOCK ? HEED_SHAPE(2, 1, 4) : HEED_SHAPE(2, 1, 1, 4);
        heed_tensor *mask = HEED_TENSOR(HEED_BOOL, of, 1, 1, 1, 1, 1, 1, 0, 0);
        heed_tensor *third = HEED_TENSOR(HEED_BOOL, of, 1, 1, 1, 1, 1, 1, 0, 1);
        heed_tensor *bias = heed_masked_fill(heed_zeros(HEED_F64, of), heed_logical_not(mask), (double)-INFINITY);
        const visibility variants[] = {{lens, NULL, NULL}, {NULL, mask, NULL}, {NULL, NULL, bias}, {more, third, NULL}};
        heed_tensor *all, *visible_weights, *weights;
        heed_tensor *y = forward(layer, net, q, k, lens, &visible_weights);
        ck_assert(difference(y, forward(layer, net, q, k, NULL, &all)) > 1e-3);
        for (int i = 0; i < 4; i++) {
            ck_assert(difference(y, masked(layer, net, q, k, variants[i], &weights)) <= 1e-15);
            ck_assert(difference(visible_weights, weights) <= 1e-15);
        }
        ck_assert(difference(all, visible_weights) > 1e-3);
        heed_module_free(net);
    }
}
END_TEST

typedef struct checked {
    int layer;
    heed_module *net;
    heed_tensor *lens, *mask;
} checked;

/* Returns the result and weights of (queries, keys, bias). */
static heed_tensor *result_and_weights(heed_tensor *const *in, void *user)
{
    const checked *c = user;
    heed_tensor *weights, *y = masked(c->layer, c->net, in[0], in[1], (visibility){c->lens, c->mask, in[2]}, &weights);
    if (!y)
        return NULL;
    heed_tensor *parts[] = {heed_reshape(y, HEED_SHAPE(-1)), heed_reshape(weights, HEED_SHAPE(-1))};
    return heed_concat(parts, 2, 0);
}

/* Both orders, also if the last query sees no key. */
START_TEST(derivatives)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        checked c = {.layer = layer, .net = make_layer(layer, HEED_F64)};
        c.lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2);
        c.mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3, 3), 1, 1, 0, 1, 0, 1, 0, 0, 1);
        heed_tensor *in[] = {made_leaf(HEED_F64, HEED_SHAPE(1, 3, 4), 0), made_leaf(HEED_F64, HEED_SHAPE(1, 3, 4), 1),
                             made_leaf(HEED_F64, HEED_SHAPE(3), 2)};
        const heed_gradcheck_options o = {.atol = 1e-6, .random_projection = true};
        heed_gradcheck_result r;
        ck_assert_msg(heed_gradcheck(result_and_weights, &c, in, 3, &o, &r) == HEED_OK, "%d: %s", layer, r.report);
        ck_assert_msg(heed_gradgradcheck(result_and_weights, &c, in, 3, &o, &r) == HEED_OK, "%d: %s", layer, r.report);
        heed_module_free(c.net);
    }
}
END_TEST

/* NaN in the last key and value, which the mask hides, changes no bit and no gradient; the first query sees no key. */
START_TEST(masked_keys_have_no_effect)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        if (layer == ENCODER_BLOCK || layer == DECODER_SELF) /* there a hidden step is still a query */
            continue;
        heed_module *net = make_layer(layer, HEED_F64);
        heed_tensor *q = made_leaf(HEED_F64, HEED_SHAPE(1, 2, 4), 0), *k = made(HEED_F64, HEED_SHAPE(1, 3, 4), 1, 1.0);
        heed_tensor *with_nan = heed_clone(k);
        heed_set_(with_nan, HEED_INDEX(0, 2, 1), (double)NAN);
        const visibility s = {.mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 0, 0, 0, 1, 1, 0)};
        heed_tensor *y = masked(layer, net, q, k, s, NULL);
        heed_set_requires_grad(with_nan, true);
        heed_tensor *z = masked(layer, net, q, with_nan, s, NULL);
        ck_assert(difference(y, z) == 0.0);
        ck_assert_int_eq(heed_backward(heed_sum(heed_square(z))), HEED_OK);
        heed_tensor *hidden = heed_slice(heed_grad_of(with_nan), 1, 2, 3, 1);
        ck_assert(heed_item(heed_sum(heed_abs(hidden))) == 0.0);
        ck_assert(isfinite(heed_item(heed_sum(heed_grad_of(with_nan)))));
        if (layer != DECODER_MEMORY) { /* which adds the query and maps the zeros */
            ck_assert(heed_item(heed_sum(heed_abs(heed_slice(heed_detach(z), 1, 0, 1, 1)))) == 0.0);
            ck_assert(heed_item(heed_sum(heed_abs(heed_slice(heed_grad_of(q), 1, 0, 1, 1)))) == 0.0);
        }
        if (layer == ADDITIVE)
            ck_assert(isfinite(heed_item(heed_sum(heed_grad_of(((heed_nn_additive_attention *)net)->W_k->weight)))));
        heed_module_free(net);
    }
}
END_TEST

/* The options of the layers apply with masks as without them. */
START_TEST(options_apply_with_masks)
{
    heed_tensor *q = made(HEED_F64, HEED_SHAPE(2, 3, 4), 0, 1.0), *weights;
    heed_tensor *ahead = heed_tril(heed_ones(HEED_F64, HEED_SHAPE(3, 3)), 0);
    const visibility earlier = {.mask = heed_compare_scalar(ahead, HEED_COMPARE_GT, 0.5)};
    const visibility first = {.mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 1, 0)};
    const visibility both = {.mask = heed_logical_and(earlier.mask, first.mask)};
    heed_nn_dot_product_attention_options options = {.scale = 2.0};
    heed_nn_dot_product_attention *any = heed_nn_dot_product_attention_new(&options);
    heed_attention_options of_op = {.scale = 2.0, .mask = first.mask};
    ck_assert(difference(masked(DOT_PRODUCT, any, q, q, first, NULL),
                         heed_dot_product_attention(q, q, q, &of_op, NULL)) == 0.0);
    options.causal = true;
    heed_nn_dot_product_attention *causal = heed_nn_dot_product_attention_new(&options);
    ck_assert(difference(masked(DOT_PRODUCT, any, q, q, earlier, NULL),
                         forward(DOT_PRODUCT, causal, q, q, NULL, NULL)) <= 1e-15);
    ck_assert(difference(masked(DOT_PRODUCT, causal, q, q, first, NULL), masked(DOT_PRODUCT, any, q, q, both, NULL)) <=
              1e-15);
    heed_nn_additive_attention *additive =
        heed_nn_additive_attention_new(4, 4, 3, &(heed_nn_additive_attention_options){.dtype = HEED_F64});
    any->dropout = additive->dropout = 1.0;
    heed_module *const nets[] = {&additive->base, &any->base};
    for (int layer = ADDITIVE; layer <= DOT_PRODUCT; layer++) {
        heed_tensor *y = masked(layer, nets[layer], q, q, first, &weights);
        ck_assert(heed_item(heed_max(heed_abs(heed_detach(y)))) == 0.0);
        ck_assert_double_eq_tol(heed_item(heed_sum(heed_detach(weights))), 6.0, 1e-14);
        heed_module_eval(nets[layer]);
        ck_assert(difference(masked(layer, nets[layer], q, q, first, NULL), y) > 1e-3);
        heed_module_free(nets[layer]);
    }
    heed_module_free(&causal->base);
}
END_TEST

START_TEST(masks_that_do_not_fit)
{
    static const char *const names[] = {
        "nn_additive_attention_forward_with: ", "nn_dot_product_attention_forward_with: ",
        "nn_transformer_encoder_block_forward_with: ", "nn_transformer_decoder_block_forward_with: ",
        "nn_transformer_decoder_block_forward_with: "};
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0);
    heed_tensor *mask = heed_full(HEED_BOOL, HEED_SHAPE(3, 4), 1.0), *bias = heed_zeros(HEED_F64, HEED_SHAPE(3, 3));
    for (int layer = 0; layer < LAYERS; layer++) {
        heed_module *net = make_layer(layer, HEED_F32);
        heed_tensor *weights = x;
        ck_assert_ptr_null(masked(layer, net, x, x, (visibility){.mask = mask}, &weights));
        ck_assert_error(HEED_ERR_SHAPE, names[layer]);
        ck_assert_ptr_null(weights);
        ck_assert_ptr_null(masked(layer, net, x, x, (visibility){.bias = bias}, NULL));
        ck_assert_error(HEED_ERR_DTYPE, names[layer]);
        ck_assert_ptr_null(masked(layer, net, x, x, (visibility){.mask = bias}, NULL));
        ck_assert_error(HEED_ERR_DTYPE, names[layer]);
        ck_assert_ptr_null(masked(layer, NULL, x, x, (visibility){.mask = mask}, NULL));
        ck_assert_error(HEED_ERR_ARGUMENT, names[layer]);
        heed_module_free(net);
    }
}
END_TEST

/* -- PyTorch's values ---------------------------------------------------------------------------------------------- */

static heed_status fill(const heed_module_visit *visit, void *user)
{
    int *k = user;
    return heed_copy_(visit->tensor, made(HEED_F64, heed_shape_of(visit->tensor), (*k)++, 1.0));
}

static void fill_all(heed_module *net)
{
    int k = 0;
    heed_scope *scope = heed_no_grad_begin();
    ck_assert_int_eq(heed_module_walk(net, fill, &k), HEED_OK);
    heed_scope_end(scope);
}

/* Returns bool (rows, keys), the mask of masks_reference.py. */
static heed_tensor *seen(int64_t rows, int64_t keys)
{
    heed_tensor *t = heed_empty(HEED_BOOL, HEED_SHAPE(rows, keys));
    for (int64_t i = 0; i < rows * keys; i++)
        heed_set_(t, HEED_INDEX(i / keys, i % keys), (i / keys + 2 * (i % keys)) % 3 != 1);
    return t;
}

static void assert_values(heed_tensor *y, const double *values)
{
    ck_assert(difference(y, heed_from_values(HEED_F64, HEED_SHAPE(2, 3, 4), values, 24)) <= 1e-13);
}

START_TEST(blocks_of_torch)
{
    static const double *const values[2][4] = {
        {encoder_by_mask, encoder_by_bias, decoder_by_mask, decoder_by_bias},
        {encoder_by_mask_pre_norm, encoder_by_bias_pre_norm, decoder_by_mask_pre_norm, decoder_by_bias_pre_norm}};
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3, 4), 20, 1.0),
                *memory = made(HEED_F64, HEED_SHAPE(2, 4, 4), 21, 1.0);
    heed_tensor *own = made(HEED_F64, HEED_SHAPE(3, 3), 22, 1.0), *other = made(HEED_F64, HEED_SHAPE(3, 4), 23, 1.0);
    const heed_nn_attention_call self[] = {{.mask = seen(3, 3)}, {.bias = own}};
    const heed_nn_attention_call both[] = {{.mask = self[0].mask, .memory_mask = seen(3, 4)},
                                           {.bias = own, .memory_bias = other}};
    for (int pre_norm = 0; pre_norm < 2; pre_norm++) {
        heed_nn_transformer_encoder_block *encoder = heed_nn_transformer_encoder_block_new(
            4, 2, 5, &(heed_nn_transformer_options){.pre_norm = pre_norm, .dtype = HEED_F64});
        heed_nn_transformer_decoder_block *decoder = heed_nn_transformer_decoder_block_new(
            4, 2, 5, &(heed_nn_transformer_options){.pre_norm = pre_norm, .not_causal = true, .dtype = HEED_F64});
        fill_all(&encoder->base);
        fill_all(&decoder->base);
        for (int i = 0; i < 2; i++) {
            assert_values(heed_nn_transformer_encoder_block_forward_with(encoder, x, &self[i]), values[pre_norm][i]);
            assert_values(heed_nn_transformer_decoder_block_forward_with(decoder, x, memory, &both[i]),
                          values[pre_norm][2 + i]);
        }
        heed_module_free(&encoder->base);
        heed_module_free(&decoder->base);
    }
}
END_TEST

/* Compares the whole model and its two halves, which get the same masks. */
static void assert_whole(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt, heed_nn_attention_call call,
                         const double *values)
{
    heed_tensor *all[3], *half[3];
    heed_nn_attention_call encoding = {.mask = call.encoder_mask, .bias = call.encoder_bias, .weights = &half[0]};
    call.encoder_weights = &all[0];
    call.weights = &all[1];
    call.memory_weights = &all[2];
    heed_tensor *y = heed_nn_transformer_forward_with(net, src, tgt, &call);
    assert_values(y, values);
    heed_tensor *memory = heed_nn_transformer_encoder_forward_with(net->encoder, src, &encoding);
    call.encoder_mask = call.encoder_bias = NULL;
    call.encoder_weights = NULL;
    call.weights = &half[1];
    call.memory_weights = &half[2];
    heed_tensor *z = heed_nn_transformer_decoder_forward_with(net->decoder, tgt, memory, &call);
    ck_assert(difference(y, z) == 0.0);
    for (int i = 0; i < 3; i++)
        ck_assert(difference(all[i], half[i]) == 0.0);
}

START_TEST(transformer_of_torch)
{
    const heed_nn_transformer_options options = {.decoder_layers = 1, .dtype = HEED_F64};
    heed_nn_transformer *net = heed_nn_transformer_new(0, 0, 4, 2, 5, 2, &options);
    heed_tensor *src = made(HEED_F64, HEED_SHAPE(2, 4, 4), 21, 1.0),
                *tgt = made(HEED_F64, HEED_SHAPE(2, 3, 4), 20, 1.0);
    const heed_nn_attention_call by_mask = {.encoder_mask = seen(4, 4), .mask = seen(3, 3), .memory_mask = seen(3, 4)};
    const heed_nn_attention_call by_bias = {.encoder_bias = made(HEED_F64, HEED_SHAPE(4, 4), 24, 1.0),
                                            .bias = made(HEED_F64, HEED_SHAPE(3, 3), 22, 1.0),
                                            .memory_bias = made(HEED_F64, HEED_SHAPE(3, 4), 23, 1.0)};
    fill_all(&net->base);
    assert_whole(net, src, tgt, by_mask, whole_by_mask);
    assert_whole(net, src, tgt, by_bias, whole_by_bias);
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 2);
    ck_assert(difference(heed_nn_transformer_forward_with(
                             net, src, tgt, &(heed_nn_attention_call){.memory_lens = lens, .valid_lens = lens}),
                         heed_nn_transformer_forward(net, src, tgt, lens, lens, NULL, NULL, NULL)) == 0.0);
    const heed_nn_attention_call bad = {.memory_mask = seen(3, 3)};
    ck_assert_ptr_null(heed_nn_transformer_forward_with(net, src, tgt, &bad));
    ck_assert_error(HEED_ERR_SHAPE, "nn_transformer_forward_with: ");
    heed_module_free(&net->base);
}
END_TEST

/* Two query heads share one head of keys and values. */
static void assert_multi_head(int64_t window, bool alibi, heed_tensor *mask, heed_tensor *bias, const double *values,
                              const double *expected_weights, const double *gradient)
{
    const heed_nn_multi_head_attention_options o = {.kv_heads = 1, .window = window, .alibi = alibi, .dtype = HEED_F64};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, &o);
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3, 4), 20, 1.0), *k = made(HEED_F64, HEED_SHAPE(2, 4, 4), 21, 1.0);
    fill_all(&net->base);
    for (int requested = 0; requested < 2; requested++) {
        heed_tensor *weights, *dbias;
        heed_tensor *y = heed_nn_multi_head_attention_forward_with(
            net, x, k, k,
            &(heed_nn_attention_call){.mask = mask, .bias = bias, .weights = requested ? &weights : NULL});
        assert_values(y, values);
        if (requested)
            ck_assert(difference(weights, heed_from_values(HEED_F64, HEED_SHAPE(2, 2, 3, 4), expected_weights, 48)) <=
                      1e-13);
        if (!gradient)
            continue;
        heed_tensor *loss = heed_sum(heed_square(y));
        ck_assert_int_eq(heed_grad(&loss, 1, &bias, 1, &dbias, NULL), HEED_OK);
        ck_assert(difference(dbias, heed_from_values(HEED_F64, HEED_SHAPE(3, 4), gradient, 12)) <= 1e-12);
    }
    heed_module_free(&net->base);
}

/* PyTorch gets the window and ALiBi as an added bias. */
START_TEST(multi_head_of_torch)
{
    heed_tensor *mask = seen(3, 4), *bias = made_leaf(HEED_F64, HEED_SHAPE(3, 4), 23);
    assert_multi_head(0, false, mask, NULL, multi_head_by_mask, multi_head_weights_by_mask, NULL);
    assert_multi_head(0, false, NULL, bias, multi_head_by_bias, multi_head_weights_by_bias,
                      multi_head_gradient_by_bias);
    assert_multi_head(2, false, NULL, bias, multi_head_by_window, multi_head_weights_by_window,
                      multi_head_gradient_by_window);
    assert_multi_head(0, true, mask, NULL, multi_head_by_alibi, multi_head_weights_by_alibi, NULL);
}
END_TEST

HEED_TEST_MAIN("masks of layers", lengths_masks_and_biases_agree, derivatives, masked_keys_have_no_effect,
               options_apply_with_masks, masks_that_do_not_fit, blocks_of_torch, transformer_of_torch,
               multi_head_of_torch)
