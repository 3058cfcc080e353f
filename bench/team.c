/* bench/team.c - training by a team of processes: W7's and W8's models, their batches cut into shards; and a block
 * of width 768, as in GPT-2, which has twelve, over texts of 1,024.
 *
 *     bench_team MODEL [SHARDS [BATCH [STEPS]]]
 *     mpirun -n 2 bench_team w7 2
 *
 * MODEL is w7, w8 or block. Defaults: 8 shards, 256 samples (w7) or 16 texts (w8), 200 steps.
 *
 * 0 shards: the usual loop, without a team. Prints a JSON line: the least and the median time of a step at process
 * 0, the median time in the shards, the processor time, the bytes sent, and the number of parameters.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heed/mpi.h>

#include "language_model.h"

enum { IMAGES = 6144, PIXELS = 784, HIDDEN = 256, CLASSES = 10, TEXTS = 512, WARM_UP = 5 };

typedef struct training {
    const char *name;
    heed_module *net;
    heed_tensor *(*forward)(heed_module *net, heed_tensor *x);
    heed_dataset *data;
    heed_optimizer *optimizer;
    heed_loader *loader;
    heed_data_parallel *team; /* NULL: the usual loop */
} training;

/* -- Models -------------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_w7(heed_module *net, heed_tensor *x)
{
    return heed_nn_sequential_forward((heed_nn_sequential *)net, x);
}

static void make_w7(training *t)
{
    t->net = &heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(PIXELS, HIDDEN, NULL),
                                                  heed_nn_function_new("relu", heed_relu),
                                                  heed_nn_linear_new(HIDDEN, CLASSES, NULL)))
                  ->base;
    t->forward = forward_w7;
    t->data = heed_dataset_new(
        HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(IMAGES, PIXELS)), heed_randint(0, CLASSES, HEED_SHAPE(IMAGES))));
    t->optimizer = heed_optim_sgd(t->net, &(heed_optim_sgd_options){.lr = 0.1});
}

static heed_tensor *forward_w8(heed_module *net, heed_tensor *x)
{
    return language_model_forward((language_model *)net, x);
}

static void make_language_model(training *t, int64_t tokens, int64_t d, int64_t layers)
{
    const heed_shape texts = HEED_SHAPE(TEXTS, tokens);
    t->net = &language_model_new(tokens, d, layers)->base;
    t->forward = forward_w8;
    t->data = heed_dataset_new(
        HEED_TENSORS(heed_randint(0, LANGUAGE_VOCABULARY, texts), heed_randint(0, LANGUAGE_VOCABULARY, texts)));
    t->optimizer = heed_optim_adamw(t->net, &(heed_optim_adam_options){.lr = 3e-4, .weight_decay = 0.1});
}

static void make_w8(training *t)
{
    make_language_model(t, 64, 128, 4);
}

static void make_block(training *t)
{
    make_language_model(t, 1024, 768, 1);
}

static const struct model {
    const char *name;
    void (*make)(training *t);
    long batch;
} models[] = {{"w7", make_w7, 256}, {"w8", make_w8, 16}, {"block", make_block, 16}};

/* -- Steps --------------------------------------------------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void plain_step(const training *t)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *batch[2];
    heed_loader_next(t->loader, batch);
    heed_optimizer_zero_grad(t->optimizer);
    heed_backward(heed_cross_entropy(t->forward(t->net, batch[0]), batch[1], NULL));
    heed_optimizer_step(t->optimizer);
    heed_scope_end(scope);
}

static void all_shards(const training *t)
{
    const heed_class_loss_options sum = {.reduction = HEED_REDUCTION_SUM};
    heed_tensor *part[2];
    while (heed_data_parallel_next(t->team, t->loader, part)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = heed_cross_entropy(t->forward(t->net, part[0]), part[1], &sum);
        heed_data_parallel_backward(t->team, loss, (double)heed_numel(part[1]));
        heed_scope_end(scope);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times one step: in total, and until the gradients of the shards are ready. */
static void time_step(const training *t, double *wall, double *in_shards)
{
    double began = seconds(CLOCK_MONOTONIC);
    (t->team ? all_shards : plain_step)(t);
    *in_shards = seconds(CLOCK_MONOTONIC) - began;
    if (t->team)
        heed_data_parallel_step(t->team);
    *wall = seconds(CLOCK_MONOTONIC) - began;
}

static long long elements_of(const heed_optimizer *optimizer)
{
    long long n = 0;
    for (int i = 0; i < heed_optimizer_parameter_count(optimizer); i++)
        n += heed_numel(heed_optimizer_parameter(optimizer, i));
    return n;
}

static void measure(const training *t, heed_comm *world, long batch, long shards, int steps)
{
    double *wall = calloc(2 * (size_t)steps, sizeof *wall), warm[2], worked = 0.0;
    if (!wall)
        return;
    double *in_shards = wall + steps;
    for (int i = -WARM_UP; i < steps; i++) {
        if (i == 0)
            worked = seconds(CLOCK_PROCESS_CPUTIME_ID);
        time_step(t, i < 0 ? &warm[0] : &wall[i], i < 0 ? &warm[1] : &in_shards[i]);
    }
    worked = seconds(CLOCK_PROCESS_CPUTIME_ID) - worked;
    if (heed_comm_rank(world) == 0) {
        qsort(wall, (size_t)steps, sizeof *wall, by_size);
        qsort(in_shards, (size_t)steps, sizeof *wall, by_size);
        printf("{\"peer\": \"heed\", \"model\": \"%s\", \"processes\": %d, \"threads\": %d, \"shards\": %ld, "
               "\"batch\": %ld, \"least ms\": %.3f, \"median ms\": %.3f, \"shards ms\": %.3f, \"processor ms\": %.3f, "
               "\"bytes sent\": %lld, \"parameters\": %lld}\n",
               t->name, heed_comm_size(world), heed_num_threads(), shards, batch, 1e3 * wall[0], 1e3 * wall[steps / 2],
               1e3 * in_shards[steps / 2], 1e3 * worked / steps,
               (long long)heed_comm_bytes_sent(world) / (steps + WARM_UP), elements_of(t->optimizer));
    }
    free(wall);
}

static long argument(int argc, char **argv, int i, long otherwise)
{
    return i < argc ? strtol(argv[i], NULL, 10) : otherwise;
}

static const struct model *model_of(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const struct model *model = argc > 1 ? model_of(argv[1]) : NULL;
    const long shards = argument(argc, argv, 2, 8), batch = argument(argc, argv, 3, model ? model->batch : 0);
    const long steps = argument(argc, argv, 4, 200);
    if (!model || shards < 0 || batch < 1 || steps < 1) {
        fprintf(stderr, "usage: bench_team w7|w8|block [SHARDS [BATCH [STEPS]]]\n");
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(1);
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);
    training t = {.name = model->name};
    model->make(&t);
    t.loader = heed_loader_new(t.data, &(heed_loader_options){.batch_size = batch});
    if (shards > 0)
        t.team = heed_data_parallel_new(world, t.optimizer, &(heed_data_parallel_options){.shards = shards});
    measure(&t, world, batch, shards, (int)steps);
    heed_data_parallel_free(t.team);
    heed_optimizer_free(t.optimizer);
    heed_loader_free(t.loader);
    heed_dataset_free(t.data);
    heed_module_free(t.net);
    heed_comm_free(world);
    MPI_Finalize();
    return 0;
}
