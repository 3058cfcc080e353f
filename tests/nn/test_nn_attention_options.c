/* tests/nn/test_nn_attention_options.c - tests the attention options of a Transformer's self-attentions: which
 * attentions get them, which combinations are refused, and the results without other positions. Values are in
 * tests/parity, caches in test_kv_cache.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "layers.h"

typedef heed_nn_multi_head_attention_options attention_options;
typedef heed_nn_transformer_options transformer_options;

enum { H = 8, HEADS = 2, FFN = 5, VOCAB = 4, T = 5 };

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

static heed_tensor *some_tokens(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(2, T), 0, 3, 1, 2, 3, 1, 1, 0, 3, 2);
}

/* -- Where the options apply --------------------------------------------------------------------------------------- */

static void check_position_options(const heed_nn_multi_head_attention *net, bool causal)
{
    ck_assert(net->rope && net->rope_interleaved && net->slopes && net->causal == causal);
    ck_assert_double_eq(net->rope_base, 100.0);
    ck_assert_int_eq(net->window, 3);
}

static void check_heads(const heed_nn_multi_head_attention *net)
{
    ck_assert(net->kv_heads == 1 && net->head_dim == 4 && net->q_norm && net->k_norm && !net->out_proj->bias);
    ck_assert_double_eq(net->dropout, 0.125);
    ck_assert_int_eq(heed_dtype_of(net->in_proj_weight), HEED_F64);
}

/* Both halves get the options; attention to the memory gets only the options of heads, not the positions. */
START_TEST(self_attentions_receive_the_options)
{
    const attention_options attention = {.rope = true,
                                         .rope_interleaved = true,
                                         .rope_base = 100,
                                         .alibi = true,
                                         .window = 3,
                                         .kv_heads = 1,
                                         .head_dim = 4,
                                         .qk_norm = true,
                                         .qk_norm_eps = 0.5,
                                         .no_out_bias = true};
    const transformer_options o = {.dropout = 0.125, .dtype = HEED_F64, .attention = &attention};
    heed_nn_transformer *net = heed_nn_transformer_new(VOCAB, VOCAB, H, HEADS, FFN, 2, &o);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    for (int i = 0; i < 2; i++) {
        const heed_nn_multi_head_attention *own[] = {net->encoder->layers[i]->self_attn,
                                                     net->decoder->layers[i]->self_attn},
                                           *memory = net->decoder->layers[i]->multihead_attn;
        for (int half = 0; half < 2; half++) {
            check_position_options(own[half], half == 1);
            check_heads(own[half]);
        }
        check_heads(memory);
        ck_assert_double_eq(memory->q_norm->eps, 0.5);
        ck_assert(!memory->rope && !memory->slopes && memory->window == 0 && !memory->causal);
    }
    heed_module_free(&net->base);
}
END_TEST

/* The layer does not keep the options: the program may change them after the layer is made. */
START_TEST(options_are_not_stored)
{
    attention_options attention = {.rope = true, .alibi = true, .window = 3, .kv_heads = 1};
    transformer_options o = {.dtype = HEED_F64, .attention = &attention};
    heed_nn_transformer *net = heed_nn_transformer_new(VOCAB, VOCAB, H, HEADS, FFN, 1, &o);
    heed_tensor *tokens = some_tokens();
    heed_tensor *y = heed_nn_transformer_forward(net, tokens, tokens, NULL, NULL, NULL, NULL, NULL);
    memset(&attention, 0xFF, sizeof attention);
    memset(&o, 0xFF, sizeof o);
    ck_assert(difference(heed_nn_transformer_forward(net, tokens, tokens, NULL, NULL, NULL, NULL, NULL), y) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

static heed_nn_transformer_encoder_block *encoder_block(const attention_options *attention)
{
    heed_manual_seed(4);
    return heed_nn_transformer_encoder_block_new(
        H, HEADS, FFN, &(heed_nn_transformer_options){.dtype = HEED_F64, .attention = attention});
}

/* Returns (HEADS, T, T): the numbers that ALiBi and a window add to the scores. */
static heed_tensor *added(double window)
{
    heed_tensor *steps = heed_arange(HEED_F64, 0, T, 1);
    heed_tensor *distances = heed_abs(heed_sub(steps, heed_unsqueeze(steps, 1)));
    heed_tensor *slopes = HEED_TENSOR(HEED_F64, HEED_SHAPE(HEADS, 1, 1), -0x1p-4, -0x1p-8);
    return heed_masked_fill(heed_mul(slopes, distances), heed_compare_scalar(distances, HEED_COMPARE_GE, window),
                            (double)-INFINITY);
}

/* Options of all zeros change nothing; ALiBi and a window are equivalent to a bias. */
START_TEST(options_equal_a_bias)
{
    heed_nn_transformer_encoder_block *plain = encoder_block(NULL), *zeros = encoder_block(&(attention_options){0}),
                                      *with_options = encoder_block(&(attention_options){.alibi = true, .window = 3});
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, T, H), 0, 1.0), *weights[2];
    heed_tensor *y = heed_nn_transformer_encoder_block_forward(plain, x, NULL, NULL);
    ck_assert(difference(heed_nn_transformer_encoder_block_forward(zeros, x, NULL, NULL), y) == 0.0);
    heed_tensor *z = heed_nn_transformer_encoder_block_forward(with_options, x, NULL, &weights[0]);
    ck_assert(difference(z, y) > 1e-3);
    ck_assert(difference(heed_nn_transformer_encoder_block_forward_with(
                             plain, x, &(heed_nn_attention_call){.bias = added(3), .weights = &weights[1]}),
                         z) <= 1e-14);
    ck_assert(difference(weights[0], weights[1]) <= 1e-14);
    heed_module_free(&plain->base);
    heed_module_free(&zeros->base);
    heed_module_free(&with_options->base);
}
END_TEST

/* -- Refused options ----------------------------------------------------------------------------------------------- */

static void check_refused(void *net, const char *where, const char *field)
{
    char text[160];
    ck_assert_ptr_null(net);
    (void)snprintf(text, sizeof text, "%sattention->%s is set: must be 0, because the block sets it", where, field);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
}

START_TEST(options_set_by_the_block_are_rejected)
{
    static const struct {
        const char *name;
        attention_options attention;
    } own[] = {{"query_size", {.query_size = H}},     {"key_size", {.key_size = H}},
               {"value_size", {.value_size = -1}},    {"dropout", {.dropout = 0.1}},
               {"dropout", {.dropout = (double)NAN}}, {"causal", {.causal = true}},
               {"no_bias", {.no_bias = true}},        {"dtype", {.dtype = HEED_F64}}};
    const heed_shape image = HEED_SHAPE(1, 2, 2), patch = HEED_SHAPE(1);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const attention_options *a = &own[i].attention;
        const transformer_options o = {.attention = a};
        const heed_nn_transformer_options of_block = {.attention = a};
        const heed_nn_vision_transformer_options vision = {.hidden_size = H, .num_layers = 1, .attention = a};
        check_refused(encoder_block(a), "nn_transformer_encoder_block_new: ", own[i].name);
        check_refused(heed_nn_transformer_decoder_block_new(H, HEADS, FFN, &of_block),
                      "nn_transformer_decoder_block_new: ", own[i].name);
        check_refused(heed_nn_transformer_new(0, 0, H, HEADS, FFN, 1, &o),
                      "nn_transformer_encoder_block_new: ", own[i].name);
        check_refused(heed_nn_vision_transformer_new(image, patch, 2, &vision),
                      "nn_transformer_encoder_block_new: ", own[i].name);
    }
}
END_TEST

/* -- Without other positions --------------------------------------------------------------------------------------- */

static heed_nn_transformer_encoder *encoder(transformer_options o)
{
    o.dtype = HEED_F64;
    heed_manual_seed(4);
    heed_nn_transformer_encoder *net = heed_nn_transformer_encoder_new(VOCAB, H, HEADS, FFN, 2, &o);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

static heed_tensor *backwards(heed_tensor *x)
{
    return heed_index_select(x, 1, HEED_TENSOR(HEED_I64, HEED_SHAPE(T), 4, 3, 2, 1, 0));
}

/* Reordered steps have reordered results, unless an option makes positions matter. */
START_TEST(no_positions)
{
    const attention_options rope = {.rope = true};
    const transformer_options all[] = {
        {.no_positions = true, .max_len = 1}, {.no_positions = true, .attention = &rope}, {.no_positions = false}};
    for (int i = 0; i < 3; i++) {
        heed_nn_transformer_encoder *net = encoder(all[i]);
        heed_tensor *tokens = some_tokens(), *y = heed_nn_transformer_encoder_forward(net, tokens, NULL, NULL);
        heed_tensor *z = heed_nn_transformer_encoder_forward(net, backwards(tokens), NULL, NULL);
        ck_assert((net->pos_encoding == NULL) == all[i].no_positions);
        ck_assert((difference(backwards(z), y) <= 1e-13) == (i == 0));
        heed_module_free(&net->base);
    }
}
END_TEST

/* The input of the first block is the embedding times sqrt(h). */
START_TEST(embedding_is_scaled_without_positions)
{
    heed_nn_transformer_encoder *net = encoder((transformer_options){.no_positions = true});
    heed_tensor *tokens = some_tokens();
    heed_tensor *x = heed_mul_scalar(heed_nn_embedding_forward(net->embedding, tokens), sqrt(H));
    for (int i = 0; i < 2; i++)
        x = heed_nn_transformer_encoder_block_forward(net->layers[i], x, NULL, NULL);
    ck_assert(difference(heed_nn_layer_norm_forward(net->norm, x),
                         heed_nn_transformer_encoder_forward(net, tokens, NULL, NULL)) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

/* Dropout of the whole embedding while training, with and without positions: the tokens do not matter. */
START_TEST(embedding_has_dropout)
{
    for (int i = 0; i < 2; i++) {
        const transformer_options o = {.dropout = 1, .no_positions = i, .dtype = HEED_F64};
        heed_nn_transformer *net = heed_nn_transformer_new(VOCAB, VOCAB, H, HEADS, FFN, 1, &o);
        heed_tensor *tokens = some_tokens(), *others = backwards(tokens), *y, *z;
        for (int training = 1; training >= 0; training--) {
            ck_assert_int_eq(training ? heed_module_train(&net->base) : heed_module_eval(&net->base), HEED_OK);
            y = heed_nn_transformer_encoder_forward(net->encoder, tokens, NULL, NULL);
            z = heed_nn_transformer_encoder_forward(net->encoder, others, NULL, NULL);
            ck_assert((difference(y, z) == 0.0) == (training == 1));
            y = heed_nn_transformer_decoder_forward(net->decoder, tokens, y, NULL, NULL, NULL, NULL);
            z = heed_nn_transformer_decoder_forward(net->decoder, others, z, NULL, NULL, NULL, NULL);
            ck_assert((difference(y, z) == 0.0) == (training == 1));
        }
        heed_module_free(&net->base);
    }
}
END_TEST

/* -- Images -------------------------------------------------------------------------------------------------------- */

static heed_tensor *classify(heed_nn_vision_transformer_options o, int64_t parameters)
{
    o.hidden_size = H;
    o.num_layers = 2;
    o.ffn_size = FFN;
    o.dtype = HEED_F64;
    heed_manual_seed(4);
    heed_nn_vision_transformer *net = heed_nn_vision_transformer_new(HEED_SHAPE(1, 2, 2), HEED_SHAPE(1), 2, &o);
    heed_tensor *y = heed_nn_vision_transformer_forward(net, made(HEED_F64, HEED_SHAPE(1, 1, 2, 2), 0, 1.0));
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_module_parameter_numel(&net->base) - parameters, 0);
    ck_assert((heed_module_find(&net->base, "blocks.1.gate.weight") != NULL) == o.gated);
    heed_error_clear();
    heed_module_free(&net->base);
    return y;
}

/* The activation defaults to SwiGLU, as in the blocks; positions distinguish the patches. */
START_TEST(vision_transformer)
{
    const attention_options rope = {.rope = true, .rope_dims = 2}, few = {.kv_heads = 1};
    const int64_t plain =
        H + 5 * H + 2 * H + 2 * (4 * H * H + 4 * H + 2 * FFN * H + FFN + H + 4 * H) + 2 * H + 2 * H + 2;
    const int64_t gates = 2 * (FFN * H + FFN),
                  shared = 2 * (H * H + H); /* parameters of two heads' keys and values in two layers */
    heed_tensor *y = classify((heed_nn_vision_transformer_options){.gated = true}, plain + gates);
    ck_assert(difference(
                  classify((heed_nn_vision_transformer_options){.gated = true, .activation = heed_silu}, plain + gates),
                  y) == 0.0);
    ck_assert(difference(
                  classify((heed_nn_vision_transformer_options){.gated = true, .activation = heed_gelu}, plain + gates),
                  y) > 1e-6);
    y = classify((heed_nn_vision_transformer_options){0}, plain);
    ck_assert(difference(classify((heed_nn_vision_transformer_options){.attention = &rope}, plain), y) > 1e-9);
    classify((heed_nn_vision_transformer_options){.num_heads = 2, .attention = &few}, plain - shared);
}
END_TEST

HEED_TEST_MAIN("attention of a Transformer", self_attentions_receive_the_options, options_are_not_stored,
               options_equal_a_bias, options_set_by_the_block_are_rejected, no_positions,
               embedding_is_scaled_without_positions, embedding_has_dropout, vision_transformer)
