/* tests/team/training.h - the training that processes of the tests share.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TRAINING_H
#define TRAINING_H

#include <stdlib.h>

#include "hash.h"

typedef struct run {
    int64_t samples, batch, shards, from, to; /* steps from .. to - 1 */
    int64_t hidden;                           /* units of the two hidden layers; 0: 300 and 250 */
    double dropout, max_norm;
    bool normed;                                  /* batch norm after the first layer */
    heed_optimizer *(*optimizer)(heed_module *m); /* NULL: Adam */
    bool sharded;                                 /* the optimizer's state is sharded */
    int threads; /* computes all shards by heed_data_parallel_gradients in this many threads; 0: one after another */
    const char *checkpoint; /* NULL: none */
    int64_t every;     /* steps between checkpoints; a run resumes from the last one; 0: one checkpoint at the end */
    heed_module *keep; /* NULL, or a module like the trained one, from which its parameters are subtracted at the end */
} run;

static inline uint64_t hash_of(heed_module *m)
{
    uint64_t hash = HASH_BEGIN;
    heed_dict *state = heed_module_state(m);
    for (int64_t i = 0; i < heed_dict_size(state); i++)
        hash = hash_tensor(hash, heed_dict_at(state, i));
    heed_dict_free(state);
    return hash;
}

static inline heed_nn_sequential *make_normed(double dropout)
{
    return heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(5, 20, NULL), heed_nn_batch_norm_new(20, NULL),
                                               heed_nn_dropout_new(dropout), heed_nn_linear_new(20, 3, NULL)));
}

static inline heed_nn_sequential *make_net(int64_t hidden, double dropout)
{
    const int64_t first = hidden ? hidden : 300, second = hidden ? hidden : 250;
    return heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(5, first, NULL), heed_nn_function_new("tanh", heed_tanh), heed_nn_dropout_new(dropout),
        heed_nn_linear_new(first, second, NULL), heed_nn_linear_new(second, 3, NULL)));
}

static inline heed_optimizer *plain_sgd(heed_module *m)
{
    return heed_optim_sgd(m, &(heed_optim_sgd_options){.lr = 0.1});
}

/* from = from - t, parameter by parameter. */
static inline void subtract(heed_module *from, heed_module *m)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_dict *to = heed_module_state(from), *t = heed_module_state(m);
    for (int64_t i = 0; i < heed_dict_size(to); i++)
        heed_copy_(heed_dict_at(to, i), heed_sub(heed_dict_at(to, i), heed_dict_at(t, i)));
    heed_dict_free(to);
    heed_dict_free(t);
    heed_scope_end(scope);
}

/* Loads the checkpoint to resume from; returns the step. */
static inline int64_t first_step(const run *r, heed_checkpoint *saved)
{
    if (r->from > 0 || (r->every > 0 && heed_checkpoint_exists(r->checkpoint)))
        heed_checkpoint_load(r->checkpoint, saved);
    return r->every > 0 ? saved->step : r->from;
}

static inline void save_now(const run *r, heed_data_parallel *team, heed_checkpoint *saved)
{
    saved->step = heed_data_parallel_steps(team);
    heed_data_parallel_save(team, r->checkpoint, saved, NULL);
}

static inline heed_tensor *loss_of_part(heed_tensor *const *part, double *count, void *net)
{
    *count = (double)heed_dim(part[0], 0);
    return heed_cross_entropy(heed_nn_sequential_forward(net, part[0]), part[1],
                              &(heed_class_loss_options){.reduction = HEED_REDUCTION_SUM});
}

static inline void take_step(const run *r, heed_data_parallel *team, heed_loader *loader, heed_nn_sequential *net)
{
    heed_tensor *part[2];
    if (r->threads > 0)
        heed_data_parallel_gradients(team, loader, loss_of_part, net);
    while (r->threads == 0 && heed_data_parallel_next(team, loader, part)) {
        heed_scope *scope = heed_scope_begin();
        double count;
        heed_tensor *loss = loss_of_part(part, &count, net);
        heed_data_parallel_backward(team, loss, count);
        heed_scope_end(scope);
    }
    heed_data_parallel_step(team);
}

static inline uint64_t train(heed_comm *comm, void *argument)
{
    const run *r = argument;
    const int threads = heed_num_threads();
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_set_num_threads(r->threads > 0 ? r->threads : threads);
    heed_manual_seed(3);
    heed_nn_sequential *net = r->normed ? make_normed(r->dropout) : make_net(r->hidden, r->dropout);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(r->samples, 5)), *y = heed_randint(0, 3, HEED_SHAPE(r->samples));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x, y));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = r->batch, .shuffle = true});
    heed_optimizer *optimizer =
        r->optimizer ? r->optimizer(&net->base) : heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 0.01});
    heed_data_parallel *team = heed_data_parallel_new(
        comm, optimizer,
        &(heed_data_parallel_options){
            .shards = r->shards, .max_norm = r->max_norm, .sharded_state = r->sharded, .module = &net->base});
    heed_checkpoint saved = {.module = &net->base, .optimizer = optimizer, .loader = loader};
    heed_data_parallel_set_steps(team, first_step(r, &saved));
    while (heed_data_parallel_steps(team) < r->to) {
        take_step(r, team, loader, net);
        if (r->every > 0 && heed_data_parallel_steps(team) % r->every == 0)
            save_now(r, team, &saved);
    }
    if (r->checkpoint && r->every == 0)
        save_now(r, team, &saved);
    if (r->keep)
        subtract(r->keep, &net->base);
    uint64_t hash = hash_of(&net->base);
    heed_data_parallel_free(team);
    heed_optimizer_free(optimizer);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_module_free(&net->base);
    heed_set_num_threads(threads);
    heed_set_error_handler(NULL, NULL);
    return hash;
}

#endif
