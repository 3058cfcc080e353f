/* tests/promises/memory/test_nn_oom.c - layers without memory: making, running and freeing them with allocation 1, 2,
 * 3, ... failing, once and from then on. Nothing leaks, states stay as they were, and the next try gives the same
 * bits. */

#include "fail_alloc.h"

/* Inputs that outlive the failures. */
static heed_tensor *x, *tokens, *lengths, *memory, *start;

static void make_inputs(void)
{
    heed_manual_seed(3);
    x = heed_retain(heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(2, 3, 4)), true));
    tokens = heed_retain(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 2, 1, 1, 2, 0));
    lengths = heed_retain(HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 1));
    memory = heed_retain(heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(2, 3, 2)), true));
    start = heed_retain(heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(2, 2, 2)), true));
}

static void free_inputs(void)
{
    heed_tensor *const all[] = {x, tokens, lengths, memory, start};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        heed_release(all[i]);
}

/* Value: the sum of y and of the gradient by `by`. Takes the module over. */
static bool finish(void *net, heed_tensor *y, heed_tensor *by, double *value)
{
    heed_tensor *sum = y ? heed_sum(y) : NULL, *g = NULL;
    bool ok = sum && heed_grad(&sum, 1, &by, 1, &g, NULL) == HEED_OK;
    heed_tensor *both = ok ? heed_add(sum, heed_sum(g)) : NULL;
    *value = both ? heed_item(both) : 0.0;
    heed_module_free(net);
    return both != NULL;
}

/* A layer of one tensor. */
static bool run_layer(void *net, double *value)
{
    return finish(net, net ? heed_module_forward(net, x) : NULL, x, value);
}

static bool linear(double *value)
{
    heed_manual_seed(1);
    return run_layer(heed_nn_linear_new(4, 2, NULL), value);
}

static bool layer_norm(double *value)
{
    return run_layer(heed_nn_layer_norm_new(HEED_SHAPE(3, 4), NULL), value);
}

static bool dropout(double *value)
{
    heed_manual_seed(1);
    return run_layer(heed_nn_dropout_new(0.5), value);
}

static bool function(double *value)
{
    return run_layer(heed_nn_function_new("tanh", heed_tanh), value);
}

static bool embedding(double *value)
{
    heed_manual_seed(1);
    heed_nn_embedding *net = heed_nn_embedding_new(3, 2, NULL);
    heed_tensor *y = net ? heed_nn_embedding_forward(net, tokens) : NULL;
    return finish(net, y, net ? net->weight : NULL, value);
}

static bool feed_forward(double *value)
{
    heed_manual_seed(1);
    return run_layer(heed_nn_feed_forward_new(4, 3, &(heed_nn_feed_forward_options){.dropout = 0.5}), value);
}

static bool sequential(double *value)
{
    heed_manual_seed(1);
    heed_nn_sequential *inner = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(4, 3, NULL)));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(inner, heed_nn_function_new("relu", heed_relu)));
    if (!net || heed_nn_sequential_add(net, heed_nn_linear_new(3, 2, NULL)) != HEED_OK) {
        heed_module_free((heed_module *)net);
        return false;
    }
    return run_layer(net, value);
}

static bool initial_values(double *value)
{
    heed_manual_seed(1);
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(3, 2));
    bool ok = t && heed_nn_init_uniform_(t, -1, 1) == HEED_OK && heed_nn_init_normal_(t, 0, 1) == HEED_OK &&
              heed_nn_init_kaiming_uniform_(t) == HEED_OK && heed_nn_init_xavier_uniform_(t) == HEED_OK;
    heed_tensor *sum = ok ? heed_sum(t) : NULL;
    *value = sum ? heed_item(sum) : 0.0;
    return sum != NULL;
}

static bool block(double *value)
{
    heed_manual_seed(1);
    heed_nn_transformer_encoder_block_options o = {.dropout = 0.25, .need_weights = true};
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(4, 2, 3, &o);
    heed_tensor *y = net ? heed_nn_transformer_encoder_block_forward(net, x, lengths) : NULL;
    return finish(net, y, x, value);
}

static bool gru(double *value)
{
    heed_manual_seed(1);
    heed_nn_gru *net =
        heed_nn_gru_new(4, 2, &(heed_nn_gru_options){.num_layers = 2, .dropout = 0.5, .batch_first = true});
    heed_tensor *state = start, *y = net ? heed_nn_gru_forward(net, x, &state) : NULL;
    ck_assert((y == NULL) == (state == start));
    return finish(net, y ? heed_add(heed_sum(y), heed_sum(state)) : NULL, start, value);
}

static bool encoder(double *value)
{
    heed_manual_seed(1);
    heed_nn_seq2seq_encoder *net = heed_nn_seq2seq_encoder_new(3, 2, 2, NULL);
    heed_tensor *state = start, *y = net ? heed_nn_seq2seq_encoder_forward(net, tokens, &state) : NULL;
    ck_assert((y == NULL) == (state == start));
    return finish(net, y ? heed_add(heed_sum(y), heed_sum(state)) : NULL, net ? net->embedding->weight : NULL, value);
}

static bool decoder(double *value)
{
    heed_manual_seed(1);
    heed_nn_seq2seq_options o = {.num_layers = 2, .dropout = 0.25, .need_weights = true};
    heed_nn_bahdanau_decoder *net = heed_nn_bahdanau_decoder_new(3, 2, 2, &o);
    heed_tensor *state = start;
    heed_tensor *y = net ? heed_nn_bahdanau_decoder_forward(net, tokens, memory, lengths, &state) : NULL;
    ck_assert((y == NULL) == (state == start));
    ck_assert(!net || (y == NULL) == (net->attention_weights == NULL));
    return finish(net, y ? heed_add(heed_sum(y), heed_sum(state)) : NULL, memory, value);
}

#define OOM_TEST(program)                                                                                              \
    START_TEST(oom_##program)                                                                                          \
    {                                                                                                                  \
        fail_alloc_install();                                                                                          \
        make_inputs();                                                                                                 \
        fail_alloc_sweep(program);                                                                                     \
        free_inputs();                                                                                                 \
        fail_alloc_uninstall();                                                                                        \
    }                                                                                                                  \
    END_TEST

OOM_TEST(linear)
OOM_TEST(layer_norm)
OOM_TEST(dropout)
OOM_TEST(function)
OOM_TEST(embedding)
OOM_TEST(feed_forward)
OOM_TEST(sequential)
OOM_TEST(initial_values)
OOM_TEST(block)
OOM_TEST(gru)
OOM_TEST(encoder)
OOM_TEST(decoder)

HEED_TEST_MAIN("nn_oom", oom_linear, oom_layer_norm, oom_dropout, oom_function, oom_embedding, oom_feed_forward,
               oom_sequential, oom_initial_values, oom_block, oom_gru, oom_encoder, oom_decoder)
