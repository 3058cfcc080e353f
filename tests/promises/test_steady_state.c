/* tests/promises/test_steady_state.c - a training step that has run before makes no call of the system's allocator:
 * everything it needs is what the step before has freed. */

#include "check_heed.h"

#include <heed/heed.h>

enum { WARM_UP = 3, STEPS = 5 };

/* A model's loss, from data made once. */
typedef struct model {
    heed_module *module;
    heed_tensor *x, *y;
    heed_tensor *(*loss)(const struct model *m);
} model;

static heed_tensor *mlp_loss(const model *m)
{
    return heed_cross_entropy(heed_nn_sequential_forward((heed_nn_sequential *)m->module, m->x), m->y, NULL);
}

static heed_tensor *block_loss(const model *m)
{
    heed_nn_transformer_encoder_block *net = (heed_nn_transformer_encoder_block *)m->module;
    return heed_mse_loss(heed_nn_transformer_encoder_block_forward(net, m->x, NULL), m->y, HEED_REDUCTION_MEAN);
}

static heed_tensor *additive_loss(const model *m)
{
    heed_nn_additive_attention *net = (heed_nn_additive_attention *)m->module;
    return heed_mse_loss(heed_nn_additive_attention_forward(net, m->x, m->x, m->x, NULL), m->y, HEED_REDUCTION_MEAN);
}

static heed_tensor *gru_loss(const model *m)
{
    return heed_mse_loss(heed_nn_gru_forward((heed_nn_gru *)m->module, m->x, NULL), m->y, HEED_REDUCTION_MEAN);
}

static void train(const model *m, heed_optimizer *optimizer)
{
    heed_scope *step = heed_scope_begin();
    heed_optimizer_zero_grad(optimizer);
    heed_backward(m->loss(m));
    heed_optimizer_step(optimizer);
    heed_scope_end(step);
}

/* Takes the module over. */
static void settles(model m)
{
    size_t limit = heed_memory_set_cache_limit((size_t)256 << 20);
    heed_optimizer *optimizer = heed_optim_adam(m.module, NULL);
    ck_assert_ptr_nonnull(optimizer);
    for (int i = 0; i < WARM_UP; i++)
        train(&m, optimizer);
    int64_t calls = heed_memory_get_stats().system_calls;
    for (int i = 0; i < STEPS; i++)
        train(&m, optimizer);
    ck_assert_int_eq(heed_memory_get_stats().system_calls, calls);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_optimizer_free(optimizer);
    heed_module_free(m.module);
    heed_memory_set_cache_limit(limit);
}

START_TEST(mlp)
{
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(50, 30, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(30, 10, NULL)));
    settles(
        (model){&net->base, heed_randn(HEED_F32, HEED_SHAPE(64, 50)), heed_randint(0, 10, HEED_SHAPE(64)), mlp_loss});
}
END_TEST

START_TEST(transformer_encoder_block)
{
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(32, 4, 64, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(4, 20, 32));
    settles((model){&net->base, x, heed_neg(x), block_loss});
}
END_TEST

START_TEST(additive_attention)
{
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(16, 16, 24, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(4, 20, 16));
    settles((model){&net->base, x, heed_neg(x), additive_loss});
}
END_TEST

START_TEST(gru)
{
    heed_nn_gru *net = heed_nn_gru_new(8, 16, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(10, 4, 8)), *y = heed_randn(HEED_F32, HEED_SHAPE(10, 4, 16));
    settles((model){&net->base, x, y, gru_loss});
}
END_TEST

HEED_TEST_MAIN("steady_state", mlp, transformer_encoder_block, additive_attention, gru)
