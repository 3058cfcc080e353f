/* tests/nn/test_nn_layers.c - tests of linear, dropout, layer norm, embedding, function, feed-forward: initial
 * parameters and options. Values and gradients are tested in tests/parity and test_nn_cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

static const heed_dtype both[] = {HEED_F64, HEED_F32};

/* The activation is the op of that name and does not belong to the state. */
START_TEST(linear_with_activation)
{
    heed_activation const functions[] = {NULL, heed_relu, heed_tanh, heed_sigmoid, heed_gelu};
    heed_tensor *x = made_leaf(HEED_F32, HEED_SHAPE(5, 3), 0);
    for (int i = 0; i < 5; i++) {
        heed_nn_linear *net = heed_nn_linear_new(3, 2, &(heed_nn_linear_options){.activation = functions[i]});
        heed_tensor *plain = heed_linear(x, net->weight, net->bias), *y = heed_nn_linear_forward(net, x);
        heed_tensor *expected = functions[i] ? functions[i](plain) : plain;
        ck_assert(memcmp(heed_data_f32(y), heed_data_f32(expected), 10 * sizeof(float)) == 0);
        ck_assert_int_eq(heed_module_parameter_count(&net->base), 2);
        heed_module_free(&net->base);
    }
}
END_TEST

/* -- Initial parameters -------------------------------------------------------------------------------------------- */

typedef struct moments {
    double low, high, mean, variance;
} moments;

static moments moments_of(heed_tensor *t)
{
    heed_tensor *x = heed_detach(t), *mean = heed_mean(x);
    return (moments){.low = heed_item(heed_min(x)),
                     .high = heed_item(heed_max(x)),
                     .mean = heed_item(mean),
                     .variance = heed_item(heed_mean(heed_square(heed_sub(x, mean))))};
}

/* Checks for U(-bound, bound): n numbers come close to both ends and have its mean and variance to five standard
 * errors. */
static void check_uniform(heed_tensor *t, double bound)
{
    moments m = moments_of(t);
    double n = (double)heed_numel(t), variance = bound * bound / 3.0;
    ck_assert(m.low >= -bound * (1 + 1e-6) && m.high <= bound * (1 + 1e-6));
    ck_assert(m.low < -bound * (1 - 20 / n) && m.high > bound * (1 - 20 / n));
    ck_assert_near(m.mean, 0.0, 5 * sqrt(variance / n));
    ck_assert_near(m.variance, variance, 5 * sqrt(4.0 / 45.0 / n) * bound * bound);
}

static void check_normal(heed_tensor *t, double mean, double std)
{
    moments m = moments_of(t);
    double n = (double)heed_numel(t);
    ck_assert_near(m.mean, mean, 5 * std / sqrt(n));
    ck_assert_near(m.variance, std * std, 5 * sqrt(2.0 / n) * std * std);
}

START_TEST(fresh_parameters)
{
    heed_manual_seed(11);
    for (int i = 0; i < 2; i++) {
        heed_nn_linear *linear = heed_nn_linear_new(100, 300, &(heed_nn_linear_options){.dtype = both[i]});
        check_uniform(linear->weight, 0.1);
        check_uniform(linear->bias, 0.1);
        heed_nn_embedding *table = heed_nn_embedding_new(200, 100, &(heed_nn_embedding_options){.dtype = both[i]});
        check_normal(table->weight, 0.0, 1.0);
        heed_nn_layer_norm *norm =
            heed_nn_layer_norm_new(HEED_SHAPE(5), &(heed_nn_layer_norm_options){.dtype = both[i]});
        ck_assert(heed_item(heed_min(norm->weight)) == 1.0 && heed_item(heed_max(norm->weight)) == 1.0);
        ck_assert(heed_item(heed_min(norm->bias)) == 0.0 && heed_item(heed_max(norm->bias)) == 0.0);
        ck_assert(heed_dtype_of(linear->weight) == both[i] && heed_dtype_of(table->weight) == both[i] &&
                  heed_dtype_of(norm->bias) == both[i]);
        heed_module_free(&linear->base);
        heed_module_free(&table->base);
        heed_module_free(&norm->base);
    }
}
END_TEST

START_TEST(padding_of_an_embedding_is_zero)
{
    for (int64_t padding = -3; padding < 3; padding++) {
        const heed_nn_embedding_options options = {.has_padding_idx = true, .padding_idx = padding};
        heed_nn_embedding *table = heed_nn_embedding_new(3, 4, &options);
        for (int row = 0; row < 3; row++) {
            heed_tensor *numbers = heed_abs(heed_select(table->weight, 0, row));
            ck_assert(row == (padding + 3) % 3 ? heed_item(heed_max(numbers)) == 0 : heed_item(heed_min(numbers)) > 0);
        }
        heed_module_free(&table->base);
    }
}
END_TEST

START_TEST(prelu_checks_init_and_channels)
{
    ck_assert_ptr_null(heed_nn_prelu_new(1, &(heed_nn_prelu_options){.init = NAN}));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_prelu_new: init is nan: must be finite");
    heed_nn_prelu *net = heed_nn_prelu_new(3, &(heed_nn_prelu_options){.init = 0.5, .dtype = HEED_F64});
    ck_assert(heed_item(heed_min(net->weight)) == 0.5 && heed_item(heed_max(net->weight)) == 0.5);
    ck_assert_ptr_null(heed_nn_prelu_forward(net, heed_ones(HEED_F64, HEED_SHAPE(3))));
    ck_assert_error(HEED_ERR_SHAPE, "nn_prelu_forward: x is (3): its axis 1 must have size 3, one per slope");
    ck_assert_ptr_null(heed_nn_prelu_forward(net, heed_ones(HEED_F64, HEED_SHAPE(3, 2))));
    ck_assert_error(HEED_ERR_SHAPE, "x is (3, 2): its axis 1 must have size 3");
    heed_module_free(&net->base);
}
END_TEST

/* An infinity above 0 does not affect the gradient of the slope; at 0 the derivative is the slope, as in PyTorch. */
START_TEST(prelu_at_special_numbers)
{
    heed_nn_prelu *net = heed_nn_prelu_new(1, &(heed_nn_prelu_options){.dtype = HEED_F64});
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), INFINITY, -2, 0), true);
    ck_assert_int_eq(heed_backward(heed_sum(heed_nn_prelu_forward(net, x))), HEED_OK);
    ck_assert(heed_get(heed_grad_of(net->weight), HEED_INDEX(0)) == -2);
    ck_assert(heed_get(heed_grad_of(x), HEED_INDEX(0)) == 1 && heed_get(heed_grad_of(x), HEED_INDEX(2)) == 0.25);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(same_seed_same_parameters)
{
    heed_tensor *weights[2];
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(7);
        heed_nn_linear *net = heed_nn_linear_new(4, 3, NULL);
        weights[i] = heed_clone(heed_detach(net->weight));
        ck_assert(heed_dtype_of(net->weight) == HEED_F32 && net->bias);
        heed_module_free(&net->base);
    }
    ck_assert(memcmp(heed_data_f32(weights[0]), heed_data_f32(weights[1]), 12 * sizeof(float)) == 0);
}
END_TEST

START_TEST(norm_options)
{
    heed_nn_layer_norm *plain = heed_nn_layer_norm_new(HEED_SHAPE(2), &(heed_nn_layer_norm_options){.no_affine = true});
    heed_nn_layer_norm *no_bias = heed_nn_layer_norm_new(HEED_SHAPE(2), &(heed_nn_layer_norm_options){.no_bias = true});
    ck_assert(!plain->weight && !plain->bias && no_bias->weight && !no_bias->bias);
    ck_assert(plain->eps == 1e-5);
    ck_assert_int_eq(heed_module_parameter_count(&no_bias->base), 1);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 1, 3);
    ck_assert_near(heed_get(heed_nn_layer_norm_forward(no_bias, x), HEED_INDEX(0, 1)), 1.0, 1e-4);
    heed_module_free(&plain->base);
    heed_module_free(&no_bias->base);
}
END_TEST

/* -- Changing values in place -------------------------------------------------------------------------------------- */

START_TEST(initial_values)
{
    heed_manual_seed(5);
    for (int i = 0; i < 2; i++) {
        heed_tensor *t = heed_set_requires_grad(heed_zeros(both[i], HEED_SHAPE(200, 50, 2)), true);
        ck_assert_int_eq(heed_nn_init_xavier_uniform_(t), HEED_OK);
        check_uniform(t, sqrt(6.0 / (2 * 200 + 2 * 50)));
        ck_assert_int_eq(heed_nn_init_kaiming_uniform_(t), HEED_OK);
        check_uniform(t, sqrt(6.0 / (2 * 50)));
        ck_assert_int_eq(heed_nn_init_normal_(t, -2.0, 0.25), HEED_OK);
        check_normal(t, -2.0, 0.25);
        ck_assert_int_eq(heed_nn_init_uniform_(t, 3.0, 5.0), HEED_OK);
        ck_assert(heed_requires_grad(t) && heed_grad_enabled());
        check_uniform(heed_add_scalar(heed_detach(t), -4.0), 1.0);
        ck_assert_int_eq(heed_nn_init_uniform_(t, 3.0, 3.0), HEED_OK);
        ck_assert(heed_item(heed_min(heed_detach(t))) == 3.0 && heed_item(heed_max(heed_detach(t))) == 3.0);
    }
}
END_TEST

START_TEST(initial_values_of_views)
{
    heed_tensor *t = heed_zeros(HEED_F64, HEED_SHAPE(4, 6));
    ck_assert_int_eq(heed_nn_init_uniform_(heed_transpose(heed_slice(t, 1, 0, 4, 2), 0, 1), 1.0, 2.0), HEED_OK);
    for (int64_t i = 0; i < 24; i++)
        ck_assert((heed_get(t, HEED_INDEX(i / 6, i % 6)) >= 1.0) == (i % 6 == 0 || i % 6 == 2));
    ck_assert_int_eq(heed_nn_init_kaiming_uniform_(heed_zeros(HEED_F32, HEED_SHAPE(3, 0))), HEED_OK);
    ck_assert_int_eq(heed_nn_init_xavier_uniform_(heed_zeros(HEED_F32, HEED_SHAPE(0, 0))), HEED_OK);
    ck_assert_int_eq(heed_nn_init_uniform_(heed_expand(t, HEED_SHAPE(2, 4, 6)), 0, 1), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "overlap");
}
END_TEST

/* -- Training and evaluation --------------------------------------------------------------------------------------- */

static int64_t count_zeros(heed_tensor *t)
{
    heed_tensor *zero = heed_compare(t, HEED_COMPARE_EQ, heed_zeros(heed_dtype_of(t), HEED_SCALAR));
    return (int64_t)heed_item(heed_sum(heed_to_dtype(zero, HEED_F64)));
}

START_TEST(dropout_while_training)
{
    heed_manual_seed(2);
    heed_nn_dropout *net = heed_nn_dropout_new(0.25);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(100, 100));
    heed_tensor *y = heed_module_forward(&net->base, x);
    int64_t dropped = count_zeros(y);
    ck_assert_int_gt(dropped, 2500 - 250);
    ck_assert_int_lt(dropped, 2500 + 250);
    ck_assert_near(heed_item(heed_max(y)), 1.0 / 0.75, 1e-6);
    heed_module_eval(&net->base);
    ck_assert_int_eq(count_zeros(heed_nn_dropout_forward(net, x)), 0);
    heed_module_train(&net->base);
    net->p = 1.0;
    ck_assert_int_eq(count_zeros(heed_nn_dropout_forward(net, x)), 10000);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(feed_forward_drops_the_hidden_layer)
{
    heed_nn_feed_forward *net = heed_nn_feed_forward_new(3, 5, &(heed_nn_feed_forward_options){.dropout = 1.0});
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3));
    heed_tensor *y = heed_nn_feed_forward_forward(net, x);
    for (int64_t i = 0; i < 3; i++) /* everything but the last bias is dropped */
        ck_assert(heed_get(y, HEED_INDEX(i)) == heed_get(net->linear2->bias, HEED_INDEX(i)));
    heed_module_eval(&net->base);
    y = heed_nn_feed_forward_forward(net, x);
    heed_tensor *expected = heed_nn_linear_forward(net->linear2, heed_relu(heed_nn_linear_forward(net->linear1, x)));
    ck_assert(memcmp(heed_data_f32(y), heed_data_f32(expected), 3 * sizeof(float)) == 0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(feed_forward_options)
{
    heed_nn_feed_forward_options o = {.activation = heed_tanh, .no_bias = true, .dtype = HEED_F64};
    heed_nn_feed_forward *net = heed_nn_feed_forward_new(3, 5, &o);
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3), 0, 1.0);
    heed_tensor *expected =
        heed_linear(heed_tanh(heed_linear(x, net->linear1->weight, NULL)), net->linear2->weight, NULL);
    ck_assert(heed_item(heed_max(heed_abs(heed_sub(heed_module_forward(&net->base, x), expected)))) == 0.0);
    ck_assert_ptr_eq(heed_module_find(&net->base, "linear1.weight"), net->linear1->weight);
    ck_assert_ptr_eq(heed_module_find(&net->base, "linear2.weight"), net->linear2->weight);
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 2);
    heed_module_free(&net->base);
}
END_TEST

static const struct {
    const char *name;
    heed_activation given, used;
} gates[] = {
    {"SwiGLU", NULL, heed_silu},     {"SwiGLU, given", heed_silu, heed_silu}, {"GEGLU", heed_gelu, heed_gelu},
    {"ReGLU", heed_relu, heed_relu}, {"GLU", heed_sigmoid, heed_sigmoid},
};

/* Compares with the formula (activation(x Wg) * (x Wu)) Wd, computed by separate products. */
START_TEST(feed_forward_gated)
{
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        heed_nn_feed_forward_options o = {
            .activation = gates[i].given, .gated = true, .no_bias = true, .dtype = HEED_F64};
        heed_nn_feed_forward *net = heed_nn_feed_forward_new(3, 5, &o);
        ck_assert_int_eq(heed_module_parameter_count(&net->base), 3);
        heed_tensor *x = made(HEED_F64, HEED_SHAPE(2, 3), 0, 1.0);
        heed_tensor *g = heed_matmul(x, heed_transpose(heed_module_find(&net->base, "gate.weight"), 0, 1));
        heed_tensor *u = heed_matmul(x, heed_transpose(heed_module_find(&net->base, "linear1.weight"), 0, 1));
        heed_tensor *expected = heed_matmul(heed_mul(gates[i].used(g), u),
                                            heed_transpose(heed_module_find(&net->base, "linear2.weight"), 0, 1));
        heed_tensor *y = heed_module_forward(&net->base, x);
        ck_assert_msg(heed_allclose(y, expected, 1e-14, 1e-14, false), "%s", gates[i].name);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(function_is_called)
{
    heed_nn_function *net = heed_nn_function_new("square", heed_square);
    ck_assert_str_eq(net->base.type, "square");
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3, -4);
    ck_assert(heed_get(heed_module_forward(&net->base, x), HEED_INDEX(1)) == 16.0);
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 0);
    heed_module_free(&net->base);
}
END_TEST

static heed_tensor *return_null(heed_tensor *x)
{
    (void)x;
    return NULL;
}

static heed_tensor *forward_returning_null(heed_module *m, heed_tensor *x)
{
    return m ? return_null(x) : NULL;
}

/* If a user's function returns NULL without an error, the layer sets one. */
START_TEST(users_functions_that_return_null)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 2, 2));
    heed_nn_function *function = heed_nn_function_new("mine", return_null);
    ck_assert_ptr_null(heed_nn_function_forward(function, x));
    ck_assert_error(HEED_ERR_STATE, "nn_function_forward: the function of mine returned NULL");
    ck_assert_ptr_null(heed_module_forward(&function->base, x));
    ck_assert_error(HEED_ERR_STATE, "nn_function_forward: the function of mine returned NULL");
    heed_module_free(&function->base);
    for (int gated = 0; gated < 2; gated++) {
        const heed_nn_feed_forward_options o = {.activation = return_null, .gated = gated};
        heed_nn_feed_forward *two = heed_nn_feed_forward_new(2, 2, &o);
        ck_assert_ptr_null(heed_nn_feed_forward_forward(two, x));
        ck_assert_error(HEED_ERR_STATE, "nn_feed_forward_forward: linear_activated: the activation returned NULL");
        heed_module_free(&two->base);
    }
    heed_nn_transformer_encoder_block *block =
        heed_nn_transformer_encoder_block_new(2, 1, 2, &(heed_nn_transformer_options){.activation = return_null});
    ck_assert_ptr_null(heed_nn_transformer_encoder_block_forward(block, x, NULL, NULL));
    ck_assert_error(HEED_ERR_STATE,
                    "nn_transformer_encoder_block_forward: linear_activated: the activation returned NULL");
    heed_module_free(&block->base);
    heed_module *module = heed_module_new("mine", sizeof *module);
    module->forward = forward_returning_null;
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(module));
    ck_assert_ptr_null(heed_nn_sequential_forward(net, x));
    ck_assert_error(HEED_ERR_STATE, "module_forward: the forward of mine returned NULL");
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("nn_layers", linear_with_activation, fresh_parameters, padding_of_an_embedding_is_zero,
               prelu_checks_init_and_channels, prelu_at_special_numbers, same_seed_same_parameters, norm_options,
               initial_values, initial_values_of_views, dropout_while_training, feed_forward_drops_the_hidden_layer,
               feed_forward_options, feed_forward_gated, function_is_called, users_functions_that_return_null)
