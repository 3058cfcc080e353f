/* tests/promises/test_freed_handles.c - frees objects twice, or uses them after the free: every function
 * heed_NAME_free, and every public function that takes such an object, reports it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "freed.h"
#include "from_memory.h"
#include "optimizer_of.h"

static void *make_average(void)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 2, NULL);
    heed_average *average = heed_average_new(&net->base, NULL);
    heed_module_free(&net->base);
    return average;
}

static void *make_categories(void)
{
    return heed_categories_new((const char *const[]){"a", "x"}, 2);
}

static void *make_comm(void)
{
    return heed_comm_self();
}

static heed_optimizer *new_optimizer(void)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    return sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 0.1});
}

static void *make_optimizer(void)
{
    return new_optimizer();
}

/* A team accesses its comm and its optimizer, which therefore live as long as the test. */
static heed_comm *comm_of_teams;
static heed_optimizer *optimizer_of_teams;

static void *make_data_parallel(void)
{
    return heed_data_parallel_new(comm_of_teams, optimizer_of_teams, NULL);
}

static void *make_shards(void)
{
    return heed_shards_new(comm_of_teams, 4, 1);
}

/* The same for a loader and its dataset. */
static heed_dataset *dataset_of_loaders, *keys_and_values;

static heed_dataset *pairs(void)
{
    return keys_and_values;
}

static void *make_loader(void)
{
    return heed_loader_new(dataset_of_loaders, &(heed_loader_options){.batch_size = 2});
}

static void *make_dataset(void)
{
    return heed_dataset_new(HEED_TENSORS(tensor()));
}

static void *make_dict(void)
{
    return heed_dict_new();
}

static void *make_generator(void)
{
    return heed_generator_new(1);
}

static void *make_io_csv(void)
{
    return csv_from_memory("x,y\n1,a\n2,b\n", 12, NULL);
}

static void *make_kv_cache(void)
{
    return heed_kv_cache_new(NULL);
}

static void *make_module(void)
{
    return heed_module_new("a module", 2048);
}

static void *make_np(void)
{
    heed_tensor *x = heed_arange(HEED_F64, 0.0, 8.0, 1.0);
    return heed_np_fit(heed_reshape(x, HEED_SHAPE(8, 1)), heed_square(x), NULL);
}

static void *make_progress(void)
{
    static FILE *nowhere;
    nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
    return heed_progress_new(nowhere, &(heed_progress_options){.epochs = 2, .steps = 2});
}

static void *make_scaler(void)
{
    return heed_scaler_new(tensor(), NULL);
}

static void *make_schedule(void)
{
    return heed_schedule_new_step(NULL, 2, 0.5);
}

/* -- Calls that need more than plausible values ------------------------------------------------------------------- */

static void freed_in_nn_multi_head_attention_forward_with(void *freed)
{
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(2, 1, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2));
    (void)heed_nn_multi_head_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static heed_tensor *tokens_of_two(void)
{
    return heed_zeros(HEED_I64, HEED_SHAPE(1, 3));
}

static void freed_in_nn_decoder_forward_with(void *freed)
{
    heed_nn_decoder *net = heed_nn_decoder_new(4, 2, 1, 4, 1, NULL);
    (void)heed_nn_decoder_forward_with(net, tokens_of_two(), &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_transformer_encoder_block_forward_with(void *freed)
{
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(2, 1, 4, NULL);
    (void)heed_nn_transformer_encoder_block_forward_with(net, heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2)),
                                                         &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_transformer_decoder_block_forward_with(void *freed)
{
    heed_nn_transformer_decoder_block *net = heed_nn_transformer_decoder_block_new(2, 1, 4, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2));
    (void)heed_nn_transformer_decoder_block_forward_with(net, x, x, &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_transformer_decoder_forward_with(void *freed)
{
    heed_nn_transformer_decoder *net = heed_nn_transformer_decoder_new(4, 2, 1, 4, 1, NULL);
    heed_tensor *memory = heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2));
    (void)heed_nn_transformer_decoder_forward_with(net, tokens_of_two(), memory,
                                                   &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

/* These layers do not support a cache, but report that it was freed. */
static void freed_in_nn_additive_attention_forward_with(void *freed)
{
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(2, 2, 1, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2));
    (void)heed_nn_additive_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_dot_product_attention_forward_with(void *freed)
{
    heed_nn_dot_product_attention *net = heed_nn_dot_product_attention_new(NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 3, 2));
    (void)heed_nn_dot_product_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_transformer_encoder_forward_with(void *freed)
{
    heed_nn_transformer_encoder *net = heed_nn_transformer_encoder_new(4, 2, 1, 4, 1, NULL);
    (void)heed_nn_transformer_encoder_forward_with(net, tokens_of_two(), &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_transformer_forward_with(void *freed)
{
    heed_nn_transformer *net = heed_nn_transformer_new(4, 4, 2, 1, 4, 1, NULL);
    heed_tensor *tokens = tokens_of_two();
    (void)heed_nn_transformer_forward_with(net, tokens, tokens, &(heed_nn_attention_call){.cache = freed});
    heed_module_free(&net->base);
}

static void freed_in_nn_decoder_load(void *freed)
{
    heed_nn_decoder *net = heed_nn_decoder_new(4, 2, 1, 4, 1, NULL);
    (void)heed_nn_decoder_load(net, freed);
    heed_module_free(&net->base);
}

static void freed_in_nn_sequential_add(void *freed)
{
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    (void)heed_nn_sequential_add(net, freed);
    heed_module_free(&net->base);
}

static void freed_in_schedule_new_chained(void *freed)
{
    (void)!heed_schedule_new_chained(freed, (heed_schedule *const[]){make_schedule()}, 1);
}

static void freed_in_schedule_new_sequential(void *freed)
{
    heed_schedule *const parts[] = {make_schedule(), make_schedule()};
    (void)!heed_schedule_new_sequential(freed, parts, 2, (const int64_t[]){3});
}

static heed_tensor *run_module(heed_module *m, void *user)
{
    return heed_module_forward(m, user);
}

static heed_tensor *first_logit(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    (void)tokens, (void)rows, (void)user;
    return heed_zeros(HEED_F32, HEED_SHAPE(1, 4));
}

static void freed_in_generate(void *freed)
{
    (void)heed_generate(first_logit, NULL, tokens_of_two(), 2, 3,
                        &(heed_sample_options){.temperature = 1.0, .generator = freed});
}

static void begin(void)
{
    (void)remove("x"); /* the path of all calls that write a file */
    comm_of_teams = heed_comm_self();
    optimizer_of_teams = new_optimizer();
    dataset_of_loaders = make_dataset();
    keys_and_values = heed_dataset_new(HEED_TENSORS(numbers(HEED_SHAPE(4, 1)), numbers(HEED_SHAPE(4, 1))));
}

static void end(void)
{
    FILE *written = fopen("x", "r");
    ck_assert_msg(!written, "a call with a freed object has written a file");
    heed_dataset_free(keys_and_values);
    heed_dataset_free(dataset_of_loaders);
    heed_optimizer_free(optimizer_of_teams);
    heed_comm_free(comm_of_teams);
}

#include "freed_calls.inc"

FREED_TESTS

FREED_MAIN("freed handles")
