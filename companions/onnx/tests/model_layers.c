/* onnx/tests/model_layers.c - networks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "models.h"

/* (rows): a, b, a, b ... */
static heed_tensor *lens(int64_t a, int64_t b)
{
    heed_tensor *t = heed_empty(HEED_I64, HEED_SHAPE(rows));
    int64_t *out = heed_mutable_i64(t);
    for (int64_t i = 0; i < rows; i++)
        out[i] = i % 2 ? b : a;
    return t;
}

static void run(heed_module *net)
{
    output(heed_module_forward(net, input("x", randn(HEED_SHAPE(rows, 6)))));
}

static heed_module *mlp(void)
{
    void *const parts[] = {
        heed_nn_linear_new(6, 16, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_dropout_new(0.5),
        heed_nn_linear_new(16, 8, NULL), heed_nn_function_new("tanh", heed_tanh), heed_nn_linear_new(8, 3, NULL)};
    return &heed_nn_sequential_new(parts, 6)->base;
}

/* -- LeNet, and layers of later CNNs ------------------------------------------------------------------------------- */

static heed_module *lenet(void)
{
    const heed_nn_conv_options first = {.padding = HEED_SHAPE(2)};
    void *const parts[] = {heed_nn_conv_new(1, 6, HEED_SHAPE(5, 5), &first),
                           heed_nn_function_new("sigmoid", heed_sigmoid),
                           heed_nn_avg_pool_new(HEED_SHAPE(2, 2), NULL),
                           heed_nn_conv_new(6, 16, HEED_SHAPE(5, 5), NULL),
                           heed_nn_function_new("sigmoid", heed_sigmoid),
                           heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL),
                           heed_nn_flatten_new(1, -1),
                           heed_nn_linear_new(16 * 25, 120, NULL),
                           heed_nn_function_new("sigmoid", heed_sigmoid),
                           heed_nn_linear_new(120, 10, NULL)};
    return &heed_nn_sequential_new(parts, 10)->base;
}

static void run_lenet(heed_module *net)
{
    output(heed_module_forward(net, input("x", randn(HEED_SHAPE(rows, 1, 28, 28)))));
}

static heed_module *residual_cnn(void)
{
    const heed_nn_conv_options same = {.padding = HEED_SHAPE(1)};
    void *const inner[] = {heed_nn_conv_new(4, 4, HEED_SHAPE(3, 3), &same), heed_nn_batch_norm_new(4, NULL),
                           heed_nn_function_new("relu", heed_relu)};
    void *const parts[] = {heed_nn_conv_new(3, 4, HEED_SHAPE(3, 3), &same),
                           heed_nn_batch_norm_new(4, NULL),
                           heed_nn_residual_new(inner, 3),
                           heed_nn_group_norm_new(2, 4, NULL),
                           heed_nn_adaptive_avg_pool_new(HEED_SHAPE(1, 1)),
                           heed_nn_flatten_new(1, -1)};
    heed_module *net = &heed_nn_sequential_new(parts, 6)->base;
    heed_module_forward(net, randn(HEED_SHAPE(8, 3, 8, 8))); /* so that statistics differ from 0 and 1 */
    return net;
}

static void run_residual_cnn(heed_module *net)
{
    output(heed_module_forward(net, input("x", randn(HEED_SHAPE(rows, 3, 8, 8)))));
}

/* -- Attention ----------------------------------------------------------------------------------------------------- */

static heed_module *encoder(void)
{
    return &heed_nn_transformer_encoder_new(11, 16, 4, 32, 2, &(heed_nn_transformer_options){.activation = heed_gelu})
                ->base;
}

static void run_encoder(heed_module *net)
{
    heed_tensor *tokens = input("tokens", heed_randint(0, 11, HEED_SHAPE(rows, 7)));
    heed_tensor *valid = input("valid_lens", lens(7, 3));
    output(heed_nn_transformer_encoder_forward((heed_nn_transformer_encoder *)net, tokens, valid, NULL));
}

static void run_masked_encoder(heed_module *net)
{
    heed_tensor *tokens = input("tokens", heed_randint(0, 11, HEED_SHAPE(rows, 7)));
    heed_tensor *mask = input("mask", heed_compare_scalar(randn(HEED_SHAPE(7, 7)), HEED_COMPARE_GT, -0.5));
    output(heed_nn_transformer_encoder_forward_with((heed_nn_transformer_encoder *)net, tokens,
                                                    &(heed_nn_attention_call){.mask = mask}));
}

static heed_module *transformer(void)
{
    return &heed_nn_transformer_new(9, 8, 8, 2, 16, 1, NULL)->base;
}

static void run_transformer(heed_module *net)
{
    heed_tensor *source = input("source", heed_randint(0, 9, HEED_SHAPE(rows, 5)));
    heed_tensor *target = input("target", heed_randint(0, 8, HEED_SHAPE(rows, 4)));
    output(heed_nn_transformer_forward((heed_nn_transformer *)net, source, target, input("valid", lens(5, 2)), NULL,
                                       NULL, NULL, NULL));
}

static heed_module *grouped(void)
{
    const heed_nn_multi_head_attention_options o = {.kv_heads = 2, .causal = true, .rope = true, .qk_norm = true};
    return &heed_nn_multi_head_attention_new(16, 4, &o)->base;
}

static void run_self(heed_module *net)
{
    heed_tensor *x = input("x", randn(HEED_SHAPE(rows, 6, 16)));
    output(heed_nn_multi_head_attention_forward((heed_nn_multi_head_attention *)net, x, x, x, input("lens", lens(6, 4)),
                                                NULL));
}

static heed_module *alibi(void)
{
    const heed_nn_multi_head_attention_options o = {.alibi = true, .window = 3, .causal = true};
    return &heed_nn_multi_head_attention_new(16, 4, &o)->base;
}

static heed_module *relative(void)
{
    const heed_nn_multi_head_attention_options o = {.relative_positions = 2, .no_bias = true};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(16, 4, &o);
    heed_nn_init_normal_(net->relative_bias, 0.0, 1.0);
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(heed_select(net->relative_bias, 1, 4), -(double)INFINITY);
    heed_scope_end(scope);
    return &net->base;
}

/* The mask, a length and the relative bias hide different keys, which contain NaN. */
static void run_cross(heed_module *net)
{
    heed_tensor *q = input("queries", randn(HEED_SHAPE(rows, 2, 16))), *k = randn(HEED_SHAPE(rows, 6, 16));
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 6), 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1);
    heed_fill_(heed_select(k, 1, 0), (double)NAN);
    heed_fill_(heed_select(heed_select(k, 0, 0), 0, 2), (double)NAN);
    heed_fill_(heed_slice(k, 1, 3, 6, 1), (double)NAN);
    k = input("keys", k);
    const heed_nn_attention_call call = {.valid_lens = input("valid_lens", lens(2, 5)), .mask = input("mask", mask)};
    output(heed_nn_multi_head_attention_forward_with((heed_nn_multi_head_attention *)net, q, k, k, &call));
}

static heed_module *weighed(void)
{
    return &heed_nn_multi_head_attention_new(16, 4, NULL)->base;
}

static void run_weighed(heed_module *net)
{
    heed_tensor *x = input("x", randn(HEED_SHAPE(rows, 6, 16))), *weights = NULL;
    heed_tensor *valid = input("valid_lens", lens(0, 4));
    output(heed_nn_multi_head_attention_forward((heed_nn_multi_head_attention *)net, x, x, x, valid, &weights));
    output(weights);
}

static heed_module *additive(void)
{
    return &heed_nn_additive_attention_new(5, 3, 8, NULL)->base;
}

static void run_additive(heed_module *net)
{
    heed_tensor *q = input("queries", randn(HEED_SHAPE(rows, 4, 3))), *k = input("keys", randn(HEED_SHAPE(rows, 6, 5)));
    heed_tensor *v = input("values", randn(HEED_SHAPE(rows, 6, 7))), *weights = NULL;
    heed_tensor *valid = input("valid_lens", lens(2, 6));
    output(heed_nn_additive_attention_forward((heed_nn_additive_attention *)net, q, k, v, valid, &weights));
    output(weights);
}

static void run_dot_product(heed_module *net)
{
    (void)net;
    heed_tensor *q = input("queries", randn(HEED_SHAPE(rows, 4, 3))), *k = input("keys", randn(HEED_SHAPE(rows, 6, 3)));
    heed_tensor *v = input("values", randn(HEED_SHAPE(rows, 6, 7))), *weights = NULL;
    heed_tensor *valid = input("valid_lens", lens(2, 6));
    heed_attention_options o = {.valid_lens = valid};
    output(heed_dot_product_attention(q, k, v, &o, NULL));
    o.scale = 2;
    output(heed_dot_product_attention(q, k, v, &o, &weights));
    output(weights);
    o = (heed_attention_options){.bias = randn(HEED_SHAPE(4, 6)), .causal = true, .query_offset = 1};
    output(heed_dot_product_attention(q, k, v, &o, NULL));
}

static heed_module *kernel_regression(void)
{
    return &heed_nn_nw_kernel_regression_new(NULL)->base;
}

static void run_kernel_regression(heed_module *net)
{
    heed_tensor *q = input("queries", randn(HEED_SHAPE(9))), *k = input("keys", randn(HEED_SHAPE(20)));
    heed_tensor *v = input("values", randn(HEED_SHAPE(20))), *weights = NULL;
    output(heed_nn_nw_kernel_regression_forward((heed_nn_nw_kernel_regression *)net, q, k, v, NULL));
    output(heed_nn_nw_kernel_regression_forward((heed_nn_nw_kernel_regression *)net, q, k, v, &weights));
    output(weights);
    const heed_kernel_regression_options o = {.log_width = true, .leave_one_out = true};
    heed_tensor *points = input("points", randn(HEED_SHAPE(8, 2)));
    output(heed_kernel_regression(points, points, heed_slice(points, 1, 0, 1, 1),
                                  heed_full(HEED_F32, HEED_SHAPE(2), -0.3), &o, NULL));
    const heed_kernel_regression_options epanechnikov = {.kernel = HEED_NW_EPANECHNIKOV};
    output(heed_kernel_regression(q, k, v, heed_full(HEED_F32, HEED_SHAPE(1), 0.5), &epanechnikov, NULL));
}

/* -- Recurrence ---------------------------------------------------------------------------------------------------- */

static heed_module *gru(void)
{
    return &heed_nn_gru_new(5, 6, &(heed_nn_gru_options){.num_layers = 2, .bidirectional = true})->base;
}

static void run_gru(heed_module *net)
{
    heed_tensor *state = NULL, *x = input("x", randn(HEED_SHAPE(7, 2, 5)));
    output(heed_nn_gru_forward((heed_nn_gru *)net, x, input("valid_lens", lens(3, 7)), &state));
    output(state);
}

static heed_module *lstm(void)
{
    return &heed_nn_lstm_new(5, 6, &(heed_nn_lstm_options){.batch_first = true})->base;
}

static void run_lstm(heed_module *net)
{
    heed_tensor *h = NULL, *c = NULL, *x = input("x", randn(HEED_SHAPE(2, 7, 5)));
    output(heed_nn_lstm_forward((heed_nn_lstm *)net, x, NULL, &h, &c));
    output(h);
    output(c);
}

static heed_module *rnn(void)
{
    return &heed_nn_rnn_new(5, 6, &(heed_nn_rnn_options){.activation = heed_relu})->base;
}

static void run_rnn(heed_module *net)
{
    output(heed_nn_rnn_forward((heed_nn_rnn *)net, input("x", randn(HEED_SHAPE(7, 2, 5))), NULL, NULL));
}

const example layer_examples[] = {
    {"mlp", mlp, run, true},
    {"lenet", lenet, run_lenet, true},
    {"residual_cnn", residual_cnn, run_residual_cnn, true},
    {"encoder", encoder, run_encoder, true},
    {"masked_encoder", encoder, run_masked_encoder, true},
    {"transformer", transformer, run_transformer, true},
    {"grouped_queries", grouped, run_self, true},
    {"alibi", alibi, run_self, true},
    {"relative", relative, run_self, true},
    {"cross", relative, run_cross, true},
    {"weighed", weighed, run_weighed, true},
    {"additive", additive, run_additive, true},
    {"dot_product", NULL, run_dot_product, false},
    {"kernel_regression", kernel_regression, run_kernel_regression, false},
    {"gru", gru, run_gru, false},
    {"lstm", lstm, run_lstm, false},
    {"rnn", rnn, run_rnn, false},
    {NULL, NULL, NULL, false},
};
