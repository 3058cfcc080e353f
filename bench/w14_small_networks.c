/* bench/w14_small_networks.c - W14: steps of the small networks for which SimpleChains.jl publishes times, over whole
 * batches and in shards: 4-32-16-4 with tanh over 10,000 rows, 24-8-2 with dropout in f64 over 200 rows, and LeNet with
 * relu over 2,048 images. The optimizer is Adam, and every batch comes from a loader.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

#include "networks.h"
#include "workloads.h"

enum { TANH_NETWORK, DROPOUT_NETWORK, LENET };

typedef struct training {
    heed_nn_sequential *net;
    heed_optimizer *adam;
    heed_dataset *data;
    heed_loader *loader;
    heed_comm *self;
    heed_data_parallel *team; /* NULL: whole batches */
    heed_tensor *(*loss)(heed_tensor *output, heed_tensor *target, heed_reduction reduction);
} training;

/* -- Networks ------------------------------------------------------------------------------------------------------ */

static heed_tensor *flatten(heed_tensor *x)
{
    return heed_reshape(x, HEED_SHAPE(heed_shape_of(x).dims[0], -1));
}

static heed_nn_sequential *relu_lenet_new(void)
{
    const heed_nn_linear_options relu = {.activation = heed_relu};
    return heed_nn_sequential_new(
        HEED_MODULES(heed_nn_conv_new(1, 6, HEED_SHAPE(5, 5), NULL), heed_nn_function_new("relu", heed_relu),
                     heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL), heed_nn_conv_new(6, 16, HEED_SHAPE(5, 5), NULL),
                     heed_nn_function_new("relu", heed_relu), heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL),
                     heed_nn_function_new("flatten", flatten), heed_nn_linear_new(256, 120, &relu),
                     heed_nn_linear_new(120, 84, &relu), heed_nn_linear_new(84, IMAGE_CLASSES, NULL)));
}

static heed_nn_sequential *network_new(int64_t network)
{
    const heed_nn_linear_options tanh = {.activation = heed_tanh},
                                 tanh64 = {.activation = heed_tanh, .dtype = HEED_F64}, f64 = {.dtype = HEED_F64};
    if (network == LENET)
        return relu_lenet_new();
    if (network == DROPOUT_NETWORK)
        return heed_nn_sequential_new(
            HEED_MODULES(heed_nn_linear_new(24, 8, &tanh64), heed_nn_dropout_new(0.2), heed_nn_linear_new(8, 2, &f64)));
    return heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(4, 32, &tanh), heed_nn_linear_new(32, 16, &tanh),
                                               heed_nn_linear_new(16, 4, NULL)));
}

static heed_dataset *data_new(int64_t network, int64_t rows)
{
    if (network == LENET)
        return heed_dataset_new(HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(rows, 1, IMAGE_SIDE, IMAGE_SIDE)),
                                             heed_randint(0, IMAGE_CLASSES, HEED_SHAPE(rows))));
    const heed_dtype dtype = network == DROPOUT_NETWORK ? HEED_F64 : HEED_F32;
    const int64_t in = network == DROPOUT_NETWORK ? 24 : 4, out = network == DROPOUT_NETWORK ? 2 : 4;
    return heed_dataset_new(
        HEED_TENSORS(heed_randn(dtype, HEED_SHAPE(rows, in)), heed_randn(dtype, HEED_SHAPE(rows, out))));
}

static heed_tensor *class_loss(heed_tensor *output, heed_tensor *target, heed_reduction reduction)
{
    return heed_cross_entropy(output, target, &(heed_class_loss_options){.reduction = reduction});
}

/* -- Steps --------------------------------------------------------------------------------------------------------- */

static void whole_step(training *t)
{
    heed_tensor *batch[2];
    heed_loader_next(t->loader, batch);
    heed_optimizer_zero_grad(t->adam);
    heed_backward(t->loss(heed_nn_sequential_forward(t->net, batch[0]), batch[1], HEED_REDUCTION_MEAN));
    heed_optimizer_step(t->adam);
}

static heed_tensor *loss_of_shard(heed_tensor *const *part, double *count, void *user)
{
    const training *t = user;
    if (t->loss == heed_mse_loss)
        *count = (double)heed_numel(part[1]);
    return t->loss(heed_nn_sequential_forward(t->net, part[0]), part[1], HEED_REDUCTION_SUM);
}

static void step(void *context)
{
    training *t = context;
    heed_scope *scope = heed_scope_begin();
    if (t->team) {
        heed_data_parallel_gradients(t->team, t->loader, loss_of_shard, t);
        heed_data_parallel_step(t->team);
    } else {
        whole_step(t);
    }
    heed_scope_end(scope);
}

/* sizes: network, rows, shards; 0 shards: whole batches. */
static void run(const bench_case *c)
{
    const int64_t network = c->sizes[0], rows = c->sizes[1], shards = c->sizes[2];
    training t = {.net = network_new(network),
                  .data = data_new(network, rows),
                  .self = heed_comm_self(),
                  .loss = network == LENET ? class_loss : heed_mse_loss};
    t.loader = heed_loader_new(t.data, &(heed_loader_options){.batch_size = rows});
    t.adam = heed_optim_adam(&t.net->base, &(heed_optim_adam_options){.lr = 3e-4});
    if (shards > 0)
        t.team = heed_data_parallel_new(t.self, t.adam, &(heed_data_parallel_options){.shards = shards});
    bench_time(c, &(bench_metric){"step us", .unit = 1e6}, step, &t);
    heed_data_parallel_free(t.team);
    heed_comm_free(t.self);
    heed_optimizer_free(t.adam);
    heed_loader_free(t.loader);
    heed_dataset_free(t.data);
    heed_module_free(&t.net->base);
}

const bench_entry bench_w14[] = {
    {"W14", "4-32-16-4, 10000 rows", run, SIZES(TANH_NETWORK, 10000, 0)},
    {"W14", "4-32-16-4, 10000 rows, 16 shards", run, SIZES(TANH_NETWORK, 10000, 16)},
    {"W14", "24-8-2 f64, 200 rows", run, SIZES(DROPOUT_NETWORK, 200, 0)},
    {"W14", "24-8-2 f64, 200 rows, 2 shards", run, SIZES(DROPOUT_NETWORK, 200, 2)},
    {"W14", "lenet, 2048 images", run, SIZES(LENET, 2048, 0)},
    {"W14", "lenet, 2048 images, 16 shards", run, SIZES(LENET, 2048, 16)},
    {0},
};
