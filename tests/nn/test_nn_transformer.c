/* tests/nn/test_nn_transformer.c - tests of the Transformer's encoder block: initial parameters and options. Values and
 * gradients are tested in tests/parity and test_nn_cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

typedef heed_nn_transformer_encoder_block block;
typedef heed_nn_transformer_options block_options;

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

START_TEST(weights_of_block)
{
    block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0), *weights = NULL;
    ck_assert_ptr_nonnull(heed_nn_transformer_encoder_block_forward(net, x, NULL, &weights));
    ck_assert(weights && heed_shape_equal(heed_shape_of(weights), HEED_SHAPE(2, 2, 3, 3)));
    ck_assert_ptr_null(heed_nn_transformer_encoder_block_forward(net, weights, NULL, &weights));
    ck_assert_ptr_null(weights);
    heed_error_clear();
    heed_module_free(&net->base);
}
END_TEST

START_TEST(fresh_block)
{
    heed_manual_seed(8);
    block *net = heed_nn_transformer_encoder_block_new(64, 4, 128, NULL);
    heed_tensor *w = heed_detach(net->self_attn->in_proj_weight);
    ck_assert_near(heed_item(heed_max(w)), sqrt(6.0 / (4 * 64)), 0.001); /* Glorot's bound for (3 h, h) as one matrix */
    ck_assert_near(heed_item(heed_max(heed_detach(net->linear2->weight))), 1 / sqrt(128.0), 0.001);
    ck_assert(heed_item(heed_min(net->norm2->weight)) == 1.0 && heed_item(heed_max(net->norm1->bias)) == 0.0);
    ck_assert(net->dropout == 0.0 && net->activation == heed_relu && net->norm1->eps == 1e-5);
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 12);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(block_without_biases)
{
    block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, &(block_options){.no_bias = true});
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 6);
    ck_assert(!net->linear1->bias && !net->linear2->bias && !net->norm1->bias && !net->norm2->bias);
    ck_assert(!net->self_attn->in_proj_bias && !net->self_attn->out_proj->bias);
    ck_assert_ptr_nonnull(heed_module_forward(&net->base, made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0)));
    heed_module_free(&net->base);
}
END_TEST

/* All blocks of a Transformer are gated, with SwiGLU unless a different activation is set. */
START_TEST(gated_blocks)
{
    const heed_activation given[] = {NULL, heed_gelu}, used[] = {heed_silu, heed_gelu};
    for (int i = 0; i < 2; i++) {
        const heed_nn_transformer_options o = {.gated = true, .activation = given[i]};
        heed_nn_transformer *net = heed_nn_transformer_new(5, 5, 4, 2, 3, 2, &o);
        for (int j = 0; j < 2; j++) {
            const heed_nn_transformer_encoder_block *encoder = net->encoder->layers[j];
            const heed_nn_transformer_decoder_block *decoder = net->decoder->layers[j];
            ck_assert(encoder->activation == used[i] && decoder->activation == used[i]);
            ck_assert(heed_shape_equal(heed_shape_of(encoder->gate->weight), HEED_SHAPE(3, 4)));
            ck_assert(heed_shape_equal(heed_shape_of(decoder->gate->weight), HEED_SHAPE(3, 4)));
        }
        ck_assert_ptr_eq(heed_module_find(&net->base, "encoder.layers.1.gate.weight"),
                         net->encoder->layers[1]->gate->weight);
        ck_assert_ptr_eq(heed_module_find(&net->base, "decoder.layers.0.gate.bias"),
                         net->decoder->layers[0]->gate->bias);
        heed_module_free(&net->base);
    }
}
END_TEST

/* -- Dependence on inputs ------------------------------------------------------------------------------------------ */

/* A change at position 2 affects positions 0 and 1 only if the block is not causal. */
START_TEST(causal_block_does_not_look_ahead)
{
    for (int causal = 0; causal < 2; causal++) {
        block_options o = {.causal = causal, .pre_norm = causal, .dtype = HEED_F64};
        block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, &o);
        heed_tensor *x = made(HEED_F64, HEED_SHAPE(1, 3, 4), 0, 1.0), *z = heed_clone(x);
        heed_set_(z, HEED_INDEX(0, 2, 1), 7.0);
        heed_tensor *y = heed_module_forward(&net->base, x), *other = heed_module_forward(&net->base, z);
        double before = difference(heed_slice(y, 1, 0, 2, 1), heed_slice(other, 1, 0, 2, 1));
        ck_assert((before == 0.0) == (causal == 1));
        ck_assert(difference(heed_select(y, 1, 2), heed_select(other, 1, 2)) > 0.0);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(block_drops_while_training)
{
    for (int pre_norm = 0; pre_norm < 2; pre_norm++) {
        block_options o = {.dropout = 1.0, .pre_norm = pre_norm, .dtype = HEED_F64};
        block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, &o);
        ck_assert(net->self_attn->dropout == 1.0);
        heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3, 4), 0, 1.0), *y = heed_module_forward(&net->base, x);
        heed_tensor *norm =
            heed_layer_norm(heed_layer_norm(x, HEED_SHAPE(4), NULL, NULL, 1e-5), HEED_SHAPE(4), NULL, NULL, 1e-5);
        ck_assert(difference(y, pre_norm ? x : norm) < 1e-14); /* both branches are dropped */
        heed_module_eval(&net->base);
        ck_assert(difference(heed_module_forward(&net->base, x), y) > 1e-3);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(block_of_empty_input)
{
    block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, NULL);
    heed_shape empty[2] = {HEED_SHAPE(0, 3, 4), HEED_SHAPE(2, 0, 4)};
    for (int i = 0; i < 2; i++) {
        heed_tensor *y = heed_module_forward(&net->base, heed_zeros(HEED_F32, empty[i]));
        ck_assert_msg(y && heed_shape_equal(heed_shape_of(y), empty[i]), "%s", heed_error_message());
    }
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("nn_transformer", weights_of_block, fresh_block, block_without_biases, gated_blocks,
               causal_block_does_not_look_ahead, block_drops_while_training, block_of_empty_input)
